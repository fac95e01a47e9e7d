package remote

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/bench"
	"fibsbot/engine/bench/nets"
	"fibsbot/engine/board"
	"fibsbot/engine/duel"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/engine/train"
	"fibsbot/engine/train/teacher"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/results"
	"fibsbot/internal/shard"
)

// The kinds of jobs, with what a piece of them is.
const (
	Rollout  = "rollout"      // a range of trials
	Measure  = "measure"      // a block of matches, of fibsbot tune measure and check
	Gate     = "gate"         // blocks of matches between two engines
	Duel     = "duel"         // pairs of games or matches
	Label    = "label"        // positions
	SelfPlay = "selfplay"     // games
	Games    = nets.KindGames // pairs of games, of bench nets
	Plays    = nets.KindPlays // decisions, of bench nets --truth
	Analyse  = "analyse"      // decisions of matches
)

// ErrKind is a kind of job that this build does not know.
var ErrKind = errors.New("no such kind of job")

// Nets names the engine that trials are played with.
func Nets(e *engine.Engine) string {
	return e.Manifest().Name + " " + strings.Join(e.Manifest().History, ";")
}

// Taught describes jobs of Label and SelfPlay: by whom, and what.
type Taught struct {
	Teacher string `json:"teacher"` // own or rollout:TRIALS
	Plies   int    `json:"plies,omitempty"`
	// Of tells jobs of the same teacher apart, or is what SelfPlay.Spec wrote.
	Of json.RawMessage `json:"of"`
}

// Spec describes the job.
func (t Taught) Spec() ([]byte, error) { return json.Marshal(t) }

// Open makes a job again with the engines that it names and returns what makes its
// runners, one for each goroutine. The error wraps ErrKind, or is that of the package
// whose job it is.
func Open(ctx context.Context, engines []*engine.Engine, kind string, spec []byte) (func() (shard.Runner, error), error) {
	e := engines[0]
	switch kind {
	case Rollout:
		j, err := rollout.FromSpec(e.RolloutOptions(), Nets(e), spec)
		if err != nil {
			return nil, err
		}
		return func() (shard.Runner, error) { return j.Runner(), nil }, nil
	case Measure:
		return tune.FromSpec(ctx, results.EngineOf(e), spec)
	case Gate:
		if len(engines) != 2 {
			return nil, fmt.Errorf("%w: a gate of %d engines", ErrKind, len(engines))
		}
		return tune.DuelFromSpec(ctx, [2]*tune.Engine{results.EngineOf(e), results.EngineOf(engines[1])}, spec)
	case Duel:
		return duel.FromSpec(ctx, e, spec)
	case Label, SelfPlay:
		return openTaught(ctx, e, kind, spec)
	case Games:
		var g nets.Games
		if err := json.Unmarshal(spec, &g); err != nil {
			return nil, fmt.Errorf("games: %w", err)
		}
		return g.Runners(e.Model(), engines[len(engines)-1].Model())
	case Plays:
		return nets.PlaysFromSpec(e, spec)
	case Analyse:
		return analyse.FromSpec(e.RolloutOptions(), spec)
	}
	return nil, fmt.Errorf("%w: %.40q", ErrKind, kind)
}

func openTaught(ctx context.Context, e *engine.Engine, kind string, spec []byte) (func() (shard.Runner, error), error) {
	var s Taught
	if err := json.Unmarshal(spec, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	of := func(t train.Teacher) shard.Runner { return train.Labeller(t, s.Plies) }
	if kind == SelfPlay {
		var err error
		if of, err = train.Gamer(s.Of); err != nil {
			return nil, err
		}
	}
	if _, err := teacher.Own(ctx, e, s.Teacher); err != nil {
		return nil, err
	}
	return func() (shard.Runner, error) {
		// The context of the job, not that of opening it, ends what a runner does.
		t, err := teacher.Own(context.WithoutCancel(ctx), e, s.Teacher)
		if err != nil {
			return nil, err
		}
		return of(t), nil
	}, nil
}

// Answers are those of several engines together.
func Answers(ctx context.Context, engines []*engine.Engine) (string, error) {
	var list []string
	for _, e := range engines {
		a, err := Answer(ctx, e)
		if err != nil {
			return "", err
		}
		list = append(list, a)
	}
	return strings.Join(list, " "), nil
}

// Answer is what an engine makes of fixed questions: equities of plays at 0 and 2 plies
// and of doubles, to the bit, and exact bearoffs. Engines with the same answer have the
// same nets and the same arithmetic. An engine for other rules answers as the one that it was
// made from: whoever does a job of other rules makes his of that one too.
func Answer(ctx context.Context, e *engine.Engine) (string, error) {
	e, err := e.With(board.Rules{})
	if err != nil {
		return "", err
	}
	questions, err := bench.NaturalQuestions(ctx, e, 60)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	put := func(v float64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		h.Write(b[:])
	}
	money := match.Money(false, 0)
	for i, q := range questions {
		s := search.Settings{Cubeful: true}
		if i%20 == 7 {
			s.Plies, s.Filter, s.Prune = 2, search.Tiny, true
		}
		list, err := e.Search().Plays(ctx, q.Position, q.Dice, money, s)
		if err != nil {
			return "", err
		}
		for _, c := range list {
			h.Write([]byte(c.Play.Result.ID()))
			put(c.Equity)
			for _, p := range c.Probs {
				put(float64(p))
			}
		}
		if i%5 == 0 {
			d, err := e.Search().Cube(ctx, q.Position, money, search.Settings{Plies: i % 2})
			if err != nil {
				return "", err
			}
			put(d.NoDouble)
			put(d.DoubleTake)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// sizes are the sizes of pieces: those up to rollout.MaxPiece divide the trials between
// two looks at the stop rules.
var sizes = [...]int{1, 2, 3, 4, 6, 8, 12, 16, 18, 24, 36, 48, 72, rollout.MaxPiece, 256, 512, 1024, 2048, 4096, 8192}

// SizeFor returns how many parts a piece is to have, most at most, so that it takes about
// that long on one thread: by running a piece of one part, that of number k by ask(k).
func SizeFor(ctx context.Context, r shard.Runner, ask func(k int) []byte, most int, long time.Duration) (int, error) {
	best := time.Duration(math.MaxInt64)
	for k := range 3 { // the first one finds the cache empty
		began := time.Now()
		if _, err := r.Run(ctx, ask(k)); err != nil {
			return 0, err
		}
		best = min(best, time.Since(began))
		if best > long {
			break
		}
	}
	size := 1
	for _, n := range sizes {
		if n <= most && time.Duration(n)*best <= long {
			size = n
		}
	}
	return size, nil
}

// Part asks for part k alone of a job that is cut into ranges.
func Part(k int) []byte { return shard.Range{From: k, To: k + 1}.Ask() }

// Trial asks for trial k of the first arm of a rollout.
func Trial(k int) []byte { return fmt.Appendf(nil, `{"arm":0,"from":%d,"to":%d}`, k, k+1) }
