package server

import (
	"fmt"
	"strconv"
	"strings"
)

// Colour is a side of the board as FIBS names it. O moves from 24 down to 1,
// X from 1 up to 24; checkers of O count positive, those of X negative.
type Colour int8

// The two sides. Their values are the signs FIBS uses in its board line.
const (
	O Colour = 1
	X Colour = -1
)

// String returns "O" or "X", and "-" for anything else.
func (c Colour) String() string {
	switch c {
	case O:
		return "O"
	case X:
		return "X"
	}
	return "-"
}

// checkersASide is the number of checkers each side owns.
const checkersASide = 15

// Layout is the position of all checkers in FIBS's numbers: index 1 to 24 are
// the points as printed on the board, index 0 is X's bar (zero or negative)
// and index 25 is O's bar (zero or positive). OffO and OffX count the
// checkers borne off. It is a comparable value.
type Layout struct {
	Points     [26]int8
	OffO, OffX int8
}

// startLayout is the opening position: the one in which every game begins.
func startLayout() Layout {
	var l Layout
	for point, n := range map[int]int8{24: 2, 13: 5, 8: 3, 6: 5} {
		l.Points[point] = n
		l.Points[25-point] = -n
	}
	return l
}

// Step moves one checker. From and To are points 1 to 24; the bar is 25 for O
// and 0 for X, and off the board is 0 for O and 25 for X, so that From minus
// To is positive for O and negative for X.
type Step struct{ From, To int }

// barOf returns the index of c's bar, which is also the other side's tray.
func barOf(c Colour) int {
	if c == O {
		return 25
	}
	return 0
}

// offOf returns the To of a checker of c that is borne off.
func offOf(c Colour) int { return 25 - barOf(c) }

// count returns the number of checkers of c on an index of Points. The bars hold their owner's
// checkers only.
func (l *Layout) count(c Colour, index int) int {
	return max(0, int(l.Points[index])*int(c))
}

// Off is the number of checkers that c has borne off.
func (l *Layout) Off(c Colour) int {
	if c == O {
		return int(l.OffO)
	}
	return int(l.OffX)
}

// Bar is the number of checkers that c has on the bar.
func (l *Layout) Bar(c Colour) int { return l.count(c, barOf(c)) }

// distance is how many pips a checker of c on index still has to go.
func distance(c Colour, index int) int {
	if c == O {
		return index
	}
	return 25 - index
}

// Pips is the pip count of c; a checker on the bar counts 25.
func (l *Layout) Pips(c Colour) int {
	sum := 0
	for i := range l.Points {
		sum += l.count(c, i) * distance(c, i)
	}
	return sum
}

// farthest is the distance of c's rearmost checker, 0 when all are off.
func (l *Layout) farthest(c Colour) int {
	for d := 25; d > 0; d-- {
		index := d
		if c == X {
			index = 25 - d
		}
		if l.count(c, index) > 0 {
			return d
		}
	}
	return 0
}

// mayStep returns where a checker of c on from lands with this die, and whether it may move there.
func (l *Layout) mayStep(c Colour, from, die int) (Step, bool) {
	if l.count(c, from) == 0 {
		return Step{}, false
	}
	if from != barOf(c) && l.Bar(c) > 0 {
		return Step{}, false
	}
	to := from - die*int(c)
	if to >= 1 && to <= 24 {
		return Step{from, to}, int(l.Points[to])*int(c) >= -1
	}
	rear := l.farthest(c)
	if rear > 6 {
		return Step{}, false
	}
	away := distance(c, from)
	return Step{from, offOf(c)}, away == die || (away < die && away == rear)
}

// apply moves the checker; the step must be allowed.
func (l *Layout) apply(c Colour, s Step) {
	l.Points[s.From] -= int8(c)
	if s.To == offOf(c) {
		if c == O {
			l.OffO++
		} else {
			l.OffX++
		}
		return
	}
	if l.Points[s.To] == -int8(c) {
		l.Points[s.To] = 0
		l.Points[barOf(-c)] -= int8(c)
	}
	l.Points[s.To] += int8(c)
}

// diceOf lists the dice to play: two, or four after a double.
func diceOf(roll [2]int) []int {
	if roll[0] == roll[1] {
		return []int{roll[0], roll[0], roll[0], roll[0]}
	}
	return []int{roll[0], roll[1]}
}

// without returns a copy of dice without the one at i.
func without(dice []int, i int) []int {
	rest := make([]int, 0, 3)
	return append(append(rest, dice[:i]...), dice[i+1:]...)
}

