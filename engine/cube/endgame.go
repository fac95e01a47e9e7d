package cube

import (
	"math"
	"sync"
	"sync/atomic"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// Endgame knows what short bearoffs are worth at one score, exactly: both sides play
// and handle the cube so that their match winning chances are best. It works backwards
// from the last checker: before a roll a position is worth the mean over the rolls of
// the best play's worth, after it what the opponent then has at most by rolling or
// doubling (the recursion of Keeler and Spencer, Operations Research 23, 1975, with
// the values of the score for those of money). What was worked out is kept. What it
// knows is asked of a [Known]. It is safe for concurrent use.
type Endgame struct {
	ladders [2]*Ladder // of one player and of the other
	rungs   int        // that differ; above them the cube is dead
	limit   int
	swapped []int // by place, that of the same spot for the other player

	mu    sync.Mutex
	nodes map[endgameKey]endgameNode

	making sync.Mutex            // a table
	pairs  atomic.Pointer[pairs] // the last one
}

// Known holds the exact bearoffs that one search or rollout uses: those within the limit of its
// Endgame, and after [Endgame.Prepare] all that one position can lead to. Bearoffs prepared for
// other callers are not in it, so that answers do not depend on earlier questions. The zero
// value holds none.
type Known struct {
	endgame *Endgame
	pairs   *pairs
}

// Known is what e answers for without preparation; nothing where e is nil.
func (e *Endgame) Known() Known { return Known{endgame: e} }

// endgameKey is a position before the roll of the player with ladders[player].
type endgameKey struct {
	p      board.Position
	player uint8
}

// endgameNode holds the utilities of the player on roll at every spot, by place: when
// he does not double now, and when he acts best.
type endgameNode struct{ roll, best []float64 }

// MaxEndgame is the size of the largest bearoffs that NewEndgame can be asked for.
const MaxEndgame = 20_000

// NewEndgame returns the Endgame of a match, l being the ladder of either player. It
// answers for bearoffs of at most limit pairs of boards, which bounds its time: 10,000
// take a tenth of a second once. It returns nil, which answers for nothing, without a ladder,
// in money play, where there are databases, where no one can or would turn the cube, and
// where the price of giving up follows from the position.
func NewEndgame(l *Ladder, limit int) *Endgame {
	if l == nil || l.money || l.priced != nil || l.crawford || l.first == 0 {
		return nil
	}
	e := &Endgame{
		ladders: [2]*Ladder{l, l.Swap()}, rungs: min(l.first, l.rungs-1) + 1,
		limit: min(limit, MaxEndgame), nodes: map[endgameKey]endgameNode{},
	}
	for i := range 1 + 2*e.rungs {
		e.swapped = append(e.swapped, e.place(e.spot(i).Swap()))
	}
	return e
}

// boards counts the boards that up to n checkers can reach on the m lowest points: the
// binomial coefficient of n+m and m.
var boards = func() (t [7][7]int) {
	for n := range t {
		for m := range t {
			t[n][m] = 1
			if n > 0 && m > 0 {
				t[n][m] = t[n-1][m] + t[n][m-1]
			}
		}
	}
	return t
}()

// reach counts the boards that the checkers of c, a bearoff of at most six, can reach.
func reach(c *board.Checkers) int {
	rear := 0
	for i, n := range c[:6] {
		if n > 0 {
			rear = i + 1
		}
	}
	return boards[c.Count()][rear]
}

// Covers reports whether p, with the player of NewEndgame's ladder or the other one on roll,
// is a bearoff that k answers for.
func (k Known) Covers(p *board.Position, other bool) bool {
	if k.endgame == nil || eval.ClassOf(p) != eval.Bearoff2 {
		return false
	}
	if k.endgame.small(p) {
		return true
	}
	_, _, ok := k.pairs.covers(p, playerOf(other))
	return ok
}

// small reports whether p, a bearoff of at most six checkers a side, is within the limit.
func (e *Endgame) small(p *board.Position) bool { return within(p, e.limit) }

// within reports whether p, a bearoff of at most six checkers a side, leads to at most limit
// pairs of boards.
func within(p *board.Position, limit int) bool { return reach(&p.Me)*reach(&p.Opp) <= limit }

// playerOf is the place of a player's ladder.
func playerOf(other bool) int {
	if other {
		return 1
	}
	return 0
}

// Values writes the utility of each spot into out, for the player on roll who does not
// double now: as [Ladder.Values] does, but exactly. The player is that of the ladder
// NewEndgame was given, or the other one. It reports whether k covers p.
func (k Known) Values(p *board.Position, other bool, spots []Spot, out []float64) bool {
	e := k.endgame
	if e == nil || eval.ClassOf(p) != eval.Bearoff2 {
		return false
	}
	player := playerOf(other)
	if e.valuesOf(k.pairs, p, player, spots, out) {
		return true
	}
	if !e.small(p) {
		return false
	}
	e.mu.Lock()
	n := e.node(endgameKey{p: *p, player: uint8(player)})
	e.mu.Unlock()
	for i, s := range spots {
		out[i] = n.roll[e.place(s)]
	}
	return true
}

// place is where a spot's utility stands: the centred cube first, then each rung, mine
// and theirs.
func (e *Endgame) place(s Spot) int {
	if s.Owner == match.Centred {
		return 0
	}
	k := 1 + 2*min(int(s.Rung), e.rungs-1)
	if s.Owner == match.Theirs {
		k++
	}
	return k
}

// spot is the inverse of place.
func (e *Endgame) spot(place int) Spot {
	switch {
	case place == 0:
		return Spot{Owner: match.Centred}
	case place%2 == 1:
		return Spot{Rung: uint8(place / 2), Owner: match.Mine}
	}
	return Spot{Rung: uint8(place/2 - 1), Owner: match.Theirs}
}

// node works k out, unless it is known. e.mu is held.
func (e *Endgame) node(k endgameKey) endgameNode {
	if n, ok := e.nodes[k]; ok {
		return n
	}
	places := 1 + 2*e.rungs
	l := e.ladders[k.player]
	roll := make([]float64, places)
	top := make([]float64, places)
	var plays []board.Play
	for _, r := range board.Rolls {
		for i := range top {
			top[i] = math.Inf(-1)
		}
		plays = board.AppendPlays(plays[:0], k.p, r.Dice)
		for i := range plays {
			e.playWorth(l, &plays[i], k.player, top)
		}
		for i, u := range top {
			roll[i] += float64(r.Weight) / 36 * u
		}
	}
	best := make([]float64, places)
	for i := range best {
		best[i] = roll[i]
		if s := e.spot(i); l.MayDouble(s) {
			taken := roll[e.place(Spot{Rung: s.Rung + 1, Owner: match.Theirs})]
			best[i] = max(best[i], min(taken, l.Pass(s)))
		}
	}
	n := endgameNode{roll, best}
	e.nodes[k] = n
	return n
}

// playWorth raises top, by place, to what the mover has after play.
func (e *Endgame) playWorth(l *Ladder, play *board.Play, player uint8, top []float64) {
	if points := play.Result.Result(); points != 0 {
		for i := range top {
			top[i] = max(top[i], l.Result(e.spot(i), points))
		}
		return
	}
	child := e.node(endgameKey{play.Result.Swap(), 1 - player})
	for i, k := range e.swapped {
		top[i] = max(top[i], -child.best[k])
	}
}

// ResignStyle says how readily a player gives up or accepts.
type ResignStyle struct {
	// Offer is the most utility, normalised to the present cube (EMG), that an
	// offered resignation may give away against playing on. 0 never gives away
	// anything but still resigns what is certainly lost.
	Offer float64
	// Accept is the most EMG the side offered a resignation may leave on the
	// table by accepting.
	Accept float64
	// Never switches offering off.
	Never bool
}

// UsualResign gives up when at most 0.0002 EMG is lost by it and accepts what
// is worth as much as playing on.
var UsualResign = ResignStyle{Offer: 0.0002, Accept: 0.0005}

// worth is the EMG, for the player on roll, of the game ending with points times
// the cube; t nil is the default table.
func worth(t *match.Table, s match.State, points int) float64 {
	if s.Length == 0 {
		if s.Jacoby && s.Owner == match.Centred {
			points = max(-1, min(1, points))
		}
		return float64(points)
	}
	if t == nil {
		t = match.DefaultTable()
	}
	return t.EMG(s, t.After(s, points*s.Cube))
}

// Offers returns which resignation (1 single game, 2 gammon, 3 backgammon) the
// player on roll should offer in state s with chances pr and playing-on equity
// cubeful (EMG), 0 for none. It offers the cheapest level that the opponent
// loses nothing by accepting, and only when that gives away no more than the
// style allows.
func (r ResignStyle) Offers(t *match.Table, s match.State, pr eval.Probs, cubeful float64) int {
	if r.Never || pr[eval.Win] > 0.05 {
		return 0
	}
	for level := 1; level <= 3; level++ {
		value := worth(t, s, -level)
		// The opponent refuses what is worth less to him than playing on, so an
		// offer below that is only a delay.
		if value > cubeful+r.Accept+r.Offer {
			continue
		}
		if cubeful-value <= r.Offer {
			return level
		}
		return 0
	}
	return 0
}

// GivesUp is Offers where giving up ends the game at once for what the position says
// ([match.DropByPosition]): the level that it costs the player on roll at p, or 0. It
// gives nothing away: not a chance to win, and not a point.
func (r ResignStyle) GivesUp(t *match.Table, s match.State, p *board.Position, pr eval.Probs, cubeful float64) int {
	level := s.Drops.Level(&p.Me)
	if r.Never || pr[eval.Win] > 0 || worth(t, s, -level) < cubeful-borderline {
		return 0
	}
	return level
}

// Accepts reports whether the player whose opponent, on roll in state s with
// chances pr and playing-on equity cubeful (both from the resigner's view),
// offers level points times the cube should accept.
func (r ResignStyle) Accepts(t *match.Table, s match.State, pr eval.Probs, cubeful float64, level int) bool {
	if level < 1 {
		return false
	}
	if level >= 3 {
		return true
	}
	return worth(t, s, -level) <= cubeful+r.Accept
}
