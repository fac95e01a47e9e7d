package clip

import (
	"strconv"
	"strings"
)

// cursor walks along a line. Every method moves it and reports whether the
// line went on as asked; after a false its place is undefined.
type cursor struct{ s string }

// lit takes the literal t.
func (c *cursor) lit(t string) bool {
	if !strings.HasPrefix(c.s, t) {
		return false
	}
	c.s = c.s[len(t):]
	return true
}

// opt takes t if it is there.
func (c *cursor) opt(t string) bool {
	c.s = strings.TrimPrefix(c.s, t)
	return true
}

// blanks takes any number of blanks.
func (c *cursor) blanks() bool {
	for c.s != "" && (c.s[0] == ' ' || c.s[0] == '\t') {
		c.s = c.s[1:]
	}
	return true
}

// name takes a player's name.
func (c *cursor) name(into *string) bool {
	return c.nameOrNone(into) && *into != ""
}

// nameOrNone takes a player's name, or nothing: a compatible server with a
// defect leaves the name out.
func (c *cursor) nameOrNone(into *string) bool {
	i := 0
	for i < len(c.s) && isNameByte(c.s[i]) {
		i++
	}
	*into, c.s = c.s[:i], c.s[i:]
	return true
}

// word takes everything up to the next blank.
func (c *cursor) word(into *string) bool {
	i := strings.IndexByte(c.s, ' ')
	if i < 0 {
		i = len(c.s)
	}
	*into, c.s = c.s[:i], c.s[i:]
	return i > 0
}

// time takes a Unix time.
func (c *cursor) time(into *int64) bool {
	var word string
	c.word(&word)
	n, err := strconv.ParseInt(word, 10, 64)
	*into = n
	return err == nil
}

// num takes a number without sign.
func (c *cursor) num(into *int) bool {
	i := 0
	for i < len(c.s) && isDigit(c.s[i]) {
		i++
	}
	n, ok := parseNumber(c.s[:i])
	*into, c.s = n, c.s[i:]
	return ok
}

// decimal takes a number with an optional sign and decimal point.
func (c *cursor) decimal() bool {
	i := 0
	for i < len(c.s) && (isDigit(c.s[i]) || c.s[i] == '.' || i == 0 && c.s[i] == '-') {
		i++
	}
	// A full stop behind the number belongs to the sentence.
	for i > 0 && c.s[i-1] == '.' {
		i--
	}
	_, ok := parseDecimal(c.s[:i])
	c.s = c.s[i:]
	return ok
}

// die takes one die.
func (c *cursor) die(into *uint8) bool {
	if c.s == "" || c.s[0] < '1' || c.s[0] > '6' {
		return false
	}
	*into, c.s = c.s[0]-'0', c.s[1:]
	return c.s == "" || !isDigit(c.s[0])
}

// points takes "1 point" or "2 points".
func (c *cursor) points(into *int) bool {
	return c.num(into) && c.lit(" point") && c.opt("s")
}

// upTo takes everything up to the literal t, or to the end if t is empty.
func (c *cursor) upTo(t string, into *string) bool {
	i := len(c.s)
	if t != "" {
		i = strings.Index(c.s, t)
	}
	if i < 0 {
		return false
	}
	*into, c.s = c.s[:i], c.s[i:]
	return true
}

// rest takes all that is left.
func (c *cursor) rest(into *string) bool {
	*into, c.s = c.s, ""
	return true
}

// dot takes an optional full stop with blanks around it, and must be at the
// end then.
func (c *cursor) dot() bool { return c.blanks() && c.opt(".") && c.end() }

// end reports whether nothing but blanks is left.
func (c *cursor) end() bool { return c.blanks() && c.s == "" }

// step takes one from-to pair: bar or a point, a dash, off, home or a point.
func (c *cursor) step(into *Step) bool {
	n := 0
	switch {
	case c.lit("bar"):
		into.From = Bar
	case !c.num(&n) || n > Bar:
		return false
	case n == Off || n == Bar:
		// A compatible server writes its own number for the bar.
		into.From = Bar
	default:
		into.From = uint8(n)
	}
	switch {
	case !c.lit("-"):
		return false
	case c.lit("off"), c.lit("home"):
		into.To = Off
		return true
	default:
		return c.point(&into.To)
	}
}

// point takes a point of 1 to 24.
func (c *cursor) point(into *uint8) bool {
	n := 0
	if !c.num(&n) || n < 1 || n > 24 {
		return false
	}
	*into = uint8(n)
	return true
}

// ParseSteps reads the steps of a command "move", such as "24-18 bar-21 6-off".
func ParseSteps(text string) (list Steps, ok bool) {
	c := cursor{s: text}
	ok = c.steps(&list) && c.s == ""
	return list, ok
}

// steps takes up to four steps, each followed by blanks or the end.
func (c *cursor) steps(into *Steps) bool {
	*into = Steps{}
	for c.blanks(); c.s != "" && (isDigit(c.s[0]) || c.s[0] == 'b'); c.blanks() {
		if into.N == MaxSteps || !c.step(&into.List[into.N]) {
			return false
		}
		into.N++
		if c.s != "" && c.s[0] != ' ' && c.s[0] != '.' {
			return false
		}
	}
	return true
}

// length takes a number of points, or "unlimited".
func (c *cursor) length(into *int) bool {
	if c.lit("unlimited") || c.lit("unlimted") {
		*into = Unlimited
		return true
	}
	return c.num(into)
}

// matchLength takes the words between "a" and "match": "a 5 point", "an
// unlimited"; one catalogue spells it "unlimted".
func (c *cursor) matchLength(into *int) bool {
	if c.lit("an ") {
		return c.length(into) && *into == Unlimited
	}
	return c.lit("a ") && c.num(into) && c.lit(" point")
}

// bearOffs takes the checkers of a greedy bear-off, such as "4 o 4 o", and a full stop.
func (c *cursor) bearOffs(into *Steps) bool {
	for c.s != "" && isDigit(c.s[0]) {
		if into.N == MaxSteps || !c.point(&into.List[into.N].From) || !c.lit(" o") {
			return false
		}
		into.N++
		c.blanks()
	}
	return into.N > 0 && c.opt(".") && c.blanks()
}

// ordinal takes "first" to "fourth".
func (c *cursor) ordinal(into *int) bool {
	for i, w := range [...]string{"first", "second", "third", "fourth"} {
		if c.lit(w) {
			*into = i + 1
			return true
		}
	}
	return false
}
