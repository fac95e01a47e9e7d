package analyse

import (
	"math"

	"fibsbot/engine/match"
	"fibsbot/engine/rating"
	"fibsbot/engine/record"
)

// Limits are the losses (EMG, positive) from which a decision is marked, and the
// luck from which a roll is.
type Limits struct {
	Doubtful, Bad, VeryBad float64 // the loss itself is marked
	Lucky, VeryLucky       float64 // the luck has to be above; below the negative it is bad luck
}

// DefaultLimits are those of the manual of GNU Backgammon 0.90: 0.040, 0.080 and
// 0.160 for errors, 0.3 and 0.6 for luck.
var DefaultLimits = Limits{Doubtful: 0.040, Bad: 0.080, VeryBad: 0.160, Lucky: 0.3, VeryLucky: 0.6}

// Mark judges a loss of equity.
func (l Limits) Mark(loss float64) record.Mark {
	switch {
	case loss >= l.VeryBad:
		return record.VeryBad
	case loss >= l.Bad:
		return record.Bad
	case loss >= l.Doubtful:
		return record.Doubtful
	}
	return record.Unmarked
}

// LuckMark judges the luck of a roll: -2 very unlucky to +2 very lucky.
func (l Limits) LuckMark(luck float64) int8 {
	switch {
	case luck > l.VeryLucky:
		return 2
	case luck > l.Lucky:
		return 1
	case luck < -l.VeryLucky:
		return -2
	case luck < -l.Lucky:
		return -1
	}
	return 0
}

// Sums are one player's totals over a game or a match.
type Sums struct {
	record.Statistics
	// Close counts the cube decisions that an error rate is taken over: every
	// double, take and drop, and the rolls at which doubling was right or not
	// far from right.
	Close int
	// Counted are the decisions that the performance rating is taken over: unforced
	// plays, CountedPlays, and the cube decisions that are close or wrong. What was not
	// analysed is not among them. See PR.
	Counted, CountedPlays int
	// Cubes is how many cube decisions were analysed, Rolls of how many rolls the luck
	// is known.
	Cubes, Rolls int
}

// CubeError is the total cost of all cube mistakes.
func (s *Sums) CubeError() (c record.Cost) {
	for _, f := range s.Cube {
		c.EMG += f.Cost.EMG
		c.Value += f.Cost.Value
	}
	return c
}

// Error is the total cost of checker play and cube.
func (s *Sums) Error() record.Cost {
	c := s.CubeError()
	return record.Cost{EMG: c.EMG + s.PlayError.EMG, Value: c.Value + s.PlayError.Value}
}

// Rates are the player's errors per decision, in EMG.
func (s *Sums) Rates() rating.ErrorRates {
	return rating.ErrorRates{
		PerDecision: ratio(s.Error().EMG, s.Unforced+s.Close),
		Checker:     ratio(s.PlayError.EMG, s.Unforced),
		Cube:        ratio(s.CubeError().EMG, s.Close),
	}
}

