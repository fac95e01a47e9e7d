package pipeline

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
	"fibsbot/weights"
)

// counting labels every position by its number of requests, and fails after its number of
// calls.
type counting struct{ asked, calls int }

var errTired = errors.New("tired")

// teacher is a goroutine with a teacher that labels at a depth.
func teacher(t train.Teacher, plies int) shard.Crew {
	return &shard.Local{Threads: 1, New: func() (shard.Runner, error) { return train.Labeller(t, plies), nil }}
}

func (c *counting) Label(_ context.Context, keys []board.Key, _ int, out []train.Label) error {
	if c.calls--; c.calls < 0 {
		return errTired
	}
	for i := range keys {
		c.asked++
		out[i] = train.LabelOf(eval.Probs{eval.Win: float32(c.asked%100) / 100})
	}
	return nil
}

// records are n contact positions in decisions of three.
func records(n int) []train.Record {
	rng := rand.New(rand.NewPCG(1, 8))
	recs := make([]train.Record, n)
	for i := range recs {
		plan := []train.Plan{train.BackGame, train.Blitz, train.Holding, train.Crashed}[i%4]
		recs[i] = train.Record{Key: train.StartOf(plan, rng).Key(), Group: uint32(1 + i/3)}
	}
	return recs
}

func write(t *testing.T, path string, recs []train.Record) {
	t.Helper()
	if err := train.WriteRecords(path, recs); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []train.Record {
	t.Helper()
	recs, err := train.ReadRecords(nil, path)
	if err != nil {
		t.Fatal(err)
	}
	return recs
}

func TestLabel_goesOnAndKeepsGroups(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a.grp"), filepath.Join(dir, "b.grp")
	write(t, from, records(350))
	teach := &counting{calls: 2}
	if err := (&Labels{Crew: teacher(teach, 2), Plies: 2}).Label(context.Background(), from, to); !errors.Is(err, errTired) {
		t.Fatal(err)
	}
	f, err := os.OpenFile(to, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("half a record")); err != nil {
		t.Fatal(err)
	}
	f.Close()
	teach.calls = 10
	showEvery = -1
	defer func() { showEvery = 10 * time.Second }()
	last, all := 0, 0
	if err := (&Labels{Crew: teacher(teach, 2), Plies: 2, Show: func(_ string, done, total int) { last, all = done, total }}).Label(context.Background(), from, to); err != nil {
		t.Fatal(err)
	}
	got := read(t, to)
	if len(got) != 350 || teach.asked != 350 || last != 150 || all != 150 {
		t.Fatalf("%d records, %d asked, want 350; %d of %d shown, want the 150 that were missing", len(got), teach.asked, last, all)
	}
	for i, r := range got {
		if want := records(350)[i]; r.Key != want.Key || r.Group != want.Group || r.Label[0] == 0 && (i+1)%100 != 0 {
			t.Fatalf("record %d is %+v", i, r)
		}
	}
}

func TestMistakes_areTheUsers(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none.grp")
	one := filepath.Join(dir, "one.grp")
	write(t, one, records(3))
	ctx := context.Background()
	fit := func(change func(f *FitRun)) error {
		f := FitRun{Millions: 0.01, Every: 0.01, Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Data: []string{one}}
		f.Shape = train.Shape{Kind: train.KindContact, Hidden: 32, Activation: "squared-clipped"}
		f.Batch, f.Sync, f.Rate = 256, 16, 1e-3
		change(&f)
		return f.Run(ctx)
	}
	_, based := NetsOf("nosuffix")
	_, chosen := (&ChooseRun{Base: "", Nets: []string{"nosuch=a.fit"}}).Choose(none)
	for name, err := range map[string]error{
		"label nothing": (&Labels{Crew: teacher(&counting{}, 2), Plies: 2}).Label(ctx, none, one),
		"bad base":      based,
		"unknown class": chosen,
		"bad share":     fit(func(f *FitRun) { f.Data = []string{one + "=-1"} }),
		"no class":      fit(func(f *FitRun) { f.Class = "contact/nosuch" }),
		"no data":       fit(func(f *FitRun) { f.Class = "contact/open" }),
		"no start":      fit(func(f *FitRun) { f.Start = none }),
	} {
		var usage cmdline.UsageError
		if !errors.As(err, &usage) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Without a base the present nets are those of the program, and its history is continued.
func TestChoose_besideTheNetsOfTheProgram(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "out.weights")
	c := ChooseRun{Nets: []string{"contact/open=embedded:contact/open"}, Manifest: nn.Manifest{Name: "next", History: []string{"one more line"}}}
	if _, err := c.Choose(out); err != nil {
		t.Fatal(err)
	}
	got, err := weights.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	want, err := weights.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Manifest.Nets) != len(want.Manifest.Nets) || len(got.Manifest.History) != len(want.Manifest.History)+1 || got.Manifest.Name != "next" {
		t.Errorf("%+v", got.Manifest)
	}
}
