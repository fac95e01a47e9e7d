package advice

import (
	"context"
	"fmt"
	"strings"

	"fibsbot/bearoff"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/race"
	"fibsbot/internal/figure"
)

// Windows are the points at which the right cube action changes, as winning chances of the player on roll.
type Windows struct {
	WindowSet
	Efficiency float64           `json:"efficiency"`
	Prices     match.GammonPrice `json:"gammon_prices"`
	// Opponent is the same for the opponent on roll, and After for the opponent after taking a
	// double, nil if there can be none.
	Opponent WindowSet  `json:"opponent"`
	After    *WindowSet `json:"opponent_after_take,omitempty"`

	crawford bool // no one may double
	raccoons bool // a beaver may be answered
}

// WindowSet is a window for three kinds of cube.
type WindowSet struct {
	Dead      cube.Window `json:"dead"`      // no one turns the cube again
	Live      cube.Window `json:"live"`      // always turned at the perfect moment
	Practical cube.Window `json:"practical"` // between the two, by the cube efficiency
}

// Counts are the counts of a race, the player on roll first. Kleinman, Thorp,
// Keith, Ward and Isight are nil while the sides are in contact, Kleinman's metric also where the
// player on roll is behind by half a roll or more, the effective pips for
// positions beyond the one-sided databases.
type Counts struct {
	Pips           [2]int      `json:"pips"`
	EPC            *[2]float64 `json:"epc,omitempty"`
	Wastage        *[2]float64 `json:"wastage,omitempty"`
	KleinmanChance *float64    `json:"kleinman_chance,omitempty"`
	KleinmanMetric *float64    `json:"kleinman_metric,omitempty"`
	Thorp          *Count      `json:"thorp,omitempty"`
	Keith          *Count      `json:"keith,omitempty"`
	Ward           *Count      `json:"ward,omitempty"`
	Isight         *Count      `json:"isight,omitempty"`
}

// Count is a count of both sides with its advice.
type Count struct {
	race.Count
	// Advice is what the formula says for the cube where it is: "no double, take".
	Advice string `json:"advice"`
}

// Map is the equity of each roll after its best play, and the mean of the 36.
type Map struct {
	Mean  float64      `json:"mean"`
	Rolls []RollEquity `json:"rolls"`
}

// RollEquity is one roll of a Map.
type RollEquity struct {
	Dice   [2]int  `json:"dice"`
	Equity float64 `json:"equity"`
	Best   string  `json:"best"`
}

// WindowsOf computes the windows of s for chances probs with table t, which may be nil in money
// play. Errors are those of cube.Windows.
func WindowsOf(t *match.Table, s match.Situation, probs eval.Probs) (*Windows, error) {
	return windowsAt(t, s.State, &s.Position, probs, cube.UsualEfficiency.Of(&s.Position))
}

// WindowsAt is WindowsOf without a position: for the gammon shares of probs and a cube
// efficiency of 0 to 1.
func WindowsAt(t *match.Table, st match.State, probs eval.Probs, efficiency float64) (*Windows, error) {
	return windowsAt(t, st, &board.Start, probs, efficiency)
}

func windowsAt(t *match.Table, st match.State, p *board.Position, probs eval.Probs, efficiency float64) (*Windows, error) {
	out := &Windows{Efficiency: efficiency, crawford: st.Crawford, raccoons: st.Beavers > 1}
	var err error
	set := func(to *WindowSet, st match.State, p *board.Position, pr eval.Probs) {
		for _, k := range []struct {
			to *cube.Window
			x  float64
		}{{&to.Dead, 0}, {&to.Live, 1}, {&to.Practical, efficiency}} {
			if w, failed := cube.Windows(t, st, p, pr, k.x); failed != nil {
				err = failed
			} else {
				*k.to = w
			}
		}
	}
	theirs, other := probs.Invert(), p.Swap()
	set(&out.WindowSet, st, p, probs)
	set(&out.Opponent, st.Swap(), &other, theirs)
	if st.Owner != match.Theirs && !st.Crawford && 2*st.Cube <= match.MaxCube {
		after := st
		after.Cube, after.Owner = 2*st.Cube, match.Theirs
		out.After = &WindowSet{}
		set(out.After, after.Swap(), &other, theirs)
	}
	if err != nil {
		return nil, err
	}
	out.Prices = t.GammonPrice(st)
	return out, nil
}

