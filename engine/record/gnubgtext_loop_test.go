package record_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestGnubgText_equalPlies has gnubg export matches as text, which are read back with the
// same plies, scores, results and comments and without a warning: whole matches whose files
// are joined, and each game alone. FIBSBOT_GNUBG_LOOP is how many matches, FIBSBOT_GNUBG_SEED
// another series.
func TestGnubgText_equalPlies(t *testing.T) {
	testsize.Medium(t)
	n, seed := 6, uint64(1)
	if v, err := strconv.Atoi(os.Getenv("FIBSBOT_GNUBG_LOOP")); err == nil {
		n = v
	}
	if v, err := strconv.ParseUint(os.Getenv("FIBSBOT_GNUBG_SEED"), 10, 64); err == nil {
		seed = v
	}
	games, acts := 0, 0
	for from := 0; from < n && !t.Failed(); from += 40 {
		k, a := gnubgTextRound(t, seed, from, min(n, from+40))
		games, acts = games+k, acts+a
	}
	t.Logf("%d matches, %d games, %d actions", n, games, acts)
}

// textOptions are settings of gnubg's export that leave something out.
var textOptions = []string{
	"", "", "set export show board 0\n", "set export show board 5\n", "set export include statistics off\n",
	"set export include matchinfo off\n", "set export moves display bad off\n",
}

func gnubgTextRound(t *testing.T, seed uint64, from, to int) (games, acts int) {
	t.Helper()
	dir := t.TempDir()
	var commands strings.Builder
	commands.WriteString("set confirm new off\nset confirm save off\nset analysis chequerplay evaluation plies 0\nset analysis cubedecision evaluation plies 0\n")
	var all []*record.Match
	for i := from; i < to; i++ {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		m := rapid.Custom(randomMatch).Example(int(seed)*1_000_000 + i)
		if i%2 > 0 {
			m = longMatch(rng)
		}
		told(rng, m)
		in := filepath.Join(dir, fmt.Sprintf("%d.sgf", i))
		var b bytes.Buffer
		if err := sgf.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(in, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&commands, "load match %s\n", in)
		if i%8 == 0 {
			fmt.Fprintf(&commands, "analyse match\nsave match %s.analysed\n", in)
		}
		fmt.Fprintf(&commands, "%sexport match text %s\n", textOptions[rng.IntN(len(textOptions))], filepath.Join(dir, fmt.Sprintf("m%d-.txt", i)))
		commands.WriteString("set export show board 1\nset export include statistics on\nset export include matchinfo on\nset export moves display bad on\n")
		all = append(all, m)
	}
	printed := recordtest.RunGnubg(t, commands.String())
	for k, want := range all {
		files, err := filepath.Glob(filepath.Join(dir, fmt.Sprintf("m%d-*.txt", from+k)))
		if err != nil || len(files) != len(want.Games) {
			t.Errorf("match %d: %d files %v\n%.2000s", from+k, len(files), err, printed)
			continue
		}
		sort.Slice(files, func(i, j int) bool {
			return len(files[i]) < len(files[j]) || len(files[i]) == len(files[j]) && files[i] < files[j]
		})
		var joined strings.Builder
		for n, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			joined.Write(text)
			got := gnubgText(t, fmt.Sprintf("match %d, game %d", from+k, n+1), string(text))
			if got == nil {
				continue
			}
			one := *want
			one.Games = want.Games[n : n+1]
			sameText(t, fmt.Sprintf("match %d, game %d", from+k, n+1), &one, got, string(text))
		}
		if got := gnubgText(t, fmt.Sprintf("match %d", from+k), joined.String()); got != nil {
			sameText(t, fmt.Sprintf("match %d", from+k), want, got, joined.String())
			if text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.sgf.analysed", from+k))); err == nil {
				judged, _, err := sgf.Read(bytes.NewReader(text))
				if err != nil {
					t.Fatal(err)
				}
				sameAnalysis(t, fmt.Sprintf("match %d", from+k), judged, got)
			}
		}
		games += len(want.Games)
		for i := range want.Games {
			acts += len(want.Games[i].Actions)
		}
	}
	return games, acts
}

