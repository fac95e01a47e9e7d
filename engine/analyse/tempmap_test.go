package analyse_test

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

func temperature(t *testing.T, s match.Situation) *analyse.TemperatureMap {
	t.Helper()
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	m, err := analyse.Temperature(t.Context(), e.Search(), s, search.Settings{Cubeful: true, Deterministic: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTemperature_knownRolls: two checkers on the six point against an opponent
// who bears off at once. Only 66, 55, 44 and 33 take both off, so those rolls win
// and all others lose.
func TestTemperature_knownRolls(t *testing.T) {
	s := match.Situation{State: match.State{Cube: 1, Owner: match.Mine},
		Position: board.Position{Me: board.Checkers{5: 2}, Opp: board.Checkers{0: 1}}}
	m := temperature(t, s)
	sum := 0.0
	for _, h := range m.Rolls {
		want := -1.0
		if h.Dice.Double() && h.Dice.A >= 3 {
			want = 1
		}
		if math.Abs(h.Equity-want) > 1e-3 {
			t.Errorf("%d%d: %+.4f, want %+.0f", h.Dice.A, h.Dice.B, h.Equity, want)
		}
		sum += want * float64(h.Weight) / 36
	}
	if math.Abs(m.Mean-sum) > 1e-3 {
		t.Errorf("mean %.4f, want %.4f", m.Mean, sum)
	}
}

func TestTemperature_rollsThatCannotMove(t *testing.T) {
	s := match.Situation{State: match.Money(false, 0),
		Position: board.Position{Me: board.Checkers{board.Bar: 1, 0: 1}, Opp: board.Checkers{0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 6: 1}}}
	m := temperature(t, s)
	for _, h := range m.Rolls {
		if enters := h.Dice.A == 6 || h.Dice.B == 6; enters == (h.Best == "cannot move") {
			t.Errorf("%d%d: %s; only a six enters", h.Dice.A, h.Dice.B, h.Best)
		}
	}
}

func TestTemperature_textAndSVG(t *testing.T) {
	m := temperature(t, match.Situation{State: match.Money(true, 3), Position: board.Start})
	text := m.Text()
	if lines := strings.Count(text, "\n"); lines != 8 {
		t.Errorf("%d lines:\n%s", lines, text)
	}
	if !strings.Contains(text, "best 66") || !strings.Contains(text, "worst ") {
		t.Errorf("at the start 66 is the best roll:\n%s", text)
	}
	svg := m.SVG(`a <title> & "more"`)
	d := xml.NewDecoder(strings.NewReader(svg))
	cells := 0
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the SVG is no XML: %v", err)
		}
		if el, ok := tok.(xml.StartElement); ok && el.Name.Local == "rect" {
			cells++
		}
	}
	if cells != 37 {
		t.Errorf("%d rectangles, want 36 rolls and the ground", cells)
	}
}

func TestTemperature_stops(t *testing.T) {
	e, err := engine.Open(engine.Options{Threads: 1, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = analyse.Temperature(ctx, e.Search(), match.Situation{State: match.Money(true, 3), Position: board.Start}, search.Settings{Plies: 2, Cubeful: true})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
