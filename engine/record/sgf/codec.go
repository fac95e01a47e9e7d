package sgf

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"fibsbot/engine/record"
)

// codec reads or writes the words of a value, between blanks: its methods read the next word, or
// write it if out is set. So each layout is described once.
type codec struct {
	in   string // what is left to read
	err  error  // the first one in it
	sums bool   // of statistics: a sum with something infinite in it counts as 0

	out   io.StringWriter // keeps its errors, as a bufio.Writer does
	begun bool            // a word was written
}

func (c *codec) next() string {
	c.in = strings.TrimLeft(c.in, " \t\n")
	i := strings.IndexAny(c.in, " \t\n")
	if i < 0 {
		i = len(c.in)
	}
	word := c.in[:i]
	c.in = c.in[i:]
	return word
}

func (c *codec) put(word string) {
	if c.begun {
		word = " " + word
	}
	c.begun = true
	_, _ = c.out.WriteString(word)
}

func (c *codec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// words are those that a layout has at this place.
func (c *codec) words(want ...string) {
	for _, word := range want {
		if c.out != nil {
			c.put(word)
		} else if got := c.next(); got != word {
			c.fail("%q where %q should be", clip(got), word)
		}
	}
}

// finite reports whether v is a number.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// float is a number, written by format.
func (c *codec) float(v *float64, format func(float64) string) {
	if c.out != nil {
		c.put(format(*v))
		return
	}
	word := c.next()
	x, err := strconv.ParseFloat(word, 64)
	switch {
	case err == nil && finite(x):
	case err == nil && c.sums:
		x = 0
	default:
		c.fail("%q is not a number", clip(word))
	}
	*v = x
}

// fixed writes the numbers of evaluations, general those of rollouts, as C's %.10g does.
func fixed(v float64) string   { return strconv.FormatFloat(v, 'f', 6, 64) }
func general(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }

func (c *codec) int(v *int) {
	if c.out != nil {
		c.put(strconv.Itoa(*v))
		return
	}
	word := c.next()
	x, err := strconv.Atoi(word)
	if err != nil {
		c.fail("%q is not a number", clip(word))
	}
	*v = x
}

// flag is 1 or 0.
func (c *codec) flag(v *bool) {
	n := 0
	if *v {
		n = 1
	}
	c.int(&n)
	*v = n != 0
}

func (c *codec) outcome(o *record.Outcome, format func(float64) string) {
	c.probs(o, format)
	c.float(&o.Cubeless, format)
	c.float(&o.Cubeful, format)
}

func (c *codec) probs(o *record.Outcome, format func(float64) string) {
	for i := range o.Probs {
		c.float(&o.Probs[i], format)
	}
}

// plies is a word such as 2C.
func (c *codec) plies(s *record.Settings) {
	if c.out != nil {
		word := strconv.Itoa(s.Plies)
		if s.Cubeful {
			word += "C"
		}
		c.put(word)
		return
	}
	word := c.next()
	digits, cubeful := strings.CutSuffix(word, "C")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > 99 {
		c.fail("%q where the plies should be", clip(word))
	}
	s.Plies, s.Cubeful = n, cubeful
}

// meaning is the rest of the settings behind the plies.
func (c *codec) meaning(s *record.Settings) {
	c.flag(&s.Deterministic)
	c.float(&s.Noise, fixed)
	c.flag(&s.Prune)
}

func (c *codec) settings(s *record.Settings) {
	c.plies(s)
	c.meaning(s)
}

// version is that of the layouts of gnubg.
func (c *codec) version() { c.words("ver", "3") }

// kind is E for an evaluation and X for a rollout, which it adds to read it.
func (c *codec) kind(ro **record.Rollout) {
	word := "E"
	if *ro != nil {
		word = "X"
	}
	if c.out != nil {
		c.put(word)
	} else if word = c.next(); word == "X" {
		*ro = &record.Rollout{}
	} else if word != "E" {
		c.fail("kind %q", clip(word))
	}
	c.version()
}

// description is how a rollout was made, the rest of the value.
func (c *codec) description(ro *record.Rollout) {
	if c.out != nil {
		c.put(escape.Replace(ro.Settings))
	} else {
		ro.Settings = strings.TrimSpace(c.in)
	}
}

// cube is the value of DA.
func (c *codec) cube(x *record.CubeAnalysis) {
	c.kind(&x.Rollout)
	ro := x.Rollout
	if ro == nil {
		c.settings(&x.Settings)
		c.outcome(&x.NoDouble, fixed)
		c.outcome(&x.DoubleTake, fixed)
		return
	}
	c.words("Eq", "Trials")
	c.int(&ro.Trials)
	for i, name := range []string{"NoDouble", "DoubleTake"} {
		c.words(name, "Output")
		c.outcome([]*record.Outcome{&x.NoDouble, &x.DoubleTake}[i], general)
		c.words("StdDev")
		c.outcome(&ro.StdErr[i], general)
	}
	c.description(ro)
}

// candidate is a value of A.
func (c *codec) candidate(player int, x *record.Candidate) {
	if c.out != nil {
		c.put(letters(player, x.Steps))
	} else if x.Steps, c.err = parseSteps(player, c.next()); c.err != nil {
		return
	}
	c.kind(&x.Rollout)
	ro := x.Rollout
	if ro == nil {
		c.probs(&x.Outcome, fixed)
		c.float(&x.Outcome.Cubeful, fixed)
		c.plies(&x.Settings)
		c.int(new(int)) // always 0
		c.meaning(&x.Settings)
		return
	}
	c.words("Score")
	c.float(&x.Score[0], general)
	c.float(&x.Score[1], general)
	c.words("Trials")
	c.int(&ro.Trials)
	c.words("Output")
	// In a match the output is a winning chance; the score, by which plays are ranked, is the
	// equity that evaluations have too.
	out := x.Outcome
	out.Cubeful = ro.Output
	c.outcome(&out, general)
	if c.out == nil {
		x.Outcome, ro.Output, x.Outcome.Cubeful = out, out.Cubeful, x.Score[0]
	}
	c.words("StdDev")
	c.outcome(&ro.StdErr[0], general)
	c.description(ro)
}

// resigned is the value of resignedProperty.
func (c *codec) resigned(x *record.Resigned) {
	c.settings(&x.Settings)
	c.float(&x.PlayOn, fixed)
	c.float(&x.Given, fixed)
}

// statistics are a part of GS: counts of White and Black in turn, then the costs of White and of
// Black.
func (c *codec) statistics(s *[2]record.Statistics, p *statisticPart) {
	white, black := p.counts(&s[0]), p.counts(&s[1])
	for i := range white {
		c.int(white[i])
		c.int(black[i])
	}
	for player := range s {
		for _, cost := range p.costs(&s[player]) {
			c.float(&cost.EMG, fixed)
			c.float(&cost.Value, fixed)
		}
	}
}
