package archive

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/bot/table"
	"fibsbot/internal/testsize"
)

// talkative are the notes of aMatch with chat.
func talkative() (out []table.Note) {
	say := func(game int, text string) {
		out = append(out, table.Note{Kind: table.NoteSaid, Opponent: "bob", Game: game, Raw: text})
	}
	for _, n := range notes(aMatch) {
		out = append(out, n)
		switch {
		case n.Kind == table.NoteOpen:
			say(0, "bob says: good luck")
		case n.Raw == "You rolled 6, bob rolled 2":
			say(1, `bob kibitzes: a [five\six] \b]`)
		case strings.HasPrefix(n.Raw, "bob moves"):
			say(1, "ann kibitzes: \x1b[31mred\u202e\xff")
		case n.Raw == "You roll 4 and 2.":
			say(1, "bob says: "+strings.Repeat("ä", 500))
		}
	}
	return out
}

// checkTalk checks that the chat of talkative is at the right moves.
func checkTalk(t *testing.T, path string) {
	t.Helper()
	m := readSGF(t, path)
	checkMatch(t, m)
	want := []string{
		"bob says: good luck\nbob kibitzes: a [five\\six] \\b]",
		`ann kibitzes: \x1b[31mred\u202e\xff`,
		"bob says: " + strings.Repeat("ä", (maxSaid-len("bob says: …"))/2) + "…",
	}
	for i, a := range m.Games[0].Actions {
		got := a.Comment
		if i < len(want) && got != want[i] || i >= len(want) && got != "" {
			t.Errorf("action %d: said %q", i, got)
		}
	}
}

// Chat survives kill -9 as the match does, at the right moves.
func TestSaid_everyCut(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	j := openTest(t, dir)
	all := talkative()
	write(t, j, all...)
	paths, _ := filepath.Glob(filepath.Join(dir, openDir, "*"+suffix))
	whole, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	if files := write(t, j, over); len(files) != 2 {
		t.Fatalf("filed %q", files)
	} else {
		checkTalk(t, files[0])
	}
	j.Close()
	head := strings.IndexByte(string(whole), '\n') + 1
	for cut := head; cut <= len(whole); cut += 31 {
		dir := t.TempDir()
		j := openTest(t, dir)
		if err := os.WriteFile(filepath.Join(dir, openDir, filepath.Base(paths[0])), whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		if found, err := j.Recover(); err != nil || len(found) != 1 {
			t.Fatalf("cut at %d: %v %v", cut, found, err)
		}
		kept := strings.Count(string(whole[:cut]), "\n")
		write(t, j, append([]table.Note{{Kind: table.NoteOpen, Opponent: "bob", Length: 1, Resumed: true}}, all[min(len(all), max(1, kept-1)):]...)...)
		files := write(t, j, over)
		if len(files) != 2 {
			t.Fatalf("cut at %d: filed %q", cut, files)
		}
		checkTalk(t, files[0])
		j.Close()
	}
}

// Endless chat fills neither disk nor match file, also over restarts, and later moves are kept.
func TestSaid_flood(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	all := notes(aMatch)
	write(t, j, all[:5]...)
	for round := range 3 {
		for i := range 2000 {
			write(t, j, table.Note{Kind: table.NoteSaid, Opponent: "bob", Game: 1, Raw: fmt.Sprintf("bob kibitzes: %d%d %s", round, i, strings.Repeat("\"<", 1000))})
		}
		j.Close()
		j = openTest(t, dir)
		if found, err := j.Recover(); err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		write(t, j, table.Note{Kind: table.NoteOpen, Opponent: "bob", Length: 1, Resumed: true})
	}
	write(t, j, all[5:]...)
	files := write(t, j, over)
	if len(files) != 2 {
		t.Fatalf("filed %q", files)
	}
	defer j.Close()
	m := readSGF(t, files[0])
	checkMatch(t, m)
	said := m.Games[0].Actions[0].Comment
	if !strings.HasSuffix(said, saidTooMuch) || strings.Count(said, saidTooMuch) != 1 || len(said) > maxSaidGame+1000 {
		t.Errorf("%d bytes were kept of the talk, ending in %q", len(said), said[max(0, len(said)-100):])
	}
	journal, err := os.Stat(JournalOf(dir, files[0]))
	if err != nil || journal.Size() > 10*maxSaidGame {
		t.Errorf("the journal has %d bytes, %v", journal.Size(), err)
	}
}

// The bound of a match holds for any number of games.
func TestTalk_matchOfManyGames(t *testing.T) {
	var k talk
	bytes := 0
	for game := range 1000 {
		for range 100 {
			bytes += len(k.add(game, strings.Repeat("x", maxSaid)))
		}
	}
	if limit := maxSaidMatch + 1000*len(saidTooMuch); bytes > limit {
		t.Errorf("%d bytes were kept, at most %d should be", bytes, limit)
	}
}