// longMatch plays games to their end, with a double now and then.
func longMatch(rng *rand.Rand) *record.Match {
	m := &record.Match{Length: pick(rng, 0, 1, 3, 5, 7), Rules: record.Rules{Crawford: true}}
	if m.Length == 0 {
		m.Rules = record.Rules{Jacoby: true, Beavers: 3}
	}
	state := match.State{Length: m.Length, Cube: 1, Jacoby: m.Rules.Jacoby}
	for len(m.Games) < 9 && !state.Finished() && (m.Length > 0 || len(m.Games) < 2) {
		m.Games = append(m.Games, record.Game{Number: len(m.Games), Score: state.Score, Crawford: state.Crawford, Cube: 1})
		g := &m.Games[len(m.Games)-1]
		r := record.NewReplay(m, g)
		player := rng.IntN(2)
		for points := 0; points == 0; player = 1 - player {
			if len(g.Actions) > 0 && r.State(player).MayDouble() && r.State(player).Cube < 8 && rng.IntN(40) == 0 {
				g.Actions = append(g.Actions, record.Action{Kind: record.Double, Player: player})
				g.Actions = append(g.Actions, record.Action{Kind: pick(rng, record.Take, record.Take, record.Drop), Player: 1 - player})
				r.Next()
				r.Next()
				if _, points = r.Outcome(); points > 0 {
					break
				}
			}
			d := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
			if len(g.Actions) == 0 {
				d.B = d.A%6 + 1
			}
			a := record.Action{Kind: record.Move, Player: player, Dice: d}
			if plays := board.AppendPlays(nil, r.Position(player), d); len(plays) > 0 {
				// Of some plays that which brings most home: games end.
				best := plays[rng.IntN(len(plays))]
				for range 4 {
					if pl := plays[rng.IntN(len(plays))]; pl.Result.Opp.Pips() > best.Result.Opp.Pips() {
						best = pl
					}
				}
				a.Steps = append(a.Steps, best.Steps[:best.N]...)
			}
			g.Actions = append(g.Actions, a)
			r.Next()
			if _, points = r.Outcome(); points == 0 && len(g.Actions) > 600 {
				g.Result = record.Result{Winner: player, Points: r.State(player).Cube, Resigned: true}
				break
			}
		}
		w, points := r.Outcome()
		if points > 0 {
			g.Result = record.Result{Winner: w, Points: points}
		}
		w, points = g.Result.Winner, g.Result.Points
		if w == 1 {
			points = -points
		}
		state = state.NextGame(points, true)
	}
	m.Settle()
	return m
}

// told writes comments, names, a place and sometimes tears the last game off.
func told(rng *rand.Rand, m *record.Match) {
	names := [][2]string{{"Alice", "Bob"}, {"a, b 3", "x moves doubles"}, {"Renée", "O: (Cube: x)"}, {"gnubg", "gnubg 2"}}
	pair := names[rng.IntN(len(names))]
	m.Players[0].Name, m.Players[1].Name = pair[0], pair[1]
	if rng.IntN(2) == 0 {
		m.Date, m.Event, m.Comment = "2024-06-01", "The Cup: final", "one\ntwo"
		m.Players[0].Rating = "1532.5"
	}
	last := &m.Games[len(m.Games)-1]
	if n := len(last.Actions); n > 3 && rng.IntN(3) == 0 {
		cut := 1 + rng.IntN(n-1)
		for cut > 1 && last.Actions[cut-1].Kind == record.Double && last.Actions[cut-2].Kind == record.Double {
			cut-- // gnubg loads a beaver without an answer as accepted
		}
		last.Actions, last.Result = last.Actions[:cut], record.Result{}
	}
	for i := range m.Games {
		g := &m.Games[i]
		for k := range g.Actions {
			if rng.IntN(6) == 0 {
				g.Actions[k].Comment = pick(rng, "a note", "two\n\nlines", "* Bob moves 6/5", "Move number 1:  Bob to play 31", "Alice wins 2 points\nor so", "Rolled 31 (+0.200):", "The end")
			}
		}
	}
}

func gnubgText(t *testing.T, what, text string) *record.Match {
	t.Helper()
	all, f, ws, err := detect.Read(strings.NewReader(text))
	if err != nil || f != "gnubg-text" || len(all) != 1 || len(ws) > 0 {
		t.Errorf("%s: %s, %d matches, %v %v\n%s", what, f, len(all), err, ws, tail(text))
		return nil
	}
	return all[0]
}

// sameAnalysis compares gnubg's analysis in its text with that in its .sgf, to the digits
// that are printed.
func sameAnalysis(t *testing.T, what string, want, got *record.Match) {
	t.Helper()
	near := func(a, b, off float64) bool { return math.Abs(a-b) < off }
	for i := range want.Games {
		for k := range min(len(want.Games[i].Actions), len(got.Games[i].Actions)) {
			a, b := &want.Games[i].Actions[k], &got.Games[i].Actions[k]
			if a.Analysis == nil || b.Analysis == nil {
				continue
			}
			if c, d := a.Analysis.Cube, b.Analysis.Cube; c != nil && d != nil {
				if !near(c.NoDouble.Probs[0], d.NoDouble.Probs[0], 6e-4) || !near(c.NoDouble.Probs[3], d.NoDouble.Probs[3], 6e-4) ||
					!near(c.NoDouble.Cubeful, d.NoDouble.Cubeful, 4e-3) || !near(c.DoubleTake.Cubeful, d.DoubleTake.Cubeful, 4e-3) {
					t.Errorf("%s, game %d, action %d, %v: cube %+v %v, want %+v", what, i+1, k+1, a.Kind, d, d.Equities, c)
				}
			}
			if p, q := a.Analysis.Played, b.Analysis.Played; p >= 0 && q >= 0 {
				c, d := a.Analysis.Candidates[p], b.Analysis.Candidates[q]
				if !near(c.Outcome.Cubeful, d.Outcome.Cubeful, 6e-4) || !near(c.Outcome.Probs[0], d.Outcome.Probs[0], 6e-4) || b.Marks.Action > 0 && a.Marks.Action != b.Marks.Action || b.Marks.Luck != 0 && a.Marks.Luck != b.Marks.Luck {
					t.Errorf("%s, game %d, action %d: played %+v %v, want %+v %v", what, i+1, k+1, d, b.Marks, c, a.Marks)
				}
			}
		}
	}
}

