package search

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/internal/kernel"
	"fibsbot/internal/testsize"
)

// slowSmall is the small net by its definition, in float64: the utility after
// the play from p to q.
func slowSmall(n *Small, p, q *board.Position, weights *[6]float32) float64 {
	sums := func(p *board.Position) (h [SmallHidden]float64) {
		for k := range h {
			h[k] = float64(n.Bias[k])
			for side, of := range [2]*board.Checkers{&p.Me, &p.Opp} {
				for point, count := range of {
					row := (side*25+point)*smallCounts + min(int(count), 7)
					h[k] += float64(n.Rows[row*SmallHidden+k])
				}
			}
			h[k] = max(h[k], 0)
		}
		return h
	}
	before, after := sums(p), sums(q)
	u := 0.0
	for k, x := range after {
		gate := 1.0
		for j, c := range before[:SmallContext] {
			gate += c * float64(n.Gate[j*SmallHidden+k])
		}
		for o, w := range [3]float32{weights[eval.Win], weights[eval.WinGammon], weights[eval.LoseGammon]} {
			u += float64(w) * float64(n.Out[o][k]) * gate * x
		}
	}
	return u
}

// score is the utility of one play of the position given to begin.
func score(k *Ranker, p *board.Position, play *board.Play) float32 {
	k.rate(p, []board.Play{*play})
	return float32(k.scores[0]) * k.scale
}

// Every variant keeps the same plays.
func TestShortlist_everyVariantIsTheSame(t *testing.T) {
	defer kernel.Force("")
	var want []int32
	for _, variant := range []string{"go", "avx2", "avx512", "neon"} {
		if !kernel.Force(variant) {
			continue
		}
		r := rand.New(rand.NewPCG(7, 8))
		k := NewRanker(smallNet())
		var got []int32
		for range 200 {
			p := position(r, r.IntN(60))
			weights := [6]float32{2, r.Float32(), r.Float32(), -r.Float32(), -1, -1}
			plays := board.AppendPlays(nil, p, randomDice(r))
			k.begin(&p, &weights)
			k.rate(&p, plays)
			got = append(got, k.scores...)
			got = append(got, int32(math.Float32bits(k.scale)))
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s ranks otherwise than plain Go", variant)
		}
	}
}

func TestRanker_scoresByTheDefinition(t *testing.T) {
	testsize.Medium(t)
	defer kernel.Force("")
	for _, variant := range []string{"go", "avx2", "avx512"} {
		if !kernel.Force(variant) {
			continue
		}
		r := rand.New(rand.NewPCG(7, 8))
		k := NewRanker(smallNet())
		for range 60 {
			p := position(r, r.IntN(60))
			weights := [6]float32{2, r.Float32(), r.Float32(), -r.Float32(), -1, -1}
			k.begin(&p, &weights)
			for _, play := range board.AppendPlays(nil, p, randomDice(r)) {
				got, want := float64(score(k, &p, &play)), slowSmall(k.net.net, &p, &play.Result, &weights)
				if math.Abs(got-want) > 0.01*max(1, math.Abs(want)) {
					t.Fatalf("%s, %s to %s: %v, want %v", variant, p.ID(), play.Result.ID(), got, want)
				}
			}
		}
	}
}

func TestSmallChanges_leadFromBeforeToAfter(t *testing.T) {
	testsize.Medium(t)
	r := rand.New(rand.NewPCG(7, 8))
	most := 0
	for range 2000 {
		p := position(r, r.IntN(60))
		for _, play := range board.AppendPlays(nil, p, randomDice(r)) {
			on := map[uint32]float32{}
			for _, row := range AppendSmallRows(nil, &p) {
				on[row.Offset] += row.Scale
			}
			changes := AppendSmallChanges(nil, &p, &play)
			most = max(most, len(changes))
			for _, row := range changes {
				on[row.Offset] += row.Scale
			}
			for _, row := range AppendSmallRows(nil, &play.Result) {
				on[row.Offset] -= row.Scale
			}
			for offset, left := range on {
				if left != 0 {
					t.Fatalf("%s to %s: row at %d is off by %v", p.ID(), play.Result.ID(), offset, left)
				}
			}
		}
	}
	if most > MaxSmallRows {
		t.Errorf("a play changed %d rows, room is for %d", most, MaxSmallRows)
	}
}

func TestShortlist_holdsTheBestInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	k := NewRanker(smallNet())
	weights := [6]float32{2, 1, 1, -1, -1, -1}
	for i := range 300 {
		by := [...]Narrowing{Replies, Leaves, First}[i%3]
		p := position(r, r.IntN(40))
		plays := board.AppendPlays(nil, p, randomDice(r))
		before := map[board.Position]float32{}
		best := float32(math.Inf(-1))
		k.begin(&p, &weights)
		for i := range plays {
			u := score(k, &p, &plays[i])
			before[plays[i].Result] = u
			best = max(best, u)
		}
		keep := k.Shortlist(&p, plays, &weights, by)
		if keep < min(by.Least, len(plays)) || keep > by.Most {
			t.Fatalf("kept %d of %d", keep, len(plays))
		}
		if len(plays) <= by.Least {
			continue
		}
		seen := map[board.Position]bool{}
		for i := range plays {
			u := before[plays[i].Result]
			seen[plays[i].Result] = true
			switch {
			case i > 0 && i < keep && u > before[plays[i-1].Result]:
				t.Fatal("the short list is not in order")
			case i >= by.Least && i < keep && best-u > by.Margin:
				t.Fatalf("kept a play %v behind", best-u)
			case i >= keep && keep < by.Most && best-u <= by.Margin:
				t.Fatalf("left out a play %v behind, with %d kept", best-u, keep)
			}
		}
		if len(seen) != len(before) {
			t.Fatal("plays were lost")
		}
		if before[plays[0].Result] != best {
			t.Fatal("the best is not first")
		}
	}
}

