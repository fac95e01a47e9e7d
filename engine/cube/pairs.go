package cube

import (
	"context"
	"sync"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// homeSize is how many boards of up to six checkers at home there are.
const homeSize = 924

// homes are those boards by rising pips, the empty one first, and what each roll makes of
// them. There is no contact in a bearoff, so that is all the rules there are.
type homes struct {
	boards [homeSize]board.Checkers
	index  map[board.Checkers]uint16
	// The boards that roll r can make of board i are next[at[i*21+r]:at[i*21+r+1]].
	at   [homeSize*21 + 1]uint32
	next []uint16
}

// allHomes is made when the first table of pairs is: some milliseconds.
var allHomes = sync.OnceValue(func() *homes {
	h := &homes{index: make(map[board.Checkers]uint16, homeSize)}
	n := 0
	for pips := 0; n < homeSize; pips++ {
		var c board.Checkers
		h.fill(&c, &n, 5, 6, pips)
	}
	at := 0
	var plays []board.Play
	for i := range h.boards {
		p := board.Position{Me: h.boards[i], Opp: board.Checkers{0: 1}}
		for _, r := range board.Rolls {
			h.at[at] = uint32(len(h.next))
			at++
			if i == 0 {
				continue
			}
			plays = board.AppendPlays(plays[:0], p, r.Dice)
			for k := range plays {
				h.next = append(h.next, h.index[plays[k].Result.Me])
			}
		}
	}
	h.at[at] = uint32(len(h.next))
	return h
})

// fill adds the boards with up to left more checkers on the points up to top that have
// exactly pips more.
func (h *homes) fill(c *board.Checkers, n *int, top, left, pips int) {
	if top < 0 || pips == 0 {
		if pips == 0 {
			h.boards[*n], h.index[*c] = *c, uint16(*n)
			*n++
		}
		return
	}
	for k := 0; k <= left && k*(top+1) <= pips; k++ {
		c[top] = uint8(k)
		h.fill(c, n, top-1, left-k, pips-k*(top+1))
	}
	c[top] = 0
}

// below lists the boards that c can reach, including c, by rising pips.
func (h *homes) below(c *board.Checkers) (list []uint16) {
	var on [homeSize]bool
	on[h.index[*c]] = true
	for i := homeSize - 1; i > 0; i-- {
		if on[i] {
			for _, to := range h.next[h.at[i*21]:h.at[i*21+21]] {
				on[to] = true
			}
		}
	}
	for i := 1; i < homeSize; i++ {
		if on[i] {
			list = append(list, uint16(i))
		}
	}
	return list
}

// pairs holds the exact values of all bearoffs that one bearoff can lead to, at the score of an
// Endgame: of every pair of boards with either player on roll.
type pairs struct {
	homes *homes
	// place of a board in the player's list plus one, 0 for one that does not come up.
	place [2][homeSize]uint16
	lists [2][]uint16
	// worth holds, for the player on roll and each pair, what the position is worth to the
	// OTHER player, who has just moved, by his place of the cube's spot, in steps of
	// 1/worthOne: whole numbers compare faster.
	worth  [2][]int32
	won    [2][]int32 // what bearing off the last checker is worth to either player
	places int
}

// worthOne is a utility of 1, which none at a score exceeds.
const worthOne = 1 << 30

// newPairs computes all bearoffs that p can lead to, ladders[player] being on roll. It returns
// nil if ctx ends first.
func (e *Endgame) newPairs(ctx context.Context, p *board.Position, player int) *pairs {
	h := allHomes()
	t := &pairs{homes: h, places: 1 + 2*e.rungs}
	t.lists[player], t.lists[1-player] = h.below(&p.Me), h.below(&p.Opp)
	for s, list := range t.lists {
		for i, b := range list {
			t.place[s][b] = uint16(i + 1)
		}
		t.worth[s] = make([]int32, len(t.lists[0])*len(t.lists[1])*t.places)
		for k := range t.places {
			t.won[s] = append(t.won[s], int32(e.ladders[s].Result(e.spot(k), 1)*worthOne))
		}
	}
	roll, top := make([]float64, t.places), make([]int32, t.places)
	for i, a := range t.lists[0] {
		if ctx.Err() != nil {
			return nil
		}
		for j, b := range t.lists[1] {
			for s := range 2 {
				own, at := int(a), [2]int{i, j}
				if s == 1 {
					own = int(b)
				}
				e.rolled(t, s, own, at, roll, top)
				out := t.worth[s][(i*len(t.lists[1])+j)*t.places:][:t.places]
				for k := range roll {
					out[e.swapped[k]] = int32(-e.acted(s, roll, k) * worthOne)
				}
			}
		}
	}
	return t
}

// acted is what the player has at a place of the cube when he acts best, roll being what
// he has at each without doubling now.
func (e *Endgame) acted(player int, roll []float64, place int) float64 {
	l, s := e.ladders[player], e.spot(place)
	if !l.MayDouble(s) {
		return roll[place]
	}
	taken := roll[e.place(Spot{Rung: s.Rung + 1, Owner: match.Theirs})]
	return max(roll[place], min(taken, l.Pass(s)))
}

// rolled sets roll to what player s, on roll with board own, has at each place without
// doubling; at are the places of both boards in their lists. top is working memory.
func (e *Endgame) rolled(t *pairs, s, own int, at [2]int, roll []float64, top []int32) {
	clear(roll)
	h := t.homes
	for r := range board.Rolls {
		for n, to := range h.next[h.at[own*21+r]:h.at[own*21+r+1]] {
			if to == 0 {
				copy(top, t.won[s])
				break // no play can be better than the last checker off
			}
			at[s] = int(t.place[s][to]) - 1
			worth := t.worth[1-s][(at[0]*len(t.lists[1])+at[1])*t.places:][:len(top)]
			if n == 0 {
				copy(top, worth)
				continue
			}
			for k, u := range worth {
				top[k] = max(top[k], u)
			}
		}
		weight := float64(board.Rolls[r].Weight) / (36 * worthOne)
		for k, u := range top {
			roll[k] += weight * float64(u)
		}
	}
}

// covers reports whether p, ladders[player] on roll, is among the pairs; nil has none.
func (t *pairs) covers(p *board.Position, player int) (at [2]int, own int, ok bool) {
	if t == nil {
		return at, 0, false
	}
	me, theirs := t.homes.index[p.Me], t.homes.index[p.Opp]
	at[player], at[1-player] = int(t.place[player][me])-1, int(t.place[1-player][theirs])-1
	return at, int(me), at[0] >= 0 && at[1] >= 0
}

// AllPairs exceeds the number of pairs of boards that any bearoff of up to six checkers a side
// can lead to, 853,776.
const AllPairs = 1_000_000

// Prepare is Known with p, a bearoff of up to six checkers a side of which at most limit
// pairs of boards come, and all of those. 20,000 pairs take 2 ms, 100,000 up to 35; the
// largest take some seconds and 70 MB. They are kept for the next that asks, until a
// bearoff that is not among them is prepared. When ctx ends first, and for other positions,
// there is nothing but Known.
func (e *Endgame) Prepare(ctx context.Context, p *board.Position, other bool, limit int) Known {
	if e == nil || eval.ClassOf(p) != eval.Bearoff2 || e.small(p) || !within(p, limit) {
		return e.Known()
	}
	player := playerOf(other)
	e.making.Lock()
	defer e.making.Unlock()
	t := e.pairs.Load()
	if _, _, ok := t.covers(p, player); !ok {
		e.pairs.Store(nil) // its memory first
		t = e.newPairs(ctx, p, player)
		e.pairs.Store(t)
	}
	return Known{endgame: e, pairs: t}
}

// valuesOf is Values from the table, where it has p; nil has nothing.
func (e *Endgame) valuesOf(t *pairs, p *board.Position, player int, spots []Spot, out []float64) bool {
	at, own, ok := t.covers(p, player)
	if !ok {
		return false
	}
	var roll [maxPlaces]float64
	var top [maxPlaces]int32
	e.rolled(t, player, own, at, roll[:t.places], top[:t.places])
	for i, s := range spots {
		out[i] = roll[e.place(s)]
	}
	return true
}

// maxPlaces bounds the places of the cube: the centre and either side of each rung.
const maxPlaces = 1 + 2*MaxRungs
