package verify

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/internal/testsize"
)

// Every file at hand says the same about a match as is read from it, in each place.
func TestEvidence_corpus(t *testing.T) {
	testsize.Large(t)
	files := 0
	for _, root := range []string{"../../../engine", "../../../bot", "../../../cmd", "../../../../shared"} {
		if _, err := os.Stat(root); err != nil {
			t.Logf("%s is missing", root)
			continue
		}
		err := filepath.WalkDir(root+"/", func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || strings.HasSuffix(path, ".go") || strings.HasSuffix(path, ".md") {
				return err
			}
			if st, err := e.Info(); err != nil || st.Size() > 2<<20 || !strings.Contains(path, "testdata") && !strings.Contains(path, "shared") {
				return err
			}
			said, err := Evidence(path)
			var syntax *record.SyntaxError
			if errors.Is(err, detect.ErrUnknown) || errors.As(err, &syntax) {
				return nil // not a match file
			}
			if err != nil {
				return err
			}
			files++
			for _, line := range said {
				t.Errorf("%s: %s", path, line)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 30 {
		t.Errorf("%d files", files)
	}
	t.Logf("%d files", files)
}

// What contradicts the match that is read is told.
func TestEvidence_contradictions(t *testing.T) {
	const rows = " 3 point match\n\n Game 1\n anna : 0                       bert : 0\n  1) 31: 8/5 6/5\n"
	const tree = "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[anna]PB[bert]DT[2024-05-06]"
	for _, c := range []struct{ name, text, want string }{
		{"a.mat", rows, ""},
		{"anna - bert 3pt 2024_05_06.mat", "; [EventDate \"2024.05.06\"]\n" + rows, ""},
		{"anna - bert 5pt.mat", rows, "states a match of 5 points, read is one of 3"},
		{"anna - carl 3pt.mat", rows, `names the player "carl"`},
		{"2024-05-07.mat", "; [EventDate \"2024.05.06\"]\n" + rows, "name has the day 2024-05-07, read is 2024-05-06"},
		{"a.mat", "; [Player 1 \"carl\"]\n" + rows, `names the player "carl"`},
		{"a.mat", rows + "  2)  Losses 1 point\n      Wins 1 point\n", "read as won by bert"},
		{"a.sgf", tree + "RE[W+1R];W[31hefe])(;GM[6]MI[length:3][game:1][ws:0][bs:1]PW[anna]PB[bert];W[31hefe])", "read as won by anna"},
		{"a.sgf", tree + "RE[W+1R];W[31hefe])(;GM[6]MI[length:3][game:1][ws:2][bs:0]PW[anna]PB[bert];W[31hefe])", "game 1 ends at 1-0, the next one begins at 2-0"},
		{"a.sgf", tree + ";W[31hefe]XE[p-0.2]A[0][hefe E ver 3 0.5 0.1 0.1 0.1 0.1 0.01 0C 1 1 0.0 1][xwwt E ver 3 0.5 0.1 0.1 0.1 0.1 0.00 0C 1 1 0.0 1])", "states that the play lost 0.200, printed is 0.000"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := Evidence(path)
		if err != nil || (len(said) > 0) != (c.want != "") || !strings.Contains(strings.Join(said, "\n"), c.want) {
			t.Errorf("%s: %v %q, want %q", c.name, err, said, c.want)
		}
	}
}