// most is the largest number of these dice that c can play.
func (l *Layout) most(c Colour, dice []int) int {
	best := 0
	for i, die := range dice {
		if i > 0 && dice[i-1] == die {
			continue
		}
		rest := without(dice, i)
		for from := range l.Points {
			s, ok := l.mayStep(c, from, die)
			if !ok {
				continue
			}
			next := *l
			next.apply(c, s)
			best = max(best, 1+next.most(c, rest))
			if best == len(dice) {
				return best
			}
		}
	}
	return best
}

// Demand is what the rules ask of a roll.
type Demand struct {
	Steps int // single moves that must be made, 0 to 4
	Only  int // the die that must be used when just one of two can be, else 0
}

// demand returns how many steps c must play with the roll. If either of two different dice can
// be played, but not both, it must be the larger.
func (l *Layout) demand(c Colour, roll [2]int) Demand {
	d := Demand{Steps: l.most(c, diceOf(roll))}
	if d.Steps != 1 || roll[0] == roll[1] {
		return d
	}
	big, small := max(roll[0], roll[1]), min(roll[0], roll[1])
	if l.most(c, []int{big}) == 1 {
		d.Only = big
	} else {
		d.Only = small
	}
	return d
}

// play is one complete legal way to use a roll.
type play struct {
	result Layout
	steps  []Step
}

// plays lists legal plays with distinct results, at most limit of them.
// It serves forced moves, greedy bear-offs and tests.
func (l *Layout) plays(c Colour, roll [2]int, limit int) []play {
	want := l.demand(c, roll)
	if want.Steps == 0 {
		return nil
	}
	dice := diceOf(roll)
	if want.Only != 0 {
		dice = []int{want.Only}
	}
	var found []play
	type node struct {
		at   Layout
		left int
		die  int
	}
	seen := map[node]bool{}
	var walk func(at Layout, dice []int, steps []Step)
	walk = func(at Layout, dice []int, steps []Step) {
		if len(found) >= limit {
			return
		}
		if len(steps) == want.Steps {
			found = append(found, play{at, append([]Step(nil), steps...)})
			return
		}
		for i, die := range dice {
			if i > 0 && dice[i-1] == die {
				continue
			}
			rest := without(dice, i)
			for from := range at.Points {
				s, ok := at.mayStep(c, from, die)
				if !ok {
					continue
				}
				next := at
				next.apply(c, s)
				key := node{next, len(rest), 0}
				if len(rest) > 0 {
					key.die = rest[0]
				}
				if seen[key] {
					continue
				}
				seen[key] = true
				walk(next, rest, append(steps, s))
			}
		}
	}
	walk(*l, dice, make([]Step, 0, 4))
	return found
}

// winner returns the side that has borne off all checkers and the points before the cube: 1, 2
// for a gammon, 3 for a backgammon. It returns 0, 0 during the game.
func (l *Layout) winner() (Colour, int) {
	for _, c := range []Colour{O, X} {
		if l.Off(c) < checkersASide {
			continue
		}
		if l.Off(-c) > 0 {
			return c, 1
		}
		// The loser's checkers in the winner's home board or on the bar are
		// those that still have 19 pips or more to go.
		if l.farthest(-c) > 18 {
			return c, 3
		}
		return c, 2
	}
	return 0, 0
}

// sound reports whether each side owns exactly fifteen checkers and the bars
// hold their owners' only. Layouts read from disk are tested with it.
func (l *Layout) sound() bool {
	if l.Points[0] > 0 || l.Points[25] < 0 || l.OffO < 0 || l.OffX < 0 {
		return false
	}
	for _, c := range []Colour{O, X} {
		sum := l.Off(c)
		for i := range l.Points {
			sum += l.count(c, i)
		}
		if sum != checkersASide {
			return false
		}
	}
	return true
}

// ordinals number the parts of a move in FIBS's refusals.
var ordinals = [4]string{"first", "second", "third", "fourth"}

// rejection is a move that FIBS refuses; its text is the line the player sees.
type rejection string

func (r rejection) Error() string { return string(r) }

func reject(format string, args ...any) error {
	return rejection("** " + fmt.Sprintf(format, args...))
}

// word is one end of a step as typed: a number, the bar or off the board.
type word struct {
	point    int
	bar, off bool
}

