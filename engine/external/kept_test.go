package external

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

// startRoll is the question that hostile engines are asked.
var startRoll = Board{Position: board.Start, State: match.Money(true, 0), Dice: board.Dice{A: 3, B: 1}}

// hostile are engines that harm whoever asks them, by the role of this program and what is
// said of it.
var hostile = []struct {
	role string
	of   Protocol
	want string
}{
	{"mute", Line, "no answer"},
	{"liar", Line, "not a legal play"},
	{"endless", Line, "no answer"},
	{"endless lines", UBGI, "spoke without being asked"},
	{"huge line", UBGI, "a line of more than"},
	{"deaf", UBGI, "no answer in time"},
	{"forks", UBGI, "no answer in time"},
	{"dies", UBGI, "no answer"},
	{"late", UBGI, "bad play"},
	{"sorry", UBGI, "sorry"},
	{"banner", UBGI, "readyok"},
}

// TestKept_hostile: what such an engine does is an error of one line within the limit. No
// program and no goroutine is left.
func TestKept_hostile(t *testing.T) {
	testsize.Medium(t)
	for _, c := range hostile {
		t.Run(c.role, func(t *testing.T) {
			t.Setenv(role, c.role)
			before := runtime.NumGoroutine()
			k := Keep(t.Context(), Spec{Protocol: c.of, Command: []string{os.Args[0]}}, 2*time.Second, io.Discard)
			var err error
			q := startRoll
			if c.role == "liar" {
				q.Dice = board.Dice{A: 6, B: 5}
			}
			for range 100 { // a late engine answers the question before, and lines that no one asked for may look like answers
				if _, err = k.Decide(t.Context(), q); err != nil {
					break
				}
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 1000 {
				t.Errorf("%v, want %q", err, c.want)
			}
			if h := k.Health(); h.Running || h.Failed != 1 || h.InARow != 1 || h.Fault == "" {
				t.Errorf("health %+v", h)
			}
			if _, err := k.Decide(t.Context(), startRoll); !errors.Is(err, ErrPaused) {
				t.Errorf("after the failure: %v", err)
			}
			if err := k.Close(); err != nil {
				t.Error(err)
			}
			for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
				time.Sleep(time.Millisecond)
			}
			if n := runtime.NumGoroutine(); n > before {
				t.Errorf("%d goroutines, %d before", n, before)
			}
		})
	}
}

// fakeEngine is an engine that fails as it is told.
type fakeEngine struct {
	err   error
	delay time.Duration
	cube  bool
}

func (f *fakeEngine) Decide(ctx context.Context, _ Board, _ bool) (Answer, error) {
	select {
	case <-ctx.Done():
		return Answer{}, context.Cause(ctx)
	case <-time.After(f.delay):
		return Answer{Take: true}, f.err
	}
}
func (f *fakeEngine) Cube() bool   { return f.cube }
func (f *fakeEngine) Close() error { return nil }

// TestKept_pauses: each failure doubles the pause to the longest; an answer ends the row.
func TestKept_pauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, starts := &fakeEngine{err: errors.New("broken"), cube: true}, 0
		k := keep(t.Context(), func(context.Context) (Asked, error) { starts++; return f, nil }, time.Second)
		for n := range 12 {
			if _, err := k.Decide(t.Context(), startRoll); err == nil || errors.Is(err, ErrPaused) {
				t.Fatalf("failure %d: %v", n, err)
			}
			pause := min(longestPause, firstPause<<n)
			time.Sleep(pause - time.Millisecond)
			if _, err := k.Decide(t.Context(), startRoll); !errors.Is(err, ErrPaused) || !strings.Contains(err.Error(), "broken") {
				t.Fatalf("in pause %d: %v", n, err)
			}
			time.Sleep(time.Millisecond)
		}
		if f.err = nil; starts != 12 {
			t.Errorf("%d starts", starts)
		}
		if _, err := k.Decide(t.Context(), startRoll); err != nil {
			t.Error(err)
		}
		if h := k.Health(); !h.Running || h.InARow != 0 || h.Answered != 1 || h.Failed != 12 {
			t.Errorf("%+v", h)
		}
		// Late, and not asked any more.
		f.delay = time.Minute
		if _, err := k.Decide(t.Context(), startRoll); !errors.Is(err, errLate) {
			t.Error(err)
		}
		time.Sleep(firstPause)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		began := time.Now()
		if _, err := k.Decide(ctx, startRoll); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		time.Sleep(longestPause)
		synctest.Wait() // no one asks it any more
		f.delay, f.cube = 0, false
		q := startRoll
		q.Dice = board.Dice{}
		if _, err := k.Decide(t.Context(), q); !errors.Is(err, ErrNoCube) {
			t.Error(err)
		}
		if _, err := k.Decide(t.Context(), startRoll); err != nil {
			t.Error(err)
		}
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
}

// blind is an engine that tells no chances.
type blind struct{ Asked }

func (blind) Close() error { return nil }

// TestKept_noFigures: an engine without chances has not failed.
func TestKept_noFigures(t *testing.T) {
	k := keep(t.Context(), func(context.Context) (Asked, error) { return blind{}, nil }, time.Minute)
	if _, err := k.Eval(t.Context(), board.Start); !errors.Is(err, ErrNoFigures) || k.Health().Failed > 0 || !k.Health().Running {
		t.Errorf("%v, %+v", err, k.Health())
	}
}

// TestInTime: an engine that is not ready in time is refused, also if it becomes ready later.
func TestInTime(t *testing.T) {
	for name, open := range map[string]func(context.Context) (Asked, error){
		"waits": func(ctx context.Context) (Asked, error) { <-ctx.Done(); return nil, context.Cause(ctx) },
		"late":  func(ctx context.Context) (Asked, error) { <-ctx.Done(); return blind{}, nil },
	} {
		if x, err := inTime(t.Context(), time.Millisecond, open); x != nil || !errors.Is(err, errLate) {
			t.Errorf("%s: %v, %v", name, x, err)
		}
	}
}
