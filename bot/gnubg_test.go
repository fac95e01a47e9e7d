package bot

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"
)

// gnubgPath finds gnubg or skips: it is a judge in tests, never a dependency.
func gnubgPath(t *testing.T) string {
	for _, p := range []string{"gnubg", "/usr/games/gnubg"} {
		if full, err := exec.LookPath(p); err == nil {
			return full
		}
	}
	t.Skip("skipped: gnubg is not installed")
	return ""
}

// readMatch reads a file with the given reader.
func readMatch(t *testing.T, path string, read func(*os.File) (*record.Match, []record.Warning, error)) *record.Match {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, warns, err := read(f)
	if err != nil || len(warns) > 0 {
		t.Fatalf("%s: %v %v", filepath.Base(path), err, warns)
	}
	return m
}

// TestGnubg_loadsTheArchive: gnubg reads every archived file without an error, and its export
// has the same scores, results and plays.
func TestGnubg_loadsTheArchive(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	gnubg := gnubgPath(t)
	_, dirs := selfPlay(t, 3, 3, faults{})
	for _, path := range sgfFiles(t, dirs[0]) {
		want := readMatch(t, path, func(f *os.File) (*record.Match, []record.Warning, error) { return sgf.Read(f) })
		fibs := strings.TrimSuffix(path, ".sgf") + ".fibs"
		own := readMatch(t, fibs, func(f *os.File) (*record.Match, []record.Warning, error) { return oldmoves.Read(f) })
		samePlays(t, filepath.Base(fibs), want, own)
		for how, file := range map[string]string{"load match": path, "import oldmoves": fibs} {
			out := filepath.Join(t.TempDir(), "out.mat")
			cmd := exec.Command(gnubg, "-t", "-q", "-r")
			cmd.Stdin = strings.NewReader(fmt.Sprintf("set confirm new off\n%s %q\nexport match mat %q\nquit\ny\n", how, file, out))
			said, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("gnubg: %v\n%s", err, said)
			}
			for _, line := range strings.Split(string(said), "\n") {
				low := strings.ToLower(line)
				for _, bad := range []string{"warning", "illegal", "unrecogni", "invalid", "not a valid", "error"} {
					if strings.Contains(low, bad) {
						t.Errorf("gnubg on %s: %s", filepath.Base(file), line)
					}
				}
			}
			got := readMatch(t, out, func(f *os.File) (*record.Match, []record.Warning, error) { return mat.Read(f) })
			if how == "load match" {
				if w, g := want.FinalScore(), got.FinalScore(); w != g {
					t.Errorf("%s: gnubg ends %v, we %v", filepath.Base(file), g, w)
				}
			}
			samePlays(t, "gnubg on "+filepath.Base(file), want, got)
		}
	}
}

// samePlays compares plays by what they lead to, and cube actions.
func samePlays(t *testing.T, what string, want, got *record.Match) {
	t.Helper()
	if len(want.Games) != len(got.Games) {
		t.Errorf("%s: %d games, want %d", what, len(got.Games), len(want.Games))
		return
	}
	list := func(m *record.Match, g *record.Game) (out []string) {
		for turn := range m.Turns(g) {
			switch a := turn.Action; a.Kind {
			case record.Move:
				out = append(out, fmt.Sprint(a.Dice.Sorted(), turn.Play.Result.ID()))
			case record.Double, record.Take, record.Drop:
				out = append(out, a.Kind.String())
			}
		}
		return out
	}
	// oldmoves lists the X player first, so the numbers of the players may be
	// exchanged; the sequence of plays may not.
	for i := range want.Games {
		w, g := list(want, &want.Games[i]), list(got, &got.Games[i])
		if strings.Join(w, "\n") != strings.Join(g, "\n") {
			t.Errorf("%s game %d: %d actions, want %d, or other ones", what, i+1, len(g), len(w))
		}
		if wp, gp := want.Games[i].Result.Points, got.Games[i].Result.Points; wp != gp && !want.Games[i].Result.Resigned {
			t.Errorf("%s game %d: %d points, want %d", what, i+1, gp, wp)
		}
	}
}
