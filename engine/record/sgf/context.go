package sgf

import (
	"fmt"
	"strings"

	"fibsbot/engine/record"
)

// Context says how a rollout was made, as files keep it in record.Rollout.Settings.
// Fields with two values are those of player 0 and player 1.
type Context struct {
	Cubeful, VarianceReduction bool
	// Initial never rolls a double first; Balanced deals the first rolls evenly.
	Initial, Balanced bool
	// Truncated ends a game after TruncatePly plies.
	Truncated   bool
	TruncatePly int
	// TwoSided and OneSided end a game in the bearoff databases.
	TwoSided, OneSided bool
	// Late has the late evaluators decide from LatePly on.
	Late    bool
	LatePly int
	// Generator and Seed are those of the dice.
	Generator string
	Seed      uint64
	// Asked is how many trials were asked for, of which a clear decision has fewer; 0 where
	// the file does not tell, as gnubg's.
	Asked int

	Cube, Checker         [2]Evaluator
	LateCube, LateChecker [2]Evaluator
	// CubeEnd and CheckerEnd value a truncated game.
	CubeEnd, CheckerEnd record.Settings
}

// Evaluator is how decisions are made.
type Evaluator struct {
	record.Settings
	// Filter has a cut for each ply of the look-ahead of plays.
	Filter []Cut
}

// Cut is a level of a move filter: the best Accept plays go on, and up to Extra
// more that are at most Threshold (EMG) behind. A negative Accept skips the level.
type Cut struct {
	Accept, Extra int
	Threshold     float64
}

// String writes the context in gnubg's words, and last the trials asked for, which gnubg
// does not look at. gnubg has generators of its own and reads every other name as that of
// its Mersenne Twister.
func (c *Context) String() string {
	var b strings.Builder
	c.head(&codec{out: &b})
	// The blanks, too, are gnubg's.
	fmt.Fprintf(&b, " %q %d ", c.Generator, c.Seed)
	for _, v := range []struct {
		prefix        string
		cube, checker *[2]Evaluator
	}{{"", &c.Cube, &c.Checker}, {"late", &c.LateCube, &c.LateChecker}} {
		for i := range 2 {
			fmt.Fprintf(&b, " %scube%d %s  %scheq%d %s", v.prefix, i, evaluator(&v.cube[i].Settings), v.prefix, i, evaluator(&v.checker[i].Settings))
			if f := v.checker[i].Filter; len(f) > 0 {
				fmt.Fprintf(&b, " %sfilt%d", v.prefix, i)
				for _, cut := range f {
					fmt.Fprintf(&b, " %d %d %.5f", cut.Accept, cut.Extra, cut.Threshold)
				}
				b.WriteString(" ")
			}
		}
	}
	fmt.Fprintf(&b, " cubetrunc %s cheqtrunc %s", evaluator(&c.CubeEnd), evaluator(&c.CheckerEnd))
	if c.Asked > 0 {
		fmt.Fprintf(&b, " asked %d", c.Asked)
	}
	return b.String()
}

// head is what stands before the generator.
func (c *Context) head(w *codec) {
	w.words("SK")
	w.int(new(int))
	w.words("RC")
	for _, on := range []*bool{&c.Cubeful, &c.VarianceReduction, &c.Initial, &c.Balanced, &c.Late, &c.Truncated} {
		w.flag(on)
	}
	w.int(&c.TruncatePly)
	w.flag(&c.TwoSided)
	w.flag(&c.OneSided)
	w.int(&c.LatePly)
}

func evaluator(s *record.Settings) string {
	var b strings.Builder
	w := codec{out: &b}
	w.version()
	w.settings(s)
	return b.String()
}
