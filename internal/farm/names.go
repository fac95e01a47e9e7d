package farm

import (
	"errors"
	"strings"
	"time"
)

// The streams and buckets of a farm.
const (
	taskStream   = "FARM_TASKS"
	resultStream = "FARM_RESULTS"
	blobStream   = "FARM_BLOBS"
	jobBucket    = "FARM_JOBS"
	beatBucket   = "FARM_ALIVE"
)

const (
	// ackWait is after how long without a sign of life a task goes to another worker.
	ackWait = 5 * time.Second
	// maxDeliver is how often a task is given out before it counts as poison.
	maxDeliver = 6
	// beatEvery is how often coordinators report themselves, workerBeat how often workers
	// do, of whom there are many; beatLife is how long the server keeps a report.
	beatEvery  = time.Second
	workerBeat = 3 * time.Second
	beatLife   = 30 * time.Second
	// patience is how long a job waits for a server that is away when it is submitted.
	patience = 30 * time.Second
	// MaxPayload is the most bytes of a piece's ask or result.
	MaxPayload = 1 << 20
	// headroom is what NATS headers and envelopes need of that.
	headroom = 4096
)

// Errors that callers decide by.
var (
	// ErrRefused is wrapped by what the user must mend: an address, a key, a
	// certificate, another version, a job that is already there.
	ErrRefused = errors.New("refused by the farm")
	// ErrCancelled is a job that somebody has cancelled.
	ErrCancelled = errors.New("the job was cancelled")
	// ErrPoison is wrapped where a piece failed again and again.
	ErrPoison = errors.New("a piece was given up")
	// ErrDisagree is wrapped where machines came to different results.
	ErrDisagree = errors.New("machines disagree")
)

// newsSubject is where it is told that jobs or those left out are others now: nobody
// has to ask every second.
const newsSubject = "farm.news"

// aboutSubject is where the server of a farm says what there is to know of itself; servers
// that others run do not.
const aboutSubject = "farm.about"

// Headers of results and tasks.
const (
	headWorker  = "Farm-Worker"  // who ran it
	headName    = "Farm-Name"    // on which machine
	headSeconds = "Farm-Seconds" // for how long
	headError   = "Farm-Error"   // why it cannot be run
	headBig     = "Farm-Big"     // set where its result is too big, whoever runs it
	headNot     = "Farm-Not"     // whose result is to be checked: a name or an identity
)

// checkSuffix marks the key of a piece that is run a second time.
const checkSuffix = "-check"

// failedSuffix marks the key of a piece that was given up: its failure stands beside its
// result and not in its place, so that a later run may have one.
const failedSuffix = "-failed"

// token makes a name fit for a subject.
func token(s string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, s)
	if out == "" {
		return "x"
	}
	return out[:min(len(out), 64)]
}

func taskSubject(sig, job, key string) string { return "farm.task." + sig + "." + job + "." + key }
func resultSubject(job, key string) string    { return "farm.result." + job + "." + key }
