// Package jellyfish reads the position files (.pos) of Jellyfish, as GNU
// Backgammon writes them.
//
// The layout was found by comparing files that gnubg 1.07 wrote for known
// positions: numbers of two bytes, low byte first, then two names with a length
// byte before each, eleven bytes with the Crawford game and the dice, and the 26
// points from player 1's bar to player 0's bar, each twice, with 20 added and
// player 0's checkers negative.
package jellyfish

import (
	"encoding/binary"
	"fmt"
	"io"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// Magic are the first two bytes of a file as gnubg writes it. Other versions of
// Jellyfish have 124 or 125 for the first.
const Magic = "\x7e\x00"

// Is reports whether a file begins as a position does.
func Is(head []byte) bool {
	return len(head) >= 2 && head[0] >= 0x7c && head[0] <= 0x7e && head[1] == 0
}

const (
	header  = 36 // 18 numbers
	middle  = 11
	points  = 26
	offset  = 20
	maxFile = header + 2*256 + middle + 4*points + 16
)

// Read reads a position as a match of one game that begins with it. It warns about numbers that
// contradict each other. Errors are *record.SyntaxError, with the byte as the
// column, or of r.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, nil, err
	}
	f := file{b: b}
	for _, part := range []func() error{f.magic, f.numbers, f.names, f.board} {
		if err := part(); err != nil {
			return nil, nil, err
		}
	}
	for _, text := range f.d.Odd() {
		f.tell("%s", text)
	}
	m, err := f.d.Match()
	if err != nil {
		return nil, nil, f.bad("%v", err)
	}
	return m, f.warnings, nil
}

// file is a file being read; its methods read one part after the other.
type file struct {
	b        []byte
	at       int // the byte that is read next
	d        record.Diagram
	rolled   bool
	warnings []record.Warning
}

func (f *file) bad(format string, args ...any) error {
	return &record.SyntaxError{Line: 1, Column: f.at + 1, Problem: fmt.Sprintf(format, args...)}
}

// number is one of the numbers of two bytes in the header.
func (f *file) number(i int) int { return int(binary.LittleEndian.Uint16(f.b[2*i:])) }

func (f *file) magic() error {
	switch {
	case len(f.b) >= 2 && Is(f.b) && string(f.b[:2]) != Magic:
		return f.bad("a Jellyfish position of version %d, whose layout is not known: save it with a newer Jellyfish", f.b[0])
	case len(f.b) < header || string(f.b[:2]) != Magic:
		return f.bad("not a Jellyfish position")
	case len(f.b) > maxFile:
		return f.bad("longer than a position can be")
	}
	return nil
}

func (f *file) numbers() error {
	d := &f.d
	d.Cube, d.Owner, d.Length, d.Score = f.number(6), record.NoPlayer, f.number(15), [2]int{f.number(16), f.number(17)}
	d.Jacoby = f.number(4) != 0
	if f.number(12) == 3 {
		d.Length, d.Beavers = 0, 3
	}
	if o := f.number(7); o == 1 || o == 2 {
		d.Owner = o - 1
	}
	switch state := f.number(8); state {
	case 1, 2:
		d.OnRoll, f.rolled = state-1, true
	case 3, 4:
		d.OnRoll = state - 3
	default:
		f.at = 16
		return f.bad("state of play %d", state)
	}
	return nil
}

func (f *file) names() error {
	f.at = header
	for i := range f.d.Players {
		if f.at >= len(f.b) || f.at+1+int(f.b[f.at]) > len(f.b) {
			return f.bad("the file ends inside a name")
		}
		n := int(f.b[f.at])
		f.d.Players[i].Name = text(f.b[f.at+1 : f.at+1+n])
		f.at += 1 + n
	}
	return nil
}

// board reads the Crawford game, the dice and the checkers.
func (f *file) board() error {
	if len(f.b) < f.at+middle+4*points {
		return f.bad("the file ends before the last point")
	}
	between := f.b[f.at : f.at+middle]
	f.check(between)
	f.d.Crawford = between[2] == 2
	if f.rolled {
		f.d.Dice = board.Dice{A: between[7], B: between[9]}
	}
	f.at += middle
	if n, ok := f.points(f.b[f.at:]); !ok {
		return f.bad("%d checkers on a point", n)
	}
	if f.at += 4 * points; f.at < len(f.b) {
		f.tell("%d bytes behind the last point are not read", len(f.b)-f.at)
	}
	return nil
}

func (f *file) tell(format string, args ...any) {
	f.warnings = append(f.warnings, record.Warning{Line: 1, Text: fmt.Sprintf(format, args...)})
}

