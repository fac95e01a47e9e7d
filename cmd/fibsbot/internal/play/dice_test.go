package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fibsbot/engine/dice"
	"fibsbot/engine/record"
)

// thrown lists the throws of a match, ties included.
func thrown(m *Match) (out []string) {
	for _, a := range m.acts {
		if a.Dice != [2]uint8{} {
			out = append(out, fmt.Sprintf("%d%d", a.Dice[0], a.Dice[1]))
		}
	}
	return out
}

// The rolls of a file come in order, through ties, games and undo, and then those of the
// generator.
func TestDice_ofAFile(t *testing.T) {
	digits := "335531426125"
	m := newMatch(t, Options{Length: 1, Rolls: digits, Dice: dice.ChaCha8})
	drive(t, m, plain)
	got := thrown(m)
	for i, want := range []string{"33", "55", "31", "42", "61", "25"} {
		if got[i] != want {
			t.Fatalf("thrown %v, the file has %s", got, digits)
		}
	}
	var other, again *Match
	for _, to := range []struct {
		m *(*Match)
		o Options
	}{{&other, Options{Length: 1, Rolls: digits}}, {&again, Options{Length: 1, Rolls: digits, Dice: dice.ChaCha8}}} {
		*to.m = newMatch(t, to.o)
		drive(t, *to.m, plain)
	}
	if strings.Join(thrown(again), " ") != strings.Join(got, " ") || strings.Join(thrown(other), " ") == strings.Join(got, " ") {
		t.Errorf("the same match again %v, with another generator %v, at first %v", thrown(again), thrown(other), got)
	}
}

// With dice thrown by hand the program throws none, accepts those of either side and can undo
// a typing error; a match is saved, loaded and played to its end.
func TestDice_byHand(t *testing.T) {
	m := newMatch(t, Options{Length: 1, ByHand: true})
	v := m.View()
	if v.Phase != ToThrow || !v.Opening || len(v.Acts) != 0 {
		t.Fatalf("the opening: %+v", v)
	}
	if data, err := json.Marshal(m); err != nil {
		t.Fatal(err)
	} else if m, err = Read(bytes.NewReader(data)); err != nil || !m.View().Opening {
		t.Fatalf("left before the first dice: %v", err)
	}
	do := func(d [2]uint8) {
		t.Helper()
		if err := m.Do(Act{Kind: Roll, Dice: d}, -1); err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range [][2]uint8{{}, {0, 3}, {7, 1}} {
		if err := m.Do(Act{Kind: Roll, Dice: bad}, -1); !errors.Is(err, ErrNotNow) {
			t.Errorf("opening %v: %v", bad, err)
		}
	}
	do([2]uint8{4, 4})
	do([2]uint8{2, 5})
	if v = m.View(); v.Phase != ToMove || v.Turn != Opponent || v.Dice[0] != 5 || v.Cube != 1 {
		t.Fatalf("after 2 against 5: %+v", v)
	}
	if err := m.Undo(-1); err != nil || !m.View().Opening {
		t.Fatalf("a slip in the opening: %v, %+v", err, m.View())
	}
	do([2]uint8{6, 5})
	if v = m.View(); v.Phase != ToMove || v.Turn != You {
		t.Fatalf("after 6 against 5: %+v", v)
	}
	if err := m.Do(plain(v), -1); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Think(context.Background(), anEngine(t)); err != nil {
		t.Fatal(err)
	}
	if v = m.View(); v.Phase != ToThrow || v.Turn != Opponent || v.Opening {
		t.Fatalf("the opponent wants to roll: %+v", v)
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = Read(strings.NewReader(string(data))); err != nil || m.View().Phase != ToThrow {
		t.Fatalf("read again: %v", err)
	}
	n := 0
	drive(t, m, func(v View) Act {
		if v.Phase == ToThrow {
			n++
			return Act{Kind: Roll, Dice: [2]uint8{uint8(1 + n*n%6), uint8(1 + n*5/2%6)}}
		}
		return plain(v)
	})
	rec := m.Record()
	if w := rec.Settle(); len(w) > 0 || n < 10 {
		t.Errorf("%d throws, %v", n, w)
	}
	if err := newMatch(t, Options{Length: 1}).Do(Act{Kind: Roll, Dice: [2]uint8{6, 6}}, -1); !errors.Is(err, ErrNotNow) {
		t.Errorf("own dice where they are thrown: %v", err)
	}
}

// Ties of the opening turn the cube as often as agreed. It stays in the middle, each game
// starts at 1, and the record holds it.
func TestAutoDoubles(t *testing.T) {
	for limit, want := range []int{1, 2, 4, 4} {
		m := newMatch(t, Options{AutoDoubles: limit, Variation: record.Nackgammon, Rolls: "224462"})
		v := m.View()
		if v.Cube != want || v.Owner != record.NoPlayer || v.Turn != You || v.Variation != record.Nackgammon || v.Board[You][22] != 2 {
			t.Errorf("limit %d: %+v", limit, v)
		}
		drive2 := func(v View) Act {
			if v.Phase == ToMove && v.Turn == You {
				return Act{Kind: Resign, Level: 1}
			}
			return plain(v)
		}
		for m.View().Phase != GameOver {
			if done, err := m.Think(context.Background(), anEngine(t)); err != nil {
				t.Fatal(err)
			} else if done {
				continue
			}
			if err := m.Do(drive2(m.View()), -1); err != nil {
				t.Fatal(err)
			}
		}
		if v = m.View(); v.Result.Points != want {
			t.Errorf("limit %d: the game costs %d", limit, v.Result.Points)
		}
		rec := m.Record()
		if w := rec.Settle(); len(w) > 0 || rec.Games[0].Cube != want || rec.Rules.Variation != record.Nackgammon {
			t.Errorf("limit %d: record %+v, %v", limit, rec.Games[0], w)
		}
	}
}

func TestOptions_ofDiceAndRules(t *testing.T) {
	for _, o := range []Options{
		{Variation: "Hypergammon4"}, {Variation: "chess"}, {AutoDoubles: -1}, {AutoDoubles: 7}, {AutoDoubles: 1, Length: 3},
		{AutoDoubles: 1, NoCube: true}, {Dice: "coin"}, {Rolls: "3"}, {Rolls: "37"}, {Rolls: "31", ByHand: true},
	} {
		if _, err := New(o, day); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
