package rollout

import (
	"context"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

// The outputs of a trial: the five chances, the cubeless and the cubeful
// utility.
const (
	outCubeless = 5
	outCubeful  = 6
	outputs     = 7
)

// sample is one set of outputs, for the player on roll at the start of the arm.
type sample [outputs]float64

// add adds w times o, seen by the other player when turned.
func (s *sample) add(o *sample, w float64, turned bool) {
	if !turned {
		for i := range s {
			s[i] += w * o[i]
		}
		return
	}
	s[eval.Win] -= w * o[eval.Win]
	s[eval.WinGammon] += w * o[eval.LoseGammon]
	s[eval.WinBackgammon] += w * o[eval.LoseBackgammon]
	s[eval.LoseGammon] += w * o[eval.WinGammon]
	s[eval.LoseBackgammon] += w * o[eval.WinBackgammon]
	s[outCubeless] -= w * o[outCubeless]
	s[outCubeful] -= w * o[outCubeful]
}

// inverted is a whole result seen by the other player; add turns differences.
func (s *sample) inverted() sample {
	return sample{1 - s[0], s[3], s[4], s[1], s[2], -s[outCubeless], -s[outCubeful]}
}

// player plays trials of one arm. It belongs to one goroutine.
type player struct {
	job     *Job
	ladders [2]*cube.Ladder // of the arm's player on roll and of the other one
	turned  bool            // that player is the job's opponent
	eval    eval.Evaluator
	plays   []board.Play
	listed  []listing
	probs   []eval.Probs
	ranker  *search.Ranker
	// after is a position on its way through an interface: one that lived on the stack would
	// be moved to the heap.
	after board.Position
}

// turn is the cube action before a roll: whether the player on roll doubles, and how the
// opponent answers or would answer.
type turn struct{ double, take, beaver bool }

// after is where the cube stands when the double has been taken.
func (t turn) after(spot cube.Spot) cube.Spot {
	spot = cube.Spot{Rung: spot.Rung + 1, Owner: match.Theirs}
	if t.beaver {
		spot.Rung++
	}
	return spot
}

// look values a position for the player on roll, with ladder l and the cube at
// spot. pr are its chances.
func (g *player) look(p *board.Position, pr *eval.Probs, l *cube.Ladder, spot cube.Spot) (v sample, t turn) {
	for i := range pr {
		v[i] = float64(pr[i])
	}
	v[outCubeless] = l.Plain(pr)
	if !g.job.settings.Cubeful {
		// No one turns it any more: gammons count, or not, by the cube as it was.
		v[outCubeful] = l.Cubeless(pr, spot)
		return v, t
	}
	v[outCubeful], t = g.cubeful(p, pr, l, spot)
	return v, t
}

// cubeful returns the utility with best cube action, and that action. In money
// play with beavers a double that is worth less than nothing is beavered: such
// doubles are right under the Jacoby rule alone, where they let gammons count. A
// raccoon is never right then, because the doubler is behind.
func (g *player) cubeful(p *board.Position, pr *eval.Probs, l *cube.Ladder, spot cube.Spot) (u float64, t turn) {
	spots := [2]cube.Spot{spot, {Rung: spot.Rung + 1, Owner: match.Theirs}}
	n := 1
	base := l
	l = base.For(p)
	may := l.MayDouble(spot)
	if may {
		n = 2
	}
	var out [2]float64
	x := g.job.options.Efficiency.Of(p)
	var e cube.Exact
	exact := false
	if g.job.options.Exact != nil {
		if e, exact = g.job.options.Exact.Exact(p); exact && base.Priced() {
			exact = false // exact under the usual rule only
		}
		if exact && g.job.state.Length == 0 {
			for i := range n {
				out[i] = l.Known(&e, spots[i])
			}
		}
	}
	switch {
	case exact && g.job.endgame.Values(p, base != g.job.ladders[0], spots[:n], out[:n]):
	case exact && g.job.state.Length > 0:
		for i := range n {
			l.Values(pr, e.Efficiency(spots[i].Owner, x), spots[i:i+1], out[i:i+1])
		}
	case !exact:
		l.Values(pr, x, spots[:n], out[:n])
	}
	if !may {
		return out[0], t
	}
	pass := l.Pass(spot)
	t.take = out[1] <= pass
	doubled := min(out[1], pass)
	if st := &g.job.state; out[1] < 0 && st.Length == 0 && st.Beavers > 0 && int(spot.Rung)+2 < cube.MaxRungs {
		t.beaver = true
		doubled = 2 * out[1]
	}
	if t.double = doubled > out[0]; t.double {
		return doubled, t
	}
	return out[0], t
}

// standing is a trial before a roll.
type standing struct {
	p      board.Position
	pr     eval.Probs // of the player on roll
	spot   cube.Spot
	turned bool // the player on roll is not the one of the start
	ply    int
	luck   sample // so far, of the player on roll at the start
}

// result returns the outputs v of the player on roll as those of the one at the start, less
// the luck.
func (s *standing) result(v *sample) sample {
	r := *v
	if s.turned {
		r = v.inverted()
	}
	for i := range r {
		r[i] -= s.luck[i]
	}
	return r
}

// trial plays one arm once and returns its outputs for the arm's player on
// roll at the start.
func (g *player) trial(ctx context.Context, a *Arm, seq sequence) (sample, error) {
	set := &g.job.settings
	s := standing{p: a.start, spot: a.spot}
	s.pr = g.eval.Eval(&s.p)
	for ; ; s.ply++ {
		l := g.ladders[0]
		if s.turned {
			l = g.ladders[1]
		}
		v, t := g.look(&s.p, &s.pr, l, s.spot)
		late := set.LatePly > 0 && s.ply >= set.LatePly
		checker, cubes := g.deciding(s.turned).at(late)
		if (s.ply > 0 || !a.noDouble) && set.Cubeful && (t.double || searched(cubes)) && l.MayDouble(s.spot) {
			t, err := g.turnCube(ctx, &s, late, cubes, t)
			if err != nil {
				return v, err
			}
			if t.double {
				if !t.take {
					v[outCubeful] = l.For(&s.p).Pass(s.spot)
					return s.result(&v), nil
				}
				s.spot = t.after(s.spot)
			}
		}
		if s.ply > 0 && g.stops(&s.p, s.ply, l != g.job.ladders[0]) {
			v, err := g.leaf(ctx, &s, l)
			return s.result(&v), err
		}
		next, nextProbs, err := g.step(ctx, &s, seq.roll(s.ply), l, checker)
		if err != nil {
			return v, err
		}
		if points := g.job.rules.Result(&next); points != 0 {
			// The mover has borne off his last checker.
			over := ended(l, s.spot, points)
			return s.result(&over), nil
		}
		s.p, s.pr, s.spot, s.turned = next.Swap(), nextProbs.Invert(), s.spot.Swap(), !s.turned
	}
}

// leaf values the position at which a trial stops, with the cube where it is, doubled or not.
func (g *player) leaf(ctx context.Context, s *standing, l *cube.Ladder) (sample, error) {
	set, pr := &g.job.settings, s.pr
	if searched(&set.Leaf) && set.Truncate > 0 && s.ply >= set.Truncate {
		e, err := g.job.options.Search.Evaluate(ctx, s.p, match.Money(false, 0), set.Leaf)
		if err != nil {
			return sample{}, err
		}
		pr = e.Probs
	}
	v, _ := g.look(&s.p, &pr, l, s.spot)
	return v, nil
}

// ended returns the outputs of a player who has won points times the cube at spot.
func ended(l *cube.Ladder, spot cube.Spot, points int) (v sample) {
	for i, pr := range eval.Outcome(points) {
		v[i] = float64(pr)
	}
	v[outCubeless] = l.PlainResult(points)
	v[outCubeful] = l.Result(spot, points)
	return v
}

// deciding returns the settings of the player on roll; turned after an odd number of plies.
func (g *player) deciding(turned bool) *Side {
	if turned != g.turned {
		return &g.job.sides[1]
	}
	return &g.job.sides[0]
}

// searched reports whether s needs a search, to look ahead or to err; other decisions are made
// by static evaluation.
func searched(s *search.Settings) bool { return s.Plies > 0 || s.Noise > 0 }

// turnCube decides about the cube: the player on roll by cubes, or by the static decision t,
// whether to double, the other one by their own settings how to answer.
func (g *player) turnCube(ctx context.Context, s *standing, late bool, cubes *search.Settings, t turn) (turn, error) {
	static := t
	var err error
	if searched(cubes) {
		if t, err = g.job.askCube(ctx, &s.p, s.spot, s.turned != g.turned, cubes); err != nil {
			return t, err
		}
	}
	answers := g.job.answers[0]
	if late {
		answers = g.job.answers[1]
	}
	if !t.double || !answers {
		return t, nil
	}
	other := static
	if _, theirs := g.deciding(!s.turned).at(late); searched(theirs) {
		if other, err = g.job.askCube(ctx, &s.p, s.spot, s.turned != g.turned, theirs); err != nil {
			return t, err
		}
	}
	t.take, t.beaver = other.take, other.beaver
	return t, nil
}

// stops reports whether a trial ends before the roll of this ply, because the value is known;
// other is the side on roll, in the terms of the endgame.
func (g *player) stops(p *board.Position, ply int, other bool) bool {
	set := &g.job.settings
	if set.Truncate > 0 && ply >= set.Truncate {
		return true
	}
	if !set.TruncateTwoSided && !set.TruncateOneSided {
		return false
	}
	if g.job.rules.Checkers != 0 {
		return set.TruncateTwoSided && (g.job.state.Length == 0 || !set.Cubeful)
	}
	switch eval.ClassOf(p) {
	case eval.Bearoff2:
		// Exact equities hold for money; at a score for short bearoffs and for what the first
		// position can lead to.
		return set.TruncateTwoSided && g.job.options.Exact != nil && (g.job.state.Length == 0 || !set.Cubeful || g.job.endgame.Covers(p, other))
	case eval.Bearoff1:
		// Its chances are nearly exact; the cubeful equity made of them is not.
		return set.TruncateOneSided && !set.Cubeful
	}
	return false
}

// step plays one roll of the player on roll, who has ladder l, and adds the luck of it to s. It
// returns the position after the play, still from the mover's view, with the mover's chances.
func (g *player) step(ctx context.Context, s *standing, roll board.Dice, l *cube.Ladder, checker *search.Settings) (next board.Position, pr eval.Probs, err error) {
	view := g.view(l, s.spot)
	if g.job.settings.VarianceReduction {
		next, pr = g.measured(s, roll, &view)
	} else {
		play, _ := g.best(&s.p, roll, &view, wide)
		next, pr = play.next, play.probs
	}
	if !searched(checker) {
		return next, pr, nil
	}
	list, err := g.job.options.Search.Plays(ctx, s.p, roll, g.job.stateAt(s.spot, s.turned != g.turned), *checker)
	if err != nil {
		return next, pr, err
	}
	if len(list) > 0 {
		next = list[0].Play.Result
	}
	after := next.Swap()
	return next, g.eval.Eval(&after).Invert(), nil
}

// measured plays a roll and adds the luck of it to s: what it is worth less the mean of all
// rolls, or of all but doubles in an initial position. The plays of all rolls are judged
// together.
func (g *player) measured(s *standing, roll board.Dice, v *view) (next board.Position, pr eval.Probs) {
	initial := g.job.settings.InitialPosition && s.ply == 0
	actual := roll.Sorted()
	total := 36.0
	if initial {
		total = 30
	}
	g.plays, g.listed = g.plays[:0], g.listed[:0]
	for _, r := range board.Rolls {
		if initial && r.Dice.Double() {
			continue
		}
		look := narrow
		if r.Dice == actual {
			look = both
		}
		g.list(&s.p, r.Dice, v, look)
	}
	probs := g.judge()
	var mean, got sample
	i := 0
	for _, r := range board.Rolls {
		if initial && r.Dice.Double() {
			continue
		}
		play, worth := g.choose(&s.p, i, v, probs)
		i++
		mean.add(&worth, float64(r.Weight)/total, false)
		if r.Dice == actual {
			next, pr, got = play.next, play.probs, worth
		}
	}
	s.luck.add(&got, 1, s.turned)
	s.luck.add(&mean, -1, s.turned)
	return next, pr
}

// askCube decides about the cube by search.
func (j *Job) askCube(ctx context.Context, p *board.Position, spot cube.Spot, turned bool, s *search.Settings) (turn, error) {
	d, err := j.options.Search.Cube(ctx, *p, j.stateAt(spot, turned), *s)
	if err != nil {
		return turn{}, err
	}
	return turn{
		double: d.Action.Double(), take: d.DoubleTake <= d.DoublePass,
		beaver: d.Action.Beaver() && int(spot.Rung)+2 < cube.MaxRungs,
	}, nil
}

// stateAt returns the state for the player on roll with the cube at spot. In money play
// everything is per cube, and the cube itself could leave its range.
func (j *Job) stateAt(spot cube.Spot, turned bool) match.State {
	st := j.state
	if turned {
		st = st.Swap()
	}
	if st.Length > 0 {
		st.Cube <<= spot.Rung
	}
	st.Owner = spot.Owner
	return st
}
