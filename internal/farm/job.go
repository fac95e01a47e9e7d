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

	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/atomicfile"
	"fibsbot/internal/sanitize"
)

// Engine is what results depend on besides the job. Pieces go only to workers that have the
// same.
type Engine struct {
	// Program runs the pieces, "" for fibsbot. It is part of Sig, so that a worker never gets a
	// piece that its program cannot run.
	Program string `json:"program,omitempty"`
	Version string `json:"version"` // of the program
	Kernel  string `json:"kernel"`  // of its arithmetic
	Weights *File  `json:"weights,omitempty"`
	Bearoff []File `json:"bearoff,omitempty"`
	// Table is the match equity table, or nil for the default. One without a checksum is built
	// in under that name.
	Table *File `json:"table,omitempty"`
	// Others are the weights of further engines of the job; a zero File means the built-in nets.
	Others []File `json:"others,omitempty"`
	// Answer is this engine's exact answer to fixed questions.
	Answer string `json:"answer"`
}

// Sig returns the name of the engine in subjects.
func (e *Engine) Sig() string { return digest(e)[:16] }

// File is a file that a job needs.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// Paths are where a worker has the files of a job.
type Paths struct {
	Weights []string // of each engine; "" for the built-in nets
	Bearoff string   // a folder, or ""
	// Table is the file of a match equity table, or the name of a built-in one, or "" for the
	// default.
	Table string
}

// Job is what a worker must know to run pieces. Submitting an equal job again resumes it: the ID
// is made from the contents.
type Job struct {
	ID     string          `json:"id"`
	Kind   string          `json:"kind"`
	Spec   json.RawMessage `json:"spec"`
	Engine Engine          `json:"engine"`
	// Size of the pieces, in the kind's own unit, as the first submitter chose it.
	Size int `json:"size"`
	// Submitter is the host that first submitted it.
	Submitter string    `json:"submitter"`
	Created   time.Time `json:"created"`
	// Owner is the process that runs the job, or nil if it was released.
	Owner *Owner `json:"owner,omitempty"`
}

