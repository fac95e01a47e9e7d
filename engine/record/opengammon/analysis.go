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
	preset        string
	checker, cube int
	trials        int
	rolled        bool
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
func (c *cursor) level(l level) level {
	in, mask := c.masked()
	if mask>>4&1 != 0 {
		l.rolled, l.trials = false, 0
	}
	in.fields(mask,
		func() { l.preset = in.text() },
		func() { l.checker = min(in.varint(), 99) },
		func() { l.cube = min(in.varint(), 99) },
		func() {
			ro, with := in.masked()
			l.rolled = true
			ro.fields(with, func() { l.trials = min(ro.varint(), math.MaxInt32) })
		})
	return l
}

// analysis reads the head of an analysis, to which the decisions that follow belong.
func (r *reader) analysis() {
	c, mask := r.c.masked()
	c.bytes(16)
	r.level, r.mwc = level{}, false
	c.fields(mask,
		func() { c.bytes(32) },
		func() { c.varint() },
		func() { r.level = c.level(level{}) },
		nil,
		func() {
			for n := min(c.varint(), maxDecisions); n > 0 && c.ok(); n-- {
				c.varint()
			}
		},
		func() { c.text() },
		func() { c.text() },
		func() { c.bytes(32) },
		func() { c.text() },
		func() { r.mwc = c.varint() == matchCurrency })
}

// decisions reads the judgements of an analysis.
func (r *reader) decisions() {
	for r.c.more() {
		c, mask := r.c.masked()
		ply, kind := c.varint(), c.varint()
		d := decision{kind: kind, level: r.level, mwc: r.mwc}
		switch kind {
		case ofChecker:
			d.checker(c, mask)
		case ofCube:
			d.cubeful(c, mask)
		case ofRoll:
			d.luck = c.equity()
		default:
			continue
		}
		if !c.ok() {
			return
		}
		if r.total++; r.total > maxDecisions {
			return
		}
		r.judged[ply] = append(r.judged[ply], d)
	}
}

func (d *decision) checker(c *cursor, mask int) {
	c.fields(mask,
		func() { d.alternatives(c) },
		func() { c.varint() },
		func() { c.equity() },
		func() { d.loss = c.loss() },
		func() {
			// The level of the decision comes after the plays that use it.
			was := d.level
			d.level = c.level(was)
			for i := range d.plays {
				if d.plays[i].level == was {
					d.plays[i].level = d.level
				}
			}
		})
}

// alternatives reads the plays that were considered.
func (d *decision) alternatives(c *cursor) {
	n := c.varint()
	for i := 0; i < min(n, maxAlternatives) && c.ok(); i++ {
		in, mask := c.masked()
		a := alternative{steps: in.bytes(min(in.varint(), 64)), equity: in.equity(), level: d.level}
		in.fields(mask,
			func() { a.probs = in.probs() },
			func() { a.level = in.level(d.level) },
			func() { a.played = true },
			func() { a.stdErr = in.equity() })
		d.plays = append(d.plays, a)
	}
}

func (d *decision) cubeful(c *cursor, mask int) {
	c.varint() // the verdict follows from the equities
	var v [3]float64
	c.fields(mask,
		func() { v[0] = c.equity() },
		func() { v[1] = c.equity() },
		func() { v[2] = c.equity() },
		func() { d.probs = c.probs() },
		func() { d.loss = c.loss() },
		func() { c.u16() },
		nil,
		func() { d.level = c.level(d.level) },
		nil, nil,
		func() { c.equity() },
		func() { d.mwc = c.varint() == matchCurrency })
	if mask&7 == 7 {
		d.cube = &v
	}
}

// notes reads comments: texts without a key, on the match, a game or a ply.
func (r *reader) notes() {
	for r.c.more() {
		c, mask := r.c.masked()
		scope, ref := c.varint(), c.varint()
		n := c.varint()
		if n > maxComment {
			continue
		}
		value := strings.ToValidUTF8(string(c.bytes(n)), "\ufffd")
		if !c.ok() {
			return
		}
		if mask&1 != 0 && c.text() != "" || strings.TrimSpace(value) == "" || len(r.comments) > maxDecisions {
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
