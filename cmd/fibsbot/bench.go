package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

type benchJSON struct {
	StaticEvals   float64 `json:"static_evals_per_s"`
	Plays         float64 `json:"plays_per_s"`
	Decisions0    float64 `json:"decisions_0ply_per_s"`
	Decisions2    float64 `json:"decisions_2ply_per_s"`
	Movegen       float64 `json:"movegen_per_s"`
	RolloutGames  float64 `json:"rollout_games_per_s"`
	CPU           string  `json:"cpu"`
	Threads       int     `json:"threads"`
	Signature     string  `json:"signature"`
	Nets          string  `json:"nets"`
	SecondsOfEach float64 `json:"seconds_of_each"`
}

func newBenchCmd() *cobra.Command {
	var parts engineFlags
	var seconds float64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the engine's speed and print the signature of its play",
		Long: `Everything is measured on one thread, by processor time. plays_per_s counts plays in whole 0-ply
decisions (generation, inputs, net, choice); decisions_2ply_per_s whole cubeless 2-ply
decisions with the normal filter, of natural games. The signature is a checksum of the
plays chosen in fixed positions: it changes when, and only when, play changes.`,
		Example: "  fibsbot bench\n  fibsbot bench --json --seconds 3",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !(seconds > 0 && seconds <= 3600) {
				return usagef("--seconds: %v is not above 0 and at most 3600", seconds)
			}
			parts.threads = 1
			e, err := parts.open(cmd, 1)
			if err != nil {
				return err
			}
			defer e.Close()
			e.Warm()
			out, err := runBench(cmd.Context(), e, time.Duration(seconds*float64(time.Second)))
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), out)
			}
			return out.print(cmd.OutOrStdout())
		},
	}
	cmd.AddCommand(newBenchNetsCmd(), newBenchRacesCmd(), newBenchEfficiencyCmd())
	addEngineFlags(cmd, &parts)
	cmd.Flags().Float64Var(&seconds, "seconds", 1, "how long to measure each figure")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// question is a position with a roll.
type question struct {
	p board.Position
	d board.Dice
}

// naturalQuestions are the decisions of games played by the static engine on
// fixed dice.
func naturalQuestions(ctx context.Context, e *engine.Engine, n int) ([]question, error) {
	r := rand.New(rand.NewPCG(20, 26))
	s := search.Settings{}
	var out []question
	for p := board.Start; len(out) < n; {
		q := question{p, board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}}
		out = append(out, q)
		list, err := e.Search().Plays(ctx, q.p, q.d, match.Money(false, 0), s)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			p = list[0].Play.Result
		}
		if p = p.Swap(); p.Result() != 0 {
			p = board.Start
		}
	}
	return out, nil
}

// rate calls do with 0, 1, 2, ... for the given processor time and returns how
// much of what do counts was done a second of it. Time in which other programs
// had the processor does not count, so a busy machine changes little.
func rate(ctx context.Context, d time.Duration, do func(i int) (int, error)) (float64, error) {
	began, count := cpuTime(), 0
	for i := 0; ; i++ {
		n, err := do(i)
		if err != nil {
			return 0, err
		}
		count += n
		if took := cpuTime() - began; took >= d {
			return float64(count) / took.Seconds(), nil
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
}

func runBench(ctx context.Context, e *engine.Engine, d time.Duration) (out benchJSON, err error) {
	out.CPU, out.Threads, out.SecondsOfEach = cpuName(), 1, d.Seconds()
	out.Nets = e.Manifest().Name
	questions, err := naturalQuestions(ctx, e, 2000)
	if err != nil {
		return out, err
	}
	var contacts []board.Position
	for _, q := range questions {
		if eval.ClassOf(&q.p) == eval.Contact {
			contacts = append(contacts, q.p)
		}
	}
	money := match.Money(false, 0)
	normal := search.Settings{Plies: 2, Filter: search.Normal, Prune: true}
	ev := e.Model().Evaluator()
	plays := make([]board.Play, 0, 1024)
	expert, err := preset.ByName("expert")
	if err != nil {
		return out, err
	}
	decide := func(s search.Settings, plies bool) func(int) (int, error) {
		return func(i int) (int, error) {
			q := &questions[i%len(questions)]
			list, err := e.Search().Plays(ctx, q.p, q.d, money, s)
			if plies {
				return len(list), err
			}
			return 1, err
		}
	}
	for _, m := range []struct {
		to *float64
		do func(int) (int, error)
	}{
		{&out.StaticEvals, func(i int) (int, error) {
			for k := range 100 {
				ev.Eval(&contacts[(100*i+k)%len(contacts)])
			}
			return 100, nil
		}},
		{&out.Movegen, func(i int) (int, error) {
			for k := range 100 {
				q := &questions[(100*i+k)%len(questions)]
				plays = board.AppendPlays(plays[:0], q.p, q.d)
			}
			return 100, nil
		}},
		{&out.Plays, decide(search.Settings{}, true)},
		{&out.Decisions0, decide(search.Settings{}, false)},
		{&out.Decisions2, decide(normal, false)},
		{&out.RolloutGames, func(i int) (int, error) {
			t := duelTable{dice: rand.New(rand.NewPCG(1, uint64(i))), noise: rand.New(rand.NewPCG(2, 0)), set: duelSettings{cubeless: true}}
			x := &presetPlayer{engine: e, preset: expert}
			t.side = [2]player{x, x}
			_, n, err := t.play(ctx)
			return n, err
		}},
	} {
		if *m.to, err = rate(ctx, d, m.do); err != nil {
			return out, err
		}
	}
	out.Signature, err = signature(ctx, e, questions)
	return out, err
}

// signature is a checksum of the plays chosen at 0 plies in 500 positions, at 2
// plies in 20, and of 20 cube decisions.
func signature(ctx context.Context, e *engine.Engine, questions []question) (string, error) {
	h := fnv.New64a()
	money := match.Money(false, 0)
	for i, q := range questions[:500] {
		s := search.Settings{Cubeful: true}
		if i%25 == 0 {
			s.Plies, s.Filter, s.Prune = 2, search.Tiny, true
			d, err := e.Search().Cube(ctx, q.p, money, search.Settings{Plies: 1})
			if err != nil {
				return "", err
			}
			io.WriteString(h, d.Action.String())
		}
		list, err := e.Search().Plays(ctx, q.p, q.d, money, s)
		if err != nil {
			return "", err
		}
		if len(list) > 0 {
			io.WriteString(h, list[0].Play.Result.ID())
		}
	}
	return fmt.Sprintf("%016x", h.Sum64()), nil
}

// cpuName is the processor's name where the system tells it.
func cpuName() string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(b)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return runtime.GOARCH
}

func (b *benchJSON) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, `%s, one thread, nets %s
static evaluations  %10.0f /s
plays (0-ply)       %10.0f /s
0-ply decisions     %10.0f /s
2-ply decisions     %10.1f /s
move generation     %10.0f /s
0-ply games         %10.1f /s
signature %s
`, b.CPU, b.Nets, b.StaticEvals, b.Plays, b.Decisions0, b.Decisions2, b.Movegen, b.RolloutGames, b.Signature)
	return err
}
