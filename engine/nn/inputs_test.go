package nn

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fibsbot/engine/board"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// points builds one side's checkers from own point: count (25 the bar).
func points(m map[int]uint8) (c board.Checkers) {
	for p, n := range m {
		c[p-1] = n
	}
	return c
}

// randomPosition draws a position that obeys the rules of the board.
func randomPosition(r *rand.Rand) board.Position {
	for {
		var p board.Position
		for side, c := range []*board.Checkers{&p.Me, &p.Opp} {
			n := 1 + r.IntN(15)
			reach := 1 + r.IntN(25)
			for k := 0; k < n; k++ {
				i := r.IntN(reach)
				if side == 1 && i < 24 && p.Me[23-i] > 0 {
					continue
				}
				c[i] += uint8(min(1+r.IntN(3), n-k))
				k = c.Count() - 1
				if c.Count() >= n {
					break
				}
			}
		}
		if p.Validate() == nil && p.Result() == 0 {
			return p
		}
	}
}

func swapHalves[T any](x []T) []T {
	return append(append([]T{}, x[len(x)/2:]...), x[:len(x)/2]...)
}

func TestEncode_theOtherPlayersViewSwapsTheHalves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomPosition(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		var e Encoder
		var a, b Features
		e.Encode(&p, &a)
		q := p.Swap()
		e.Encode(&q, &b)
		if diff := cmp.Diff(swapHalves(a.Dense[:NumDense]), b.Dense[:NumDense]); diff != "" {
			t.Fatalf("%+v: dense inputs of the swapped position (-want +got):\n%s", p, diff)
		}
		var want, got [NumSparse]bool
		for _, r := range a.Rows(nil, false) {
			want[(int(r)+SideSparse)%NumSparse] = true
		}
		for _, r := range b.Rows(nil, false) {
			got[r] = true
		}
		if want != got {
			t.Fatalf("%+v: active rows of the swapped position are not the swapped rows", p)
		}
	})
}

func TestEncode_everyInputIsInItsRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomPosition(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2)))
		var f Features
		new(Encoder).Encode(&p, &f)
		checkRanges(t, &f, NumSparse, NumDense, inputName)
		if !p.Contact() {
			new(RaceEncoder).Encode(&p, &f)
			checkRanges(t, &f, NumRaceSparse, NumRaceDense, raceInputName)
		}
	})
}

func checkRanges(t *rapid.T, f *Features, sparse, dense int, name func(int) string) {
	rows := f.Rows(nil, dense == NumRaceDense)
	for i, r := range rows {
		if int(r) >= sparse || i > 0 && r <= rows[i-1] {
			t.Fatalf("active rows %v: not rising below %d", rows, sparse)
		}
	}
	computed := make([]float32, dense)
	f.Computed(computed)
	for i, v := range computed {
		if dense == NumDense && v*InputSteps != float32(int(v*InputSteps)) {
			t.Fatalf("%s is %v, not a multiple of 1/%d", name(sparse+i), v, InputSteps)
		}
		if !(v >= 0 && v <= 1) {
			t.Fatalf("%s is %v", name(sparse+i), v)
		}
	}
}

// Every computed input has a row, the opponent's half behind the player's.
func TestPlaces(t *testing.T) {
	for _, places := range [][]int{contactPlaces, racePlaces} {
		seen := make([]bool, len(places))
		for row, place := range places {
			if seen[place] || row >= len(places)/2 != (place >= len(places)/2) {
				t.Errorf("of %d rows, %d has the input at %d", len(places), row, place)
			}
			seen[place] = true
		}
	}
	if contactPlaces[0] != Pips || contactPlaces[SideDense+SideDense-1] != SideDense+Stack {
		t.Errorf("rows of weights files begin with the input at %d and end with that at %d", contactPlaces[0], contactPlaces[NumDense-1])
	}
}

func dense(p board.Position) (me, opp [SideDense]float32) {
	var f Features
	new(Encoder).Encode(&p, &f)
	return [SideDense]float32(f.Dense[:SideDense]), [SideDense]float32(f.Dense[SideDense:NumDense])
}

