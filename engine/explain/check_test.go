package explain

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
	"fibsbot/internal/testsize"
	"fibsbot/internal/texts"
)

// men is a position in the numbering of players, for the player on roll: points 1 to 24, 25 the bar, 0 off.
// theirs are the opponent's checkers on the same points, 25 their bar.
type men struct{ mine, theirs [26]int }

func menOf(p board.Position) (m men) {
	for i, n := range p.Me {
		m.mine[i+1] = int(n)
	}
	for i, n := range p.Opp[:24] {
		m.theirs[24-i] = int(n)
	}
	m.theirs[25] = int(p.Opp[24])
	return m
}

// turned is the position as the other side sees it.
func (m men) turned() (t men) {
	t.mine[25], t.theirs[25] = m.theirs[25], m.mine[25]
	for n := 1; n <= 24; n++ {
		t.mine[n], t.theirs[n] = m.theirs[25-n], m.mine[25-n]
	}
	return t
}

// step moves one checker, if it may.
func (m men) step(from, die int) (men, bool) {
	if m.mine[from] == 0 || m.mine[25] > 0 && from != 25 {
		return m, false
	}
	to := from - die
	if to <= 0 {
		for n := 7; n <= 25; n++ {
			if m.mine[n] > 0 {
				return m, false
			}
		}
		for n := from + 1; n <= 6 && to < 0; n++ {
			if m.mine[n] > 0 {
				return m, false
			}
		}
		m.mine[from]--
		return m, true
	}
	if m.theirs[to] > 1 {
		return m, false
	}
	if m.mine[from]--; m.theirs[to] == 1 {
		m.theirs[to] = 0
		m.theirs[25]++
	}
	m.mine[to]++
	return m, true
}

// after returns all positions after a roll: those that use most dice, or the larger die.
func (m men) after(a, b int) []men {
	most, larger := 0, false
	found := map[men][2]int{} // dice used, first die
	var walk func(m men, dice []int, used, first int)
	walk = func(m men, dice []int, used, first int) {
		if used > most {
			most = used
		}
		if used > 0 {
			if old, ok := found[m]; !ok || used > old[0] || used == old[0] && first > old[1] {
				found[m] = [2]int{used, first}
			}
		}
		if len(dice) == 0 {
			return
		}
		for from := 1; from <= 25; from++ {
			if next, ok := m.step(from, dice[0]); ok {
				walk(next, dice[1:], used+1, max(first, dice[0]))
			}
		}
	}
	if a == b {
		walk(m, []int{a, a, a, a}, 0, 0)
	} else {
		walk(m, []int{a, b}, 0, 0)
		walk(m, []int{b, a}, 0, 0)
	}
	for _, x := range found {
		larger = larger || x[0] == most && x[1] == max(a, b)
	}
	var out []men
	for p, x := range found {
		if x[0] == most && (most > 1 || a == b || !larger || x[1] == max(a, b)) {
			out = append(out, p)
		}
	}
	return out
}

func (m men) points(from, to int) (n int) {
	for ; from <= to; from++ {
		if m.mine[from] >= 2 {
			n++
		}
	}
	return n
}

func (m men) back() (n int) {
	for p := 18; p <= 25; p++ {
		n += m.mine[p]
	}
	return n
}

// throwsWhere counts the throws of 36 whose positions satisfy one of them, or all.
func (m men) throwsWhere(all bool, ok func(men) bool) (n int) {
	for a := 1; a <= 6; a++ {
		for b := 1; b <= 6; b++ {
			list := m.after(a, b)
			if all && len(list) > 0 && !slices.ContainsFunc(list, func(p men) bool { return !ok(p) }) || !all && slices.ContainsFunc(list, ok) {
				n++
			}
		}
	}
	return n
}

// longest is the longest run of points with a checker of the opponent behind it, at most 6.
func (m men) longest() (best int) {
	for from := 1; from <= 24; from++ {
		behind := m.theirs[25]
		for n := 1; n < from; n++ {
			behind += m.theirs[n]
		}
		run := 0
		for from+run <= 24 && m.mine[from+run] >= 2 {
			run++
		}
		if behind > 0 {
			best = max(best, min(run, 6))
		}
	}
	return best
}

func (m men) atEdge() (n int) {
	for p := 5; p <= 24; p++ {
		if m.theirs[p-1] >= 2 && m.theirs[p-2] >= 2 && m.theirs[p-3] >= 2 && m.theirs[p-4] >= 2 {
			n += m.mine[p]
		}
	}
	return n
}

