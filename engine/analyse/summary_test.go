package analyse

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/reference"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func load(t testing.TB, file string) *record.Match {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := sgf.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// gnubgLimits are the default limits of gnubg 1.07, which made the samples.
var gnubgLimits = Limits{Doubtful: 0.03, Bad: 0.06, VeryBad: 0.12, Lucky: 0.3, VeryLucky: 0.6}

// TestSummarise_agreesWithGnubgsOwnSums feeds gnubg's stored analysis and
// compares with the statistics that gnubg stored beside it.
func TestSummarise_agreesWithGnubgsOwnSums(t *testing.T) {
	for _, name := range []string{"match3-analysed.sgf", "short-analysed.sgf"} {
		t.Run(name, func(t *testing.T) {
			m := load(t, reference.Path(t, "formats", "samples", name))
			s := Summarise(m, nil, gnubgLimits)
			for i := range m.Games {
				if m.Games[i].Statistics == nil {
					t.Fatal("no statistics in the sample")
				}
				for p := range 2 {
					want, got := m.Games[i].Statistics[p], s.Games[i].Players[p].Statistics
					if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 0.0001)); diff != "" {
						t.Errorf("game %d, player %d (-gnubg +ours):\n%s", i, p, diff)
					}
				}
			}
		})
	}
}

// gnubgReport is gnubg's analysis at 0-ply of the matches in testdata/gnubg: the output of
// shared/tools/judge --ply 0 --save.
type gnubgReport []struct {
	File    string `json:"file"`
	Players []struct {
		TotalMoves         int      `json:"total_moves"`
		UnforcedMoves      int      `json:"unforced_moves"`
		CubeDecisions      int      `json:"cube_decisions"`
		CloseCubeDecisions int      `json:"close_cube_decisions"`
		OverallErrorRate   *float64 `json:"overall_error_rate"`
		SnowieErrorRate    *float64 `json:"snowie_error_rate"`
		LuckRate           *float64 `json:"luck_rate"`
		ActualResult       float64  `json:"actual_result"`
		LuckAdjusted       float64  `json:"luck_adjusted_result"`
		Rating             string   `json:"rating"`
		FIBSRating         *float64 `json:"fibs_rating_from_errors"`
	} `json:"players"`
}

// TestSummarise_agreesWithGnubgsReport compares every figure of the report, fed
// with gnubg's own evaluations.
func TestSummarise_agreesWithGnubgsReport(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "gnubg", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rep gnubgReport
	if err := json.Unmarshal(data, &rep); err != nil {
		t.Fatal(err)
	}
	for _, m := range rep {
		t.Run(m.File, func(t *testing.T) {
			rec := load(t, filepath.Join("testdata", "gnubg", m.File))
			s := Summarise(rec, nil, gnubgLimits)
			for p, want := range m.Players {
				// gnubg counts no beaver and charges no one for it or for the answer.
				sums := s.Players[p]
				got, moves := &sums, float64(s.Players[0].Moves+s.Players[1].Moves)
				for _, j := range beaversOf(s, p) {
					sums.Cube[record.WrongTake].Cost.EMG -= j.Loss
					if j.Turn.Action.Kind == record.Double {
						sums.CubeDecisions--
						sums.Close--
						sums.CloseJudged--
					}
				}
				type ints struct{ Moves, Unforced, Cube, Close int }
				if diff := cmp.Diff(ints{want.TotalMoves, want.UnforcedMoves, want.CubeDecisions, want.CloseCubeDecisions},
					ints{got.Moves, got.Unforced, got.CubeDecisions, got.Close}); diff != "" {
					t.Errorf("player %d (-gnubg +ours):\n%s", p, diff)
				}
				near := func(what string, want *float64, got, tol float64) {
					if want != nil && math.Abs(*want-got) > tol {
						t.Errorf("player %d: %s: gnubg %v, ours %v", p, what, *want, got)
					}
				}
				near("errors a decision", want.OverallErrorRate, 1000*got.Rates().PerDecision, 0.01)
				near("Snowie rate", want.SnowieErrorRate, 1000*got.Error().EMG/moves, 0.01)
				near("luck rate", want.LuckRate, 1000*got.Luck.EMG/float64(got.Moves), 0.01)
				near("actual result", &want.ActualResult, s.Actual[p], 0.00001)
				near("luck-adjusted result", &want.LuckAdjusted, s.LuckAdjusted[p], 0.0003)
				near("rating estimate", want.FIBSRating, s.RatingByKind[p], 0.5)
			}
		})
	}
}

