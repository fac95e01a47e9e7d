package ratings

import (
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/engine/tune/human"
)

// fastPlayer is a 0-ply cubeful player without the search's overhead. A test holds its
// decisions to those of search.Engine.Plays with the same settings: it judges all plays. It belongs to one goroutine.
type fastPlayer struct {
	search *search.Engine
	exact  search.ExactSource // exact equities with the cube
	ev     eval.Evaluator
	plays  []board.Play
	probs  []eval.Probs
	clean  []float64 // utility of each play without noise
	noisy  []float64 // and as the player sees it
	losses []float64
	p      board.Position // here so that its address does not make it escape
	pr     eval.Probs
	sharp  bool // decides without noise
	cubes  bool // decides about the cube
	spots  [2]cube.Spot
	out    [2]float64
}

func newFastPlayer(e *engine.Engine) *fastPlayer {
	return &fastPlayer{search: e.Search(), exact: e.Exact(), ev: e.Model().Evaluator()}
}

// ladders are both sides' views of the cube: [0] the player on roll's.
type ladders [2]*cube.Ladder

func (l ladders) swap() ladders { return ladders{l[1], l[0]} }

// scale is the utility of one unit of normalised equity.
func (l ladders) scale(owner match.Owner) float64 {
	s := cube.Spot{Owner: owner}
	return (l[0].Pass(s) + l[1].Pass(s.Swap())) / 2
}

// value is the utility, to the player on roll at l.p with chances pr, of the spots 0 to n-1, in
// l.out.
func (l *fastPlayer) value(pr *eval.Probs, lad *cube.Ladder, n int) {
	var e cube.Exact
	known := false
	if l.exact != nil {
		e, known = l.exact.Exact(&l.p)
	}
	switch {
	case known && l.sharp && l.search.ShortBearoff(&l.p, lad, l.spots[:n], l.out[:n]):
	case known:
		for i := range n {
			lad.Values(pr, e.Efficiency(l.spots[i].Owner, l.search.Usual(&l.p)), l.spots[i:i+1], l.out[i:i+1])
		}
	case l.cubes:
		for i := range n {
			lad.Values(pr, l.search.AtCube(lad, &l.p, pr, l.spots[i]), l.spots[i:i+1], l.out[i:i+1])
		}
	default:
		lad.Values(pr, l.search.Usual(&l.p), l.spots[:n], l.out[:n])
	}
	for i := range n { // the precision that the search keeps
		l.out[i] = float64(float32(l.out[i]))
	}
}

// afterPlay is the mover's utility of play i, with pr its chances in the view of the opponent,
// who is on roll in l.p. lad are the mover's.
func (l *fastPlayer) afterPlay(pr *eval.Probs, lad ladders, n int, pass float64) float64 {
	l.value(pr, lad[1], n)
	u := l.out[0]
	if n == 2 {
		u = max(u, min(l.out[1], pass))
	}
	return -u
}

// rank generates the plays of dice and values each with noise (l.noisy) and, with clean, also
// without (l.clean). It returns the number of plays and does not value a single one.
func (l *fastPlayer) rank(p *board.Position, d board.Dice, st *match.State, lad ladders, noise float64, seed uint64, clean bool) int {
	l.sharp = noise == 0
	l.plays = board.AppendPlays(l.plays[:0], *p, d)
	n := len(l.plays)
	if n == 0 {
		return 0
	}
	l.grow(n)
	if n == 1 {
		l.clean[0], l.noisy[0] = 0, 0
		return 1
	}
	l.ev.EvalPlays(l.plays, l.probs[:n])
	after := cube.Spot{Owner: st.Owner}.Swap()
	l.spots[0] = after
	spots, pass := 1, 0.0
	if lad[1].MayDouble(after) {
		l.spots[1] = cube.Spot{Rung: 1, Owner: match.Theirs}
		spots, pass = 2, lad[1].Pass(after)
	}
	for i := range n {
		l.p = l.plays[i].Result.Swap()
		if points := l.p.Result(); points != 0 {
			u := -float64(float32(lad[1].Result(after, points)))
			l.clean[i], l.noisy[i] = u, u
			continue
		}
		l.pr = l.probs[i].Invert()
		if clean || noise == 0 {
			l.clean[i] = l.afterPlay(&l.pr, lad, spots, pass)
			l.noisy[i] = l.clean[i]
		}
		if noise > 0 {
			search.Disturb(&l.p, &l.pr, noise, seed)
			l.noisy[i] = l.afterPlay(&l.pr, lad, spots, pass)
		}
	}
	return n
}

func (l *fastPlayer) grow(n int) {
	if cap(l.probs) < n {
		l.probs = make([]eval.Probs, 2*n)
		l.clean, l.noisy, l.losses = make([]float64, 2*n), make([]float64, 2*n), make([]float64, 2*n)
	}
	l.probs = l.probs[:cap(l.probs)]
	l.clean, l.noisy, l.losses = l.clean[:len(l.probs)], l.noisy[:len(l.probs)], l.losses[:len(l.probs)]
}

