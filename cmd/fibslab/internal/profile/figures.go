package profile

import (
	"fmt"
	"math"

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
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
	Value
	// Real is the band's; nil where the band does not have it.
	Real *Value `json:"real,omitempty"`
	// Within is by how much the two may differ, 0 for a figure that is only shown.
	Within float64 `json:"within,omitempty"`
	// Outside reports whether they differ by more.
	Outside bool `json:"outside"`
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