// beaversOf are the beavers and raccoons of a player and the answers to such.
func beaversOf(s *Summary, player int) (out []*Judged) {
	s.each(func(j *Judged) {
		kind := j.Turn.Action.Kind
		if j.Turn.Player == player && (j.Turn.Pending > 1 && kind != record.Move || j.Turn.Pending == 1 && kind == record.Double) {
			out = append(out, j)
		}
	})
	return out
}

// TestSums_beavers: a wrong turn of the cube costs the player who turned it, a wrong answer
// the player who answered. dt is the equity of double, take for the first doubler.
func TestSums_beavers(t *testing.T) {
	for _, c := range []struct {
		dt      float64
		turns   string // of the cube after the double: b turns it, t takes, p passes
		want    []float64
		counted int
	}{
		{-0.3, "bt", []float64{0, 0}, 0},       // a right beaver, a right take
		{-0.3, "bp", []float64{0, 1.4}, 1},     // passing -0.6 for -2
		{-1.5, "bt", []float64{0, 1}, 1},       // taking at -3 where a pass costs 2
		{0.4, "bt", []float64{0.4, 0}, 1},      // the beaver doubles what the take loses
		{1.5, "bt", []float64{2, 0}, 1},        // a pass was best: 1, not 3
		{0.4, "bbt", []float64{0.4, 0, 0}, 1},  // a right raccoon
		{-0.3, "bbt", []float64{0, 0.6, 0}, 1}, // a wrong one
		{1.5, "bbt", []float64{2, 0, 2}, 2},    // 6 taken where a pass costs 4
		{1.5, "bbp", []float64{2, 0, 0}, 1},
		{-1.5, "bbt", []float64{0, 4, 0}, 1}, // -6 where a pass costs 2
	} {
		e := cubeEquities{nd: 0, dt: c.dt}
		counted := 0
		for i, kind := range c.turns {
			turn := record.Turn{Action: &record.Action{Kind: record.Take}, Pending: i + 1}
			switch kind {
			case 'b':
				turn.Action.Kind = record.Double
			case 'p':
				turn.Action.Kind = record.Drop
			}
			turn.Player = (i + 1) % 2 // the first doubler is 0
			turn.Action.Player = turn.Player
			if turn.First() != 0 {
				t.Fatalf("%s: turn %d goes back to player 1", c.turns, i)
			}
			loss, _ := e.beaverLoss(&turn)
			if loss > 0 {
				counted++
			}
			if math.Abs(loss-c.want[i]) > 1e-9 {
				t.Errorf("dt %v, %s: turn %d costs %v, want %v", c.dt, c.turns, i+1, loss, c.want[i])
			}
		}
		if counted != c.counted {
			t.Errorf("dt %v, %s: %d errors, want %d", c.dt, c.turns, counted, c.counted)
		}
	}
}

// TestLuckAdjusted_unfinished: a match that is cut off anywhere keeps nearly the luck-adjusted
// result of its last position, however lucky the way there was.
func TestLuckAdjusted_unfinished(t *testing.T) {
	for _, name := range []string{"match3.sgf", "match5.sgf", "session5.sgf"} {
		whole := load(t, filepath.Join("testdata", "gnubg", name))
		s := Summarise(whole, nil, DefaultLimits)
		for _, left := range []int{1, 4, 9} {
			m := *whole
			m.Games = slices.Clone(whole.Games)
			g := &m.Games[len(m.Games)-1]
			k := len(g.Actions) - left
			for g.Actions[k-1].Kind != record.Move {
				k--
			}
			g.Actions, g.Result = g.Actions[:k], record.Result{}
			cut := Summarise(&m, nil, DefaultLimits)
			// The errors of the plays that are cut off are what the two differ by.
			if d := math.Abs(cut.LuckAdjusted[0] - s.LuckAdjusted[0]); !(d < 0.15) || math.Abs(cut.LuckAdjusted[0]+cut.LuckAdjusted[1]) > 1e-9 {
				t.Errorf("%s without its last %d actions: %v, the whole match %v", name, left, cut.LuckAdjusted, s.LuckAdjusted)
			}
			for i := range g.Actions {
				if i == k-1 {
					g.Actions[i].Analysis = nil
				}
			}
			if cut = Summarise(&m, nil, DefaultLimits); !math.IsNaN(cut.LuckAdjusted[0]) {
				t.Errorf("%s with an unjudged last play: %v, want unknown", name, cut.LuckAdjusted)
			}
		}
	}
}