// Owner is the one process that runs a job. It writes itself into the job's record by
// compare-and-set.
type Owner struct {
	ID   string `json:"id"` // of this run only
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

// id returns the kind and twelve hex digits of all that results depend on.
func (j *Job) id() string {
	return token(j.Kind) + "-" + digest(struct {
		K string
		S json.RawMessage
		E Engine
	}{j.Kind, j.Spec, j.Engine})[:12]
}

func jobSubject(id string) string { return "$KV." + jobBucket + ".job." + id }

// beatSubject is where the owner of a job reports it.
func beatSubject(id string) string { return "$KV." + beatBucket + ".job." + id }

// job reads a job of the farm; ok is false if there is no such job.
func (c *Client) job(ctx context.Context, id string) (j Job, ok bool, err error) {
	j, _, ok, err = c.jobAt(ctx, id)
	return j, ok, err
}

// jobAt is job with the sequence number of its record, which the next record must follow.
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

// record writes a job with its owner, or nil, if the record with the number after is still the
// last one. It returns the number of the new record.
func (c *Client) record(ctx context.Context, j Job, owner *Owner, after uint64) (uint64, error) {
	j.Owner = owner
	text, err := json.Marshal(j)
	if err != nil {
		return 0, err
	}
	if len(text) > maxPayload-headroom {
		return 0, fmt.Errorf("%w: the job's description has %d bytes (at most %d)", ErrRefused, len(text), maxPayload-headroom)
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

// blobPart is the size in bytes of a part of a file.
const blobPart = 512 << 10

// maxFile bounds a file that a worker fetches.
const maxFile = 16 << 30

func blobSubject(sum string, part int64) string { return fmt.Sprintf("farm.blob.%s.%d", sum, part) }

// Upload stores a file under its checksum. Existing parts are sent again only if they are old,
// because files expire.
func (c *Client) Upload(ctx context.Context, path string) (f File, err error) {
	if err := c.ready(ctx); err != nil {
		return f, err
	}
	in, err := os.Open(path)
	if err != nil {
		return f, fmt.Errorf("upload: %w", err)
	}
	defer in.Close()
	if f, err = describe(in); err != nil {
		return f, fmt.Errorf("upload %s: %w", path, err)
	}
	have, err := c.subjects(ctx, blobStream, "farm.blob."+f.SHA256+".*")
	if err != nil {
		return f, fmt.Errorf("upload %s: %w", path, err)
	}
	again, err := c.aged(ctx, f.SHA256)
	if err != nil {
		return f, fmt.Errorf("upload %s: %w", path, err)
	}
	buf := make([]byte, blobPart)
	for part := int64(0); part*blobPart < f.Size; part++ {
		subject := blobSubject(f.SHA256, part)
		there := have[subject] > 0
		if there && !again {
			continue
		}
		n, err := in.ReadAt(buf, part*blobPart)
		if err != nil && !errors.Is(err, io.EOF) {
			return f, fmt.Errorf("upload %s: %w", path, err)
		}
		switch _, err = c.js.Publish(ctx, subject, buf[:n]); {
		case err == nil || there: // the old part is still good for half its time
		case full(err):
			return f, fmt.Errorf("%w: upload %s: the farm's store is full (serve with a larger --max-store-mb)", ErrRefused, path)
		default:
			return f, fmt.Errorf("upload %s: %w", path, err)
		}
	}
	return f, nil
}

// aged reports whether a file on the farm has reached half of the age at which it expires, and
// can be stored again. A part that is stored again replaces the old one.
func (c *Client) aged(ctx context.Context, sum string) (bool, error) {
	s, err := c.js.Stream(ctx, blobStream)
	if err != nil {
		return false, err
	}
	m, ok, err := c.last(ctx, blobStream, blobSubject(sum, 0))
	i := s.CachedInfo()
	return ok && i.Config.MaxAge > 0 && !shutting(i) && i.TimeStamp.Sub(m.Time)+c.ahead > i.Config.MaxAge/2, err
}

// fetch stores a file in dir under its own name and returns its path. A file with the right
// checksum is not fetched again; a file with a wrong one is refused.
func (c *Client) fetch(ctx context.Context, f File, dir string) (string, error) {
	if raw, err := hex.DecodeString(f.SHA256); err != nil || len(raw) != sha256.Size || f.Size < 0 || f.Size > maxFile ||
		f.Name == "" || f.Name != filepath.Base(f.Name) || f.Name == ".." || f.Name == "." {
		return "", fmt.Errorf("file %.100q: invalid name, size or checksum", f.Name)
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
			return errors.New("checksum mismatch")
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", f.Name, err)
	}
	return path, nil
}

// describe reads name, checksum and size of a file.
func describe(in *os.File) (File, error) {
	h := sha256.New()
	n, err := io.Copy(h, in)
	return File{Name: filepath.Base(in.Name()), SHA256: hex.EncodeToString(h.Sum(nil)), Size: n}, err
}

func sameFile(path string, f File) bool {
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	is, err := describe(in)
	return err == nil && is == f
}

// beat is a submitter's report on a running job.
type beat struct {
	Host string `json:"host"`
	PID  int    `json:"pid"`
	// Done of Known pieces. Known is the number of all pieces or, if unknown, of those sent so
	// far.
	Done  int `json:"done"`
	Known int `json:"known"`
	// Seconds of one thread that the results took.
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"rate"` // pieces a second, lately
	Window  int     `json:"window"`
	Audit   Audit   `json:"audit"`
}

// Report is a worker's report on itself.
type Report struct {
	ID       string  `json:"id"`
	Key      string  `json:"key"` // the id of its key, from the report's subject
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
	// Error is the last error; Refused are the jobs that the worker does not fit, with the
	// reasons.
	Error   string            `json:"error,omitempty"`
	Refused map[string]string `json:"refused,omitempty"`
	MemMB   int               `json:"memory_mb"`
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

// short makes a foreign text safe for a terminal: one line of at most 300 bytes.
func short(text string) string { return sanitize.Text(fmt.Sprintf("%.300s", text)) }

// bounded returns a foreign number that is safe in sums, or 0.
func bounded(v float64) float64 {
	if v >= 0 && v < 1e12 {
		return v
	}
	return 0
}

// beat stores a report, which replaces the one before.
func (c *Client) beat(ctx context.Context, subject string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = c.js.Publish(ctx, subject, text)
	return err
}

// Executable returns twelve hex digits of this program's checksum, which distinguish builds
// without a version.
func Executable() string {
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	in, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer in.Close()
	f, err := describe(in)
	if err != nil {
		return "unknown"
	}
	return f.SHA256[:12]
}
