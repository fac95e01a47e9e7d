package atomicfile_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fibsbot/internal/atomicfile"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// alone checks that nothing else is in the folder of a file.
func alone(t *testing.T, path string) {
	t.Helper()
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 || left[0].Name() != filepath.Base(path) {
		t.Errorf("the folder holds %v, want only %s", left, filepath.Base(path))
	}
}

func TestMkdirPrivate(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "logs", "archive")
	for range 2 {
		if err := atomicfile.MkdirPrivate(deep); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]os.FileMode{deep: 0o700, filepath.Dir(deep): 0o755} {
		if st, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && st.Mode().Perm()&^0o022 != want {
			t.Errorf("%s: %v, %v", path, st.Mode(), err)
		}
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o755); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(open)
	if err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.MkdirPrivate(open); err != nil {
		t.Fatal(err)
	}
	if now, err := os.Stat(open); err != nil || now.Mode() != before.Mode() {
		t.Errorf("the rights of a folder that was there: %v, %v", now.Mode(), err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.MkdirPrivate(file); err == nil {
		t.Error("a file was taken for a folder")
	}
}

func TestWrite_replacesContentAndPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "match.sgf")
	for _, w := range []struct {
		text  string
		perm  fs.FileMode
		write func(string, fs.FileMode, []byte) error
	}{
		{"first", 0o600, atomicfile.WriteBytes},
		{"second, longer", 0o644, atomicfile.WriteBytes},
		{"3", 0o600, atomicfile.WriteBytesUnsynced},
	} {
		if err := w.write(path, w.perm, []byte(w.text)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != w.text {
			t.Errorf("content %q, want %q", got, w.text)
		}
		alone(t, path)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != w.perm {
			t.Errorf("permissions %v, want %v", info.Mode().Perm(), w.perm)
		}
	}
}

func TestWrite_aFailureLeavesTheOldFileAndNothingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	if err := atomicfile.WriteBytes(path, 0o644, []byte("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("half way")
	err := atomicfile.Write(path, 0o644, func(f *os.File) error {
		if _, err := f.WriteString("new, and then"); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != "old" {
			t.Errorf("a reader sees %q while the new file is being written", got)
		}
		return broken
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names the file and wraps %v", err, broken)
	}
	if got := read(t, path); got != "old" {
		t.Errorf("content %q after a failure, want the old one", got)
	}
	alone(t, path)
}

func TestWrite_renameOverAFolderFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	if err := os.MkdirAll(filepath.Join(dir, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.WriteBytes(filepath.Join(dir, "full"), 0o644, []byte("x")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	alone(t, filepath.Join(dir, "full"))
}

func TestWrite_noFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "absent", "x")
	if err := atomicfile.WriteBytes(path, 0o644, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want fs.ErrNotExist", err)
	}
}

// TestWrite_refusesWhatIsNoFile: a device or a pipe is not replaced by a file.
func TestWrite_refusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{os.DevNull, "/dev/stdout"} { // asked about only: a failure is not to cost the machine its devices
		if _, err := os.Lstat(path); err != nil {
			continue // a system without it
		}
		if err := atomicfile.Check(path); !errors.Is(err, atomicfile.ErrTarget) {
			t.Errorf("%s: %v", path, err)
		}
	}
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	for _, path := range []string{dir, socket} {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := atomicfile.WriteBytes(path, 0o644, []byte("x")); !errors.Is(err, atomicfile.ErrTarget) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
		if after, err := os.Lstat(path); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s was %v and is %v (%v)", path, before.Mode(), after.Mode(), err)
		}
	}
	if err := atomicfile.Check(filepath.Join(dir, "new")); err != nil {
		t.Errorf("a file that is not there yet: %v", err)
	}
}

// A file that goes wrong is named once, and not by its temporary name.
func TestWrite_errorNamesTheFileOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	err := atomicfile.Write(path, 0o600, func(f *os.File) error {
		if err := f.Close(); err != nil {
			return err
		}
		_, err := f.Write([]byte("x"))
		return err
	})
	if !errors.Is(err, os.ErrClosed) || strings.Contains(err.Error(), ".tmp") || strings.Count(err.Error(), path) != 1 {
		t.Errorf("error %v", err)
	}
}
