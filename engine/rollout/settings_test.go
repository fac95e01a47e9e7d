package rollout

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/search"

	"github.com/google/go-cmp/cmp"
)

var middle = board.Position{
	Me:  board.Checkers{5: 4, 7: 3, 4: 2, 12: 3, 17: 1, 23: 2},
	Opp: board.Checkers{5: 5, 7: 2, 3: 2, 12: 4, 23: 2},
}

var (
	looking = search.Settings{Plies: 1, Cubeful: true, Filter: search.Tiny}
	noisy   = search.Settings{Cubeful: true, Noise: 0.05, Deterministic: true, Seed: 9}
)

// What rollouts came to, and the fingerprints in their files, before the sides had
// settings of their own (commit 63d9381, amd64): neither may change by a bit.
func TestRun_asBeforeTheSides(t *testing.T) {
	type golden struct {
		fingerprint        string
		noDouble, doubling float64
	}
	money, score := match.Money(true, 3), match.State{Length: 7, Score: [2]int{2, 3}, Cube: 2, Owner: match.Mine}
	for i, c := range []struct {
		st   match.State
		kind int
		want golden
	}{
		{money, 0, golden{"0423fd32a3e8975fcaee95f9b82653f9", 0.11728146915695802, -0.19011844297894}},
		{money, 1, golden{"070cbabdf6d77b637a9152061e595eed", -0.2613128003100922, -0.7504108991556699}},
		{money, 2, golden{"948b138b0b7f63162c23249e90a23bb5", -0.571424106724959, -1.2992163590056662}},
		{score, 0, golden{"895499d3dc6d2e62a0634883ec099722", 0.35447965077796506, 0.19723611925109252}},
		{score, 1, golden{"a94e3d1835410a73bc37d3977cf6e436", 0.09649636568095543, -0.5028814001832054}},
		{score, 2, golden{"9f52f24c232f988f675cbe1e71d8a47e", -0.2508941518628748, -0.973224261649075}},
	} {
		if raceEnabled && i > 0 {
			break
		}
		s := Default()
		s.Seed, s.Trials, s.Truncate = 7, 36, 8
		switch c.kind {
		case 1:
			s.Checker, s.Cube = looking, looking
		case 2:
			s.Checker, s.LatePly, s.LateChecker, s.LateCube = noisy, 3, noisy, looking
		}
		// The same settings said once and for each side are the same rollout.
		for _, sides := range []bool{false, true} {
			if same := s.side(); sides {
				if i > 1 {
					break // two cases are enough, the other ones take seconds
				}
				s.Opponent = &same
			}
			j := job(t, options(t, rough{}, nil), middle, c.st, s)
			if err := j.AddCube(); err != nil {
				t.Fatal(err)
			}
			if err := j.Run(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			r := j.Results()
			got := golden{j.fingerprint("nets"), r[0].Equity, r[1].Equity}
			if sides {
				got.fingerprint = c.want.fingerprint // that one names the opponent
			}
			if got != c.want {
				t.Errorf("case %d, opponent named %v: %+v, want %+v", i, sides, got, c.want)
			}
		}
	}
}

// Every field of the settings is in the fingerprint, those of the opponent and
// those behind pointers too.
func TestFingerprint_seesEveryField(t *testing.T) {
	fingerprint := func(s Settings) string {
		j := job(t, options(t, rough{}, nil), middle, match.Money(false, 0), Default())
		j.settings = s
		j.AddPosition("x")
		return j.fingerprint("nets")
	}
	seen := map[string]string{fingerprint(Default()): "the default"}
	note := func(what string, s Settings) {
		t.Helper()
		f := fingerprint(s)
		if other, ok := seen[f]; ok {
			t.Errorf("%s has the fingerprint of %s", what, other)
		}
		seen[f] = what
	}
	// touched sets field i of v, which is addressable, to something else.
	touched := func(v reflect.Value, i int) bool {
		switch f := v.Field(i); f.Kind() {
		case reflect.Bool:
			f.SetBool(!f.Bool())
		case reflect.Int, reflect.Int64:
			f.SetInt(f.Int() + 3)
		case reflect.Uint64:
			f.SetUint(f.Uint() + 3)
		case reflect.Float64:
			f.SetFloat(f.Float() + 0.25)
		case reflect.Pointer:
			if f.Type().Elem().Kind() != reflect.Float64 {
				return false
			}
			x := 0.5
			f.Set(reflect.ValueOf(&x))
		case reflect.Struct:
			if f.Type() != reflect.TypeFor[search.Filter]() {
				return false
			}
			f.Set(reflect.ValueOf(search.Huge))
		default:
			t.Fatalf("field %s of a new kind", v.Type().Field(i).Name)
		}
		return true
	}
	free := map[string]bool{"Trials": true, "MinTrials": true, "StopStdErr": true, "StopJSD": true, "Threads": true}
	for i := range reflect.TypeFor[Settings]().NumField() {
		s := Default()
		name := reflect.TypeFor[Settings]().Field(i).Name
		if touched(reflect.ValueOf(&s).Elem(), i) && !free[name] {
			note(name, s)
		}
	}
	for _, side := range []string{"Checker", "Cube", "LateChecker", "LateCube"} {
		for i := range reflect.TypeFor[search.Settings]().NumField() {
			s, of := Default(), Default()
			of.Opponent = &Side{}
			name := side + "." + reflect.TypeFor[search.Settings]().Field(i).Name
			touched(reflect.ValueOf(&s).Elem().FieldByName(side), i)
			note(name, s)
			touched(reflect.ValueOf(of.Opponent).Elem().FieldByName(side), i)
			note("the opponent's "+name, of)
		}
	}
	s := Default()
	s.Opponent = &Side{}
	note("an opponent", s)
	x, y := 0.5, 0.5
	s.Checker.Efficiency = &x
	first := fingerprint(s)
	if s.Checker.Efficiency = &y; fingerprint(s) != first {
		t.Error("the same number elsewhere in memory has another fingerprint")
	}
}

// A player who errs loses by it, whichever of the two it is and whoever is on roll
// first.
func TestRun_sidesPlayInTheirOwnWay(t *testing.T) {
	needsDatabases(t)
	o := options(t, known{}, nil)
	p := board.Position{Me: board.Checkers{0: 1, 1: 1, 2: 2, 3: 2, 4: 2, 5: 3}, Opp: board.Checkers{0: 1, 1: 2, 3: 3, 4: 2, 5: 3}}
	poor := search.Settings{Cubeful: true, Noise: 0.5, Deterministic: true}
	// A cube that errs, as it is and looking ahead.
	reckless, farsighted := poor, poor
	farsighted.Plies = 1
	plays := board.AppendPlays(nil, p, board.Dice{A: 6, B: 5})
	st := match.Money(false, 0)
	run := func(me, opp Side, threads int) []Result {
		s := playToTheEnd(288)
		s.Threads, s.LatePly = threads, 3
		s.Checker, s.Cube, s.LateChecker, s.LateCube = me.Checker, me.Cube, me.LateChecker, me.LateCube
		s.Opponent = &opp
		j := job(t, o, p, st, s)
		j.AddPosition("before the roll")
		if err := j.AddPlay("after it", plays[0]); err != nil {
			t.Fatal(err)
		}
		if err := j.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		return j.Results()
	}
	right := run(Side{}, Side{}, 2)
	for name, wrong := range map[string]Side{
		"plays": {Checker: poor}, "late plays": {LateChecker: poor}, "the cube": {Cube: reckless}, "the late cube": {LateCube: reckless},
		"the cube one ply on": {Cube: farsighted},
	} {
		mine, theirs := run(wrong, Side{}, 2), run(Side{}, wrong, 2)
		for i := range right {
			if lost := right[i].Equity - mine[i].Equity; !(lost > 0.005) {
				t.Errorf("%s: I misjudge %s and lose %.5f", right[i].Name, name, lost)
			}
			if lost := theirs[i].Equity - right[i].Equity; !(lost > 0.005) {
				t.Errorf("%s: the opponent misjudges %s and loses %.5f", right[i].Name, name, lost)
			}
		}
		if name == "the cube" {
			if diff := cmp.Diff(theirs, run(Side{}, wrong, 1)); diff != "" {
				t.Errorf("one thread instead of two: %s", diff)
			}
		}
	}
	// With my cube the opponent's first decision about it is the answer to my double.
	st.Owner = match.Mine
	right = run(Side{}, Side{}, 2)
	for name, cube := range map[string]search.Settings{"now": reckless, "one ply on": farsighted} {
		wrong := run(Side{}, Side{Cube: cube, LateCube: cube}, 2)
		for i := range right {
			if lost := wrong[i].Equity - right[i].Equity; !(lost > 0.005) {
				t.Errorf("%s: the opponent answers wrongly, %s, and loses %.5f", right[i].Name, name, lost)
			}
		}
	}
}

// A file of a rollout with one opponent is not taken for one with another.
func TestLoad_checksTheOpponent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.json")
	prepare := func(opp *Side) *Job {
		s := Default()
		s.Trials, s.Opponent = 36, opp
		j := job(t, options(t, rough{}, nil), middle, match.Money(false, 0), s)
		j.AddPosition("x")
		return j
	}
	if err := prepare(&Side{Cube: looking}).Save(path, "nets"); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		opp *Side
		fit bool
	}{
		"the same": {&Side{Cube: looking}, true}, "another": {&Side{Cube: noisy}, false}, "late": {&Side{LateCube: looking}, false}, "none": {nil, false},
	} {
		if _, err := prepare(c.opp).Load(path, "nets"); (err == nil) != c.fit {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Totals of trials whose cubes should have erred and did not, as before they could at
// 0 plies, are not gone on with; those of cubeless trials are.
func TestFingerprint_ofErringCubes(t *testing.T) {
	for cubeful, before := range map[bool]string{true: "4df5d8489bdd1e4de9b9cbba11628220", false: "f4f87624f486203d0d899c5813c127fb"} {
		s := Default()
		s.Cubeful, s.Cube = cubeful, noisy
		j := job(t, options(t, rough{}, nil), middle, match.Money(false, 0), s)
		j.AddPosition("x")
		if got := j.fingerprint("nets"); (got == before) == cubeful {
			t.Errorf("cubeful %v: %s, it was %s", cubeful, got, before)
		}
	}
}

// The largest cube there can be is rolled out as the first one is in money play, where
// equities are per cube, whatever is doubled on the way and asked of the search.
func TestRun_largestCube(t *testing.T) {
	run := func(cube int) []Result {
		st := match.Money(true, 3)
		st.Cube = cube
		s := Default()
		s.Trials, s.Truncate, s.Checker, s.Cube = 6, 2, looking, looking
		j := job(t, options(t, rough{}, nil), middle, st, s)
		if err := j.AddCube(); err != nil {
			t.Fatal(err)
		}
		if err := j.Run(context.Background(), nil); err != nil {
			t.Fatalf("cube %d: %v", cube, err)
		}
		return j.Results()
	}
	if diff := cmp.Diff(run(1), run(1<<20)); diff != "" {
		t.Error(diff)
	}
}
