package opengammon

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

// Magic are the first bytes of a file.
const Magic = "OGXM"

// major is the version of the format that is read here.
const major = 2

// Limits of a file.
const (
	maxFile    = 64 << 20
	headerSize = 16
)

// known are the sections that may be passed over, critical or not.
var known = map[string]bool{
	"ANAL": true, "DECS": true, "ANNO": true, "CLCK": true, "VIDO": true, "SIGN": true, "MSIG": true, "CSUM": true,
}

// readers read the sections that are not passed over.
var readers = map[string]func(*reader){
	"MTCH": (*reader).match, "GAME": (*reader).game, "ANAL": (*reader).analysis, "DECS": (*reader).decisions, "ANNO": (*reader).notes,
}

// Read reads a match. Errors are *record.SyntaxError, with the byte as the column, or
// of r.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, nil, err
	}
	if err := checkHeader(b); err != nil {
		return nil, nil, err
	}
	rd := reader{s: matchbuilder.New(), judged: map[int][]decision{}}
	at := headerSize
	for more := true; more; {
		if at, more, err = rd.section(b, at); err != nil {
			return nil, rd.s.Warnings, err
		}
	}
	if rd.s.Empty() {
		return nil, rd.s.Warnings, bad(at, "no game in the file")
	}
	m, ws := rd.s.Finish()
	rd.attach(m)
	return m, ws, nil
}

func bad(at int, format string, args ...any) error {
	return &record.SyntaxError{Line: 1, Column: at + 1, Problem: "OGXM: " + fmt.Sprintf(format, args...)}
}

func checkHeader(b []byte) error {
	switch {
	case len(b) > maxFile:
		return bad(maxFile, "longer than %d megabytes", maxFile>>20)
	case len(b) < headerSize || string(b[:4]) != Magic:
		return bad(0, "the file ends inside its header")
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(b[at:])) }
	if v, least := u16(4), u16(8); v < major || least > major {
		return bad(4, "version %d.%d, for readers of version %d: this one reads version %d", v, u16(6), least, major)
	}
	return nil
}

// section reads the section at a byte of the file and returns where the next one begins. more
// is false at the end mark.
func (rd *reader) section(b []byte, at int) (next int, more bool, err error) {
	if at+4 > len(b) {
		return at, false, bad(at, "the file ends before its end mark")
	}
	name := string(b[at : at+4])
	if name == "END!" {
		return at, false, nil
	}
	if at+9 > len(b) {
		return at, false, bad(at, "the file ends inside a section's head")
	}
	size, critical := int(binary.LittleEndian.Uint32(b[at+4:])), b[at+8]&1 != 0
	data := at + 9
	if size < 0 || size > len(b)-data {
		return at, false, bad(at, "section %q of %d bytes in a file of %d", name, size, len(b))
	}
	rd.c = cursor{in: b[data : data+size], err: new(error)}
	switch read := readers[name]; {
	case read != nil:
		read(rd)
	case critical && !known[name]:
		return at, false, bad(at, "section %q must be understood, and is not", name)
	}
	switch {
	case rd.s.Err() != nil:
		return at, false, rd.s.Err()
	case rd.c.ok():
	case known[name]:
		rd.s.Warn("section %q, which the match does not need, is damaged: %v", name, *rd.c.err)
	default:
		return at, false, bad(data+rd.c.at, "section %q: %v", name, *rd.c.err)
	}
	return data + size, true, nil
}

type reader struct {
	s     *matchbuilder.Builder
	c     cursor
	start [2]int
	games int

	plies    []place // of all plies of the file, in order
	judged   map[int][]decision
	total    int // judgements read
	comments []note
	level    level // of the analysis being read
	mwc      bool  // its equities are match winning chances
}

// place is an action of a game, both from 0; action is -1 for a ply without an action.
type place struct{ game, action int }

func (r *reader) match() {
	c, mask := r.c.masked()
	m := r.s.Match
	m.Length = min(c.varint(), 1<<15)
	if v := c.varint(); v != 0 {
		r.s.Warn("variation %d: read as backgammon", v)
	}
	m.Rules.Crawford = m.Length > 0
	c.fields(mask,
		func() { m.Players[0].Name = c.text() },
		func() { m.Players[1].Name = c.text() },
		func() { r.rules(c.varint()) },
		func() {
			if n := c.varint(); n > 1 && n <= 1<<15 {
				m.Rules.CubeLimit = n
			}
		},
		func() { r.start = [2]int{min(c.varint(), 1<<20), min(c.varint(), 1<<20)} })
}

// rules reads the rules of the match, a bit each.
func (r *reader) rules(bits int) {
	m := r.s.Match
	m.Rules.Crawford = bits&1 != 0 && m.Length > 0
	if m.Length == 0 {
		m.Rules.Jacoby, r.s.JacobySaid = bits&2 != 0, true
		if bits&4 != 0 {
			m.Rules.Beavers = 1
		}
		if bits&8 != 0 {
			m.Rules.Beavers = 3
		}
	}
}

