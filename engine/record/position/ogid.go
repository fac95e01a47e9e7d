package position

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// FromOGID makes a match of an OGID without its "OGID=". White is player 0, Black
// player 1; both are given in one numbering, in which White moves up from 0, his bar.
// The error names the field.
func FromOGID(id string) (*record.Match, error) {
	f := strings.Split(id, ":")
	if len(f) < 3 || len(f) > 11 {
		return nil, fmt.Errorf("OGID: %d fields, want 3 to 11", len(f))
	}
	for len(f) < 11 {
		f = append(f, "")
	}
	var d record.Diagram
	for side := range 2 {
		for _, c := range f[side] {
			n := strings.IndexRune("0123456789abcdefghijklmnopq", c)
			i := n - 1 // Black's own index
			if side == 0 {
				i = board.Bar - n
			}
			switch {
			case n < 0:
				return nil, fmt.Errorf("OGID: %q is no point", c)
			case c == 'q' || i < 0:
				continue // off
			case i > board.Bar || d.Boards[side].Count() == board.MaxCheckers:
				return nil, fmt.Errorf("OGID: checkers %q", f[side])
			}
			d.Boards[side][i]++
		}
	}
	cube := f[2]
	exp, err := strconv.Atoi(cube[1 : len(cube)-1])
	if len(cube) < 3 || err != nil || exp < 0 || exp > 15 {
		return nil, fmt.Errorf("OGID: cube %q", cube)
	}
	d.Cube, d.Owner = 1<<exp, record.NoPlayer
	switch cube[0] {
	case 'W':
		d.Owner = 0
	case 'B':
		d.Owner = 1
	}
	offered := cube[len(cube)-1] == 'O'
	// The field names who reached the position: the other one is to act, but for a
	// double, where it names the doubler.
	d.OnRoll = 0
	if f[4] == "W" {
		d.OnRoll = 1
	}
	if offered {
		d.OnRoll = 1 - d.OnRoll
	}
	if v := f[3]; len(v) == 2 && !offered {
		d.Dice = board.Dice{A: v[0] - '0', B: v[1] - '0'}
	}
	d.Score[0], _ = strconv.Atoi(f[6])
	d.Score[1], _ = strconv.Atoi(f[7])
	length, _, session := strings.Cut(f[8], "G")
	if session {
		length = ""
	}
	d.Crawford = strings.HasSuffix(length, "C")
	if length = strings.TrimRight(length, "CL"); length != "" {
		if d.Length, err = strconv.Atoi(length); err != nil {
			return nil, fmt.Errorf("OGID: match length %q", f[8])
		}
	}
	if d.Length == 0 {
		// The ID names no rules: those of money play are taken for granted.
		d.Jacoby, d.Beavers, d.Score = true, match.DefaultBeavers, [2]int{}
	}
	m, err := d.Match()
	if err != nil {
		return nil, fmt.Errorf("OGID: %w", err)
	}
	if offered {
		m.Games[0].Actions = append(m.Games[0].Actions, record.Action{Kind: record.Double, Player: d.OnRoll})
	}
	return m, nil
}

// OGID writes a situation with the given player on roll: player 0 is White.
func OGID(s match.Situation, onRoll int) string {
	onRoll &= 1
	var side [2]board.Checkers
	side[onRoll], side[1-onRoll] = s.Position.Me, s.Position.Opp
	const digits = "0123456789abcdefghijklmnopq"
	var checkers [2]string
	for i := range 25 {
		// Ascending in the one numbering: White from his bar, Black from his ace point.
		checkers[0] += strings.Repeat(digits[i:i+1], int(side[0][board.Bar-i]))
		checkers[1] += strings.Repeat(digits[i+1:i+2], int(side[1][i]))
	}
	name := [2]string{"W", "B"}
	owner := "N"
	switch s.State.Owner {
	case match.Mine:
		owner = name[onRoll]
	case match.Theirs:
		owner = name[1-onRoll]
	}
	action, state, who, dice := "N", "C", name[1-onRoll], ""
	switch {
	case s.Doubled:
		action, state, who = "O", "D", name[onRoll]
	case s.Dice.Valid():
		d := s.Dice.Sorted()
		dice, state = fmt.Sprintf("%d%d", d.A, d.B), "R"
	}
	var score [2]int
	score[onRoll], score[1-onRoll] = s.State.Score[0], s.State.Score[1]
	length := strconv.Itoa(s.State.Length)
	if a, b := s.State.Away(); s.State.Length > 0 {
		if s.State.Crawford {
			length += "C"
		} else if a == 1 || b == 1 {
			length += "L"
		}
	}
	return fmt.Sprintf("OGID=%s:%s:%s%d%s:%s:%s:%s:%d:%d:%s:0", checkers[0], checkers[1], owner, bits.Len(uint(s.State.Cube))-1, action,
		dice, who, state, score[0], score[1], length)
}

// XGID writes a situation with the given player on roll; player 1 is XG's X, the
// upper-case side below.
func XGID(s match.Situation, onRoll int) string {
	if onRoll == 1 {
		return s.XGID()
	}
	// match writes the player on roll below: exchange the sides of its text.
	f := strings.Split(strings.TrimPrefix(s.XGID(), "XGID="), ":")
	b := make([]byte, len(f[0]))
	for i := range f[0] {
		c := f[0][len(f[0])-1-i]
		switch {
		case c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		b[i] = c
	}
	f[0] = string(b)
	for _, i := range []int{2, 3} {
		switch f[i] {
		case "1":
			f[i] = "-1"
		case "-1":
			f[i] = "1"
		}
	}
	f[5], f[6] = f[6], f[5]
	return "XGID=" + strings.Join(f, ":")
}

// WriteXGID writes every decision of a match as an XGID a line; of a position alone,
// that. The error is w's.
func WriteXGID(w io.Writer, m *record.Match) error { return write(w, m, XGID) }

// WriteOGID writes every decision of a match as an OGID a line; of a position alone,
// that. The error is w's.
func WriteOGID(w io.Writer, m *record.Match) error { return write(w, m, OGID) }

func write(w io.Writer, m *record.Match, id func(match.Situation, int) string) error {
	if m == nil {
		return record.ErrNoMatch
	}
	out := bufio.NewWriter(w)
	for i := range m.Games {
		g := &m.Games[i]
		n := 0
		for t := range m.Turns(g) {
			s := match.Situation{Position: t.Position, State: t.State}
			who := t.Player
			switch t.Action.Kind {
			case record.Move:
				s.Dice = t.Action.Dice
			case record.Double:
				if t.Pending > 0 {
					continue // no ID holds a beaver
				}
			case record.Take, record.Drop:
				if t.Pending != 1 {
					continue
				}
				who, s.Position, s.State, s.Doubled = 1-who, s.Position.Swap(), s.State.Swap(), true
			default:
				continue
			}
			if s.State.Length == 0 {
				s.State.Score = [2]int{}
			}
			fmt.Fprintln(out, id(s, who))
			n++
		}
		if n == 0 {
			s, who := Last(m, g)
			fmt.Fprintln(out, id(s, who))
		}
	}
	return out.Flush()
}