func ratio(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

func (s *Sums) add(o *Sums) {
	s.Unforced += o.Unforced
	s.Moves += o.Moves
	s.PlayVeryBad += o.PlayVeryBad
	s.PlayBad += o.PlayBad
	s.PlayDoubtful += o.PlayDoubtful
	s.PlayUnmarked += o.PlayUnmarked
	addCost(&s.PlayError, o.PlayError)
	s.CubeDecisions += o.CubeDecisions
	s.Close += o.Close
	s.Counted += o.Counted
	s.CountedPlays += o.CountedPlays
	s.Cubes += o.Cubes
	s.Rolls += o.Rolls
	s.Doubles += o.Doubles
	s.Takes += o.Takes
	s.Drops += o.Drops
	for i := range s.Cube {
		s.Cube[i].Count += o.Cube[i].Count
		addCost(&s.Cube[i].Cost, o.Cube[i].Cost)
	}
	s.VeryUnlucky += o.VeryUnlucky
	s.Unlucky += o.Unlucky
	s.Ordinary += o.Ordinary
	s.Lucky += o.Lucky
	s.VeryLucky += o.VeryLucky
	addCost(&s.Luck, o.Luck)
}

func addCost(c *record.Cost, o record.Cost) {
	c.EMG += o.EMG
	c.Value += o.Value
}

// GameSummary is one game.
type GameSummary struct {
	// Number, Score and Result are those of the record.Game.
	Number int
	Score  [2]int
	Result record.Result
	// Players are the sums by player number.
	Players [2]Sums
	// Decisions are all judged decisions and rolls in order.
	Decisions []Judged
}

// Summary is a whole match or session.
type Summary struct {
	Players [2]Sums
	Games   []GameSummary
	// Actual is each player's result: in a match the change of match winning
	// chance from the first score to the last, so +0.5 and -0.5 for a whole match;
	// in money play points won. LuckAdjusted is the same with the luck of both taken
	// out: the own luck subtracted, the opponent's added (Zare).
	Actual, LuckAdjusted [2]float64
	// Chance is each player's chance against this very opponent, by the errors
	// alone: 0.5 less the own cost, plus the opponent's, within 0 and 1; zero in
	// money play.
	Chance [2]float64
	// Rating is the rating estimate of each player by both published models: the
	// errors per decision, and checker and cube apart. NaN
	// below rating.EnoughDecisions.
	RatingByDecision, RatingByKind [2]float64
	// Snowie is each player's total error over the moves of both, in EMG.
	Snowie [2]float64
}

// Summarise adds up the analysis stored in m. t is used for matches; nil means
// the default table. A decision without analysis counts as errorless. A nil m is a match
// without games.
func Summarise(m *record.Match, t *match.Table, lim Limits) *Summary {
	if m == nil {
		m = &record.Match{}
	}
	if t == nil {
		t = match.DefaultTable()
	}
	s := &Summary{}
	for i := range m.Games {
		g := &m.Games[i]
		gs := GameSummary{Number: g.Number, Score: g.Score, Result: g.Result}
		rolls := 0
		for turn := range m.Turns(g) {
			j := judge(&turn, t, lim, &gs.Players[turn.Player])
			j.Phase, j.Plan = PhaseOf(&turn.Position, rolls), PlanOf(&turn.Position)
			if turn.Action.Kind == record.Move {
				rolls++
			}
			gs.Decisions = append(gs.Decisions, j)
		}
		for p := range 2 {
			s.Players[p].add(&gs.Players[p])
		}
		s.Games = append(s.Games, gs)
	}
	s.results(m, t)
	return s
}

func (s *Summary) results(m *record.Match, t *match.Table) {
	score := m.FinalScore()
	if m.Length > 0 {
		s.Actual[0] = standing(m, score, t) - beginning(m, t)
		s.Actual[1] = -s.Actual[0]
	} else {
		s.Actual = [2]float64{float64(score[0] - score[1]), float64(score[1] - score[0])}
	}
	s.rates(m)
}

// OfGame is the summary of game i of m alone, counted from 0, which has one game then. t
// nil is the default table. Of a game that m or s does not have there is the summary of a
// match without games.
func (s *Summary) OfGame(m *record.Match, i int, t *match.Table) *Summary {
	if m == nil || i < 0 || i >= len(s.Games) || len(s.Games) > len(m.Games) {
		return Summarise(nil, t, Limits{})
	}
	actual, _ := s.GameResults(m, t)
	out := &Summary{Players: s.Games[i].Players, Games: s.Games[i : i+1], Actual: [2]float64{actual[i], -actual[i]}}
	out.rates(m)
	return out
}

// rates sets what follows from the players' sums and the actual result.
func (s *Summary) rates(m *record.Match) {
	moves := s.Players[0].Moves + s.Players[1].Moves
	for p := range 2 {
		me, opp := &s.Players[p], &s.Players[1-p]
		s.LuckAdjusted[p] = s.Actual[p] - me.Luck.Value + opp.Luck.Value
		s.Snowie[p] = ratio(me.Error().EMG, moves)
		if m.Length > 0 {
			s.Chance[p] = math.Max(0, math.Min(1, 0.5-me.Error().Value+opp.Error().Value))
		}
		r := me.Rates()
		s.RatingByDecision[p], s.RatingByKind[p] = math.NaN(), math.NaN()
		if me.Unforced+me.Close >= rating.EnoughDecisions {
			n := m.Length
			if n == 0 {
				n = moneyLength
			}
			s.RatingByDecision[p] = max(rating.LowestEstimate, rating.PerfectRating-rating.LossByDecision(r, n))
			s.RatingByKind[p] = rating.Estimate(r, n)
		}
	}
}

// moneyLength stands in for the match length in rating estimates of money play,
// where the models approach their limit.
const moneyLength = 25

// beginning is player 0's chance to win the match from its first recorded score.
func beginning(m *record.Match, t *match.Table) float64 {
	if len(m.Games) == 0 {
		return 0.5
	}
	g := &m.Games[0]
	away := [2]int{m.Length - g.Score[0], m.Length - g.Score[1]}
	post := (away[0] == 1) != (away[1] == 1) && !g.Crawford && m.Length > 1
	return t.Equity(away[0], away[1], post)
}

// standing is player 0's chance to win the match from the final score.
func standing(m *record.Match, score [2]int, t *match.Table) float64 {
	away := [2]int{m.Length - score[0], m.Length - score[1]}
	switch {
	case away[0] <= 0:
		return 1
	case away[1] <= 0:
		return 0
	}
	// After the last game the Crawford game lies behind when it was played.
	post := false
	for i := range m.Games {
		post = post || m.Games[i].Crawford && m.Games[i].Result.Finished()
	}
	return t.Equity(away[0], away[1], post)
}
