package train

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"fibsbot/engine/board"
)

// Drawer draws decisions from self-play.
type Drawer struct {
	Judge  Static
	Seed   uint64
	Margin float32 // how near to the best another play must be
	// Hosts, unless empty, play the games instead of the judge, one each in turn.
	Hosts []Host
}

// Host chooses the play of a roll; ok is false without a legal one.
type Host = func(p board.Position, d board.Dice) (play board.Play, ok bool, err error)

// Drawn is a decision without ratings: at least two of its plays are within the maker's
// margin.
type Drawn struct {
	Tag      string
	Position board.Position
	Dice     board.Dice
	Plays    []board.Play
	Zero     []Label // of the positions after the plays, the opponent on roll, by the judge
	Best     int     // the best play by them
}

// Equity is the mover's equity of play i at 0 plies.
func (d *Drawn) Equity(i int) float32 { return -d.Zero[i].Probs().Money() }

// Near lists the plays at most margin behind the best at 0 plies.
func (d *Drawn) Near(margin float32) (list []int) {
	for i := range d.Plays {
		if d.Equity(i) >= d.Equity(d.Best)-margin {
			list = append(list, i)
		}
	}
	return list
}

// Draw visits n decisions with the tag. They depend on the seed, the tag and the judge
// alone; visit must not keep its argument.
func (m *Drawer) Draw(ctx context.Context, tag string, n int, visit func(*Drawn) error) error {
	rng := rand.New(rand.NewPCG(m.Seed, hashKey(board.Key([]byte(tag + "..........")[:10]))))
	var d Drawn
	seen := KeySet{}
	for made, game := 0, 0; made < n; game++ {
		plan, ok := ParsePlan(tag)
		if !ok || tag == "natural" || tag == "race" && rng.IntN(3) > 0 {
			plan = Natural
		}
		pos := StartOf(plan, rng)
		noise := 0.0
		if plan != Natural {
			noise = 0.03
		}
		p := 0.12
		if plan != Natural || tag == "race" || tag == "opening" {
			p = 0.3
		}
		taken := 0
		for turn := 0; pos.Result() == 0 && turn < 200; turn++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			if tag == "opening" && turn >= 8 || plan != Natural && turn >= 16 {
				break
			}
			dice := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}.Sorted()
			d.Tag, d.Position, d.Dice = tag, pos, dice
			d.Plays = board.AppendPlays(d.Plays[:0], pos, dice)
			if len(d.Plays) == 0 {
				pos = pos.Swap()
				continue
			}
			next := m.look(&d, noise, rng)
			if len(m.Hosts) > 0 {
				play, _, err := m.Hosts[game%len(m.Hosts)](pos, dice)
				if err != nil {
					return err
				}
				next = slices.IndexFunc(d.Plays, func(p board.Play) bool { return p.Result == play.Result })
			}
			fits := (tag == "race") == !pos.Contact()
			if fits && len(d.Plays) > 1 && taken < 4 && rng.Float64() < p && seen.Add(pos.Key()) && len(d.Near(m.Margin)) > 1 {
				if err := visit(&d); err != nil {
					return err
				}
				taken++
				if made++; made >= n {
					break
				}
			}
			pos = d.Plays[next].Result.Swap()
		}
	}
	return nil
}

// look judges the plays of d and chooses the one to continue with: the best after noise.
func (m *Drawer) look(d *Drawn, noise float64, rng *rand.Rand) (next int) {
	d.Zero, d.Best = d.Zero[:0], 0
	nextV := -9.0
	for i := range d.Plays {
		after := d.Plays[i].Result.Swap()
		d.Zero = append(d.Zero, LabelOf(m.Judge.Eval(&after)))
		if d.Equity(i) > d.Equity(d.Best) {
			d.Best = i
		}
		if v := float64(d.Equity(i)) + noise*rng.NormFloat64(); v > nextV {
			next, nextV = i, v
		}
	}
	return next
}

// hashKey mixes the bits of a key.
func hashKey(k board.Key) uint64 {
	h := binary.LittleEndian.Uint64(k[:8])*0x9e3779b97f4a7c15 ^ uint64(binary.LittleEndian.Uint16(k[8:]))*0xc2b2ae3d27d4eb4f
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 32
	if h == 0 {
		h = 1
	}
	return h
}
