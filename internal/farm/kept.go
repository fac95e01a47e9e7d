package farm

import (
	"context"
	"fmt"
	"time"
)

// Kept is what stays on the farm of a job that was left before its end.
type Kept struct {
	// Done of Of pieces have results there; Of is 0 where nobody knows how many there are.
	Done, Of int
	// For is how long a result is kept after it was stored, 0 where that is not known.
	For time.Duration
}

// String says it in a sentence.
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
	return fmt.Sprintf("%d%s %s done and %s on the farm%s; the same command goes on", k.Done, of, are, stay, how)
}

// span is a duration in the unit that people have for it.
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

// Kept says after Close what stays on the farm of a job that was left before its end. ok
// is false where there is nothing to go on with: the job is done, nothing of it is, it was
// cancelled, another process has it, or the farm itself has ended it, which the error says.
func (r *Crew) Kept() (k Kept, ok bool) { return r.kept, r.kept.Done > 0 }

// count finds out what is kept. Where the farm does not answer, it is what came from there.
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
