package sgf

import (
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// setUp reads the editing properties of a node, nil when it has none.
func (r *reader) setUp(n *node) *record.Action {
	a := &record.Action{Kind: record.SetUp, Player: record.NoPlayer}
	s := &record.Setup{}
	found := false
	if v, ok := n.one("PL"); ok {
		found = true
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "w", "white":
			a.Player = 0
		case "b", "black":
			a.Player = 1
		default:
			r.warn(n, "player on roll %q", clip(v))
		}
	}
	if v, ok := n.one("CV"); ok && !n.first {
		found = true
		if c, err := strconv.Atoi(v); err == nil && powerOfTwo(c) {
			s.Cube = c
		} else {
			r.warn(n, "cube %q", clip(v))
		}
	}
	if v, ok := n.one("CP"); ok {
		found = true
		if s.Owner, s.SetOwner = ownerOfCube(v); !s.SetOwner {
			r.warn(n, "cube owner %q", clip(v))
		}
	}
	if n.get("AE") != nil || n.get("AW") != nil || n.get("AB") != nil {
		found = true
		r.board(n, s)
	}
	if v, ok := n.one("DI"); ok {
		if len(v) == 2 {
			a.Dice = board.Dice{A: v[0] - '0', B: v[1] - '0'}
		}
		switch {
		case !a.Dice.Valid():
			a.Dice = board.Dice{}
			r.warn(n, "dice %q", clip(v))
		case s.Board == nil && s.Cube == 0 && !s.SetOwner:
			a.Kind = record.Roll
			a.Player = max(a.Player, 0)
			return a
		}
		found = true
	}
	if !found {
		return nil
	}
	a.SetUp = s
	return a
}

// board carries out AE, AW and AB on the position reached so far.
func (r *reader) board(n *node, s *record.Setup) {
	r.replay.End()
	b := record.ByPlayer(r.replay.Position(0), 0)
	each := func(name string, do func(c byte)) {
		for _, v := range n.get(name) {
			from, to, isRange := strings.Cut(v, ":")
			if !isRange {
				to = from
			}
			if len(from) != 1 || len(to) != 1 || from[0] < 'a' || to[0] > 'y' || from[0] > to[0] {
				r.warn(n, "points %q", clip(v))
				continue
			}
			for c := from[0]; c <= to[0]; c++ {
				do(c)
			}
		}
	}
	each("AE", func(c byte) {
		for player := range 2 {
			i, _ := point(player, c)
			b[player][i] = 0
		}
	})
	for player, name := range []string{"AW", "AB"} {
		each(name, func(c byte) {
			i, _ := point(player, c)
			if b[player].Count() < board.MaxCheckers {
				b[player][i]++
			} else {
				r.warn(n, "more than %d checkers", board.MaxCheckers)
			}
		})
	}
	s.Board = b
}
