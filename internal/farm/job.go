package farm

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/atomicfile"
	"fibsbot/internal/sanitize"
)

// Engine is what results depend on besides their job: pieces go only to workers that
// have the same.
type Engine struct {
	// Program runs the pieces, "" for fibsbot. It is part of what names the queue, so that a
	// worker never draws a piece that its program cannot run.
	Program string `json:"program,omitempty"`
	Version string `json:"version"` // of the program
	Kernel  string `json:"kernel"`  // of its arithmetic
	Weights *File  `json:"weights,omitempty"`
	Bearoff []File `json:"bearoff,omitempty"`
	// Table is the match equity table; one without a checksum is in the program under
	// that name, nil is the usual one.
	Table *File `json:"table,omitempty"`
	// Others are the weights of further engines, for jobs that have several; a zero File
	// is one with the nets in the program.
	Others []File `json:"others,omitempty"`
	// Answer is what this engine makes of fixed questions, to the bit.
	Answer string `json:"answer"`
}

// Sig names the engine in subjects.
func (e *Engine) Sig() string { return digest(e)[:16] }

// File is a file that a job needs.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// Paths are where a worker has the files of a job.
type Paths struct {
	Weights []string // of each engine; "" for the nets in the program
	Bearoff string   // a folder, "" for none
	// Table is the file of a match equity table, or, where the job's has no checksum, its
	// name in the program; "" is the usual one.
	Table string
}

// Job is what a worker must know to run pieces. Who submits the same job again goes
// on with it: its ID comes from what is asked.
type Job struct {
	ID     string          `json:"id"`
	Kind   string          `json:"kind"`
	Spec   json.RawMessage `json:"spec"`
	Engine Engine          `json:"engine"`
	// Size is how big the pieces are, in the kind's own unit, as its first submitter
	// has found it.
	Size int `json:"size"`
	// Submitter is who began it.
	Submitter string    `json:"submitter"`
	Created   time.Time `json:"created"`
	// Owner is whose process runs the job, nil where it was put down in good order.
	Owner *Owner `json:"owner,omitempty"`
}

// Owner is a process that runs a job. There is one at a time: it writes itself into the
// job's record where that is still as it was read.
type Owner struct {
	ID   string `json:"id"` // of this run alone
	Host string `json:"host"`
	PID  int    `json:"pid"`
}

func newOwner() *Owner {
	host, _ := os.Hostname()
	return &Owner{ID: rand.Text(), Host: host, PID: os.Getpid()}
}

