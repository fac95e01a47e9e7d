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
	at := 0
	bad := func(format string, args ...any) error {
		return &record.SyntaxError{Line: 1, Column: at + 1, Problem: fmt.Sprintf(format, args...)}
	}
	if len(b) >= 2 && Is(b) && string(b[:2]) != Magic {
		return nil, nil, bad("a Jellyfish position of version %d, whose layout is not known: save it with a newer Jellyfish", b[0])
	}
	if len(b) < header || string(b[:2]) != Magic {
		return nil, nil, bad("not a Jellyfish position")
	}
	if len(b) > maxFile {
		return nil, nil, bad("longer than a position can be")
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint16(b[2*i:])) }
	d := record.Diagram{
		Cube: number(6), Owner: record.NoPlayer, Length: number(15), Score: [2]int{number(16), number(17)},
		Jacoby: number(4) != 0,
	}
	if number(12) == 3 {
		d.Length, d.Beavers = 0, 3
	}
	if o := number(7); o == 1 || o == 2 {
		d.Owner = o - 1
	}
	rolled := false
	switch state := number(8); state {
	case 1, 2:
		d.OnRoll, rolled = state-1, true
	case 3, 4:
		d.OnRoll = state - 3
	default:
		at = 16
		return nil, nil, bad("state of play %d", state)
	}
	at = header
	for i := range d.Players {
		if at >= len(b) || at+1+int(b[at]) > len(b) {
			return nil, nil, bad("the file ends inside a name")
		}
		n := int(b[at])
		d.Players[i].Name = text(b[at+1 : at+1+n])
		at += 1 + n
	}
	if len(b) < at+middle+4*points {
		return nil, nil, bad("the file ends before the last point")
	}
	odd := teller{d: &d}
	odd.numbers(number, b[at:at+middle], rolled)
	d.Crawford = b[at+2] == 2
	if rolled {
		d.Dice = board.Dice{A: b[at+7], B: b[at+9]}
	}
	at += middle
	if n, ok := odd.points(b[at:], at); !ok {
		return nil, nil, bad("%d checkers on a point", n)
	}
	if at += 4 * points; at < len(b) {
		odd.tell("%d bytes behind the last point are not read", len(b)-at)
	}
	for _, text := range d.Odd() {
		odd.tell("%s", text)
	}
	m, err := d.Match()
	if err != nil {
		return nil, nil, bad("%v", err)
	}
	return m, odd.warnings, nil
}

// teller collects the oddities of a position.
type teller struct {
	d        *record.Diagram
	warnings []record.Warning
}

func (o *teller) tell(format string, args ...any) {
	o.warnings = append(o.warnings, record.Warning{Line: 1, Text: fmt.Sprintf(format, args...)})
}

// points reads the points, which begin at a byte of the file. Without ok, n are on one.
func (o *teller) points(b []byte, at int) (n int, ok bool) {
	for i := range points {
		v, again := int(binary.LittleEndian.Uint16(b[4*i:]))-offset, int(binary.LittleEndian.Uint16(b[4*i+2:]))-offset
		if again != v {
			o.tell("byte %d: point %d has %d checkers the first time and %d the second", at+4*i+1, points-1-i, v, again)
		}
		switch {
		case v < -board.MaxCheckers || v > board.MaxCheckers, i == 0 && v < 0, i == points-1 && v > 0:
			return v, false
		case v > 0:
			o.d.Boards[1][board.Bar-i] = uint8(v)
		case v < 0:
			o.d.Boards[0][i-1] = uint8(-v)
		}
	}
	return 0, true
}

// numbers checks all but the points: the numbers of the header and the bytes after the names.
func (o *teller) numbers(number func(int) int, mid []byte, rolled bool) {
	d := o.d
	if n := number(4); n > 1 {
		o.tell("the Jacoby rule is %d, not 0 or 1", n)
	}
	if n := number(7); n > 2 {
		o.tell("the owner of the cube is %d, not 0 to 2: read as centred", n)
	}
	if n := number(12); n < 1 || n > 3 {
		o.tell("kind of play %d, not 1 to 3", n)
	}
	if money := number(12) == 3; money != (number(15) == 0) {
		o.tell("kind of play %d and a match of %d points: read as a match of %d", number(12), number(15), d.Length)
	}
	if money := number(12) == 3; money && (number(16) > 0 || number(17) > 0) {
		o.tell("a score of %d-%d in money play", number(16), number(17))
	}
	first, second := int(mid[7])|int(mid[8])<<8, int(mid[9])|int(mid[10])<<8
	switch valid := first >= 1 && first <= 6 && second >= 1 && second <= 6; {
	case rolled && !valid:
		o.tell("the dice are rolled, and are %d and %d", first, second)
	case !rolled && (first > 0 || second > 0):
		o.tell("the dice are %d and %d, but not rolled", first, second)
	}
	last := d.Length > 0 && (d.Score[0] == d.Length-1 || d.Score[1] == d.Length-1)
	switch phase := int(mid[2]) | int(mid[3])<<8; {
	case phase < 1 || phase > 3:
		o.tell("phase of the match %d, not 1 to 3", phase)
	case phase == 3 && !last:
		o.tell("after the Crawford game at %d-%d of %d", d.Score[0], d.Score[1], d.Length)
	case phase == 1 && last && d.Length > 1:
		o.tell("neither the Crawford game nor after it at %d-%d of %d", d.Score[0], d.Score[1], d.Length)
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
