package xg

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

// The types of record.
const (
	matchHeader = iota
	gameHeader
	cubeRecord
	moveRecord
	gameFooter
	matchFooter
	missingGame
)

// money is the match length of a money session.
const money = 99999

// Read reads a match or a position. Errors are *record.SyntaxError, with the byte of
// the file as the column, or of r.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, nil, err
	}
	if len(b) > maxFile {
		return nil, nil, bad(maxFile, ".xg file: longer than %d megabytes", maxFile>>20)
	}
	parts, ws, err := members(b)
	if err != nil {
		return nil, ws, err
	}
	data, ok := parts["temp.xg"]
	switch {
	case !ok:
		return nil, ws, damaged(headerSize, "it holds no match")
	case len(data) < recordSize:
		return nil, ws, damaged(headerSize, "the match ends inside its first record")
	case data.i8(8) != matchHeader || string(data.at(556, 4)) != "DMLI":
		return nil, ws, damaged(headerSize, "the match does not begin with its header")
	}
	rd := reader{s: matchbuilder.New(), version: data.i32(552), comments: comments(parts["temp.xgc"]), rollouts: parts["temp.xgr"]}
	rd.match(data[:recordSize])
	for at := recordSize; at+recordSize <= len(data) && rd.s.Err() == nil; at += recordSize {
		rd.number = at / recordSize
		rd.record(data[at : at+recordSize])
	}
	if err := rd.s.Err(); err != nil {
		return nil, append(ws, rd.s.Warnings...), err
	}
	rd.lone()
	if rd.s.Empty() {
		return nil, ws, damaged(headerSize, "it holds no game")
	}
	switch n := len(data) % recordSize; {
	case n != 0:
		rd.s.Warn("damaged .xg file: the match ends inside record %d", len(data)/recordSize)
	case cut(data, parts["temp.xgi"]):
		rd.s.Warn("damaged .xg file, or a match saved before its end: it ends with record %d", len(data)/recordSize-1)
	}
	m, more := rd.s.Finish()
	return m, append(ws, more...), nil
}

// cut reports whether records are missing at the end of a match. ends is the part of the
// file that has copies of the first and the last record, or nil.
func cut(data, ends blob) bool {
	last := data[len(data)-recordSize:]
	if last.i8(8) == matchFooter {
		return false
	}
	// A position has the headers of match and game, a cube record and perhaps a roll.
	position := len(data) >= 3*recordSize && len(data) <= 4*recordSize
	for i, kind := range []int{matchHeader, gameHeader, cubeRecord, moveRecord} {
		position = position && (data.i8(i*recordSize+8) == kind || i == moveRecord && len(data) == 3*recordSize)
	}
	known := len(ends) == 2*recordSize
	if position {
		return known && ends[recordSize:].i8(8) == matchFooter
	}
	return !known || !bytes.Equal(ends[recordSize:], last)
}

type reader struct {
	s        *matchbuilder.Builder
	version  int // of the record layout
	number   int // of the record
	comments []string
	rollouts blob
	cube     blob // the cube record before the roll to come, nil without
	missing  bool // the current game was not recorded
	footer   bool // the record before was the footer of the match
	lost     bool // a record outside of a game was reported
	imported bool // from a file that names no resignations
	started  bool // the head of the game has its start position
}

// player turns XG's +1 and -1 into 0 and 1.
func player(v int) int {
	if v < 0 {
		return 1
	}
	return 0
}

func (r *reader) record(b blob) {
	kind := b.i8(8)
	if r.footer {
		r.s.Warn("record %d comes after the end of the match", r.number)
		r.footer = false
	}
	if kind != moveRecord && kind != cubeRecord && kind != gameFooter && kind != missingGame {
		r.lone()
	}
	switch kind {
	case gameHeader:
		r.game(b)
	case cubeRecord:
		r.lone()
		r.cubeAction(b)
	case moveRecord:
		r.move(b)
	case gameFooter:
		r.lone()
		r.end(b)
	case missingGame:
		r.s.Warn("record %d: a game that was not recorded", r.number)
		r.missing = true
		if r.s.Current() != nil && b.i32(28) > 0 {
			r.s.End(record.Statement{Trust: record.Worded, Winner: player(b.i32(24)), Points: b.i32(28)})
		}
	case matchFooter:
		r.footer = true
		r.s.Final = &record.Final{Source: "the score at the end", Score: [2]int{b.i32(12), b.i32(16)}}
	default:
		r.s.Warn("record %d has the unknown kind %d", r.number, kind)
	}
}

// outside reports whether a record is outside of a recorded game, and warns once.
func (r *reader) outside() bool {
	if r.s.Current() == nil && !r.missing && !r.lost {
		r.lost = true
		r.s.Warn("record %d belongs to no game: left out, and what follows up to the next game", r.number)
	}
	return r.s.Current() == nil || r.missing
}

