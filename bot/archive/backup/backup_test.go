package backup

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/fibs"
	"fibsbot/bot/internal/changes"
	"fibsbot/bot/protocol"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

// sample is an archive with two filed matches, one in progress, the state of opponents, and
// files that a backup leaves out.
func sample(tb testing.TB) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "archive")
	p := archivetest.NewPlayer(tb, dir, "bot")
	p.Play(len(archivetest.Lines))
	p.Play(len(archivetest.Lines))
	p.Play(9)
	p.Close()
	for name, text := range map[string]string{"state/bot.json": `{"a":1}`, "state/bot.lock": "", "index.sqlite": "not kept", "index.sqlite-wal": "x", ".tmp-x.sgf-1": "half"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	old := time.Now().Add(-time.Hour) // filed long ago
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error { return os.Chtimes(path, old, old) })
	return dir
}

// content maps the files of a folder that belong in a backup.
func content(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || !kept(filepath.ToSlash(rel)) {
			return err
		}
		data, err := os.ReadFile(path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// written is a backup in memory.
func written(tb testing.TB, dir string) []byte {
	tb.Helper()
	var b bytes.Buffer
	if _, err := Write(tb.Context(), dir, &b, Options{Program: "test"}); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// openBytes opens a backup in memory.
func openBytes(tb testing.TB, data []byte) (*Backup, error) {
	tb.Helper()
	name := filepath.Join(tb.TempDir(), "b.zip")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	b, err := Open(context.Background(), name, nil)
	if err == nil {
		tb.Cleanup(func() { b.Close() })
	}
	return b, err
}

func restore(tb testing.TB, data []byte, dir string) (*Restored, error) {
	tb.Helper()
	b, err := openBytes(tb, data)
	if err != nil {
		tb.Fatal(err)
	}
	return b.Restore(context.Background(), Target{Dir: dir})
}

func TestBackup_restoresWhatWasThere(t *testing.T) {
	dir := sample(t)
	want := content(t, dir)
	if len(want) != 2*4+1+1 {
		t.Fatalf("%d files in the sample: %v", len(want), want)
	}
	data := written(t, dir)
	to := filepath.Join(t.TempDir(), "new", "archive")
	r, err := restore(t, data, to)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, content(t, to)); diff != "" {
		t.Errorf("restored (-want +got):\n%s", diff)
	}
	if r.Index.Added != 2 || len(r.Index.Bad) > 0 || r.Aside != "" {
		t.Errorf("%+v", r)
	}
	if left, _ := filepath.Glob(to + ".*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// The match in progress can be resumed.
	p := archivetest.NewPlayer(t, to, "bot")
	defer p.Close()
	found, err := p.Journal.Recover()
	if err != nil || len(found) != 1 || found[0].Ended {
		t.Errorf("recovered %d matches, %v", len(found), err)
	}
	st, err := os.Stat(filepath.Join(to, "state", "bot.json"))
	if err != nil || st.Mode().Perm() != 0o600 || time.Since(st.ModTime()) < 50*time.Minute {
		t.Errorf("permissions and time are not those of the original: %v %v", st, err)
	}
	// Any program can read it.
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || z.File[len(z.File)-1].Name != manifestName {
		t.Errorf("no zip file with a manifest: %v", err)
	}
}

// Each match is in the backup once, in progress or filed with all its files, while two
// accounts file as fast as they can.
func TestBackup_whileMatchesAreFiled(t *testing.T) {
	testsize.Medium(t)
	dir := sample(t)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var filing sync.Mutex // held at times, as real bots file matches less often
	for _, name := range []string{"ann", "eve"} {
		wg.Go(func() {
			p := archivetest.NewPlayer(t, dir, name)
			defer p.Close()
			for n := range 80 {
				select {
				case <-stop:
					return
				default:
				}
				filing.Lock()
				p.Play([]int{len(archivetest.Lines), 9}[n%5/4])
				filing.Unlock()
			}
		})
	}
	for round := range 2 {
		listings := 0
		data := bytes.Buffer{}
		m, err := Write(t.Context(), dir, &data, Options{listed: func() {
			if listings++; listings == 4+round { // matches are filed between the first listings
				filing.Lock()
			}
		}})
		if listings >= 4+round {
			filing.Unlock()
		}
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "archive")
		if _, err := restore(t, data.Bytes(), to); err != nil {
			t.Fatal(err)
		}
		once(t, to, m)
	}
	close(stop)
	wg.Wait()
}

// once checks that each match of a folder is filed completely or in progress.
func once(t *testing.T, dir string, m *Manifest) {
	t.Helper()
	has := content(t, dir)
	filed, runs := 0, 0
	for name := range has {
		stem := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		switch {
		case isRunning(name):
			runs++
			if has[name] == "" {
				continue // just begun
			}
			r, err := archive.Replay(filepath.Join(dir, name), func(string) protocol.Protocol { return fibs.Protocol{} })
			if err != nil {
				t.Error(err)
			}
			if _, ok := has["journal/"+stem+".journal"]; ok {
				t.Errorf("%s is running and filed", stem)
			}
			if _, ok := has[stem+".sgf"]; ok && err == nil && !r.Ended {
				t.Errorf("%s has its file, and its journal does not know that it has ended", stem)
			}
		case strings.HasPrefix(name, "journal/"):
			filed++
			for _, other := range []string{".sgf", ".fibs"} {
				if has[stem+other] == "" {
					t.Errorf("%s%s is missing", stem, other)
				}
			}
		}
	}
	if filed < 2 || runs != m.Running {
		t.Errorf("%d filed, %d running, the manifest says %d", filed, runs, m.Running)
	}
}

// A match that moves to the folder of its day between two listings is restored there, once.
func TestBackup_movedWhileItIsWritten(t *testing.T) {
	dir := sample(t)
	listings := 0
	var b bytes.Buffer
	m, err := Write(t.Context(), dir, &b, Options{listed: func() {
		if listings++; listings != 2 {
			return
		}
		to := filepath.Join(dir, "2026-11-21")
		if err := os.Mkdir(to, 0o755); err != nil {
			t.Error(err)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "2026-*_1pt.*"))
		for _, f := range files {
			if err := os.Rename(f, filepath.Join(to, filepath.Base(f))); err != nil {
				t.Error(err)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Superseded) == 0 || m.Matches != 2 {
		t.Errorf("%d matches, superseded %v", m.Matches, m.Superseded)
	}
	to := filepath.Join(t.TempDir(), "archive")
	if _, err := restore(t, b.Bytes(), to); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(content(t, dir), content(t, to)); diff != "" {
		t.Errorf("restored (-want +got):\n%s", diff)
	}
}

// A backup truncated anywhere, also at the end of a member, is refused with one line.
func TestOpen_truncated(t *testing.T) {
	data := written(t, sample(t))
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	cuts := []int{0, 1, 3, 4, 30, len(data) - 1, len(data) - digestLength, len(data) - digestLength - 1}
	for _, f := range z.File {
		at, err := f.DataOffset()
		if err != nil {
			t.Fatal(err)
		}
		end := int(at) + int(f.CompressedSize64)
		cuts = append(cuts, int(at), end, end+16, end+1)
	}
	for n := 0; n < len(data); n += 211 {
		cuts = append(cuts, n)
	}
	for _, n := range cuts {
		if n >= len(data) {
			continue
		}
		b, err := openBytes(t, data[:n])
		if err == nil {
			t.Fatalf("cut off at %d of %d: opened with %d members", n, len(data), len(b.Members))
		}
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNoBackup) || strings.Contains(err.Error(), "\n") {
			t.Errorf("cut off at %d: %v", n, err)
		}
		if n >= 4 && !errors.Is(err, ErrDamaged) {
			t.Errorf("cut off at %d, and called no backup: %v", n, err)
		}
	}
}

// Every changed byte is found; the test changes every fifth.
func TestOpen_flippedByte(t *testing.T) {
	testsize.Medium(t)
	data := written(t, sample(t))
	name := filepath.Join(t.TempDir(), "b.zip")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i := 0; i < len(data); i += 5 {
		if _, err := f.WriteAt([]byte{data[i] ^ 0x21}, int64(i)); err != nil {
			t.Fatal(err)
		}
		if b, err := open(t.Context(), f, nil); err == nil {
			t.Fatalf("byte %d of %d is another, and it is opened: %+v", i, len(data), b.Manifest)
		}
		if _, err := f.WriteAt(data[i:i+1], int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := open(t.Context(), f, nil); err != nil {
		t.Error(err)
	}
}

// forge writes a backup with a changed manifest and a valid seal.
func forge(tb testing.TB, change func(*Manifest), members map[string]string) []byte {
	tb.Helper()
	var out bytes.Buffer
	s := newSealer(&out)
	z := zip.NewWriter(s)
	c := copier{zip: z, have: map[string]Member{}, opt: &Options{}}
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	m := &Manifest{Format: format, Version: Version, Program: "v9", Made: time.Unix(1e9, 0).UTC()}
	dir := tb.TempDir()
	for i, name := range names {
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, []byte(members[name]), 0o644); err != nil {
			tb.Fatal(err)
		}
		st, _ := os.Stat(file)
		if err := c.add(name, strings.NewReader(members[name]), st); err != nil {
			tb.Fatal(err)
		}
		m.Members = append(m.Members, c.have[name])
	}
	change(m)
	w, err := z.Create(manifestName)
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.NewEncoder(w).Encode(m); err != nil {
		tb.Fatal(err)
	}
	if err := errors.Join(z.SetComment(comment+noDigest), z.Close(), s.seal()); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// Files that do not belong to an archive are left out and listed.
func TestWrite_strangers(t *testing.T) {
	dir := sample(t)
	want := content(t, dir)
	for _, name := range []string{"notes.txt", "run.sh", "reports/match.html", ".hidden.sgf", "open/core"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	m, err := Write(t.Context(), dir, &b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".hidden.sgf", "notes.txt", "open/core", "reports/match.html", "run.sh"}, m.LeftOut); diff != "" {
		t.Errorf("left out: (-want +got)\n%s", diff)
	}
	to := filepath.Join(t.TempDir(), "a")
	if _, err := restore(t, b.Bytes(), to); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, content(t, to)); diff != "" {
		t.Errorf("restored (-want +got)\n%s", diff)
	}
}

// TestKept has a file of every kind in an archive.
func TestKept(t *testing.T) {
	for _, name := range []string{"m.sgf", "2026-11-26/m.sgf", "bob/m.fibs", "m.mat", "m.json", "imported/0a.sgf", "imported/0a.json", "journal/m.journal",
		"open/m.journal", "open/m.journal.damaged", "state/optout.txt", "state/notify.json", "state/bot@host.json", "play/p1.match", "pruned.jsonl", "quiz.json"} {
		if !kept(name) || !usable(name) {
			t.Errorf("%s is left out", name)
		}
	}
}

func TestOpen_refuses(t *testing.T) {
	one := map[string]string{"a.sgf": "x"}
	for name, tt := range map[string]struct {
		data []byte
		want error
	}{
		"a newer version":       {forge(t, func(m *Manifest) { m.Version = 2 }, one), ErrVersion},
		"no version":            {forge(t, func(m *Manifest) { m.Version = 0 }, one), ErrVersion},
		"another program's":     {forge(t, func(m *Manifest) { m.Format = "photos" }, one), ErrNoBackup},
		"above the folder":      {forge(t, func(m *Manifest) { m.Members[0].Name = "../a.sgf" }, map[string]string{"../a.sgf": "x"}), ErrDamaged},
		"an absolute name":      {forge(t, func(*Manifest) {}, map[string]string{"/etc/cron.d/a": "x"}), ErrDamaged},
		"a backslash":           {forge(t, func(*Manifest) {}, map[string]string{`..\a`: "x"}), ErrDamaged},
		"an index":              {forge(t, func(*Manifest) {}, map[string]string{"index.sqlite": "x"}), ErrDamaged},
		"a shell's start":       {forge(t, func(*Manifest) {}, map[string]string{".bashrc": "x"}), ErrDamaged},
		"a folder of keys":      {forge(t, func(*Manifest) {}, map[string]string{".ssh/authorized_keys.json": "x"}), ErrDamaged},
		"a program":             {forge(t, func(*Manifest) {}, map[string]string{"bin/gnubg": "x"}), ErrDamaged},
		"a journal elsewhere":   {forge(t, func(*Manifest) {}, map[string]string{"run.journal": "x"}), ErrDamaged},
		"a member too few":      {forge(t, func(m *Manifest) { m.Members = m.Members[:0] }, one), ErrDamaged},
		"a member too many":     {forge(t, func(m *Manifest) { m.Members = append(m.Members, Member{Name: "b", SHA256: strings.Repeat("0", 64)}) }, one), ErrDamaged},
		"twice the same member": {forge(t, func(m *Manifest) { m.Members = append(m.Members, m.Members[0]) }, one), ErrDamaged},
		"another size":          {forge(t, func(m *Manifest) { m.Members[0].Size = 2 }, one), ErrDamaged},
		"a negative size":       {forge(t, func(m *Manifest) { m.Members[0].Size = -1 }, one), ErrDamaged},
		"a text":                {[]byte(strings.Repeat("dear diary, ", 100)), ErrNoBackup},
		"nothing":               {nil, ErrNoBackup},
	} {
		if _, err := openBytes(t, tt.data); !errors.Is(err, tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
	// A wrong checksum in a manifest is found by reading the member.
	b, err := openBytes(t, forge(t, func(m *Manifest) { m.Members[0].SHA256 = strings.Repeat("0", 64) }, one))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Check(t.Context(), nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("a wrong checksum: %v", err)
	}
	to := filepath.Join(t.TempDir(), "new")
	if _, err := b.Restore(t.Context(), Target{Dir: to}); !errors.Is(err, ErrDamaged) {
		t.Errorf("a wrong checksum, restored: %v", err)
	}
	if left, _ := filepath.Glob(to + "*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRestore_aFolderInUse(t *testing.T) {
	data := written(t, sample(t))
	b, err := openBytes(t, data)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "archive [2026]") // a name, not a pattern
	p := archivetest.NewPlayer(t, dir, "bot")
	p.Play(len(archivetest.Lines))
	before := content(t, dir)
	if _, err := b.Restore(t.Context(), Target{Dir: dir}); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("a folder with a match: %v", err)
	}
	if _, err := b.Restore(t.Context(), Target{Dir: dir, Force: true}); !errors.Is(err, ErrRunning) {
		t.Errorf("a bot is running on it: %v", err)
	}
	if diff := cmp.Diff(before, content(t, dir)); diff != "" {
		t.Errorf("the folder has changed:\n%s", diff)
	}
	p.Close()
	r, err := b.Restore(t.Context(), Target{Dir: dir, Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, content(t, r.Aside)); diff != "" {
		t.Errorf("what was set aside:\n%s", diff)
	}
	// A folder in the way that is not from a restore stays.
	other := filepath.Join(t.TempDir(), "archive")
	if err := os.MkdirAll(other+".restoring/holiday", 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Restore(t.Context(), Target{Dir: other}); !errors.Is(err, ErrTarget) {
		t.Errorf("a folder in the way: %v", err)
	}
	if _, err := os.Stat(other + ".restoring/holiday"); err != nil {
		t.Error(err)
	}
}

func TestRestore_interrupted(t *testing.T) {
	data := written(t, sample(t))
	b, err := openBytes(t, data)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "archive")
	for n := range len(b.Members) {
		ctx, cancel := context.WithCancel(t.Context())
		done := 0
		_, err := b.Restore(ctx, Target{Dir: dir, restored: func() {
			if done++; done > n {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d files: %v", n, err)
		}
		if left, _ := filepath.Glob(dir + "*"); len(left) > 0 {
			t.Fatalf("after %d files: left %v", n, left)
		}
	}
}

// TestRestore_killed kills a restoring process at many moments: the folder is unchanged, and
// the next restore works.
func TestRestore_killed(t *testing.T) {
	if name := os.Getenv("FIBSBOT_TEST_RESTORE"); name != "" {
		b, err := Open(t.Context(), name, nil)
		if err != nil {
			t.Fatal(err)
		}
		left := 0
		fmt.Sscan(os.Getenv("FIBSBOT_TEST_AFTER"), &left)
		_, err = b.Restore(t.Context(), Target{Dir: os.Getenv("FIBSBOT_TEST_DIR"), Force: true, restored: func() {
			if left--; left == 0 {
				self, _ := os.FindProcess(os.Getpid())
				_ = self.Kill()
				time.Sleep(time.Hour)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	data := written(t, sample(t))
	name := filepath.Join(t.TempDir(), "b.zip")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "archive")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "old.sgf"), []byte("dear"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := content(t, dir)
	for _, after := range []string{"1", "4", "10"} {
		cmd := exec.Command(os.Args[0], "-test.run", "TestRestore_killed")
		cmd.Env = append(os.Environ(), "FIBSBOT_TEST_RESTORE="+name, "FIBSBOT_TEST_DIR="+dir, "FIBSBOT_TEST_AFTER="+after)
		if err := cmd.Run(); err == nil {
			t.Fatal("the process was not killed")
		}
		if diff := cmp.Diff(before, content(t, dir)); diff != "" {
			t.Fatalf("killed after %s files, the folder has changed:\n%s", after, diff)
		}
		if _, err := os.Stat(dir + ".restoring"); err != nil {
			t.Fatalf("killed after %s files, and nothing was begun: %v", after, err)
		}
	}
	b, err := Open(t.Context(), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := b.Restore(t.Context(), Target{Dir: dir, Force: true}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(dir + ".restoring*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// small is a disk that is full after n bytes.
type small struct{ n int }

func (s *small) Write(p []byte) (int, error) {
	if s.n -= len(p); s.n < 0 {
		return max(0, len(p)+s.n), syscall.ENOSPC
	}
	return len(p), nil
}

// A full disk is an error at any byte, and File keeps the older backup.
func TestWrite_fullDisk(t *testing.T) {
	dir := sample(t)
	size := len(written(t, dir))
	for n := 0; n < size; n += 251 {
		if _, err := Write(t.Context(), dir, &small{n}, Options{}); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("full after %d bytes: %v", n, err)
		}
	}
	if _, err := Write(t.Context(), dir, &small{size}, Options{}); err != nil {
		t.Error(err)
	}
}

// TestFile_fullDisk is the same on a real disk.
func TestFile_fullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := mount(disk, 64<<10); err != nil {
		t.Skipf("skipped: cannot mount a small disk: %v", err)
	}
	defer unmount(disk)
	dir := sample(t)
	target := filepath.Join(disk, "b.zip")
	if _, err := File(t.Context(), dir, target, false, Options{}); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(target)
	if err != nil {
		t.Fatal(err)
	}
	fill := bytes.Repeat([]byte("noise"), 20<<10)
	_ = os.WriteFile(filepath.Join(disk, "fill"), fill, 0o644) // fills the disk
	if _, err := File(t.Context(), dir, target, false, Options{}); !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "\n") {
		t.Errorf("on a full disk: %v", err)
	}
	if now, err := os.ReadFile(target); err != nil || !bytes.Equal(now, old) {
		t.Errorf("the older backup is not what it was: %v", err)
	}
	b, err := Open(t.Context(), target, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := b.Restore(t.Context(), Target{Dir: filepath.Join(disk, "archive")}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("restored on a full disk: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(disk, "*")); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFile_where(t *testing.T) {
	dir := sample(t)
	if _, err := File(t.Context(), dir, filepath.Join(dir, "journal", "b.zip"), true, Options{}); !errors.Is(err, ErrInside) {
		t.Errorf("in the archive: %v", err)
	}
	other := filepath.Join(t.TempDir(), "diary.txt")
	if err := os.WriteFile(other, []byte("dear diary"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := File(t.Context(), dir, other, false, Options{}); !errors.Is(err, ErrOther) {
		t.Errorf("over a diary: %v", err)
	}
	for range 2 { // also over a backup
		if _, err := File(t.Context(), dir, other, true, Options{}); err != nil {
			t.Error(err)
		}
	}
	if _, err := File(t.Context(), filepath.Join(dir, "nothing"), filepath.Join(t.TempDir(), "b"), false, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of nothing: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	good := forge(f, func(*Manifest) {}, map[string]string{"a.sgf": "(;FF[4])", "open/b.journal": "{}\n"})
	f.Add(good)
	f.Add(forge(f, func(m *Manifest) { m.Members[0].Size = 1 << 40 }, map[string]string{"a.sgf": "x"}))
	f.Add(good[:len(good)/2])
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		for i := range b.Members {
			m := &b.Members[i]
			if !filepath.IsLocal(filepath.FromSlash(m.Name)) {
				t.Fatalf("a member outside the folder: %q", m.Name)
			}
			counted := &counter{}
			if err := b.copy(m, counted); err == nil && counted.n != m.Size || counted.n > m.Size+1 {
				t.Fatalf("%q: %d bytes of %d, %v", m.Name, counted.n, m.Size, err)
			}
		}
	})
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

var _ io.Writer = (*counter)(nil)

// No change falls between two files of a match.
func TestBackup_changedWhileItIsWritten(t *testing.T) {
	dir := sample(t)
	list, err := filepath.Glob(filepath.Join(dir, "*.sgf"))
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	sgf := filepath.Base(list[0])
	var pair []string
	for _, ext := range []string{".json", ".sgf"} {
		pair = append(pair, strings.TrimSuffix(sgf, ".sgf")+ext)
	}
	before := content(t, dir)
	done := make(chan error, 1)
	var b bytes.Buffer
	if _, err := Write(t.Context(), dir, &b, Options{copied: func(name string) {
		if name != pair[0] {
			return
		}
		go func() {
			c, err := (&changes.Log{Dir: dir}).Begin(t.Context())
			for _, name := range pair {
				if err == nil {
					err = c.WriteBytes(name, 0o600, append([]byte(before[name]), ' '))
				}
			}
			if err == nil {
				_, err = c.Commit()
				err = errors.Join(err, c.Close())
			}
			done <- err
		}()
		time.Sleep(100 * time.Millisecond)
	}}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	to := filepath.Join(t.TempDir(), "archive")
	if _, err := restore(t, b.Bytes(), to); err != nil {
		t.Fatal(err)
	}
	restored := content(t, to)
	if (restored[pair[0]] == before[pair[0]]) != (restored[pair[1]] == before[pair[1]]) {
		t.Error("one file of the match is from before the change and one from after it")
	}
}
