// Package prunefit makes the small net that prunes replies inside the search.
//
// It plays games with the static evaluation, some of them badly, and fits the small net to the full
// net's values of all plays of each roll. Only the order near the top counts, so the loss is the
// divergence between two distributions over the plays of the roll, each a softmax of the plays'
// equities at one temperature: a listwise loss (Cao et al. 2007) under which plays far behind cost
// nothing. Half of the rolls count gammons as in money play, the others at random, so that the outputs
// serve every score.
package prunefit

import (
	"context"
	"os"

	"fibsbot/engine/eval"
	"fibsbot/engine/search"
	"fibsbot/internal/atomicfile"
)

// Fit is one fit of the small net. The result depends on its settings, the full net and the kernel
// variant of the processor alone.
type Fit struct {
	Start       *search.Small // net to continue from, nil for random weights
	Rolls       int           // rolls to learn from
	Seed        uint64
	Rate        float64 // highest learning rate
	Temperature float64 // of the softmax over a roll's plays, in points
	Plans       float64 // share of games that begin at boards of game plans, 0 to 1
	// Progress is called after each hundredth with the mean divergence of its rolls.
	Progress func(rolls int, divergence float64)
}

// Run fits the net to the values of model and writes it to path, now and then and at the end.
func (f *Fit) Run(ctx context.Context, model *eval.Model, path string) (*search.Small, error) {
	t, g := newTrainer(f.Seed, f.Temperature), newGame(model, f.Seed, f.Plans)
	if f.Start != nil {
		t.w = *f.Start
	}
	var sum float64
	part := max(f.Rolls/100, 1)
	for k := range f.Rolls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, plays, probs := g.next()
		sum += t.learn(&p, plays, probs)
		if (k+1)%batch == 0 {
			t.update(schedule(f.Rate, float64(k)/float64(f.Rolls)))
		}
		if (k+1)%part == 0 {
			f.Progress(k+1, sum/float64(part))
			sum = 0
			if err := save(t.net(), path); err != nil {
				return nil, err
			}
		}
	}
	return t.net(), save(t.net(), path)
}

// Measure says what the shortlist of a small net keeps and loses on decisions drawn from inside 2-ply
// searches of games that it did not learn from.
func Measure(model *eval.Model, net *search.Small, seed uint64, plans float64, by search.Narrowing) string {
	return judge(model, net, seed, plans, by).String()
}

// Read reads the file of a small net.
func Read(path string) (*search.Small, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return search.ReadSmall(b)
}

func save(n *search.Small, path string) error {
	b, err := n.Bytes()
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, 0o644, b)
}