// checker derives facts again.
type checker struct {
	t           *testing.T
	e           *engine.Engine
	s           match.Situation
	from        men
	plays       [2]board.Play // of the fact, of the other play
	at          [2]men
	probs       [2][5]float64
	best, other string
}

// want compares two figures with those of a fact.
func (c *checker) want(f *Fact, a, b float64) {
	if math.Abs(f.Figures[0]-a) > 1e-6 || math.Abs(f.Figures[1]-b) > 1e-6 {
		c.t.Errorf("%s, %s against %s: %s %v %v, not %v %v", c.s, c.best, c.other, f.Kind, f.Points, f.Figures, a, b)
	}
}

// count is want with the throws after both plays.
func (c *checker) count(f *Fact, all bool, ok func(before, after men) bool) {
	n := [2]float64{}
	for i, m := range c.at {
		n[i] = float64(m.throwsWhere(all, func(p men) bool { return ok(m, p) }))
	}
	c.want(f, n[0], n[1])
}

func (c *checker) fact(f *Fact) {
	x, y := c.at[0], c.at[1]
	switch f.Kind {
	case Hit:
		c.want(f, float64(x.theirs[25]-c.from.theirs[25]), float64(y.theirs[25]-c.from.theirs[25]))
	case Point, Break, Anchor:
		for _, n := range f.Points {
			had := c.from.mine[n] >= 2
			if x.mine[n] < 2 || y.mine[n] >= 2 || f.Kind == Point && had || f.Kind == Break && !had || f.Kind == Anchor && had == f.Made {
				c.t.Errorf("%s, %s against %s: %s %v", c.s, c.best, c.other, f.Kind, f.Points)
			}
			if f.Kind != Anchor {
				c.matters(f, n)
			}
		}
	case Prime:
		c.want(f, float64(x.longest()), float64(y.longest()))
	case Escape:
		c.want(f, float64(x.back()), float64(y.back()))
	case Edge:
		c.want(f, float64(x.atEdge()), float64(y.atEdge()))
	case Split, AnchorRolls:
		c.count(f, false, func(m, p men) bool { return m.points(18, 21) == 0 && p.points(18, 21) > 0 })
	case Builder:
		c.count(f, false, func(m, p men) bool { return p.points(1, 7) > m.points(1, 7) })
	case HitRolls:
		c.count(f, false, func(m, p men) bool { return p.theirs[25] > m.theirs[25] })
	case EscapeRolls:
		c.count(f, false, func(m, p men) bool { return p.back() < m.back() })
	case Timing:
		c.count(f, true, func(m, p men) bool { return p.points(1, 7) < m.points(1, 7) })
	case Slot:
		n := f.Points[0]
		c.want(f, float64(x.throwsWhere(false, func(p men) bool { return p.mine[n] > 1 })), 0)
		if x.mine[n] != 1 || c.from.mine[n] != 0 {
			c.t.Errorf("%s, %s: no slot of %d", c.s, c.best, n)
		}
		if c.matters(f, n); f.Figures[0] < 18 {
			c.t.Errorf("%s, %s: %v cover %d", c.s, c.best, f.Figures, n)
		}
	case Enter:
		n := [2]float64{}
		for i, m := range c.at {
			if o := m.turned(); o.mine[25] > 0 {
				n[i] = 36 - float64(o.throwsWhere(false, func(men) bool { return true }))
			}
		}
		c.want(f, n[0], n[1])
	case Off:
		n := [2]float64{}
		for i := range c.at {
			n[i] = 15
			for _, k := range c.at[i].mine {
				n[i] -= float64(k)
			}
		}
		c.want(f, n[0], n[1])
	case Waste:
		n := [2]float64{}
		for i, p := range c.plays {
			side, _ := c.e.Bearoff().Side(&p.Result.Me)
			n[i] = side.EPC - float64(p.Result.Me.Pips())
		}
		c.want(f, n[0], n[1])
	case Wins, Gammon, GammonAgainst:
		k := map[Kind]int{Wins: 0, Gammon: 1, GammonAgainst: 3}[f.Kind]
		c.want(f, c.probs[0][k], c.probs[1][k])
	case Shots:
		for i := range c.plays {
			c.shots(f, i)
		}
	case Rolls:
		c.rolls(f)
	default:
		c.t.Errorf("no check of %s", f.Kind)
	}
}

