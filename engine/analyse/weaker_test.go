package analyse

import (
	"bytes"
	"path/filepath"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"
)

// thinking returns a match whose player 0 searched that many plies while playing.
func thinking(t *testing.T, plies int) *record.Match {
	t.Helper()
	m := load(t, filepath.Join("testdata", "gnubg", "match3.sgf"))
	m.Judge = record.Provenance{}
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			act := &m.Games[i].Actions[k]
			if act.Player != 0 || act.Analysis == nil {
				act.Analysis = nil
				continue
			}
			act.Analysis.Own, act.Analysis.Luck, act.Analysis.Played = true, nil, 0
			for c := range act.Analysis.Candidates {
				act.Analysis.Candidates[c].Settings.Plies = plies
			}
		}
	}
	return m
}

// A judge does not judge a player who searched as deep, nor replace what that player thought;
// a deeper one judges both. The mark of a player lasts until then.
func TestAnalyst_weaker(t *testing.T) {
	testsize.Medium(t)
	a := newAnalyst(t)
	a.Judge.Program = "fibsbot test"
	a.Weaker = true
	for _, c := range []struct {
		plies  int
		errs   bool // on purpose
		judged bool
	}{{0, false, false}, {2, false, false}, {2, true, true}} {
		m := thinking(t, c.plies)
		if c.errs {
			for _, act := range m.Games[0].Actions {
				if an := act.Analysis; an != nil && len(an.Candidates) > 1 {
					an.Played = 1
				}
			}
		}
		s, err := a.Analyse(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // again after a file was written and read
			if s.Players[0].Known() != c.judged || !s.Players[1].Known() || !s.Players[0].LuckKnown() || m.Judge.SameDepth[0] == c.judged {
				t.Errorf("%d plies: player 0 judged %v, luck known %v, player 1 judged %v, mark %v", c.plies, s.Players[0].Known(), s.Players[0].LuckKnown(), s.Players[1].Known(), m.Judge.SameDepth)
			}
			var b bytes.Buffer
			if err := sgf.Write(&b, m); err != nil {
				t.Fatal(err)
			}
			all, _, err := sgf.ReadAll(&b)
			if err != nil {
				t.Fatal(err)
			}
			m = all[0]
			s = Summarise(m, nil, DefaultLimits)
		}
		if c.judged {
			continue
		}
		if w, err := a.Prepare(t.Context(), m); err != nil || w.Pieces() > 0 {
			t.Errorf("%d plies: %d pieces are due again, %v", c.plies, w.Pieces(), err)
		}
		all := *a
		all.Weaker = false
		for range 2 { // the second time the thoughts are replaced
			if s, err = all.Analyse(t.Context(), m); err != nil || !s.Players[0].Known() || !m.Judge.SameDepth[0] {
				t.Errorf("%d plies: judged %v, mark %v, %v", c.plies, s.Players[0].Known(), m.Judge.SameDepth, err)
			}
			all.Again = true
		}
		deeper := all
		deeper.Checker.Plies, deeper.Skip = 3, Skip{Cube: true, Luck: true}
		if got := deeper.sameDepth(m); got != [2]bool{} {
			t.Errorf("%d plies: mark %v after a deeper analysis", c.plies, got)
		}
	}
}
