package rollout

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/internal/testsize"
)

func lookingPlayer(t *testing.T, o Options, p board.Position) (*player, *cube.Ladder) {
	t.Helper()
	j := job(t, o, p, match.Money(false, 0), Default())
	return &player{job: j, eval: o.Evaluator(), ranker: search.NewRanker(search.SmallNet()), ladders: j.ladders}, j.ladders[0]
}

// contrary has an opinion of its own about every position.
type contrary struct{}

func (contrary) Eval(p *board.Position) eval.Probs {
	if pr, over := eval.Result(p); over {
		return pr
	}
	h := uint32(1)
	for i := range p.Me {
		h = h*31 + uint32(p.Me[i])
		h = h*37 + uint32(p.Opp[i])
	}
	return eval.Probs{eval.Win: float32(h*2654435761>>22) / 1024}
}

func (e contrary) EvalPlays(plays []board.Play, out []eval.Probs) {
	for i := range plays {
		q := plays[i].Result.Swap()
		out[i] = e.Eval(&q).Invert()
	}
}

// The evaluator here nearly always disagrees with the short list. Were the
// roll thrown judged by more plays than the others, its luck would be positive on the
// mean; and were the play chosen from the short list, it would not be the best.
func TestStep_luckIsZeroOnTheMeanAndThePlayTheBestOfAll(t *testing.T) {
	race := board.Position{Me: board.Checkers{2: 3, 4: 4, 7: 3, 9: 3, 12: 2}, Opp: board.Checkers{0: 2, 3: 5, 6: 4, 8: 2, 9: 2}}
	for _, p := range []board.Position{board.Start, middle, race} {
		g, l := lookingPlayer(t, options(t, contrary{}, nil), p)
		for _, spot := range []cube.Spot{{Owner: match.Centred}, {Rung: 1, Owner: match.Mine}} {
			var mean sample
			off := 0
			for _, r := range board.Rolls {
				at := standing{p: p, spot: spot, ply: 1}
				next, pr, err := g.step(context.Background(), &at, r.Dice, l, &search.Settings{})
				if err != nil {
					t.Fatal(err)
				}
				mean.add(&at.luck, float64(r.Weight)/36, false)
				v := g.view(l, spot)
				best, _ := g.best(&p, r.Dice, &v, wide)
				if best.probs != pr {
					t.Errorf("%s, %v: %s is played, %s is best", p.ID(), r.Dice, next.ID(), best.next.ID())
				}
				if short, _ := g.best(&p, r.Dice, &v, narrow); short.probs != pr {
					off++
				}
			}
			for k, x := range mean {
				if math.Abs(x) > 1e-12 {
					t.Errorf("%s: output %d of the mean luck is %v", p.ID(), k, x)
				}
			}
			if off == 0 {
				t.Errorf("%s: the short list holds every best play, so nothing was tested", p.ID())
			}
		}
	}
}

// In bearoffs, whose worth is known, the four plays that the crude count likes hold
// the best one nearly always.
func TestShortlist_ofRaces(t *testing.T) {
	testsize.Medium(t)
	needsDatabases(t)
	r := rand.New(rand.NewPCG(5, 5))
	decisions, missed, loss := 0, 0, 0.0
	for decisions < 1500 {
		var p board.Position
		for range 6 {
			p.Me[r.IntN(6)]++
			p.Opp[r.IntN(6)]++
		}
		g, l := lookingPlayer(t, options(t, known{}, exact{}), p)
		dice := board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}
		if len(board.AppendPlays(nil, p, dice)) <= search.RacePlays {
			continue
		}
		decisions++
		v := g.view(l, cube.Spot{})
		_, all := g.best(&p, dice, &v, wide)
		_, short := g.best(&p, dice, &v, narrow)
		if d := all[outCubeful] - short[outCubeful]; d > 1e-6 {
			missed++
			loss += d
		}
	}
	t.Logf("%d of %d missed, %.5f points a decision", missed, decisions, loss/float64(decisions))
	if missed > decisions/20 || loss > 0.0005*float64(decisions) {
		t.Errorf("%d of %d best plays are missed, which costs %.5f a decision", missed, decisions, loss/float64(decisions))
	}
}

// A rollout of a bearoff at a score comes to the exact answer, and so does a search at
// any depth.
func TestRun_bearoffAtAScore(t *testing.T) {
	needsDatabases(t)
	at, err := match.ParseSituation("BwAAYAMAAAAAAA:cAkgAxAAoAAE")
	if err != nil {
		t.Fatal(err)
	}
	o := options(t, known{}, exact{})
	s := Default()
	s.Trials = 144
	j := job(t, o, at.Position, at.State, s)
	if err := j.AddCube(); err != nil {
		t.Fatal(err)
	}
	if err := j.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.0120, -0.3829} {
		if r := j.Results()[i]; math.Abs(r.Equity-want) > 0.0001 {
			t.Errorf("%s: %.4f, want %.4f", r.Name, r.Equity, want)
		}
	}
	for plies := range 3 {
		d, err := o.Search.Cube(context.Background(), at.Position, at.State, search.Settings{Plies: plies, Cubeful: true})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(d.NoDouble-0.0120) > 0.0001 || math.Abs(d.DoubleTake+0.3829) > 0.0001 {
			t.Errorf("%d plies: no double %.4f, double and take %.4f", plies, d.NoDouble, d.DoubleTake)
		}
	}
}
