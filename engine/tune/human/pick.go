package human

import (
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/search"
)

// Pick returns the index in list of the play that the style chooses for roll d at p. list is the
// result of search.Engine.Plays, without noise, and not empty. Its order does not matter.
func (s Style) Pick(p *board.Position, d board.Dice, list []search.Candidate, seed uint64) int {
	best := list[0].Equity
	for i := range list {
		best = max(best, list[i].Equity)
	}
	// The deviates belong to the plays in the generator's order.
	plays := board.AppendPlays(nil, *p, d)
	known := plays[:0]
	losses, at := make([]float64, 0, len(plays)), make([]int, 0, len(plays))
	for k := range plays {
		for i := range list {
			if list[i].Play.Result == plays[k].Result {
				known, losses, at = append(known, plays[k]), append(losses, best-list[i].Equity), append(at, i)
				break
			}
		}
	}
	if len(losses) == 0 {
		return 0
	}
	return at[s.Choose(p, known, losses, seed)]
}

// Offers decides a double from a decision without noise.
func (s Style) Offers(d *cube.Decision, seed uint64) bool {
	v := ViewOf(d)
	return s.Doubles(&v, seed)
}

// Accepts answers a double from the doubler's decision without noise.
func (s Style) Accepts(d *cube.Decision, seed uint64) bool {
	v := ViewOf(d)
	return s.Takes(&v, seed)
}
