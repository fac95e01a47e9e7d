package board

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrBadPlay is wrapped by the errors of ParsePlay.
var ErrBadPlay = errors.New("bad play")

// FormatPlay writes a play the way players do and GNU Backgammon prints it:
// "8/5 6/5", "bar/21*", "13/7*(2)", "6/off". p is the position before the
// play. A play of no steps is the empty string.
//
// Steps are taken from the rear; one that starts where an earlier one ended
// joins it, and the point in between is shown only where something was hit;
// equal chains are counted; of several chains into a hit point only the first
// has the star.
func FormatPlay(p Position, pl Play) string {
	return FormatSteps(p, pl.Steps[:min(int(pl.N), len(pl.Steps))])
}

// chain is one checker's way: points[:n], from first to last.
type chain struct {
	points [5]int8
	n      int
	times  int
}

// FormatSteps is FormatPlay for bare steps, in any order.
func FormatSteps(p Position, steps []Step) string {
	var ordered [4]Step
	st := ordered[:copy(ordered[:], steps)]
	slices.SortStableFunc(st, func(a, b Step) int {
		if a.From != b.From {
			return int(b.From) - int(a.From)
		}
		return int(b.To) - int(a.To)
	})
	blot := func(to int8) bool { return to >= 0 && to < Bar && p.Opp[23-to] > 0 }

	var chains [4]chain
	n := 0
	var used [4]bool
	for i := range st {
		if used[i] {
			continue
		}
		c := chain{points: [5]int8{st[i].From, st[i].To}, n: 2, times: 1}
		for j := i + 1; j < len(st); j++ {
			end := c.points[c.n-1]
			if used[j] || st[j].From != end {
				continue
			}
			used[j] = true
			if blot(end) {
				c.n++
			}
			c.points[c.n-1] = st[j].To
		}
		same := slices.IndexFunc(chains[:n], func(o chain) bool { return o.points == c.points && o.n == c.n })
		if same >= 0 {
			chains[same].times++
			continue
		}
		chains[n] = c
		n++
	}

	out := make([]byte, 0, 32)
	var starred uint32
	for i := range chains[:n] {
		c := &chains[i]
		if i > 0 {
			out = append(out, ' ')
		}
		out = appendPoint(out, c.points[0])
		for k := 1; k < c.n; k++ {
			to := c.points[k]
			out = appendPoint(append(out, '/'), to)
			if blot(to) && (k < c.n-1 || starred>>to&1 == 0) {
				out = append(out, '*')
				starred |= 1 << to
			}
		}
		if c.times > 1 {
			out = append(out, '(', byte('0'+c.times), ')')
		}
	}
	return string(out)
}

func appendPoint(out []byte, i int8) []byte {
	switch {
	case i < 0:
		return append(out, "off"...)
	case i == Bar:
		return append(out, "bar"...)
	}
	return strconv.AppendInt(out, int64(i)+1, 10)
}

// leg is one written move of a checker, which may use several dice.
type leg struct{ from, to int8 }

// maxPlayText bounds the text of ParsePlay; the longest real play has under 40 characters.
const maxPlayText = 120

// ParsePlay reads a play in about any notation people use and returns the legal
// play of roll d in p that it describes: points as numbers, "bar" or 25, "off"
// or 0; parts joined by blanks, commas or semicolons; "-" for "/"; chains
// (13/10/7), moves over several dice (13/7), "(2)" for repeats, stars or none.
// Empty text, "cannot move" or "-" is accepted when there is no legal play and
// gives a Play of no steps. Errors wrap ErrBadPlay and fit in one line.
func ParsePlay(p Position, d Dice, text string) (Play, error) {
	return parsePlay(p, d, text, Rules{})
}

func parsePlay(p Position, d Dice, text string, r Rules) (Play, error) {
	if !d.Valid() {
		return Play{}, fmt.Errorf("%w: dice %d and %d", ErrBadPlay, d.A, d.B)
	}
	legs, hits, err := parseLegs(text)
	if err != nil {
		return Play{}, err
	}
	var room [64]Play
	plays := r.AppendPlays(room[:0], p, d)
	if len(legs) == 0 {
		if len(plays) > 0 {
			return Play{}, fmt.Errorf("%w: %d%d can be played", ErrBadPlay, d.A, d.B)
		}
		return Play{Result: p}, nil
	}
	after := p.Me // whatever way the legs are gone
	for _, l := range legs {
		after[l.from]--
		if l.to >= 0 {
			after[l.to]++
		}
	}
	var found *Play
	best := 0
	for i := range plays {
		if plays[i].Result.Me != after {
			continue
		}
		fit, steps := matchLegs(&p, d, &plays[i], legs)
		if !fit {
			continue
		}
		// Where two ways differ only in what they hit on the way, the stars
		// decide; without stars the way that hits less.
		score := 1
		h := hitPoints(&p, steps)
		if h == hits {
			score = 3
		} else if h&^hits == 0 || hits == 0 && h == endHits(&p, legs) {
			score = 2
		}
		if score > best {
			best = score
			plays[i].Steps = steps
			found = &plays[i]
		}
	}
	if found == nil {
		return Play{}, fmt.Errorf("%w: %q is not a legal play of %d%d", ErrBadPlay, short(text), d.Sorted().A, d.Sorted().B)
	}
	return *found, nil
}

func short(s string) string {
	if len(s) > maxPlayText {
		return s[:maxPlayText] + "..."
	}
	return s
}

