package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/bearoff"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// extraFlags are the flags of eval and hint that tell people more about a
// position.
type extraFlags struct {
	windows, counts, board bool
	heat                   string
}

func addExtraFlags(cmd *cobra.Command, f *extraFlags) {
	fl := cmd.Flags()
	fl.BoolVar(&f.windows, "windows", false, "take, double, cash and too good points and gammon prices at this score")
	fl.BoolVar(&f.counts, "counts", false, "pips, effective pips, Kleinman, Thorp, Keith and Ward counts")
	fl.StringVar(&f.heat, "map", "", "temperature map, the equity of each roll after its best play: text, or a FILE.svg")
	fl.BoolVar(&f.board, "board", false, "draw the board")
}

// check refuses what cannot be before the engine is opened.
func (f *extraFlags) check() error {
	if f.heat != "" && f.heat != "text" && !strings.HasSuffix(strings.ToLower(f.heat), ".svg") {
		return usagef("--map: %q is neither text nor a FILE.svg", f.heat)
	}
	return nil
}

// extras is what the flags ask for, nil where not asked.
type extras struct {
	Windows *windowsJSON `json:"windows,omitempty"`
	Counts  *countsJSON  `json:"counts,omitempty"`
	Map     *mapJSON     `json:"map,omitempty"`
	drawing string
	heat    *analyse.TemperatureMap
}

// windowsJSON are the points as winning chances of the player on roll.
type windowsJSON struct {
	Dead       windowJSON   `json:"dead"`      // nobody turns the cube again
	Live       windowJSON   `json:"live"`      // always turned at the perfect moment
	Practical  windowJSON   `json:"practical"` // between the two, as the engine reckons
	Efficiency float64      `json:"efficiency"`
	Prices     gammonPrices `json:"gammon_prices"`
}

type windowJSON struct {
	Take    float64 `json:"take"`
	Double  float64 `json:"double"`
	Cash    float64 `json:"cash"`
	TooGood float64 `json:"too_good"`
}

type gammonPrices struct {
	WinGammon      float64 `json:"win_gammon"`
	LoseGammon     float64 `json:"lose_gammon"`
	WinBackgammon  float64 `json:"win_backgammon"`
	LoseBackgammon float64 `json:"lose_backgammon"`
}

// countsJSON are the counts of a race, the player on roll first. Kleinman, Thorp,
// Keith and Ward are nil while the sides are in contact, the effective pips for
// positions beyond the one-sided databases.
type countsJSON struct {
	Pips           [2]int      `json:"pips"`
	EPC            *[2]float64 `json:"epc,omitempty"`
	Wastage        *[2]float64 `json:"wastage,omitempty"`
	KleinmanChance *float64    `json:"kleinman_chance,omitempty"`
	KleinmanMetric *float64    `json:"kleinman_metric,omitempty"`
	Thorp          *countJSON  `json:"thorp,omitempty"`
	Keith          *countJSON  `json:"keith,omitempty"`
	Ward           *countJSON  `json:"ward,omitempty"`
}

type countJSON struct {
	Me       float64 `json:"me"`
	Opp      float64 `json:"opponent"`
	Double   bool    `json:"double"`
	Redouble bool    `json:"redouble"`
	Take     bool    `json:"take"`
}

type mapJSON struct {
	Mean  float64    `json:"mean"`
	Rolls []rollJSON `json:"rolls"`
}

type rollJSON struct {
	Dice   [2]int  `json:"dice"`
	Equity float64 `json:"equity"`
	Best   string  `json:"best"`
}

// collect finds what the flags ask for. probs are the chances of the player on
// roll.
func (f *extraFlags) collect(cmd *cobra.Command, e *engine.Engine, s match.Situation, p preset.Preset, probs eval.Probs) (extras, error) {
	var x extras
	if f.board {
		x.drawing = drawSituation(s)
	}
	if f.windows {
		w, err := windowsOf(e.Table(), s, probs)
		if err != nil {
			return x, usagef("--windows: %v", err)
		}
		x.Windows = w
	}
	if f.counts {
		x.Counts = countsOf(e.Bearoff(), &s.Position)
	}
	if f.heat == "" {
		return x, nil
	}
	m, err := analyse.Temperature(cmd.Context(), e.Search(), s, p.Checker)
	if err != nil {
		return x, err
	}
	x.heat, x.Map = m, &mapJSON{Mean: m.Mean}
	for i := range m.Rolls {
		h := &m.Rolls[i]
		x.Map.Rolls = append(x.Map.Rolls, rollJSON{Dice: [2]int{int(h.Dice.A), int(h.Dice.B)}, Equity: h.Equity, Best: h.Best})
	}
	if f.heat != "text" {
		if err := writeFileAtomic(f.heat, []byte(m.SVG("Equity of each roll, "+s.String()))); err != nil {
			return x, asUsage(fmt.Errorf("--map: %w", err))
		}
		x.heat = nil
	}
	return x, nil
}

// text is what was collected as people read it; before goes above the numbers.
func (x *extras) text() (before, after string) {
	if x.Counts != nil {
		after += x.Counts.text()
	}
	if x.Windows != nil {
		after += x.Windows.text()
	}
	if x.heat != nil {
		after += x.heat.Text()
	}
	return x.drawing, after
}

