package index

import (
	"fmt"
	"time"
)

// Days makes a Filter take matches from one day on, as 2026-01-31, up to and including
// another; an empty one is no bound. Its error begins with "from" or "to". Match files
// hold the day of UTC, most without a time.
func (f *Filter) Days(from, to string) error {
	for _, d := range []struct {
		name, text string
		into       *time.Time
		plus       int
	}{{"from", from, &f.From, 0}, {"to", to, &f.To, 1}} {
		if d.text == "" {
			continue
		}
		day, err := time.Parse(time.DateOnly, d.text)
		if err != nil {
			return fmt.Errorf("%s: %q is no day, write 2026-01-31", d.name, d.text)
		}
		*d.into = day.AddDate(0, 0, d.plus)
	}
	return nil
}