func TestEncode_start(t *testing.T) {
	var f Features
	new(Encoder).Encode(&board.Start, &f)
	var names []string
	for _, r := range f.Rows(nil, false) {
		names = append(names, inputName(int(r)))
	}
	want := []string{
		"me 6 point, 5 checkers", "me 8 point, 3 checkers", "me 13 point, 5 checkers", "me 24 point, 2 checkers",
		"opponent 6 point, 5 checkers", "opponent 8 point, 3 checkers", "opponent 13 point, 5 checkers", "opponent 24 point, 2 checkers",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("active rows (-want +got):\n%s", diff)
	}
	me, opp := dense(board.Start)
	if me != opp {
		t.Errorf("the start position looks different to the two sides:\n%v\n%v", me, opp)
	}
	checkDense(t, me, map[int]float32{
		Pips: 1, Lead: 0, Shots: 0, PipLoss: 0, Off: 0,
		Rear: 24. / 25, RearAnchor: 1, MenBack: 2. / 6, AceGame: 2. / 6, BackGame: 0,
		ContactPips: 1, // all 15 checkers must come to the ace point: 152 pips, above 150
		HomePips:    (3*2 + 5*7 + 2*18) / 90.,
		BackPips:    2 * 6 / 30.,
		EnterFail:   1. / 36,
		BarLoss:     0,
		// From the 24 point 5, 7 and 12 pips land on made points. That stops 4-1,
		// 3-2, 6-1, 5-2, 4-3, 5-5 and 6-6: 12 of the 36 rolls.
		RearEscapes: 24. / 36,
		Prime:       1. / 6,
		HomeBlots:   0,
		Dead:        0,
		Stack:       2. / 8,
		Timing:      (3*2 + 5*7 + 3*5) / 100.,
	})
}

func checkDense(t *testing.T, got [SideDense]float32, want map[int]float32) {
	t.Helper()
	for i, w := range want {
		if d := got[i] - w; d > 0.5/InputSteps || d < -0.5/InputSteps {
			t.Errorf("%s = %v, want %v", denseNames[slices.Index(denseRows[:], i)], got[i], w)
		}
	}
}

