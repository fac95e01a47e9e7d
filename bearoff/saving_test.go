package bearoff

import (
	"bufio"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

func TestSource_gammonsAsRolledOut(t *testing.T) {
	f, err := os.Open("testdata/save-gammon.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	src := NewSource(Options{NoCache: true})
	sum, n := 0.0, 0
	for in := bufio.NewScanner(f); in.Scan(); {
		if strings.HasPrefix(in.Text(), "#") {
			continue
		}
		row := strings.Split(in.Text(), "\t")
		s, err := match.ParseSituation(row[0])
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		win, lose := src.Gammons(&s.Position)
		if other, same := src.Gammons(&board.Position{Me: s.Position.Opp, Opp: s.Position.Me}); win >= 0 || same >= 0 || other < lose {
			t.Errorf("%s: wins a gammon %v; the other side on roll wins one %v, loses one %v", row[0], win, other, same)
		}
		off := math.Abs(float64(lose) - want)
		if off > 0.005 {
			t.Errorf("%s: loses a gammon %.4f, rolled out %.4f", row[0], lose, want)
		}
		sum, n = sum+off, n+1
	}
	if mean := sum / float64(n); n < 20 || mean > 0.001 {
		t.Errorf("%d races, mean error %.4f", n, mean)
	}
}

// With checkers outside on the 7 and 8 points the distributions are those of a database of
// eight points.
func TestSaving_againstExactRolls(t *testing.T) {
	testsize.Large(t)
	exact, err := BuildOneSided(context.Background(), 8, 15, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := new(saving)
	r := rand.New(rand.NewPCG(7, 7))
	worst, sum, n := 0.0, 0.0, 0
	for range 2000 {
		var c board.Checkers
		far := 1 + r.IntN(savingOutside)
		for range far {
			c[6+r.IntN(2)]++
		}
		points := 2 + r.IntN(5)
		for range MaxCheckers - far {
			c[r.IntN(points)]++
		}
		got, ok := s.rolls(&c, home15)
		_, want, found := exact.Rolls(&c)
		if !ok || !found {
			t.Fatalf("%v: not known", c)
		}
		// The largest difference of the chances to be off by some roll.
		a, b := 0.0, 0.0
		off := 0.0
		for k := range max(got.Len(), want.Len()) {
			a, b = a+got.At(k), b+want.At(k)
			off = max(off, math.Abs(a-b))
		}
		worst, sum, n = max(worst, off), sum+off, n+1
	}
	if sum/float64(n) > 0.002 || worst > 0.03 {
		t.Errorf("mean error %.4f, worst %.4f", sum/float64(n), worst)
	}
}

func TestSaving_holds(t *testing.T) {
	s := new(saving)
	for name, c := range map[string]board.Checkers{
		"all home":              {5: 15},
		"four outside":          {5: 11, 6: 4},
		"one checker borne off": {5: 12, 7: 2},
		"on the bar":            {5: 14, board.Bar: 1},
		"sixteen":               {5: 14, 6: 2},
		"none":                  {},
	} {
		if _, ok := s.rolls(&c, home15); ok {
			t.Errorf("%s: %v is known", name, c)
		}
	}
	// From the far corner of the board, and behind it.
	if d, ok := s.rolls(&board.Checkers{5: 12, 23: 3}, home15); !ok || d.Mean() < 7 {
		t.Errorf("three on the 24 point: %v, mean %v", ok, d.Mean())
	}
}
