package analyse

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/xg"
	"fibsbot/internal/reference"
)

// TestPR_agreesWithXG takes the errors that eXtreme Gammon states in its own file, adds
// them up by themselves, and holds PR against them.
func TestPR_agreesWithXG(t *testing.T) {
	data, err := os.ReadFile(reference.Path(t, "formats", "xg-sample", "match7.xg"))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := xg.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var total, plays [2]float64
	for i := range m.Games {
		for turn := range m.Turns(&m.Games[i]) {
			an := turn.Action.Analysis
			if an == nil || an.Stated == nil {
				continue
			}
			for k, v := range []*float64{an.Stated.Play, an.Stated.Double, an.Stated.Answer} {
				if v == nil || k == 0 && turn.Forced {
					continue
				}
				total[turn.Player] += *v
				if k == 0 {
					plays[turn.Player] += *v
				}
			}
		}
	}
	s := Summarise(m, nil, DefaultLimits)
	for p := range 2 {
		x := &s.Players[p]
		if x.Counted < 40 || total[p] == 0 {
			t.Fatalf("player %d: %d decisions, error %v", p, x.Counted, total[p])
		}
		want := 500 * total[p] / float64(x.Counted)
		t.Logf("%s: PR %.3f over %d decisions; by XG's own errors %.3f", m.Players[p].Name, x.PR(), x.Counted, want)
		if math.Abs(x.PR()-want) > 0.02 {
			t.Errorf("player %d: PR %.4f, by XG's own errors %.4f", p, x.PR(), want)
		}
		if c := 500 * plays[p] / float64(x.Unforced); math.Abs(x.CheckerPR()-c) > 0.02 {
			t.Errorf("player %d: PR of plays %.4f, by XG's own errors %.4f", p, x.CheckerPR(), c)
		}
	}
}

func TestPR_countsWhatIsCloseOrWrong(t *testing.T) {
	for _, tt := range []struct {
		name         string
		nd, dt       float64
		double, none bool // is it a decision when the cube is turned, or not
		take, drop   bool
	}{
		{"far from a double", 0.1, -0.3, true, false, false, true},
		{"not far", 0.3, 0.2, true, true, false, true},
		{"a double and a take", 0.6, 0.9, false, true, true, true},
		{"a double, easy", 0.5, 0.75, false, true, false, true},
		{"cash", 0.9, 1.1, true, true, true, true},
		{"easy pass", 0.7, 1.5, false, true, true, false},
		{"too good", 1.3, 1.6, true, false, true, false},
	} {
		e := cubeEquities{nd: tt.nd, dt: tt.dt, dp: 1}
		got := [4]bool{e.countsDouble(true), e.countsDouble(false), e.countsAnswer(true), e.countsAnswer(false)}
		if want := [4]bool{tt.double, tt.none, tt.take, tt.drop}; got != want {
			t.Errorf("%s: %v, want %v", tt.name, got, want)
		}
	}
}

// TestByPhase_sumsToTheWhole: no decision and no loss is lost between the phases, the
// plans, or the games.
// A level is named only from plays and cube together.
func TestSums_gradedOnlyAsAWhole(t *testing.T) {
	for _, c := range []struct {
		name string
		drop func(*record.Analysis)
		want bool
	}{
		{"all", func(*record.Analysis) {}, true},
		{"plays without the cube", func(a *record.Analysis) { a.Cube = nil }, false},
		{"the cube without plays", func(a *record.Analysis) { a.Candidates = nil }, false},
	} {
		m := load(t, filepath.Join("testdata", "gnubg", "match7.sgf"))
		for i := range m.Games {
			for k := range m.Games[i].Actions {
				if a := m.Games[i].Actions[k].Analysis; a != nil {
					c.drop(a)
				}
			}
		}
		x := &Summarise(m, nil, DefaultLimits).Players[0]
		if graded := !math.IsNaN(x.Graded(x.PR())); math.IsNaN(x.PR()) || graded != c.want {
			t.Errorf("%s: PR %.2f, graded %v", c.name, x.PR(), graded)
		}
	}
}

