package advice

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/bearoff"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

// The databases' answers about a race agree with each other: exact equities, the rolls of
// both sides, the plays of a roll.
func TestBearoffOf(t *testing.T) {
	testsize.Medium(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	src := bearoff.NewSource(bearoff.Options{})
	defer src.Close()
	sit, err := match.ParseSituation("LwAAwDwBAAAAAA")
	if err != nil {
		t.Fatal(err)
	}
	sit.Dice = board.Dice{A: 1, B: 2}
	v, ok := BearoffOf(src, sit)
	if !ok || v.Exact || v.Equities != nil || v.OnRoll == nil || v.Opponent == nil || v.Best == nil {
		t.Fatalf("%+v, %v", v, ok)
	}
	if v.Best.Dice != [2]int{2, 1} || v.Best.Move == v.Best.Quickest || v.Best.Win <= v.Best.QuickWin {
		t.Errorf("far behind the slower play wins more often: %+v", v.Best)
	}
	var sum float64
	for _, p := range v.OnRoll.Rolls {
		sum += p
	}
	if math.Abs(sum-1) > 1e-3 || v.OnRoll.Pips != sit.Position.Me.Pips() || v.OnRoll.EPC <= float64(v.OnRoll.Pips) {
		t.Errorf("the side on roll: chances add up to %v, %d pips, EPC %v", sum, v.OnRoll.Pips, v.OnRoll.EPC)
	}
	text := v.Text()
	for _, want := range []string{"from one-sided distributions", "21: 5/3 1/off wins 11.789 %; 3/off is quicker", "Kleinman: wins "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	// Six checkers a side: exact, with equities whose order is that of the cube.
	small, err := match.ParseSituation("XGID=-CB--------------------bc-:0:0:1:00:0:0:0:0:10")
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := BearoffOf(src, small); !ok || !v.Exact || v.Equities == nil || v.Equities.Owned < v.Equities.Centred || v.Equities.Centred < v.Equities.OppOwned {
		t.Errorf("equities: %+v", v.Equities)
	}
	if _, ok := BearoffOf(src, match.Situation{Position: board.Start}); ok {
		t.Error("the start position is in a bearoff database")
	}
}

func TestHyperOf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hyper.bearoff")
	if _, err := bearoff.Build(context.Background(), bearoff.BuildOptions{Kind: bearoff.KindHyper, Points: 25, Checkers: 1, Path: path}); err != nil {
		t.Fatal(err)
	}
	db, err := bearoff.OpenHyper(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	parse := func(text string) match.Situation {
		sit, err := match.ParseSituation(text)
		if err != nil {
			t.Fatal(err)
		}
		return sit
	}
	sure := parse("XGID=-Aa-----------------------:0:0:1:21:0:0:0:0:10")
	v, err := HyperOf(db, sure)
	if err != nil || v.Probs != [5]float32{1, 1, 1, 0, 0} || v.Centred != 3 || v.Jacoby != 1 || v.Cube.Action != "too_good_pass" || len(v.Moves) == 0 || v.Moves[0].Diff != 0 {
		t.Errorf("a sure backgammon: %+v, %v", v, err)
	}
	if text := v.Text(sure.State); !strings.Contains(text, "hypergammon with 1 checkers, exact") || !strings.Contains(text, "  1. 1/off") {
		t.Errorf("text:\n%s", text)
	}
	for name, text := range map[string]string{
		"a match":        "XGID=-Aa-----------------------:0:0:1:00:0:0:0:5:10",
		"three checkers": "AACgAgAAKgAAAA",
	} {
		if _, err := HyperOf(db, parse(text)); !errors.Is(err, ErrHyper) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Equities and chances are each other's inverse, standard errors as well.
func TestConversion(t *testing.T) {
	s := match.State{Length: 7, Score: [2]int{3, 5}, Cube: 2, Owner: match.Mine}
	c := NewConversion(match.DefaultTable(), s)
	stderr := 0.01
	v := c.AddEquity(0.25, &stderr)
	back := c.AddChance(v.MWC, v.MWCErr)
	if math.Abs(back.Equity-0.25) > 1e-12 || math.Abs(*back.EquityErr-stderr) > 1e-12 || !v.Possible() {
		t.Errorf("%+v came back as %+v", v, back)
	}
	if sure := c.AddEquity(9, nil); sure.Possible() || sure.MWCErr != nil {
		t.Errorf("an equity of 9: %+v", sure)
	}
	if c.AddEquity(1, nil).MWC != c.Win || c.AddEquity(-1, nil).MWC != c.Lose || c.Owner != "me" || len(c.Values) != 5 {
		t.Errorf("%+v", c)
	}
	if text := c.Text(); !strings.HasPrefix(text, "3-5 to 7, cube 2, Kazaross") || strings.Count(text, "\n") != 6 {
		t.Errorf("text:\n%s", text)
	}
	m := MatchTableOf(match.DefaultTable(), 3)
	if len(m.Pre) != 3 || len(m.Pre[2]) != 3 || m.Pre[1][1] != 0.5 || m.Pre[0][2]+m.Pre[2][0] != 1 || m.Post[0] != 0.5 {
		t.Errorf("%+v", m)
	}
	if strings.Count(m.Text(), "\n") != 6 {
		t.Errorf("text:\n%s", m.Text())
	}
}
