package quiz

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"fibsbot/engine/analyse"
	"fibsbot/internal/atomicfile"
)

// Day counts the answers of a day.
type Day struct {
	Asked int `json:"asked"`
	Right int `json:"right"`
}

// Progress is how practice goes.
type Progress struct {
	Today Day `json:"today"`
	// Streak is the number of days in a row with an answer, up to today or yesterday.
	Streak int `json:"streak"`
	// Row is the number of correct answers in a row since the program started.
	Row int `json:"row"`
	// Days are the last 14 days, today last.
	Days []DayOf `json:"days"`
}

// DayOf is a day with its date.
type DayOf struct {
	Date string `json:"date"`
	Day
}

// daysFile is the file of days, beside that of the cards.
func (d *Deck) daysFile() string { return strings.TrimSuffix(d.file, ".json") + "-days.json" }

// date is the local day of a time.
func date(t time.Time) string { return t.Local().Format(time.DateOnly) }

// count adds an answer to today. The caller holds d.writing.
func (d *Deck) count(right bool) error {
	d.mu.Lock()
	today := d.days[date(d.now())]
	today.Asked++
	d.row++
	if right {
		today.Right++
	} else {
		d.row = 0
	}
	d.days[date(d.now())] = today
	data, err := json.Marshal(d.days)
	d.mu.Unlock()
	if err == nil {
		err = atomicfile.WriteBytes(d.daysFile(), 0o600, data)
	}
	if err != nil {
		return fmt.Errorf("quiz: %w", err)
	}
	return nil
}

// shownDays is the number of days in Progress.
const shownDays = 14

// Progress returns how practice goes.
func (d *Deck) Progress() Progress {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	p := Progress{Today: d.days[date(now)], Row: d.row, Days: []DayOf{}}
	for i := shownDays - 1; i >= 0; i-- {
		day := date(now.AddDate(0, 0, -i))
		p.Days = append(p.Days, DayOf{day, d.days[day]})
	}
	start := now
	if p.Today.Asked == 0 {
		start = now.AddDate(0, 0, -1) // today may still come
	}
	for d.days[date(start.AddDate(0, 0, -p.Streak))].Asked > 0 {
		p.Streak++
	}
	return p
}

// Theme is a kind of error: a plan in contact, the opening before there is one, or a phase without
// contact, for plays or for the cube.
type Theme struct {
	// Kind is play or cube. Phase and Plan are the filter of its questions; Phase names it if set.
	Kind  string `json:"kind"`
	Phase string `json:"phase,omitempty"`
	Plan  string `json:"plan,omitempty"`
	// Questions is the number of errors, Loss what they cost together, EMG.
	Questions int     `json:"questions"`
	Loss      float64 `json:"loss"`
}

// themeOf is the theme of an error, without sums.
func themeOf(q *Question) Theme {
	t := Theme{Kind: "play", Plan: q.Plan}
	if q.Kind != Play {
		t.Kind = "cube"
	}
	if q.Phase == "race" || q.Phase == "bear-off" {
		t.Phase, t.Plan = q.Phase, ""
	}
	if q.Phase == analyse.Opening.String() && q.Plan == analyse.OpenPosition.String() {
		t.Phase = q.Phase
	}
	return t
}

// Themes returns the themes of the errors that fit, the costliest first.
func (d *Deck) Themes(ctx context.Context, f Filter) ([]Theme, error) {
	list, err := d.errors(ctx, f)
	return themes(list), err
}

// themes sums errors by theme, the costliest first.
func themes(list []Question) []Theme {
	sums := map[Theme]Theme{}
	for i := range list {
		k := themeOf(&list[i])
		sum := sums[k]
		sum.Questions++
		sum.Loss += list[i].Loss
		sums[k] = sum
	}
	out := []Theme{}
	for k, sum := range sums {
		k.Questions, k.Loss = sum.Questions, sum.Loss
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b Theme) int {
		return cmp.Or(cmp.Compare(b.Loss, a.Loss), strings.Compare(a.Kind+a.Phase+a.Plan, b.Kind+b.Phase+b.Plan))
	})
	return out
}
