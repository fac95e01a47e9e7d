package bot

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fibsbot/bot/table"
	"fibsbot/internal/crash"
)

// thinker holds the one decision in flight. Only the account's goroutine calls
// its methods; the engine works in a goroutine of its own and answers over a
// channel.
type thinker struct {
	parent  context.Context
	decider table.Decider
	pace    func(table.Situation, table.Decision) time.Duration
	answers chan answer
	cancel  context.CancelFunc
	gen     uint64
	work    sync.WaitGroup
}

type answer struct {
	generation uint64
	decision   table.Decision
	err        error
	trouble    error // why the rules of thumb had to answer
}

func newThinker(ctx context.Context, d table.Decider, pace func(table.Situation, table.Decision) time.Duration) *thinker {
	return &thinker{parent: ctx, decider: d, pace: pace, answers: make(chan answer)}
}

// think starts on a new question and gives the old one up.
func (b *thinker) think(s table.Situation) {
	if b.cancel != nil {
		b.cancel()
	}
	ctx, cancel := context.WithCancel(b.parent)
	b.cancel, b.gen = cancel, s.Generation
	b.work.Add(1)
	go func() {
		defer b.work.Done()
		ans := answer{generation: s.Generation}
		began := time.Now()
		ans.decision, ans.trouble, ans.err = decide(ctx, b.decider, s)
		if b.pace != nil && ans.err == nil {
			wait := b.pace(s, ans.decision) - time.Since(began)
			if wait > 0 {
				select {
				case <-ctx.Done():
				case <-time.After(wait):
				}
			}
		}
		select {
		case <-ctx.Done():
		case b.answers <- ans:
		}
	}()
}

// decide asks the decider, and falls back to rules of thumb when it fails or
// answers another question: an opponent who waits is worse than a plain play.
func decide(ctx context.Context, d table.Decider, s table.Situation) (dec table.Decision, trouble, err error) {
	dec, trouble = safely(ctx, d, s)
	if ctx.Err() != nil {
		return dec, nil, ctx.Err()
	}
	if trouble == nil {
		if dec.Answers(s) {
			return dec, nil, nil
		}
		trouble = fmt.Errorf("decide: %v is no answer to %v", dec.Action, s.Ask)
	}
	dec, err = table.Simple{}.Decide(ctx, s)
	return dec, trouble, err
}

// safely keeps a panic of an engine from ending the match.
func safely(ctx context.Context, d table.Decider, s table.Situation) (dec table.Decision, err error) {
	defer crash.To(&err)
	return d.Decide(ctx, s)
}

// forget gives up a question that the table does not ask any more.
func (b *thinker) forget(generation uint64) {
	if b.cancel != nil && b.gen != generation {
		b.cancel()
		b.cancel = nil
	}
}

// stop gives everything up and waits for the engine to return.
func (b *thinker) stop() {
	if b.cancel != nil {
		b.cancel()
		b.cancel = nil
	}
	b.work.Wait()
}
