//go:build js

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall/js"

	"fibsbot/cmd/fibsbot/internal/web/internal/api"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/rollout"
	"fibsbot/internal/shard"
)

// sizes are the trials or decisions of a piece. Small pieces keep all workers busy to the end; a
// piece of a rollout without search takes some ten milliseconds, a message a fraction of one.
var sizes = map[string]int{api.RolloutJob: 3, api.AnalysisJob: 1}

// waiting is how many pieces a helper has at a time: this program takes the result of one while
// the helper plays the next.
const waiting = 2

// crew returns who plays the pieces of jobs: this program and the helpers of the host. Results
// are taken in order, so they do not depend on how many there are.
func crew(host js.Value, helpers int, e *engine.Engine) func(string, []byte) (shard.Crew, int, error) {
	return func(kind string, spec []byte) (shard.Crew, int, error) {
		e.Warm() // the helpers get the databases when they start
		own, err := openJob(context.Background(), e, kind, spec)
		if err != nil {
			return nil, 0, err
		}
		made := 0
		local := &shard.Local{Threads: 1 + waiting*helpers, New: func() (shard.Runner, error) {
			if made++; made == 1 {
				return own()
			}
			return &remote{host: host, number: made % helpers, kind: kind, spec: bytesOf(spec), own: own}, nil
		}}
		return local, sizes[kind], nil
	}
}

// openJob makes a job of its specification and returns what makes its runners.
func openJob(ctx context.Context, e *engine.Engine, kind string, spec []byte) (func() (shard.Runner, error), error) {
	o := e.RolloutOptions()
	switch kind {
	case api.RolloutJob:
		j, err := rollout.FromSpec(ctx, o, o.Nets, spec)
		if err != nil {
			return nil, err
		}
		return func() (shard.Runner, error) { return j.Runner(), nil }, nil
	case api.AnalysisJob:
		return analyse.FromSpec(o, spec)
	}
	return nil, fmt.Errorf("no job of kind %q", kind)
}

// remote plays pieces in a helper. If the host has lost it, it plays them here.
type remote struct {
	host   js.Value
	number int
	kind   string
	spec   js.Value
	own    func() (shard.Runner, error)
	here   shard.Runner // made when the helper is lost
}

// Run implements shard.Runner.
func (r *remote) Run(ctx context.Context, ask []byte) ([]byte, error) {
	type result struct {
		data []byte
		err  error
		lost bool
	}
	got := make(chan result, 1)
	done := js.FuncOf(func(_ js.Value, args []js.Value) any {
		switch failed, data := args[0], args[1]; {
		case !failed.IsNull():
			got <- result{err: errors.New(failed.String())}
		case data.IsNull():
			got <- result{lost: true}
		default:
			got <- result{data: goBytes(data)}
		}
		return nil
	})
	defer done.Release()
	cancel := r.host.Call("piece", r.number, r.kind, r.spec, bytesOf(ask), done)
	select {
	case res := <-got:
		if res.lost {
			return r.play(ctx, ask)
		}
		return res.data, res.err
	case <-ctx.Done():
		cancel.Invoke()
		return nil, ctx.Err()
	}
}

func (r *remote) play(ctx context.Context, ask []byte) (_ []byte, err error) {
	if r.here == nil {
		if r.here, err = r.own(); err != nil {
			return nil, err
		}
	}
	return r.here.Run(ctx, ask)
}

// helper plays pieces for the program in another worker, one at a time.
type helper struct {
	engine *engine.Engine

	mu     sync.Mutex
	job    string // kind and specification of runner
	runner shard.Runner
}

func newHelper(e *engine.Engine) *helper { return &helper{engine: e} }

// take is a function of JavaScript that plays a piece: (kind, spec, ask, done) returns a function
// that cancels it. done gets a text and null, or null and the result.
func (h *helper) take(_ js.Value, args []js.Value) any {
	kind, spec, ask, done := args[0].String(), goBytes(args[1]), goBytes(args[2]), args[3]
	ctx, cancel := context.WithCancel(context.Background())
	stop := js.FuncOf(func(js.Value, []js.Value) any {
		cancel()
		return nil
	})
	go func() {
		defer cancel()
		defer stop.Release()
		data, err := h.play(ctx, kind, spec, ask)
		if err != nil {
			done.Invoke(err.Error(), js.Null())
			return
		}
		done.Invoke(js.Null(), bytesOf(data))
	}()
	return stop
}

func (h *helper) play(ctx context.Context, kind string, spec, ask []byte) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if job := kind + " " + string(spec); h.runner == nil || h.job != job {
		runners, err := openJob(ctx, h.engine, kind, spec)
		if err != nil {
			return nil, err
		}
		if h.runner, err = runners(); err != nil {
			return nil, err
		}
		h.job = job
	}
	return h.runner.Run(ctx, ask)
}

// bytesOf returns data as a Uint8Array, goBytes the inverse.
func bytesOf(data []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(a, data)
	return a
}

func goBytes(a js.Value) []byte {
	data := make([]byte, a.Get("length").Int())
	js.CopyBytesToGo(data, a)
	return data
}