// parseWord reads one end of a step. FIBS takes bar and b, home, h, off and o.
func parseWord(text string) (word, bool) {
	switch strings.ToLower(text) {
	case "bar", "b":
		return word{bar: true}, true
	case "home", "h", "off", "o":
		return word{off: true}, true
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 25 {
		return word{}, false
	}
	return word{point: n}, true
}

// splitMove cuts the arguments of a move command into words. Blanks, commas
// and dashes part them, so "13-7 8-7", "13 7 8 7" and "13 - 7, 8 - 7" agree.
// It ignores more words than any roll needs.
func splitMove(args string) []string {
	words := strings.FieldsFunc(args, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '-' || r == ','
	})
	if len(words) > 10 {
		words = words[:10]
	}
	return words
}

// readMove checks a typed move against the roll and returns its steps and the
// layout after it. The error is a rejection: the text for the player.
func (l *Layout) readMove(c Colour, roll [2]int, args string) ([]Step, Layout, error) {
	want := l.demand(c, roll)
	words := splitMove(args)
	for i, text := range words {
		if _, ok := parseWord(text); !ok {
			return nil, *l, reject("%s move: legal words are 'bar', 'home', 'off', 'b', 'h' and 'o'.", ordinals[min(i/2, 3)])
		}
	}
	if len(words)/2 < want.Steps {
		return nil, *l, reject("You must give %d moves.", want.Steps)
	}
	if len(words) > 2*want.Steps {
		return nil, *l, reject("Please don't give more than %d moves.", want.Steps)
	}
	dice := diceOf(roll)
	if want.Only != 0 {
		dice = []int{want.Only}
	}
	at := *l
	steps := make([]Step, 0, 4)
	for part := range want.Steps {
		from, _ := parseWord(words[2*part])
		to, _ := parseWord(words[2*part+1])
		s, used, err := at.readStep(c, dice, from, to, ordinals[part])
		if err != nil {
			return nil, *l, err
		}
		at.apply(c, s)
		steps = append(steps, s)
		dice = without(dice, used)
	}
	return steps, at, nil
}

// readStep checks one part of a move and returns the index of the die it uses.
func (l *Layout) readStep(c Colour, dice []int, from, to word, nth string) (Step, int, error) {
	s := Step{from.point, to.point}
	if from.bar || from.point == barOf(c) {
		s.From = barOf(c)
	} else if from.off || from.point == offOf(c) {
		return s, 0, reject("%s move: legal words are 'bar', 'home', 'off', 'b', 'h' and 'o'.", nth)
	}
	if to.off || to.point == offOf(c) {
		s.To = offOf(c)
	} else if to.bar || to.point == barOf(c) {
		return s, 0, reject("You can't move home in your %s move.", nth)
	}
	if l.Bar(c) > 0 && s.From != barOf(c) {
		return s, 0, reject("You have to remove pieces from the bar in your %s move.", nth)
	}
	if l.count(c, s.From) == 0 {
		if s.From == barOf(c) {
			return s, 0, reject("You can't move from the bar in your %s move.", nth)
		}
		return s, 0, reject("You can't move from %d in your %s move.", s.From, nth)
	}
	if s.To == offOf(c) {
		return l.readOff(c, dice, s, nth)
	}
	pips := (s.From - s.To) * int(c)
	if pips <= 0 {
		return s, 0, reject("You can't move home in your %s move.", nth)
	}
	for i, die := range dice {
		if die != pips {
			continue
		}
		if _, ok := l.mayStep(c, s.From, die); !ok {
			return s, 0, reject("You can't move to %d in your %s move.", s.To, nth)
		}
		return s, i, nil
	}
	return s, 0, reject("You can't move %d points in your %s move.", pips, nth)
}

// readOff finds the die that bears the checker off: the exact one where there
// is one, else the smallest that is large enough, so that a larger die stays
// for the next part.
func (l *Layout) readOff(c Colour, dice []int, s Step, nth string) (Step, int, error) {
	best := -1
	for i, die := range dice {
		got, ok := l.mayStep(c, s.From, die)
		if ok && got.To == s.To && (best < 0 || die < dice[best]) {
			best = i
		}
	}
	if best < 0 {
		return s, 0, reject("You can't remove this piece in your %s move.", nth)
	}
	return s, best, nil
}

// formatStep writes a step as FIBS prints it: "13-7", "bar-21", "6-off".
func formatStep(c Colour, s Step) string {
	from, to := strconv.Itoa(s.From), strconv.Itoa(s.To)
	if s.From == barOf(c) {
		from = "bar"
	}
	if s.To == offOf(c) {
		to = "off"
	}
	return from + "-" + to
}

// formatSteps joins the steps of a play with blanks.
func formatSteps(c Colour, steps []Step) string {
	parts := make([]string, len(steps))
	for i, s := range steps {
		parts[i] = formatStep(c, s)
	}
	return strings.Join(parts, " ")
}
