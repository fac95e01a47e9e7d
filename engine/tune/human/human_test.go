package human

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"fibsbot/engine/board"
)

// anyPlays draws a position of a game at random play, a roll and losses of its plays, one of which
// is 0.
func anyPlays(t *rapid.T) (p board.Position, plays []board.Play, losses []float64) {
	p = board.Start
	for range rapid.IntRange(0, 40).Draw(t, "turns") {
		roll := board.Rolls[rapid.IntRange(0, 20).Draw(t, "roll")].Dice
		if list := board.AppendPlays(nil, p, roll); len(list) > 0 {
			q := list[rapid.IntRange(0, len(list)-1).Draw(t, "play")].Result
			if q.Result() != 0 {
				break
			}
			p = q
		}
		p = p.Swap()
	}
	for k := 0; len(plays) == 0 && k < 21; k++ {
		plays = board.AppendPlays(nil, p, board.Rolls[k].Dice)
	}
	if len(plays) == 0 {
		t.Skip("no play")
	}
	for range plays {
		losses = append(losses, rapid.Float64Range(0, 2).Draw(t, "loss"))
	}
	losses[rapid.IntRange(0, len(losses)-1).Draw(t, "best")] = 0
	return p, plays, losses
}

// choose is a function of its arguments.
func TestChoose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, plays, losses := anyPlays(t)
		s := Style{
			Checker:   rapid.Float64Range(0.001, MaxAmount).Draw(t, "amount"),
			Character: rapid.SampledFrom(append(Characters(), Plain)).Draw(t, "character"),
		}
		seed := rapid.Uint64().Draw(t, "seed")
		k := s.choose(&p, plays, losses, seed)
		if k < 0 || k >= len(plays) || k != s.choose(&p, plays, losses, seed) {
			t.Fatalf("play %d of %d", k, len(plays))
		}
	})
}

// meanLoss is what the plays of a roll cost on average, if each point of the board is worth what
// the losses say.
func meanLoss(s Style, p *board.Position, plays []board.Play, losses []float64) (sum float64) {
	const n = 4000
	for seed := range uint64(n) {
		sum += losses[s.choose(p, plays, losses, seed*7919)] / n
	}
	return sum
}

// More error costs more.
func TestChoose_amount(t *testing.T) {
	p := board.Start
	plays := board.AppendPlays(nil, p, board.Dice{A: 4, B: 3})
	losses := make([]float64, len(plays))
	for i := range losses {
		losses[i] = 0.02 * float64(i)
	}
	last := 0.0
	for _, amount := range []float64{0.02, 0.05, 0.1, 0.2, 0.4} {
		now := meanLoss(Style{Checker: amount}, &p, plays, losses)
		if now <= last {
			t.Errorf("amount %v loses %.4f, a smaller one %.4f", amount, now, last)
		}
		last = now
	}
}

// A hit that the equity does not settle is made far more often than not: people do not overlook
// hits.
func TestChoose_hits(t *testing.T) {
	p := board.Start
	p.Opp[23-4], p.Opp[5] = 1, 4 // a blot on the five point
	plays := board.AppendPlays(nil, p, board.Dice{A: 3, B: 1})
	hit, hits := 0, 0
	for i := range plays {
		if plays[i].Result.Opp[board.Bar] > 0 {
			hits++
		}
	}
	if hits == 0 || hits == len(plays) {
		t.Fatalf("%d of %d plays hit", hits, len(plays))
	}
	losses := make([]float64, len(plays))
	const n = 2000
	for seed := range uint64(n) {
		if k := (Style{Checker: 0.1}).choose(&p, plays, losses, seed); plays[k].Result.Opp[board.Bar] > 0 {
			hit++
		}
	}
	if hit < n*3/4 {
		t.Errorf("hits %d of %d times though no play is better", hit, n)
	}
}