// follow sets up position and cube where those of the file differ from the replay: they were
// edited in the middle of the game.
func (r *reader) follow(who int, b blob, points, cube int) {
	var e record.Setup
	p, empty, ok := b.checkers(points)
	now := r.s.Position(0)
	if !empty && ok && p != now {
		e.Board = record.ByPlayer(p, 0)
	}
	if n := b.i32(cube); n > -16 && n < 16 {
		base := max(r.s.Current().Cube, 1)
		value, owner := base, record.NoPlayer
		if n != 0 {
			value, owner = base<<max(n, -n), player(n)
		}
		if v, o := r.s.Cube(); value != v || owner != o {
			e.Cube, e.Owner, e.SetOwner = value, owner, true
		}
	}
	if e == (record.Setup{}) {
		return
	}
	if a := r.s.Current().Actions; len(a) > 0 && a[len(a)-1].Kind != record.SetUp || len(a) == 0 && r.started && e.Board != nil {
		r.s.Warn("record %d: position or cube were edited here", r.number)
	}
	r.s.SetUp(who, e)
}

// cubeAction reads a cube record: a double with its answers, or the decision before a roll.
func (r *reader) cubeAction(b blob) {
	if r.outside() {
		return
	}
	who := player(b.i32(12))
	r.follow(who, b, 36, 32)
	r.cube = b
	if b.i32(16) != 1 {
		return
	}
	at := len(r.s.Current().Actions)
	r.s.Double(who)
	// Each further answer is that to the double before it.
	side, answer := who, 2
	for _, i := range []int{20, 24, 28} {
		if answer == 2 {
			side, answer = 1-side, b.i32(i)
			r.answer(side, answer)
		}
	}
	actions := r.s.Current().Actions[at:]
	r.judgeCube(&actions[0], b, true)
	if len(actions) > 1 {
		r.judgeCube(&actions[1], b, true)
	}
	actions[0].Comment = r.comment(b.i32(292))
	r.cube = nil
}

// answer carries out the answer to a double: a number of XG.
func (r *reader) answer(side, number int) {
	switch number {
	case 0:
		r.s.Drop(side)
	case 1:
		r.s.Take(side)
	case 2:
		r.s.Double(side)
	}
}

// move reads a move record.
func (r *reader) move(b blob) {
	cube := r.cube
	r.cube = nil
	if r.outside() {
		return
	}
	who := player(b.i32(64))
	r.follow(who, b, 9, 108)
	d := board.Dice{A: uint8(b.i32(100)), B: uint8(b.i32(104))}
	if !d.Valid() {
		r.s.Warn("record %d: dice %d and %d", r.number, b.i32(100), b.i32(104))
		return
	}
	before, st := r.s.Position(who), r.s.State(who)
	at := len(r.s.Current().Actions)
	if after, empty, ok := b.checkers(35); !b.flag(2308) || empty {
		r.s.Roll(who, d)
	} else {
		if !ok {
			r.s.Warn("record %d: a position that cannot be", r.number)
		}
		r.s.Reach(who, d, after, steps(b))
	}
	a := &r.s.Current().Actions[at]
	r.judgeMove(a, b, before, st, d)
	a.Comment = r.comment(b.i32(2524))
	if cube != nil {
		r.judgeCube(a, cube, false)
		if c := r.comment(cube.i32(292)); c != "" {
			a.Comment = strings.TrimSpace(c + "\n" + a.Comment)
		}
	}
}

// lone records the position of a cube record without a roll, as in a position file, if the game
// has nothing else.
func (r *reader) lone() {
	b := r.cube
	r.cube = nil
	if b == nil || r.s.Current() == nil {
		return
	}
	g := r.s.Current()
	if n := len(g.Actions); n == 0 || n == 1 && g.Actions[0].Kind == record.SetUp {
		if n == 0 {
			r.s.SetUp(player(b.i32(12)), record.Setup{Board: record.ByPlayer(r.s.Position(0), 0)})
		}
		g.Actions[0].Player = player(b.i32(12))
		r.judgeCube(&g.Actions[0], b, false)
	}
	if c := r.comment(b.i32(292)); c != "" {
		r.s.Comment(c)
	}
}

// steps are the coded steps of a play: points from 0, 24 the bar, below 0 off.
func steps(b blob) []board.Step {
	var out []board.Step
	for i := range 4 {
		from, to := b.i32(68+8*i), b.i32(72+8*i)
		if from < 0 || from > board.Bar || to >= from {
			break
		}
		out = append(out, board.Step{From: int8(from), To: int8(max(to, board.Off))})
	}
	return out
}

// end reads the footer of a game.
func (r *reader) end(b blob) {
	r.missing = false
	if r.s.Current() == nil {
		return
	}
	points := b.i32(28)
	if how := b.i32(32); points > 0 && how >= 0 && how < 4 && !r.s.Over() {
		r.s.Warn("record %d: the game was played to its end, but its last actions are not in the file", r.number)
	}
	if points > 0 && points < 1<<20 {
		r.s.End(record.Statement{Trust: record.Worded, Winner: player(b.i32(24)), Points: points, Size: resignation(b.i32(32)), Declared: b.i32(32) >= 100 && !r.imported})
	}
	if v := b.f64(48); v != 0 && v != -1000 {
		r.s.Comment(fmt.Sprintf("eXtreme Gammon: accepting the resignation was an error of %.3f", math.Abs(v)))
	}
	r.s.EndGame()
}

// resignation is how many cubes were given up, 0 where the file does not say.
func resignation(how int) int {
	if how > 100 && how < 104 {
		return how - 100
	}
	return 0
}
