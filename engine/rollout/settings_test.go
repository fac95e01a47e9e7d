package rollout

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/internal/testsize"

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

// What rollouts come to, and the fingerprints in their files (amd64): neither may
// change by a bit unless trialRules does. The sides' own settings, as they are for both,
// change nothing.
func TestRun_asBeforeTheSides(t *testing.T) {
	brief := testsize.Sample(t)
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
		{money, 0, golden{"a43397821fad4d6a64c68275d4eb8fab", -0.20996883449363118, -0.6250427183830811}},
		{money, 1, golden{"ebad160816a4078a114b485b9ff3c08a", -0.23101103222296565, -0.7288345324570016}},
		{money, 2, golden{"acc62ff9baf04437c4afe67f7fec4f36", -0.5794122920586985, -1.3367505649155307}},
		{score, 0, golden{"a4d5fe5a8ccbbd7ce1ca11a580af8580", 0.12742322819812557, -0.4515072211238945}},
		{score, 1, golden{"beff52734cb79a797ec66ccc12a67f5d", 0.13648704725846694, -0.38068250387500613}},
		{score, 2, golden{"c59dfe7ecdf038fcc908d29afe0c4439", -0.2645292887570849, -1.074508502405927}},
	} {
		if brief && i%3 > 0 {
			continue
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
		case reflect.String:
			f.SetString(f.String() + "x")
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
	free := map[string]bool{"Trials": true, "MinTrials": true, "StopStdErr": true, "StopJSD": true, "Look": true, "Threads": true}
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
	testsize.Large(t)
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

// A rollout file whose cube decisions should have erred and did not cannot be resumed. A file of
// cubeless trials can.
func TestFingerprint_ofErringCubes(t *testing.T) {
	for cubeful, before := range map[bool]string{true: "e32b98b2561f649936343c1d05bc7a43", false: "dd04af9fb48f0e49c6ffb85c1efe9153"} {
		s := Default()
		s.Cubeful, s.Cube = cubeful, noisy
		j := job(t, options(t, rough{}, nil), middle, match.Money(false, 0), s)
		j.AddPosition("x")
		if got := j.fingerprint("nets"); (got == before) == cubeful {
			t.Errorf("cubeful %v: %s, it was %s", cubeful, got, before)
		}
	}
}

// A rollout file whose cube decisions at 1 ply did not know how alive the cube is cannot be resumed; with
// a given efficiency nothing has changed.
func TestFingerprint_ofAliveCubes(t *testing.T) {
	x := 0.68
	given := looking
	given.Efficiency = &x
	for name, c := range map[string]struct {
		settings func(*Settings)
		changed  bool
	}{
		"0 plies":    {func(*Settings) {}, false},
		"1 ply":      {func(s *Settings) { s.Cube = looking }, true},
		"late":       {func(s *Settings) { s.LatePly, s.LateCube = 3, looking }, true},
		"opponent":   {func(s *Settings) { s.Opponent = &Side{Cube: looking} }, true},
		"given":      {func(s *Settings) { s.Cube = given }, false},
		"cubeless":   {func(s *Settings) { s.Cube, s.Cubeful = looking, false }, false},
		"2 plies":    {func(s *Settings) { s.Cube = looking; s.Cube.Plies = 2 }, false},
		"in a while": {func(s *Settings) { s.Cube = looking; s.Cube.Plies, s.Cube.Budget = 2, 1 }, true},
	} {
		s := Default()
		s.Cubeful = true
		if c.settings(&s); s.aliveCubes() != c.changed {
			t.Errorf("%s: %v, want %v", name, s.aliveCubes(), c.changed)
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
