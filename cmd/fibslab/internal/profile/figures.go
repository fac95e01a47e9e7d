package profile

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"fibsbot/engine/analyse"
	measured "fibsbot/internal/figure"
)

// figure is one figure of a profile: num over den, times scale. events are what its certainty
// rests on.
type figure struct {
	name, unit string
	scale      float64
	num, den   func(c *Counts) float64
	events     func(c *Counts) float64
	info       bool // has no real counterpart to be held against
}

func plays(c *Counts) float64 { return c.Plays }
func cubes(c *Counts) float64 { return c.Cubes }

// figures lists the figures in the order of a report.
func figures() []figure {
	const percent = 100
	list := []figure{
		{"PR", "", analyse.PRFactor, (*Counts).Loss, func(c *Counts) float64 { return c.Counted }, func(c *Counts) float64 { return c.Counted }, true},
		{"PR of plays", "", analyse.PRFactor, func(c *Counts) float64 { return c.PlayLoss }, plays, plays, true},
		{"PR of the cube", "", analyse.PRFactor, func(c *Counts) float64 { return c.CubeLoss }, cubes, (*Counts).cubeErrors, false},
		{"share of the loss by the cube", "%", percent, func(c *Counts) float64 { return c.CubeLoss }, (*Counts).Loss, (*Counts).cubeErrors, false},
		{"plays that lose 0.08 or more", "%", percent, func(c *Counts) float64 { return c.Bad }, plays, func(c *Counts) float64 { return c.Bad }, false},
		{"plays that lose 0.16 or more", "%", percent, func(c *Counts) float64 { return c.VeryBad }, plays, func(c *Counts) float64 { return c.VeryBad }, false},
		{"plays that lose 0.3 or more", "%", percent, func(c *Counts) float64 { return c.Blunders }, plays, func(c *Counts) float64 { return c.Blunders }, false},
		{"share of the plays' loss from 0.16 or more", "%", percent, func(c *Counts) float64 { return c.VeryBadLoss }, func(c *Counts) float64 { return c.PlayLoss }, func(c *Counts) float64 { return c.VeryBad }, false},
		{"refused hits, of best plays that hit", "%", percent, func(c *Counts) float64 { return c.Refused }, func(c *Counts) float64 { return c.Hits }, func(c *Counts) float64 { return c.Refused }, false},
	}
	for _, x := range []struct {
		name string
		num  func(c *Counts) float64
	}{
		{"wrong doubles", func(c *Counts) float64 { return c.WrongDoubles }},
		{"missed doubles", func(c *Counts) float64 { return c.MissedDoubles }},
		{"missed doubles beyond the cash point", func(c *Counts) float64 { return c.Late }},
		{"wrong takes", func(c *Counts) float64 { return c.WrongTakes }},
		{"wrong passes", func(c *Counts) float64 { return c.WrongPasses }},
	} {
		list = append(list, figure{x.name + ", of cube decisions", "%", percent, x.num, cubes, x.num, false})
	}
	absurd := func(c *Counts) float64 { return c.Absurd }
	list = append(list, figure{fmt.Sprintf("doubles below %.1f", absurdDouble), "%", percent, absurd, func(c *Counts) float64 { return c.Doubles }, absurd, false})
	for p := range analyse.Phase(analyse.Phases) {
		n := func(c *Counts) float64 { return c.Phases[p].Plays }
		list = append(list, figure{"PR of plays, " + p.String(), "", analyse.PRFactor, func(c *Counts) float64 { return c.Phases[p].Loss }, n, n, true})
	}
	return list
}

// Value is one figure with its standard error and the number of events behind it.
type Value struct {
	Value  float64 `json:"value"`
	StdErr float64 `json:"stderr"`
	Events int     `json:"events"`
}

// Figure is a figure of a profile beside that of real players.
type Figure struct {
	Name, Unit string
	Value
	Real    *Value  // the band's; nil where the band does not have it
	Within  float64 // by how much the two may differ, 0 for a figure that is only shown
	Outside bool    // they differ by more
}

// Band is a profile of real players whose performance rating is from Low up to High.
type Band struct {
	Low       float64          `json:"low"`
	High      float64          `json:"high"`
	Players   int              `json:"players"`
	Decisions int              `json:"decisions"`
	Figures   map[string]Value `json:"figures"`
}

// values returns all figures of a group of players.
func values(all []Counts) map[string]Value {
	out := map[string]Value{}
	for _, f := range figures() {
		if v, ok := f.of(all); ok {
			out[f.name] = v
		}
	}
	return out
}

