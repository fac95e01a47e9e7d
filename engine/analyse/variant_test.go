package analyse

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"fibsbot/bearoff"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// variant is a game of a variation with one play of a roll, the first legal one.
func variant(v record.Variation, d board.Dice) *record.Match {
	pl := board.AppendPlays(nil, v.Start(), d)[0]
	return &record.Match{Length: 3, Rules: record.Rules{Variation: v, Crawford: true}, Players: [2]record.Player{{Name: "a"}, {Name: "b"}},
		Games: []record.Game{{Cube: 1, Actions: []record.Action{{Kind: record.Move, Dice: d, Steps: pl.Steps[:pl.N]}}}}}
}

// Variations are judged from their own start: the plays are those that are legal there,
// and the first roll is an opening roll, whose luck averages over the rolls of either side.
func TestAnalyse_variations(t *testing.T) {
	for _, v := range []record.Variation{record.Nackgammon, "Longgammon", record.Backgammon} {
		m := variant(v, board.Dice{A: 6, B: 5})
		var b bytes.Buffer
		if err := sgf.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		m, ws, err := sgf.Read(&b) // the file says which it is
		if err != nil || len(ws) > 0 || m.Rules.Variation != v {
			t.Fatal(err, ws, m.Rules.Variation)
		}
		if _, err := newAnalyst(t).Analyse(t.Context(), m); err != nil {
			t.Fatal(v, err)
		}
		an := m.Games[0].Actions[0].Analysis
		if an == nil || an.Cube != nil || an.Luck == nil {
			t.Fatalf("%s: %+v", v, an)
		}
		legal := board.AppendPlays(nil, v.Start(), board.Dice{A: 6, B: 5})
		for i := range an.Candidates {
			after := record.Apply(v.Start(), an.Candidates[i].Steps)
			found := false
			for k := range legal {
				found = found || legal[k].Result == after
			}
			if !found {
				t.Errorf("%s: candidate %d is not legal at the start", v, i)
			}
		}
	}
}

// hyperAnalyst returns an analyst whose engine has its databases in a folder of its own.
func hyperAnalyst(t *testing.T) (*Analyst, *bearoff.Source) {
	t.Helper()
	src := bearoff.NewSource(bearoff.Options{Cache: t.TempDir()})
	e, err := engine.Open(engine.Options{Bearoff: src, Threads: 1, CacheMB: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	p, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	return New(e.RolloutOptions(), p), src
}

// Without a database a game of three checkers is refused in one line, and keeps what it
// has; of one checker it is analysed by the database, which is made in a moment.
func TestAnalyse_hypergammon(t *testing.T) {
	a, src := hyperAnalyst(t)
	m := variant(record.Hypergammon, board.Dice{A: 3, B: 1})
	_, err := a.Analyse(t.Context(), m)
	if !errors.Is(err, bearoff.ErrNoHyper) || !strings.Contains(err.Error(), "Hypergammon3") || strings.Contains(err.Error(), "\n") || m.Games[0].Actions[0].Analysis != nil {
		t.Errorf("%v", err)
	}
	m = variant("Hypergammon1", board.Dice{A: 6, B: 5})
	m.Length = 0
	if _, err := a.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	db, err := src.Hyper(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := db.Plays(m.Rules.Variation.Start(), board.Dice{A: 6, B: 5}, match.Centred, false)
	if err != nil {
		t.Fatal(err)
	}
	an := m.Games[0].Actions[0].Analysis
	if an == nil || len(an.Candidates) != len(want) || math.Abs(an.Candidates[0].Outcome.Cubeful-want[0].Equity) > 1e-6 || an.Luck == nil {
		t.Errorf("%+v, database %+v", an, want)
	}
}

// By the Egyptian rule the candidates are the plays that it allows.
func TestAnalyse_egyptian(t *testing.T) {
	d := board.Dice{A: 2, B: 1}
	m := variant(record.Backgammon, d)
	m.Rules.Egyptian = true
	legal := (board.Rules{Egyptian: true}).AppendPlays(nil, board.Start, d)
	m.Games[0].Actions[0].Steps = legal[0].Steps[:legal[0].N]
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	m, ws, err := sgf.Read(&b)
	if err != nil || len(ws) > 0 || !m.Rules.Egyptian {
		t.Fatal(err, ws)
	}
	a, _ := hyperAnalyst(t)
	if _, err := a.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Games[0].Actions[0].Analysis.Candidates {
		after := record.Apply(board.Start, c.Steps)
		for i, n := range after.Me[:board.Bar] {
			if n > 5 {
				t.Errorf("%v puts %d checkers on %d", c.Steps, n, i+1)
			}
		}
	}
}

// gnubg 1.08 writes -inf and nan: the figures of such a file are numbers.
func TestSummarise_ofAFileWithInfinities(t *testing.T) {
	text := "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]GS[M:1 1 1 1 0 0 0 0 0 0 1 1 nan inf 0.0 0.0]" +
		"[D:0 0 0 0 1 1 0 0 0 0 -inf -inf 0.1 0.1]\n;W[31hefe]A[0][hefe E ver 3 0.5 0.1 0 0.1 0 0.1 2C 0 1 0.0 1][lkxu E ver 3 nan 0 0 0 0 0 0C 0 1 0.0 1]LU[-inf]\n;B[42qusu]LU[nan])"
	m, _, err := sgf.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	s := Summarise(m, nil, DefaultLimits)
	for p := range s.Players {
		for _, v := range []float64{s.Players[p].Luck.EMG, s.Players[p].Luck.Value, s.Players[p].Error().EMG} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("player %d: %v", p, v)
			}
		}
	}
	if _, err := json.Marshal(m); err != nil {
		t.Error(err)
	}
}
