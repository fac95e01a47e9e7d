package reference

import (
	"slices"
	"testing"

	"fibsbot/engine/board"
)

// TestMaker_disputed: every decision is one on which the players differ, and all their plays are
// rolled out; the cube's are those on which depths differ.
func TestMaker_disputed(t *testing.T) {
	m := quick(t)
	path := t.TempDir() + "/disputed.jsonl"
	ask := Ask{Disputed: "0,2", Counts: "natural=3", Cubes: "natural=1", Others: []Panelist{{Play: last, Host: true}}}
	if n, err := run(t, t.Context(), m, path, ask); err != nil || n != 4 {
		t.Fatal(n, err)
	}
	ds, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range ds {
		d := &ds[i]
		p, err := board.ParseID(d.Position)
		if err != nil {
			t.Fatal(err)
		}
		if d.Cube != nil {
			st, err := d.Cube.State()
			if err != nil {
				t.Fatal(err)
			}
			if differ, err := m.differ(p, st); err != nil || !differ {
				t.Errorf("decision %d: %v, %v", i+1, differ, err)
			}
			continue
		}
		roll, _ := d.Roll()
		var want []string
		for _, who := range m.Panel {
			play, ok, err := who.Play(p, roll)
			if after := play.Result.Swap().ID(); err == nil && ok && !slices.Contains(want, after) {
				want = append(want, after)
			}
		}
		var got []string
		for _, p := range d.Plays {
			if p.Trials > 0 {
				got = append(got, p.After)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if len(want) < 2 || !slices.Equal(got, want) {
			t.Errorf("decision %d: rolled out %v, chosen %v", i+1, got, want)
		}
	}
}

// TestSets_disputed: the decisions on which players differ are rolled out to the end, two plays or both arms
// of the cube at least, and half are reserved.
func TestSets_disputed(t *testing.T) {
	ds, err := Load("disputed")
	if err != nil {
		t.Fatal(err)
	}
	reserved := 0
	for i := range ds {
		d := &ds[i]
		rolled := 0
		for _, p := range d.Plays {
			rolled += min(p.Trials, 1)
		}
		if d.Cube != nil {
			rolled = min(d.Cube.NoDouble.Trials, 1) + min(d.Cube.DoubleTake.Trials, 1)
		}
		if d.Truncate != 0 || rolled < 2 {
			t.Errorf("%s %s: %d rollouts, cut after %d plies", d.Position, d.Dice, rolled, d.Truncate)
		}
		if d.Reserved {
			reserved++
		}
	}
	if n := len(ds); n < 400 || reserved < n/2-3 || reserved > n/2 {
		t.Errorf("%d decisions, %d reserved", n, reserved)
	}
}
