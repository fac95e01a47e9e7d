package farm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Status is what a farm has and does.
type Status struct {
	Workers []Report    `json:"workers"`
	Jobs    []JobStatus `json:"jobs"`
	Cores   int         `json:"cores"`
	Busy    int         `json:"busy"`
	Rate    float64     `json:"pieces_per_s"`
	Queue   uint64      `json:"queue"`
	// Results and Stored are unfinished jobs' results and their bytes, Room how many there may be.
	Results uint64            `json:"results"`
	Stored  uint64            `json:"stored_bytes"`
	Room    int64             `json:"room_bytes"`
	LeftOut map[string]string `json:"left_out,omitempty"`
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
	Known     int       `json:"known"` // pieces in all, or, where nobody knows, asked for so far
	Rate      float64   `json:"pieces_per_s"`
	// Left is about how long the pieces asked for still take, 0 where that is not known.
	Left float64 `json:"seconds_left"`
	// Seconds of one thread its results took.
	Seconds float64 `json:"seconds"`
	Version string  `json:"version"`
	Kernel  string  `json:"kernel"`
}

// Status asks the farm. The key must be one that may submit.
func (c *Client) Status(ctx context.Context) (s Status, err error) {
	if err := c.ready(ctx); err != nil {
		return s, err
	}
	if s.Workers, err = c.workers(ctx); err != nil {
		return s, fmt.Errorf("status: %w", err)
	}
	if s.Workers == nil { // in JSON a list, always
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
		if m, ok, err := c.last(ctx, "KV_"+beatBucket, "$KV."+beatBucket+".job."+id); err == nil && ok {
			var b beat
			if json.Unmarshal(m.Data, &b) == nil && b.PID != 0 {
				out.State, out.Done, out.Known, out.Rate, out.Seconds = "running", b.Done, b.Known, b.Rate, b.Seconds
				if b.Rate > 0 {
					out.Left = float64(b.Known-b.Done) / b.Rate
				}
			}
		}
		if out.State == "waiting" {
			list, _ := c.subjects(ctx, resultStream, resultSubject(id, "*")) // none are counted then
			for subject := range list {
				if !strings.HasSuffix(subject, failedSuffix) && !strings.HasSuffix(subject, checkSuffix) {
					out.Done++
				}
			}
			out.Known = out.Done
		}
		s.Jobs = append(s.Jobs, out)
	}
	return s, errors.Join(c.queues(ctx, &s), c.leftOut(ctx, &s))
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
	list, err := c.subjects(ctx, "KV_"+jobBucket, "$KV."+jobBucket+".ban.*")
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	for subject := range list {
		if m, ok, err := c.last(ctx, "KV_"+jobBucket, subject); err == nil && ok {
			if s.LeftOut == nil {
				s.LeftOut = map[string]string{}
			}
			s.LeftOut[strings.TrimPrefix(subject, "$KV."+jobBucket+".ban.")] = string(m.Data)
		}
	}
	return nil
}

// Live is Print for a terminal of that many columns and rows, 0 for any, that is drawn again
// and again: with bars, headings in bold, nothing left of what stood there, and no more than
// it can show. old is, where the farm does not answer, since when s is how it was.
func (s *Status) Live(w io.Writer, columns, rows int, old time.Time) {
	var text strings.Builder
	if !old.IsZero() {
		fmt.Fprintf(&text, "the farm does not answer; at %s it had:\n", old.Format(time.TimeOnly))
	}
	s.print(&text, true)
	fmt.Fprint(w, "\x1b[H")
	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	for i, line := range lines {
		high := 1
		if columns > 0 {
			high = max(1, (utf8.RuneCountInString(line)+columns-1)/columns)
		}
		// The last row stays free: its line feed would move all up.
		if room := rows - 1; rows > 0 && high >= room && !(high == room && i == len(lines)-1) {
			fmt.Fprintf(w, "... %d more lines (--once shows all)\x1b[K\r\n", len(lines)-i)
			break
		} else if rows > 0 {
			rows -= high
		}
		if strings.HasPrefix(line, "JOB ") || strings.HasPrefix(line, "WORKER ") {
			line = "\x1b[1m" + line + "\x1b[0m"
		}
		fmt.Fprint(w, line, "\x1b[K\r\n")
	}
	fmt.Fprint(w, "\x1b[J")
}

// bar draws which part of a whole is done, 16 cells wide.
func bar(done, of int) string {
	const cells = 16
	n := 0
	if of > 0 {
		n = min(cells, cells*done/of)
	}
	return strings.Repeat("━", n) + strings.Repeat("╌", cells-n)
}

// Print writes the status for people.
func (s *Status) Print(w io.Writer) { s.print(w, false) }