// Text returns the table that people read.
func (w *Windows) Text() string {
	var b strings.Builder
	if w.crawford {
		b.WriteString("the Crawford game: no one may double\n")
	} else {
		w.write(&b, "winning chance for", w.Efficiency)
		w.Opponent.write(&b, "for the opponent", w.Efficiency)
	}
	if w.After != nil {
		w.After.write(&b, "after the take", w.Efficiency)
	}
	if p := w.Practical.Beaver; p > 0 {
		fmt.Fprintf(&b, "the opponent beavers below %.2f%%", 100*p)
		if w.raccoons {
			b.WriteString("; raccoon above it")
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "gammon price %.3f won, %.3f lost; backgammon %.3f won, %.3f lost\n",
		w.Prices.WinGammon, w.Prices.LoseGammon, w.Prices.WinBackgammon, w.Prices.LoseBackgammon)
	return b.String()
}

// write adds the lines of a set.
func (w *WindowSet) write(b *strings.Builder, title string, efficiency float64) {
	fmt.Fprintf(b, "%-22s %8s %8s %8s %8s\n", title, "take", "double", "cash", "too good")
	for _, r := range []struct {
		name string
		w    cube.Window
	}{{"dead cube", w.Dead}, {"live cube", w.Live}, {fmt.Sprintf("in practice (x %.2f)", efficiency), w.Practical}} {
		fmt.Fprintf(b, "  %-20s", r.name)
		for _, v := range []float64{r.w.Take, r.w.Double, r.w.Cash, r.w.TooGood} {
			if v <= 0 || v >= 1 {
				fmt.Fprintf(b, " %8s", map[bool]string{true: "always", false: "never"}[v <= 0])
				continue
			}
			fmt.Fprintf(b, " %7.2f%%", 100*v)
		}
		b.WriteByte('\n')
	}
}

// CountsOf counts position p, with the advice for a cube of that owner; db may be nil.
func CountsOf(db *bearoff.Source, p *board.Position, owner match.Owner) *Counts {
	me, opp := p.Me.Pips(), p.Opp.Pips()
	c := &Counts{Pips: [2]int{me, opp}}
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
	chance := race.Kleinman(me, opp)
	c.KleinmanChance = &chance
	if metric := race.KleinmanMetric(me, opp); metric > 0 { // it knows no side that is behind
		c.KleinmanMetric = &metric
	}
	count := func(x race.Count) *Count { return countOf(x, owner) }
	c.Thorp, c.Keith, c.Ward, c.Isight = count(race.Thorp(p)), count(race.Keith(p)), count(race.Ward(p)), count(race.Isight(p))
	return c
}

// Text returns the table that people read.
func (c *Counts) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pips      %7d %7d\n", c.Pips[0], c.Pips[1])
	if c.EPC != nil {
		fmt.Fprintf(&b, "effective %7.2f %7.2f  (wastage %.2f, %.2f)\n", c.EPC[0], c.EPC[1], c.Wastage[0], c.Wastage[1])
	}
	if c.KleinmanChance == nil {
		b.WriteString("race counts need a position without contact\n")
		return b.String()
	}
	fmt.Fprintf(&b, "Kleinman  %7.2f%%  ", 100**c.KleinmanChance)
	if c.KleinmanMetric != nil {
		fmt.Fprintf(&b, "metric %.3f (double from 0.44, redouble from 0.55, pass above 1.2)\n", *c.KleinmanMetric)
	} else {
		b.WriteString("no metric: behind by half a roll or more\n")
	}
	for _, r := range []struct {
		name string
		x    *Count
	}{{"Thorp", c.Thorp}, {"Keith", c.Keith}, {"Ward", c.Ward}, {"Isight", c.Isight}} {
		fmt.Fprintf(&b, "%-9s %7.2f %7.2f  %s\n", r.name, r.x.Me, r.x.Opp, r.x.Advice)
	}
	return b.String()
}

// countOf adds the advice for a cube of that owner.
func countOf(x race.Count, owner match.Owner) *Count {
	text, turn := "double", x.Double
	if owner == match.Mine {
		text, turn = "redouble", x.Redouble
	}
	if !turn {
		text = "no " + text
	}
	if x.Take {
		return &Count{x, text + ", take"}
	}
	return &Count{x, text + ", pass"}
}

// MapOf makes the document of a temperature map.
func MapOf(m *analyse.TemperatureMap) *Map {
	out := &Map{Mean: m.Mean}
	for i := range m.Rolls {
		h := &m.Rolls[i]
		out.Rolls = append(out.Rolls, RollEquity{Dice: [2]int{int(h.Dice.A), int(h.Dice.B)}, Equity: h.Equity, Best: h.Best})
	}
	return out
}

// Prices are the take points and gammon prices of the player on roll at every score of a
// match, before a game begins, with the cube at 1: the document of `fibsbot met prices`.
type Prices struct {
	Table  string `json:"table"`
	Length int    `json:"length"`
	// TakePoints are the chances needed to take a first double with a dead cube and no
	// gammons, GammonPrices what a gammon won is worth beside a single game, both by
	// [needs of the player - 1][needs of the opponent - 1].
	TakePoints   [][]float64 `json:"take_points"`
	GammonPrices [][]float64 `json:"gammon_prices"`
}

