package remote

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/bench"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/results"
	"fibsbot/internal/piece"
)

// The kinds of jobs.
const (
	Rollout = "rollout" // a piece is a range of trials
	Measure = "measure" // of fibsbot tune; a piece is a block
)

// ErrKind is a kind of job that this build does not know.
var ErrKind = errors.New("no such kind of job")

// Nets names the engine that trials are played with.
func Nets(e *engine.Engine) string {
	return e.Manifest().Name + " " + strings.Join(e.Manifest().History, ";")
}

// Open makes a job again and returns what makes its runners, one for each goroutine.
// The error wraps ErrKind, rollout.ErrPiece or tune.ErrOtherVersion.
func Open(ctx context.Context, e *engine.Engine, kind string, spec []byte) (func() (piece.Runner, error), error) {
	switch kind {
	case Rollout:
		j, err := rollout.FromSpec(e.RolloutOptions(), Nets(e), spec)
		if err != nil {
			return nil, err
		}
		return func() (piece.Runner, error) { return j.Runner(), nil }, nil
	case Measure:
		return tune.FromSpec(ctx, results.EngineOf(e), spec)
	}
	return nil, fmt.Errorf("%w: %.40q", ErrKind, kind)
}

// Answer is what an engine makes of fixed questions: equities of plays at 0 and 2 plies
// and of doubles, to the bit, and exact bearoffs. Engines with the same answer have the
// same nets and the same arithmetic.
func Answer(ctx context.Context, e *engine.Engine) (string, error) {
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

// sizes are the numbers of trials of which a look at the stop rules is made.
var sizes = [...]int{1, 2, 3, 4, 6, 8, 12, 16, 18, 24, 36, 48, 72, rollout.MaxPiece}

// TrialsFor returns how many trials a piece of a rollout is to have so that it takes
// about that long on one thread, by playing one trial of the first arm.
func TrialsFor(ctx context.Context, j *rollout.Job, long time.Duration) (int, error) {
	r := j.Runner()
	best := time.Duration(math.MaxInt64)
	for n := range 3 { // the first one finds the cache empty
		began := time.Now()
		if _, err := r.Run(ctx, fmt.Appendf(nil, `{"arm":0,"from":%d,"to":%d}`, n, n+1)); err != nil {
			return 0, err
		}
		best = min(best, time.Since(began))
		if best > long {
			break
		}
	}
	size := 1
	for _, n := range sizes {
		if time.Duration(n)*best <= long {
			size = n
		}
	}
	return size, nil
}