// matters refuses a point that is far from home and stands before nobody, and any of a bear-off with nobody on the bar.
func (c *checker) matters(f *Fact, n int) {
	before, home := c.at[0].theirs[25]+c.at[1].theirs[25], true
	for i := range c.at {
		for p := 1; p <= 25; p++ {
			home = home && (p <= 6 || c.at[i].mine[p] == 0)
		}
	}
	if home && before == 0 {
		c.t.Errorf("%s, %s: %s in a bear-off", c.s, c.best, f.Kind)
	}
	for p := 1; p < n; p++ {
		before += c.at[0].theirs[p]
	}
	if n > 6 && before == 0 {
		c.t.Errorf("%s, %s: %s of %d before nobody", c.s, c.best, f.Kind, n)
	}
}

// shots holds the rolls of a fact to a full ranking of the opponent's plays: each listed roll can hit, and no play of it
// without a hit is clearly better; of the others no hit is.
func (c *checker) shots(f *Fact, i int) {
	o, n := c.at[i].turned(), 0.0
	for k := range board.Rolls {
		d := board.Rolls[k].Dice
		listed := slices.Contains(f.Rolls[i], d)
		if listed {
			n += float64(board.Rolls[k].Weight)
		}
		can := slices.ContainsFunc(o.after(int(d.A), int(d.B)), func(p men) bool { return p.theirs[25] > o.theirs[25] })
		if !can && listed {
			c.t.Errorf("%s: %v cannot hit", c.s, d)
		}
		if !can {
			continue
		}
		p := c.plays[i].Result.Swap()
		list, err := c.e.Search().Plays(context.Background(), p, d, c.s.State.Swap(), search.Settings{Cubeful: true})
		if err != nil {
			c.t.Fatal(err)
		}
		at := slices.IndexFunc(list, func(x search.Candidate) bool { return (x.Play.Result.Opp[24] > p.Opp[24]) == listed })
		if at < 0 || list[0].Equity-list[at].Equity > 0.1 {
			c.t.Errorf("%s after %s: %v listed %v, best %s", c.s, c.best, d, listed, board.FormatPlay(p, list[0].Play))
		}
	}
	if n != f.Figures[i] {
		c.t.Errorf("%s: %v throws listed, figure %v", c.s, n, f.Figures[i])
	}
}

// rolls holds the rolls that are said to hold most of the difference to a full ranking of the replies.
func (c *checker) rolls(f *Fact) {
	sum, listed := 0.0, 0.0
	for k := range board.Rolls {
		d, v := board.Rolls[k].Dice, [2]float64{}
		for i := range c.plays {
			p := c.plays[i].Result.Swap()
			list, err := c.e.Search().Plays(context.Background(), p, d, c.s.State.Swap(), search.Settings{Cubeful: true})
			if err == nil && len(list) == 0 {
				list, err = c.e.Search().Rate(context.Background(), p, []board.Play{{Result: p}}, c.s.State.Swap(), search.Settings{Cubeful: true})
			}
			if err != nil {
				c.t.Fatal(err)
			}
			v[i] = -list[0].Equity
		}
		gain := float64(board.Rolls[k].Weight) * (v[0] - v[1])
		if sum += gain; slices.Contains(f.Rolls[0], d) {
			listed += gain
		}
	}
	if listed < 0.5*sum {
		c.t.Errorf("%s, %s: rolls hold %.2f of %.2f", c.s, c.best, listed, sum)
	}
}