// best is the index of the play that the search puts first: the highest of u[:n]; among equals
// the best play without the cube, then the first. In a decided race it is, among equals, the one
// that bears off most checkers (search.BearOffFirst).
func (l *fastPlayer) best(u []float64, n int, lad ladders, owner match.Owner, noise float64, seed uint64) int {
	top := l.highest(u, n, lad, owner, noise, seed)
	if l.plays[top].Result.Contact() || !search.Decided(l.chances(top, noise, seed)[eval.Win]) {
		return top
	}
	best, off := top, func(i int) int { return -l.plays[i].Result.Me.Count() }
	for i := range n {
		if i == top || (u[top]-u[i])/lad.scale(owner) > search.DecidedTie || l.plays[i].Result.Contact() {
			continue
		}
		switch {
		case off(i) != off(best):
			if off(i) > off(best) {
				best = i
			}
		case best == top:
		case u[i] > u[best], u[i] == u[best] && l.cubeless(i, lad, owner, noise, seed) > l.cubeless(best, lad, owner, noise, seed):
			best = i
		}
	}
	return best
}

// highest is best without the rule for decided races.
func (l *fastPlayer) highest(u []float64, n int, lad ladders, owner match.Owner, noise float64, seed uint64) int {
	top, tied := 0, false
	for i := 1; i < n; i++ {
		switch {
		case u[i] > u[top]:
			top, tied = i, false
		case u[i] == u[top]:
			tied = true
		}
	}
	if !tied {
		return top
	}
	best, most := top, l.cubeless(top, lad, owner, noise, seed)
	for i := top + 1; i < n; i++ {
		if u[i] == u[top] {
			if v := l.cubeless(i, lad, owner, noise, seed); v > most {
				best, most = i, v
			}
		}
	}
	return best
}

// chances are the mover's after play i, with noise.
func (l *fastPlayer) chances(i int, noise float64, seed uint64) *eval.Probs {
	l.p = l.plays[i].Result.Swap()
	if pr, over := eval.Result(&l.p); over {
		l.pr = pr
	} else {
		l.pr = l.probs[i].Invert()
		search.Disturb(&l.p, &l.pr, noise, seed)
	}
	l.pr = l.pr.Invert()
	return &l.pr
}

func (l *fastPlayer) cubeless(i int, lad ladders, owner match.Owner, noise float64, seed uint64) float64 {
	l.chances(i, noise, seed)
	return lad[0].Cubeless(&l.pr, cube.Spot{Owner: owner})
}

// offer is a cube decision in the view of one player, in normalised equity.
type offer struct {
	gain float64 // of doubling over rolling
	take float64 // of taking over passing, to the taker
	view human.CubeView
}

// weigh values the cube for the player on roll at p, who has access to it.
func (l *fastPlayer) weigh(p *board.Position, st *match.State, lad ladders, noise float64, seed uint64) offer {
	l.sharp = noise == 0
	l.p = *p
	l.pr = l.ev.Eval(&l.p)
	if noise > 0 {
		search.Disturb(&l.p, &l.pr, noise, seed)
	}
	here := cube.Spot{Owner: st.Owner}
	l.spots[0], l.spots[1] = here, cube.Spot{Rung: 1, Owner: match.Theirs}
	l.cubes = true
	l.value(&l.pr, lad[0], 2)
	l.cubes = false
	pass, scale := lad[0].Pass(here), lad.scale(st.Owner)
	out := offer{gain: (min(l.out[1], pass) - l.out[0]) / scale, take: (pass - l.out[1]) / scale}
	middle := (lad[0].Pass(here) - lad[1].Pass(here.Swap())) / 2
	emg := func(u float64) float64 { return (u - middle) / scale }
	out.view = human.CubeView{
		NoDouble: emg(l.out[0]), DoubleTake: emg(l.out[1]), DoublePass: emg(pass), Redouble: st.Owner == match.Mine, Free: st.Swap().DeadCube(),
		Win: float64(l.pr[eval.Win]), WinGammon: float64(l.pr[eval.WinGammon]), LoseGammon: float64(l.pr[eval.LoseGammon]),
	}
	return out
}

// worth is the utility to the player on roll at p before the roll, with best cube action and
// without noise.
func (l *fastPlayer) worth(p *board.Position, st *match.State, lad ladders) float64 {
	l.p, l.sharp = *p, true
	l.pr = l.ev.Eval(&l.p)
	here := cube.Spot{Owner: st.Owner}
	l.spots[0], l.spots[1] = here, cube.Spot{Rung: 1, Owner: match.Theirs}
	n := 1
	if lad[0].MayDouble(here) {
		n = 2
	}
	l.value(&l.pr, lad[0], n)
	if n == 2 {
		return max(l.out[0], min(l.out[1], lad[0].Pass(here)))
	}
	return l.out[0]
}
