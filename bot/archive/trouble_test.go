package archive

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
)

// Two accounts of one name on two servers share a folder: each recovers only its own matches.
func TestRecover_sameNameOnTwoServers(t *testing.T) {
	dir := t.TempDir()
	servers := []string{"fibs.com:4321", "localhost:4321"}
	open := func(server string) *Journal {
		j, err := Open(Options{Protocol: fibs.Protocol{}, Dir: dir, Account: "bot", Server: server, Now: func() time.Time { return noon }, NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	for _, s := range servers {
		j := open(s)
		write(t, j, notes(aMatch)[:12]...)
		j.Close()
	}
	for _, s := range servers {
		j := open(s)
		found, err := j.Recover()
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: found %d matches (%v), want its own", s, len(found), err)
		}
		n := notes(aMatch)
		write(t, j, append([]table.Note{{Kind: table.NoteOpen, Opponent: "bob", Length: 1, Resumed: true}}, n[8:]...)...)
		files := write(t, j, over)
		if len(files) != 2 {
			t.Fatalf("%s: filed %q", s, files)
		}
		m := readSGF(t, files[0])
		checkMatch(t, m)
		if m.Place != s {
			t.Errorf("a match of %s is filed as played on %s", s, m.Place)
		}
		j.Close()
	}
	if all, _ := filepath.Glob(filepath.Join(dir, "*.sgf")); len(all) != 2 {
		t.Errorf("%d matches filed, want 2", len(all))
	}
}

// TestRebuild_listsThatLackLines: journals of a server whose list of moves lacks lines, at the
// end or before the open roll. A game without a mark is whole.
func TestRebuild_listsThatLackLines(t *testing.T) {
	journals, err := filepath.Glob("../../../shared/cases/faults/*list*/*.journal")
	if err != nil || len(journals) == 0 {
		t.Skip("no journals beside the repository")
	}
	for _, path := range journals {
		entries, _, err := readJournal(path)
		if err != nil {
			t.Fatal(err)
		}
		s := rebuild(fibs.Protocol{}, entries)
		if !s.Games[0].Torn {
			t.Errorf("%s: the first game has no mark", path)
		}
		for i := range s.Games {
			if g := &s.Games[i]; !g.Torn && !g.Legal() {
				t.Errorf("%s: game %d has no mark and is not legal", path, i+1)
			}
		}
	}
}

// elsewhere is a protocol with another name.
type elsewhere struct{ fibs.Protocol }

func (elsewhere) Name() string { return "bgammon" }

// The same account and host with another protocol is another account.
func TestRecover_otherProtocol(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	write(t, j, notes(aMatch)[:12]...)
	j.Close()
	other, err := Open(Options{Protocol: elsewhere{}, Dir: dir, Account: "bot", Server: "host:4321", NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if found, err := other.Recover(); err != nil || len(found) != 0 {
		t.Errorf("found %v, %v", found, err)
	}
	write(t, other, table.Note{Kind: table.NoteOpen, Opponent: "eve", Length: 3})
	entries, _, err := readJournal(other.current.path)
	if err != nil || entries[0].Protocol != "bgammon" || entries[0].Server != "host:4321" {
		t.Errorf("head %+v, %v", entries[0], err)
	}
}

func TestOpen_lockedByAnother(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	again := Options{Protocol: fibs.Protocol{}, Dir: dir, Account: "bot", Server: "HOST:4321", NoSync: true}
	if _, err := Open(again); !errors.Is(err, ErrLocked) {
		t.Errorf("a second journal of the same account: %v", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j, err := Open(again)
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
}

// The file cannot be written for a while and has an incomplete entry. Nothing is lost or
// reordered, and the incomplete entry is cut off.
func TestJournal_passingError(t *testing.T) {
	n := append(notes(aMatch), over)
	for at := 1; at < len(n); at++ {
		dir := t.TempDir()
		j := openTest(t, dir)
		write(t, j, n[:at]...)
		b := j.current
		if err := b.file.Close(); err != nil { // as an error of every write
			t.Fatal(err)
		}
		half, err := os.OpenFile(b.path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := half.WriteString(`{"k":"<","t":"2026-11`); err != nil {
			t.Fatal(err)
		}
		half.Close()
		var files []string
		if _, err := j.Write(n[at:at+1], noon); err == nil {
			t.Fatalf("note %d: no error", at)
		}
		recovered, err := j.Retry()
		if err != nil {
			t.Fatalf("note %d: %v", at, err)
		}
		for _, r := range recovered {
			files = append(files, r.Filed.Files...)
		}
		if at+1 < len(n) {
			files = append(files, write(t, j, n[at+1:]...)...)
		}
		if len(files) != 2 {
			t.Fatalf("failing at note %d: filed %q", at, files)
		}
		checkMatch(t, readSGF(t, files[0]))
		whole, err := os.ReadFile(filepath.Join(dir, journalDir, filepath.Base(b.path)))
		if err != nil || strings.Contains(string(whole), "11{") {
			t.Errorf("failing at note %d: %v, a torn entry in the journal:\n%s", at, err, whole)
		}
		j.Close()
	}
}

// The match begins while no file can be created.
func TestJournal_beginsWithoutADisk(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	defer j.Close()
	if err := os.RemoveAll(filepath.Join(dir, openDir)); err != nil {
		t.Fatal(err)
	}
	n := notes(aMatch)
	if _, err := j.Write(n[:5], noon); err == nil {
		t.Fatal("no error without a folder")
	}
	if _, err := j.Retry(); err != nil {
		t.Fatal(err)
	}
	write(t, j, n[5:]...)
	files := write(t, j, over)
	if len(files) != 2 {
		t.Fatalf("filed %q", files)
	}
	checkMatch(t, readSGF(t, files[0]))
}

// The files of a match cannot be written when it ends.
func TestJournal_filesLater(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	write(t, j, notes(aMatch)...)
	away := filepath.Join(t.TempDir(), "journal")
	if err := os.Rename(filepath.Join(dir, journalDir), away); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, journalDir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := j.Write([]table.Note{over}, noon)
	if err != nil || len(files) != 0 || j.Unfiled() != 1 {
		t.Fatalf("filed %+v, %v, %d unfiled", files, err, j.Unfiled())
	}
	if _, err := j.Retry(); err == nil {
		t.Error("filed without a folder for the journal")
	}
	// Another match goes on meanwhile.
	other := notes(aMatch)
	for i := range other {
		other[i].Opponent = "eve"
	}
	write(t, j, other[:1]...)
	if err := errors.Join(os.Remove(filepath.Join(dir, journalDir)), os.Rename(away, filepath.Join(dir, journalDir))); err != nil {
		t.Fatal(err)
	}
	list, err := j.Retry()
	if err != nil || len(list) != 1 || list[0].Sheet.Opponent != "bob" || len(list[0].Filed.Files) != 2 || j.Unfiled() != 0 {
		t.Fatalf("retried: %+v, %v", list, err)
	}
	checkMatch(t, readSGF(t, list[0].Filed.Files[0]))
	j.Close()
}

// Filing fails at any step; before it is tried again, another program may finish it. The journal
// stays whole.
func TestJournal_filingFailsOnce(t *testing.T) {
	for _, healed := range []bool{false, true} {
		for steps := 0; ; steps++ {
			dir := t.TempDir()
			j := openTest(t, dir)
			write(t, j, notes(aMatch)...)
			n, failed := 0, ""
			j.log.Before = func(step string) error {
				if n++; n > steps {
					failed = step
					return errors.New("no space left")
				}
				return nil
			}
			write(t, j, over)
			if j.log.Before = nil; failed == "" {
				break
			}
			if healed {
				c, err := j.log.Begin(t.Context())
				if err == nil {
					err = c.Close()
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			list, err := j.Retry()
			if err != nil || len(list) != 1 || len(list[0].Filed.Files) != 2 || j.Unfiled() != 0 {
				t.Fatalf("failed at %s, healed %v: %+v, %v", failed, healed, list, err)
			}
			checkMatch(t, readSGF(t, list[0].Filed.Files[0]))
			r, err := Replay(JournalOf(dir, list[0].Filed.Files[0]), func(string) protocol.Protocol { return fibs.Protocol{} })
			if err != nil || len(r.Match.Games) != 1 {
				t.Errorf("failed at %s, healed %v: the journal has %+v, %v", failed, healed, r.Match, err)
			}
			j.Close()
		}
	}
}

// A match whose end was not seen is marked as incomplete: over, or no longer on the server.
func TestFile_endNobodySaw(t *testing.T) {
	for _, last := range []table.Note{over, {Kind: table.NoteDiscard, Opponent: "bob"}} {
		j := openTest(t, t.TempDir())
		write(t, j, notes(aMatch)[:12]...)
		files := write(t, j, last)
		if len(files) != 2 {
			t.Fatalf("filed %q", files)
		}
		if m := readSGF(t, files[0]); m.Games[0].Comment != sheet.Incomplete {
			t.Errorf("%v: an unfinished game has the comment %q", last.Kind, m.Games[0].Comment)
		}
		j.Close()
	}
}

// A journal that cannot be opened now is not treated as damaged.
func TestRecover_unreadableIsLeftAlone(t *testing.T) {
	if os.Geteuid() == 0 {
		// The superuser may read everything; a folder cannot be read as a file.
		t.Log("as root, with a folder")
	}
	dir := t.TempDir()
	j := openTest(t, dir)
	defer j.Close()
	path := filepath.Join(dir, openDir, "2026-01-01_000000_bot-eve_3pt.journal")
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Recover(); !errors.Is(err, ErrUnread) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// A match in progress is found in a folder of any name.
func TestRecover_anyFolder(t *testing.T) {
	for _, name := range []string{"matches [2026]", "a*b", "what?", "[", "100%41#1"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Skip(err) // Windows has no such names
			}
			j := openTest(t, dir)
			write(t, j, notes(aMatch[:5])...)
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			j = openTest(t, dir)
			defer j.Close()
			found, err := j.Recover()
			if err != nil || len(found) != 1 || found[0].Sheet.Opponent != "bob" {
				t.Errorf("found %+v, %v", found, err)
			}
		})
	}
}

// A folder that cannot be listed is not treated as empty.
func TestRecover_folderThatCannotBeListed(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	defer j.Close()
	open := filepath.Join(dir, openDir)
	if err := os.Rename(open, open+".away"); err != nil {
		t.Skip(err) // Windows moves no folder with an open file
	}
	if found, err := j.Recover(); err != nil || len(found) > 0 {
		t.Errorf("no folder: %v, %v", found, err)
	}
	if err := os.WriteFile(open, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Recover(); !errors.Is(err, ErrUnread) {
		t.Errorf("error %v, want ErrUnread", err)
	}
	if _, err := LeftLines(dir, "bot", "host:4321"); err == nil {
		t.Error("lines of watched matches: no error")
	}
}

// A server's line is truncated where it would make the journal unreadable.
func TestJournal_lineWithoutBound(t *testing.T) {
	for _, raw := range []string{strings.Repeat("x", 256<<10), strings.Repeat("\x01", maxEntry/5)} {
		j := openTest(t, t.TempDir())
		n := notes(aMatch)
		n = slices.Insert(n, 8, table.Note{Kind: table.NoteLine, Opponent: "bob", Raw: raw, Minor: true})
		write(t, j, n...)
		files := write(t, j, over)
		if len(files) != 2 {
			t.Fatalf("filed %q", files)
		}
		checkMatch(t, readSGF(t, files[0]))
		j.Close()

		dir := t.TempDir()
		l, err := CreateLines(dir, "watched", Watched{Account: "bot", Player: "ann", Opponent: "bob", Server: "host:4321", At: noon})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(l.Add(raw, noon), l.Add("the end", noon)); err != nil {
			t.Fatal(err)
		}
		left, err := LeftLines(dir, "bot", "host:4321")
		if err != nil || len(left) != 1 || len(left[0].Lines) != 2 || left[0].Lines[1] != "the end" {
			t.Errorf("%d journals of watched matches, %v", len(left), err)
		}
		if err := l.Remove(); err != nil {
			t.Error(err)
		}
	}
}

// A failure leaves nothing in the way of the next call.
func TestCreateLines_fails(t *testing.T) {
	dir := t.TempDir()
	never := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) // JSON has four digits for a year
	if _, err := CreateLines(dir, "watched", Watched{Account: "bot", Player: "ann", Opponent: "bob", At: never}); err == nil {
		t.Fatal("no error")
	}
	if list, err := os.ReadDir(filepath.Join(dir, openDir)); err != nil || len(list) > 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

// An error names the match that could not be written.
func TestJournal_retryNamesTheMatch(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	defer j.Close()
	if err := os.RemoveAll(filepath.Join(dir, openDir)); err != nil {
		t.Skip(err) // Windows removes no folder with a lock in it
	}
	if _, err := j.Write(notes(aMatch)[:1], noon); err == nil {
		t.Fatal("no error without a folder")
	}
	j.repair = false // the folder is not created again
	if _, err := j.Retry(); err == nil || !strings.Contains(err.Error(), "journal bob: ") {
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, openDir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Retry(); err == nil || !strings.HasPrefix(err.Error(), "write the journals again: ") {
		t.Errorf("error %v", err)
	}
}
