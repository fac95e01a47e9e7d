package explain

import (
	"context"
	"math"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

// What lasting features are worth beside each other, by place: the usual order of the points.
var (
	pointWorth  = [...]float64{0.1, 0.4, 0.65, 0.9, 1, 0.75, 0.85, 0.5, 0.45}
	anchorWorth = [...]float64{17: 0.6, 18: 0.7, 19: 1, 20: 0.85, 21: 0.6, 22: 0.3, 23: 0.15}
)

// side is a position after a play, seen by its mover, with what follows.
type side struct {
	at board.Position
	// own are the mover's next rolls if the opponent passes.
	own next
	// hits are the opponent's rolls whose best play hits, dances those that stay on the bar.
	hits, dances throws
	// values of those rolls to the mover, EMG
	ownValue, replyValue [len(board.Rolls)]float64
	over                 bool // the game is
}

// The least share of throws that cover a blot for it to be a slot.
const slotted = 18

// comparison is two plays, the better one first.
type comparison struct {
	r     *Reason
	rules board.Rules
	from  board.Position
	s     [2]side
	price match.GammonPrice
	probs [2]eval.Probs
	// diff and ownDiff are the differences that the replies and the own rolls show at 0 plies, EMG;
	// 0 where they contradict the decision or are far too small to explain it.
	diff, ownDiff float64
	// rest is the part of the difference that hits of the next roll leave to lasting features.
	rest float64
	// home: the mover bears off after either play. Idle: his points then hold no checker on the bar.
	home, idle bool
}

// Plays explains why the play best of s is better than other. Their equities and chances are those of the
// caller's analysis; everything else is found at 0 plies, in milliseconds. Errors are those of the
// search. An other play of higher equity, from a shallower search, counts as equal.
func Plays(ctx context.Context, e *engine.Engine, s match.Situation, best, other search.Candidate) (*Reason, error) {
	s.State = s.State.Normal()
	c := &comparison{
		r:     &Reason{Best: board.FormatPlay(s.Position, best.Play), Other: board.FormatPlay(s.Position, other.Play), Diff: max(0, best.Equity-other.Equity)},
		rules: e.Rules(), from: s.Position, price: e.Table().GammonPrice(s.State), probs: [2]eval.Probs{best.Probs, other.Probs},
	}
	var buf []board.Play
	for i, play := range []board.Play{best.Play, other.Play} {
		x := &c.s[i]
		x.at = play.Result
		if x.over = c.rules.Result(&x.at) != 0; x.over {
			continue
		}
		turned := x.at.Swap()
		x.own, buf = scan(c.rules, &x.at, buf)
		var err error
		if x.hits, x.dances, err = replies(ctx, e, turned, s.State.Swap()); err != nil {
			return nil, err
		}
		if x.replyValue, err = values(ctx, e, turned, s.State.Swap()); err != nil {
			return nil, err
		}
		if x.ownValue, err = values(ctx, e, x.at, s.State); err != nil {
			return nil, err
		}
		for k, v := range x.replyValue {
			x.replyValue[k] = -v
		}
	}
	c.measure()
	c.facts(e)
	c.r.sort()
	return c.r, nil
}

// replies returns the rolls of the player on roll whose best play hits, and those with a checker on the bar
// that cannot move.
func replies(ctx context.Context, e *engine.Engine, p board.Position, st match.State) (hits, dances throws, err error) {
	for i := range board.Rolls {
		best, legal, err := e.Search().Best(ctx, p, board.Rolls[i].Dice, st, search.Settings{Cubeful: true})
		switch {
		case err != nil:
			return 0, 0, err
		case legal > 0 && best.Play.Result.Opp[board.Bar] > p.Opp[board.Bar]:
			hits |= throws(1) << i
		case legal == 0 && p.Me[board.Bar] > 0:
			dances |= throws(1) << i
		}
	}
	return hits, dances, nil
}

// values are what p is worth to the player on roll after each roll, EMG.
func values(ctx context.Context, e *engine.Engine, p board.Position, st match.State) (out [len(board.Rolls)]float64, err error) {
	out, err = e.Search().Rolls(ctx, p, st, search.Settings{Cubeful: true, Prune: true})
	if err == nil && st.Length > 0 {
		for i := range out {
			out[i] = e.Table().EMG(st, out[i])
		}
	}
	return out, err
}

// measure sums up what the rolls say about the difference.
func (c *comparison) measure() {
	if c.s[0].over || c.s[1].over {
		return
	}
	least := max(c.r.Diff/3, 1e-4)
	all := throws(1)<<len(board.Rolls) - 1
	if d := c.gain(all, false); d >= least {
		c.diff = d
	}
	if d := c.gain(all, true); d >= least {
		c.ownDiff = d
	}
	c.rest = 1
	if c.diff > 0 {
		c.rest -= c.gain(c.s[0].hits^c.s[1].hits, false) / c.diff
	}
	c.rest = min(max(c.rest, 0.2), 1)
}

// gain is what the best play gains over these of the opponent's replies, or of the own rolls, EMG.
func (c *comparison) gain(t throws, own bool) (sum float64) {
	a, b := &c.s[0].replyValue, &c.s[1].replyValue
	if own {
		a, b = &c.s[0].ownValue, &c.s[1].ownValue
	}
	for i := range board.Rolls {
		if t>>i&1 != 0 {
			sum += float64(board.Rolls[i].Weight) / 36 * (a[i] - b[i])
		}
	}
	return sum
}

// add adds a fact about play i, 0 the better one, with what it explains.
func (c *comparison) add(i int, f Fact, share float64) {
	if f.For = 1 - 2*i; math.Abs(share) < 1e-9 {
		return
	}
	f.Share = float64(f.For) * min(math.Abs(share), 1.5)
	c.r.Facts = append(c.r.Facts, f)
}

// both adds a fact about counts of throws after either play, if they differ: good reports whether
// more throws are better for the mover. Its share is what the throws gain that only one play has.
func (c *comparison) both(k Kind, a, b throws, good, own bool, weight float64) {
	x, y := a.of36(), b.of36()
	if x == y {
		return
	}
	total := c.diff
	if own {
		total = c.ownDiff
	}
	i := 0
	if (x > y) != good {
		i = 1
	}
	share := 0.0
	if total > 0 {
		share = weight * c.gain(a^b, own) / total
	}
	if share*float64(1-2*i) <= 0 {
		return // the count says one thing and the values another: it explains nothing
	}
	f := Fact{Kind: k, Figures: [2]float64{x, y}, Rolls: [2][]board.Dice{a.dice(), b.dice()}}
	if i == 1 {
		f.Figures, f.Rolls = [2]float64{y, x}, [2][]board.Dice{f.Rolls[1], f.Rolls[0]}
	}
	c.add(i, f, share)
}

// lasting adds a fact about a feature that stays, worth up to 1.
func (c *comparison) lasting(i int, f Fact, worth float64) { c.add(i, f, worth*c.rest) }

// facts finds all facts.
func (c *comparison) facts(e *engine.Engine) {
	c.chances()
	if c.s[0].over || c.s[1].over {
		return
	}
	a, b := &c.s[0], &c.s[1]
	if !a.at.Contact() && !b.at.Contact() {
		c.race(e)
		return
	}
	c.home = a.at.Me.Rearmost() < barPoint && b.at.Me.Rearmost() < barPoint
	c.idle = c.home && a.at.Opp[board.Bar]+b.at.Opp[board.Bar] == 0
	c.both(Shots, a.hits, b.hits, false, false, 1)
	c.both(Enter, a.dances, b.dances, true, false, 1)
	c.both(HitRolls, a.own.hits, b.own.hits, true, true, 0.6)
	c.both(EscapeRolls, a.own.escapes, b.own.escapes, true, true, 0.4)
	if !c.home { // there every roll breaks points in the end
		c.both(Timing, a.own.breaks, b.own.breaks, false, true, 1)
	}
	for i := range c.s {
		c.structure(i)
		if !c.idle {
			c.points(i)
		}
	}
	if c.home {
		c.off(0.4 * c.rest)
	}
	if !c.idle {
		c.building()
	}
	c.where()
}

// structure adds the lasting features that play i has and the other lacks.
func (c *comparison) structure(i int) {
	x, y := &c.s[i].at, &c.s[1-i].at
	hitX, hitY := int(x.Opp[board.Bar])-int(c.from.Opp[board.Bar]), int(y.Opp[board.Bar])-int(c.from.Opp[board.Bar])
	if hitX > hitY {
		c.lasting(i, Fact{Kind: Hit, Figures: [2]float64{float64(hitX), float64(hitY)}}, 1)
	}
	for n := theirBar; n < board.Bar; n++ {
		if x.Me[n] > 1 && y.Me[n] < 2 {
			f := Fact{Kind: Anchor, Points: []int{n + 1}, Made: c.from.Me[n] < 2}
			c.lasting(i, f, anchorWorth[n])
		}
	}
	if bx, by := behind(&x.Me), behind(&y.Me); bx < by {
		c.lasting(i, Fact{Kind: Escape, Figures: [2]float64{float64(bx), float64(by)}}, 0.55)
	}
	if ex, ey := edge(&x.Me, &x.Opp), edge(&y.Me, &y.Opp); ex > ey {
		c.lasting(i, Fact{Kind: Edge, Figures: [2]float64{float64(ex), float64(ey)}}, 0.5)
	}
}

// points adds the points and the block that play i has and the other lacks.
func (c *comparison) points(i int) {
	x, y := &c.s[i].at, &c.s[1-i].at
	var made, broken Fact
	worth, loss := 0.0, 0.0
	for n := range pointWorth {
		if !matters(x, n) {
			continue
		}
		switch had, now, then := c.from.Me[n] > 1, x.Me[n] > 1, y.Me[n] > 1; {
		case now && !then && !had:
			made.Points, worth = append(made.Points, n+1), worth+pointWorth[n]
		case now && !then && had: // the other play breaks it
			broken.Points, loss = append(broken.Points, n+1), loss+pointWorth[n]
		}
	}
	if made.Points != nil {
		made.Kind, made.Figures[0] = Point, float64(len(made.Points))
		c.lasting(i, made, min(worth, 1.2)*0.95)
	}
	if broken.Points != nil {
		broken.Kind, broken.Figures[1] = Break, float64(len(broken.Points))
		c.lasting(i, broken, min(loss, 1)*0.7)
	}
	lx, tx := block(&x.Me, &x.Opp)
	if ly, _ := block(&y.Me, &y.Opp); lx > ly && lx >= 4 {
		c.lasting(i, Fact{Kind: Prime, Figures: [2]float64{float64(lx), float64(ly)}}, [...]float64{0.5, 0.9, 1.1}[lx-4]*min(1, 0.6+0.2*float64(tx)))
	}
}

// matters reports whether a point of the mover at n does something: it holds a checker that is hit, or
// stands before one.
func matters(p *board.Position, n int) bool { return n < barPoint || past(&p.Opp, n) > 0 }

// building adds what the next own roll builds: points, covered slots, advanced anchors.
func (c *comparison) building() {
	a, b := &c.s[0], &c.s[1]
	if p, q := a.parts(&c.from), b.parts(&c.from); p == q {
		c.both(AnchorRolls, a.own.anchors, b.own.anchors, true, true, 0.8)
	} else {
		c.split(p)
	}
	c.both(Builder, a.own.points, b.own.points, true, true, 0.6)
	for i := range c.s {
		x, y := &c.s[i], &c.s[1-i]
		for n := 2; n <= barPoint; n++ {
			if x.at.Me[n] == 1 && c.from.Me[n] == 0 && y.at.Me[n] == 0 && x.own.covers[n].of36() >= slotted && matters(&x.at, n) {
				f := Fact{Kind: Slot, Points: []int{n + 1}, Figures: [2]float64{x.own.covers[n].of36()}, Rolls: [2][]board.Dice{x.own.covers[n].dice()}}
				c.lasting(i, f, pointWorth[n]*0.7)
			}
		}
	}
}

// chances adds gammons and wins, by the caller's chances, and keeps what the text needs of them.
func (c *comparison) chances() {
	p, q := c.probs[0], c.probs[1]
	for i, x := range c.probs {
		c.r.win[i], c.r.gammon[i], c.r.lost[i] = float64(x[eval.Win]), float64(x[eval.WinGammon]), float64(x[eval.LoseGammon])
	}
	d := func(k int) float64 { return 2 * float64(p[k]-q[k]) }
	wins := d(eval.Win)
	won := c.price.WinGammon*d(eval.WinGammon) + c.price.WinBackgammon*d(eval.WinBackgammon)
	lost := -c.price.LoseGammon*d(eval.LoseGammon) - c.price.LoseBackgammon*d(eval.LoseBackgammon)
	sum := wins + won + lost
	if sum < max(c.r.Diff/3, 1e-4) {
		return // the cube decides, or the chances are not of one judge
	}
	for _, f := range []struct {
		kind Kind
		gain float64
		at   [2]float64
		sign float64 // of more
	}{{Gammon, won, c.r.gammon, 1}, {GammonAgainst, lost, c.r.lost, -1}, {Wins, wins, c.r.win, 1}} {
		if more := f.sign * (f.at[0] - f.at[1]); math.Abs(more) < 0.005 || more*f.gain <= 0 {
			continue
		}
		i, at := 0, f.at
		if f.gain < 0 {
			i, at = 1, [2]float64{f.at[1], f.at[0]}
		}
		c.add(i, Fact{Kind: f.kind, Figures: at}, f.gain/sum)
	}
}

// where adds the few replies that hold most of the difference.
func (c *comparison) where() {
	if c.diff <= 0 {
		return
	}
	var set throws
	for range 3 {
		most, at := 0.0, -1
		for i := range board.Rolls {
			if v := c.gain(throws(1)<<i, false); set>>i&1 == 0 && v > most {
				most, at = v, i
			}
		}
		if at < 0 {
			break
		}
		set |= throws(1) << at
	}
	if share := c.gain(set, false) / c.diff; share >= 0.7 {
		c.add(0, Fact{Kind: Rolls, Figures: [2]float64{set.of36()}, Rolls: [2][]board.Dice{set.dice()}}, clear) // behind all else that stands out
	}
}

// parts reports whether the play broke an anchor without making another or
// bringing a checker out.
func (x *side) parts(from *board.Position) bool {
	return behind(&x.at.Me) >= behind(&from.Me) && held(&x.at.Me, theirBar, board.Bar-1) < held(&from.Me, theirBar, board.Bar-1)
}

// split adds that a play parts the back checkers and the other does not: with the rolls that then make an
// advanced anchor, if these are more.
func (c *comparison) split(best bool) {
	i := 1
	if best {
		i = 0
	}
	x, y := c.s[i].own.anchors, c.s[1-i].own.anchors
	if x.of36() <= y.of36() {
		return
	}
	worth := 0.4 * c.rest
	if c.ownDiff > 0 {
		worth += 0.6 * max(0, float64(1-2*i)*c.gain(x&^y, true)/c.ownDiff)
	}
	c.add(i, Fact{Kind: Split, Figures: [2]float64{x.of36(), y.of36()}, Rolls: [2][]board.Dice{x.dice(), y.dice()}}, worth)
}
