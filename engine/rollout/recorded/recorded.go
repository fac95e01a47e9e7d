package recorded

import (
	"cmp"
	"fmt"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// The players of the file: gnubg's Match IDs, too, have player 1 on roll.
const (
	sgfOpponent = 0
	sgfOnRoll   = 1
)

// diceGenerator names the generator of the dice: PCG of math/rand/v2.
const diceGenerator = "PCG"

// Match returns a rolled out position as a match of one action, which gnubg loads as SGF: the
// best play with the others as candidates, or the double, in a game by rules r. plays are
// those of the arms, empty for a cube decision.
func Match(r board.Rules, sit match.Situation, s rollout.Settings, res []rollout.Result, plays []board.Play, t *match.Table) *record.Match {
	m := &record.Match{Length: sit.State.Length, Rules: record.Rules{Crawford: sit.State.Length > 0, Jacoby: sit.State.Jacoby, Beavers: sit.State.Beavers, Drops: sit.State.Drops, Egyptian: r.Egyptian}}
	if n := r.Each(); n < board.MaxCheckers {
		m.Rules.Variation, _ = record.ParseVariation(fmt.Sprintf("hypergammon%d", n))
	}
	m.Players[sgfOpponent].Name, m.Players[sgfOnRoll].Name = "opponent", "on roll"
	owner := map[match.Owner]int{match.Centred: record.NoPlayer, match.Mine: sgfOnRoll, match.Theirs: sgfOpponent}[sit.State.Owner]
	start := record.Action{Kind: record.SetUp, Player: sgfOnRoll, SetUp: &record.Setup{
		Board: &[2]board.Checkers{sgfOpponent: sit.Position.Opp, sgfOnRoll: sit.Position.Me},
		Cube:  sit.State.Cube, Owner: owner, SetOwner: true,
	}}
	action := record.Action{Kind: record.Double, Player: sgfOnRoll}
	if len(plays) == 0 {
		action.Analysis = &record.Analysis{Played: -1, Cube: Cube(&res[0], &res[1], s, sit.State, t)}
	} else {
		list := Plays(res, plays, s, sit.State)
		action.Kind, action.Dice, action.Analysis = record.Move, sit.Dice, &record.Analysis{Candidates: list}
		action.Steps = list[0].Steps
	}
	m.Games = []record.Game{{Score: [2]int{sgfOpponent: sit.State.Score[1], sgfOnRoll: sit.State.Score[0]}, Crawford: sit.State.Crawford,
		Actions: []record.Action{start, action}}}
	return m
}

// Plays returns rolled out plays as the candidates of a record, best first. plays are those
// of res, in its order.
func Plays(res []rollout.Result, plays []board.Play, s rollout.Settings, st match.State) (out []record.Candidate) {
	context := contextOf(s).String()
	for i := range res {
		r := &res[i]
		ro, o := outcome(r, context)
		out = append(out, record.Candidate{Steps: slices.Clone(plays[i].Steps[:plays[i].N]), Outcome: o, Rollout: ro, Score: [2]float64{r.Equity, r.Cubeless}})
	}
	slices.SortStableFunc(out, func(a, b record.Candidate) int { return cmp.Compare(b.Outcome.Cubeful, a.Outcome.Cubeful) })
	return out
}

// Cube returns a rolled out cube decision of the player in state st; no and take are the arms
// that rollout.Job.AddCube added.
func Cube(no, take *rollout.Result, s rollout.Settings, st match.State, t *match.Table) *record.CubeAnalysis {
	context := contextOf(s).String()
	ro, noOut := outcome(no, context)
	takeRo, takeOut := outcome(take, context)
	ro.StdErr[1] = takeRo.StdErr[0]
	// In cube decisions the outcomes, too, are winning chances in a match, and the cubeless
	// equity of a taken double is at the doubled cube.
	noOut.Cubeful, takeOut.Cubeful, ro.Output = ro.Output, takeRo.Output, 0
	takeOut.Cubeless = cubelessAt(t, st, take.Probs)
	return &record.CubeAnalysis{NoDouble: noOut, DoubleTake: takeOut, Rollout: ro}
}

// outcome returns a result in the units of match files, with 0 for an unknown standard error.
func outcome(r *rollout.Result, context string) (*record.Rollout, record.Outcome) {
	out := record.Outcome{Probs: r.Probs, Cubeless: r.Cubeless, Cubeful: r.Equity}
	off := record.Outcome{Cubeless: r.CubelessErr.Or(0), Cubeful: r.EquityErr.Or(0)}
	for k, e := range r.ProbsErr {
		off.Probs[k] = e.Or(0)
	}
	ro := &record.Rollout{Trials: r.Trials, Output: r.Equity, Settings: context}
	if r.MWC != nil {
		ro.Output, off.Cubeful = *r.MWC, r.MWCErr.Or(0)
	}
	ro.StdErr[0] = off
	return ro, out
}

// cubelessAt returns the cubeless equity of chances after a taken double in state st, at the
// doubled cube.
func cubelessAt(t *match.Table, st match.State, probs [5]float64) float64 {
	st.Cube, st.Owner = 2*st.Cube, match.Theirs
	l, err := cube.NewLadder(t, st)
	if err != nil {
		return 0 // the cube is at its limit: the double was not legal
	}
	var pr eval.Probs
	for i, v := range probs {
		pr[i] = float32(v)
	}
	u := l.Cubeless(&pr, cube.Spot{Owner: st.Owner})
	if st.Length == 0 {
		return u
	}
	return t.EMG(st, (u+1)/2)
}

// contextOf returns the settings of a rollout in the terms of match files.
func contextOf(s rollout.Settings) *sgf.Context {
	me := rollout.Side{Checker: s.Checker, Cube: s.Cube, LateChecker: s.LateChecker, LateCube: s.LateCube}
	opp := me
	if s.Opponent != nil {
		opp = *s.Opponent
	}
	static := record.Settings{Cubeful: s.Cubeful, Deterministic: true}
	c := &sgf.Context{
		Cubeful: s.Cubeful, VarianceReduction: s.VarianceReduction, Initial: s.InitialPosition, Balanced: !s.PlainDice,
		Truncated: s.Truncate > 0, TruncatePly: s.Truncate, TwoSided: s.TruncateTwoSided, OneSided: s.TruncateOneSided,
		Late: s.LatePly > 0, LatePly: s.LatePly, Generator: diceGenerator, Seed: s.Seed, Asked: s.Trials, CubeEnd: static, CheckerEnd: static,
	}
	for i, side := range [2]*rollout.Side{sgfOpponent: &opp, sgfOnRoll: &me} {
		c.Cube[i].Settings, c.Checker[i] = settingsOf(&side.Cube), evaluatorOf(&side.Checker)
		c.LateCube[i].Settings, c.LateChecker[i] = settingsOf(&side.LateCube), evaluatorOf(&side.LateChecker)
	}
	return c
}

// Enough reports whether the rollout r of a record has at least trials trials, truncated no
// earlier than after truncate plies (0: played to the end), and looked plies ahead in its
// first early plies. A rollout to the end of the game, or without a description, needs the
// trials only.
func Enough(r *record.Rollout, trials, truncate, early, plies int) bool {
	c, ok := sgf.ParseContext(r.Settings)
	if !ok {
		return r.Trials >= trials
	}
	if truncate > 0 && !c.Truncated {
		return max(r.Trials, c.Asked) >= trials
	}
	return max(r.Trials, c.Asked) >= trials && (!c.Truncated || truncate > 0 && c.TruncatePly >= truncate) &&
		(early == 0 || c.Checker[sgfOnRoll].Plies >= plies && (!c.Late || c.LatePly >= early))
}

func settingsOf(s *search.Settings) record.Settings {
	return record.Settings{Plies: s.Plies, Cubeful: s.Cubeful, Deterministic: s.Deterministic || s.Noise == 0, Noise: s.Noise, Prune: s.Prune}
}

func evaluatorOf(s *search.Settings) sgf.Evaluator {
	e := sgf.Evaluator{Settings: settingsOf(s)}
	for i := range s.Plies {
		cut := search.Skip
		if row := s.Filter.Cuts[s.Plies-1]; i < len(row) {
			cut = row[i]
		}
		e.Filter = append(e.Filter, sgf.Cut{Accept: cut.Accept, Extra: cut.Extra, Threshold: cut.Threshold})
	}
	return e
}