func TestByPhase_sumsToTheWhole(t *testing.T) {
	for _, name := range []string{"match7.sgf", "session5.sgf"} {
		m := load(t, "testdata/gnubg/"+name)
		s := Summarise(m, nil, DefaultLimits)
		phases, plans := s.ByPhase(nil), s.ByPlan(nil)
		for p := range 2 {
			var a, b Tally
			for _, v := range phases[p] {
				a.Decisions, a.Error.EMG, a.Error.Value = a.Decisions+v.Decisions, a.Error.EMG+v.Error.EMG, a.Error.Value+v.Error.Value
			}
			for _, v := range plans[p] {
				b.Decisions, b.Error.EMG, b.Error.Value = b.Decisions+v.Decisions, b.Error.EMG+v.Error.EMG, b.Error.Value+v.Error.Value
			}
			x := s.Players[p]
			for _, v := range []Tally{a, b} {
				if v.Decisions != x.Counted || math.Abs(v.Error.EMG-x.Error().EMG) > 1e-9 || math.Abs(v.Error.Value-x.Error().Value) > 1e-9 {
					t.Errorf("%s, player %d: %+v, the whole %d decisions, %+v", name, p, v, x.Counted, x.Error())
				}
			}
		}
		actual, adjusted := s.GameResults(m, nil)
		var sum, less float64
		for i := range actual {
			sum, less = sum+actual[i], less+adjusted[i]
		}
		if math.Abs(sum-s.Actual[0]) > 0.001 || math.Abs(less-s.LuckAdjusted[0]) > 0.001 {
			t.Errorf("%s: games sum to %v and %v, the match is %v and %v", name, sum, less, s.Actual[0], s.LuckAdjusted[0])
		}
	}
}

func TestPlanOf_knownPositions(t *testing.T) {
	closed := board.Checkers{0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 3}
	for _, tt := range []struct {
		name    string
		me, opp board.Checkers
		rolls   int
		plan    Plan
		phase   Phase
	}{
		{"start", board.Start.Me, board.Start.Opp, 0, OpenPosition, Opening},
		{"race", board.Checkers{7: 5, 5: 5, 4: 5}, board.Checkers{8: 5, 5: 5, 3: 5}, 30, RacePlan, Race},
		{"bear-off", board.Checkers{5: 5, 4: 5}, board.Checkers{8: 5, 5: 5, 3: 5}, 30, RacePlan, Bearoff},
		{"ace-point", board.Checkers{23: 2, 5: 4, 4: 4, 3: 3, 2: 2}, closed, 30, AcePoint, MiddleGame},
		{"back game", board.Checkers{23: 2, 21: 2, 12: 3, 7: 4, 5: 4}, board.Checkers{12: 3, 7: 4, 5: 4, 4: 2, 3: 2}, 20, BackGame, MiddleGame},
		{"holding", board.Checkers{19: 2, 12: 3, 7: 4, 5: 4, 4: 2}, board.Checkers{12: 5, 7: 3, 5: 5, 2: 2}, 20, HoldingGame, MiddleGame},
		{"both hold", board.Checkers{19: 2, 12: 3, 7: 3, 5: 5, 3: 2}, board.Checkers{19: 2, 12: 3, 7: 3, 5: 5, 3: 2}, 20, MutualHolding, MiddleGame},
	} {
		p := board.Position{Me: tt.me, Opp: tt.opp}
		if got := PlanOf(&p); got != tt.plan {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.plan)
		}
		if got := PhaseOf(&p, tt.rolls); got != tt.phase {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.phase)
		}
		if q := p.Swap(); PlanOf(&q) != tt.plan {
			t.Errorf("%s: %v for the other player", tt.name, PlanOf(&q))
		}
	}
}
