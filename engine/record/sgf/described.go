package sgf

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseContext reads what String wrote, or GNU Backgammon: record.Rollout.Settings. It
// knows the settings that reports show; false if the text is not such a description.
func ParseContext(text string) (*Context, bool) {
	head, rest, quoted := strings.Cut(strings.TrimSpace(text), `"`)
	name, rest, closed := strings.Cut(rest, `"`)
	c, w := &Context{Generator: name}, codec{in: head}
	c.head(&w)
	if !quoted || !closed || w.err != nil || strings.TrimSpace(w.in) != "" {
		return nil, false
	}
	w.in = rest
	var ok bool
	if c.Seed, ok = unsigned(w.next()); !ok {
		return nil, false
	}
	places := c.evaluators()
	for word := w.next(); word != ""; word = w.next() {
		if word == "asked" {
			w.int(&c.Asked)
			c.Asked = max(0, c.Asked)
		}
		if to := places[word]; to != nil { // else a filter
			w.version()
			w.settings(&to.Settings)
			if w.err != nil {
				return nil, false
			}
		}
	}
	return c, true
}

// unsigned reads a seed, which gnubg keeps in 32 bits and may write below 0.
func unsigned(s string) (uint64, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n < 0 {
		return uint64(uint32(n)), true
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil
}

// evaluators are where the settings that a word announces belong.
func (c *Context) evaluators() map[string]*Evaluator {
	out := map[string]*Evaluator{}
	for i, player := range [2]string{"0", "1"} {
		out["cube"+player], out["cheq"+player] = &c.Cube[i], &c.Checker[i]
		out["latecube"+player], out["latecheq"+player] = &c.LateCube[i], &c.LateChecker[i]
	}
	return out
}

// Words describes a rollout as players do: "cubeful, variance reduction,
// checker 2-ply, cube 2-ply, truncated at 11 plies, seed 77".
func (c *Context) Words() string {
	var out []string
	say := func(on bool, format string, args ...any) {
		if on {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	say(c.Cubeful, "cubeful")
	say(!c.Cubeful, "cubeless")
	say(c.VarianceReduction, "variance reduction")
	both := func(e *[2]Evaluator) string {
		if e[0].Plies == e[1].Plies {
			return fmt.Sprintf("%d-ply", e[0].Plies)
		}
		return fmt.Sprintf("%d- and %d-ply", e[0].Plies, e[1].Plies)
	}
	say(true, "checker %s", both(&c.Checker))
	say(c.Cubeful, "cube %s", both(&c.Cube))
	say(c.Late, "from ply %d checker %s", c.LatePly, both(&c.LateChecker))
	say(c.Late && c.Cubeful, "cube %s", both(&c.LateCube))
	switch {
	case c.Truncated:
		say(true, "truncated at %d plies", c.TruncatePly)
	case c.TwoSided && c.OneSided:
		say(true, "ended by the bearoff databases")
	case c.TwoSided:
		say(true, "ended by the two-sided bearoff database")
	case c.OneSided:
		say(true, "ended by the one-sided bearoff database")
	default:
		say(true, "played to the end")
	}
	say(c.Initial, "as first position of a game")
	say(true, "seed %d", c.Seed)
	return strings.Join(out, ", ")
}

// RolloutWords are the Words of a rollout's settings, empty where the file has none.
func RolloutWords(settings string) string {
	if c, ok := ParseContext(settings); ok {
		return c.Words()
	}
	return ""
}
