package analyse

import (
	"math"

	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// PhaseResults are the results of player 0 in each phase, and the same with the luck of both
// taken out (Zare), in the units of GameResults; the other player's are their negatives.
// The result of a phase is what his equity, or match winning chance, rose by over the turns
// that belong to it: from after the turn before to after the play made; the last turn of a
// game leads to the game's result. So the phases of a match add up to its results. A turn
// belongs to the phase of who moves, for one side may bear off while the other does not.
// In a game without a result nothing is won; without luck, a last game counts as far as its
// last position, as in GameResults. game, from 1, asks for one
// game alone, 0 for all. t nil is the default table. Without judged
// plays all are NaN, without the luck of rolls the adjusted ones.
func (s *Summary) PhaseResults(m *record.Match, t *match.Table, game int) (actual, without [Phases]float64) {
	t = table(t)
	results, _ := s.GameResults(m, t)
	var both [2]Sums
	for i := range s.Games {
		g := &s.Games[i]
		if game > 0 && i != game-1 {
			continue
		}
		both[0].Add(&g.Players[0])
		both[1].Add(&g.Players[1])
		last := Phase(0)
		finished := g.Result.Finished()
		counted := finished || i == len(s.Games)-1
		start := 0.0
		if m.Length > 0 {
			rest := *m
			rest.Games = m.Games[i:]
			start = beginning(&rest, t)
		}
		now := start
		for k := range g.Decisions {
			j := &g.Decisions[k]
			if j.Turn.Action.Kind != record.Move {
				continue
			}
			last = j.Phase
			luck := cost(t, j.Turn.State, j.Luck).Value
			if j.Turn.Player == 1 {
				luck = -luck
			}
			then, ok := valueAfter(j, t)
			switch {
			case !counted:
				then = now
			case !ok:
				then = now + luck // nothing was there to choose
			}
			if finished {
				actual[last] += then - now
			}
			without[last] += then - now - luck
			now = then
		}
		if !finished && counted {
			continue
		}
		rest := start + results[i] - now
		actual[last] += rest
		without[last] += rest
	}
	for i := range actual {
		if !both[0].PlaysKnown() && !both[1].PlaysKnown() {
			actual[i], without[i] = math.NaN(), math.NaN()
		}
		if math.IsNaN(adjusted(0, &both[0], &both[1])) {
			without[i] = math.NaN()
		}
	}
	return actual, without
}

// valueAfter is what the game is worth to player 0 after the play made: points, or match
// winning chance; false where the play was not judged.
func valueAfter(j *Judged, t *match.Table) (float64, bool) {
	a := Judgement(j.Turn.Action.Analysis)
	if a == nil || a.Played < 0 || a.Played >= len(a.Candidates) {
		return 0, false
	}
	st := j.Turn.State
	v := a.Candidates[a.Played].Outcome.Cubeful
	switch {
	case st.Length == 0 && j.Turn.Player == 1:
		return -v * float64(st.Cube), true
	case st.Length == 0:
		return v * float64(st.Cube), true
	}
	if v = t.MWC(st, v); j.Turn.Player == 1 {
		v = 1 - v
	}
	return v, true
}
