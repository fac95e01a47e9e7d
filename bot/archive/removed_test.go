package archive

import (
	"os"
	"path/filepath"
	"testing"

	"fibsbot/bot/table"
	"fibsbot/internal/testsize"
)

// The folder of open journals, or the whole archive, is removed while a bot runs. A match at
// the board is filed completely; a saved one from the server's board on. The account plays on.
func TestJournal_removed(t *testing.T) {
	testsize.Medium(t)
	saved := table.Note{Kind: table.NoteSaved, Opponent: "bob"}
	resumed := table.Note{Kind: table.NoteOpen, Opponent: "bob", Length: 1, Resumed: true}
	for _, what := range []string{openDir, "."} {
		for n := 1; n < len(aMatch); n++ {
			dir := filepath.Join(t.TempDir(), "archive")
			j := openTest(t, dir)
			j.opt.Removed = func(opponent string, whole bool) {
				if opponent != "bob" || !whole {
					t.Errorf("removed called with %s, whole %v", opponent, whole)
				}
			}
			all := notes(aMatch)
			write(t, j, all[:n+1]...)
			if err := os.RemoveAll(filepath.Join(dir, what)); err != nil {
				t.Fatal(err)
			}
			write(t, j, all[n+1:]...)
			files := write(t, j, over)
			if len(files) != 2 {
				t.Fatalf("%s removed behind line %d: filed %q, %d unfiled", what, n, files, j.Unfiled())
			}
			checkMatch(t, readSGF(t, files[0]))
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	for name, tt := range map[string]struct {
		rest  []table.Note
		files int
	}{
		"resumed":   {append([]table.Note{resumed}, notes(aMatch[4:])[1:]...), 2},
		"forgotten": {nil, 0},
	} {
		dir := t.TempDir()
		j := openTest(t, dir)
		lost := false
		j.opt.Removed = func(_ string, whole bool) { lost = lost || !whole }
		write(t, j, append(notes(aMatch[:6]), saved)...)
		if err := os.RemoveAll(filepath.Join(dir, openDir)); err != nil {
			t.Fatal(err)
		}
		end := over
		if tt.files == 0 {
			end = table.Note{Kind: table.NoteDiscard, Opponent: "bob"}
		}
		files := write(t, j, append(tt.rest, end)...)
		if len(files) != tt.files || j.Unfiled() > 0 || !j.Written() || !lost {
			t.Errorf("%s: filed %q, %d unfiled, told %v", name, files, j.Unfiled(), lost)
		}
		if tt.files > 0 {
			readSGF(t, files[0])
		}
	}
}
