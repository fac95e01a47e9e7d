package record

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Days knows in which order files write day and month, as far as their dates prove it.
type Days struct {
	MonthFirst bool `json:"month_first"`
	DayFirst   bool `json:"day_first"`
}

// Decided reports whether one order is proved and the other is not.
func (d *Days) Decided() bool { return d.MonthFirst != d.DayFirst }

// Add takes the proofs of others.
func (d *Days) Add(other Days) {
	d.MonthFirst, d.DayFirst = d.MonthFirst || other.MonthFirst, d.DayFirst || other.DayFirst
}

// Learn takes the proof of a date that has one meaning only.
func (d *Days) Learn(text string) {
	switch a, b := parseDay(text, false), parseDay(text, true); {
	case a != "" && b == "":
		d.MonthFirst = true
	case b != "" && a == "":
		d.DayFirst = true
	}
}

// Day reads a date that a file writes in figures as YYYY-MM-DD; "" if it is not a date, or if day
// and month could change places and d does not know their order.
func (d *Days) Day(text string) string {
	a, b := parseDay(text, false), parseDay(text, true)
	switch {
	case a == b, b == "":
		return a
	case a == "", d.DayFirst && !d.MonthFirst:
		return b
	case d.MonthFirst && !d.DayFirst:
		return a
	}
	return ""
}

// Ambiguous reports whether a text is a date whose day and month could change places.
func Ambiguous(text string) bool {
	a, b := parseDay(text, false), parseDay(text, true)
	return a != "" && b != "" && a != b
}

// SettleDates reads the dates of the matches of a file that are not yet YYYY-MM-DD; known is
// what other files prove. The order that the file itself proves comes first. Without any, a year
// of two digits is that of the C locale, whose month comes first; other dates stay as they are
// written, with a warning.
func SettleDates(all []*Match, known Days) (ws []Warning) {
	var own Days
	for _, m := range all {
		own.Learn(m.Date)
	}
	if !own.Decided() {
		own = known
	}
	for _, m := range all {
		m.Days = own
		text := m.Date
		if _, err := time.Parse(time.DateOnly, text); err == nil || text == "" {
			continue
		}
		day := own.Day(text)
		if short := len(text)-strings.LastIndexAny(text, "/-") <= len("/24"); day == "" && short && own == (Days{}) {
			day = parseDay(text, false)
		}
		if day != "" {
			m.Date = day
		} else if Ambiguous(text) && len(ws) < maxWarnings {
			ws = append(ws, Warning{Text: fmt.Sprintf("the date %s may be %s or %s: kept as it is written", text, parseDay(text, false), parseDay(text, true))})
		}
	}
	return ws
}

// inName finds a date in the name of a file, with the time behind it.
var inName = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)\d\d)([-_. ]?)(\d\d)([-_. ]?)(\d\d)(?:[-_. T]{1,3}([01]\d|2[0-3])[-_.:h]?([0-5]\d)(?:[-_.:]?[0-5]\d)?)?(?:[^0-9]|$)`)

// NameDates gives the matches of a file the day that its name has, where the file has none or
// writes that day with day and month in either order. The time in the name is that of a
// single match.
func NameDates(all []*Match, name string) {
	f := inName.FindStringSubmatch(name)
	if f == nil || f[2] != f[4] {
		return
	}
	day := f[1] + "-" + f[3] + "-" + f[5]
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return
	}
	for _, m := range all {
		if m.Date == "" || Ambiguous(m.Date) && slices.Contains([]string{parseDay(m.Date, false), parseDay(m.Date, true)}, day) {
			m.Date = day
		}
		if m.Date == day && m.Time == "" && len(all) == 1 && f[6] != "" {
			m.Time = f[6] + ":" + f[7]
		}
	}
}

// parseDay reads a day in figures: MM/DD/YYYY, DD/MM/YYYY, DD.MM.YYYY, YYYY-MM-DD and others,
// with dayFirst where a stroke or hyphen does not say. Empty if it is not a day.
func parseDay(text string, dayFirst bool) string {
	sep := strings.IndexAny(text, "/.-")
	if sep < 0 {
		return ""
	}
	f := strings.Split(strings.TrimRight(text, "."), text[sep:sep+1])
	if len(f) != 3 {
		return ""
	}
	var n [3]int
	for i, s := range f {
		v, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || v < 0 || v > 9999 {
			return ""
		}
		n[i] = v
	}
	year, month, day := n[2], n[0], n[1]
	switch {
	case len(f[0]) == 4:
		year, month, day = n[0], n[1], n[2]
	case text[sep] == '.' || dayFirst:
		month, day = day, month
	}
	switch {
	case year < 70:
		year += 2000
	case year < 100:
		year += 1900
	}
	out := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
	if _, err := time.Parse(time.DateOnly, out); err != nil {
		return ""
	}
	return out
}
