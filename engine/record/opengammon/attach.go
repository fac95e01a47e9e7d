package opengammon

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/charset"
)

// attach puts judgements and comments at the actions of the match.
func (r *reader) attach(m *record.Match) {
	at := map[place]int{}
	for ply, p := range r.plies {
		if p.action >= 0 {
			at[p] = ply
		}
	}
	for _, n := range r.comments {
		switch {
		case n.scope == 0:
			m.Comment = strings.TrimSpace(m.Comment + "\n" + n.text)
		case n.scope == 1 && n.ref < len(m.Games):
			g := &m.Games[n.ref]
			g.Comment = strings.TrimSpace(g.Comment + "\n" + n.text)
		case n.scope >= 2 && n.scope <= 4 && n.ref < len(r.plies):
			if p := r.plies[n.ref]; p.action >= 0 && p.game < len(m.Games) && p.action < len(m.Games[p.game].Actions) {
				a := &m.Games[p.game].Actions[p.action]
				a.Comment = strings.TrimSpace(a.Comment + "\n" + n.text)
			}
		}
	}
	if len(r.judged) == 0 {
		return
	}
	for i := range m.Games {
		for t := range m.Turns(&m.Games[i]) {
			ply, ok := at[place{i, t.Index}]
			if !ok {
				continue
			}
			for k := range r.judged[ply] {
				r.judged[ply][k].put(&t)
			}
		}
	}
}

// put adds a judgement to an action.
func (d *decision) put(t *record.Turn) {
	a := t.Action
	an := a.Analysis
	if an == nil {
		an = &record.Analysis{Played: -1}
	}
	rolls := a.Kind == record.Move || a.Kind == record.Roll
	switch {
	case d.kind == ofRoll && rolls && an.Luck == nil:
		luck := d.emg(t.State, d.luck)
		an.Luck = &luck
	case d.kind == ofChecker && rolls && len(an.Candidates) == 0:
		d.candidates(t, an)
	case d.kind == ofCube && an.Cube == nil && d.cube != nil:
		d.cubeAction(t, an)
	}
	if an.Cube != nil || an.Luck != nil || len(an.Candidates) > 0 {
		a.Analysis = an
	}
}

// emg is a difference of the decision's values in normalised equity.
func (d *decision) emg(st match.State, v float64) float64 {
	if d.mwc && st.Length > 0 {
		v /= match.DefaultTable().MWCPerEMG(st)
	}
	return v
}

func (d *decision) candidates(t *record.Turn, an *record.Analysis) {
	for i := range d.plays {
		x := &d.plays[i]
		pl, err := board.ParsePlay(t.Position, t.Action.Dice, play(t.Player, x.steps))
		if err != nil || pl.N == 0 || len(an.Candidates) >= keptCandidates && !x.played {
			continue
		}
		c := record.Candidate{Steps: append([]board.Step(nil), pl.Steps[:pl.N]...), Settings: x.level.settings(false)}
		eq := x.equity
		if d.mwc && t.State.Length > 0 {
			eq = match.DefaultTable().EMG(t.State, eq)
		}
		if math.Abs(eq) > 100 {
			continue
		}
		c.Outcome = outcome(x.probs, eq)
		if x.level.rolled && x.level.trials > 0 {
			c.Rollout = &record.Rollout{Trials: x.level.trials}
			c.Rollout.Sum(t.State, eq, d.emg(t.State, x.stdErr))
			c.Score = [2]float64{eq, c.Outcome.Cubeless}
		}
		if (x.played || pl.Result == t.Play.Result) && an.Played < 0 && t.Action.Kind == record.Move {
			an.Played = len(an.Candidates)
			if len(t.Action.Steps) > 0 {
				c.Steps = t.Action.Steps
			}
		}
		an.Candidates = append(an.Candidates, c)
	}
	if d.loss != nil && t.Action.Kind == record.Move && len(an.Candidates) > 0 {
		v := d.emg(t.State, *d.loss)
		an.Errors().Play = &v
	}
}

func outcome(p [5]float64, equity float64) record.Outcome {
	o := record.Outcome{Probs: p, Cubeful: equity}
	o.SumUp()
	return o
}

