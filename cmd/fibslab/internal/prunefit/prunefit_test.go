package prunefit

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/eval"
	"fibsbot/internal/testsize"
	"fibsbot/weights"
)

func testModel(t *testing.T) *eval.Model {
	t.Helper()
	set, err := weights.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	model, err := eval.NewModel(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// TestLearn_gradientIsTheSlopeOfTheLoss moves weights of every part a little and
// compares the change of the loss with the gradient.
func TestLearn_gradientIsTheSlopeOfTheLoss(t *testing.T) {
	g := newGame(testModel(t), 3, 0)
	tr := newTrainer(4, 0.05)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range tr.w.Gate {
		tr.w.Gate[i] = float32(r.NormFloat64() * 0.05)
	}
	// Scores close together, where the loss is smooth.
	for o := range tr.w.Out {
		for k := range tr.w.Out[o] {
			tr.w.Out[o][k] /= 10
		}
	}
	p, plays, probs := g.next()
	for len(plays) < 10 {
		p, plays, probs = g.next()
	}
	// The same weights of the utility each time.
	loss := func() float64 {
		tr.r = rand.New(rand.NewPCG(7, 8))
		return tr.learn(&p, plays, probs)
	}
	loss()
	gradient := tr.grad
	w := parts(&tr.w)
	const h = 1e-3
	checked := 0
	for part, name := range []string{"rows", "bias", "gate", "win", "gammon won", "gammon lost"} {
		of := parts(&gradient)[part]
		for range 300 {
			i := r.IntN(len(of))
			if math.Abs(float64(of[i])) < 2e-3 {
				continue
			}
			was := w[part][i]
			w[part][i] = was + h
			up := loss()
			w[part][i] = was - h
			down := loss()
			w[part][i] = was
			if here := loss(); math.Abs(up+down-2*here) > 0.1*math.Abs(up-down) {
				continue // a rectified unit changes sides within the step
			}
			checked++
			// The gradient leaves the temperature's share out.
			if slope := tr.temperature * (up - down) / (2 * h); math.Abs(slope-float64(of[i])) > 0.05*math.Abs(float64(of[i]))+1e-3 {
				t.Fatalf("%s %d: gradient %v, slope %v", name, i, of[i], slope)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d weights had a gradient to check", checked)
	}
}

// TestLearn_gradientsOfARollCancel: the level of a roll's scores is free, so no
// gradient may push it.
func TestLearn_gradientsOfARollCancel(t *testing.T) {
	g := newGame(testModel(t), 3, 0)
	tr := newTrainer(4, 0.05)
	for range 20 {
		p, plays, probs := g.next()
		tr.learn(&p, plays, probs)
		sum := 0.0
		for i := range plays {
			sum += tr.s[i] - tr.u[i]
		}
		if math.Abs(sum) > 1e-9 {
			t.Fatalf("the shares differ by %v in all", sum)
		}
	}
}

func TestFit_learnsAndRepeats(t *testing.T) {
	testsize.Medium(t)
	model := testModel(t)
	run := func() (first, last float64, file []byte) {
		tr, g := newTrainer(1, 0.05), newGame(model, 1, 0.5)
		const rolls = 4000
		for k := range rolls {
			p, plays, probs := g.next()
			loss := tr.learn(&p, plays, probs)
			switch {
			case k < 500:
				first += loss / 500
			case k >= rolls-500:
				last += loss / 500
			}
			if (k+1)%batch == 0 {
				tr.update(schedule(4e-3, float64(k)/rolls))
			}
		}
		file, err := tr.net().Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return first, last, file
	}
	first, last, a := run()
	if !(last < first/3) {
		t.Errorf("divergence %v at first, %v at last", first, last)
	}
	if _, _, b := run(); !bytes.Equal(a, b) {
		t.Error("the same seed made another net")
	}
}

func TestInside_decisionsHaveContactAndAChoice(t *testing.T) {
	g := newGame(testModel(t), 9, 0.5)
	for range 200 {
		p, plays, probs := g.inside()
		if !p.Contact() || len(plays) < 3 || len(probs) != len(plays) {
			t.Fatalf("%s: %d plays, %d judged", p.ID(), len(plays), len(probs))
		}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestScore_winningIsWorthTwo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	win, lose := eval.Probs{eval.Win: 1}, eval.Probs{}
	for range 100 {
		w := score(r)
		if utility(&w, &win) != 1 || utility(&w, &lose) != -1 || w[eval.WinGammon] < 0 || w[eval.LoseGammon] > 0 {
			t.Fatal(w)
		}
	}
}

func TestSchedule(t *testing.T) {
	if schedule(2, 0) != 2 || math.Abs(schedule(2, 0.5)-1) > 1e-12 || schedule(2, 1) != 0 {
		t.Error("not half a cosine")
	}
}