func TestShortlist_doesNotDependOnTheLastPosition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	k := NewRanker(smallNet())
	utilities := [][6]float32{{2, 1, 1, -1, -1, -1}, {2, 0.4, 0.1, -1.2, -0.1, -1}}
	for range 100 {
		p, q := position(r, r.IntN(40)), position(r, r.IntN(40))
		dice := randomDice(r)
		plays := board.AppendPlays(nil, p, dice)
		for _, w := range utilities {
			// The same position and weights, other weights, another position.
			for _, before := range []func(){
				func() {}, func() { k.begin(&p, &utilities[0]) }, func() { k.begin(&q, &w) },
			} {
				before()
				got, want := slices.Clone(plays), slices.Clone(plays)
				n := k.Shortlist(&p, got, &w, Replies)
				if m := NewRanker(smallNet()).Shortlist(&p, want, &w, Replies); n != m || !slices.Equal(got[:n], want[:m]) {
					t.Fatalf("%s, %v: a used ranker keeps %v, a new one %v", p.ID(), dice, got[:n], want[:m])
				}
			}
		}
	}
}

func TestShortlist_allocatesNothing(t *testing.T) {
	k := NewRanker(smallNet())
	weights := [6]float32{2, 1, 1, -1, -1, -1}
	p := board.Start
	plays := board.AppendPlays(nil, p, board.Dice{A: 2, B: 2})
	if n := testing.AllocsPerRun(20, func() { k.Shortlist(&p, plays, &weights, Replies) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestReadSmall(t *testing.T) {
	if _, err := ReadSmall(smallFile[:len(smallFile)-1]); err == nil {
		t.Error("a short file was accepted")
	}
	b, err := smallNet().Bytes()
	if err != nil || !bytes.Equal(b, smallFile) {
		t.Errorf("written again, the net differs (%v)", err)
	}
}

func BenchmarkShortlist(b *testing.B) {
	k := NewRanker(smallNet())
	weights := [6]float32{2, 1, 1, -1, -1, -1}
	p := board.Start
	plays := board.AppendPlays(nil, p, board.Dice{A: 6, B: 4})
	b.ReportAllocs()
	for b.Loop() {
		k.Shortlist(&p, plays, &weights, Replies)
	}
	b.ReportMetric(float64(len(plays)), "plays")
}

// TestPrune_races: the short list of a race changes hardly a value, and there is none where a gammon is in
// doubt.
func TestPrune_races(t *testing.T) {
	p := board.Position{Me: board.Checkers{3: 3, 4: 4, 5: 4, 7: 2, 9: 2}, Opp: board.Checkers{2: 3, 4: 4, 5: 5, 8: 3}}
	var got [2]float64
	for i, prune := range []bool{false, true} {
		v, err := testEngine(t, Options{Threads: 1}).Evaluate(t.Context(), p, match.Money(false, 0), Settings{Plies: 2, Prune: prune})
		if err != nil {
			t.Fatal(err)
		}
		got[i] = v.Cubeless
	}
	if math.Abs(got[0]-got[1]) > 0.002 {
		t.Errorf("a race is worth %.5f, pruned %.5f", got[0], got[1])
	}
	home := board.Checkers{0: 3, 1: 3, 2: 3, 3: 2, 4: 2, 5: 2}
	for _, c := range []struct {
		p     board.Position
		saved bool
	}{
		{p, true},
		{board.Position{Me: board.Checkers{5: 12, 12: 3}, Opp: home}, true},                         // 21 pips, eight rolls
		{board.Position{Me: board.Checkers{5: 11, 12: 3, 16: 1}, Opp: board.Checkers{0: 4}}, false}, // 32 pips, two rolls
		{board.Position{Me: board.Checkers{5: 10, 12: 3, 16: 1}, Opp: board.Checkers{0: 4}}, true},  // one is off
		{board.Position{Me: board.Checkers{5: 5, 17: 10}, Opp: home}, false},
	} {
		if got := gammonSaved(&c.p); got != c.saved {
			t.Errorf("%s: gammon saved %v", c.p.ID(), got)
		}
	}
}

// TestNearest: rounding by the last bits is rounding to even.
func TestNearest(t *testing.T) {
	for i := -2100 * 1024; i <= 2100*1024; i++ {
		if v := float32(i) / 1024; nearest(v) != int16(math.RoundToEven(float64(v))) {
			t.Fatalf("%v: %d", v, nearest(v))
		}
	}
}
