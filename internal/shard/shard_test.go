package shard

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"fibsbot/internal/panics"
)

// square is a job of whole numbers; piece 13 of it cannot be run.
type square struct{}

var errThirteen = errors.New("thirteen")

func (square) Run(_ context.Context, ask []byte) ([]byte, error) {
	n, err := strconv.Atoi(string(ask))
	if n == 14 {
		panic("fourteen")
	}
	if err != nil || n == 13 {
		return nil, errors.Join(err, errThirteen)
	}
	return []byte(strconv.Itoa(n * n)), nil
}

func pieces(n int) (out []Piece) {
	for i := range n {
		out = append(out, Piece{fmt.Sprint(i), []byte(strconv.Itoa(i))})
	}
	return out
}

func newSquare() (Runner, error) { return square{}, nil }

func TestLocal_resultsComeInOrder(t *testing.T) {
	for _, threads := range []int{0, 1, 3, 50} {
		l := Local{Threads: threads, New: newSquare}
		for range 2 {
			next := 0
			err := l.Do(t.Context(), pieces(12), nil, func(k int, r Result) error {
				if want := strconv.Itoa(k * k); k != next || string(r.Data) != want {
					t.Errorf("%d threads: piece %d gave %s after %d", threads, k, r.Data, next)
				}
				next++
				return nil
			})
			if err != nil || next != 12 {
				t.Fatalf("%d threads: %d taken, %v", threads, next, err)
			}
		}
	}
}

func TestLocal_whatWasDoneBeforeAnErrorCounts(t *testing.T) {
	l := Local{Threads: 1, New: newSquare}
	taken := 0
	err := l.Do(t.Context(), pieces(20), nil, func(int, Result) error { taken++; return nil })
	if !errors.Is(err, errThirteen) || taken != 13 {
		t.Errorf("%d taken, %v", taken, err)
	}
}

func TestLocal_stops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	l := Local{Threads: 2, New: newSquare}
	errFull := errors.New("full")
	if err := l.Do(ctx, pieces(5), nil, func(int, Result) error { return errFull }); !errors.Is(err, errFull) {
		t.Errorf("take: %v", err)
	}
	cancel()
	if err := l.Do(ctx, pieces(5), nil, func(int, Result) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	l = Local{New: func() (Runner, error) { return nil, errFull }}
	if err := l.Do(t.Context(), pieces(5), nil, nil); !errors.Is(err, errFull) {
		t.Errorf("no runner: %v", err)
	}
}

func TestLocal_aFaultIsAnError(t *testing.T) {
	l := Local{Threads: 1, New: newSquare}
	err := l.Do(t.Context(), pieces(20)[14:], nil, func(int, Result) error { return nil })
	var f *panics.Fault
	if !errors.As(err, &f) || f.Value != "fourteen" {
		t.Errorf("%v, want the fault", err)
	}
}
