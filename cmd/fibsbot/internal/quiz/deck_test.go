package quiz

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// judged is a match of one game whose opening play gave up 0.3.
func judged() *record.Match {
	m := &record.Match{Players: [2]record.Player{{Name: "bob"}, {Name: "Anna"}}, Length: 5, Rules: record.Rules{Crawford: true}, Date: "2026-01-02"}
	steps := func(a ...int8) (s []board.Step) {
		for i := 0; i < len(a); i += 2 {
			s = append(s, board.Step{From: a[i] - 1, To: a[i+1] - 1})
		}
		return s
	}
	best := record.Candidate{Steps: steps(8, 5, 6, 5), Outcome: record.Outcome{Cubeful: 0.2}}
	bad := record.Candidate{Steps: steps(13, 10, 10, 9), Outcome: record.Outcome{Cubeful: -0.1}}
	m.Games = []record.Game{{Cube: 1, Actions: []record.Action{{Kind: record.Move, Player: 1, Dice: board.Dice{A: 3, B: 1}, Steps: bad.Steps,
		Analysis: &record.Analysis{Candidates: []record.Candidate{best, bad}, Played: 1}}}}}
	m.Settle()
	analyse.Annotate(m, nil, analyse.DefaultLimits)
	return m
}

func newDeck(t *testing.T) (*Deck, *time.Time, string) {
	t.Helper()
	dir := t.TempDir()
	db, err := index.Open(context.Background(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Import(context.Background(), judged(), index.Meta{}); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)
	file := filepath.Join(dir, "quiz.json")
	d, err := Open(db, file, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	return d, &now, file
}

func TestDeck_asksAgainLaterAndLater(t *testing.T) {
	ctx := context.Background()
	d, now, file := newDeck(t)
	q, tally, err := d.Next(ctx, Filter{Who: []string{"anna"}})
	if err != nil || q == nil || tally.Questions != 1 || tally.Due != 1 {
		t.Fatalf("%+v, %+v, %v", q, tally, err)
	}
	if q.Kind != Play || q.Player != "Anna" || q.Situation.Dice != (board.Dice{A: 3, B: 1}) || q.Loss < 0.29 || q.Loss > 0.31 {
		t.Errorf("question %+v", q)
	}
	if other, _, err := d.Next(ctx, Filter{Who: []string{"bob"}}); err != nil || other != nil {
		t.Errorf("bob made no error: %+v, %v", other, err)
	}
	for _, account := range []string{"Bob", "Anna", "Bob", "Anna"} { // mine, by the account of the match
		want := account == "Anna"
		if err := d.db.List(ctx, index.Filter{}, func(m *index.Match) error {
			_, err := d.db.SetAccount(ctx, m, account)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if mine, _, err := d.Next(ctx, Filter{Mine: true}); err != nil || (mine != nil) != want {
			t.Errorf("errors of the account %s: %+v, %v", account, mine, err)
		}
	}
	for i, want := range []time.Duration{24 * time.Hour, 3 * 24 * time.Hour, 8 * 24 * time.Hour} {
		c, err := d.Answered(q.ID, true)
		if err != nil || c.Due.Sub(*now) != want {
			t.Errorf("right answer %d: back in %v, want %v, %v", i+1, c.Due.Sub(*now), want, err)
		}
		if again, _, _ := d.Next(ctx, Filter{}); again != nil {
			t.Error("asked again at once")
		}
		*now = now.Add(want)
		if again, _, _ := d.Next(ctx, Filter{}); again == nil {
			t.Error("not asked when it was due")
		}
	}
	if c, err := d.Answered(q.ID, false); err != nil || c.Due.Sub(*now) != 10*time.Minute || c.Asked != 4 || c.Right != 3 {
		t.Errorf("wrong answer: %+v, %v", c, err)
	}
	back, err := Open(d.db, file, d.now)
	if err != nil || back.cards[q.ID] != d.cards[q.ID] {
		t.Errorf("read again: %+v, %v", back, err)
	}
	if _, err := d.Find(ctx, "nothing"); !errors.Is(err, ErrUnknown) {
		t.Errorf("no such question: %v", err)
	}
}

func TestOpen_leavesADamagedRecordAlone(t *testing.T) {
	d, _, file := newDeck(t)
	if err := os.WriteFile(file, []byte(`{"half":`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(d.db, file, nil); !errors.Is(err, ErrFile) {
		t.Errorf("%v", err)
	}
	if data, _ := os.ReadFile(file); string(data) != `{"half":` {
		t.Errorf("it is now %q", data)
	}
}

// The same checkers in a game of other rules are another question, judged by its rules.
func TestQuestions_haveTheRulesOfTheirMatch(t *testing.T) {
	m := judged()
	plain := Questions(m, "1", "", 0)
	m.Rules.Egyptian = true
	other := Questions(m, "2", "", 1)
	if len(plain) != 1 || len(other) != 1 || plain[0].ID == other[0].ID || plain[0].Rules != (board.Rules{}) || other[0].Rules != (board.Rules{Egyptian: true}) {
		t.Errorf("%+v\n%+v", plain, other)
	}
}

// A match that cannot be read when the index names it is read later.
func TestDeck_readsAgainWhatItCouldNot(t *testing.T) {
	ctx := context.Background()
	d, _, file := newDeck(t)
	var found string
	if err := d.db.List(ctx, index.Filter{}, func(m *index.Match) error {
		found = filepath.Join(filepath.Dir(file), m.File)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(found, file+".away"); err != nil {
		t.Fatal(err)
	}
	if q, _, err := d.Next(ctx, Filter{}); err != nil || q != nil {
		t.Fatalf("%+v, %v", q, err)
	}
	if err := os.Rename(file+".away", found); err != nil {
		t.Fatal(err)
	}
	if q, _, err := d.Next(ctx, Filter{}); err != nil || q == nil {
		t.Errorf("no question once the file is there: %v", err)
	}
}