// The characters differ in the way that they say.
func TestCharacters(t *testing.T) {
	p := board.Start
	plays := board.AppendPlays(nil, p, board.Dice{A: 2, B: 1})
	losses := make([]float64, len(plays))
	shots := func(c Character) (sum int) {
		for seed := range uint64(2000) {
			q := plays[Style{Checker: 0.1, Character: c}.choose(&p, plays, losses, seed)].Result
			sum += look(&q.Me, &q.Opp).shots
		}
		return sum
	}
	bold, plain, careful := shots(Bold), shots(Plain), shots(Careful)
	if bold <= plain || plain <= careful {
		t.Errorf("blots exposed: bold %d, plain %d, careful %d", bold, plain, careful)
	}
	for _, c := range Characters() {
		if !c.Known() || c.Summary() == Plain.Summary() {
			t.Errorf("%q is not known or has no summary", c)
		}
	}
	if Character("odd").Known() {
		t.Error("an odd character is known")
	}
}

func view(noDouble, doubleTake, win float64) CubeView {
	return CubeView{NoDouble: noDouble, DoubleTake: doubleTake, DoublePass: 1, Win: win, WinGammon: 0.2, LoseGammon: 0.1}
}

// count is how often of 2000 a decision is made.
func count(act func(seed uint64) bool) (n int) {
	for seed := range uint64(2000) {
		if act(seed * 7919) {
			n++
		}
	}
	return n
}

// People double late rather than early, and never what no one doubles.
func TestDoubles(t *testing.T) {
	s := Style{Cube: 0.1}
	right, wrong := view(0.55, 0.65, 0.72), view(0.55, 0.45, 0.7)
	missed := 2000 - count(func(seed uint64) bool { return s.doubles(&right, seed) })
	early := count(func(seed uint64) bool { return s.doubles(&wrong, seed) })
	if missed < 2*early || early == 0 {
		t.Errorf("missed %d, made too early %d of 2000 doubles worth 0.1", missed, early)
	}
	for _, v := range []CubeView{view(-0.3, -0.6, 0.4), view(-0.3, -0.25, 0.35), view(-0.15, -0.2, 0.45), view(0.05, -0.06, 0.55), view(0.3, -0.2, 0.6)} {
		if n := count(func(seed uint64) bool { return s.doubles(&v, seed) }); n > 0 {
			t.Errorf("%+v was doubled %d times", v, n)
		}
	}
}

// Clear answers are right, close ones are not always.
func TestTakes(t *testing.T) {
	s := Style{Cube: 0.1}
	take, pass, close := view(0.4, 0.1, 0.65), view(0.9, 1.7, 0.9), view(0.8, 0.9, 0.77)
	if n := count(func(seed uint64) bool { return s.takes(&take, seed) }); n < 2000 {
		t.Errorf("a clear take was made %d of 2000 times", n)
	}
	if n := count(func(seed uint64) bool { return s.takes(&pass, seed) }); n > 0 {
		t.Errorf("a clear pass was taken %d times", n)
	}
	if n := count(func(seed uint64) bool { return s.takes(&close, seed) }); n < 200 || n > 1960 {
		t.Errorf("a close take was made %d of 2000 times", n)
	}
}

// A setting makes the errors of a player who is never stronger, and of the same one at the usual amount.
func TestRealAmount(t *testing.T) {
	for _, c := range []struct{ amount, large, want float64 }{
		{0.02, 1, 0.0276}, {0.05, 1.4, 0.0574}, {0.1, 1.4, 0.1}, {0.2, 1, 0.2}, {0.15, 1.4, 0.1764}, {0.3, 1.4, 0.39},
	} {
		if got := realAmount(c.amount, c.large); math.Abs(got-c.want) > 0.0001 {
			t.Errorf("amount %v: %v, want %v", c.amount, got, c.want)
		}
	}
	last := 0.0
	for a := 0.001; a <= MaxAmount; a *= 1.1 {
		if got := realAmount(a, largePower); got < a || got <= last {
			t.Errorf("amount %v: %v after %v", a, got, last)
		}
		last = realAmount(a, largePower)
	}
}

// Chances of plays are a distribution.
func TestSoftmax(t *testing.T) {
	sum := 0.0
	for _, p := range Softmax([]float64{-800, 3, 700, 699}) {
		sum += p
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("chances add up to %v", sum)
	}
}
