package jsonlines

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var errBad = errors.New("bad")

type value struct{ A int }

func TestRead(t *testing.T) {
	positive := func(_ int, v *value) error {
		if v.A < 0 {
			return errors.New("negative")
		}
		return nil
	}
	for text, want := range map[string]string{
		"":                                  "[] 0  <nil>",
		"{\"A\":1}\n{\"A\":2}\n{\"A":        "[{1} {2}] 16 {\"A <nil>",
		"{\"A\":1}\n{\"A\":-2}\n":           "[{1}] 8  line 2: bad: negative",
		"{\"A\":1}\nx\n":                    "[{1}] 8  line 2: bad: invalid character 'x' looking for beginning of value",
		strings.Repeat("x", maxLine) + "\n": "[] 0  line 1: bad: longer than 65536 bytes",
	} {
		list, size, rest, err := Read(strings.NewReader(text), errBad, positive)
		if got := fmt.Sprintf("%v %d %s %v", list, size, rest, err); got != want || err != nil && !errors.Is(err, errBad) {
			t.Errorf("%.20q: %s, want %s", text, got, want)
		}
	}
}

// A file is continued after its last whole line, and stays as it is where it is refused.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	n := 0
	count := func(int, []byte) error { n++; return nil }
	fine := func() error { return nil }
	for _, part := range []value{{1}, {2}} {
		f, err := Open(path, errBad, count, fine)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Append(part, part), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil || n != 2 || string(data) != "{\"A\":1}\n{\"A\":1}\n{\"A\":2}\n{\"A\":2}\n" {
		t.Fatalf("%d lines, %q, %v", n, data, err)
	}
	if err := os.WriteFile(path, append(data, `{"A`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, errBad, func(int, []byte) error { return errBad }, fine); !errors.Is(err, errBad) {
		t.Error(err)
	}
	if _, err := Open(path, errBad, count, func() error { return errBad }); !errors.Is(err, errBad) {
		t.Error(err)
	}
	if again, err := os.ReadFile(path); err != nil || string(again) != string(data)+`{"A` {
		t.Errorf("%q, %v", again, err)
	}
	f, err := Open(path, errBad, count, fine)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	other := path + ".txt"
	if err := os.WriteFile(other, []byte("a diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(other, errBad, count, fine); !errors.Is(err, errBad) {
		t.Errorf("a file of something else: %v", err)
	}
	if again, err := os.ReadFile(path); err != nil || string(again) != string(data) {
		t.Errorf("%q, %v", again, err)
	}
}
