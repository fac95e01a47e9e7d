package play

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// recorded makes a match of two people from lines: dice and plays by hand.
func recorded(t *testing.T, o Options, acts ...Act) *Match {
	t.Helper()
	o.Two, o.ByHand, o.Name, o.Opponent = true, true, "anna", "bob"
	m := newMatch(t, o)
	for i, a := range acts {
		if err := m.Do(a, -1); err != nil {
			t.Fatalf("act %d, %+v: %v", i, a, err)
		}
	}
	return m
}

func byHand(a, b uint8) Act { return Act{Kind: Roll, Dice: [2]uint8{a, b}} }

func moved(text string) Act { return Act{Kind: Move, Play: text} }

// Both sides act by hand, one play is illegal, and the archive has the match as it was.
func TestTwo_recordedAndArchived(t *testing.T) {
	m := recorded(t, Options{Length: 1, Event: "Club night"},
		byHand(3, 1), moved("8/5 6/5"), // anna wins the opening
		byHand(6, 4), Act{Kind: Move, Play: "24/14 6/5", Illegal: true}, // not of these dice
		byHand(6, 5), moved("24/18 18/13"))
	v := m.View()
	if v.Turn != Opponent || !v.Two || v.Names != [2]string{"bob", "anna"} {
		t.Fatalf("%+v", v)
	}
	if e := v.Acts[3]; !e.Illegal || e.Side != Opponent || e.Play != "24/14 6/5" {
		t.Errorf("the illegal play: %+v", e)
	}
	if err := m.Do(byHand(2, 1), -1); err != nil {
		t.Fatal(err)
	}
	// A play marked illegal that the rules allow loses its mark.
	if err := m.Do(Act{Kind: Move, Play: "13/11 6/5", Illegal: true}, -1); err != nil {
		t.Fatal(err)
	}
	if v = m.View(); v.Acts[len(v.Acts)-1].Illegal {
		t.Errorf("%+v", v.Acts[len(v.Acts)-1])
	}
	for _, bad := range []string{"7/3", "24/19"} { // no checker, a point of the other side
		m := recorded(t, Options{Length: 1}, byHand(4, 1))
		if err := m.Do(Act{Kind: Move, Play: bad, Illegal: true}, -1); !errors.Is(err, board.ErrBadPlay) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = Read(bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	rec := m.Record()
	if rec.Event != "Club night" || rec.Players[0].Name != "bob" || rec.Players[1].Name != "anna" {
		t.Errorf("%+v", rec)
	}
	if a := rec.Games[0].Actions[1]; !a.Illegal || a.Kind != record.Move || a.Player != Opponent {
		t.Errorf("%+v", a)
	}
	var texts []string
	for r := record.NewReplay(rec, &rec.Games[0]); ; {
		turn, ok := r.Next()
		if !ok {
			break
		}
		if !turn.Legal {
			texts = append(texts, turn.Problem)
		}
	}
	if !slices.Equal(texts, []string{"not a legal play of 6 and 4"}) {
		t.Errorf("problems of the record: %q", texts)
	}
}

func TestTwo_finishedMatchIsArchived(t *testing.T) {
	dir := t.TempDir()
	db, err := index.Open(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	m := recorded(t, Options{Length: 1}, byHand(3, 1), moved("8/5 6/5"))
	s := NewStore(filepath.Join(dir, "play"), db)
	if err := s.Add(m); err != nil {
		t.Fatal(err)
	}
	for _, a := range []Act{{Kind: Resign, Level: 1}, {Kind: Accept}} { // bob gives up, anna accepts
		if err := m.Do(a, -1); err != nil {
			t.Fatal(err)
		}
	}
	if v := m.View(); v.Phase != MatchOver || v.Result.Winner != You {
		t.Fatalf("%+v", v)
	}
	id, err := s.Finish(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	row, err := db.Show(t.Context(), id)
	if err != nil || row == nil {
		t.Fatal(row, err)
	}
}

func TestTwo_correct(t *testing.T) {
	acts := []Act{byHand(3, 1), moved("8/5 6/5"), byHand(6, 4), moved("24/14"), byHand(2, 1), moved("13/10")}
	text := func(s string) *string { return &s }
	m := recorded(t, Options{Length: 3}, acts...)
	// A play.
	if err := m.Correct(Correction{Act: 1, Play: text("24/23 13/10")}, -1); err != nil {
		t.Fatal(err)
	}
	if a := m.View().Acts; a[1].Play != "24/23 13/10" || a[5].Play != "13/11*/10" {
		t.Errorf("%+v", a)
	}
	// Dice and play of it.
	if err := m.Correct(Correction{Act: 3, Dice: [2]uint8{6, 5}, Play: text("24/13")}, -1); err != nil {
		t.Fatal(err)
	}
	if a := m.View().Acts; a[2].Dice != [2]uint8{6, 5} || a[3].Play != "24/13" || a[3].Illegal {
		t.Errorf("%+v", a)
	}
	// Dice alone: the play that they do not allow is marked.
	if err := m.Correct(Correction{Act: 2, Dice: [2]uint8{6, 4}}, -1); err != nil {
		t.Fatal(err)
	}
	if a := m.View().Acts; !a[3].Illegal {
		t.Errorf("%+v", a[3])
	}
	// What no checker can do changes nothing, unless the rest may go.
	if err := m.Correct(Correction{Act: 1, Play: text("9/1")}, -1); !errors.Is(err, board.ErrBadPlay) {
		t.Errorf("no such play: %v", err)
	}
	if err := m.Correct(Correction{Act: 0, Dice: [2]uint8{4, 4}}, -1); err == nil {
		t.Error("an opening of equal dice")
	}
	if err := m.Correct(Correction{Act: 99}, -1); !errors.Is(err, ErrNotNow) {
		t.Error(err)
	}
	one := newMatch(t, Options{Length: 1})
	if err := one.Correct(Correction{Act: 0, Dice: [2]uint8{6, 5}}, -1); !errors.Is(err, ErrNotNow) {
		t.Errorf("a match against the engine: %v", err)
	}
}

// A correction after which a later act cannot be made is refused, or cuts the rest.
func TestTwo_correctCuts(t *testing.T) {
	text := "8/5 6/5"
	m := recorded(t, Options{Length: 3}, byHand(3, 1), moved("24/23 13/10"), byHand(4, 1), moved("13/9 6/5"), byHand(1, 1), moved("10/8 6/5(2)"))
	if err := m.Correct(Correction{Act: 1, Play: &text}, -1); !errors.Is(err, ErrLater) {
		t.Fatal(err)
	}
	if n := len(m.View().Acts); n != 6 {
		t.Errorf("%d acts after a refusal", n)
	}
	if err := m.Correct(Correction{Act: 1, Play: &text, Cut: true}, -1); err != nil {
		t.Fatal(err)
	}
	if v := m.View(); len(v.Acts) != 5 || v.Phase != ToMove || v.Turn != You {
		t.Errorf("%d acts, %s", len(v.Acts), v.Phase)
	}
}

func TestClock(t *testing.T) {
	for _, c := range []struct {
		kind ClockKind
		want [2]int64
	}{{bronstein, [2]int64{60_000, 60_000 - 3_000}}, {fischer, [2]int64{60_000 + 10_000 - 1_000, 60_000 - 3_000}}} {
		m := recorded(t, Options{Length: 3, Clock: &Clock{Kind: c.kind, Reserve: 60, Delay: 10, Loses: true}})
		roll := byHand(3, 1)
		for _, a := range []Act{roll, {Kind: Move, Play: "8/5 6/5", Spent: 13_000}, {Kind: Roll, Dice: [2]uint8{6, 4}, Spent: 400}, {Kind: Move, Play: "24/14", Spent: 600}} {
			if err := m.Do(a, -1); err != nil {
				t.Fatal(err)
			}
		}
		if got := m.View().Clock.Left; got != c.want {
			t.Errorf("%s: left %v, want %v", c.kind, got, c.want)
		}
		if err := m.Undo(-1); err != nil {
			t.Fatal(err)
		}
		if got := m.View().Clock; got.Used != 400 || got.Left[Opponent] != 60_000 {
			t.Errorf("%s: after undo %+v", c.kind, got)
		}
		if err := m.Do(Act{Kind: Flag}, -1); err != nil {
			t.Fatal(err)
		}
		if v := m.View(); v.Phase != MatchOver || v.Result.How != "time" || v.Result.Winner != You || v.Score[You] != 3 {
			t.Errorf("%s: %+v", c.kind, v.Result)
		}
	}
	m := newMatch(t, Options{Length: 3, Clock: &Clock{Kind: fischer, Reserve: 5, Delay: 1}})
	if err := m.Do(Act{Kind: Flag}, -1); !errors.Is(err, ErrNotNow) {
		t.Errorf("a clock that only shows: %v", err)
	}
	for _, bad := range []Clock{{Kind: "hourglass", Reserve: 5}, {Kind: fischer}, {Kind: bronstein, Reserve: 5, Delay: -1}} {
		o := Options{Length: 3, Clock: &bad}
		if err := o.check(); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