func tail(text string) string { return text[max(0, len(text)-3000):] }

func sameText(t *testing.T, what string, want, got *record.Match, text string) {
	t.Helper()
	if got.Length != want.Length || len(got.Games) != len(want.Games) || want.Players[0].Name != got.Players[0].Name || want.Players[1].Name != got.Players[1].Name {
		t.Errorf("%s: %d points, %d games, %q, want %d, %d, %q", what, got.Length, len(got.Games), got.Players, want.Length, len(want.Games), want.Players)
		return
	}
	if strings.Contains(text, "Date: ") && (want.Date != got.Date || want.Event != got.Event || want.Comment != got.Comment || want.Players != got.Players) {
		t.Errorf("%s: head %q %q %q %v", what, got.Date, got.Event, got.Comment, got.Players)
	}
	for i := range want.Games {
		a, b := &want.Games[i], &got.Games[i]
		if a.Score != b.Score || a.Crawford != b.Crawford || a.Result != b.Result || a.Number != b.Number {
			t.Errorf("%s: %d %v %v %+v, want %d %v %v %+v", what, b.Number, b.Score, b.Crawford, b.Result, a.Number, a.Score, a.Crawford, a.Result)
		}
		x, y := strings.Split(lines(want, a), "\n"), strings.Split(lines(got, b), "\n")
		if diff := cmp.Diff(x, y); diff != "" {
			t.Errorf("%s, game %d (-want +got):\n%s", what, i+1, diff)
			continue
		}
		for k := range a.Actions {
			if x, y := a.Actions[k].Comment, b.Actions[k].Comment; x != y {
				t.Errorf("%s, action %d: comment %q, want %q", what, k, y, x)
			}
		}
	}
}

// TestGnubgText_samples reads what gnubg exports of the samples, with positions set up by
// hand, automatic doubles, a score set and games of a session, as their .sgf are read.
func TestGnubgText_samples(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	files := recordtest.Samples(t, "*.sgf")
	commands := "set confirm new off\nset confirm save off\n"
	for i, file := range files {
		commands += fmt.Sprintf("load match %s\nexport match text %s\n", file, filepath.Join(dir, fmt.Sprintf("m%d-.txt", i)))
	}
	recordtest.RunGnubg(t, commands)
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := sgf.Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		parts, err := filepath.Glob(filepath.Join(dir, fmt.Sprintf("m%d-*.txt", i)))
		if err != nil || len(parts) != len(want.Games) {
			t.Errorf("%s: %d files, %v", file, len(parts), err)
			continue
		}
		sort.Slice(parts, func(i, j int) bool {
			return len(parts[i]) < len(parts[j]) || len(parts[i]) == len(parts[j]) && parts[i] < parts[j]
		})
		var joined strings.Builder
		for _, part := range parts {
			text, err := os.ReadFile(part)
			if err != nil {
				t.Fatal(err)
			}
			joined.Write(text)
		}
		got := gnubgText(t, file, joined.String())
		if got == nil || len(got.Games) != len(want.Games) {
			continue
		}
		if want.Rules.Variation != got.Rules.Variation || want.Rules.Jacoby != got.Rules.Jacoby {
			t.Errorf("%s: rules %+v, want %+v", file, got.Rules, want.Rules)
		}
		for k := range want.Games {
			a, b := &want.Games[k], &got.Games[k]
			if x, y := played(want, a), played(got, b); x != y || a.Score != b.Score || a.Result != b.Result || a.Crawford != b.Crawford || a.Number != b.Number {
				t.Errorf("%s, game %d: %v %+v, want %v %+v\n%s", file, k+1, b.Score, b.Result, a.Score, a.Result, cmp.Diff(strings.Split(x, "\n"), strings.Split(y, "\n")))
			}
		}
	}
}

// played are the lines of a game without what sets it up, where gnubg's .sgf also keeps the
// dice that were edited away.
func played(m *record.Match, g *record.Game) string {
	var b strings.Builder
	for _, l := range strings.SplitAfter(lines(m, g), "\n") {
		if !strings.Contains(l, " set-up ") && !strings.Contains(l, " roll ") {
			b.WriteString(l)
		}
	}
	return b.String()
}
