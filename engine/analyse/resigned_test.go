package analyse

import (
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// played reads a match of one game in the .mat format.
func played(t *testing.T, length int, lines ...string) *record.Match {
	t.Helper()
	text := strings.ReplaceAll(" N point match\n\n Game 1\n anna : 0                         bert : 0\n", "N", string(rune('0'+length)))
	m, _, err := mat.Read(strings.NewReader(text + strings.Join(lines, "\n") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// again is m written and read as .sgf.
func again(t *testing.T, m *record.Match) *record.Match {
	t.Helper()
	var b strings.Builder
	if err := sgf.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	got, warnings, err := sgf.Read(strings.NewReader(b.String()))
	if err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	return got
}

// TestAnalyse_resignations: who resigns too early gives up what playing on was worth, who
// accepts too little the rest; the dice on the table count.
func TestAnalyse_resignations(t *testing.T) {
	opening := []string{"  1) 31: 8/5 6/5                  43: 13/9 13/10"}
	for name, c := range map[string]struct {
		length int
		lines  []string
		player int // who errs
		loss   [2]float64
	}{
		// Anna leads a little; Bert gives the match away.
		"too early":       {1, append(opening, "  2) 42: 8/4 6/4                 ", "      Wins 1 point"), 1, [2]float64{0.3, 1}},
		"after the roll":  {1, append(opening, "  2) 42: 8/4 6/4                  55: ", "      Wins 1 point"), 1, [2]float64{0.6, 1.5}},
		"a cheap gammon":  {0, append(opening, "  2) 42: 8/4 6/4                 ", "      Wins 2 points"), 1, [2]float64{1.3, 2.2}},
		"on a poor offer": {0, append(opening, "  2) 42: 8/4 6/4                 ", "      Wins 3 points"), 1, [2]float64{2.3, 3.2}},
	} {
		t.Run(name, func(t *testing.T) {
			m := played(t, c.length, c.lines...)
			g := &m.Games[0]
			g.EndUnknown = false
			s, err := newAnalyst(t).Analyse(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			v := s.Games[0].Resignation
			if v == nil || v.Player != c.player || v.Loss < c.loss[0] || v.Loss > c.loss[1] {
				t.Fatalf("%+v, want player %d, loss within %v", v, c.player, c.loss)
			}
			x := &s.Players[c.player]
			if x.Resignations.Count != 1 || x.Resignations.Cost.EMG < v.Loss-1e-9 {
				t.Errorf("%+v", x.Resignations)
			}
			// PR is that of plays and cube decisions alone.
			g.EndUnknown = true
			other := Summarise(m, nil, DefaultLimits)
			if y := &other.Players[c.player]; other.Games[0].Resignation != nil || y.Resignations.Count != 0 || y.PR() != x.PR() || y.Error() != x.Error() || y.Judged() != x.Judged() {
				t.Errorf("an end of unknown kind: %+v, PR %v and %v", y.Resignations, x.PR(), y.PR())
			}
			if n := len(newAnalyst(t).due(m)); n != 0 {
				t.Errorf("%d decisions are due where no one is known to have resigned", n)
			}
			g.EndUnknown = false
			if n := len(newAnalyst(t).due(m)); n != 0 {
				t.Errorf("%d decisions are due again", n)
			}
			stored := Summarise(again(t, m), nil, DefaultLimits)
			if diff := cmp.Diff(v, stored.Games[0].Resignation, cmpopts.EquateApprox(0, 1e-5)); diff != "" {
				t.Errorf("(-analysed +read again)\n%s", diff)
			}
		})
	}
}

// TestResignation_acceptedTooCheaply: a single game accepted where more was sure is the
// error of who accepted.
func TestResignation_acceptedTooCheaply(t *testing.T) {
	m := played(t, 0, "  1) 31: 8/5 6/5                  43: 13/9 13/10", "  2) 42: 8/4 6/4                 ", "      Wins 1 point")
	g := &m.Games[0]
	g.EndUnknown = false
	last := &g.Actions[len(g.Actions)-1]
	last.Analysis = &record.Analysis{Played: -1, Resigned: &record.Resigned{PlayOn: -1.4, Given: -1}}
	s := Summarise(m, nil, DefaultLimits)
	if v := s.Games[0].Resignation; v == nil || v.Player != 0 || v.Loss < 0.399 || v.Loss > 0.401 || v.Mark != record.VeryBad {
		t.Fatalf("%+v", v)
	}
	if s.Players[0].Resignations.Count != 1 || s.Players[1].Resignations.Count != 0 {
		t.Error("the error is not that of who accepted")
	}
}

// TestOwn_judgesNothing: what a player thought while playing is shown, not counted, and an
// analysis judges the decision all the same, also where another part is switched off.
func TestOwn_judgesNothing(t *testing.T) {
	testsize.Medium(t)
	m := strip(load(t, "testdata/gnubg/match3.sgf"))
	m.Games = m.Games[:1]
	bare := again(t, m)
	full := newAnalyst(t)
	if _, err := full.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	want := Summarise(m, nil, DefaultLimits)
	for i := range m.Games[0].Actions {
		if a := m.Games[0].Actions[i].Analysis; a != nil {
			a.Own, a.Luck = true, nil
			if a.Played > 0 { // the player took its play for the best
				a.Candidates[0].Outcome.Cubeful = a.Candidates[a.Played].Outcome.Cubeful
			}
		}
	}
	own := again(t, m)
	s := Summarise(own, nil, DefaultLimits)
	if x := &s.Players[0]; x.Known() || x.LuckKnown() || x.Counted != 0 {
		t.Errorf("an opinion is a judgement: %+v", x)
	}
	for name, skip := range map[string]Skip{"all": {}, "plays alone": {Cube: true}, "cube alone": {Checker: true}} {
		t.Run(name, func(t *testing.T) {
			judge := newAnalyst(t)
			judge.Skip = skip
			m, n := again(t, own), again(t, bare)
			got, err := judge.Analyse(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			other, err := judge.Analyse(t.Context(), n)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(other.Players, got.Players, cmpopts.EquateApprox(0, 1e-4)); diff != "" {
				t.Errorf("(-without opinions +with)\n%s", diff)
			}
			if x := &got.Players[0]; skip == (Skip{}) && cmp.Diff(want.Players[0], *x, cmpopts.EquateApprox(0, 1e-4)) != "" {
				t.Errorf("%+v", x)
			}
		})
	}
}
