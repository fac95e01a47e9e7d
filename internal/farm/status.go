package farm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Status is the state of a farm.
type Status struct {
	Workers []Report    `json:"workers"`
	Jobs    []JobStatus `json:"jobs"`
	Cores   int         `json:"cores"`
	Busy    int         `json:"busy"`
	Rate    float64     `json:"pieces_per_s"`
	Queue   uint64      `json:"queue"`
	// LeftOut holds the machines that are left out and why, by the ids of their keys.
	LeftOut map[string]string `json:"left_out,omitempty"`
	// Passed counts the results of keys that were right when they were run again, by the ids of the keys.
	Passed map[string]int `json:"passed,omitempty"`
	// Results and Stored are the results of unfinished jobs and their bytes, Room the most
	// bytes.
	Results uint64 `json:"results"`
	Stored  uint64 `json:"stored_bytes"`
	Room    int64  `json:"room_bytes"`
}

// JobStatus is a job on a farm. State is "running", or "waiting" for the command that
// submitted it to be started again.
type JobStatus struct {
	ID        string    `json:"id"`
	Kind      string    `json:"kind"`
	State     string    `json:"state"`
	Submitter string    `json:"submitter"`
	Created   time.Time `json:"created"`
	Done      int       `json:"done"`
	Known     int       `json:"known"` // all pieces or, if unknown, those sent so far
	Rate      float64   `json:"pieces_per_s"`
	// Left is about how long the rest takes, or 0 if unknown.
	Left float64 `json:"seconds_left"`
	// Seconds of one thread that its results took.
	Seconds float64 `json:"seconds"`
	Version string  `json:"version"`
	Kernel  string  `json:"kernel"`
	// Audit says which pieces of a running job ran again, and where.
	Audit *Audit `json:"audit,omitempty"`
}

// Status returns the state of the farm. It needs a key that may submit.
func (c *Client) Status(ctx context.Context) (s Status, err error) {
	if err := c.ready(ctx); err != nil {
		return s, err
	}
	if s.Workers, err = c.workers(ctx); err != nil {
		return s, fmt.Errorf("status: %w", err)
	}
	if s.Workers == nil { // a list in JSON, never null
		s.Workers = []Report{}
	}
	slices.SortFunc(s.Workers, func(a, b Report) int { return cmp.Compare(a.ID, b.ID) })
	for _, w := range s.Workers {
		s.Cores, s.Busy, s.Rate = s.Cores+w.Threads, s.Busy+w.Busy, s.Rate+w.Rate
	}
	ids, err := c.jobs(ctx)
	if err != nil {
		return s, fmt.Errorf("status: %w", err)
	}
	slices.Sort(ids)
	s.Jobs = make([]JobStatus, 0, len(ids))
	for _, id := range ids {
		j, ok, err := c.job(ctx, id)
		if err != nil || !ok {
			continue
		}
		out := JobStatus{ID: id, Kind: j.Kind, State: "waiting", Submitter: j.Submitter, Created: j.Created, Version: j.Engine.Version, Kernel: j.Engine.Kernel}
		if m, ok, err := c.last(ctx, "KV_"+beatBucket, beatSubject(id)); err == nil && ok {
			var b beat
			if json.Unmarshal(m.Data, &b) == nil && b.PID != 0 {
				out.State, out.Done, out.Known, out.Rate, out.Seconds = "running", b.Done, b.Known, b.Rate, b.Seconds
				out.Audit = &b.Audit
				if b.Rate > 0 {
					out.Left = float64(b.Known-b.Done) / b.Rate
				}
			}
		}
		if out.State == "waiting" {
			out.Done, _ = c.stored(ctx, id) // for display only
			out.Known = out.Done
		}
		s.Jobs = append(s.Jobs, out)
	}
	return s, errors.Join(c.queues(ctx, &s), c.leftOut(ctx, &s))
}

// several lists the first few names.
func several(names []string) string {
	const most = 5
	slices.Sort(names)
	names = slices.Compact(names)
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

func (c *Client) queues(ctx context.Context, s *Status) error {
	tasks, err := c.js.Stream(ctx, taskStream)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	results, err := c.js.Stream(ctx, resultStream)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	i := results.CachedInfo()
	s.Queue, s.Results, s.Stored, s.Room = tasks.CachedInfo().State.Msgs, i.State.Msgs, i.State.Bytes, i.Config.MaxBytes
	return nil
}

func (c *Client) leftOut(ctx context.Context, s *Status) error {
	list, err := c.bans(ctx)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	if s.Passed, err = c.passed(ctx); err != nil {
		return fmt.Errorf("status: %w", err)
	}
	for id, b := range list {
		if s.LeftOut == nil {
			s.LeftOut = map[string]string{}
		}
		s.LeftOut[id] = b.String()
	}
	return nil
}

// Cancelled is a cancelled job.
type Cancelled struct {
	ID      string `json:"id"`
	Results int    `json:"results"` // stored results, now dropped
	// Owner is the process that ran it, which ends within seconds, or nil.
	Owner *Owner `json:"owner,omitempty"`
}

// Cancel removes a job with its queue, results and description. Its owner notices within
// seconds. The error wraps ErrRefused if there is no such job.
func (c *Client) Cancel(ctx context.Context, id string) (out Cancelled, err error) {
	if err := c.ready(ctx); err != nil {
		return out, err
	}
	if id != token(id) {
		return out, fmt.Errorf("%w: no job %.60q", ErrRefused, id)
	}
	j, ok, err := c.job(ctx, id)
	if err == nil && !ok {
		return out, fmt.Errorf("%w: no job %s (fibsbot farm status lists them)", ErrRefused, id)
	}
	out = Cancelled{ID: id, Owner: j.Owner}
	out.Results, _ = c.stored(ctx, id) // for display only
	return out, c.clear(ctx, id)
}

// stored counts the stored results of a job. It returns 0 with an error.
func (c *Client) stored(ctx context.Context, id string) (n int, err error) {
	list, err := c.subjects(ctx, resultStream, resultsOf(id))
	return len(pieces(list)), err
}

// pieces returns the pieces that have a result among the subjects.
func pieces(subjects map[string]uint64) map[string]bool {
	out := make(map[string]bool, len(subjects))
	for subject := range subjects {
		if s, ok := parseResult(subject); ok && !s.failed {
			out[s.piece] = true
		}
	}
	return out
}
