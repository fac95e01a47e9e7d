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
	// plays, CountedPlays, and the cube decisions that are close or wrong.
	// Unanalysed decisions do not count. See PR.
	Counted, CountedPlays int
	// Cubes is how many cube decisions were analysed, CloseJudged how many of these are
	// among Close. Rolls is of how many rolls the luck is known.
	Cubes, CloseJudged, Rolls int
	// Resignations are the resignations that gave something up: made too early, or accepted
	// too cheaply. They are in no other sum.
	Resignations record.CubeErrors
	// CubesUnjudged counts the cube decisions without an analysis.
	CubesUnjudged int
}

// PlaysKnown reports whether plays with a choice were analysed.
func (s *Sums) PlaysKnown() bool { return s.CountedPlays > 0 }

// CubeKnown reports whether cube decisions were analysed.
func (s *Sums) CubeKnown() bool { return s.Cubes > 0 }

// LuckKnown reports whether the luck of rolls is known.
func (s *Sums) LuckKnown() bool { return s.Rolls > 0 }

// Known reports whether any decision was analysed.
func (s *Sums) Known() bool { return s.PlaysKnown() || s.CubeKnown() }

// whole reports whether both kinds of decision were analysed as far as there were any.
func (s *Sums) whole() bool {
	return s.Known() && (s.PlaysKnown() || s.Unforced == 0) && s.CloseKnown()
}

// CloseKnown reports whether Close is known: without an analysis of the cube it is not.
func (s *Sums) CloseKnown() bool { return s.CubeKnown() || s.CubesUnjudged == 0 }

// Graded returns a figure from which a level is named, or NaN where only plays or only cube
// decisions were analysed though there were both.
func (s *Sums) Graded(v float64) float64 {
	if !s.whole() {
		return math.NaN()
	}
	return v
}

// Judged is how many decisions an error per decision is taken over: unforced plays and close
// cube decisions that were analysed.
func (s *Sums) Judged() int { return s.CountedPlays + s.CloseJudged }

// CubeError is the total cost of all cube mistakes.
func (s *Sums) CubeError() (c record.Cost) {
	for _, f := range s.Cube {
		c.EMG += f.Cost.EMG
		c.Value += f.Cost.Value
	}
	return c
}

// Error is the total cost of plays and cube decisions; resignations are beside it.
func (s *Sums) Error() record.Cost {
	c := s.CubeError()
	addCost(&c, s.PlayError)
	return c
}

// Rates are the player's errors per decision, in EMG: over all decisions, over unforced
// plays, over close cube decisions. A rate over decisions that were not analysed is NaN.
func (s *Sums) Rates() rating.ErrorRates {
	return rating.ErrorRates{
		PerDecision: ratio(s.Error().EMG, s.Judged()),
		Checker:     ratio(s.PlayError.EMG, s.CountedPlays),
		Cube:        ratio(s.CubeError().EMG, s.CloseJudged),
	}
}

// LuckRate is the luck per roll, EMG, or NaN where no luck is known.
func (s *Sums) LuckRate() float64 { return ratio(s.Luck.EMG, s.Rolls) }

// ratio is sum/n, or NaN if n is 0.
func ratio(sum float64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

// counts are the numbers that add up over games, costs the amounts.
func (s *Sums) counts() []*int {
	out := []*int{
		&s.Unforced, &s.Moves, &s.PlayVeryBad, &s.PlayBad, &s.PlayDoubtful, &s.PlayUnmarked, &s.CubeDecisions, &s.Close, &s.Counted, &s.CountedPlays,
		&s.Cubes, &s.CloseJudged, &s.CubesUnjudged, &s.Resignations.Count, &s.Rolls, &s.Doubles, &s.Takes, &s.Drops,
		&s.VeryUnlucky, &s.Unlucky, &s.Ordinary, &s.Lucky, &s.VeryLucky,
	}
	for i := range s.Cube {
		out = append(out, &s.Cube[i].Count)
	}
	return out
}

func (s *Sums) costs() []*record.Cost {
	out := []*record.Cost{&s.PlayError, &s.Resignations.Cost, &s.Luck}
	for i := range s.Cube {
		out = append(out, &s.Cube[i].Cost)
	}
	return out
}

// Add adds the totals of another game or match of the player.
func (s *Sums) Add(o *Sums) {
	more := o.counts()
	for i, n := range s.counts() {
		*n += *more[i]
	}
	costs := o.costs()
	for i, c := range s.costs() {
		addCost(c, *costs[i])
	}
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
	// Resignation judges the resignation that ended the game, or is nil without one and
	// without an analysis of it.
	Resignation *Resignation
}

// Resignation is a judged resignation: Player, who resigned or accepted too little, gave up
// Loss (EMG), 0 where it was right.
type Resignation struct {
	Player int
	Loss   float64
	Mark   record.Mark
	State  match.State // of the player who resigned
}

// resignNoise is the difference below which resigning is as good as playing on.
const resignNoise = 0.001

// resigned judges the resignation that ended a game.
func (gs *GameSummary) resigned(g *record.Game, r *record.Replay, last *record.Turn, t *match.Table, lim Limits) {
	if !g.GivenUp() || last == nil || last.Action.Analysis == nil || last.Action.Analysis.Resigned == nil {
		return
	}
	v, loser := last.Action.Analysis.Resigned, 1-g.Result.Winner&1
	out := &Resignation{Player: loser, Loss: v.PlayOn - v.Given, State: r.State(loser)}
	if out.Loss < 0 {
		out.Player, out.Loss = 1-loser, -out.Loss
	}
	gs.Resignation = out
	if out.Loss < resignNoise {
		out.Player, out.Loss = loser, 0
		return
	}
	out.Mark = lim.Mark(out.Loss)
	sum := &gs.Players[out.Player]
	sum.Resignations.Count++
	addCost(&sum.Resignations.Cost, cost(t, out.State, out.Loss))
}

// Summary is a whole match or session.
type Summary struct {
	Players [2]Sums
	Games   []GameSummary
	// Actual is each player's result: in a match the change of match winning
	// chance from the first score to the last, so +0.5 and -0.5 for a whole match;
	// in money play points won. LuckAdjusted is the same with the luck of both taken
	// out: the own luck subtracted, the opponent's added (Zare). Where the last game is
	// unfinished, what its last position is worth is added: the luck led there. It is NaN
	// where that, or the luck of a player who rolled, is not known.
	Actual, LuckAdjusted [2]float64
	// Chance is each player's chance against this very opponent, by the errors
	// alone: 0.5 less the own cost, plus the opponent's, within 0 and 1. It is NaN in
	// money play and where a player's decisions were not analysed.
	Chance [2]float64
	// RatingByDecision and RatingByKind are the rating estimates of each player by both
	// published models: the errors per decision, and checker and cube apart. They are NaN
	// in money play, for which the models have no length, below rating.EnoughDecisions,
	// and where plays or cube decisions were not analysed.
	RatingByDecision, RatingByKind [2]float64
	// Snowie is each player's total error over the moves of both, in EMG; NaN where no
	// decision of the player was analysed.
	Snowie [2]float64
}

// Summarise adds up the analysis stored in m. t is used for matches; nil means the default
// table. Sums and counts leave unanalysed decisions out, and a figure without data is NaN. A nil
// m is a match without games.
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
		r := record.NewReplay(m, g)
		var last *record.Turn
		for turn, ok := r.Next(); ok; turn, ok = r.Next() {
			last = &turn
			opening := rolls == 0 && turn.Position == m.Rules.Variation.Start()
			j := judge(&turn, t, lim, &gs.Players[turn.Player], opening)
			j.Phase, j.Plan = PhaseOf(&turn.Position, rolls), PlanOf(&turn.Position)
			if turn.Action.Kind == record.Move {
				rolls++
			}
			gs.Decisions = append(gs.Decisions, j)
		}
		gs.resigned(g, r, last, t, lim)
		for p := range 2 {
			s.Players[p].Add(&gs.Players[p])
		}
		s.Games = append(s.Games, gs)
	}
	s.results(m, t)
	return s
}

