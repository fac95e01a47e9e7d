package record

import (
	"slices"

	"fibsbot/engine/board"
)

// Swapped returns the match with its two players exchanged: player 0 is player 1 of m. What
// m points to is shared where it is the same for both.
func (m *Match) Swapped() *Match {
	out := *m
	out.Players[0], out.Players[1] = m.Players[1], m.Players[0]
	out.Games = slices.Clone(m.Games)
	for i := range out.Games {
		g := &out.Games[i]
		g.Score[0], g.Score[1] = g.Score[1], g.Score[0]
		g.Result.Winner = otherSide(g.Result.Winner)
		if s := g.Statistics; s != nil {
			g.Statistics = &[2]Statistics{s[1], s[0]}
		}
		g.Actions = slices.Clone(g.Actions)
		for k := range g.Actions {
			a := &g.Actions[k]
			a.Player = otherSide(a.Player)
			if a.SetUp == nil {
				continue
			}
			e := *a.SetUp
			if e.SetOwner {
				e.Owner = otherSide(e.Owner)
			}
			if b := e.Board; b != nil {
				e.Board = &[2]board.Checkers{b[1], b[0]}
			}
			a.SetUp = &e
		}
	}
	return &out
}

// otherSide is the other player, NoPlayer where there is no player.
func otherSide(player int) int {
	if player == 0 || player == 1 {
		return 1 - player
	}
	return player
}
