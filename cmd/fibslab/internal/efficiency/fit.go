package efficiency

import (
	"fibsbot/engine/board"
	"maps"
	"math"
	"slices"

	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// cubePoint is one measured equity: the value of the position to the player on roll who does
// not double now, per unit of the present cube, and the two values between which Janowski's
// x decides.
type cubePoint struct {
	position int // points of one position share its luck
	owner    match.Owner
	pips     int
	// place is the position of the winning chance between the points where the opponent (0) and
	// the player on roll (1) cashes a live cube.
	place      float64
	dead, live float64
	equity     float64
}

// pointOf computes the ends for chances pr with the cube at owner's.
func pointOf(position int, owner match.Owner, pips int, pr *eval.Probs, equity float64) (cubePoint, error) {
	l, err := cube.NewLadder(nil, match.Money(false, 0))
	if err != nil {
		return cubePoint{}, err
	}
	var dead, live [1]float64
	spot := [1]cube.Spot{{Owner: owner}}
	l.Values(pr, 0, spot[:], dead[:])
	l.Values(pr, 1, spot[:], live[:])
	w, err := cube.Windows(nil, match.Money(false, 0), &board.Start, *pr, 1)
	if err != nil {
		return cubePoint{}, err
	}
	place := (float64(pr[eval.Win]) - w.Take) / max(w.Cash-w.Take, 1e-6)
	return cubePoint{position: position, owner: owner, pips: pips, place: place, dead: dead[0], live: live[0], equity: equity}, nil
}

// Liveness is the least-squares x of a set of points, with its standard error; points weigh
// by the distance of live from dead, because only that shows x.
type Liveness struct {
	Points int     `json:"points"`
	X      float64 `json:"x"`
	Err    float64 `json:"stderr"`
	// Residual is the root mean square of the equities that x does not explain.
	Residual float64 `json:"residual"`
}

func fitLiveness(points []cubePoint) (f Liveness) {
	var top, bottom float64
	for _, p := range points {
		d := p.live - p.dead
		top += d * (p.equity - p.dead)
		bottom += d * d
	}
	f.Points = len(points)
	if bottom == 0 {
		return f
	}
	f.X = top / bottom
	scores := map[int]float64{}
	for _, p := range points {
		d := p.live - p.dead
		r := p.equity - p.dead - f.X*d
		scores[p.position] += d * r
		f.Residual += r * r / float64(len(points))
	}
	var v float64
	for _, i := range slices.Sorted(maps.Keys(scores)) { // in order, so that runs agree to the bit
		v += scores[i] * scores[i]
	}
	f.Residual, f.Err = math.Sqrt(f.Residual), math.Sqrt(v)/bottom
	return f
}

// Line is x = Base + PerPip * pips of the player on roll.
type Line struct {
	Base      float64 `json:"base"`
	BaseErr   float64 `json:"base_stderr"`
	PerPip    float64 `json:"per_pip"`
	PerPipErr float64 `json:"per_pip_stderr"`
}

// fitLine fits the line by least squares; ok is false when the points have one
// pip count only. The standard errors allow for points that share a position.
func fitLine(points []cubePoint) (l Line, ok bool) {
	var a, b, c, u, v float64 // normal equations [a b; b c] (base, slope) = (u, v)
	for _, p := range points {
		d, n := p.live-p.dead, float64(p.pips)
		e := p.equity - p.dead
		a += d * d
		b += d * d * n
		c += d * d * n * n
		u += d * e
		v += d * n * e
	}
	det := a*c - b*b
	if det <= 1e-9*a*c {
		return l, false
	}
	l.Base, l.PerPip = (c*u-b*v)/det, (a*v-b*u)/det
	scores := map[int][2]float64{}
	for _, p := range points {
		d, n := p.live-p.dead, float64(p.pips)
		r := p.equity - p.dead - (l.Base+l.PerPip*n)*d
		s := scores[p.position]
		scores[p.position] = [2]float64{s[0] + d*r, s[1] + d*n*r}
	}
	var base, slope float64
	for _, i := range slices.Sorted(maps.Keys(scores)) {
		s := scores[i]
		x, y := (c*s[0]-b*s[1])/det, (a*s[1]-b*s[0])/det
		base += x * x
		slope += y * y
	}
	l.BaseErr, l.PerPipErr = math.Sqrt(base), math.Sqrt(slope)
	return l, true
}

// cubeTruth is a cube decision with its measured equities.
type cubeTruth struct{ noDouble, doubleTake float64 }

// loss is the loss of deciding by d, the mistakes of both sides added: the doubler's by the
// best answer, the taker's once doubled. The sum is the same whether the truth is to pass or
// to play on.
func (t cubeTruth) loss(d *cube.Decision) float64 {
	doubled := min(t.doubleTake, 1)
	l := max(t.noDouble, doubled) - t.noDouble
	if d.Action.Double() {
		l = max(t.noDouble, doubled) - doubled
	}
	answer := t.doubleTake
	if d.DoubleTake > d.DoublePass {
		answer = 1
	}
	return l + answer - doubled
}

// meanOf returns the mean of xs and its standard error.
func meanOf(xs []float64) (m, e float64) {
	n := float64(len(xs))
	if n < 2 {
		return 0, 0
	}
	var s, q float64
	for _, x := range xs {
		s += x
		q += x * x
	}
	m = s / n
	return m, math.Sqrt(max(q/n-m*m, 0) / (n - 1))
}
