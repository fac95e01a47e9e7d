package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/internal/doccheck"
	"fibsbot/internal/testsize"
)

// flagCase is a line of testdata/flags.txt: a command line without and with a flag, or the
// reason why no line shows its effect.
type flagCase struct{ base, flag, value, reason string }

// flagCases reads testdata/flags.txt by command; "*" has reasons for flags of any command.
func flagCases(t *testing.T) map[string][]flagCase {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "flags.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out, path, base := map[string][]flagCase{}, "", ""
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimRight(line, "\n"); {
		case line == "" || line[0] == '#':
		case line[0] != ' ':
			path, base, _ = strings.Cut(line, ":")
			base = path + " " + strings.TrimSpace(base)
		default:
			c := flagCase{base: base}
			call, own, other := strings.Cut(strings.TrimSpace(line), " |")
			if other {
				c.base = path + own
			}
			if c.flag, c.reason, other = strings.Cut(call, ": "); !other {
				c.flag, c.value, _ = strings.Cut(call, " ")
			}
			out[path] = append(out[path], c)
		}
	}
	return out
}

// TestFlags_everyOneHasAnEffect runs each flag of each command and compares what is printed and
// written with and without it. Flags that need a network, a terminal or minutes have a reason in
// testdata/flags.txt, mostly the test that has them.
func TestFlags_everyOneHasAnEffect(t *testing.T) {
	testsize.Large(t)
	cases, samples := flagCases(t), sampleArchives(t)
	before, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if after, err := os.ReadDir("."); err != nil || len(after) != len(before) {
			t.Errorf("a line of testdata/flags.txt wrote into this folder: give it --archive or -o (%v)", err)
		}
	})
	everyCommand(newRootCmd(), func(path string, cmd *cobra.Command) {
		list := cases[path]
		delete(cases, path)
		var names []string
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			names = append(names, f.Name)
			if !slices.ContainsFunc(slices.Concat(list, cases["*"]), func(c flagCase) bool { return c.flag == f.Name }) {
				t.Errorf("fibsbot %s --%s: no line in testdata/flags.txt", path, f.Name)
			}
		})
		without := map[string]string{} // what lines without the flag do
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			for _, c := range list {
				if !slices.Contains(names, c.flag) {
					t.Errorf("%s has no flag --%s", path, c.flag)
				}
				if c.reason != "" {
					if test, _, ok := strings.Cut(c.reason, " "); ok && strings.HasPrefix(test, "Test") {
						named(t, "cmd/fibsbot "+test, c.flag)
					}
					continue
				}
				if _, ok := without[c.base]; !ok {
					without[c.base], _ = effect(t, samples, c.base)
				}
				line := strings.TrimSpace(c.base + " --" + c.flag + " " + c.value)
				if cmd.Flags().Lookup(c.flag).NoOptDefVal != "" {
					line = strings.Replace(line, "--"+c.flag+" ", "--"+c.flag+"=", 1)
				}
				got, code := effect(t, samples, line)
				if code != 0 {
					t.Errorf("fibsbot %s: status %d, %.200q", line, code, got)
				} else if got == without[c.base] {
					t.Errorf("fibsbot %s: no effect, %.100q", line, got)
				}
			}
		})
	})
	delete(cases, "*")
	for path := range cases {
		t.Errorf("testdata/flags.txt: no command %s", path)
	}
}

// passing are times and durations.
var passing = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+|\d+\.\d+ s\b`)

// sampleArchives returns a folder with two archives and their indexes.
func sampleArchives(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for folder, names := range map[string]string{"a": "*.sgf", "s": "[as][ue]t*o*e.sgf"} {
		list, err := filepath.Glob(filepath.Join(archiveSamples, names))
		if err != nil || len(list) < 2 || os.Mkdir(filepath.Join(dir, folder), 0o700) != nil {
			t.Fatal(folder, list, err)
		}
		for _, path := range list {
			data, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, folder, filepath.Base(path)), data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		db, err := index.OpenComplete(t.Context(), filepath.Join(dir, folder), "")
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// effect runs a line in a folder of its own and returns all that it printed and wrote there. In
// the line @ is the folder, with those of the sample archives that it names.
func effect(t *testing.T, samples, line string) (string, int) {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"a", "s"} {
		if strings.Contains(line, "@/"+folder) {
			if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(samples, folder))); err != nil {
				t.Fatal(err)
			}
		}
	}
	words := doccheck.Words(strings.ReplaceAll(line, "@", dir))
	var o, e bytes.Buffer
	code := run(context.Background(), words, strings.NewReader(""), &o, &e)
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n%s\n%s\n", code, o.String(), e.String())
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.Contains(path, ".sqlite") && !strings.HasSuffix(path, ".log") {
			data, err := os.ReadFile(path)
			was, _ := os.ReadFile(filepath.Join(archiveSamples, d.Name()))
			if !bytes.Equal(data, was) {
				files[path] = string(data)
			}
			return err
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "%s\n%s\n", path, files[path])
	}
	return passing.ReplaceAllString(strings.ReplaceAll(b.String(), dir, "@"), ""), code
}
