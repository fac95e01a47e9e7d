package bot

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fibsbot/bot/table"
	"fibsbot/internal/panics"
)

// thinker runs one decision at a time. Only the account's goroutine calls its methods; the
// engine works in another goroutine and answers over a channel.
type thinker struct {
	parent  context.Context
	decider table.Decider
	pace    func(table.Situation, table.Answer) time.Duration
	answers chan answer
	cancel  context.CancelFunc
	gen     uint64
	work    sync.WaitGroup
}

type answer struct {
	generation uint64
	decision   table.Answer
	err        error
	trouble    error // why the rules of thumb had to answer
}

func newThinker(ctx context.Context, d table.Decider, pace func(table.Situation, table.Answer) time.Duration) *thinker {
	return &thinker{parent: ctx, decider: d, pace: pace, answers: make(chan answer)}
}

// think starts a new question and cancels the old one.
func (t *thinker) think(s table.Situation) {
	if t.cancel != nil {
		t.cancel()
	}
	ctx, cancel := context.WithCancel(t.parent)
	t.cancel, t.gen = cancel, s.Generation
	t.work.Go(func() {
		ans := answer{generation: s.Generation}
		began := time.Now()
		ans.decision, ans.trouble, ans.err = decide(ctx, t.decider, s)
		if t.pace != nil && ans.err == nil {
			wait := t.pace(s, ans.decision) - time.Since(began)
			if wait > 0 {
				select {
				case <-ctx.Done():
				case <-time.After(wait):
				}
			}
		}
		select {
		case <-ctx.Done():
		case t.answers <- ans:
		}
	})
}

// decide asks the decider, and falls back to rules of thumb if it fails or answers another
// question: a simple play is better than none.
func decide(ctx context.Context, d table.Decider, s table.Situation) (dec table.Answer, trouble, err error) {
	dec, trouble = safely(ctx, d, s)
	if ctx.Err() != nil {
		return dec, nil, ctx.Err()
	}
	if trouble == nil {
		if dec.Answers(s) {
			return dec, nil, nil
		}
		trouble = fmt.Errorf("decide: %v does not answer %v", dec.Action, s.Ask)
	}
	dec, err = table.Simple{}.Decide(ctx, s)
	return dec, trouble, err
}

// safely turns a panic of the engine into an error.
func safely(ctx context.Context, d table.Decider, s table.Situation) (dec table.Answer, err error) {
	defer panics.Recover(&err)
	return d.Decide(ctx, s)
}

// forget cancels a question that the table no longer asks.
func (t *thinker) forget(generation uint64) {
	if t.cancel != nil && t.gen != generation {
		t.cancel()
		t.cancel = nil
	}
}

// stop cancels the question and waits for the engine to return.
func (t *thinker) stop() {
	if t.cancel != nil {
		t.cancel()
		t.cancel = nil
	}
	t.work.Wait()
}