// PricesOf returns the prices in matches of length points by table t.
func PricesOf(t *match.Table, length int) *Prices {
	p := &Prices{Table: t.Name, Length: length}
	for me := range length {
		take, price := make([]float64, length), make([]float64, length)
		for opp := range length {
			s := match.State{Length: length, Score: [2]int{length - me - 1, length - opp - 1}, Cube: 1}
			s.Crawford = match.AtCrawford(length, s.Score)
			take[opp], price[opp] = t.TakePoint(s), t.GammonPrice(s).WinGammon
		}
		p.TakePoints, p.GammonPrices = append(p.TakePoints, take), append(p.GammonPrices, price)
	}
	return p
}

// Text returns two tables: the points that the player needs down, the opponent's across.
func (p *Prices) Text() string {
	var b strings.Builder
	square := func(title, format string, scale float64, rows [][]float64) {
		fmt.Fprintf(&b, "%s (%s)\nneeds  ", title, p.Table)
		for opp := range rows {
			fmt.Fprintf(&b, "%7d", opp+1)
		}
		b.WriteByte('\n')
		for me, row := range rows {
			fmt.Fprintf(&b, "%5d  ", me+1)
			for _, v := range row {
				fmt.Fprintf(&b, format, scale*v)
			}
			b.WriteByte('\n')
		}
	}
	square("take points in percent, first double, dead cube, no gammons", "%7.2f", 100, p.TakePoints)
	square("price of a gammon won, cube at 1", "%7.3f", 1, p.GammonPrices)
	return b.String()
}

// Rates are gammon rates in percent: gammons and backgammons, the latter among the former,
// of the games won and of those lost. The error is a *FieldError that names the rate as
// `fibsbot met prices` does.
func Rates(won, lost [2]float64) (eval.Probs, error) {
	for i, side := range [][2]float64{won, lost} {
		against, games := [2]string{"", "-against"}[i], [2]string{"won", "lost"}[i]
		for k, kind := range [2]string{"gammons", "backgammons"} {
			if !(side[k] >= 0 && side[k] <= 100) {
				return eval.Probs{}, &FieldError{kind + against, fmt.Sprintf("%v is not a percentage of the games %s (0 to 100)", side[k], games)}
			}
		}
		if side[1] > side[0] {
			return eval.Probs{}, &FieldError{"backgammons" + against, fmt.Sprintf("%v: backgammons are among the gammons, of which there are %v percent", side[1], side[0])}
		}
	}
	return shares([2]float64{won[0] / 100, won[1] / 100}, [2]float64{lost[0] / 100, lost[1] / 100}), nil
}

// shares returns chances with these gammon rates: the shares of gammons and backgammons among
// the games won and among those lost, 0 to 1.
func shares(won, lost [2]float64) eval.Probs {
	return eval.Probs{0.5, float32(won[0] / 2), float32(won[1] / 2), float32(lost[0] / 2), float32(lost[1] / 2)}
}

// Efficiency is how alive the cube is in a position by a preset's search: Janowski's x, 0 dead to 1 live,
// for the cube where it is, owned by the player on roll, and by the opponent. The two last are those of
// his model with one efficiency for each side. A figure is unknown where a dead and a live
// cube are worth the same.
type Efficiency struct {
	Plies  int           `json:"plies"`
	Now    figure.Figure `json:"now"`
	Own    figure.Figure `json:"own"`
	Theirs figure.Figure `json:"opponent"`
}

// efficiencyOf asks for the efficiencies of s, nil in the Crawford game.
func efficiencyOf(ctx context.Context, e *engine.Engine, s match.Situation, p preset.Preset) (*Efficiency, error) {
	if s.State.Crawford {
		return nil, nil
	}
	spots := []cube.Spot{{Owner: s.State.Owner}, {Owner: match.Mine}, {Owner: match.Theirs}}
	xs, err := e.Search().Efficiencies(ctx, s.Position, s.State, spots, p.Cube)
	if err != nil {
		return nil, err
	}
	return &Efficiency{p.Cube.Plies, figure.Figure(xs[0]), figure.Figure(xs[1]), figure.Figure(xs[2])}, nil
}

// Text returns the line that people read.
func (x *Efficiency) Text() string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("cube efficiency at %d-ply: %s as the cube is, %s own cube, %s opponent's\n", x.Plies, x.Now.Text("%.2f"), x.Own.Text("%.2f"), x.Theirs.Text("%.2f"))
}

// Conversion is what equities and match winning chances are of each other at a score:
// the document of `fibsbot met eq2mwc` and `met mwc2eq`. Use NewConversion.
type Conversion struct {
	Table    string      `json:"table"`
	Length   int         `json:"length"`
	Score    [2]int      `json:"score"`
	Cube     int         `json:"cube"`
	Owner    string      `json:"owner"`
	Crawford bool        `json:"crawford"`
	Win      float64     `json:"mwc_win"`  // after winning singly at this cube
	Lose     float64     `json:"mwc_lose"` // after losing so
	Values   []Converted `json:"values"`

	table *match.Table
	state match.State
}

