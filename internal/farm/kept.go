package farm

import (
	"context"
	"fmt"
	"time"
)

// Kept is what stays on the farm of an interrupted job.
type Kept struct {
	// Done of Of pieces have results on the farm. Of is 0 if the number is unknown.
	Done, Of int
	// For is how long a result is kept after it was stored, or 0 if unknown.
	For time.Duration
}

// String describes it in a sentence.
func (k Kept) String() string {
	of, are := "", "pieces are"
	if k.Of >= k.Done && k.Of > 0 {
		of = fmt.Sprintf(" of %d", k.Of)
	}
	if k.Done == 1 {
		if are = "piece is"; of != "" {
			are = "pieces is"
		}
	}
	stay := "stay"
	if k.Done == 1 {
		stay = "stays"
	}
	how := ""
	if k.For > 0 {
		how = " for " + span(k.For)
	}
	return fmt.Sprintf("%d%s %s done and %s on the farm%s; the same command resumes the job", k.Done, of, are, stay, how)
}

// span formats a duration in its largest unit.
func span(d time.Duration) string {
	const day = 24 * time.Hour
	for _, unit := range []struct {
		of        time.Duration
		one, many string
	}{{7 * day, "a week", "weeks"}, {day, "a day", "days"}, {time.Hour, "an hour", "hours"}, {time.Minute, "a minute", "minutes"}} {
		switch {
		case d == unit.of:
			return unit.one
		case d > unit.of && d%unit.of == 0:
			return fmt.Sprintf("%d %s", d/unit.of, unit.many)
		}
	}
	return d.String()
}

// Kept returns, after Close, what stays on the farm of an interrupted job. ok is false if there
// is nothing to resume: the job is done or cancelled, has no results, belongs to another
// process, or the farm ended it, as the error of Do says.
func (r *Crew) Kept() (k Kept, ok bool) { return r.kept, r.kept.Done > 0 }

// count finds out what is kept. If the farm does not answer, it is what arrived here.
func (r *Crew) count(ctx context.Context) {
	n, err := r.c.stored(ctx, r.Job.ID)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	if err != nil {
		n = r.done
	}
	r.kept = Kept{Done: n, For: r.keep}
	if r.expect > 0 {
		r.kept.Of = max(r.known, r.expect)
	}
}
