// Command prunefit makes the small net that prunes replies inside the search.
//
//	go run ./cmd/fibslab/internal/prunefit -rolls 3000000 -rate 2.5e-3 -seed 1 -o engine/search/small.bin
//
// It plays games with the static evaluation, some of them badly, and fits the small net to the full
// net's values of all plays of each roll. Only the order near the top counts, so the loss is the
// divergence between two distributions over the plays of the roll, each a softmax of the plays'
// equities at a temperature of 0.05 points: a listwise loss (Cao et al. 2007) under which plays far
// behind cost nothing. Half of the rolls count gammons as in money play, the others at random, so that
// the outputs serve every score.
//
// At the end it prints what the shortlist keeps and loses on decisions drawn from inside 2-ply searches
// of games that it did not learn from. The result depends on the seed, the full net and the kernel
// variant of the processor alone.
package main

import (
	"flag"
	"fmt"
	"os"

	"fibsbot/engine/eval"
	"fibsbot/engine/search"
	"fibsbot/weights"
)

func main() {
	rolls := flag.Int("rolls", 3000000, "rolls to learn from")
	path := flag.String("o", "", "file to write")
	from := flag.String("weights", "", "weights file of the full net; empty is the embedded one")
	seed := flag.Uint64("seed", 1, "seed")
	rate := flag.Float64("rate", 2.5e-3, "highest learning rate")
	start := flag.String("start", "", "small net to continue from; empty is random")
	temperature := flag.Float64("temperature", 0.05, "temperature of the softmax over a roll's plays, in points")
	planned := flag.Float64("plans", 0, "share of games that begin at boards of back games, primes, crashed boards and other plans; the others begin at the start position")
	measure := flag.String("measure", "", "do not fit: measure the small net in this file")
	by := search.Replies
	flag.IntVar(&by.Least, "least", by.Least, "with -measure: the fewest plays kept")
	flag.IntVar(&by.Most, "most", by.Most, "with -measure: the most plays kept, 8 at most")
	margin := flag.Float64("margin", float64(by.Margin), "with -measure: distance from the best within which plays are kept")
	flag.Parse()
	by.Margin = float32(*margin)
	err := func() error {
		model, err := load(*from)
		if err != nil {
			return err
		}
		if *measure != "" {
			net, err := read(*measure)
			if err != nil {
				return err
			}
			fmt.Println(judge(model, net, *seed, *planned, by))
			return nil
		}
		if *path == "" || *rolls < 1 {
			return fmt.Errorf("give -o FILE and at least one roll")
		}
		t := newTrainer(*seed, *temperature)
		if *start != "" {
			net, err := read(*start)
			if err != nil {
				return err
			}
			t.w = *net
		}
		return fit(model, t, *rolls, *path, *seed, *planned, *rate)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "prunefit:", err)
		os.Exit(1)
	}
}

func read(path string) (*search.Small, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return search.ReadSmall(b)
}

func load(path string) (*eval.Model, error) {
	set, err := weights.Load(path)
	if err != nil {
		return nil, err
	}
	return eval.NewModel(set, nil)
}

func fit(model *eval.Model, t *trainer, rolls int, path string, seed uint64, planned, rate float64) error {
	g := newGame(model, seed, planned)
	var sum float64
	part := max(rolls/100, 1)
	for k := range rolls {
		p, plays, probs := g.next()
		sum += t.learn(&p, plays, probs)
		if (k+1)%batch == 0 {
			t.update(schedule(rate, float64(k)/float64(rolls)))
		}
		if (k+1)%part == 0 {
			fmt.Fprintf(os.Stderr, "%d rolls: divergence %.4f\n", k+1, sum/float64(part))
			sum = 0
			if err := save(t.net(), path); err != nil {
				return err
			}
		}
	}
	net := t.net()
	if err := save(net, path); err != nil {
		return err
	}
	fmt.Println(judge(model, net, seed, planned, search.Replies))
	return nil
}

func save(n *search.Small, path string) error {
	b, err := n.Bytes()
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o644)
}
