package duel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"fibsbot/internal/shard"
)

// Run plays the pairs of a duel.
type Run struct {
	Players  [2]Maker // A and B; a Crew does without
	Settings Settings
	Pairs    int
	Jobs     int // pairs at the same time, 0 for one per processor
	// Crew plays the pairs, up to Size of them in a piece; nil is this process, with
	// Jobs threads and a pair a piece. Results do not depend on it.
	Crew shard.Crew
	Size int
	// Earlier holds the results of pairs that need not be played, by number.
	Earlier map[int]Pair
	// Keep, when not nil, is called with each new result, in the order of the pairs. An
	// error of it ends the run.
	Keep func(pair int, r Pair) error
	// Progress, when not nil, is called with how many pairs are done, in the same way.
	// finished gives their results, in order, until it returns.
	Progress func(done int, finished func() []Pair)
}

// Play returns the results of all pairs and how many games were played now. Each
// job has players of its own; result k is that of pair k whatever their number. With an
// error the results are those of the pairs that were finished.
func (d *Run) Play(ctx context.Context) (results []Pair, played int, err error) {
	if d.Pairs < 0 {
		return nil, 0, fmt.Errorf("duel of %d pairs", d.Pairs)
	}
	if d.Crew == nil && (d.Players[0] == nil || d.Players[1] == nil) {
		return nil, 0, errors.New("duel without two players")
	}
	results = make([]Pair, d.Pairs)
	have := make([]bool, d.Pairs)
	finished := func() (out []Pair) {
		for k, r := range results {
			if have[k] {
				out = append(out, r)
			}
		}
		return out
	}
	done := 0
	for k := range results {
		if r, ok := d.Earlier[k]; ok {
			results[k], have[k] = r, true
			done++
		}
	}
	crew, size := d.Crew, d.Size
	if crew == nil {
		table := &seats{ctx: ctx, makers: d.Players, set: d.Settings}
		defer table.close()
		crew, size = &shard.Local{Threads: d.Jobs, New: table.runner}, 1
	}
	parts := shard.Each{To: d.Pairs, Size: size, Want: func(k int) bool { return !have[k] }}
	err = parts.Do(ctx, crew, func(r shard.Range, res shard.Result) error {
		var list []Pair
		if err := json.Unmarshal(res.Data, &list); err != nil || len(list) != r.To-r.From {
			return fmt.Errorf("pairs %d to %d: %w: not their results", r.From, r.To-1, errPiece)
		}
		for i, pair := range list {
			k := r.From + i
			results[k], have[k] = pair, true
			played += pair.Games
			done++
			if d.Progress != nil {
				d.Progress(done, finished)
			}
			if d.Keep == nil {
				continue
			}
			if err := d.Keep(k, pair); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return finished(), played, err
	}
	if ctx.Err() != nil {
		return finished(), played, context.Cause(ctx)
	}
	return results, played, nil
}

// seats makes runners with players of their own and ends those at the end.
type seats struct {
	ctx    context.Context
	makers [2]Maker
	set    Settings

	mu  sync.Mutex
	all []Player
}

// runner makes the runner of one goroutine.
func (s *seats) runner() (shard.Runner, error) {
	var two [2]Player
	for i, newPlayer := range s.makers {
		p, err := newPlayer(s.ctx)
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		s.all = append(s.all, p)
		s.mu.Unlock()
		two[i] = p
	}
	return shard.Func(func(ctx context.Context, ask []byte) ([]byte, error) {
		r, err := shard.ParseRange(ask, MaxPiece)
		if err != nil {
			return nil, err
		}
		var out []Pair
		for k := r.From; k < r.To; k++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			pair, err := PlayPair(ctx, two, s.set, uint64(k))
			if err != nil {
				return nil, fmt.Errorf("pair %d: %w", k, err)
			}
			out = append(out, pair)
		}
		return json.Marshal(out)
	}), nil
}

func (s *seats) close() {
	for _, p := range s.all {
		p.Close()
	}
}
