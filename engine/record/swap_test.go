package record_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

// A match whose players are exchanged is the same match from the other side, and comes back.
func TestSwapped(t *testing.T) {
	testsize.Medium(t)
	for _, file := range recordtest.Samples(t, "*.sgf") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := sgf.Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		s := m.Swapped()
		if diff := cmp.Diff(m, s.Swapped()); diff != "" {
			t.Errorf("%s comes back otherwise:\n%s", filepath.Base(file), diff)
		}
		if s.Players[0] != m.Players[1] || s.FinalScore() != [2]int{m.FinalScore()[1], m.FinalScore()[0]} {
			t.Errorf("%s: %v %v", filepath.Base(file), s.Players, s.FinalScore())
		}
		for i := range m.Games {
			a, b := record.NewReplay(m, &m.Games[i]), record.NewReplay(s, &s.Games[i])
			for {
				x, ok := a.Next()
				if !ok {
					break
				}
				y, _ := b.Next()
				if x.Player == y.Player || x.Position != y.Position || x.State != y.State || x.Legal != y.Legal || x.Play.Result != y.Play.Result {
					t.Fatalf("%s, game %d, action %d: %+v, want %+v", filepath.Base(file), i+1, x.Index+1, y, x)
				}
			}
		}
	}
}
