package search

import "fibsbot/engine/board"

// RacePlays is how many plays of a race are worth the net.
const RacePlays = 4

// Races moves the plays of a race that a crude count likes best to the front and returns how many are
// worth the net.
func (r *Ranker) Races(plays []board.Play) int {
	if len(plays) <= RacePlays {
		return len(plays)
	}
	r.scores = r.scores[:0]
	for i := range plays {
		r.scores = append(r.scores, int32(raceCount(&plays[i].Result.Me)))
	}
	for k := range RacePlays {
		least := k
		for i := k + 1; i < len(plays); i++ {
			if r.scores[i] < r.scores[least] {
				least = i
			}
		}
		plays[k], plays[least] = plays[least], plays[k]
		r.scores[k], r.scores[least] = r.scores[least], r.scores[k]
	}
	return RacePlays
}

// gammonSaved reports whether the player on roll in a race saves the gammon anyhow: a side brings eight
// pips home a roll and bears off two checkers, and there are three rolls to spare. Where a gammon is in
// doubt, other plays are good than those of a race.
func gammonSaved(p *board.Position) bool {
	return p.Me.Count() < board.MaxCheckers || outside(&p.Me)+24 <= outside(&p.Opp)+4*(p.Opp.Count()+1)
}

// outside is how many pips a side needs to bring all checkers home.
func outside(c *board.Checkers) (pips int) {
	for i, n := range c[6:] {
		pips += (i + 1) * int(n)
	}
	return pips
}

// raceCost is what a checker on each point costs in a race, in tenths of a pip: its
// pips, 4 for being there, as each must be borne off, and 1.2 for every quarter still
// to be left, so that crossing over goes first.
var raceCost = func() (t [board.Bar + 1]int) {
	for i := range t {
		t[i] = 10*(i+1) + 40 + 12*(i/6)
	}
	return t
}()

// raceCount is a crude estimate, in tenths of a pip, of what a side still has to do
// in a race: raceCost, and Keith's penalties for checkers piled up on the lowest
// points and for gaps on the high ones of the home board.
func raceCount(c *board.Checkers) int {
	sum := 20*max(int(c[0])-1, 0) + 10*max(int(c[1])-1, 0) + 5*max(int(c[2])-3, 0)
	for i, n := range c {
		sum += int(n) * raceCost[i]
		if n == 0 && i >= 3 && i < 6 {
			sum += 8
		}
	}
	return sum
}
