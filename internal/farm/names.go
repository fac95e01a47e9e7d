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
	// maxDeliver is how often a task is delivered before its job fails.
	maxDeliver = 6
	// maxPayload is the most bytes of a piece's ask or result.
	maxPayload = 1 << 20
	// headroom is the part of it for NATS headers and envelopes.
	headroom = 4096
)

// pace is how often the parts of a farm report, and how long they wait for each other.
type pace struct {
	beat       time.Duration // between reports of a running job
	workerBeat time.Duration // between reports of a worker
	beatLife   time.Duration // how long the server keeps a report
	ackWait    time.Duration // silence of a worker after which its task goes to another one
	lostAfter  time.Duration // when a piece without a result is searched for
	patience   time.Duration // of Submit with a server that does not answer
	checkWait  time.Duration // how long the end of a job waits for its next check
	sweepEvery time.Duration // between sweeps after a job has ended
	sweepFor   time.Duration // how long these go on: until every worker knows of the end
}

// paceOf returns the intervals for a beat: a second, or less in tests.
func paceOf(beat time.Duration) pace {
	return pace{beat: beat, workerBeat: 3 * beat, beatLife: 30 * beat, ackWait: 5 * beat, lostAfter: 10 * beat, patience: 30 * beat,
		checkWait: 30 * beat, sweepEvery: 10 * beat, sweepFor: 60 * beat}
}

// Errors for callers to test.
var (
	// ErrRefused is wrapped by errors that the user must fix: an address, a key, a
	// certificate, another version, a job that is already running.
	ErrRefused = errors.New("farm")
	// ErrCancelled means that the job was cancelled.
	ErrCancelled = errors.New("the job was cancelled")
	// ErrPoison means that a piece failed too often.
	ErrPoison = errors.New("a piece was given up")
	// ErrDisagree means that machines computed different results.
	ErrDisagree = errors.New("machines disagree")
)

// newsSubject carries a message whenever the jobs or the banned keys change, so that no one
// has to poll every second.
const newsSubject = "farm.news"

// Headers of results. The subject proves which key stored a result; the headers are the
// worker's claims.
const (
	headName    = "Farm-Name"    // the machine; a message without it is not a result
	headSeconds = "Farm-Seconds" // computing time
	headError   = "Farm-Error"   // why it cannot be run
	headBig     = "Farm-Big"     // the result is too big on any machine
)

// nokey is the id of a connection without a key, to a server that needs none.
const nokey = "nokey"

// failed is the last token of the subject of a failure, which is stored beside a result and
// does not replace it.
const failed = "failed"

// token turns a name into one token of a subject.
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

// resultSubject is where only the worker with the key id may store its result of a piece; "*"
// matches any.
func resultSubject(job, piece, id string) string {
	return "farm.result." + job + "." + piece + "." + id
}

// resultsOf matches all results and failures of a job.
func resultsOf(job string) string { return "farm.result." + job + ".>" }

// source is the contents of a result's subject.
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

// banSubject holds the ban of a key.
func banSubject(id string) string { return "$KV." + jobBucket + ".ban." + id }

// passedSubject holds how many results of a key were right when they were checked.
func passedSubject(id string) string { return "$KV." + jobBucket + ".passed." + id }

// reportSubject is where only the worker with the key id may report.
func reportSubject(id, worker string) string {
	return "$KV." + beatBucket + ".worker." + id + "." + worker
}

// refusal is an error of ErrRefused without its prefix.
type refusal string

func (r refusal) Error() string { return string(r) }

func (refusal) Is(target error) bool { return target == ErrRefused }

// errNoAddress means that Dial got no address.
const errNoAddress = refusal("no farm address (--farm tls://HOST:PORT)")
