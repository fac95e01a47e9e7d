package browser

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// put writes the files of a program to a folder.
func put(t *testing.T, dir string, p *Program) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{packedName: p.Packed, execName: p.Exec, licencesName: p.Licences, versionName: []byte("v1.2.3\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A release has the engine beside the program or in ../share, and needs no Go; without it and
// without a clone there is an error. The tests of the site build it from a clone.
func TestFind(t *testing.T) {
	want := &Program{Packed: []byte("wasm"), Exec: []byte("js"), Licences: []byte("licences")}
	for _, place := range []string{"bin/browser", "share/fibsbot/browser"} {
		t.Run(place, func(t *testing.T) {
			t.Setenv("PATH", "")
			dir := t.TempDir()
			exe := filepath.Join(dir, "bin", "fibsbot")
			put(t, filepath.Join(dir, filepath.FromSlash(place)), want)
			if err := os.MkdirAll(filepath.Dir(exe), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(exe, nil, 0o700); err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(t.TempDir(), "fibsbot")
			if err := os.Symlink(exe, link); err != nil {
				link = exe // Windows needs a right for it
			}
			for _, name := range []string{exe, link} {
				got, err := find(t.Context(), name, "v1.2.3")
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: (-want +got)\n%s", name, diff)
				}
			}
			if _, err := find(t.Context(), exe, "v1.2.4"); err == nil || !strings.Contains(err.Error(), `of fibsbot "v1.2.3", this is v1.2.4`) {
				t.Errorf("beside a newer fibsbot: %v", err)
			}
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(place), execName)); err != nil {
				t.Fatal(err)
			}
			if _, err := find(t.Context(), exe, "v1.2.3"); err == nil || !strings.Contains(err.Error(), execName) || !strings.Contains(err.Error(), "release") {
				t.Errorf("without one file: %v", err)
			}
		})
	}
	t.Run("neither", func(t *testing.T) {
		t.Chdir(t.TempDir())
		if _, err := find(t.Context(), filepath.Join(t.TempDir(), "fibsbot"), "v1.2.3"); !errors.Is(err, ErrNoProgram) {
			t.Errorf("outside a clone: %v", err)
		}
		t.Setenv("PATH", "")
		if _, err := find(t.Context(), "", "v1.2.3"); !errors.Is(err, ErrNoProgram) {
			t.Errorf("without Go: %v", err)
		}
	})
}
