package board

import (
	"encoding/json"
	"slices"
	"testing"

	"fibsbot/internal/reference"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func eachLine(t testing.TB, name string, f func(line []byte)) {
	t.Helper()
	in := reference.Lines(t, name)
	for in.Scan() {
		f(in.Bytes())
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
}

func resultIDs(plays []Play) []string {
	ids := make([]string, len(plays))
	for i, pl := range plays {
		ids[i] = pl.Result.Swap().ID()
	}
	slices.Sort(ids)
	return ids
}

func TestAppendPlays_agreesWithGnubg(t *testing.T) {
	var buf []Play
	lines := 0
	eachLine(t, "reference/movegen.jsonl", func(line []byte) {
		var want struct {
			ID   string
			Dice [2]uint8
			Tag  string
			Res  []string
		}
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		lines++
		p, err := ParseID(want.ID)
		if err != nil {
			t.Fatalf("%s: %v", want.ID, err)
		}
		dice := []Dice{{want.Dice[0], want.Dice[1]}}
		if lines%8 == 0 {
			dice = append(dice, Dice{want.Dice[1], want.Dice[0]})
		}
		for _, d := range dice {
			buf = AppendPlays(buf[:0], p, d)
			if diff := cmp.Diff(append([]string{}, want.Res...), resultIDs(buf)); diff != "" {
				t.Errorf("%s %v %s (-gnubg +ours):\n%s", want.ID, d, want.Tag, diff)
			}
			for i := range buf {
				checkSteps(t, p, d, &buf[i])
			}
		}
	})
	if lines < 3000 {
		t.Errorf("only %d reference positions read", lines)
	}
}

// checkSteps replays a play step by step by the rules alone.
func checkSteps(t interface{ Errorf(string, ...any) }, p Position, d Dice, pl *Play) {
	left := []int{int(d.A), int(d.B)}
	if d.Double() {
		left = append(left, left...)
	}
	at := p
	for _, s := range pl.Steps[:pl.N] {
		ok := false
		for i, die := range left {
			if next, legal := slowStep(at, int(s.From), die); legal && max(int(s.From)-die, Off) == int(s.To) {
				at, ok = next, true
				left = slices.Delete(left, i, i+1)
				break
			}
		}
		if !ok {
			t.Errorf("%s %v: step %v of %v is not legal", p.ID(), d, s, pl.Steps[:pl.N])
			return
		}
	}
	if at != pl.Result {
		t.Errorf("%s %v: steps %v lead to %s, not to %s", p.ID(), d, pl.Steps[:pl.N], at.ID(), pl.Result.ID())
	}
}

// slowStep moves one checker by the rules as a book states them.
func slowStep(p Position, from, die int) (Position, bool) {
	if p.Me[from] == 0 || p.Me[Bar] > 0 && from != Bar || p.Opp.Count() == 0 {
		return p, false
	}
	to := from - die
	if to < 0 {
		r := p.Me.Rearmost()
		if r > 5 || to < Off && r > from {
			return p, false
		}
		p.Me[from]--
		return p, true
	}
	if p.Opp[23-to] > 1 {
		return p, false
	}
	p.Me[from]--
	p.Me[to]++
	if p.Opp[23-to] == 1 {
		p.Opp[23-to] = 0
		p.Opp[Bar]++
	}
	return p, true
}

// slowPlays tries every order of the dice from every point and keeps what uses
// the most dice, the larger one where only one can be used.
func slowPlays(p Position, d Dice) map[Position]bool { return slowPlaysBy(p, d, slowStep) }

// slowPlaysBy is slowPlays with steps by other rules.
func slowPlaysBy(p Position, d Dice, slowStep func(p Position, from, die int) (Position, bool)) map[Position]bool {
	type found struct {
		used   int
		larger bool
	}
	best := found{}
	ends := map[Position]found{}
	var walk func(at Position, left []int, used int, first int)
	walk = func(at Position, left []int, used int, first int) {
		moved := false
		for i, die := range left {
			for from := range Bar + 1 {
				next, ok := slowStep(at, from, die)
				if !ok {
					continue
				}
				moved = true
				started := first
				if used == 0 {
					started = die
				}
				walk(next, slices.Delete(slices.Clone(left), i, i+1), used+1, started)
			}
		}
		if moved || used == 0 {
			return
		}
		f := found{used, used > 1 || first == int(max(d.A, d.B))}
		if f.used > best.used || f.used == best.used && f.larger && !best.larger {
			best = f
		}
		if old, ok := ends[at]; !ok || f.used > old.used || f.used == old.used && f.larger {
			ends[at] = f
		}
	}
	left := []int{int(d.A), int(d.B)}
	if d.Double() {
		left = append(left, left...)
	}
	walk(p, left, 0, 0)
	legal := map[Position]bool{}
	for at, f := range ends {
		if f == best {
			legal[at] = true
		}
	}
	return legal
}

// anyPosition draws a valid position of any shape, with the game not over.
func anyPosition(t *rapid.T) Position {
	var p Position
	spread := rapid.SampledFrom([]int{6, 12, 24}).Draw(t, "spread")
	for side := range 2 {
		c := &p.Me
		if side == 1 {
			c = &p.Opp
		}
		n := rapid.IntRange(1, MaxCheckers).Draw(t, "checkers")
		for range n {
			i := rapid.IntRange(0, spread).Draw(t, "point")
			if i == spread {
				i = Bar
			}
			if side == 1 && i < 24 && p.Me[23-i] > 0 {
				continue
			}
			c[i]++
		}
	}
	if p.Opp.Count() == 0 {
		p.Opp[Bar] = 1
	}
	if p.Validate() != nil {
		t.Skip("not a valid position")
	}
	return p
}

func anyDice(t *rapid.T) Dice {
	return Dice{rapid.Uint8Range(1, 6).Draw(t, "die"), rapid.Uint8Range(1, 6).Draw(t, "die")}
}

func TestAppendPlays_equalsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, d := anyPosition(t), anyDice(t)
		want := slowPlays(p, d)
		got := AppendPlays(nil, p, d)
		seen := map[Position]bool{}
		for i := range got {
			if seen[got[i].Result] {
				t.Errorf("%s %v: %s comes twice", p.ID(), d, got[i].Result.ID())
			}
			seen[got[i].Result] = true
			checkSteps(t, p, d, &got[i])
		}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("%s %v (-brute force +ours):\n%s", p.ID(), d, diff)
		}
	})
}