func windowsOf(t *match.Table, s match.Situation, probs eval.Probs) (*windowsJSON, error) {
	x := cube.UsualEfficiency.Of(&s.Position)
	out := &windowsJSON{Efficiency: x}
	for _, k := range []struct {
		to *windowJSON
		x  float64
	}{{&out.Dead, 0}, {&out.Live, 1}, {&out.Practical, x}} {
		w, err := cube.Windows(t, s.State, probs, k.x)
		if err != nil {
			return nil, err
		}
		*k.to = windowJSON(w)
	}
	out.Prices = gammonPrices(t.GammonPrice(s.State))
	return out, nil
}

func (w *windowsJSON) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s %8s %8s %8s %8s\n", "winning chance for", "take", "double", "cash", "too good")
	for _, r := range []struct {
		name string
		w    windowJSON
	}{{"dead cube", w.Dead}, {"live cube", w.Live}, {fmt.Sprintf("in practice (x %.2f)", w.Efficiency), w.Practical}} {
		fmt.Fprintf(&b, "  %-20s", r.name)
		for _, v := range []float64{r.w.Take, r.w.Double, r.w.Cash, r.w.TooGood} {
			if v <= 0 || v >= 1 {
				fmt.Fprintf(&b, " %8s", map[bool]string{true: "always", false: "never"}[v <= 0])
				continue
			}
			fmt.Fprintf(&b, " %7.2f%%", 100*v)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "gammon price %.3f won, %.3f lost; backgammon %.3f won, %.3f lost\n",
		w.Prices.WinGammon, w.Prices.LoseGammon, w.Prices.WinBackgammon, w.Prices.LoseBackgammon)
	return b.String()
}

func countsOf(db *bearoff.Source, p *board.Position) *countsJSON {
	me, opp := p.Me.Pips(), p.Opp.Pips()
	c := &countsJSON{Pips: [2]int{me, opp}}
	if db != nil {
		a, okA := db.Side(&p.Me)
		b, okB := db.Side(&p.Opp)
		if okA && okB {
			c.EPC, c.Wastage = &[2]float64{a.EPC, b.EPC}, &[2]float64{a.Wastage, b.Wastage}
		}
	}
	if p.Contact() {
		return c
	}
	chance, metric := bearoff.Kleinman(me, opp), bearoff.KleinmanMetric(me, opp)
	c.KleinmanChance, c.KleinmanMetric = &chance, &metric
	count := func(x bearoff.Count) *countJSON {
		j := countJSON(x)
		return &j
	}
	c.Thorp, c.Keith, c.Ward = count(bearoff.Thorp(p)), count(bearoff.Keith(p)), count(bearoff.Ward(p))
	return c
}

func (c *countsJSON) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pips      %7d %7d\n", c.Pips[0], c.Pips[1])
	if c.EPC != nil {
		fmt.Fprintf(&b, "effective %7.2f %7.2f  (wastage %.2f, %.2f)\n", c.EPC[0], c.EPC[1], c.Wastage[0], c.Wastage[1])
	}
	if c.KleinmanChance == nil {
		b.WriteString("the counts of races do not apply: the sides are in contact\n")
		return b.String()
	}
	fmt.Fprintf(&b, "Kleinman  %7.2f%%  metric %.3f (double from 0.44, redouble from 0.55, pass above 1.2)\n", 100**c.KleinmanChance, *c.KleinmanMetric)
	for _, r := range []struct {
		name string
		x    *countJSON
	}{{"Thorp", c.Thorp}, {"Keith", c.Keith}, {"Ward", c.Ward}} {
		fmt.Fprintf(&b, "%-9s %7.2f %7.2f  %s\n", r.name, r.x.Me, r.x.Opp, r.x.advice())
	}
	return b.String()
}

func (c *countJSON) advice() string {
	text := "no double"
	switch {
	case c.Redouble:
		text = "redouble"
	case c.Double:
		text = "double, no redouble"
	}
	if c.Take {
		return text + ", take"
	}
	return text + ", pass"
}

// drawSituation draws the board with the player on roll as X below.
func drawSituation(s match.Situation) string {
	notes := make([]string, board.DrawLines)
	score := func(i int) string {
		if s.State.Length == 0 {
			return ""
		}
		return fmt.Sprintf("  %d of %d", s.State.Score[i], s.State.Length)
	}
	notes[0] = fmt.Sprintf("O: opponent%s  pips %d", score(1), s.Position.Opp.Pips())
	notes[len(notes)-1] = fmt.Sprintf("X: on roll%s  pips %d", score(0), s.Position.Me.Pips())
	text := fmt.Sprintf("cube %d", s.State.Cube)
	switch {
	case s.State.Crawford:
		text = "Crawford game"
	case s.State.Owner == match.Mine:
		text += ", X has it"
	case s.State.Owner == match.Theirs:
		text += ", O has it"
	}
	if s.Dice.Valid() {
		text += fmt.Sprintf("  rolled %d%d", s.Dice.A, s.Dice.B)
	}
	notes[len(notes)/2] = text
	return strings.Join(board.Draw(s.Position, notes...), "\n") + "\n"
}
