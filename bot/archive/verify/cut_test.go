package verify_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/verify"
	"fibsbot/bot/fibs"
	"fibsbot/bot/table"
	"fibsbot/engine/record/mat"
	"fibsbot/internal/testsize"
)

// recorded returns the lines of a recorded match of anna against bert.
func recorded(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "hurt.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
}

// seen is what a bot sees of a match: lines, lost connections, the end.
type seen struct {
	name  string
	lines []string
	end   table.NoteKind
}

// broken, among the lines of a match, is a lost and restored connection.
const broken = "broken"

// notes are the table's notes of the match.
func (s *seen) notes() []table.Note {
	open := table.Note{Kind: table.NoteOpen, Opponent: "bert", Length: 3}
	out := []table.Note{open}
	for _, l := range s.lines {
		switch {
		case l == broken:
			open.Resumed = true
			out = append(out, table.Note{Kind: table.NoteSaved, Opponent: "bert"}, open)
		case l[0] == '>':
			out = append(out, table.Note{Kind: table.NoteSent, Opponent: "bert", Raw: l[2:]})
		default:
			out = append(out, table.Note{Kind: table.NoteLine, Opponent: "bert", Raw: l[2:]})
		}
	}
	return append(out, table.Note{Kind: s.end, Opponent: "bert"})
}

// verifyAll files matches in a new archive and verifies it.
func verifyAll(t *testing.T, matches []seen, gnubg string) {
	t.Helper()
	dir := t.TempDir()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	j, err := archive.Open(archive.Options{Protocol: fibs.Protocol{}, Dir: dir, Account: "anna", Server: "host:4321",
		Now: func() time.Time { return now }, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{} // by stem
	for i := range matches {
		now = now.Add(time.Minute)
		filed, err := j.Write(matches[i].notes(), now)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range filed {
			names[stem(f.Files[0])] = matches[i].name
			var b bytes.Buffer
			if err := mat.Write(&b, f.Match); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, stem(f.Files[0])+".mat"), b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := index.Open(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	r, err := verify.Run(t.Context(), db, verify.Options{Protocols: protocols, Gnubg: gnubg})
	if err != nil {
		t.Fatal(err)
	}
	if r.Matches != len(names) || len(names) < len(matches)/2 {
		t.Errorf("%d matches verified and %d filed of %d", r.Matches, len(names), len(matches))
	}
	for i, f := range r.Wrong {
		if i == 20 {
			t.Fatalf("and %d more", len(r.Wrong)-i)
		}
		t.Errorf("%s: %s\n%s", f.File, f.Problem, names[stem(f.File)])
	}
}

// verifyParts files matches in new archives, some in each: whoever files one looks at the changes that no
// index has taken over yet.
func verifyParts(t *testing.T, matches []seen) {
	t.Helper()
	for part := range slices.Chunk(matches, 50) {
		verifyAll(t, part, "")
	}
}

// cuts are a match stopped after every line but the last, in all ways.
func cuts(lines []string) (out []seen) {
	cube := 1
	for n, l := range lines[:len(lines)-2] {
		if strings.Contains(l, "The cube shows 2") {
			cube = 2
		}
		for k, end := range [][]string{
			nil,
			{fmt.Sprintf("< bert wants to resign. You will win %d points. Type 'accept' or 'reject'.", cube), "> accept",
				fmt.Sprintf("< You accept and win %d points.", cube)},
			{"> resign normal", fmt.Sprintf("< bert accepts and wins %d points.", cube)},
		} {
			how := table.NoteOver
			if (n+k)%2 == 0 {
				how = table.NoteDiscard
			}
			out = append(out, seen{fmt.Sprintf("%s, then %q", l, end), append(lines[:n+1:n+1], end...), how})
		}
	}
	return out
}

// holes are a match with lines lost at a broken connection; it continues with the next board
// of the server, to its end or for a few lines.
func holes(lines []string) (out []seen) {
	for n := range lines {
		boards := 0
		for k := n + 1; k < len(lines) && boards < 4; k++ {
			if !strings.HasPrefix(lines[k], "< board:") {
				continue
			}
			boards++
			stop := len(lines)
			if (n+boards)%2 == 0 {
				stop = min(k+6, stop)
			}
			out = append(out, seen{"up to " + lines[n] + ", again from " + lines[k],
				slices.Concat(lines[:n+1], []string{broken}, lines[k:stop]), table.NoteOver})
		}
	}
	return out
}

// sample returns every twentieth match if brief, and otherwise all.
func sample(all []seen, brief bool) (out []seen) {
	if !brief {
		return all
	}
	for i := 0; i < len(all); i += 20 {
		out = append(out, all[i])
	}
	return out
}

// A match stopped after any line, in any way, is filed so that the archive is sound.
func TestRun_cutAnywhere(t *testing.T) {
	brief := testsize.Sample(t)
	verifyParts(t, sample(cuts(recorded(t)), brief))
}

// So is a match with a marked hole.
func TestRun_holes(t *testing.T) {
	brief := testsize.Sample(t)
	verifyParts(t, sample(holes(recorded(t)), brief))
}

// gnubg reads both without a complaint.
func TestRun_gnubgReadsThem(t *testing.T) {
	brief := testsize.Sample(t)
	gnubg := verify.FindGnubg()
	if gnubg == "" {
		t.Skip("skipped: gnubg is not installed")
	}
	every := 23
	if brief {
		every *= 5
	}
	var some []seen
	for i, m := range slices.Concat(cuts(recorded(t)), holes(recorded(t))) {
		if strings.Contains(m.name, "doubles") || i%every == 0 {
			some = append(some, m)
		}
	}
	verifyAll(t, some, gnubg)
}

// stem is the name of a match by one of its files.
func stem(file string) string {
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
