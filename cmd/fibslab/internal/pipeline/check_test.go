package pipeline

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
)

// refused fails unless err is the user's mistake, in one line that contains want.
func refused(t *testing.T, err error, want string) {
	t.Helper()
	var usage cmdline.UsageError
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want %q", err, want)
	}
}

// Positions and labels of another file, of the same one, or of a damaged one are neither
// overwritten nor added to.
func TestFiles_areNotDamaged(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	ctx, recs := context.Background(), records(30)
	write(t, at("in.grp"), recs)
	write(t, at("other.grp"), recs[10:])
	write(t, at("more.grp"), append(records(30), recs[0]))
	label := func(from, to string) error {
		return (&Labels{Crew: teacher(&counting{calls: 9}, 2), Plies: 2}).Label(ctx, at(from), at(to))
	}
	refused(t, label("in.grp", "in.grp"), "the same file")
	refused(t, label("in.grp", "other.grp"), "record 0 is another position")
	refused(t, label("in.grp", "more.grp"), "more than the 30 positions")
	for name, want := range map[string]int{"in.grp": 30, "other.grp": 20, "more.grp": 31} {
		if got := read(t, at(name)); len(got) != want || got[0].Label != (train.Label{}) {
			t.Errorf("%s has %d records, the first %+v", name, len(got), got[0])
		}
	}
	junk := append(recs[0].Append(nil), bytes.Repeat([]byte{0xff}, train.RecordSize)...)
	if err := os.WriteFile(at("junk.grp"), junk, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, label("junk.grp", "out.grp"), "junk.grp, record 1")
	_, err := Games(&train.SelfPlay{Games: 10}, dir, "sp", "natural=1", []string{at("junk.grp")}, 100, func(string, int) {})
	refused(t, err, "junk.grp, record 1")
}

func TestGames_refuses(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sp-natural.grp"), records(6))
	told := 0
	ask := func(out, prefix, mix string, n int, change func(*train.SelfPlay)) error {
		sp := train.SelfPlay{Games: 10, Seed: 1}
		change(&sp)
		_, err := Games(&sp, out, prefix, mix, nil, n, func(string, int) { told++ })
		if err == nil && (sp.Group != 2 || !sp.Seen.Has(records(6)[5].Key)) {
			t.Errorf("goes on after decision %d", sp.Group)
		}
		return err
	}
	same := func(*train.SelfPlay) {}
	if err := ask(dir, "sp", "natural=1", 9, same); err != nil || told != 1 {
		t.Errorf("%v, progress reported for %d files", err, told)
	}
	refused(t, ask(dir, "sp", "natural=0", 9, same), "--mix: ")
	refused(t, ask(dir, "a/b", "natural=1", 9, same), "--prefix: ")
	refused(t, ask("check_test.go", "sp", "natural=1", 9, same), "--out: ")
	refused(t, ask("", "sp", "natural=1", 9, same), "--out: ")
	refused(t, ask(dir, "sp", "natural=1", 9, func(sp *train.SelfPlay) { sp.Siblings = 2 }), "--trace and --siblings go together")
}

// An impossible fit is refused before its data are read; one whose weights diverge ends, and
// its checkpoint stays unchanged.
func TestFit_refusesAndKeepsItsCheckpoint(t *testing.T) {
	dir := t.TempDir()
	data, check := filepath.Join(dir, "a.grp"), filepath.Join(dir, "a.fit")
	write(t, data, records(300))
	fit := func(change func(f *FitRun)) error {
		f := FitRun{Millions: 0.005, Every: 0.005, Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Data: []string{data}}
		f.Shape = train.Shape{Kind: train.KindContact, Hidden: 32, Activation: "squared-clipped"}
		f.Batch, f.Sync, f.Rate, f.Checkpoint = 64, 4, 1e-3, check
		change(&f)
		return f.Run(context.Background())
	}
	for want, change := range map[string]func(f *FitRun){
		"hidden units 33":                     func(f *FitRun) { f.Shape.Hidden = 33 },
		"unknown activation":                  func(f *FitRun) { f.Shape.Activation = "relu" },
		"CHECKPOINT: stat none: no such file": func(f *FitRun) { f.Checkpoint = "none/a.fit" },
	} {
		refused(t, fit(change), want)
	}
	if err := fit(func(*FitRun) {}); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(check)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, fit(func(f *FitRun) { f.Shape.Hidden = 64 }), "another shape")
	wild := train.Fit{Shape: train.Shape{Kind: train.KindContact, Hidden: 32, Activation: "squared-clipped"}, Batch: 64, Sync: 4, Rate: math.NaN(),
		Samples: 50000, Sources: []*train.Source{{Name: "a", Records: records(300), Share: 1}}, Checkpoint: check, CheckEvery: 1}
	if _, err := wild.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "the loss is not a number") {
		t.Errorf("weights that are not numbers: %v", err)
	}
	if after, err := os.ReadFile(check); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the checkpoint changed (%v)", err)
	}
}