// of returns the figure of a group of players, or false without data.
func (f *figure) of(all []Counts) (Value, bool) {
	var sum measured.Ratio
	for i := range all {
		sum.Add(f.num(&all[i]), f.den(&all[i]))
	}
	r, se := sum.Value(), sum.StdErr()
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return Value{}, false
	}
	if math.IsNaN(se) || math.IsInf(se, 0) {
		se = 0
	}
	events := 0.0
	for i := range all {
		events += f.events(&all[i])
	}
	return Value{round(f.scale * r), round(f.scale * se), int(events)}, true
}

// round keeps what a report shows and little more.
func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// enough is the number of real events from which a figure must be within a third of the real
// one.
const enough = 30

// Compare returns the figures of a group of players beside those of a band, which may be nil.
func Compare(all []Counts, b *Band) (out []Figure) {
	for _, f := range figures() {
		v, ok := f.of(all)
		if !ok {
			continue
		}
		x := Figure{Name: f.name, Unit: f.unit, Value: v}
		if b != nil {
			if r, known := b.Figures[f.name]; known {
				x.Real = &r
				if !f.info {
					x.Within = 2 * math.Hypot(r.StdErr, v.StdErr)
					if r.Events >= enough {
						x.Within = math.Abs(r.Value) / 3
					}
					x.Outside = math.Abs(v.Value-r.Value) > x.Within
				}
			}
		}
		out = append(out, x)
	}
	return out
}

// Report is the profile of a setting beside the band of real players of its performance rating.
type Report struct {
	Setting         string
	Rating          float64 // the ordered one, or 0
	Length, Matches int
	PR              float64
	Band            *Band
	Figures         []Figure
}

// Compare lays the counts of the setting beside the nearest of bands.
func (r *Report) Compare(all []Counts, bands []Band) {
	var sum Counts
	for _, c := range all {
		sum.Counted += c.Counted
		sum.PlayLoss += c.PlayLoss
		sum.CubeLoss += c.CubeLoss
	}
	r.PR = round(sum.PR())
	r.Band = nearest(bands, r.PR)
	r.Figures = Compare(all, r.Band)
}

// Print writes the report as a table for people.
func (r *Report) Print(w io.Writer) error {
	what := r.Setting
	if r.Rating > 0 {
		what = fmt.Sprintf("%s, ordered at %.0f", r.Setting, r.Rating)
	}
	fmt.Fprintf(w, "%s: PR %.1f in %d matches of %d points, beside %d real players of PR %.0f to %.0f (%d decisions)\n\n",
		what, r.PR, r.Matches, r.Length, r.Band.Players, r.Band.Low, r.Band.High, r.Band.Decisions)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "figure\tsetting\tevents\treal players\tevents\tmay differ by\t")
	outside, compared := 0, 0
	for _, f := range r.Figures {
		real, events, within, mark := "-", "-", "", ""
		if f.Real != nil {
			real, events = f.Real.text(f.Unit), fmt.Sprint(f.Real.Events)
		}
		if f.Within > 0 || f.Outside {
			compared++
		}
		if f.Within > 0 {
			within = fmt.Sprintf("%.2f", f.Within)
		}
		if f.Outside {
			outside++
			mark = "outside"
		}
		fmt.Fprintf(tab, "%s\t%s\t%d\t%s\t%s\t%s\t%s\n", f.Name, f.text(f.Unit), f.Events, real, events, within, mark)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d of %d compared figures are outside.\n", outside, compared)
	return err
}

func (v *Value) text(unit string) string {
	return fmt.Sprintf("%.2f ± %.2f%s", v.Value, v.StdErr, unit)
}

// PrintBands writes profiles of real players as a table, a column for each band.
func PrintBands(w io.Writer, bands []Band) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tab, "performance rating\t")
	for _, b := range bands {
		fmt.Fprintf(tab, "%.0f to %.0f\t", b.Low, b.High)
	}
	fmt.Fprint(tab, "\nplayers\t")
	for _, b := range bands {
		fmt.Fprintf(tab, "%d\t", b.Players)
	}
	fmt.Fprint(tab, "\ndecisions\t")
	for _, b := range bands {
		fmt.Fprintf(tab, "%d\t", b.Decisions)
	}
	fmt.Fprintln(tab)
	for _, f := range figures() {
		fmt.Fprintf(tab, "%s\t", f.name)
		for _, b := range bands {
			cell := "-"
			if v, ok := b.Figures[f.name]; ok {
				cell = fmt.Sprintf("%s (%d)", v.text(f.unit), v.Events)
			}
			fmt.Fprintf(tab, "%s\t", cell)
		}
		fmt.Fprintln(tab)
	}
	return tab.Flush()
}
