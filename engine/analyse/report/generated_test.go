package report

import (
	"bytes"
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/formats"
	"fibsbot/internal/testsize"
)

// TestJSON_agreesOfGenerated: the same for generated matches with analyses of every kind, full,
// partial and missing, written in the formats of whole matches and read again. FIBSBOT_REPORT_LOOP sets the
// number of matches.
func TestJSON_agreesOfGenerated(t *testing.T) {
	brief := testsize.Sample(t)
	seeds := 30
	if brief {
		seeds = 6
	}
	if text := os.Getenv("FIBSBOT_REPORT_LOOP"); text != "" {
		var err error
		if seeds, err = strconv.Atoi(text); err != nil {
			t.Fatalf("FIBSBOT_REPORT_LOOP: %v", err)
		}
	}
	compared := 0
	for seed := range uint64(seeds) {
		m := generated(rand.New(rand.NewPCG(seed, 7)))
		for _, name := range []string{"sgf", "mat", "gnubg-mat", "snowie", "oldmoves"} {
			f, err := formats.Find(formats.Written, name, "")
			if err != nil {
				t.Fatal(err)
			}
			kept := []*record.Match{m}
			if name == "sgf" { // which alone has analyses
				kept = append(kept, analyse.Bare(m))
			}
			for _, m := range kept {
				var b bytes.Buffer
				if err := f.Write(&b, m); err != nil {
					t.Fatalf("seed %d, %s: %v", seed, f.Name, err)
				}
				list, _, _, err := detect.Read(&b)
				if err != nil {
					t.Fatalf("seed %d, %s: %v", seed, f.Name, err)
				}
				for _, m := range list {
					agree(t, m, analyse.Summarise(m, nil, analyse.DefaultLimits))
					compared++
				}
				if t.Failed() {
					t.Fatalf("seed %d, %s", seed, f.Name)
				}
			}
		}
	}
	if compared < 6*seeds {
		t.Errorf("only %d files were compared", compared)
	}
}

// generated makes a match of random plays with a made-up analysis; the same r gives the same.
func generated(r *rand.Rand) *record.Match {
	m := &record.Match{Length: []int{0, 1, 3, 5, 7}[r.IntN(5)]}
	m.Players[0].Name, m.Players[1].Name = "anna", "bob"
	if m.Rules.Crawford = m.Length > 0; m.Length == 0 {
		m.Rules.Jacoby, m.Rules.Beavers = r.IntN(2) == 0, r.IntN(3)
	}
	var score [2]int
	crawford := false
	for n := 0; n < 4 && (m.Length == 0 || max(score[0], score[1]) < m.Length); n++ {
		g := record.Game{Number: n, Score: score}
		if m.Length > 1 && !crawford && max(score[0], score[1]) == m.Length-1 {
			g.Crawford, crawford = true, true
		}
		randomPlay(r, m, &g)
		score[g.Result.Winner] += g.Result.Points
		m.Games = append(m.Games, g)
	}
	m.Settle()
	kind := r.IntN(6)
	for i := range m.Games {
		for t := range m.Turns(&m.Games[i]) {
			madeUp(r, m, &t, kind)
		}
	}
	return m
}

// randomPlay fills g with up to 80 actions, and a resignation if no one has won by then.
func randomPlay(r *rand.Rand, m *record.Match, g *record.Game) {
	now, on := record.NewReplay(m, g), r.IntN(2)
	next := func(a record.Action) {
		g.Actions = append(g.Actions, a)
		now.Next()
	}
	for len(g.Actions) < 80 {
		p, st := now.Position(on), now.State(on)
		if len(g.Actions) > 0 && st.MayDouble() && !st.DeadCube() && r.IntN(10) == 0 {
			next(record.Action{Kind: record.Double, Player: on})
			if r.IntN(4) == 0 {
				g.Result = record.Result{Winner: on, Points: max(st.Cube, 1)}
				next(record.Action{Kind: record.Drop, Player: 1 - on})
				return
			}
			next(record.Action{Kind: record.Take, Player: 1 - on})
		}
		d := board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}
		if len(g.Actions) == 0 && d.Double() {
			continue
		}
		a := record.Action{Kind: record.Move, Player: on, Dice: d}
		if plays := board.AppendPlays(nil, p, d); len(plays) > 0 {
			pl := plays[r.IntN(len(plays))]
			a.Steps = pl.Steps[:pl.N:pl.N]
			if n := pl.Result.Result(); n != 0 {
				next(a)
				g.Result = record.Result{Winner: on, Points: n * max(st.Cube, 1)}
				return
			}
		}
		next(a)
		on = 1 - on
	}
	g.Result = record.Result{Winner: on, Points: max(now.State(on).Cube, 1), Resigned: true}
}

// madeUp gives an action an analysis. kind chooses which parts are missing: none, luck, cube,
// plays, a third of all decisions, or everything of one player.
func madeUp(r *rand.Rand, m *record.Match, t *record.Turn, kind int) {
	value := func() float64 { return math.Round(2e4*(r.Float64()-0.5)) / 1e4 }
	if kind == 4 && r.IntN(3) == 0 || kind == 5 && t.Player == 0 {
		return
	}
	probs := [5]float64{0.5, 0.1, 0.01, 0.2, 0.02}
	set := record.Settings{Plies: 2, Cubeful: true, Deterministic: true}
	an := &record.Analysis{Played: -1}
	cube := func() {
		an.Cube = &record.CubeAnalysis{Settings: set, NoDouble: record.Outcome{Probs: probs, Cubeful: value()}, DoubleTake: record.Outcome{Probs: probs, Cubeful: value()}}
		if m.Length > 0 { // winning chances
			an.Cube.NoDouble.Cubeful, an.Cube.DoubleTake.Cubeful = r.Float64(), r.Float64()
		}
	}
	if t.Action.Kind != record.Move {
		if cube(); kind == 2 {
			return
		}
		t.Action.Analysis = an
		return
	}
	if kind != 2 && t.State.MayDouble() && t.Index > 0 {
		cube()
	}
	if luck := value() / 3; kind != 1 {
		an.Luck = &luck
	}
	plays := board.AppendPlays(nil, t.Position, t.Action.Dice)
	for k := 0; k < min(4, len(plays)) && kind != 3; k++ {
		pl := plays[k]
		if k == 0 && t.Play.Result != pl.Result {
			pl = t.Play
		} else if k > 0 && pl.Result == t.Play.Result {
			continue
		}
		an.Candidates = append(an.Candidates, record.Candidate{Steps: pl.Steps[:pl.N:pl.N], Settings: set, Outcome: record.Outcome{Probs: probs, Cubeful: value()}})
	}
	slices.SortStableFunc(an.Candidates, func(x, y record.Candidate) int { return cmp.Compare(y.Outcome.Cubeful, x.Outcome.Cubeful) })
	an.Played = slices.IndexFunc(an.Candidates, func(c record.Candidate) bool { return record.Apply(t.Position, c.Steps) == t.Play.Result })
	t.Action.Analysis = an
}