// cubeAction puts a cube decision at a roll, a double or the answer to one.
func (d *decision) cubeAction(t *record.Turn, an *record.Analysis) {
	st, probs := t.State, d.probs
	if k := t.Action.Kind; k == record.Take || k == record.Drop {
		// The equities are the doubler's, the chances those of who answers.
		st = st.Swap()
		if probs != [5]float64{} {
			probs = [5]float64{1 - probs[0], probs[3], probs[4], probs[1], probs[2]}
		}
	}
	eq := *d.cube
	table := match.DefaultTable()
	if st.Length > 0 && chances(eq) {
		// The pass is worth 1 by whatever table the writer used.
		lost := table.After(st, -st.Cube)
		half := (eq[2] - lost) / 2
		if half < 1e-6 {
			return
		}
		for i, v := range eq {
			eq[i] = 1 + (v-d.cube[2])/half
		}
	}
	for _, v := range eq {
		if math.Abs(v) > 100 {
			return
		}
	}
	c := &record.CubeAnalysis{Settings: d.level.settings(true), NoDouble: outcome(probs, 0), DoubleTake: outcome(probs, 0)}
	c.Value(st, eq)
	if d.level.rolled && d.level.trials > 0 {
		c.Rollout = &record.Rollout{Trials: d.level.trials}
	}
	an.Cube = c
	if d.loss != nil {
		v := d.emg(st, *d.loss)
		switch t.Action.Kind {
		case record.Take, record.Drop:
			an.Errors().Answer = &v
		default:
			an.Errors().Double = &v
		}
	}
}

// chances reports whether the three values of a cube decision in a match are winning
// chances, as they should be: some writers state another unit.
func chances(v [3]float64) bool {
	for _, x := range v {
		if x < 0 || x > 1 {
			return false
		}
	}
	return v != [3]float64{1, 1, 1}
}

var errCut = errors.New("the file ends inside a value")

// cursor reads the values of a section or of a record in it; the first error stays, for all
// cursors of the section.
type cursor struct {
	in  []byte
	at  int
	err *error
}

func (c *cursor) ok() bool { return *c.err == nil }

func (c *cursor) more() bool { return c.ok() && c.at < len(c.in) }

func (c *cursor) bytes(n int) []byte {
	if c.ok() && (n < 0 || n > len(c.in)-c.at) {
		*c.err = errCut
	}
	if !c.ok() {
		return make([]byte, min(max(n, 0), 256))
	}
	c.at += n
	return c.in[c.at-n : c.at]
}

func (c *cursor) byte() byte { return c.bytes(1)[0] }

func (c *cursor) varint() int {
	n, shift := 0, 0
	for {
		v := c.byte()
		n |= int(v&0x7f) << shift
		if v&0x80 == 0 || !c.ok() {
			return n
		}
		if shift += 7; shift > 42 {
			*c.err = errors.New("a number of more than 49 bits")
			return 0
		}
	}
}

func (c *cursor) text() string {
	n := c.varint()
	if n > 4096 {
		*c.err = fmt.Errorf("a text of %d bytes", n)
		return ""
	}
	return charset.OneLine(strings.ToValidUTF8(string(c.bytes(n)), "\ufffd"))
}

// record returns the contents of the next record and moves c past it.
func (c *cursor) record() *cursor {
	n := c.varint()
	return &cursor{in: c.bytes(n), err: c.err}
}

func (c *cursor) u16() int { return int(binary.LittleEndian.Uint16(c.bytes(2))) }

// equity is in millionths.
func (c *cursor) equity() float64 {
	return float64(int32(binary.LittleEndian.Uint32(c.bytes(4)))) / 1e6
}

func (c *cursor) loss() *float64 {
	v := float64(binary.LittleEndian.Uint32(c.bytes(4))) / 1e6
	return &v
}

func (c *cursor) probs() (out [5]float64) {
	for i := range out {
		out[i] = float64(c.u16()) / 10_000
	}
	return out
}

// masked opens a record with its mask of the fields that are there.
func (c *cursor) masked() (in *cursor, mask int) {
	in = c.record()
	return in, in.varint()
}

// fields reads the fields that a mask names, each with the function at the number of its bit.
func (c *cursor) fields(mask int, read ...func()) {
	for bit, field := range read {
		if mask>>bit&1 != 0 && field != nil && c.ok() {
			field()
		}
	}
}

// boards reads 26 counts from White's bar to Black's, White's positive.
func boards(b []byte) *[2]board.Checkers {
	var out [2]board.Checkers
	for i, v := range b {
		n := int(int8(v))
		switch {
		case n > board.MaxCheckers || n < -board.MaxCheckers || n > 0 && i == 25 || n < 0 && i == 0:
			return nil
		case n > 0:
			out[0][board.Bar-i] = uint8(n)
		case n < 0:
			out[1][i-1] = uint8(-n)
		}
	}
	return &out
}

// extras are the fields after a ply.
type extras struct {
	dice     board.Dice
	resign   int
	cube     int
	settled  float64
	steps    []byte
	board    *[2]board.Checkers
	action   int
	owner    int
	hasOwner bool
}

func (r *reader) extras() extras {
	c, mask := r.c.masked()
	x := extras{action: -1}
	c.fields(mask,
		func() { x.dice = board.Dice{A: c.byte(), B: c.byte()} },
		func() { x.resign = c.varint() },
		func() { x.cube = c.varint() },
		nil,
		func() { x.settled = c.equity() },
		func() { x.steps = c.bytes(min(c.varint(), 64)) },
		func() { x.board = boards(c.bytes(26)) },
		func() { x.action = c.varint() },
		func() { x.owner, x.hasOwner = c.varint(), true })
	return x
}
