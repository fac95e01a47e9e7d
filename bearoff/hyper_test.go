package bearoff

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"fibsbot/engine/board"
	"fibsbot/internal/testsize"
)

// buildHyper makes a hypergammon database in memory.
func buildHyper(ctx context.Context, checkers, threads int, report Progress) (*Hyper, error) {
	if err := checkHyper(checkers); err != nil {
		return nil, err
	}
	b, err := newBuilder3(checkers, heap{})
	if err != nil {
		return nil, err
	}
	if err := b.run(ctx, threads, report); err != nil {
		return nil, err
	}
	return &Hyper{extent: extent{points: hyperPoints, checkers: checkers}, n: b.n, table: trusted(b.encode())}, nil
}

// hyperCounts sorts all pairs of placements: Over where a side is off, Illegal
// where both hold a point, the rest with or without contact.
type hyperCounts struct{ Over, Race, Contact, Illegal int }

// countHyper counts the pairs of a hypergammon database.
func countHyper(checkers int) (c hyperCounts, err error) {
	if err := checkHyper(checkers); err != nil {
		return c, err
	}
	n := uint32(Size(hyperPoints, checkers))
	all := make([]board.Checkers, n)
	mine, theirs := make([]uint32, n), make([]uint32, n)
	rear := make([]int, n)
	for x := range n {
		all[x] = Placement(x, hyperPoints)
		rear[x] = all[x].Rearmost()
		for i := range 24 {
			if all[x][i] > 0 {
				mine[x] |= 1 << i
				theirs[x] |= 1 << (23 - i)
			}
		}
	}
	for x := range n {
		for y := range n {
			switch {
			case x == 0 || y == 0:
				c.Over++
			case mine[x]&theirs[y] != 0:
				c.Illegal++
			case rear[x]+rear[y] > 22:
				c.Contact++
			default:
				c.Race++
			}
		}
	}
	return c, nil
}

func TestCountHyper_isTheManualsTable(t *testing.T) {
	got, err := countHyper(3)
	if err != nil {
		t.Fatal(err)
	}
	if want := (hyperCounts{Over: 6551, Race: 587926, Contact: 7365427, Illegal: 2772272}); got != want {
		t.Errorf("countHyper(3) = %+v, want %+v", got, want)
	}
}

func TestIndex_hypergammonGolden(t *testing.T) {
	p, err := board.ParseID("ADAAAQAkIAAAAA")
	if err != nil {
		t.Fatal(err)
	}
	if me, opp := Index(&p.Me, 25), Index(&p.Opp, 25); me != 3018 || opp != 2831 {
		t.Errorf("indices %d and %d, want 3018 and 2831", me, opp)
	}
}

func TestSparseIndex_isIndex(t *testing.T) {
	for x := range uint32(Size(25, 3)) {
		c := Placement(x, 25)
		if a, b := Index(&c, 25), sparseIndex(&c); a != x || b != x {
			t.Fatalf("placement %d: Index %d, sparseIndex %d", x, a, b)
		}
	}
}

// The prepared plays of a placement, with those left out that a point blocks, are
// the legal plays, wherever one of them uses the whole roll.
func TestHyperPlays_areTheLegalOnes(t *testing.T) {
	n := uint32(Size(hyperPoints, 3))
	all := make([]board.Checkers, n)
	for x := range n {
		all[x] = Placement(x, hyperPoints)
	}
	plays, targets := listHyperPlays(all), listHyperTargets(all)
	rng := rand.New(rand.NewPCG(1, 0))
	var buf []board.Play
	short := 0
	for range 20000 {
		x, y, r := 1+rng.Uint32N(n-1), 1+rng.Uint32N(n-1), rng.IntN(len(board.Rolls))
		pos := board.Position{Me: all[x], Opp: all[y]}
		if pos.Validate() != nil {
			continue
		}
		got := map[[2]uint32]bool{}
		for _, pl := range plays.of(x, r) {
			if pl.touched&targets[y].blocked == 0 {
				got[[2]uint32{uint32(pl.to), targets[y].after(pl.touched)}] = true
			}
		}
		if len(got) == 0 {
			short++
			continue
		}
		want := map[[2]uint32]bool{}
		buf = board.AppendPlays(buf[:0], pos, board.Rolls[r].Dice)
		for i := range buf {
			want[[2]uint32{Index(&buf[i].Result.Me, hyperPoints), Index(&buf[i].Result.Opp, hyperPoints)}] = true
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%s with %v: %d results, want %d", pos.ID(), board.Rolls[r].Dice, len(got), len(want))
		}
	}
	if short == 0 || short > 2000 {
		t.Errorf("%d rolls could not be played whole", short)
	}
}

