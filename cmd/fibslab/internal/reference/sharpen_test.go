package reference

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSharpen: rollouts less exact than asked for are repeated until they are exact, plays and
// cubes; values of searches shift along; a second run has nothing to do.
func TestSharpen(t *testing.T) {
	m := quick(t)
	path, before := made(t, m)
	m.Rollout.StopStdErr, m.Rollout.Trials = 0.002, 20000
	none := func(string, int, int) {}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run(t, ctx, m, path, Ask{Sharpen: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if ds, err := Read(path); err != nil || len(ds) != len(before) {
		t.Fatalf("%d decisions left of %d, %v", len(ds), len(before), err)
	}
	done, err := run(t, t.Context(), m, path, Ask{Sharpen: true})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	blunt := 0
	for i := range ds {
		d, was := &ds[i], &before[i]
		if d.blunt(m.settings(d.Tag)) {
			t.Errorf("decision %d: still not exact: %+v", i+1, d)
		}
		if !was.blunt(m.settings(d.Tag)) {
			if diff := cmp.Diff(was, d); diff != "" {
				t.Errorf("decision %d was exact and changed: %s", i+1, diff)
			}
			continue
		}
		blunt++
		if d.Cube != nil {
			continue
		}
		moved := math.NaN() // what each searched value moved by
		for _, q := range was.Plays {
			at := slices.IndexFunc(d.Plays, func(p Play) bool { return p.After == q.After })
			switch {
			case at < 0:
				t.Errorf("decision %d: %s is gone", i+1, q.After)
			case q.Trials > 0 && d.Plays[at].Trials <= q.Trials:
				t.Errorf("decision %d: %+v is now %+v", i+1, q, d.Plays[at])
			case q.Trials == 0:
				by := d.Plays[at].Equity - q.Equity
				if d.Plays[at].Trials != 0 || math.Abs(by-moved) > 3e-5 {
					t.Errorf("decision %d: %+v is now %+v, others moved by %v", i+1, q, d.Plays[at], moved)
				}
				moved = by
			}
		}
	}
	if want := fmt.Sprintf("in %s, the best one changed in", many(blunt, "decision")); !strings.Contains(done.String(), want) {
		t.Errorf("told %q, want %q", done, want)
	}
	if blunt < 2 {
		t.Errorf("only %d decisions were to be rolled out again", blunt)
	}
	again := slices.Clone(ds)
	if err := m.Sharpen(t.Context(), again, none); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ds, again); diff != "" {
		t.Errorf("the second time changed %s", diff)
	}
	m.Rollout.Truncate, m.Long, m.Rollout.Trials = 5, 6, 36
	if !ds[0].blunt(m.settings(ds[0].Tag)) {
		t.Error("trials that ended after 2 plies count as those that end after 5")
	}
}

// TestRewrite_aKillLosesLittle: the file holds what a change had done at its last report, and at
// its failure.
func TestRewrite_aKillLosesLittle(t *testing.T) {
	path, before := made(t, quick(t))
	stopped := errors.New("stopped")
	told := 0
	f, err := Open(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = f.rewrite(func(string, int, int) { told++ }, func(ds []Reference, show progress) error {
		ds[0].Truncate = 7
		show("decisions", 1, len(ds))
		if now, err := Read(path); err != nil || now[0].Truncate != 7 {
			t.Errorf("in the middle the file has %d plies, %v", now[0].Truncate, err)
		}
		ds[1].Truncate = 8
		return stopped
	})
	if !errors.Is(err, stopped) || told != 1 {
		t.Errorf("%v, told %d times", err, told)
	}
	before[0].Truncate, before[1].Truncate = 7, 8
	now, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, now); diff != "" {
		t.Error(diff)
	}
}