func (s *Status) print(w io.Writer, bars bool) {
	fmt.Fprintf(w, "%d workers, %d cores, %d busy, %.1f pieces a second; %d in the queue; results %.1f of %d MiB\n",
		len(s.Workers), s.Cores, s.Busy, s.Rate, s.Queue, float64(s.Stored)/(1<<20), s.Room>>20)
	if len(s.Jobs) > 0 {
		fmt.Fprintln(w)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		head, drawn := "", func(JobStatus) string { return "" }
		if bars {
			head, drawn = "PROGRESS\t", func(j JobStatus) string { return bar(j.Done, j.Known) + "\t" }
		}
		fmt.Fprintln(t, "JOB\tSTATE\t"+head+"DONE\tOF\tA SECOND\tLEFT\tCORE TIME\tFROM")
		for _, j := range s.Jobs {
			left := "-"
			if j.Left > 0 {
				left = (time.Duration(j.Left) * time.Second).String()
			}
			fmt.Fprintf(t, "%s\t%s\t%s%d\t%d\t%.1f\t%s\t%s\t%s\n", j.ID, j.State, drawn(j), j.Done, j.Known, j.Rate, left,
				(time.Duration(j.Seconds) * time.Second).String(), j.Submitter)
		}
		t.Flush()
	}
	if len(s.Workers) > 0 {
		fmt.Fprintln(w)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "WORKER\tTHREADS\tBUSY\tPIECES\tFAILED\tA SECOND\tMEMORY\tVERSION\tKERNEL")
		for _, r := range s.Workers {
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%.1f\t%d MB\t%s\t%s\n", r.ID, r.Threads, r.Busy, r.Pieces, r.Failures, r.Rate, r.MemMB, r.Version, r.Kernel)
		}
		t.Flush()
		for _, r := range s.Workers {
			if r.Error != "" {
				fmt.Fprintf(w, "%s: %s\n", r.ID, r.Error)
			}
			for _, why := range r.Refused {
				fmt.Fprintf(w, "%s: %s\n", r.ID, why)
			}
		}
	}
	for name, why := range s.LeftOut {
		fmt.Fprintf(w, "left out: %s: %s\n", name, why)
	}
}

// Cancel removes a job: queue, results, description. Who runs it is told within seconds.
// The error wraps ErrRefused where there is no such job.
func (c *Client) Cancel(ctx context.Context, id string) error {
	if err := c.ready(ctx); err != nil {
		return err
	}
	if id != token(id) {
		return fmt.Errorf("%w: no job %.60q", ErrRefused, id)
	}
	_, ok, err := c.job(ctx, id)
	if err == nil && !ok {
		return fmt.Errorf("%w: no job %s (fibsbot farm status lists them)", ErrRefused, id)
	}
	return c.clear(ctx, id)
}

// Ban leaves a machine out.
func (c *Client) Ban(ctx context.Context, name, why string) error {
	_, err := c.js.Publish(ctx, "$KV."+jobBucket+".ban."+token(name), []byte(why))
	c.news()
	return err
}

// Readmit lets a machine in again.
func (c *Client) Readmit(ctx context.Context, name string) error {
	if err := c.ready(ctx); err != nil {
		return err
	}
	subject := "$KV." + jobBucket + ".ban." + token(name)
	if _, ok, err := c.last(ctx, "KV_"+jobBucket, subject); err == nil && !ok {
		return fmt.Errorf("%w: no machine %.60q is left out", ErrRefused, name)
	}
	return c.purge(ctx, "KV_"+jobBucket, subject)
}

// collector shows the status to Prometheus.
type collector struct{ c *Client }

var (
	workersDesc  = prometheus.NewDesc("fibsbot_farm_workers", "Workers that reported in the last 30 s.", nil, nil)
	coresDesc    = prometheus.NewDesc("fibsbot_farm_cores", "Threads of all workers.", nil, nil)
	busyDesc     = prometheus.NewDesc("fibsbot_farm_busy", "Threads that run a piece.", nil, nil)
	queueDesc    = prometheus.NewDesc("fibsbot_farm_queue", "Tasks that have no result yet.", nil, nil)
	storedDesc   = prometheus.NewDesc("fibsbot_farm_stored_bytes", "Bytes of results of unfinished jobs.", nil, nil)
	roomDesc     = prometheus.NewDesc("fibsbot_farm_room_bytes", "Most bytes of results.", nil, nil)
	piecesDesc   = prometheus.NewDesc("fibsbot_farm_pieces_total", "Pieces run.", []string{"worker"}, nil)
	failuresDesc = prometheus.NewDesc("fibsbot_farm_failures_total", "Pieces that failed.", []string{"worker"}, nil)
	doneDesc     = prometheus.NewDesc("fibsbot_farm_job_done", "Results of a job.", []string{"job", "kind"}, nil)
)

// Describe implements prometheus.Collector.
func (x collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{workersDesc, coresDesc, busyDesc, queueDesc, storedDesc, roomDesc, piecesDesc, failuresDesc, doneDesc} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (x collector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	s, err := x.c.Status(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(workersDesc, err)
		return
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	gauge(workersDesc, float64(len(s.Workers)))
	gauge(coresDesc, float64(s.Cores))
	gauge(busyDesc, float64(s.Busy))
	gauge(queueDesc, float64(s.Queue))
	gauge(storedDesc, float64(s.Stored))
	gauge(roomDesc, float64(s.Room))
	for _, w := range s.Workers {
		ch <- prometheus.MustNewConstMetric(piecesDesc, prometheus.CounterValue, float64(w.Pieces), w.ID)
		ch <- prometheus.MustNewConstMetric(failuresDesc, prometheus.CounterValue, float64(w.Failures), w.ID)
	}
	for _, j := range s.Jobs {
		gauge(doneDesc, float64(j.Done), j.ID, j.Kind)
	}
}

// Metrics serves the status to Prometheus.
func (c *Client) Metrics() http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(collector{c})
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{})
}