// hitPoints is the set of points, as bits, where the steps hit.
func hitPoints(p *Position, steps [4]Step) (h uint32) {
	for _, s := range steps {
		if s.From != s.To && s.To >= 0 && p.Opp[23-s.To] > 0 {
			h |= 1 << s.To
		}
	}
	return h
}

func endHits(p *Position, legs []leg) (h uint32) {
	for _, l := range legs {
		if l.to >= 0 && p.Opp[23-l.to] > 0 {
			h |= 1 << l.to
		}
	}
	return h
}

// matchLegs reports whether the legs, in some order and cut into single dice,
// are a way to the result of pl, and returns the steps of that way.
func matchLegs(p *Position, d Dice, pl *Play, legs []leg) (bool, [4]Step) {
	dice := [4]int8{int8(d.A), int8(d.B)}
	n := 2
	if d.Double() {
		dice, n = [4]int8{dice[0], dice[0], dice[0], dice[0]}, 4
	}
	w := walker{target: pl, dice: dice, left: 1<<n - 1}
	w.n = copy(w.legs[:], legs)
	ok := w.walk(*p, 0)
	return ok, w.steps
}

// walker tries the legs in every order, which is at most 4 legs and 4 dice.
type walker struct {
	target *Play
	legs   [4]leg // what is still to go of each written leg
	n      int
	dice   [4]int8
	left   uint
	steps  [4]Step
}

func (w *walker) walk(p Position, made int) bool {
	done := true
	for i := range w.n {
		l := w.legs[i]
		if l.from == l.to {
			continue
		}
		done = false
		for k, die := range w.dice {
			if w.left>>k&1 == 0 || k > 0 && w.dice[k-1] == die && w.left>>(k-1)&1 != 0 {
				continue
			}
			to := max(l.from-die, Off)
			if to < l.to || !p.mayStep(int(l.from), int(die)) {
				continue
			}
			next := p
			next.stepTo(int(l.from), int(to))
			w.legs[i].from, w.left = to, w.left&^(1<<k)
			w.steps[made] = Step{l.from, to}
			if w.walk(next, made+1) {
				return true
			}
			w.steps[made] = Step{}
			w.legs[i], w.left = l, w.left|1<<k
		}
	}
	return done && made == int(w.target.N) && p == w.target.Result
}

// mayStep reports whether one checker may be moved by one die, taken alone.
func (p *Position) mayStep(from, die int) bool {
	if p.Me[from] == 0 || from != Bar && p.Me[Bar] > 0 {
		return false
	}
	if to := from - die; to >= 0 {
		return p.Opp[23-to] < 2
	}
	rear := p.Me.Rearmost()
	return rear < 6 && (from == die-1 || from == rear)
}

func (p *Position) stepTo(from, to int) {
	p.Me[from]--
	if to < 0 {
		return
	}
	p.Me[to]++
	if p.Opp[23-to] == 1 {
		p.Opp[23-to] = 0
		p.Opp[Bar]++
	}
}

// ParseSteps reads a play like ParsePlay, legal or not, for records of plays as they were
// made: one step for each written
// leg, in the order of the text. Errors wrap ErrBadPlay.
func ParseSteps(text string) ([]Step, error) {
	legs, _, err := parseLegs(text)
	if err != nil {
		return nil, err
	}
	steps := make([]Step, len(legs))
	for i, l := range legs {
		steps[i] = Step{From: l.from, To: l.to}
	}
	return steps, nil
}

// parseLegs splits the text into legs and the set of starred points.
func parseLegs(text string) (legs []leg, hits uint32, err error) {
	bad := func(part string) error {
		return fmt.Errorf("%w: %q is not a move of a checker", ErrBadPlay, short(part))
	}
	if len(text) > maxPlayText {
		return nil, 0, fmt.Errorf("%w: longer than %d characters", ErrBadPlay, maxPlayText)
	}
	text = strings.TrimRight(strings.ToLower(strings.TrimSpace(text)), ".")
	switch text {
	case "", "-", "--", "cannot move", "can't move", "no move", "none":
		return nil, 0, nil
	}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,;", r) }) {
		body, times := part, 1
		if i := strings.IndexByte(body, '('); i >= 0 {
			n, ok := strings.CutSuffix(body[i+1:], ")")
			if times, err = strconv.Atoi(n); !ok || err != nil || times < 1 || times > 4 {
				return nil, 0, bad(part)
			}
			body = body[:i]
		}
		points := strings.FieldsFunc(body, func(r rune) bool { return r == '/' || r == '-' })
		if len(points) < 2 || len(points) > 5 || strings.Count(body, "/")+strings.Count(body, "-") != len(points)-1 {
			return nil, 0, bad(part)
		}
		var at [5]int8
		for i, word := range points {
			name, star := strings.CutSuffix(word, "*")
			v, ok := parsePoint(name)
			if !ok || i > 0 && v >= at[i-1] || star && (i == 0 || v < 0) {
				return nil, 0, bad(part)
			}
			at[i] = v
			if star {
				hits |= 1 << v
			}
		}
		for range times {
			for i := 1; i < len(points); i++ {
				legs = append(legs, leg{at[i-1], at[i]})
			}
		}
		if len(legs) > 4 {
			return nil, 0, fmt.Errorf("%w: more than four checkers moved", ErrBadPlay)
		}
	}
	return legs, hits, nil
}

func parsePoint(s string) (int8, bool) {
	switch s {
	case "bar", "b":
		return Bar, true
	case "off", "home", "o":
		return Off, true
	}
	if s == "" || len(s) > 2 || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	if err != nil || n > 25 {
		return 0, false
	}
	return int8(n - 1), true
}
