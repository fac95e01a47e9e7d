package train

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/internal/shard"
)

// ProblemMaker draws decisions from self-play and has the teacher rate them.
type ProblemMaker struct {
	Teacher Teacher
	Seed    uint64
	Plies   int     // depth of the reference, 2 in the bench
	Margin  float32 // plays this much worse at 0 plies keep their 0-ply value
	// Threads is how many goroutines rate, if the teacher is a Forker; 0 is one for each
	// processor.
	Threads int
	// Crew rates, up to Size decisions in a piece; nil is this process. The decisions do not
	// depend on it.
	Crew shard.Crew
	Size int
}

// Drawn is a decision without ratings: at least two of its plays are within the maker's
// margin.
type Drawn struct {
	Tag      string
	Position board.Position
	Dice     board.Dice
	Plays    []board.Play
	Keys     []board.Key // the positions after the plays, the opponent on roll
	Zero     []Label     // of those positions, by the teacher at 0 plies
	Best     int         // the best play by them
}

// Equity is the mover's equity of play i at 0 plies.
func (d *Drawn) Equity(i int) float32 { return equityAfter(d.Zero[i]) }

// Near lists the plays at most margin behind the best at 0 plies.
func (d *Drawn) Near(margin float32) (list []int) {
	for i := range d.Plays {
		if d.Equity(i) >= d.Equity(d.Best)-margin {
			list = append(list, i)
		}
	}
	return list
}

// clone is a copy that a visitor may keep.
func (d *Drawn) clone() Drawn {
	c := *d
	c.Plays, c.Keys, c.Zero = slices.Clone(d.Plays), slices.Clone(d.Keys), slices.Clone(d.Zero)
	return c
}

// Make returns n decisions with the tag. It passes each to keep as soon as it is rated, in
// the order in which they are drawn.
func (m *ProblemMaker) Make(ctx context.Context, tag string, n int, keep func(Problem) error) error {
	var drawn []Drawn
	if err := m.Draw(ctx, tag, n, func(d *Drawn) error { drawn = append(drawn, d.clone()); return nil }); err != nil {
		return err
	}
	crew, size := m.Crew, m.Size
	if crew == nil {
		crew, size = Crew(m.Teacher, m.Threads, func(t Teacher) shard.Runner { return Labeller(t, m.Plies) }), 1
	}
	near := func(r shard.Range) (keys []board.Key) {
		for k := r.From; k < r.To; k++ {
			for _, i := range drawn[k].Near(m.Margin) {
				keys = append(keys, drawn[k].Keys[i])
			}
		}
		return keys
	}
	parts := shard.Each{To: n, Size: size, Piece: func(r shard.Range) shard.Piece {
		return shard.Piece{Key: tag + "-" + r.Key(), Ask: AskLabels(near(r))}
	}}
	return parts.Do(ctx, crew, func(r shard.Range, res shard.Result) error {
		labels, err := ReadLabels(res.Data, len(near(r)))
		if err != nil {
			return fmt.Errorf("decisions %d to %d of %s: %w", r.From, r.To-1, tag, err)
		}
		for k := r.From; k < r.To; k++ {
			list := drawn[k].Near(m.Margin)
			if err := keep(drawn[k].rated(list, labels[:len(list)])); err != nil {
				return err
			}
			labels = labels[len(list):]
		}
		return nil
	})
}

// rated is the decision with the plays of near at their deep labels.
func (d *Drawn) rated(near []int, deep []Label) Problem {
	out := Problem{Tag: d.Tag, Position: d.Position, Dice: d.Dice}
	for i, k := range d.Keys {
		e := d.Equity(i)
		if at := slices.Index(near, i); at >= 0 {
			e = equityAfter(deep[at])
		}
		out.Candidates = append(out.Candidates, Rated{Key: k, Equity: e})
	}
	out.sort()
	out.Teacher = slices.IndexFunc(out.Candidates, func(r Rated) bool { return r.Key == d.Keys[d.Best] })
	if len(out.Candidates) > 40 {
		out.Candidates = out.Candidates[:max(40, out.Teacher+1)]
	}
	return out
}

// sort puts the best candidate first.
func (d *Problem) sort() {
	slices.SortStableFunc(d.Candidates, func(a, b Rated) int {
		if c := cmp.Compare(b.Equity, a.Equity); c != 0 {
			return c
		}
		return bytes.Compare(a.Key[:], b.Key[:])
	})
}

// Draw visits n decisions with the tag. They depend on the seed, the tag and the teacher's
// 0-ply labels alone; visit must not keep its argument.
func (m *ProblemMaker) Draw(ctx context.Context, tag string, n int, visit func(*Drawn) error) error {
	rng := rand.New(rand.NewPCG(m.Seed, hashKey(board.Key([]byte(tag + "..........")[:10]))))
	var d Drawn
	seen := NewKeySet(n)
	for made := 0; made < n; {
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
			next, err := m.look(&d, noise, rng)
			if err != nil {
				return err
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

// look asks the teacher about the plays of d and chooses the one to continue with: the best
// after noise.
func (m *ProblemMaker) look(d *Drawn, noise float64, rng *rand.Rand) (next int, err error) {
	d.Keys = d.Keys[:0]
	for i := range d.Plays {
		d.Keys = append(d.Keys, d.Plays[i].Result.Swap().Key())
	}
	d.Zero = slices.Grow(d.Zero[:0], len(d.Keys))[:len(d.Keys)]
	if err := m.Teacher.Label(d.Keys, 0, d.Zero); err != nil {
		return 0, err
	}
	d.Best = 0
	nextV := -9.0
	for i := range d.Plays {
		if d.Equity(i) > d.Equity(d.Best) {
			d.Best = i
		}
		if v := float64(d.Equity(i)) + noise*rng.NormFloat64(); v > nextV {
			next, nextV = i, v
		}
	}
	return next, nil
}