func TestHyper_oneChecker(t *testing.T) {
	h, err := buildHyper(context.Background(), 1, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	// A lone checker on the ace point bears off with any roll. The opponent's only checker
	// is then on his 23 point, in the winner's home board: a backgammon.
	p := board.Position{}
	p.Me[0] = 1
	p.Opp[22] = 1
	v, ok := h.Value(&p)
	if !ok || v.Probs != [5]float32{1, 1, 1, 0, 0} || v.Centred != 3 || v.Jacoby != 1 || v.OppOwned != 3 {
		t.Errorf("sure backgammon: %+v, %v", v, ok)
	}
	p = board.Position{}
	p.Me[5], p.Opp[0] = 1, 1
	// 27 of 36 rolls bear off from the six point (all but 11, 21, 31, 41, 32 ... the
	// rolls of fewer than 6 pips); otherwise the other side wins a gammon.
	v, ok = h.Value(&p)
	if want := 27.0 / 36; !ok || math.Abs(float64(v.Probs[0])-want) > 1e-6 || math.Abs(float64(v.Probs[3])-(1-want)) > 1e-6 {
		t.Errorf("checker on the six point: %+v, want win %.4f", v, want)
	}
}

func TestHyper_twoCheckersIsAFixedPoint(t *testing.T) {
	testsize.Large(t)
	b, err := newBuilder3(2, heap{})
	if err != nil {
		t.Fatal(err)
	}
	// A thousandth of the usual precision takes a third of the rounds.
	b.epsilon = 0.01
	if err := b.run(context.Background(), 0, nil); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rounds", b.round+1)
	checkByHand(t, b)
	var buf []board.Play
	for s, layer := range b.layers {
		for i, k := range layer {
			if i%50 != 0 {
				continue
			}
			v := b.solve(k, &buf)
			for j := range v {
				if d := v[j] - b.table[k][j]; d > 0.02 || d < -0.02 {
					t.Fatalf("pip sum %d, pair %d, value %d: %v, one roll ahead %v", s, k, j, b.table[k], v)
				}
			}
			p := v[:5]
			if p[0] < p[1]-1e-5 || p[1] < p[2]-1e-5 || 1-p[0] < p[3]-1e-5 || p[3] < p[4]-1e-5 {
				t.Fatalf("pair %d: chances out of order: %v", k, p)
			}
		}
	}
}

// checkByHand checks a position that can be solved with pencil and paper: we have a
// last man on the 24 point, he two on his 2 point, the cube is in the middle. 6-6
// wins at once, a gammon. After 5-5 he doubles: he misses with the 10 rolls that
// have one ace, then we redouble and he passes, so we take at 2*(10-26)/36 = -8/9.
// After any other roll he doubles us out. (gnubg 1.07's makehyper -c 2 has -0.9112
// and, with the Jacoby rule, -0.9390 here.)
func checkByHand(t *testing.T, b *builder3) {
	t.Helper()
	var p board.Position
	p.Me[23], p.Opp[1] = 1, 2
	v := b.table[Index(&p.Me, hyperPoints)*b.n+Index(&p.Opp, hyperPoints)]
	centred, jacoby := (2-8.0/9-34)/36, (1-8.0/9-34)/36
	if math.Abs(float64(v[hyperCentred])-centred) > 1e-6 || math.Abs(float64(v[hyperJacoby])-jacoby) > 1e-6 {
		t.Errorf("man on the 24 point against two on the 2 point: centred %.6f, Jacoby %.6f, want %.6f and %.6f", v[hyperCentred], v[hyperJacoby], centred, jacoby)
	}
}

// TestSource_hyperOf: of the databases of a folder the one with the fewest checkers that has a
// position; no database is made.
func TestSource_hyperOf(t *testing.T) {
	dir := t.TempDir()
	empty := NewSource(Options{Dir: dir, NoCache: true})
	defer empty.Close()
	one := board.Position{Me: board.Checkers{23: 1}, Opp: board.Checkers{23: 1}}
	if h := empty.HyperOf(&one); h != nil {
		t.Errorf("an empty folder has %d checkers", h.Checkers())
	}
	if _, err := Build(t.Context(), BuildOptions{Kind: KindHyper, Points: hyperPoints, Checkers: 1, Path: filepath.Join(dir, "h1.bearoff")}); err != nil {
		t.Fatal(err)
	}
	s := NewSource(Options{Dir: dir, NoCache: true})
	defer s.Close()
	if h := s.HyperOf(&one); h == nil || h.Checkers() != 1 {
		t.Errorf("one checker: %v", h)
	}
	if h := s.HyperOf(&board.Position{Me: board.Checkers{23: 2}, Opp: board.Checkers{23: 1}}); h != nil {
		t.Errorf("two checkers: a database of %d", h.Checkers())
	}
}

// TestSource_hyperCancelled: making a database ends with its context, also for a caller that
// waits for another build, and does not block look-ups.
func TestSource_hyperCancelled(t *testing.T) {
	s := NewSource(Options{NoCache: true})
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := s.Hyper(ctx, 2); ended <- err }()
	for len(s.making) == 0 {
		time.Sleep(time.Millisecond)
	}
	waits, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := s.Hyper(waits, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that gave up waiting: %v", err)
	}
	if p := board.Start; s.HyperOf(&p) != nil {
		t.Error("a database of the start of backgammon")
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled build: %v", err)
	}
	if h, err := s.Hyper(t.Context(), 1); err != nil || h.Checkers() != 1 {
		t.Errorf("after that: %v", err)
	}
}