func TestEncode_namedPositions(t *testing.T) {
	wholePrime := map[int]uint8{4: 2, 5: 2, 6: 2, 7: 2, 8: 2, 9: 2, 13: 3}
	tests := []struct {
		name    string
		me, opp map[int]uint8
		want    map[int]float32 // of the player on roll
		theirs  map[int]float32
	}{
		{
			name: "one direct shot, six pips away",
			me:   map[int]uint8{24: 1, 6: 2, 5: 2}, opp: map[int]uint8{7: 1, 14: 2},
			// The blot on their 7 point is my 18 point: 11 rolls with a 6, and 5-1, 4-2,
			// 3-3, 2-2 of the combinations: 2+2+1+1.
			want: map[int]float32{Shots: 17. / 36, DoubleShots: 0, Targets: 0.25,
				PipLoss: 17 * 18 / (36 * 12.), Sting: 17. / 36 * 2 / 6},
		},
		{
			name: "the same shot with the five and four points in between held",
			me:   map[int]uint8{24: 1, 6: 2, 5: 2}, opp: map[int]uint8{7: 1, 6: 2, 5: 2},
			// My way down the 24: their 5 and 6 points are 4 and 5 pips behind... the
			// landings left for 5-1 is one pip away, 4-2 two pips, 3-3 three pips, 2-2
			// needs two and four: blocked.
			want: map[int]float32{Shots: 16. / 36},
		},
		{
			name: "a far blot is hit by combinations only",
			me:   map[int]uint8{20: 1, 6: 2}, opp: map[int]uint8{13: 1, 1: 2},
			// Their 13 point is my 12 point, 8 pips away: 6-2, 5-3, 4-4 and 2-2.
			want: map[int]float32{Shots: 6. / 36, Targets: 0, DoubleShots: 0},
		},
		{
			name: "on the bar with one, an entering number is needed first",
			me:   map[int]uint8{25: 1, 13: 2}, opp: map[int]uint8{16: 1, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2},
			// Only an ace enters. Their 16 point is my 9 point, 4 pips from my
			// 13 point: 4-1 hits. From the bar it is 16 pips: 4-4 cannot enter.
			want: map[int]float32{Shots: 2. / 36, EnterFail: 25. / 36, BarLoss: 25. / 36},
		},
		{
			name: "two on the bar hit only what they enter on",
			me:   map[int]uint8{25: 2, 13: 2}, opp: map[int]uint8{3: 1, 16: 1, 1: 2},
			want: map[int]float32{Shots: 11. / 36, BarLoss: 1. / 6, EnterFail: 1. / 36, DoubleShots: 0},
		},
		{
			name: "two blots, two dice",
			me:   map[int]uint8{24: 2, 8: 2}, opp: map[int]uint8{4: 1, 2: 1, 13: 2},
			// Blots one and three pips from my 24 point: any 1 or 3 (20), 2-1's
			// combination is in it; 3 = 1-1-1; both with 3-1, and 1-1 runs on from one
			// to the other but is counted by dice only.
			want: map[int]float32{Shots: 20. / 36, DoubleShots: 2. / 36, Targets: 0.5},
		},
		{
			name: "behind a full prime there is no way out",
			me:   wholePrime, opp: map[int]uint8{25: 1, 6: 5, 8: 4},
			want:   map[int]float32{Contain: 1, ContainSquared: 1, ContainLeaps: 1, Prime: 1, Trapped: 0.2, ContainBar: 1},
			theirs: map[int]float32{RearLeaps: 0, BarLoss: 0.25, Rear: 1},
		},
		{
			name: "a back game holds two anchors",
			me:   map[int]uint8{24: 2, 22: 2, 13: 3, 8: 3, 6: 5}, opp: map[int]uint8{6: 3, 5: 3, 4: 3, 8: 3, 7: 3},
			want: map[int]float32{BackGame: 4. / 6, AceGame: 0, ForwardAnchor: 3. / 10, RearAnchor: 1},
		},
		{
			name: "a race has no contact and all pips free",
			me:   map[int]uint8{6: 5, 3: 5}, opp: map[int]uint8{6: 2, 1: 2},
			want: map[int]float32{ContactPips: 0, FreePips: 0.45, Lead: 0, Off: 5. / 15, Contain: 0,
				Shots: 0, Prime: 0, HomeBlots: 0, Spread: 2.25 / 100},
			theirs: map[int]float32{Lead: 0.31, Dead: 2. / 8},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := board.Position{Me: points(tt.me), Opp: points(tt.opp)}
			if err := p.Validate(); err != nil {
				t.Fatal(err)
			}
			me, opp := dense(p)
			checkDense(t, me, tt.want)
			checkDense(t, opp, tt.theirs)
		})
	}
}

// slowShots counts hitting rolls by walking every order of the dice with every
// checker, the way a player counts. It knows nothing of the tables.
func slowShots(p *board.Position) int {
	blocked := func(i int) bool { return i >= 0 && i < 24 && p.Opp[23-i] >= 2 }
	blot := func(i int) bool { return i >= 0 && i < 24 && p.Opp[23-i] == 1 }
	walk := func(from int, steps []int) bool {
		for _, d := range steps {
			from -= d
			if from < 0 || blocked(from) {
				return false
			}
			if blot(from) {
				return true
			}
		}
		return false
	}
	hits := 0
	for _, r := range board.Rolls {
		a, b := int(r.Dice.A), int(r.Dice.B)
		ways := [][]int{{a, b}, {b, a}}
		if a == b {
			ways = [][]int{{a, a, a, a}}
		}
		hit := false
		for i := range 24 {
			for _, w := range ways {
				hit = hit || p.Me[i] > 0 && walk(i, w)
			}
		}
		if hit {
			hits += r.Weight
		}
	}
	return hits
}

