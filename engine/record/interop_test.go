package record_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/jellyfish"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/record/snowie"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// randomMatch plays a whole match at random by the rules, with doubles, drops,
// beavers and resignations, and settles it.
func randomMatch(t *rapid.T) *record.Match {
	m := &record.Match{
		Players: [2]record.Player{{Name: "Alice"}, {Name: "Bob"}},
		Length:  rapid.SampledFrom([]int{0, 1, 3, 5}).Draw(t, "length"),
	}
	if m.Length > 0 {
		m.Rules.Crawford = true
	} else {
		m.Rules.Jacoby, m.Rules.Beavers = true, 3
	}
	state := match.State{Length: m.Length, Cube: 1, Jacoby: m.Rules.Jacoby}
	for len(m.Games) < 4 && !state.Finished() {
		g := record.Game{Number: len(m.Games), Score: state.Score, Crawford: state.Crawford, Cube: 1}
		playGame(t, m, &g)
		m.Games = append(m.Games, g)
		if !g.Result.Finished() {
			break
		}
		points := g.Result.Points
		if g.Result.Winner == 1 {
			points = -points
		}
		state = state.NextGame(points, true)
	}
	m.Settle()
	return m
}

func playGame(t *rapid.T, m *record.Match, g *record.Game) {
	r := record.NewReplay(m, g)
	player := rapid.IntRange(0, 1).Draw(t, "starts")
	chance := func(percent int) bool { return rapid.IntRange(0, 99).Draw(t, "chance") < percent }
	add := func(a record.Action) {
		g.Actions = append(g.Actions, a)
		r.Next()
	}
	for n := 0; ; n++ {
		if n > 0 && r.State(player).MayDouble() && r.State(player).Cube < 16 && chance(4) {
			add(record.Action{Kind: record.Double, Player: player})
			who := 1 - player
			if m.Length == 0 && chance(30) {
				add(record.Action{Kind: record.Double, Player: who})
				who = player
			}
			if chance(40) {
				add(record.Action{Kind: record.Drop, Player: who})
			} else {
				add(record.Action{Kind: record.Take, Player: who})
			}
		}
		if winner, points := r.Outcome(); points > 0 {
			g.Result = record.Result{Winner: winner, Points: points}
			return
		}
		if n > 4 && chance(2) {
			g.Result = record.Result{Winner: 1 - player, Points: r.State(player).Cube, Resigned: true}
			return
		}
		d := board.Dice{A: rapid.Uint8Range(1, 6).Draw(t, "die"), B: rapid.Uint8Range(1, 6).Draw(t, "die")}
		if n == 0 && d.Double() {
			d.B = d.A%6 + 1
		}
		plays := board.AppendPlays(nil, r.Position(player), d)
		a := record.Action{Kind: record.Move, Player: player, Dice: d}
		if len(plays) > 0 {
			pl := plays[rapid.IntRange(0, len(plays)-1).Draw(t, "play")]
			a.Steps = append(a.Steps, pl.Steps[:pl.N]...)
		}
		add(a)
		player = 1 - player
	}
}

type format struct {
	name  string
	ext   string
	write func(io.Writer, *record.Match) error
	read  func(io.Reader) (*record.Match, []record.Warning, error)
}

var formats = []format{
	{"sgf", ".sgf", sgf.Write, sgf.Read},
	{"mat", ".mat", mat.Write, mat.Read},
	{"oldmoves", ".fibs", oldmoves.Write, oldmoves.Read},
	{"matxg", ".mat", mat.WriteXG, mat.Read},
	{"snowie", ".txt", snowie.Write, snowie.Read},
}

// equalPlay compares what every format holds: steps in any order that lead to
// the same positions.
func equalPlay(t interface {
	Errorf(string, ...any)
}, what string, want, got *record.Match) {
	if len(want.Games) != len(got.Games) {
		t.Errorf("%s: %d games, want %d", what, len(got.Games), len(want.Games))
		return
	}
	if diff := cmp.Diff(want.FinalScore(), got.FinalScore()); diff != "" {
		t.Errorf("%s: final score\n%s", what, diff)
	}
	for i := range want.Games {
		a, b := &want.Games[i], &got.Games[i]
		if a.Score != b.Score || a.Crawford != b.Crawford || a.Result != b.Result {
			t.Errorf("%s, game %d: %v %v %+v, want %v %v %+v", what, i+1, b.Score, b.Crawford, b.Result, a.Score, a.Crawford, a.Result)
		}
		if la, lb := lines(want, a), lines(got, b); la != lb {
			t.Errorf("%s, game %d (-want +got):\n%s", what, i+1, cmp.Diff(strings.Split(la, "\n"), strings.Split(lb, "\n")))
		}
	}
}

// lines lists a game as words: what each player does and the position before.
func lines(m *record.Match, g *record.Game) string {
	var b strings.Builder
	for t := range m.Turns(g) {
		fmt.Fprintf(&b, "%d %v %v %s %d %v\n", t.Player, t.Action.Kind, t.Action.Dice, t.Position.ID(), t.State.Cube, t.Action.Illegal)
	}
	return b.String()
}

func TestFormats_roundTripOfRandomMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randomMatch(t)
		for i := range m.Games {
			for turn := range m.Turns(&m.Games[i]) {
				if !turn.Legal {
					t.Fatalf("game %d: a legal %v is called illegal: %s", i+1, turn.Action.Kind, turn.Problem)
				}
			}
		}
		for _, f := range formats {
			var b bytes.Buffer
			if err := f.write(&b, m); err != nil {
				t.Fatal(err)
			}
			got, _, err := f.read(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatalf("%s: %v\n%s", f.name, err, b.String())
			}
			want := m
			if f.name == "snowie" && m.IsPosition() {
				continue
			}
			if f.name == "oldmoves" && m.Length == 0 {
				// A FIBS list knows no Jacoby rule; the score on file stays.
				got.Rules = m.Rules
			}
			equalPlay(t, f.name, want, got)
			if t.Failed() {
				t.Logf("%s", b.String())
			}
		}
	})
}

