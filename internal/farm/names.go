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

// Headers of results. The subject proves who stored one; the headers are a worker's own
// words.
const (
	headName    = "Farm-Name"    // on which machine; a message without it is not a result
	headSeconds = "Farm-Seconds" // for how long
	headError   = "Farm-Error"   // why it cannot be run
	headBig     = "Farm-Big"     // set where its result is too big, whoever runs it
)

// nokey is the id of a connection without a key, to a server that asks for none.
const nokey = "nokey"

// failed is the last token of the subject of a failure, which is stored beside a result and
// does not replace it.
const failed = "failed"

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

// resultSubject is where the worker with the key id stores its result of a piece, and no other
// may; "*" matches any.
func resultSubject(job, piece, id string) string {
	return "farm.result." + job + "." + piece + "." + id
}

// resultsOf are all messages about the pieces of a job, results and failures.
func resultsOf(job string) string { return "farm.result." + job + ".>" }

// source is what the subject of a result says.
type source struct {
	job, piece, id string
	failed         bool
}

// parseResult reads the subject of a result or failure.
func parseResult(subject string) (s source, ok bool) {
	part := strings.Split(subject, ".")
	if len(part) == 6 && part[5] == failed {
		s.failed, part = true, part[:5]
	}
	if len(part) != 5 || part[0] != "farm" || part[1] != "result" {
		return s, false
	}
	s.job, s.piece, s.id = part[2], part[3], part[4]
	return s, true
}

// banSubject is where it is said that a key is left out.
func banSubject(id string) string { return "$KV." + jobBucket + ".ban." + id }

// reportSubject is where the worker with the key id reports itself, and no other may.
func reportSubject(id, worker string) string {
	return "$KV." + beatBucket + ".worker." + id + "." + worker
}