// points reads the points, which begin at the current byte. Without ok, n are on one.
func (f *file) points(b []byte) (n int, ok bool) {
	for i := range points {
		v, again := int(binary.LittleEndian.Uint16(b[4*i:]))-offset, int(binary.LittleEndian.Uint16(b[4*i+2:]))-offset
		if again != v {
			f.tell("byte %d: point %d has %d checkers the first time and %d the second", f.at+4*i+1, points-1-i, v, again)
		}
		switch {
		case v < -board.MaxCheckers || v > board.MaxCheckers, i == 0 && v < 0, i == points-1 && v > 0:
			return v, false
		case v > 0:
			f.d.Boards[1][board.Bar-i] = uint8(v)
		case v < 0:
			f.d.Boards[0][i-1] = uint8(-v)
		}
	}
	return 0, true
}

// check checks all but the points: the numbers of the header and the bytes after the names.
func (f *file) check(mid []byte) {
	d, number := &f.d, f.number
	if n := number(4); n > 1 {
		f.tell("the Jacoby rule is %d, not 0 or 1", n)
	}
	if n := number(7); n > 2 {
		f.tell("the owner of the cube is %d, not 0 to 2: read as centred", n)
	}
	if n := number(12); n < 1 || n > 3 {
		f.tell("kind of play %d, not 1 to 3", n)
	}
	if money := number(12) == 3; money != (number(15) == 0) {
		f.tell("kind of play %d and a match of %d points: read as a match of %d", number(12), number(15), d.Length)
	}
	if money := number(12) == 3; money && (number(16) > 0 || number(17) > 0) {
		f.tell("a score of %d-%d in money play", number(16), number(17))
	}
	first, second := int(mid[7])|int(mid[8])<<8, int(mid[9])|int(mid[10])<<8
	switch valid := first >= 1 && first <= 6 && second >= 1 && second <= 6; {
	case f.rolled && !valid:
		f.tell("the dice are rolled, and are %d and %d", first, second)
	case !f.rolled && (first > 0 || second > 0):
		f.tell("the dice are %d and %d, but not rolled", first, second)
	}
	last := d.Length > 0 && (d.Score[0] == d.Length-1 || d.Score[1] == d.Length-1)
	switch phase := int(mid[2]) | int(mid[3])<<8; {
	case phase < 1 || phase > 3:
		f.tell("phase of the match %d, not 1 to 3", phase)
	case phase == 3 && !last:
		f.tell("after the Crawford game at %d-%d of %d", d.Score[0], d.Score[1], d.Length)
	case phase == 1 && last && d.Length > 1:
		f.tell("neither the Crawford game nor after it at %d-%d of %d", d.Score[0], d.Score[1], d.Length)
	}
}

// text is a name in the file, its control characters as question marks.
func text(b []byte) string {
	name := make([]rune, 0, len(b))
	for _, c := range b {
		if c < ' ' {
			c = '?'
		}
		name = append(name, rune(c))
	}
	return string(name)
}

// Write writes the last position of the last game of a match, as gnubg exports it: the
// constants among its numbers are those of gnubg's files. The error is w's.
func Write(w io.Writer, m *record.Match) error {
	if m == nil {
		return record.ErrNoMatch
	}
	var d record.Diagram
	if n := len(m.Games); n > 0 {
		d = record.LastDiagram(m, &m.Games[n-1])
	} else {
		d = record.Diagram{Boards: [2]board.Checkers{board.Start.Me, board.Start.Opp}, Cube: 1, Owner: record.NoPlayer}
	}
	var b []byte
	number := func(n int) { b = binary.LittleEndian.AppendUint16(b, uint16(n)) }
	kind, jacoby, state := 1, 0, 3+d.OnRoll
	if d.Length == 0 {
		kind = 3
	}
	if d.Jacoby {
		jacoby = 1
	}
	if d.Dice.Valid() {
		state = 1 + d.OnRoll
	}
	number(0x7e)
	for _, n := range []int{0, 0, 1, jacoby, 1, d.Cube, d.Owner + 1, state, 0, 0, 0, kind, 2, 7, d.Length, d.Score[0], d.Score[1]} {
		number(n)
	}
	for _, p := range d.Players {
		name := []byte{}
		for _, r := range p.Name {
			if r > 0xff {
				r = '?'
			}
			if len(name) < 255 {
				name = append(name, byte(r))
			}
		}
		b = append(append(b, byte(len(name))), name...)
	}
	phase := byte(1)
	switch {
	case d.Crawford:
		phase = 2
	case d.Length > 0 && (d.Score[0] == d.Length-1 || d.Score[1] == d.Length-1):
		phase = 3
	}
	b = append(b, 0, 0, phase, 0, 0, 0, 0, d.Dice.A, 0, d.Dice.B, 0)
	for i := range points {
		n := offset
		if i < points-1 {
			n += int(d.Boards[1][board.Bar-i])
		}
		if i > 0 {
			n -= int(d.Boards[0][i-1])
		}
		number(n)
		number(n)
	}
	_, err := w.Write(b)
	return err
}