func digest(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain structures
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// id is the kind and twelve hex digits of all that results depend on.
func (j *Job) id() string {
	return token(j.Kind) + "-" + digest(struct {
		K string
		S json.RawMessage
		E Engine
	}{j.Kind, j.Spec, j.Engine})[:12]
}

func jobSubject(id string) string { return "$KV." + jobBucket + ".job." + id }

// beatSubject is where whoever runs a job reports it.
func beatSubject(id string) string { return "$KV." + beatBucket + ".job." + id }

// job reads a job of the farm; ok is false where there is none.
func (c *Client) job(ctx context.Context, id string) (j Job, ok bool, err error) {
	j, _, ok, err = c.jobAt(ctx, id)
	return j, ok, err
}

// jobAt is job, with the place of its record in the stream: what the next record follows.
func (c *Client) jobAt(ctx context.Context, id string) (j Job, seq uint64, ok bool, err error) {
	m, ok, err := c.last(ctx, "KV_"+jobBucket, jobSubject(id))
	if err != nil || !ok {
		return j, 0, false, err
	}
	if len(m.Data) == 0 {
		return j, m.Sequence, false, nil
	}
	if err := json.Unmarshal(m.Data, &j); err != nil || j.ID != id {
		return j, m.Sequence, false, fmt.Errorf("job %s: damaged", id)
	}
	return j, m.Sequence, true, nil
}

// record writes a job with its owner, nil for none, where its record is still the one
// after which this one is to come, and returns the place of the new one.
func (c *Client) record(ctx context.Context, j Job, owner *Owner, after uint64) (uint64, error) {
	j.Owner = owner
	text, err := json.Marshal(j)
	if err != nil {
		return 0, err
	}
	if len(text) > MaxPayload-headroom {
		return 0, fmt.Errorf("%w: the job's description has %d bytes, at most %d go to a farm", ErrRefused, len(text), MaxPayload-headroom)
	}
	ack, err := c.js.Publish(ctx, jobSubject(j.ID), text, jetstream.WithExpectLastSequencePerSubject(after))
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// jobs lists the jobs of the farm.
func (c *Client) jobs(ctx context.Context) (ids []string, err error) {
	list, err := c.subjects(ctx, "KV_"+jobBucket, jobSubject("*"))
	if err != nil {
		return nil, err
	}
	for s := range list {
		ids = append(ids, s[strings.LastIndexByte(s, '.')+1:])
	}
	return ids, nil
}

// blobPart is how many bytes a message of a file has.
const blobPart = 512 << 10

// maxFile bounds a file that a worker fetches.
const maxFile = 16 << 30

func blobSubject(sum string, part int64) string { return fmt.Sprintf("farm.blob.%s.%d", sum, part) }

// Upload stores a file under its checksum; what is there already is sent again only where
// it has grown old, for files go some time after their last use.
func (c *Client) Upload(ctx context.Context, path string) (f File, err error) {
	if err := c.ready(ctx); err != nil {
		return f, err
	}
	in, err := os.Open(path)
	if err != nil {
		return f, fmt.Errorf("upload: %w", err)
	}
	defer in.Close()
	h := sha256.New()
	if f.Size, err = io.Copy(h, in); err != nil {
		return f, fmt.Errorf("upload %s: %w", path, err)
	}
	f.Name, f.SHA256 = filepath.Base(path), hex.EncodeToString(h.Sum(nil))
	have, err := c.shelf(ctx, f.SHA256)
	if err != nil {
		return f, fmt.Errorf("upload %s: %w", path, err)
	}
	buf := make([]byte, blobPart)
	for part := int64(0); part*blobPart < f.Size; part++ {
		subject := blobSubject(f.SHA256, part)
		_, there := have.ages[subject]
		if there && (have.shut || !have.old(subject)) {
			continue
		}
		n, err := in.ReadAt(buf, part*blobPart)
		if err != nil && !errors.Is(err, io.EOF) {
			return f, fmt.Errorf("upload %s: %w", path, err)
		}
		if there {
			_ = c.renew(ctx, subject, buf[:n]) // it is there still; the job tries again
			continue
		}
		if _, err = c.put(ctx, &nats.Msg{Subject: subject, Data: buf[:n]}); full(err) {
			return f, fmt.Errorf("%w: upload %s: the farm's store is full (farm serve --max-store-mb)", ErrRefused, path)
		}
		if err != nil {
			return f, fmt.Errorf("upload %s: %w", path, err)
		}
	}
	return f, nil
}

// fetch brings a file into dir under its own name and returns its path. A file of the
// right checksum is not fetched again; one that is not what its checksum says is refused.
func (c *Client) fetch(ctx context.Context, f File, dir string) (string, error) {
	if raw, err := hex.DecodeString(f.SHA256); err != nil || len(raw) != sha256.Size || f.Size < 0 || f.Size > maxFile ||
		f.Name == "" || f.Name != filepath.Base(f.Name) || f.Name == ".." || f.Name == "." {
		return "", fmt.Errorf("file %.100q: no such file can be", f.Name)
	}
	dir = filepath.Join(dir, f.SHA256[:16])
	path := filepath.Join(dir, f.Name)
	if sameFile(path, f) {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	err := atomicfile.Write(path, 0o644, func(w *os.File) error {
		h := sha256.New()
		for part := int64(0); part*blobPart < f.Size; part++ {
			m, ok, err := c.last(ctx, blobStream, blobSubject(f.SHA256, part))
			if err != nil {
				return err
			}
			if !ok {
				return fmt.Errorf("part %d is not on the farm", part)
			}
			if _, err := io.MultiWriter(w, h).Write(m.Data); err != nil {
				return err
			}
		}
		if hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
			return errors.New("its checksum is another")
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", f.Name, err)
	}
	return path, nil
}

func sameFile(path string, f File) bool {
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	h := sha256.New()
	n, err := io.Copy(h, in)
	return err == nil && n == f.Size && hex.EncodeToString(h.Sum(nil)) == f.SHA256
}

// beat is what a submitter reports of a job that runs.
type beat struct {
	Host string `json:"host"`
	PID  int    `json:"pid"`
	// Done of Known pieces: of all, where it is known how many, or of those that were
	// asked for so far.
	Done  int `json:"done"`
	Known int `json:"known"`
	// Seconds of one thread that the results took.
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"rate"` // pieces a second, lately
	Window  int     `json:"window"`
}

// Report is what a worker tells of itself.
type Report struct {
	ID       string  `json:"id"`
	Key      string  `json:"key"` // the id of its key, from where its report is
	Name     string  `json:"name"`
	Host     string  `json:"host"`
	PID      int     `json:"pid"`
	Threads  int     `json:"threads"`
	Busy     int     `json:"busy"`
	Version  string  `json:"version"`
	Kernel   string  `json:"kernel"`
	Pieces   int64   `json:"pieces"`
	Failures int64   `json:"failures"`
	Rate     float64 `json:"rate"` // pieces a second, lately
	Seconds  float64 `json:"seconds"`
	// Error is the last thing that went wrong; Refused are the jobs it does not fit,
	// with the reasons.
	Error   string            `json:"error,omitempty"`
	Refused map[string]string `json:"refused,omitempty"`
	MemMB   int               `json:"memory_mb"`
	// KeyEnds is until when its key file trusts the farm, nil where that is the system's
	// to say.
	KeyEnds *time.Time `json:"key_ends,omitempty"`
}

// maxReport is the most bytes of a report.
const maxReport = 64 << 10

// readReport reads a worker's report on itself; its key is in the subject. ok is false if the
// worker has left. Texts are safe for a terminal, and numbers are bounded.
func readReport(subject string, data []byte) (r Report, ok bool) {
	part := strings.Split(subject, ".")
	if json.Unmarshal(data, &r) != nil || r.ID == "" || len(part) != 5 {
		return r, false
	}
	r.Key, r.ID, r.Name = part[3], part[4], token(r.Name)
	for _, text := range []*string{&r.Host, &r.Version, &r.Kernel, &r.Error} {
		*text = short(*text)
	}
	refused := r.Refused
	r.Refused = nil
	for id, why := range refused {
		if id == token(id) {
			if r.Refused == nil {
				r.Refused = map[string]string{}
			}
			r.Refused[id] = short(why)
		}
	}
	r.Threads, r.MemMB = min(max(r.Threads, 0), 1024), max(r.MemMB, 0)
	r.Busy = min(max(r.Busy, 0), r.Threads)
	r.Pieces, r.Failures = max(r.Pieces, 0), max(r.Failures, 0)
	r.Rate, r.Seconds = bounded(r.Rate), bounded(r.Seconds)
	return r, true
}

// short is a text of others in a line of at most 300 bytes that a terminal shows as it is.
func short(text string) string { return sanitize.Text(fmt.Sprintf("%.300s", text)) }

// bounded is a number of others that sums may have, 0 in the place of what is not one.
func bounded(v float64) float64 {
	if v >= 0 && v < 1e12 {
		return v
	}
	return 0
}

// beat stores a report where the next one takes its place.
func (c *Client) beat(ctx context.Context, subject string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	_, err = c.js.Publish(ctx, subject, text)
	return err
}

// Executable is twelve hex digits of the checksum of this program: what tells builds
// apart that have no version.
func Executable() string {
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	f, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "unknown"
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}