func (s *Summary) results(m *record.Match, t *match.Table) {
	score := m.FinalScore()
	if m.Length > 0 {
		s.Actual[0] = standing(m, score, t) - beginning(m, 0, t)
		s.Actual[1] = -s.Actual[0]
	} else {
		s.Actual = [2]float64{float64(score[0] - score[1]), float64(score[1] - score[0])}
	}
	open := 0.0
	if n := len(m.Games); n > 0 {
		open = s.open(m, n-1, t)
	}
	s.rates(m, open)
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
	out.rates(m, s.open(m, i, table(t)))
	return out
}

// rates sets what follows from the players' sums and the actual result; open is what an
// unfinished game is worth to player 0 besides.
func (s *Summary) rates(m *record.Match, open float64) {
	moves := s.Players[0].Moves + s.Players[1].Moves
	for p := range 2 {
		me, opp := &s.Players[p], &s.Players[1-p]
		s.LuckAdjusted[p] = adjusted(s.Actual[p]+open*float64(1-2*p), me, opp)
		s.Snowie[p], s.Chance[p] = math.NaN(), math.NaN()
		if me.Known() {
			s.Snowie[p] = ratio(me.Error().EMG, moves)
		}
		if m.Length > 0 && me.Known() && opp.Known() {
			s.Chance[p] = math.Max(0, math.Min(1, 0.5-me.Error().Value+opp.Error().Value))
		}
		s.RatingByDecision[p], s.RatingByKind[p] = math.NaN(), math.NaN()
		if m.Length > 0 && me.whole() && me.Judged() >= rating.EnoughDecisions {
			r := me.Rates()
			s.RatingByDecision[p] = max(rating.LowestEstimate, rating.PerfectRating-rating.LossByDecision(r, m.Length))
			s.RatingByKind[p] = rating.Estimate(me.KindRates(), m.Length)
		}
	}
}

// KindRates are Rates with 0 for a kind of decision that the player did not have to make.
func (s *Sums) KindRates() rating.ErrorRates {
	r := s.Rates()
	for _, v := range []*float64{&r.Checker, &r.Cube} {
		if math.IsNaN(*v) {
			*v = 0
		}
	}
	return r
}

// adjusted is a player's result without the luck of both, in the unit of the result; NaN
// where a player rolled and the luck is not known.
func adjusted(result float64, me, opp *Sums) float64 {
	for _, x := range []*Sums{me, opp} {
		if x.Moves > 0 && !x.LuckKnown() {
			return math.NaN()
		}
	}
	return result - me.Luck.Value + opp.Luck.Value
}

// beginning is player 0's chance to win the match from the score before game i.
func beginning(m *record.Match, i int, t *match.Table) float64 {
	if len(m.Games) == 0 {
		return 0.5
	}
	g := &m.Games[i]
	return t.Equity(m.Length-g.Score[0], m.Length-g.Score[1], !g.Crawford && match.AtCrawford(m.Length, g.Score))
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
	// After the last game the Crawford game is over if it was played.
	post := false
	for i := range m.Games {
		post = post || m.Games[i].Crawford && m.Games[i].Result.Finished()
	}
	return t.Equity(away[0], away[1], post)
}