// cubeValue is n, or 0 if a cube cannot have that value.
func cubeValue(n int) int {
	if n > 0 && n <= 1<<15 && n&(n-1) == 0 {
		return n
	}
	return 0
}

func (r *reader) game() {
	c, mask := r.c.masked()
	var end *record.Statement
	var e record.Setup
	automatic := 0
	c.fields(mask,
		func() { end = &record.Statement{Trust: record.Worded, Winner: c.varint() & 1} },
		func() {
			if n := c.varint(); end != nil && n < 1<<20 {
				end.Points = n
			}
		},
		nil,
		func() { e.Board = boards(c.bytes(26)) },
		func() {
			if n := cubeValue(c.varint()); n > 1 {
				e.Cube = n
			}
		},
		func() {
			if o := c.varint(); o < 2 {
				e.Owner, e.SetOwner = o, true
			}
		},
		func() { automatic = c.varint() })
	if !c.ok() {
		return
	}
	if r.games++; r.games == 1 {
		r.s.Game(r.start)
	} else {
		r.s.NextGame()
	}
	if automatic > 0 && automatic < 12 {
		r.s.Current().Cube = 1 << automatic
		r.s.Restart()
	}
	if e != (record.Setup{}) {
		r.s.SetUp(record.NoPlayer, e)
	}
	for r.c.more() && r.s.Err() == nil {
		r.ply()
	}
	if end != nil {
		r.s.End(*end)
	}
}

// The actions other than rolls.
const (
	double     = 21
	take       = 22
	drop       = 23
	resignGame = 27
	resignAll  = 28
	setBoard   = 31
	beaver     = 32
	raccoon    = 33
	settle     = 34
	setCube    = 36
	pass       = 37
	escape     = 63
)

// rolls are the dice of the actions 0 to 20.
var rolls = func() (out [21]board.Dice) {
	k := 0
	for a := uint8(1); a <= 6; a++ {
		for b := a; b <= 6; b++ {
			out[k] = board.Dice{A: a, B: b}
			k++
		}
	}
	return out
}()

func (r *reader) ply() {
	head := r.c.byte()
	action, seat := int(head&0x3f), int(head>>6&1)
	var steps []byte
	if action < len(rolls) {
		n := 2
		if rolls[action].Double() {
			n = 4
		}
		for range n {
			if !r.c.more() {
				break
			}
			v := r.c.byte()
			if v == 0 {
				break
			}
			steps = append(steps, v)
		}
	}
	x := extras{action: -1}
	if head&0x80 != 0 {
		x = r.extras()
	}
	if !r.c.ok() {
		return
	}
	if action == escape && x.action >= 0 {
		action = x.action
	}
	if x.steps != nil {
		steps = x.steps
	}
	at := place{r.games - 1, -1}
	before := len(r.s.Current().Actions)
	r.act(action, seat, steps, x)
	if n := len(r.s.Current().Actions); n > before {
		at.action = n - 1
	}
	r.plies = append(r.plies, at)
}

func (r *reader) act(action, seat int, steps []byte, x extras) {
	s := r.s
	if action < len(rolls) {
		d := rolls[action]
		if x.dice.Valid() {
			d = x.dice
		}
		if s.Over() {
			s.Warn("a roll after the end of game %d", r.games)
			return
		}
		s.Move(seat, d, play(seat, steps))
		return
	}
	switch action {
	case double, beaver, raccoon:
		s.Double(seat)
	case take:
		s.Take(seat)
	case drop:
		s.Drop(seat)
	case resignGame, resignAll:
		e := record.Statement{Trust: record.Worded, Winner: 1 - seat, Declared: true, WholeMatch: action == resignAll}
		if x.resign >= 1 && x.resign <= 3 {
			e.Size = x.resign
		}
		s.End(e)
	case setBoard:
		if x.board != nil {
			s.SetUp(record.NoPlayer, record.Setup{Board: x.board})
		}
	case setCube:
		e := record.Setup{Cube: cubeValue(x.cube)}
		if x.hasOwner {
			e.SetOwner, e.Owner = true, record.NoPlayer
			if x.owner < 2 {
				e.Owner = x.owner
			}
		}
		s.SetUp(record.NoPlayer, e)
	case settle:
		s.Comment(fmt.Sprintf("settled for %g", x.settled))
	case 24, 25, 26, 30, pass:
	default:
		s.Warn("game %d: an action of number %d", r.games, action)
	}
}

// play turns steps, the point in the low 5 bits and the pips in the high 3, into the
// seat's own numbering: White moves up from 0, his bar, Black down from 25.
func play(seat int, steps []byte) string {
	var parts []string
	for _, v := range steps {
		from, pips := int(v&0x1f), int(v>>5)
		if seat == 0 {
			from = board.Bar + 1 - from
		}
		parts = append(parts, fmt.Sprintf("%d/%d", from, max(from-pips, 0)))
	}
	return strings.Join(parts, " ")
}
