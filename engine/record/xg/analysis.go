package xg

import (
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/level"
	"fibsbot/engine/record/sgf"
)

// none stands where XG has computed nothing.
const none = -1000

// outcome reads seven numbers: lose backgammon, lose gammon, lose, win, win gammon,
// win backgammon, equity.
func (b blob) outcome(at int) record.Outcome {
	f := func(i int) float64 { return b.f32(at + 4*i) }
	return record.Outcome{Probs: [5]float64{f(3), f(4), f(5), f(1), f(0)}, Cubeless: f(6), Cubeful: f(6)}
}

func loss(v float64) *float64 {
	if v <= none {
		return nil
	}
	v = math.Abs(v)
	return &v
}

// judgeCube puts the analysis of a cube record at an action: a double, the answer to
// it, or the roll before which no double was made.
func (r *reader) judgeCube(a *record.Action, b blob, doubled bool) {
	const at = 64
	block := b[at : at+132]
	if verdict := block.i16(56); verdict <= -100 || b.i32(16) == -2 {
		return
	}
	c := &record.CubeAnalysis{Settings: level.ByNumber(block.i32(28)), NoDouble: block.outcome(60), DoubleTake: block.outcome(104)}
	eq := [3]float64{block.f32(88), block.f32(92), block.f32(96)}
	if c.NoDouble.Probs == [5]float64{} && eq[0] == 0 && eq[1] == 0 {
		return
	}
	if e, k := b.i32(232), block.i32(28); e >= 0 && (k < 0 || k == 0 && e > 0) {
		c.Settings = level.ByNumber(e)
	}
	st := r.stateOf(b)
	if ro := r.rollout(b.i32(224)); ro != nil {
		c.Settings = level.ByNumber(100)
		c.Rollout = &record.Rollout{Trials: ro.i32(84), Settings: ro.rolling()}
		for i := range 2 {
			err := ro.f32(2020+4*i) / confidence
			if st.Length > 0 {
				err *= match.DefaultTable().MWCPerEMG(st)
			}
			c.Rollout.StdErr[i].Cubeful = err
		}
		c.NoDouble, c.DoubleTake = ro.outcome(2028), ro.outcome(2056)
	}
	c.Value(st, eq)
	a.Judged().Cube = c
	said := a.Judged().Errors()
	switch {
	case !doubled || a.Kind == record.Double:
		said.Double = loss(b.f64(200))
	case a.Kind == record.Take || a.Kind == record.Drop:
		said.Answer = loss(b.f64(216))
	}
}

// stateOf is score and cube as the player of a cube record sees them.
func (r *reader) stateOf(b blob) match.State {
	g, m := r.s.Current(), r.s.Match
	who := player(b.i32(12))
	st := match.State{Length: m.Length, Score: [2]int{g.Score[who], g.Score[1-who]}, Cube: max(g.Cube, 1), Crawford: g.Crawford}
	if n := b.i32(32); n > -16 && n < 16 {
		st.Cube <<= max(n, -n)
	}
	return st
}

// confidence is how many standard errors XG's 95 % interval has to each side.
const confidence = 1.959964

// rollout returns a rollout by its number, or nil if there is no such rollout.
func (r *reader) rollout(i int) blob {
	if i < 0 || i >= len(r.rollouts)/rolloutSize {
		return nil
	}
	b := r.rollouts[i*rolloutSize : (i+1)*rolloutSize]
	if b.i32(84) <= 0 {
		return nil
	}
	return b
}

// rolling says how a rollout was made in the words of match files: the checker and cube
// levels before and from the cut, the truncation, the seed.
func (b blob) rolling() string {
	c := sgf.Context{
		Cubeful: !b.flag(41), VarianceReduction: b.flag(40), Initial: b.flag(80), Balanced: true,
		Truncated: b.flag(0) && b.i32(4) > 0, TruncatePly: b.i32(4), LatePly: b.i32(36), Late: b.i32(36) > 0 && b.i32(36) < 1000,
		Generator: "eXtreme Gammon", Seed: uint64(b.u32(60)), CubeEnd: plies(b.i32(2136)), CheckerEnd: plies(b.i32(2136)),
	}
	for i := range 2 {
		c.Checker[i].Settings, c.LateChecker[i].Settings = plies(b.i32(28)), plies(b.i32(32))
		c.Cube[i].Settings, c.LateCube[i].Settings = plies(b.i32(44)), plies(b.i32(48))
	}
	return c.String()
}

// plies is a level without the name that XG gives it.
func plies(n int) record.Settings {
	s := level.ByNumber(n)
	s.Level = ""
	return s
}

// maxCandidates is how many plays a record holds.
const maxCandidates = 32

// judgeMove puts the candidates, the error and the luck of a move record at an action.
func (r *reader) judgeMove(a *record.Action, b blob, before board.Position, st match.State, d board.Dice) {
	const at = 124
	block := b[at : at+2184]
	n := min(max(block.i32(64), 0), maxCandidates)
	if b.i32(2472) >= 0 && n > 0 {
		r.candidates(a, b, block, n, before, st, d)
	}
	if v := b.f64(2312); a.Kind == record.Move && v > none && b.i32(2472) >= 0 {
		a.Judged().Errors().Play = loss(v)
	}
	if v := b.f64(2320); b.i32(2476) >= 0 && v > none && v < 100 {
		a.Judged().Luck = &v
	}
}

func (r *reader) candidates(a *record.Action, b, block blob, n int, before board.Position, st match.State, d board.Dice) {
	legal := board.AppendPlays(nil, before, d)
	if len(legal) == 0 {
		return // XG lists the position that stays
	}
	after, _, _ := b.checkers(35)
	an := a.Judged()
	for i := range n {
		p, empty, ok := block.checkers(68 + 26*i)
		if empty || !ok {
			continue
		}
		c := record.Candidate{Settings: level.ByNumber(block.i16(1156 + 4*i)), Outcome: block.outcome(1284 + 28*i)}
		for k := range legal {
			if legal[k].Result == p {
				c.Steps = append(c.Steps, legal[k].Steps[:legal[k].N]...)
				break
			}
		}
		played := a.Kind == record.Move && p == after
		switch {
		case played:
			c.Steps = a.Steps
		case c.Steps == nil:
			continue // an illegal play that was not made
		}
		if ro := r.rollout(b.i32(2344 + 4*i)); ro != nil {
			c.Settings = level.ByNumber(100)
			c.Rollout = &record.Rollout{Trials: ro.i32(84), Settings: ro.rolling()}
			c.Rollout.Sum(st, c.Outcome.Cubeful, ro.f32(2020)/confidence)
			c.Score = [2]float64{c.Outcome.Cubeful, c.Outcome.Cubeful}
		}
		// The seventh number of a candidate is cubeful; the cubeless equity is the sum of
		// the chances.
		c.Outcome.SumUp()
		if played && an.Played < 0 {
			an.Played = len(an.Candidates)
		}
		an.Candidates = append(an.Candidates, c)
	}
}
