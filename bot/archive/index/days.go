package index

import (
	"strings"
	"time"
)

// Days restricts a Filter to matches from the day since to the day until, inclusive. Both are
// YYYY-MM-DD in UTC; an empty day sets no limit. The error is a *FieldError of since or until.
func (f *Filter) Days(since, until string) error {
	for _, d := range []struct {
		name, text string
		into       *time.Time
		plus       int
	}{{"since", since, &f.From, 0}, {"until", until, &f.To, 1}} {
		if d.text == "" {
			continue
		}
		day, err := time.Parse(time.DateOnly, d.text)
		if err != nil {
			return badField(ErrFilter, d.name, "%.40q is not a date (use YYYY-MM-DD)", d.text)
		}
		*d.into = day.AddDate(0, 0, d.plus)
	}
	return nil
}

// Day formats the start of a match in local time. Midnight in UTC is a day without a time,
// and is not converted.
func Day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	if u := t.UTC(); u.Equal(u.Truncate(24 * time.Hour)) {
		return u.Format(time.DateOnly)
	}
	return t.Local().Format("2006-01-02 15:04")
}

// DayAlone is Day without the time, and "" for an unknown day.
func DayAlone(t time.Time) string {
	day, _, _ := strings.Cut(Day(t), " ")
	return strings.TrimPrefix(day, "-")
}
