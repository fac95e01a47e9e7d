package index

import "time"

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
