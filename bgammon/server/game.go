package server

import (
	"math/rand/v2"
	"slices"

	"fibsbot/bgammon/wire"
)

// game is one game of a match. Its board is kept as seat 0 sees it; turn is the seat
// on turn, -1 while the opening is thrown.
type game struct {
	board    places
	turn     int
	dice     [2]int
	left     []int // dice of the throw that are not used yet
	hops     []wire.Hop
	before   places // the board before the hops, for reset
	opening  [2]int
	drawn    [2]int // the opening's dice by seat, whoever rolls first
	cube     int
	owner    int // seat, -1 for the centre
	offered  bool
	winner   int // seat, -1 before the end
	crawford bool
}

func newGame(crawford bool) *game {
	return &game{board: start, turn: -1, cube: 1, owner: -1, winner: -1, crawford: crawford}
}

// seen is the board as a seat sees it.
func (g *game) seen(seat int) places {
	if seat == 1 {
		return g.board.mirror()
	}
	return g.board
}

func (g *game) setSeen(seat int, p places) {
	if seat == 1 {
		p = p.mirror()
	}
	g.board = p
}

// available returns the legal hops of the player on turn, in that player's numbering.
func (g *game) available() []wire.Hop {
	if g.turn < 0 || g.dice[0] == 0 || g.winner >= 0 {
		return nil
	}
	hops, _ := g.seen(g.turn).legal(g.left)
	slices.SortFunc(hops, func(a, b wire.Hop) int {
		if a.From != b.From {
			return b.From - a.From
		}
		return a.To - b.To
	})
	return hops
}

// roll throws for the player on turn.
func (g *game) roll(dice *rand.Rand) {
	g.throw(dice.IntN(6)+1, dice.IntN(6)+1)
}

func (g *game) throw(a, b int) {
	g.dice = [2]int{a, b}
	g.left = pool(a, b)
	g.hops = nil
	g.before = g.board
}

// move makes one hop of the player on turn. A hop may be made with several dice.
func (g *game) move(h wire.Hop) bool {
	p := g.seen(g.turn)
	hops, with := p.legal(g.left)
	if i := slices.Index(hops, h); i >= 0 {
		at := slices.Index(g.left, with[i])
		g.left = slices.Delete(slices.Clone(g.left), at, at+1)
		g.setSeen(g.turn, p.after(h))
		g.hops = append(g.hops, h)
		return true
	}
	// With two dice or more, by way of the point between.
	for i, first := range hops {
		if first.From != h.From || first.To == h.To || first.To == wire.OwnHome {
			continue
		}
		saved := *g
		at := slices.Index(g.left, with[i])
		g.left = slices.Delete(slices.Clone(g.left), at, at+1)
		g.setSeen(g.turn, p.after(first))
		g.hops = append(slices.Clone(g.hops), first)
		if g.move(wire.Hop{From: first.To, To: h.To}) {
			return true
		}
		*g = saved
	}
	return false
}

// reset takes the hops of this turn back.
func (g *game) reset() {
	g.board, g.hops = g.before, nil
	g.left = pool(g.dice[0], g.dice[1])
}

// pass gives the turn to the other player.
func (g *game) pass() {
	g.turn = 1 - g.turn
	g.dice, g.left, g.hops = [2]int{}, nil, nil
}

// mayDouble reports whether the player on turn may double; a match of one point has no cube.
func (t *table) mayDouble() bool {
	g := t.game
	return t.points > 1 && g.turn >= 0 && g.dice[0] == 0 && !g.offered && !g.crawford && (g.owner < 0 || g.owner == g.turn)
}
