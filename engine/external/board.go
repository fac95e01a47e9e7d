package external

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Board is a request of gnubg, seen by the player who is to move or has doubled.
type Board = match.Situation

// ErrBoard is wrapped by errors about a line that is not a board.
var ErrBoard = errors.New("badly formed board")

// unlimited is the match length of an unlimited match in the boards of FIBS; gnubg reads it
// as money play.
const unlimited = 9999

// FormatBoard writes q as gnubg does, with the player on roll as the positive side: 255
// bytes at most with a line feed and an option, which is what gnubg takes.
func FormatBoard(q Board) string {
	p, st := &q.Position, &q.State
	first, second := st.Score[1], st.Score[0] // of the names; a double exchanges them
	if q.Doubled {
		first, second = second, first
	}
	line := fmt.Appendf(nil, "board:me:opp:%d:%d:%d:%d", st.Length, first, second, -int(p.Opp[board.Bar]))
	for i := range 24 {
		line = fmt.Appendf(line, ":%d", int(p.Me[i])-int(p.Opp[23-i]))
	}
	flag := map[bool]int{true: 1}
	me, opp := p.Off()
	return string(fmt.Appendf(line, ":%d:1:%d:%d:%[2]d:%[3]d:%[4]d:%d:%d:%d:1:-1:0:25:%d:%d:0:0:0:0:%d:%d", p.Me[board.Bar], q.Dice.A, q.Dice.B,
		st.Cube, flag[st.Owner != match.Theirs], flag[st.Owner != match.Mine], flag[q.Doubled], max(me, 0), max(opp, 0),
		flag[!st.Crawford && match.AtCrawford(st.Length, st.Score)], flag[!st.Crawford]))
}

// ParseBoard reads a board line as gnubg sends it to its external players:
// positive counts move from 24 to 1,
// and the score fields are exchanged unless a double waits for its answer. A match of 9999
// points or more, an unlimited one of FIBS, is money play. The error wraps [ErrBoard].
func ParseBoard(line string) (q Board, err error) { return parseBoard(line, false) }

// parseBoard is ParseBoard for lines of gnubg or of FIBS, where the first score is always that of
// the first name.
func parseBoard(line string, fibs bool) (q Board, err error) {
	f, err := boardFields(line)
	if err != nil {
		return q, err
	}
	turn := f[30]
	if turn != 1 && turn != -1 {
		return q, fmt.Errorf("%w: turn %d", ErrBoard, turn)
	}
	if q.Position, err = f.position(); err != nil {
		return q, err
	}
	q.Doubled = f[38] != 0
	if fibs && q.Doubled {
		turn = -f[39] // only "was doubled" is sure there: the other player has doubled
	}
	q.State = f.state(q.Doubled || fibs)
	q.Dice = board.Dice{A: uint8(f[31] & 15), B: uint8(f[32] & 15)}
	if turn == -1 {
		q.Position, q.State = q.Position.Swap(), q.State.Swap()
		if !q.Dice.Valid() {
			q.Dice = board.Dice{A: uint8(f[33] & 15), B: uint8(f[34] & 15)}
		}
	}
	if q.Doubled && q.State.Owner == match.Theirs {
		// A player who has doubled was allowed to: a cube not on that side was in the middle.
		q.State.Owner = match.Centred
	}
	if fibs && q.Doubled && q.State.Cube > 1 {
		q.State.Owner = match.Mine // only the owner turns a cube again
	}
	q.State.Crawford = q.State.Crawford && match.AtCrawford(q.State.Length, q.State.Score)
	return q, q.Position.Validate()
}

// fields are the numbers of a board line, counted from 1 as in gnubg's description, with
// colour 1 and direction -1 as in gnubg's own lines.
type fields [51]int

// boardFields reads the numbers of a line and turns them to gnubg's colour and direction:
// FIBS writes a board as the player "you" sees it.
func boardFields(line string) (f fields, err error) {
	words := strings.Split(line, ":")
	const names = 3
	if words[0] != "board" || len(words) < names+len(f)-1 {
		return f, fmt.Errorf("%w: %d fields", ErrBoard, len(words))
	}
	for i := 1; i < len(f); i++ {
		n, err := strconv.Atoi(strings.TrimSpace(words[names+i-1]))
		if err != nil || n < -1<<20 || n > 1<<20 {
			return f, fmt.Errorf("%w: field %d is %.20q", ErrBoard, i, words[names+i-1])
		}
		f[i] = n
	}
	colour, direction := f[39], f[40]
	if colour == -1 {
		f[2], f[3], f[36], f[37] = f[3], f[2], f[37], f[36]
		f[31], f[32], f[33], f[34] = f[33], f[34], f[31], f[32]
	}
	if colour*direction == 1 {
		slices.Reverse(f[4:30]) // positive counts move from 1 to 24
	}
	return f, nil
}

// position returns the checkers with the positive side as Me.
func (f *fields) position() (p board.Position, err error) {
	for k := range 26 {
		n := f[4+k]
		if n < -board.MaxCheckers || n > board.MaxCheckers {
			return p, fmt.Errorf("%w: %d checkers on a point", ErrBoard, n)
		}
		switch {
		case n > 0 && k >= 1:
			p.Me[k-1] = uint8(n) // the bar is field 25, index 24
		case n < 0 && k <= 24:
			p.Opp[24-k] = uint8(-n) // its bar is field 0, index 24
		case n != 0:
			return p, fmt.Errorf("%w: checkers on the wrong bar", ErrBoard)
		}
	}
	return p, nil
}

// state returns score and cube as the positive side sees them. gnubg names its score second, but
// for a double.
func (f *fields) state(first bool) match.State {
	st := match.State{Length: f[1], Score: [2]int{f[3], f[2]}, Cube: f[35]}
	if first {
		st.Score = [2]int{f[2], f[3]}
	}
	if st.Length >= unlimited {
		st.Length = 0
	}
	if st.Length == 0 {
		st.Score = [2]int{}
	}
	st.Crawford = st.Length > 0 && f[50] == 0
	switch {
	case f[36] != 0 && f[37] == 0:
		st.Owner = match.Mine
	case f[36] == 0 && f[37] != 0:
		st.Owner = match.Theirs
	}
	return st
}
