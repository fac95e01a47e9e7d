package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
)

func TestParseCounts(t *testing.T) {
	list, err := ParseCounts("natural=3,race=0")
	if want := []Count{{"natural", 3}, {"race", 0}}; err != nil || len(list) != 2 || list[0] != want[0] || list[1] != want[1] {
		t.Errorf("%v, %v", list, err)
	}
	for text, want := range map[string]string{
		"foo=2":                   `--counts: unknown tag "foo" (use natural opening`,
		"natural=x":               `--counts: "natural=x" is not TAG=NUMBER`,
		"natural=-1":              `--counts: "natural=-1"`,
		"natural":                 `--counts: "natural"`,
		"":                        `--counts: ""`,
		"natural=1,":              `--counts: ""`,
		"natural=1,race=2,race=3": "--counts: race comes twice",
	} {
		_, err := ParseCounts(text)
		refused(t, err, want)
	}
}

// A file that cannot be read, or written at the end, is refused before the work; a second run
// makes the missing tags.
func TestDecisionFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("bad.gz"), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{at("none/d.gz"): "OUT: ", at("bad.gz"): at("bad.gz") + ": bad decisions file", dir: "is a folder"} {
		_, err := OpenDecisions(path, nil)
		refused(t, err, want)
	}
	own, err := teacher.Open(context.Background(), teacher.Options{Name: "own"})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	for _, tt := range []struct {
		counts []Count
		made   int
		all    int
	}{{[]Count{{"natural", 2}}, 2, 2}, {[]Count{{"natural", 9}, {"race", 3}}, 3, 5}, {[]Count{{"natural", 9}}, 0, 5}} {
		d, err := OpenDecisions(at("d.gz"), tt.counts)
		if err != nil {
			t.Fatal(err)
		}
		had := d.Len()
		if err := d.Make(context.Background(), &train.ProblemMaker{Teacher: own, Seed: 1, Margin: 0.13, Threads: 1}, nil); err != nil {
			t.Fatal(err)
		}
		ds, err := train.ReadProblems(at("d.gz"))
		if err != nil || d.Len()-had != tt.made || len(ds) != tt.all {
			t.Errorf("%v: %d made, %d in the file, %v", tt.counts, d.Len()-had, len(ds), err)
		}
	}
}
