package board

import (
	"os"
	"strings"
	"testing"

	"fibsbot/internal/reference"

	"github.com/google/go-cmp/cmp"
)

// boardIn returns the nth board of a text export of gnubg.
func boardIn(t *testing.T, name string, n int) []string {
	t.Helper()
	text, err := os.ReadFile(reference.Path(t, "formats/samples", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, " \r\n")
		edge := strings.HasPrefix(line, " +13-") || strings.HasPrefix(line, " +12-")
		if len(out) == 0 && !edge {
			continue
		}
		if out = append(out, line); len(out) == DrawLines {
			if n--; n == 0 {
				return out
			}
			out = nil
		}
	}
	t.Fatalf("%s has fewer boards", name)
	return nil
}

func TestDraw_asGnubgDrawsIt(t *testing.T) {
	want := boardIn(t, "setup.txt", 1)
	got := Draw(mustID(t, "bHcGASC2PQCABQ"), "O: Alice", "3 points", "", "", "", "", "7 points match",
		"", "", "", "Rolled 42", "5 points", "X: Bob (Cube: 2)")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDrawAbove_asGnubgDrawsIt(t *testing.T) {
	want := boardIn(t, "short-analysed.txt", 3)
	got := DrawAbove(mustID(t, "4HPiQSDgc/AFIA"), "O: Alice", "0 points", "Rolled 62", "", "", "", "(Cube: 2)",
		"", "", "", "", "0 points", "X: Bob")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDraw_highStacksShowTheirCount(t *testing.T) {
	p := Position{Me: Checkers{0: 12, Bar: 3}, Opp: Checkers{0: 6}}
	want := []string{
		" +13-14-15-16-17-18------19-20-21-22-23-24-+",
		" |                  |   |                O | OO",
		" |                  |   |                O | OO",
		" |                  |   |                O | OO",
		" |                  |   |                O | OO",
		" |                  |   |                6 | O",
		"v|                  |BAR|                  |",
		" |                  |   |               12 |",
		" |                  |   |                X |",
		" |                  | X |                X |",
		" |                  | X |                X |",
		" |                  | X |                X |",
		" +12-11-10--9--8--7-------6--5--4--3--2--1-+",
	}
	if diff := cmp.Diff(want, Draw(p)); diff != "" {
		t.Error(diff)
	}
}
