package farm

import (
	"context"
	"slices"
	"strings"
	"time"
)

// sweep removes results of jobs that have gone: pieces that ran ahead when their job ended, or
// whose worker did not know of a cancel. It does what it can.
func (c *Client) sweep(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	s, err := c.stream(ctx, resultStream)
	if err != nil {
		return
	}
	i, err := s.Info(ctx)
	if err != nil || i.State.Msgs == 0 {
		return
	}
	list, err := c.subjects(ctx, resultStream, "farm.result.>")
	if err != nil {
		return
	}
	ids, err := c.jobs(ctx) // after the results: a job exists before its results
	if err != nil {
		return
	}
	gone := map[string]bool{}
	for subject := range list {
		if part := strings.Split(subject, "."); len(part) > 3 && !slices.Contains(ids, part[2]) {
			gone[part[2]] = true
		}
	}
	for id := range gone { // later results may belong to the same job, started again
		_ = c.purge(ctx, resultStream, resultsOf(id), upTo(i.State.LastSeq))
	}
}

// tidy sweeps for a while after the start and after each news, such as the end of a job;
// otherwise late results stay until the next job.
func (s *Server) tidy(ctx context.Context) {
	heard := s.self.hear(ctx)
	pace := &s.o.pace
	tick := time.NewTicker(pace.sweepEvery)
	defer tick.Stop()
	for until := time.Now().Add(pace.sweepFor); ; {
		select {
		case <-ctx.Done():
			return
		case <-heard:
			until = time.Now().Add(pace.sweepFor + pace.sweepEvery)
		case now := <-tick.C:
			if now.Before(until) {
				s.self.sweep(ctx)
			}
		}
	}
}
