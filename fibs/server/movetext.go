package server

import (
	"fmt"
	"strconv"
	"strings"
)

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
