package archive

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot/fibs"
	"fibsbot/bot/sheet"
	"fibsbot/engine/record"
	"fibsbot/internal/testsize"
)

// recorded returns the entries of a recorded match: a journal, or its lines alone.
func recorded(t *testing.T, path string) []entry {
	t.Helper()
	if filepath.Ext(path) == suffix {
		out, _, err := readJournal(path)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	length := 3
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var account, opponent string
	if _, err := fmt.Sscanf(lines[0], "# %s plays %s", &account, &opponent); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	out := []entry{{Kind: kindHead, Account: account, Opponent: opponent, Length: &length}, {Kind: kindOpen, Length: &length}}
	for _, l := range lines[1:] {
		out = append(out, entry{Kind: l[:1], Raw: l[2:]})
	}
	return append(out, entry{Kind: kindOver})
}

// filedMatch is the match of the entries as it is filed.
func filedMatch(entries []entry) *record.Match {
	m := rebuild(fibs.Protocol{}, entries).Record(aboutOf(entries, fibs.Protocol{}.Rules()))
	unfinished(m)
	return m
}

// fault damages line n, or returns nil if it cannot.
type fault struct {
	name string
	make func(lines []entry, n int) []entry
}

var lineFaults = []fault{
	{"lost", func(lines []entry, n int) []entry { return slices.Concat(lines[:n], lines[n+1:]) }},
	{"doubled", func(lines []entry, n int) []entry { return slices.Concat(lines[:n+1], lines[n:]) }},
	{"cut in the middle", func(lines []entry, n int) []entry {
		out := slices.Clone(lines)
		out[n].Raw = out[n].Raw[:len(out[n].Raw)/2]
		return out
	}},
	{"exchanged with the next", func(lines []entry, n int) []entry {
		for i := n + 1; i < len(lines); i++ {
			if lines[i].Kind == kindLine {
				out := slices.Clone(lines)
				out[n], out[i] = out[i], out[n]
				return out
			}
		}
		return nil
	}},
}

// oldBoard inserts an earlier board after a line.
func oldBoard(age int) fault {
	return fault{fmt.Sprintf("followed by the board of %d boards before", age), func(lines []entry, n int) []entry {
		left := age
		for i := n; i >= 0; i-- {
			if lines[i].Kind == kindLine && strings.HasPrefix(lines[i].Raw, "board:") {
				if left--; left < 0 {
					return slices.Concat(lines[:n+1], lines[i:i+1], lines[n+1:])
				}
			}
		}
		return nil
	}}
}

// With any one line of a match damaged, the filed match is legal, and where it differs from
// what was played it is marked as incomplete. A late board does not begin a game.
// FIBSBOT_HURT names a folder of journals to test too, with older boards.
func TestRebuild_hurtLines(t *testing.T) {
	testsize.Medium(t)
	faults := append(slices.Clone(lineFaults), oldBoard(2))
	files := []string{filepath.Join("testdata", "hurt.txt")}
	if dir := os.Getenv("FIBSBOT_HURT"); dir != "" {
		more, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
		if err != nil || len(more) == 0 {
			t.Fatalf("no journals in %s: %v", dir, err)
		}
		files = more
		for _, age := range []int{0, 1, 4, 16, 40} {
			faults = append(faults, oldBoard(age))
		}
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			lines := recorded(t, path)
			want := filedMatch(lines)
			if problem := unsound(want, want); problem != "" || want.Comment != "" {
				t.Fatalf("the match itself: %s %s", problem, want.Comment)
			}
			for _, f := range faults {
				hurtEach(t, lines, want, f)
			}
		})
	}
}

// hurtEach applies the fault to each of the server's lines.
func hurtEach(t *testing.T, lines []entry, want *record.Match, f fault) {
	short, bad := 0, 0
	for n := range lines {
		if lines[n].Kind != kindLine {
			continue
		}
		hurt := f.make(lines, n)
		if hurt == nil {
			continue
		}
		got := filedMatch(hurt)
		problem := unsound(got, want)
		if problem == "" && len(hurt) > len(lines) && len(got.Games) != len(want.Games) {
			problem = fmt.Sprintf("%d games and not %d, if marked as incomplete", len(got.Games), len(want.Games))
		}
		if got.Comment != "" {
			short++
		}
		if problem == "" {
			continue
		}
		if bad++; bad <= 3 {
			t.Errorf("line %d %s: %s\n%s", n, f.name, problem, lines[n].Raw)
		}
	}
	t.Logf("%s: %d false, %d incomplete", f.name, bad, short)
}

// unsound describes what is wrong with a filed match: an illegal act, or an unmarked
// difference.
func unsound(got, want *record.Match) string {
	g, problem := inWords(got)
	if problem != "" || strings.Contains(got.Comment, sheet.Incomplete) {
		return problem
	}
	if w, _ := inWords(want); !slices.Equal(g, w) {
		return cmp.Diff(w, g)
	}
	return ""
}

// inWords returns a match as comparable lines, and its first illegal act.
func inWords(m *record.Match) (out []string, problem string) {
	for i := range m.Games {
		g := &m.Games[i]
		out = append(out, fmt.Sprintf("game at %v, Crawford %v: %+v", g.Score, g.Crawford, g.Result))
		for turn := range m.Turns(g) {
			a := turn.Action
			if (a.Illegal || !turn.Legal) && problem == "" {
				problem = fmt.Sprintf("game %d: illegal %v of %d: %s", i+1, a.Kind, a.Player, turn.Problem)
			}
			if a.Kind == record.Roll {
				continue // not played; servers forget such a roll
			}
			out = append(out, fmt.Sprint(a.Player, a.Kind, a.Dice.Sorted(), turn.Position.ID()))
		}
	}
	return out, problem
}