func TestAppendPlays_keepsWhatIsInDst(t *testing.T) {
	first := AppendPlays(nil, Start, Dice{3, 1})
	both := AppendPlays(slices.Clone(first), Start, Dice{2, 2})
	if diff := cmp.Diff(first, both[:len(first)]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(AppendPlays(nil, Start, Dice{2, 2}), both[len(first):]); diff != "" {
		t.Error(diff)
	}
}

func TestAppendPlays_nothingForBadDiceOrFinishedGame(t *testing.T) {
	over := Start
	over.Opp = Checkers{}
	won := Start
	won.Me = Checkers{}
	for _, c := range []struct {
		name string
		p    Position
		d    Dice
	}{
		{"no dice", Start, Dice{}},
		{"seven", Start, Dice{7, 1}},
		{"opponent is off", over, Dice{6, 5}},
		{"I am off", won, Dice{6, 6}},
	} {
		if got := AppendPlays(nil, c.p, c.d); len(got) != 0 {
			t.Errorf("%s: %d plays", c.name, len(got))
		}
	}
}

// The counts of the first rolls of the game and of the replies to them are
// fixed by the rules, as in a chess program's perft.
func TestAppendPlays_countsFromTheStart(t *testing.T) {
	var first, replies, distinct int
	seen := map[Position]bool{}
	for _, r := range Rolls {
		for _, pl := range AppendPlays(nil, Start, r.Dice) {
			first++
			q := pl.Result.Swap()
			if seen[q] {
				continue
			}
			seen[q] = true
			distinct++
			for _, s := range Rolls {
				replies += len(AppendPlays(nil, q, s.Dice))
			}
		}
	}
	got := map[string]int{"first": first, "distinct": distinct, "replies": replies}
	want := map[string]int{"first": 447, "distinct": 406, "replies": 183632}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAppendPlays_allocatesNothing(t *testing.T) {
	buf := make([]Play, 0, 512)
	ps := benchPositions()
	if n := testing.AllocsPerRun(20, func() {
		for _, p := range ps {
			for _, r := range Rolls {
				buf = AppendPlays(buf[:0], p, r.Dice)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func benchPositions() []Position {
	var ps []Position
	for _, id := range []string{"4HPwATDgc/ABMA", "wtvIgCGG74EBIQ", "7vKGEADeVAgBPA", "LT7gAAfDdooHAA", "sG+JgEGM84MAKg"} {
		p, err := ParseID(id)
		if err != nil {
			panic(err)
		}
		ps = append(ps, p)
	}
	return ps
}

func BenchmarkAppendPlays(b *testing.B) {
	buf := make([]Play, 0, 512)
	ps := benchPositions()
	run := func(b *testing.B, keep func(Dice) bool) {
		b.ReportAllocs()
		plays, rolls := 0, 0
		for b.Loop() {
			p := &ps[rolls%len(ps)]
			for {
				r := Rolls[rolls%21]
				rolls++
				if keep(r.Dice) {
					buf = AppendPlays(buf[:0], *p, r.Dice)
					plays += len(buf)
					break
				}
			}
		}
		b.ReportMetric(float64(plays)/float64(b.N), "plays/op")
	}
	b.Run("all", func(b *testing.B) { run(b, func(Dice) bool { return true }) })
	b.Run("pairs", func(b *testing.B) { run(b, func(d Dice) bool { return !d.Double() }) })
	b.Run("doubles", func(b *testing.B) { run(b, Dice.Double) })
}
