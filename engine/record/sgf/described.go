package sgf

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseContext reads what String wrote, or GNU Backgammon: record.Rollout.Settings. It
// knows the settings that reports show; false if the text is not such a description.
func ParseContext(text string) (*Context, bool) {
	head, rest, ok := strings.Cut(strings.TrimSpace(text), `"`)
	if !ok {
		return nil, false
	}
	name, rest, ok := strings.Cut(rest, `"`)
	f := strings.Fields(head)
	if !ok || len(f) != 13 || f[0] != "SK" || f[2] != "RC" {
		return nil, false
	}
	c := &Context{Generator: name}
	for i, on := range map[int]*bool{3: &c.Cubeful, 4: &c.VarianceReduction, 5: &c.Initial, 6: &c.Balanced, 7: &c.Late, 8: &c.Truncated, 10: &c.TwoSided, 11: &c.OneSided} {
		*on = f[i] != "0"
	}
	w := &words{rest: f[9] + " " + f[12] + " " + rest}
	c.TruncatePly, c.LatePly = w.int(), w.int()
	if c.Seed, ok = unsigned(w.next()); !ok || w.err != nil {
		return nil, false
	}
	for word := w.next(); word != ""; word = w.next() {
		if word == "asked" {
			c.Asked = max(0, w.int())
		}
		to := c.evaluator(word)
		if to == nil {
			continue // a filter
		}
		w.want("ver")
		w.want(version)
		w.plies(&to.Settings)
		to.Deterministic = w.int() != 0
		to.Noise = w.float()
		to.Prune = w.int() != 0
		if w.err != nil {
			return nil, false
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

// evaluator is where the settings that a word announces belong, nil for other words.
func (c *Context) evaluator(word string) *Evaluator {
	switch word {
	case "cube0":
		return &c.Cube[0]
	case "cube1":
		return &c.Cube[1]
	case "cheq0":
		return &c.Checker[0]
	case "cheq1":
		return &c.Checker[1]
	case "latecube0":
		return &c.LateCube[0]
	case "latecube1":
		return &c.LateCube[1]
	case "latecheq0":
		return &c.LateChecker[0]
	case "latecheq1":
		return &c.LateChecker[1]
	}
	return nil
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
