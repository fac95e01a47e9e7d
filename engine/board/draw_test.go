package board

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDraw_asGnubgDrawsIt(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(sharedDir(t), "formats/samples/setup.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(text)) {
		if len(want) > 0 || strings.HasPrefix(line, " +13-") {
			want = append(want, strings.TrimRight(line, " \r\n"))
		}
		if len(want) == DrawLines {
			break
		}
	}
	got := Draw(mustID(t, "bHcGASC2PQCABQ"), "O: Alice", "3 points", "", "", "", "", "7 points match",
		"", "", "", "Rolled 42", "5 points", "X: Bob (Cube: 2)")
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
