//go:build unix

package ctxread

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe without a writer is empty; one with a writer is read to its end.
func TestOpen_namedPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	f, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(f); len(b) > 0 || err != nil {
		t.Errorf("%q %v", b, err)
	}
	f.Close()

	keep, err := os.OpenFile(name, os.O_RDWR, 0) // so that the writer need not wait
	if err != nil {
		t.Fatal(err)
	}
	w, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if f, err = Open(name); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	keep.Close()
	go func() {
		io.WriteString(w, "a match")
		w.Close()
	}()
	if b, err := io.ReadAll(f); string(b) != "a match" || err != nil {
		t.Errorf("%q %v", b, err)
	}
}

// A folder opens, and reading says what it is.
func TestOpen_folder(t *testing.T) {
	f, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Read(make([]byte, 1)); err == nil {
		t.Error("a folder was read")
	}
}
