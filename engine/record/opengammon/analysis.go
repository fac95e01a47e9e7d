package opengammon

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"fibsbot/engine/record"
)

// The kinds of decision.
const (
	ofChecker = iota
	ofCube
	ofResignation
	ofRoll
)

// matchCurrency says that the equities of an analysis are match winning chances.
const matchCurrency = 2

// Limits of an analysis.
const (
	maxDecisions    = 1_000_000
	maxAlternatives = 1024
	keptCandidates  = 64
	maxComment      = 64 << 10
)

// decision is a judgement of one ply.
type decision struct {
	kind  int
	plays []alternative
	level level
	// Of a cube decision: equities or chances, those of the doubler, nil where one is
	// missing; probs are of the seat whose ply it is.
	cube  *[3]float64
	probs [5]float64
	luck  float64
	loss  *float64
	mwc   bool
}

// alternative is a play that was considered.
type alternative struct {
	steps  []byte
	equity float64
	probs  [5]float64
	level  level
	played bool
	stdErr float64
}

// level is how something was judged; each field from the innermost place that has it.
type level struct {
	preset         string
	checker, cube  int
	trials         int
	hasPly, rolled bool
}

func (l *level) settings(cube bool) record.Settings {
	s := record.Settings{Plies: l.checker, Cubeful: true, Deterministic: true}
	if cube && l.cube > 0 {
		s.Plies = l.cube
	}
	s.Level = cmp.Or(l.preset, fmt.Sprintf("%d-ply", s.Plies))
	return s
}

// level reads a level over the one it is inside of.
func (c *cursor) level(outer level) level {
	in, has := c.masked()
	l := outer
	if has(0) {
		l.preset = in.text()
	}
	if has(1) {
		l.checker, l.hasPly = min(in.varint(), 99), true
	}
	if has(2) {
		l.cube, l.hasPly = min(in.varint(), 99), true
	}
	if has(4) {
		l.rolled, l.trials = false, 0
	}
	if has(3) {
		ro, with := in.masked()
		l.rolled = true
		if with(0) {
			l.trials = min(ro.varint(), math.MaxInt32)
		}
		in.err = cmp.Or(in.err, ro.err)
	}
	c.err = cmp.Or(c.err, in.err)
	return l
}

// analysis reads the head of an analysis, to which the decisions that follow belong.
func (r *reader) analysis() {
	c, has := r.c.masked()
	c.bytes(16)
	r.level, r.mwc = level{}, false
	if has(0) {
		c.bytes(32)
	}
	if has(1) {
		c.varint()
	}
	if has(2) {
		r.level = c.level(level{})
	}
	if has(4) {
		for range min(c.varint(), maxDecisions) {
			if c.varint(); c.err != nil {
				break
			}
		}
	}
	for _, bit := range []int{5, 6} {
		if has(bit) {
			c.text()
		}
	}
	if has(7) {
		c.bytes(32)
	}
	if has(8) {
		c.text()
	}
	if has(9) {
		r.mwc = c.varint() == matchCurrency
	}
	if c.err != nil && r.c.err == nil {
		r.c.err = c.err
	}
}

// decisions reads the judgements of an analysis.
func (r *reader) decisions() {
	for r.c.more() {
		c, has := r.c.masked()
		ply, kind := c.varint(), c.varint()
		d := decision{kind: kind, level: r.level, mwc: r.mwc}
		switch kind {
		case ofChecker:
			d.checker(c, has)
		case ofCube:
			d.cubeful(c, has)
		case ofRoll:
			d.luck = c.equity()
		default:
			continue
		}
		if r.c.err = cmp.Or(r.c.err, c.err); r.c.err != nil {
			return
		}
		if r.total++; r.total > maxDecisions {
			return
		}
		r.judged[ply] = append(r.judged[ply], d)
	}
}

func (d *decision) checker(c *cursor, has func(int) bool) {
	if has(0) {
		n := c.varint()
		for i := 0; i < min(n, maxAlternatives) && c.err == nil; i++ {
			in, with := c.masked()
			a := alternative{steps: in.bytes(min(in.varint(), 64)), equity: in.equity(), level: d.level}
			if with(0) {
				a.probs = in.probs()
			}
			if with(1) {
				a.level = in.level(d.level)
			}
			a.played = with(2)
			if with(3) {
				a.stdErr = in.equity()
			}
			c.err = cmp.Or(c.err, in.err)
			d.plays = append(d.plays, a)
		}
	}
	if has(1) {
		c.varint()
	}
	if has(2) {
		c.equity()
	}
	if has(3) {
		v := c.loss()
		d.loss = &v
	}
	if has(4) {
		// The level of the decision comes after the plays that use it.
		was := d.level
		d.level = c.level(was)
		for i := range d.plays {
			if d.plays[i].level == was {
				d.plays[i].level = d.level
			}
		}
	}
}

func (d *decision) cubeful(c *cursor, has func(int) bool) {
	c.varint() // the verdict follows from the equities
	var v [3]float64
	all := true
	for i := range v {
		if !has(i) {
			all = false
			continue
		}
		v[i] = c.equity()
	}
	if has(3) {
		d.probs = c.probs()
	}
	if has(4) {
		x := c.loss()
		d.loss = &x
	}
	if has(5) {
		c.u16()
	}
	if has(7) {
		d.level = c.level(d.level)
	}
	if has(10) {
		c.equity()
	}
	if has(11) {
		d.mwc = c.varint() == matchCurrency
	}
	if all {
		d.cube = &v
	}
}

// notes reads comments: texts without a key, on the match, a game or a ply.
func (r *reader) notes() {
	for r.c.more() {
		c, has := r.c.masked()
		scope, ref := c.varint(), c.varint()
		n := c.varint()
		if n > maxComment {
			continue
		}
		value := strings.ToValidUTF8(string(c.bytes(n)), "\ufffd")
		if r.c.err = cmp.Or(r.c.err, c.err); r.c.err != nil {
			return
		}
		if has(0) && c.text() != "" || strings.TrimSpace(value) == "" || len(r.comments) > maxDecisions {
			continue
		}
		r.comments = append(r.comments, note{scope, ref, printable(value)})
	}
}

// note is a comment and what it is on: 0 the match, 1 a game, 2 a ply, 3 and 4 a
// decision of a ply.
type note struct {
	scope, ref int
	text       string
}

// printable is text without control characters but for its lines.
func printable(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return ' '
		}
		return r
	}, s))
}