// decisions plays games of random strength and yields decisions with two plays, the better one first.
func decisions(t *testing.T, e *engine.Engine, n int, yield func(s match.Situation, best, other search.Candidate)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(61, 5))
	roll := func() board.Dice { return board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))} }
	for n > 0 {
		st := match.Money(rng.IntN(2) == 0, 3)
		if rng.IntN(2) == 0 {
			st = match.State{Length: 7, Score: [2]int{rng.IntN(7), rng.IntN(7)}, Cube: 1 << rng.IntN(2)}
			if st.Cube > 1 {
				st.Owner = match.Owner(1 + rng.IntN(2))
			}
		}
		for p, turns := board.Start, 0; turns < 120 && p.Result() == 0 && n > 0; turns++ {
			s := match.Situation{Position: p, State: st, Dice: roll()}
			list, err := e.Search().Plays(t.Context(), p, s.Dice, st, search.Settings{Cubeful: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == 0 {
				p, st = p.Swap(), st.Swap()
				continue
			}
			if len(list) > 1 && rng.IntN(4) == 0 {
				n--
				yield(s, list[0], list[1+rng.IntN(min(len(list)-1, 6))])
			}
			p, st = list[rng.IntN(min(len(list), 3))].Play.Result.Swap(), st.Swap()
		}
	}
}

// TestPlays_everyFactIsTrue derives each fact again, by other code.
func TestPlays_everyFactIsTrue(t *testing.T) {
	brief := testsize.Sample(t)
	e := testEngine(t)
	n := 2000
	if brief {
		n = 100
	}
	kinds, silent, facts := map[Kind]int{}, 0, 0
	done := 0
	var spent time.Duration
	decisions(t, e, n, func(s match.Situation, best, other search.Candidate) {
		began := time.Now()
		r, err := Plays(t.Context(), e, s, best, other)
		if err != nil {
			t.Fatal(s, err)
		}
		spent += time.Since(began)
		done++
		for i := range r.Facts {
			f := &r.Facts[i]
			kinds[f.Kind]++
			facts++
			c := checker{t: t, e: e, s: s, from: menOf(s.Position), plays: [2]board.Play{best.Play, other.Play}, best: r.Best, other: r.Other}
			for k, x := range []search.Candidate{best, other} {
				c.at[k] = menOf(x.Play.Result)
				for j := range x.Probs {
					c.probs[k][j] = float64(x.Probs[j])
				}
			}
			if f.For < 0 {
				slices.Reverse(c.at[:])
				slices.Reverse(c.plays[:])
				slices.Reverse(c.probs[:])
				c.best, c.other = c.other, c.best
			}
			if f.Kind != Shots && f.Kind != Rolls || done%4 == 0 { // those rank all replies, a quarter of a second
				c.fact(f)
			}
			said := r.sentence(nil, f)
			if strings.Contains(said, "{") || !strings.HasSuffix(said, ".") {
				t.Errorf("%s: %q", f.Kind, said)
			}
			if float64(f.For)*f.Share <= 0 {
				t.Errorf("%s: %s for %d has the share %v", s, f.Kind, f.For, f.Share)
			}
		}
		text := r.Text(nil)
		if text == "" {
			silent++
		}
		if len(strings.SplitAfter(text, ". ")) > 5 {
			t.Errorf("%s: %s", s, text)
		}
	})
	t.Logf("%d decisions, %d facts %v, %d without a sentence, %v each", n, facts, fmt.Sprint(kinds), silent, spent/time.Duration(n))
}

// TestCube_everyFactIsTrue derives the facts about cube decisions again.
func TestCube_everyFactIsTrue(t *testing.T) {
	e := testEngine(t)
	n := 400
	if testsize.Brief() {
		n = 40
	}
	p, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[Kind]int{}
	decisions(t, e, n, func(s match.Situation, _, _ search.Candidate) {
		s.Dice = board.Dice{}
		if s.State.Owner == match.Theirs {
			s.State.Owner = match.Mine
		}
		d, err := e.CubeDecision(t.Context(), s.Position, s.State, p)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Cube(t.Context(), e, s, d)
		if err != nil {
			t.Fatal(err)
		}
		if r == nil {
			return
		}
		asked := s
		asked.Doubled = true
		answer, err := Cube(t.Context(), e, asked, d)
		if err != nil {
			t.Fatal(err)
		}
		if k := answer.Facts[0].Kind; k != TakePoint && k != GammonRate && k != Answer {
			t.Errorf("%s: the taker is told %s first", s, k)
		}
		r.Facts = append(r.Facts, answer.Facts...)
		for i := range r.Facts {
			f := &r.Facts[i]
			kinds[f.Kind]++
			if slices.Contains([]Kind{Market, Window, Volatility, Woolsey}, f.Kind) && i >= len(r.Facts)-len(answer.Facts) {
				t.Errorf("%s: the taker is told %s", s, f.Kind)
			}
			if why := cubeFact(t, e, &s, &d, f, p); why != "" {
				t.Errorf("%s %s: %s %v: %s", s, d.Action, f.Kind, f.Figures, why)
			}
			if said := r.sentence(nil, f); strings.Contains(said, "{") || !strings.HasSuffix(said, ".") {
				t.Errorf("%s: %q", f.Kind, said)
			}
		}
	})
	t.Log(kinds)
}

// cubeFact derives a fact about the cube again and says what is wrong with it.
func cubeFact(t *testing.T, e *engine.Engine, s *match.Situation, d *cube.Decision, f *Fact, p preset.Preset) string {
	a, b, win := f.Figures[0], f.Figures[1], float64(d.Probs[0])
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-6 }
	me, opp := float64(menOf(s.Position).pips()), float64(menOf(s.Position).turned().pips())
	ok := true
	switch f.Kind {
	case Market:
		m, err := advice.RollsOf(t.Context(), e, *s, p)
		if err != nil {
			t.Fatal(err)
		}
		low, high := 0.0, 0.0
		for _, r := range m.Rolls {
			if r.NoDouble >= 1.05 {
				low += float64(r.Weight)
			}
			if r.NoDouble >= 0.95 {
				high += float64(r.Weight)
			}
		}
		ok = low <= a && a <= high
	case TakePoint:
		ok = near(a, 1-win) && (a >= b) == d.Action.Take()
	case Window:
		ok = near(a, win) && (a >= b) == d.Action.Double()
	case GammonRate:
		ok = near(a*win, float64(d.Probs[1])) && (d.Action == cube.TooGoodPass || d.Action == cube.TooGoodTake || s.State.Length == 0 || s.State.Score[0]+2*s.State.Cube < s.State.Length)
	case TooGood:
		ok = near(a, d.NoDouble) && near(b, d.DoublePass) && a >= b-1e-9
	case Woolsey:
		ok = near(a, d.DoubleTake) && near(b, d.DoublePass) && math.Abs(a-b) <= 0.05 && d.Action.Double()
	case Answer:
		ok = near(a, -d.DoubleTake) && near(b, -d.DoublePass) && (a >= b) == d.Action.Take()
	case LastCube:
		ok = s.State.Length > 0 && s.State.Score[1]+2*s.State.Cube >= s.State.Length && d.Action.Take()
	case Recube:
		ok = a > b && d.Action.Take()
	case Price:
		ok = s.State.Length > 0 && a >= 0
	case Volatility:
		ok = a >= 0 && a < 3
	case Percent:
		ok = near(a, 100*(opp/me-1)) && (a <= 12) == d.Action.Take()
	case Kleinman:
		ok = math.Abs(a-(opp-me+4)*(opp-me+4)/(opp+me-4)) < 1e-6 && (a <= 1.2) == d.Action.Take()
	case Thorp:
		me, opp := menOf(s.Position).thorp(), menOf(s.Position).turned().thorp()
		if me > 30 {
			me *= 1.1
		}
		ok = near(a, me) && near(b, opp) && (me >= opp-2) == d.Action.Take()
	default:
		return "no check"
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("win %.4f, no double %.4f, take %.4f, pips %v %v", win, d.NoDouble, d.DoubleTake, me, opp)
}

func (m men) pips() (n int) {
	for p, k := range m.mine {
		n += p * k
	}
	return n
}

// thorp is the count of one side before the tenth of the player on roll.
func (m men) thorp() float64 {
	n := m.pips() + m.mine[1]
	for p, k := range m.mine {
		if n += 2 * k; k > 0 && p >= 1 && p <= 6 {
			n-- // a blot holds a point of a race too
		}
	}
	return float64(n)
}

// FuzzPlays explains any two plays of any position by either rules: no panic, sentences in all languages.
func FuzzPlays(f *testing.F) {
	f.Add([]byte("4HPwATDgc/"), uint8(14), uint8(1), false)
	f.Add([]byte("sGfwATDgc/"), uint8(3), uint8(200), true)
	e := testEngine(f)
	egyptian, err := e.With(context.Background(), board.Rules{Egyptian: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, key []byte, roll, pick uint8, rule bool) {
		var k board.Key
		copy(k[:], key)
		p, err := board.FromKey(k)
		if err != nil || p.Result() != 0 {
			return
		}
		by := e
		if rule {
			by = egyptian
		}
		d := board.Rolls[int(roll)%len(board.Rolls)].Dice
		plays := by.Rules().AppendPlays(nil, p, d)
		if len(plays) < 2 {
			return
		}
		s := match.Situation{Position: p, State: match.State{Length: int(pick) % 9, Cube: 1}, Dice: d}
		a, b := int(pick)%len(plays), int(roll)%len(plays)
		r, err := Plays(t.Context(), by, s, search.Candidate{Play: plays[a], Equity: 0.1}, search.Candidate{Play: plays[b]})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range texts.Languages() {
			c, _ := texts.Find(name)
			if said := r.Text(c) + r.Long(c); strings.Contains(said, "{") || !utf8.ValidString(said) {
				t.Errorf("%s: %q", name, said)
			}
		}
		dec, err := by.CubeDecision(t.Context(), p, s.State, preset.All()[4])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Cube(t.Context(), by, s, dec); err != nil {
			t.Fatal(err)
		}
	})
}
