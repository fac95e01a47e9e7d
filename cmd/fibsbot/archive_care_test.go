package main

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// TestArchiveCare_commands runs backup, verify, restore and prune on one archive.
func TestArchiveCare_commands(t *testing.T) {
	testsize.Medium(t)
	dir := sampleArchive(t)
	work := t.TempDir()
	file, again := filepath.Join(work, "b.zip"), filepath.Join(work, "new", "archive")
	diary, cut, changed := filepath.Join(work, "diary"), filepath.Join(work, "cut.zip"), filepath.Join(work, "changed.zip")
	if err := os.WriteFile(diary, []byte("dear diary"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string // in stdout, or in stderr where code is not 0
	}{
		{"backup", []string{"backup", file, "--archive", dir}, 0, "3 matches"},
		{"backup again, as JSON", []string{"backup", file, "--archive", dir, "--json"}, 0, `"matches": 3`},
		{"over something else", []string{"backup", diary, "--archive", dir}, 2, "is not a backup"},
		{"into the archive", []string{"backup", filepath.Join(dir, "b.zip"), "--archive", dir}, 2, "is inside the archive"},
		{"to nowhere", []string{"backup", filepath.Join(work, "no", "b.zip"), "--archive", dir}, 2, "no such file"},
		{"of nothing", []string{"backup", file, "--archive", filepath.Join(work, "no")}, 2, "no archive in "},
		{"without a file", []string{"backup", "--archive", dir}, 2, "archive backup"},
		{"verify", []string{"verify", "--archive", dir}, 0, "3 match files"},
		{"verify a backup", []string{"verify", file}, 0, "is sound: 3 matches"},
		{"verify a diary", []string{"verify", diary}, 2, "not an archive backup"},
		{"verify a part", []string{"verify", cut}, 2, "damaged backup"},
		{"restore a part", []string{"restore", cut, again}, 2, "damaged backup"},
		{"restore a changed one", []string{"restore", changed, again}, 2, "damaged backup"},
		{"restore", []string{"restore", file, again}, 0, "3 matches"},
		{"restore over it", []string{"restore", file, again}, 2, "not empty"},
		{"restore by force", []string{"restore", file, "--archive", again, "--force", "--json"}, 0, `"aside": "` + again + ".before-restore-"},
		{"restore to two places", []string{"restore", file, again, "--archive", again}, 2, "the same folder"},
		{"restore to no place", []string{"restore", file}, 2, "no folder given"},
		{"the restored one", []string{"verify", "--archive", again, "--json"}, 0, `"wrong": []`},
		{"prune without an age", []string{"prune", "--archive", again}, 2, "--older-than"},
		{"prune by nonsense", []string{"prune", "--archive", again, "--older-than", "old"}, 2, `"old" is not an age (use 365d`},
		{"prune, only asked", []string{"prune", "--archive", again, "--older-than", "1d", "--dry-run"}, 0, "would be freed"},
		{"still there", []string{"show", "--archive", again, "match5"}, 0, "game 3"},
		{"prune", []string{"prune", "--archive", again, "--older-than", "1d"}, 0, "freed"},
		{"rebuilt", []string{"rebuild", "--archive", again}, 0, "3 matches indexed"},
		{"its result", []string{"show", "--archive", again, "match5"}, 0, "game 3   at 4-0: won 3, Crawford game, not played to the end"},
		{"said to be pruned", []string{"show", "--archive", again, "match5"}, 0, "pruned"},
		{"sound without files", []string{"verify", "--archive", again}, 0, "3 of them pruned: sound"},
		{"nothing to export", []string{"export", "--archive", again, "--format", "mat", "-o", filepath.Join(work, "mats")}, 0, ""},
		{"nothing to judge", []string{"errors", "--archive", again}, 0, ""},
	} {
		if tt.name == "verify a part" {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(cut, data[:len(data)/2], 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(changed, append(data[:200:200], append([]byte{data[200] ^ 1}, data[201:]...)...), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		code, out, errOut := cli(t, append([]string{"archive"}, tt.args...)...)
		text := out
		if tt.code != 0 {
			text = errOut
			if strings.Count(errOut, "\n") != 1 {
				t.Errorf("%s: not one line: %s", tt.name, errOut)
			}
		}
		if code != tt.code || !strings.Contains(text, tt.want) {
			t.Fatalf("%s: status %d, want %d with %q\nstdout: %s\nstderr: %s", tt.name, code, tt.code, tt.want, out, errOut)
		}
	}
}

// A fault gives status 1 and names the file.
func TestArchiveVerify_wrong(t *testing.T) {
	dir := sampleArchive(t)
	if code, _, errOut := cli(t, "archive", "rebuild", "--archive", dir); code != 0 {
		t.Fatal(errOut)
	}
	if err := os.Remove(filepath.Join(dir, "match5.sgf")); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := cli(t, "archive", "verify", "--archive", dir)
	if code != cmdline.ExitFailed || !strings.Contains(out, "match5.sgf: in the index, but the file is missing") || !strings.Contains(errOut, "the archive has faults: 1") {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
}

// A folder without write permission is a usage error; a full disk is a failure.
func TestCareError_disk(t *testing.T) {
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	for cause, wrong := range map[error]bool{syscall.ENOSPC: false, syscall.EDQUOT: false, syscall.EROFS: true, fs.ErrPermission: true} {
		var u cmdline.UsageError
		err := careError(cmd, fmt.Errorf("write b.zip: %w", &fs.PathError{Op: "write", Path: "b.zip", Err: cause}))
		if errors.As(err, &u) != wrong {
			t.Errorf("%v: status 2 is %v", err, !wrong)
		}
	}
}

// An empty index file, or one whose creation was interrupted, is rebuilt.
func TestArchive_emptyIndex(t *testing.T) {
	dir := sampleArchive(t)
	want := func(when string) {
		t.Helper()
		if code, out, errOut := cli(t, "archive", "list", "--archive", dir, "--json"); code != 0 || strings.Count(out, "\n") != 3 {
			t.Errorf("%s: status %d\n%s%s", when, code, out, errOut)
		}
	}
	file := filepath.Join(dir, index.FileName)
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want("made empty")
	if err := os.Truncate(file, 0); err != nil {
		t.Fatal(err)
	}
	want("emptied")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	db, err := index.Open(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	want("killed before it was filled")
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st, err)
	}
}

// The error of an unreadable row says what to do.
func TestArchive_badRow(t *testing.T) {
	testsize.Medium(t)
	for _, change := range []string{`UPDATE matches SET started = 'yesterday'`, `UPDATE matches SET dice = '1 2 3'`, `UPDATE matches SET game_list = 'many'`} {
		dir := sampleArchive(t)
		if code, _, errOut := cli(t, "archive", "rebuild", "--archive", dir); code != 0 {
			t.Fatal(errOut)
		}
		db, err := sql.Open("sqlite", filepath.Join(dir, index.FileName))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(change); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		args := []string{"archive", "list", "--archive", dir}
		if strings.Contains(change, "game_list") {
			args = []string{"archive", "show", "--archive", dir, "match5"}
		}
		if code, _, errOut := cli(t, args...); code != cmdline.ExitFailed || !strings.Contains(errOut, "run fibsbot archive rebuild") {
			t.Errorf("%s: status %d: %s", change, code, errOut)
		}
		if code, _, errOut := cli(t, "archive", "rebuild", "--archive", dir); code != 0 {
			t.Errorf("%s: rebuild: %s", change, errOut)
		}
		if code, _, errOut := cli(t, args...); code != 0 {
			t.Errorf("%s: after rebuild: status %d: %s", change, code, errOut)
		}
	}
}
