package cube

import (
	"fmt"

	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// MaxRungs is how many cube values a Ladder holds, the present one included: in
// a match of 64 points six doublings decide everything, and one more rung is
// looked at; money play needs one per ply of search and a few to spare. The cube
// of the highest rung is not turned any more, which only matters in longer matches
// and in rollouts.
const MaxRungs = 10

// Spot is a state of the cube relative to a Ladder: Rung doublings above the
// present cube, held by Owner as seen from the ladder's player.
type Spot struct {
	Rung  uint8
	Owner match.Owner
}

// Swap returns the spot as the other player sees it.
func (s Spot) Swap() Spot {
	switch s.Owner {
	case match.Mine:
		s.Owner = match.Theirs
	case match.Theirs:
		s.Owner = match.Mine
	}
	return s
}

// Ladder is what results are worth to one player, the player on roll, at the
// present cube and above. It is immutable and safe for concurrent use. Make it
// with NewLadder; Swap gives the opponent's.
type Ladder struct {
	money, jacoby bool
	// dead: no one can or would turn the cube in this game.
	dead, crawford bool
	rungs          int
	// win[j][k] is the utility of winning k+1 times the cube of rung j.
	win, lose [MaxRungs][3]float64
	// useful[0][j]: winning more than the cube of rung j still helps the player
	// on roll, [1] the opponent. A cube that does not help is never turned.
	useful [2][MaxRungs]bool
	// first is the rung from which the cube is dead for both.
	first int
	// mine and theirs are what the player and the opponent pay for giving up, in times
	// of the cube, less 1.
	mine, theirs int
	// priced holds this ladder for each pair of prices, where they follow from the
	// position; nil where giving up always costs a single game.
	priced *[3][3]Ladder
}

// NewLadder builds the ladder of state s with match equities from t, which may
// be nil in money play. The error wraps match.ErrScore when s is impossible.
func NewLadder(t *match.Table, s match.State) (*Ladder, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	l := &Ladder{rungs: MaxRungs, first: MaxRungs}
	if s.Length == 0 {
		l.money = true
		l.jacoby = s.Jacoby
		for j := range l.rungs {
			for k := range 3 {
				v := float64(int(1)<<j) * float64(k+1)
				l.win[j][k], l.lose[j][k] = v, -v
			}
			l.useful[0][j], l.useful[1][j] = true, true
		}
		l.price(s.Drops)
		return l, nil
	}
	if t == nil {
		return nil, fmt.Errorf("%w: match play without a match equity table", match.ErrScore)
	}
	me, opp := s.Away()
	l.crawford = s.Crawford
	for j := range l.rungs {
		v := s.Cube << j
		for k := range 3 {
			l.win[j][k] = utility(t, s, v*(k+1))
			l.lose[j][k] = utility(t, s, -v*(k+1))
		}
		l.useful[0][j], l.useful[1][j] = me > v, opp > v
		if me <= v && opp <= v && l.first == MaxRungs {
			l.first = j
		}
	}
	// At 2-away 2-away whoever doubles first plays for the match; the centred
	// cube has no further life, so it counts as dead.
	l.dead = s.Crawford || l.first == 0 || (me == 2 && opp == 2)
	l.price(s.Drops)
	return l, nil
}

// utility is what a result of points is worth in a match: the player's chance less the
// opponent's, so that it is the same number from either side.
func utility(t *match.Table, s match.State, points int) float64 {
	return t.After(s, points) - t.After(s.Swap(), -points)
}

// Swap returns the same ladder from the other player's view.
func (l *Ladder) Swap() *Ladder {
	o := *l
	for j := range o.rungs {
		for k := range 3 {
			o.win[j][k], o.lose[j][k] = -l.lose[j][k], -l.win[j][k]
		}
		o.useful[0][j], o.useful[1][j] = l.useful[1][j], l.useful[0][j]
	}
	o.mine, o.theirs = l.theirs, l.mine
	if l.priced != nil {
		o.price(match.DropByPosition)
	}
	return &o
}

// MayDouble reports whether the ladder's player, on roll, has any reason to think
// about turning the cube in spot s: it is legal, and the present cube does not
// win the match already.
func (l *Ladder) MayDouble(s Spot) bool {
	return l.Legal(s) && l.useful[0][s.Rung]
}

// Legal reports whether the player may turn the cube in spot s by the rules, useful
// or not.
func (l *Ladder) Legal(s Spot) bool {
	return !l.crawford && s.Owner != match.Theirs && int(s.Rung)+1 < l.rungs
}

// Result is the utility of a game that ended with points (1 to 3, negative when
// lost) at spot s.
func (l *Ladder) Result(s Spot, points int) float64 {
	if l.gammonless(s) {
		points = max(-1, min(1, points))
	}
	if points > 0 {
		return l.win[s.Rung][points-1]
	}
	return l.lose[s.Rung][-points-1]
}

// Pass is the utility of having doubled at spot s and been refused. Where the price
// follows from the position, l has to be that of [Ladder.For].
func (l *Ladder) Pass(s Spot) float64 { return l.win[s.Rung][l.theirs] }

// gammonless: under the Jacoby rule only single games are scored before the
// first double.
func (l *Ladder) gammonless(s Spot) bool { return l.jacoby && s.Owner == match.Centred }

// Weights returns the cubeless utility at spot s as a linear function of the
// five chances: w[5] + sum of w[i]*pr[i].
func (l *Ladder) Weights(s Spot) (w [6]float64) {
	win, lose := &l.win[s.Rung], &l.lose[s.Rung]
	w[eval.Win] = win[0] - lose[0]
	w[5] = lose[0]
	if !l.gammonless(s) {
		w[eval.WinGammon] = win[1] - win[0]
		w[eval.WinBackgammon] = win[2] - win[1]
		w[eval.LoseGammon] = lose[1] - lose[0]
		w[eval.LoseBackgammon] = lose[2] - lose[1]
	}
	return w
}

// Cubeless is the utility of chances pr at spot s when no one turns the cube
// any more.
func (l *Ladder) Cubeless(pr *eval.Probs, s Spot) float64 {
	w := l.Weights(s)
	return Weigh(&w, pr)
}

// Weigh is the utility of chances pr by the weights that Weights gives.
func Weigh(w *[6]float64, pr *eval.Probs) float64 {
	u := w[5]
	for i, v := range pr {
		u += w[i] * float64(v)
	}
	return u
}

// Plain is the utility of chances pr at the present cube with gammons counted, whatever
// the Jacoby rule says: what is called cubeless equity, as gnubg prints it.
func (l *Ladder) Plain(pr *eval.Probs) float64 { return l.Cubeless(pr, Spot{Owner: match.Mine}) }

// PlainWeights are the Weights of Plain.
func (l *Ladder) PlainWeights() [6]float64 { return l.Weights(Spot{Owner: match.Mine}) }

// PlainResult is Plain of a game that ended with points.
func (l *Ladder) PlainResult(points int) float64 { return l.Result(Spot{Owner: match.Mine}, points) }

// Known is the utility in money play of a position whose equities are e, with the cube at
// spot s, for the ladder's player, who does not double now.
func (l *Ladder) Known(e *Exact, s Spot) float64 {
	if l.gammonless(s) {
		return l.win[s.Rung][0] * float64(e.Jacoby)
	}
	return l.win[s.Rung][0] * e.At(s.Owner)
}

// Values writes the cubeful utility of each spot for the ladder's player, who is
// on roll with chances pr and does not double now, into out. x is the cube
// efficiency: 0 all dead, 1 all live. It allocates nothing.
func (l *Ladder) Values(pr *eval.Probs, x float64, spots []Spot, out []float64) {
	if l.money {
		l.moneyValues(pr, x, spots, out)
		return
	}
	l.matchValues(pr, x, spots, out)
}

// split is a set of chances taken apart: the win chance p and, among won and lost games, the
// shares of single games, gammons and backgammons.
type split struct {
	p         float64
	won, lost [3]float64
}

// of takes pr apart. It fills s in place: copying the arrays out of a result takes longer
// than the divisions.
func (s *split) of(pr *eval.Probs) {
	p := float64(pr[eval.Win])
	s.p = p
	s.won[0], s.lost[0] = 1, 1
	if p > 0 {
		g, b := float64(pr[eval.WinGammon])/p, float64(pr[eval.WinBackgammon])/p
		s.won[0], s.won[1], s.won[2] = 1-g, g-b, b
	}
	if p < 1 {
		g, b := float64(pr[eval.LoseGammon])/(1-p), float64(pr[eval.LoseBackgammon])/(1-p)
		s.lost[0], s.lost[1], s.lost[2] = 1-g, g-b, b
	}
}

func (l *Ladder) moneyValues(pr *eval.Probs, x float64, spots []Spot, out []float64) {
	if l.mine != 0 || l.theirs != 0 {
		l.pricedMoneyValues(pr, x, spots, out)
		return
	}
	p := float64(pr[eval.Win])
	won, lost := 1.0, 1.0 // mean points of a won and of a lost game
	if p > 0 {
		won = 1 + float64(pr[eval.WinGammon]+pr[eval.WinBackgammon])/p
	}
	if p < 1 {
		lost = 1 + float64(pr[eval.LoseGammon]+pr[eval.LoseBackgammon])/(1-p)
	}
	span := won + lost + 0.5
	take, cash := (lost-0.5)/span, (lost+1)/span
	dead := p*won - (1-p)*lost
	for i, s := range spots {
		x, d, top, bottom := x, dead, won, -lost
		if l.gammonless(s) {
			x, d = gammonlessMix(x, p, dead, p*(won-1)+(1-p)*(lost-1))
			top, bottom = 1, -1
		}
		var live float64
		switch {
		case s.Owner != match.Mine && p < take:
			live = line(0, bottom, take, -1, p)
		case s.Owner == match.Theirs:
			live = line(take, -1, 1, top, p)
		case p >= cash:
			live = line(cash, 1, 1, top, p)
		case s.Owner == match.Mine:
			live = line(0, bottom, cash, 1, p)
		default:
			live = line(take, -1, cash, 1, p)
		}
		out[i] = l.win[s.Rung][0] * (x*live + (1-x)*d)
	}
}

// gammonlessMix gives the efficiency and the dead value of the centred cube under the Jacoby
// rule, with win chance p, equity dead when gammons count, and gammons the mean points that
// they are worth to both sides together. Gammons count once either side doubles, so the dead
// value leans to dead, within a single game, and the cube is turned with more zest, the more
// gammons there are. At x 0, where neither side ever doubles, and without gammons nothing changes.
// The two constants are fitted to searches of 2 plies at x 0.68.
func gammonlessMix(x, p, dead, gammons float64) (mixed, value float64) {
	plain := 2*p - 1
	value = plain + 0.735*x*(max(-1, min(1, dead))-plain)
	return x + 0.32*x*(1-x)*min(1, 5*gammons), value
}

// line is the height at x of the straight line through (x0,y0) and (x1,y1).
func line(x0, y0, x1, y1, x float64) float64 {
	if x1 <= x0 {
		return y0
	}
	return y0 + (y1-y0)*(x-x0)/(x1-x0)
}

// points holds, for one set of chances, what each rung's cube is worth.
type points struct {
	split
	rungs [MaxRungs]rung
}

// rung is one cube value's mean utilities and live cash points.
type rung struct {
	win, lose float64
	// cash[0] is the winning chance at which the player on roll, able to turn the cube,
	// cashes it; cash[1] the opponent's own.
	cash [2]float64
	// cashed[0] is the utility at that point, cashed[1] that for the player on roll at
	// the opponent's.
	cashed [2]float64
}

// climb fills c for the rungs from low up to where the cube is dead for both.
// The live cash point of a side follows from the other side's one rung up: after
// a take the other side holds a live cube, so its equity is a straight line
// between its own cash point and certain loss (gnubg manual, "Cubeful equities
// in match play": TP(live,n) = TP(dead,n) * (1 - TP(live,2n))).
func (l *Ladder) climb(pr *eval.Probs, low int, c *points) {
	c.of(pr)
	won, lost := &c.split.won, &c.split.lost
	top := min(l.first, l.rungs-1)
	for j := low; j <= top; j++ {
		r, w, o := &c.rungs[j], &l.win[j], &l.lose[j]
		r.win = won[0]*w[0] + won[1]*w[1] + won[2]*w[2]
		r.lose = lost[0]*o[0] + lost[1]*o[1] + lost[2]*o[2]
		r.cash = [2]float64{1, 1}
		r.cashed = [2]float64{w[l.theirs], o[l.mine]}
	}
	for j := top - 1; j >= low; j-- {
		r, up := &c.rungs[j], &c.rungs[j+1]
		if l.useful[0][j] {
			r.cash[0] = cashPoint(up.cash[1], up.win, r.cashed[0], up.cashed[1])
		}
		if l.useful[1][j] {
			r.cash[1] = cashPoint(up.cash[0], -up.lose, -r.cashed[1], -up.cashed[0])
		}
		// Beyond 1 the double is taken even when the game is won: giving up costs more
		// than losing with the cube turned. What a win is worth then is that.
		if r.cash[0] > 1 {
			r.cash[0], r.cashed[0] = 1, max(r.win, up.win)
		}
		if r.cash[1] > 1 {
			r.cash[1], r.cashed[1] = 1, min(r.lose, up.lose)
		}
	}
}

// won is the utility of a certain win with the cube of rung j to be turned: a price above a
// single game can make even that worth doubling.
func (l *Ladder) won(c *points, j int) float64 {
	if l.theirs > 0 && l.useful[0][j] && j+1 < l.rungs {
		return max(c.rungs[j].win, min(c.rungs[j+1].win, l.win[j][l.theirs]))
	}
	return c.rungs[j].win
}

// lost is that of a certain loss with the opponent's cube to be turned.
func (l *Ladder) lost(c *points, j int) float64 {
	if l.mine > 0 && l.useful[1][j] && j+1 < l.rungs {
		return min(c.rungs[j].lose, max(c.rungs[j+1].lose, l.lose[j][l.mine]))
	}
	return c.rungs[j].lose
}

// cashPoint: win is the mean utility of winning the doubled cube, cash that of a
// refused double, lose of losing the doubled cube singly; opponent is the
// opponent's cash point at the doubled cube.
func cashPoint(opponent, win, cash, lose float64) float64 {
	if win <= lose {
		return 1
	}
	return 1 - opponent*(win-cash)/(win-lose)
}

func (l *Ladder) matchValues(pr *eval.Probs, x float64, spots []Spot, out []float64) {
	low := MaxRungs - 1
	for _, s := range spots {
		low = min(low, int(s.Rung))
	}
	var c points
	if low < l.first {
		l.climb(pr, low, &c)
	}
	for i, s := range spots {
		j := int(s.Rung)
		if j >= l.first || (l.dead && j == 0) || l.crawford {
			out[i] = l.Cubeless(pr, s)
			continue
		}
		r := &c.rungs[j]
		dead := c.p*r.win + (1-c.p)*r.lose
		cash, drop := r.cash[0], 1-r.cash[1]
		live := 0.0
		switch {
		case s.Owner != match.Mine && c.p <= drop && (drop > 0 || l.mine == 0):
			live = line(0, l.lost(&c, j), drop, r.cashed[1], c.p)
		case s.Owner == match.Theirs:
			live = line(drop, r.cashed[1], 1, r.win, c.p)
		case c.p >= cash:
			live = line(cash, r.cashed[0], 1, l.won(&c, j), c.p)
		case s.Owner == match.Mine:
			live = line(0, r.lose, cash, r.cashed[0], c.p)
		default:
			live = line(drop, r.cashed[1], cash, r.cashed[0], c.p)
		}
		out[i] = l.freely(s, pr, x*live+(1-x)*dead)
	}
}

// waiting is what the holder of a cube that he may turn for nothing gives up at least by
// not turning it now.
const waiting = 1e-6

// freely holds the utility u of spot s against a redouble that costs its holder nothing,
// because the other side wins the match at this cube already: he makes it as soon as he can,
// and it is passed, or the cube is dead thereafter.
func (l *Ladder) freely(s Spot, pr *eval.Probs, u float64) float64 {
	j := s.Rung
	if int(j)+1 >= l.rungs {
		return u
	}
	switch {
	case s.Owner == match.Theirs && !l.useful[0][j] && l.useful[1][j]:
		return min(u, max(l.Cubeless(pr, Spot{Rung: j + 1, Owner: match.Mine}), l.lose[j][l.mine])+waiting)
	case s.Owner == match.Mine && !l.useful[1][j] && l.useful[0][j]:
		return max(u, min(l.Cubeless(pr, Spot{Rung: j + 1, Owner: match.Theirs}), l.win[j][l.theirs])-waiting)
	}
	return u
}