// GNU Backgammon loads what is written here and exports the same match.
func TestFormats_gnubgAgrees(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	commands := "set confirm new off\nset confirm save off\n"
	type job struct {
		name, out string
		m         *record.Match
	}
	var jobs []job
	add := func(name string, f format, m *record.Match) {
		in, out := filepath.Join(dir, name+f.ext), filepath.Join(dir, name+"-"+f.name+".out.mat")
		file, err := os.Create(in)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := f.write(file, m); err != nil {
			t.Fatal(err)
		}
		command := map[string]string{"sgf": "load match", "mat": "import mat", "matxg": "import mat", "snowie": "import mat", "oldmoves": "import oldmoves"}[f.name]
		commands += fmt.Sprintf("%s %s\nexport match mat %s\n", command, in, out)
		jobs = append(jobs, job{name + " as " + f.name, out, m})
	}
	for _, name := range []string{"match3", "match5", "match7", "session5"} {
		file, err := os.Open(reference.Path(t, "formats/samples", name+".sgf"))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := sgf.Read(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formats {
			if f.name == "oldmoves" && m.Length == 0 {
				continue // gnubg has beavers there, FIBS has none
			}
			add(name, f, m)
		}
	}
	for i := range 8 {
		m := rapid.Custom(randomMatch).Example(i)
		add(fmt.Sprintf("random%d", i), formats[0], m)
		if m.Length > 0 {
			// gnubg cannot read its own .mat where a beaver was dropped.
			add(fmt.Sprintf("random%d", i), formats[1], m)
			add(fmt.Sprintf("random%d", i), formats[3], m)
		}
	}
	printed := recordtest.RunGnubg(t, commands)
	for _, bad := range []string{"Illegal", "WARNING", "not a valid", "rror"} {
		if i := strings.Index(printed, bad); i >= 0 {
			t.Errorf("gnubg complains: %s", printed[max(0, i-200):min(len(printed), i+200)])
		}
	}
	for _, j := range jobs {
		text, err := os.ReadFile(j.out)
		if err != nil {
			t.Errorf("%s: %v", j.name, err)
			continue
		}
		got, ws, err := mat.Read(bytes.NewReader(text))
		if err != nil || len(ws) > 0 {
			t.Errorf("%s: %v %v", j.name, ws, err)
			continue
		}
		if strings.HasSuffix(j.name, "oldmoves") {
			// gnubg counts every resignation in such a file as one times the cube.
			for i := range min(len(got.Games), len(j.m.Games)) {
				if j.m.Games[i].Result.Resigned && got.Games[i].Result.Resigned {
					got.Games[i].Result.Points = j.m.Games[i].Result.Points
				}
			}
		}
		equalPlay(t, j.name, j.m, got)
	}
}

// gnubg reads what has no score of its own too: Jellyfish's .gam, its positions.
func TestFormats_gnubgReadsJellyfish(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	commands := "set confirm new off\nset confirm save off\n"
	samples := map[string]*record.Match{}
	for _, name := range []string{"match3", "match5", "match7"} {
		m, _, err := sgf.ReadFile(reference.Path(t, "formats/samples", name+".sgf"))
		if err != nil {
			t.Fatal(err)
		}
		samples[name] = m
		for ext, write := range map[string]func(io.Writer, *record.Match) error{".gam": mat.WriteGam, ".pos": jellyfish.Write} {
			var b bytes.Buffer
			if err := write(&b, m); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name+ext), b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		base := filepath.Join(dir, name)
		commands += fmt.Sprintf("import empire %s.gam\nexport match mat %s.out\nimport pos %s.pos\nmarker_%s\nshow board\n", base, base, base, name)
	}
	printed := recordtest.RunGnubg(t, commands)
	for name, m := range samples {
		text, err := os.ReadFile(filepath.Join(dir, name+".out"))
		if err != nil {
			t.Error(err)
			continue
		}
		got, ws, err := mat.Read(bytes.NewReader(text))
		if err != nil || len(ws) > 0 || len(got.Games) != len(m.Games) {
			t.Errorf("%s.gam: %v %v", name, ws, err)
			continue
		}
		for i := range m.Games {
			if a, b := rolls(m, i), rolls(got, i); a != b {
				t.Errorf("%s.gam, game %d:\nwritten %s\ngnubg   %s", name, i+1, a, b)
			}
		}
		d := record.LastDiagram(m, &m.Games[len(m.Games)-1])
		p := board.Position{Me: d.Boards[0], Opp: d.Boards[1]}
		_, shown, _ := strings.Cut(printed, "marker_"+name)
		shown, _, _ = strings.Cut(shown, "marker_")
		if !strings.Contains(shown, "Position ID: "+p.ID()) && !strings.Contains(shown, "Position ID: "+p.Swap().ID()) {
			t.Errorf("%s.pos: want %s or %s in\n%s", name, p.ID(), p.Swap().ID(), shown)
		}
	}
}

// rolls are the rolls of a game with the positions after them, and its cube actions.
func rolls(m *record.Match, i int) string {
	var b strings.Builder
	for t := range m.Turns(&m.Games[i]) {
		if a := t.Action; a.Kind == record.Move {
			d := a.Dice.Sorted()
			fmt.Fprintf(&b, "%d %d%d %s|", t.Player, d.A, d.B, t.Play.Result.ID())
		} else if a.Kind != record.Roll {
			fmt.Fprintf(&b, "%d %v|", t.Player, a.Kind)
		}
	}
	return b.String()
}
