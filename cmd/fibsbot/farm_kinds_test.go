package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"
)

// timed is what differs between two runs of the same: how long they took.
var timed = regexp.MustCompile(`"(seconds|games_per_s|ms_per_decision|longest_ms)": ?([0-9.e+-]+|null)|,"asked":\[[^]]*\]|\([0-9.]+ games/s\)|(?m)^[0-9hms]+ .*k/s$`)

// tree is the text of all files of a folder and below, by name, without times.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".lock" || strings.Contains(path, "index.db") {
			return err
		}
		text, err := os.ReadFile(path)
		said := fmt.Sprintf("%x", sha256.Sum256(text))
		if utf8.Valid(text) {
			said = timed.ReplaceAllString(string(text), "")
		}
		out.WriteString("== " + strings.TrimPrefix(path, dir) + "\n" + said + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestFarm_everyKindIsEqualToTheByte runs each heavy job locally and on a farm of two
// workers: what is printed and what is in the files is the same. The server and some commands
// that give it jobs are under the race detector; what computes is a plain build (workers
// under the detector are in the other tests of a farm).
func TestFarm_everyKindIsEqualToTheByte(t *testing.T) {
	t.Parallel()
	alike := []string{childVersion + "=v0.0.0-kinds"}
	sample := reference.Path(t, "formats", "samples", "match3.sgf")
	match, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
	f := newFarm(t)
	f.serve(t)
	f.up(t)
	for _, name := range []string{"a", "b"} {
		beginPlain(t, alike, f.worker(name)...)
	}
	database := filepath.Join(t.TempDir(), "one.bearoff")
	if code, _, errOut := plainly(t, "bearoff", "build", "one", "--points", "7", "-o", database); code != 0 {
		t.Fatal(errOut)
	}
	watched := []string{"rollout", "duel", "annotate"} // all give their jobs alike
	for _, tt := range []struct {
		name string
		args string // DIR is a folder of the run
	}{
		{"rollout", "rollout 4HPwATDgc/ABMA --dice 31 --plies 1 --trials 72 --truncate 1 --min-trials 36 --stop-jsd 2 --json --resume DIR/r.json --farm-piece 50ms"},
		{"a table of the program", "rollout 4HPwATDgc/ABMA --dice 31 --plies 0 --trials 36 --truncate 3 --length 5 --score 3-1 --met woolsey --json --farm-piece 30ms"},
		{"a table from a file", "rollout 4HPwATDgc/ABMA --dice 31 --plies 0 --trials 36 --truncate 3 --length 5 --score 3-1 --met DIR/met.xml --json --farm-piece 30ms"},
		{"the Egyptian rule", "rollout nackgammon --egyptian --plies 0 --trials 36 --truncate 3 --json --farm-piece 30ms"},
		{"hypergammon", "rollout hypergammon1 --cube --trials 36 --json --farm-piece 30ms"},
		{"nets and bearoffs from files", "rollout 2x0AAOi2AQAAAA --cube --plies 0 --trials 72 --truncate 4 --weights ../../weights/fibsbot.weights --bearoff-dir DIR/db --json --farm-piece 30ms"},
		{"duel", "duel expert beginner --games 8 --seed 3 --vr --json --log DIR/log --farm-piece 30ms"},
		{"duel differences", "duel expert noise --matches 2 --length 1 --differences --trials 1 --json --config DIR/bot.yaml --farm-piece 30ms"},
		{"tournament", "tournament DIR/field.yaml --json --farm-piece 30ms"},
		{"analyse", "analyse --preset expert --json --annotate DIR/out DIR/a.sgf DIR/b.sgf --farm-piece 30ms"},
		{"annotate", "annotate DIR/a.sgf 1.3 --rollout --trials 72 --truncate 2 --rollout-preset advanced --farm-piece 30ms"},
		{"archive analyse", "archive analyse --preset expert --archive DIR/archive --json --farm-piece 30ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var printed [2]string
			var files [2]string
			var left [2]int
			for far := range 2 {
				dir := t.TempDir()
				mustWrite(t, filepath.Join(dir, "bot.yaml"), "presets:\n  noise:\n    base: expert\n    checker: {noise: 0.05}\n")
				mustWrite(t, filepath.Join(dir, "met.xml"), ownTable())
				mustWrite(t, filepath.Join(dir, "field.yaml"), "players: [{name: expert}, {name: beginner}, {name: pubeval}]\npairs: 2\n")
				mustWrite(t, filepath.Join(dir, "a.sgf"), string(match))
				mustWrite(t, filepath.Join(dir, "b.sgf"), strings.ReplaceAll(string(match), "2-ply", "0-ply"))
				if strings.HasPrefix(tt.name, "archive") {
					if code, _, errOut := here(t, "archive", "import", "--no-analyse", "--archive", filepath.Join(dir, "archive"), filepath.Join(dir, "a.sgf")); code != 0 {
						t.Fatal(errOut)
					}
				}
				if strings.HasPrefix(tt.name, "nets") {
					if err := os.Mkdir(filepath.Join(dir, "db"), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.Link(database, filepath.Join(dir, "db", "one.bearoff")); err != nil {
						t.Fatal(err)
					}
				}
				args := strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))
				var p *process
				if far == 1 {
					begin := func(args ...string) *process { return beginPlain(t, alike, args...) }
					if testsize.Race && slices.Contains(watched, tt.name) {
						begin = func(args ...string) *process { return launch(t, os.Args[0], "", alike, args...) }
					}
					p = begin(f.flags(args...)...)
				} else {
					args = slices.DeleteFunc(args, func(s string) bool { return strings.HasSuffix(s, "ms") || s == "1s" || s == "--farm-piece" })
					p = beginPlain(t, alike, args...)
				}
				code, out, errOut := p.output()
				if code != 0 {
					t.Fatalf("status %d: %s", code, errOut)
				}
				if far == 1 && !strings.Contains(errOut, " on tls://") {
					t.Errorf("nothing went to the farm: %s", errOut)
				}
				printed[far] = strings.ReplaceAll(timed.ReplaceAllString(out, ""), dir, "DIR")
				files[far], left[far] = strings.ReplaceAll(tree(t, dir), dir, "DIR"), code
			}
			if printed[0] != printed[1] || left[0] != left[1] || printed[0]+files[0] == "" {
				t.Errorf("printed:\n%.2000s\n%.2000s", printed[0], printed[1])
			}
			if files[0] != files[1] {
				t.Error("other files")
			}
		})
	}
}

func mustWrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ownTable is a match equity table of five points that no one has published.
func ownTable() string {
	var rows, after strings.Builder
	for i := range 5 {
		rows.WriteString("<row>")
		for j := range 5 {
			fmt.Fprintf(&rows, "<me>%.3f</me>", 0.5+0.08*float64(j-i))
		}
		rows.WriteString("</row>")
		fmt.Fprintf(&after, "<me>%.3f</me>", 0.5/float64(1+(i+1)/2))
	}
	return `<met><info><name>mine</name><length>5</length></info><pre-crawford-table type="explicit">` + rows.String() +
		`</pre-crawford-table><post-crawford-table player="both" type="explicit"><row>` + after.String() + `</row></post-crawford-table></met>`
}