// Converted is one value in both forms: an equity (EMG) of the player on roll and his
// match winning chance. The standard errors are nil where none was given.
type Converted struct {
	Equity    float64  `json:"equity"`
	MWC       float64  `json:"mwc"`
	EquityErr *float64 `json:"equity_stderr,omitempty"`
	MWCErr    *float64 `json:"mwc_stderr,omitempty"`
}

// NewConversion converts by t at s, a state of a match before any double is taken.
func NewConversion(t *match.Table, s match.State) *Conversion {
	return &Conversion{Table: t.Name, Length: s.Length, Score: s.Score, Cube: s.Cube, Owner: ownerNames[s.Owner],
		Crawford: s.Crawford, Win: t.After(s, s.Cube), Lose: t.After(s, -s.Cube), table: t, state: s}
}

// ownerNames are the places of the cube in the spelling of Overrides, by match.Owner.
var ownerNames = [...]string{match.Centred: "centre", match.Mine: "me", match.Theirs: "opponent"}

// AddEquity adds an equity with its standard error, nil for none, and returns what it is.
func (c *Conversion) AddEquity(equity float64, stderr *float64) Converted {
	v := Converted{Equity: equity, MWC: c.table.MWC(c.state, equity), EquityErr: stderr}
	if stderr != nil {
		e := *stderr * c.table.MWCPerEMG(c.state)
		v.MWCErr = &e
	}
	c.Values = append(c.Values, v)
	return v
}

// AddChance adds a match winning chance as AddEquity adds an equity.
func (c *Conversion) AddChance(mwc float64, stderr *float64) Converted {
	v := Converted{Equity: c.table.EMG(c.state, mwc), MWC: mwc, MWCErr: stderr}
	if stderr != nil {
		e := *stderr / c.table.MWCPerEMG(c.state)
		v.EquityErr = &e
	}
	c.Values = append(c.Values, v)
	return v
}

// Possible reports whether a position may have this equity at this score: the chance is
// one between 0 and 1.
func (v Converted) Possible() bool { return v.MWC >= -1e-9 && v.MWC <= 1+1e-9 }

// Text is what people read.
func (c *Conversion) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d-%d to %d, cube %d", c.Score[0], c.Score[1], c.Length, c.Cube)
	if c.Crawford {
		b.WriteString(", Crawford game")
	}
	fmt.Fprintf(&b, ", %s: losing singly %.3f %%, winning singly %.3f %%\n", c.Table, 100*c.Lose, 100*c.Win)
	for _, v := range c.Values {
		b.WriteString("equity " + equity(v.Equity))
		if v.EquityErr != nil {
			fmt.Fprintf(&b, " +- %.4f", *v.EquityErr)
		}
		fmt.Fprintf(&b, "  match winning chance %.3f %%", 100*v.MWC)
		if v.MWCErr != nil {
			fmt.Fprintf(&b, " +- %.3f %%", 100**v.MWCErr)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// MatchTable is a match equity table up to some length, the document of `fibsbot met
// show`: chances to win the match before a game begins.
type MatchTable struct {
	Table       string      `json:"table"`
	Description string      `json:"description"`
	Published   int         `json:"published"`
	Pre         [][]float64 `json:"pre_crawford"`  // [needs of the player - 1][needs of the opponent - 1]
	Post        []float64   `json:"post_crawford"` // of the trailer, by his needs - 1
}

// MatchTableOf is t up to a length of 1 to match.MaxLength points.
func MatchTableOf(t *match.Table, length int) MatchTable {
	m := MatchTable{Table: t.Name, Description: t.Description, Published: t.Published}
	for me := 1; me <= length; me++ {
		row := make([]float64, length)
		for opp := range row {
			row[opp] = t.Equity(me, opp+1, false)
		}
		m.Pre = append(m.Pre, row)
		m.Post = append(m.Post, t.Equity(me, 1, true))
	}
	return m
}

// Text is what people read, in percent.
func (m *MatchTable) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\nneeds  ", m.Table, m.Description)
	for opp := range m.Pre {
		fmt.Fprintf(&b, "%6d", opp+1)
	}
	b.WriteString("\n")
	for me, row := range m.Pre {
		fmt.Fprintf(&b, "%5d  ", me+1)
		for _, v := range row {
			fmt.Fprintf(&b, "%6.2f", 100*v)
		}
		b.WriteString("\n")
	}
	b.WriteString(" post  ")
	for _, v := range m.Post {
		fmt.Fprintf(&b, "%6.2f", 100*v)
	}
	b.WriteString("\n")
	return b.String()
}