func TestEncode_shotsAgreeWithCountingByHand(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 3000 {
		p := randomPosition(r)
		p.Me[board.Bar] = 0
		me, _ := dense(p)
		if got, want := me[Shots]*36, float32(slowShots(&p)); got-want > 0.1 || want-got > 0.1 {
			t.Fatalf("%+v: %v shots, counted %v", p, got, want)
		}
	}
}

func TestEncode_doesNotAllocate(t *testing.T) {
	var f Features
	p := board.Start
	if n := testing.AllocsPerRun(100, func() { new(Encoder).Encode(&p, &f); new(RaceEncoder).Encode(&p, &f) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkEncode(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var ps [256]board.Position
	for i := range ps {
		ps[i] = naturalPosition(r)
	}
	var f Features
	var e Encoder // an evaluator keeps one, and what it remembers
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		e.Encode(&ps[i&255], &f)
	}
}

// naturalPosition moves the checkers of the start position about a little.
func naturalPosition(r *rand.Rand) board.Position {
	p := board.Start
	for range 20 {
		c, o := &p.Me, &p.Opp
		if r.IntN(2) == 0 {
			c, o = o, c
		}
		from, d := r.IntN(24), 1+r.IntN(6)
		if to := from - d; c[from] > 0 && to >= 0 && o[23-to] < 2 {
			c[from]--
			c[to]++
			if o[23-to] == 1 {
				o[23-to]--
				o[board.Bar]++
			}
		}
	}
	return p
}

// Sums over eight points at a time are those of the checkers one by one.
func TestEncode_sumsAreThoseOfTheCheckers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var e Encoder
	for range 4000 {
		p := randomPosition(r)
		got := e.Fill(&p)
		var pips, home, back, men, square, spare, builders, stack, contact, free int
		meet := 23 - p.Opp.Rearmost()
		for i, v := range p.Me {
			n := int(v)
			pips += n * (i + 1)
			square += n * (i + 1) * (i + 1)
			home += n * max(i-5, 0)
			back += n * max(i-17, 0)
			stack += max(n-4, 0)
			contact += n * max(i-meet, 0)
			if i <= meet {
				free += n * (i + 1)
			}
			switch {
			case i < 6:
				spare += max(n-2, 0) * i
			case i < 18:
				spare += n * (i - 5)
			default:
				men += n
				spare += max(n-2, 0) * (i - 5)
			}
			if i >= 4 && i <= 10 {
				if n == 1 {
					builders++
				}
				builders += max(n-2, 0)
			}
		}
		mean := float32(pips) / float32(p.Me.Count())
		for _, c := range []struct {
			input int
			want  float32
		}{
			{Pips, share(pips, 167)}, {HomePips, share(home, 90)}, {BackPips, share(back, 30)}, {MenBack, share(men, 6)},
			{Timing, share(spare, 100)}, {Builders, share(builders, 8)}, {Stack, share(stack, 8)},
			{ContactPips, share(contact, 150)}, {FreePips, share(free, 100)},
			{Spread, min((float32(square)/float32(p.Me.Count())-mean*mean)*(1.0/100), 1)},
		} {
			if got := got.Dense[c.input]; got != c.want {
				t.Fatalf("%s: input %d is %v, checker by checker %v", p.ID(), c.input, got, c.want)
			}
		}
	}
}

// What an encoder remembers of other positions changes nothing.
func TestEncode_usedAndNewAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var used Encoder
	var last board.Position
	for i := range 4000 {
		p := naturalPosition(r)
		switch i % 3 {
		case 0:
			p = randomPosition(r)
		case 1: // one side stays, as after the plays of a roll
			p.Me = last.Me
		}
		last = p
		var a, b Features
		used.Encode(&p, &a)
		new(Encoder).Encode(&p, &b)
		if a != b {
			t.Fatalf("%s: a used encoder says %v, a new one %v", p.ID(), a, b)
		}
	}
}
