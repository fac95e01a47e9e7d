package bench

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/duel"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

// Speed is the engine's speed, on one thread and by processor time.
type Speed struct {
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
	// Totals of all searches of the measurement: nodes whose plays were evaluated, and nodes found in
	// the cache.
	SearchNodes uint64 `json:"search_nodes"`
	CacheHits   uint64 `json:"cache_hits"`
}

// rate calls do with 0, 1, 2, ... for the given processor time and returns how much of what do counts
// it did in a second. Time of other programs on the processor does not count, so a busy machine
// changes little.
func rate(ctx context.Context, d time.Duration, do func(i int) (int, error)) (float64, error) {
	began, count := CPUTime(), 0
	for i := 0; ; i++ {
		n, err := do(i)
		if err != nil {
			return 0, err
		}
		count += n
		if took := CPUTime() - began; took >= d {
			return float64(count) / took.Seconds(), nil
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
}

// Measure measures each figure for the processor time d.
func Measure(ctx context.Context, e *engine.Engine, d time.Duration) (out Speed, err error) {
	out.CPU, out.Threads, out.SecondsOfEach = CPUName(), 1, d.Seconds()
	out.Nets = e.Manifest().Name
	questions, err := NaturalQuestions(ctx, e, 2000)
	if err != nil {
		return out, err
	}
	var contacts []board.Position
	for _, q := range questions {
		if eval.ClassOf(&q.Position) == eval.Contact {
			contacts = append(contacts, q.Position)
		}
	}
	money := match.Money(false, 0)
	lean := search.Settings{Plies: 2, Filter: search.Lean, Prune: true}
	ev := e.Model().Evaluator()
	plays := make([]board.Play, 0, 1024)
	expert, err := preset.ByName("expert")
	if err != nil {
		return out, err
	}
	player, err := duel.Preset(e, expert)(ctx)
	if err != nil {
		return out, err
	}
	decide := func(s search.Settings, plies bool) func(int) (int, error) {
		return func(i int) (int, error) {
			q := &questions[i%len(questions)]
			_, legal, err := e.Search().Best(ctx, q.Position, q.Dice, money, s)
			if plies {
				return legal, err
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
				plays = board.AppendPlays(plays[:0], q.Position, q.Dice)
			}
			return 100, nil
		}},
		{&out.Plays, decide(search.Settings{}, true)},
		{&out.Decisions0, decide(search.Settings{}, false)},
		{&out.Decisions2, decide(lean, false)},
		{&out.RolloutGames, func(i int) (int, error) {
			chance := duel.Chance{Roll: duel.Dice(rand.New(rand.NewPCG(1, uint64(i)))), Noise: rand.New(rand.NewPCG(2, 0))}
			played, err := duel.PlayOne(ctx, [2]duel.Player{player, player}, duel.Settings{Cubeless: true}, chance)
			return played.Games, err
		}},
	} {
		if *m.to, err = rate(ctx, d, m.do); err != nil {
			return out, err
		}
	}
	c := e.Search().Counters()
	out.SearchNodes, out.CacheHits = c.Nodes, c.Hits
	out.Signature, err = signature(ctx, e, questions)
	return out, err
}

// CPUName is the processor's name, or "" if the system does not say.
func CPUName() string {
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

// Print writes the figures as text.
func (b *Speed) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, `%s, one thread, nets %s
static evaluations  %10.0f /s
plays (0-ply)       %10.0f /s
0-ply decisions     %10.0f /s
2-ply decisions     %10.1f /s
move generation     %10.0f /s
0-ply games         %10.1f /s
searched nodes      %10d, %d more found in the cache
signature %s
`, b.CPU, b.Nets, b.StaticEvals, b.Plays, b.Decisions0, b.Decisions2, b.Movegen, b.RolloutGames, b.SearchNodes, b.CacheHits, b.Signature)
	return err
}
