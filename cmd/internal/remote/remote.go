package remote

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/bench"
	"fibsbot/engine/board"
	"fibsbot/engine/duel"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/shard"
)

// Kind is a kind of job of the farm.
type Kind struct {
	Name string
	// Program runs it: "" for fibsbot, which fibslab can replace, or fibslab alone.
	Program string
	// Open makes a job again from its specification, with the engines that it names, and returns what
	// makes its runners, one for each goroutine.
	Open func(ctx context.Context, engines []*engine.Engine, spec []byte) (func() (shard.Runner, error), error)
	// Share returns what the result of a piece adds to the job, so that a farm runs the pieces
	// that decide it again. It is nil for kinds whose pieces stand alone.
	Share func(ask, data []byte) shard.Share
}

// The kinds of the product; a piece of a rollout is a range of trials, of a duel pairs of
// games or matches, of an analysis decisions of matches.
var (
	Rollout = Kind{Name: "rollout", Open: openRollout, Share: rollout.Share}
	Duel    = Kind{Name: "duel", Open: openDuel, Share: duel.Share}
	Analyse = Kind{Name: "analyse", Open: openAnalyse}
)

// Lab is the program that makes and measures nets and ratings, for Kind.Program.
const Lab = "fibslab"

// Product are the kinds of jobs that fibsbot gives to a farm and works on.
func Product() []Kind { return []Kind{Rollout, Duel, Analyse} }

// Nets names the engine that trials are played with.
func Nets(e *engine.Engine) string {
	return e.Manifest().Name + " " + strings.Join(e.Manifest().History, ";")
}

func openRollout(ctx context.Context, engines []*engine.Engine, spec []byte) (func() (shard.Runner, error), error) {
	j, err := rollout.FromSpec(ctx, engines[0].RolloutOptions(), Nets(engines[0]), spec)
	if err != nil {
		return nil, err
	}
	return func() (shard.Runner, error) { return j.Runner(), nil }, nil
}

func openDuel(ctx context.Context, engines []*engine.Engine, spec []byte) (func() (shard.Runner, error), error) {
	return duel.FromSpec(ctx, engines[0], spec)
}

func openAnalyse(_ context.Context, engines []*engine.Engine, spec []byte) (func() (shard.Runner, error), error) {
	return analyse.FromSpec(engines[0].RolloutOptions(), spec)
}

// Answers are those of several engines, joined.
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

// Answer is the answer of an engine to fixed questions: equities of plays at 0 and 2 plies and of
// doubles, to the bit, and exact bearoffs. Engines with the same answer have the same nets and the
// same arithmetic. An engine for other rules answers as the one from which it was made, since a
// worker makes its own from that one too.
func Answer(ctx context.Context, e *engine.Engine) (string, error) {
	e, err := e.With(ctx, board.Rules{})
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

// sizes are the sizes of pieces: those up to rollout.MaxPiece divide the trials between two
// evaluations of the stop rules.
var sizes = [...]int{1, 2, 3, 4, 6, 8, 12, 16, 18, 24, 36, 48, 72, rollout.MaxPiece, 256, 512, 1024, 2048, 4096, 8192}

// SizeFor returns how many parts, most at most, a piece must have to take about that long on one
// thread. It times pieces of one part, of number k by ask(k).
func SizeFor(ctx context.Context, r shard.Runner, ask func(k int) []byte, most int, long time.Duration) (int, error) {
	best := time.Duration(math.MaxInt64)
	for k := range 3 { // the first one has an empty cache
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
