package engine

import (
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"fibsbot/engine/board"
	"fibsbot/engine/internal/closecalls"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/testsize"
)

// rolling is a 0-ply preset that rolls close plays out.
func rolling(c preset.Close) preset.Preset {
	return preset.Preset{Name: "rolling", Checker: search.Settings{Cubeful: true}, Cube: search.Settings{Cubeful: true}, Close: c}
}

// TestClose_rollsOutWhatIsClose: the plays within reach, no more than asked for,
// come first by what their rollouts gave; the others stay as the search left them;
// the number of threads does not matter.
func TestClose_rollsOutWhatIsClose(t *testing.T) {
	testsize.Medium(t)
	ctx, money := context.Background(), match.Money(false, 0)
	e := open(t, Options{})
	d := board.Dice{A: 2, B: 1}
	searched, err := e.RankPlays(ctx, board.Start, d, money, rolling(preset.Close{}))
	if err != nil {
		t.Fatal(err)
	}
	near := 0
	for near < len(searched) && searched[0].Equity-searched[near].Equity <= 0.05 {
		near++
	}
	if near < 3 {
		t.Fatalf("only %d plays within 0.05 of each other", near)
	}
	for _, c := range []struct {
		name string
		preset.Close
		want int
	}{
		{"all that are close", preset.Close{Plays: 100, Within: 0.05, Trials: 36, Truncate: 3}, near},
		{"two of them", preset.Close{Plays: 2, Within: 0.05, Trials: 36, Truncate: 3}, 2},
		{"no play is close", preset.Close{Plays: 5, Within: 0, Trials: 36, Truncate: 3}, 0},
		{"one play", preset.Close{Plays: 1, Within: 1, Trials: 36, Truncate: 3}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := e.RankPlays(ctx, board.Start, d, money, rolling(c.Close))
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range list {
				if (x.Trials > 0) != (i < c.want) || i < c.want && x.Trials != 36 {
					t.Errorf("play %d rolled out %d times", i+1, x.Trials)
				}
			}
			if !slices.IsSortedFunc(list[:c.want], func(a, b search.Candidate) int { return cmp.Compare(b.Equity, a.Equity) }) {
				t.Error("rolled out plays are not in order")
			}
			if diff := gocmp.Diff(searched[c.want:], list[c.want:]); diff != "" {
				t.Errorf("the others changed: %s", diff)
			}
			alone := open(t, Options{Threads: 1})
			again, err := alone.RankPlays(ctx, board.Start, d, money, rolling(c.Close))
			if diff := gocmp.Diff(list, again); diff != "" || err != nil {
				t.Errorf("with one thread: %v %s", err, diff)
			}
		})
	}
}

// TestClose_goesOnWithWhatIsOpen: plays that are clearly behind, and cube decisions that are
// clear, are left after the first trials; what is close gets them all.
func TestClose_goesOnWithWhatIsOpen(t *testing.T) {
	testsize.Large(t)
	ctx, money := context.Background(), match.Money(false, 0)
	e := open(t, Options{})
	pr := rolling(preset.Close{Plays: 6, Within: 1, Trials: 360, Truncate: 3, CubeTrials: 360, CubeWithin: 10})
	list, err := e.RankPlays(ctx, board.Start, board.Dice{A: 3, B: 1}, money, pr)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range list[:6] {
		// No other play of a 31 is near the five point.
		if c.Trials < closecalls.Least || c.Trials%36 != 0 || c.Trials > 144 || i > 0 && c.Trials > list[0].Trials {
			t.Errorf("%s: %d trials", board.FormatPlay(board.Start, c.Play), c.Trials)
		}
	}
	both := false // some openings have two plays of nearly one value, by any nets
	for _, d := range []board.Dice{{A: 6, B: 4}, {A: 2, B: 1}, {A: 4, B: 3}, {A: 5, B: 1}, {A: 4, B: 1}} {
		if list, err = e.RankPlays(ctx, board.Start, d, money, pr); err != nil {
			t.Fatal(err)
		}
		if both = list[0].Trials == 360 && list[1].Trials == 360; both {
			break
		}
	}
	if !both {
		t.Error("no two openings got all trials")
	}
	for _, c := range list[:2] {
		if !(c.StdErr > 0 && c.StdErr < 0.1) {
			t.Errorf("%s: standard error %v", board.FormatPlay(board.Start, c.Play), c.StdErr)
		}
	}
	if d, err := e.CubeDecision(ctx, board.Start, money, pr); err != nil || d.Trials < closecalls.Least || d.Trials >= 144 || !(d.StdErr[0] > 0 && d.StdErr[1] > d.StdErr[0]) {
		t.Errorf("the start position, a clear no double: %d trials, %v", d.Trials, err)
	}
}

// TestClose_onlyWhatIsLookedInto: of a preset that looks ahead in a share of its
// decisions, those others are as expert would make them: without a rollout.
func TestClose_onlyWhatIsLookedInto(t *testing.T) {
	testsize.Medium(t)
	ctx, d := context.Background(), board.Dice{A: 2, B: 1}
	e := open(t, Options{})
	pr := rolling(preset.Close{Plays: 2, Within: 1, Trials: 36, Truncate: 3})
	pr.Checker.Plies, pr.Checker.Share = 1, 0.5
	seen := map[bool]int{}
	for seed := range uint64(12) {
		list, err := e.RankPlays(ctx, board.Start, d, match.Money(false, 0), pr.WithSeed(seed+1))
		if err != nil {
			t.Fatal(err)
		}
		deep := list[0].Plies > 0
		seen[deep]++
		if rolled := list[0].Trials > 0; rolled != deep {
			t.Errorf("seed %d: looked ahead %v, rolled out %v", seed+1, deep, rolled)
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("drawn: %v", seen)
	}
}

// TestClose_ends: a rollout that the time budget ends leaves the order of the search,
// one that the caller ends is an error.
func TestClose_ends(t *testing.T) {
	e := open(t, Options{})
	long := rolling(preset.Close{Plays: 3, Within: 1, Trials: 100_000})
	long.Checker.Budget = 30 * time.Millisecond
	d := board.Dice{A: 2, B: 1}
	list, err := e.RankPlays(context.Background(), board.Start, d, match.Money(false, 0), long)
	if err != nil || len(list) == 0 || list[0].Trials != 0 {
		t.Errorf("%d plays, the first rolled out: %v, %v", len(list), len(list) > 0 && list[0].Trials > 0, err)
	}
	long.Checker.Budget = 0
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := e.RankPlays(ctx, board.Start, d, match.Money(false, 0), long); err == nil {
		t.Error("no error from a decision that was cancelled")
	}
}

// TestClose_leavesAlone what there is nothing to settle about: races, and plays that
// end the game.
func TestClose_leavesAlone(t *testing.T) {
	e := open(t, Options{})
	pr := rolling(preset.Close{Plays: 5, Within: 5, Trials: 36})
	race := board.Position{Me: board.Checkers{5: 3, 4: 3, 3: 2}, Opp: board.Checkers{5: 4, 2: 4}}
	last := board.Position{Me: board.Checkers{0: 1}, Opp: board.Checkers{24: 1, 3: 5}}
	for name, p := range map[string]board.Position{"race": race, "last checker": last} {
		list, err := e.RankPlays(context.Background(), p, board.Dice{A: 2, B: 1}, match.Money(false, 0), pr)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %d plays, %v", name, len(list), err)
		}
		for _, c := range list {
			if c.Trials > 0 {
				t.Errorf("%s: %s rolled out", name, board.FormatPlay(p, c.Play))
			}
		}
	}
}

// TestClose_cubes: a cube decision within reach is rolled out, one that is not, in a
// race, or with a dead cube is the search's; threads do not matter, and a budget that is
// too short changes nothing.
func TestClose_cubes(t *testing.T) {
	testsize.Medium(t)
	ctx := context.Background()
	e := open(t, Options{})
	pr := rolling(preset.Close{Truncate: 5, CubeTrials: 72, CubeWithin: 0.1})
	near := board.Start
	race := board.Position{Me: board.Checkers{5: 5, 4: 5, 3: 5}, Opp: board.Checkers{5: 5, 4: 5, 3: 5}}
	money := match.Money(false, 0)
	for _, c := range []struct {
		name   string
		p      board.Position
		st     match.State
		within float64
		want   int
	}{
		{"within reach", near, money, 1, 72},
		{"out of reach", near, money, 0.01, 0},
		{"a race", race, money, 1, 0},
		{"a dead cube", near, match.State{Length: 3, Score: [2]int{1, 1}, Cube: 2, Owner: match.Mine}, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			pr.Close.CubeWithin = c.within
			d, err := e.CubeDecision(ctx, c.p, c.st, pr)
			if err != nil || d.Trials != c.want {
				t.Errorf("%d trials, want %d; %v", d.Trials, c.want, err)
			}
			searched, err := e.Search().Cube(ctx, c.p, c.st.Normal(), pr.Cube)
			if err != nil {
				t.Fatal(err)
			}
			if (d == searched) == (c.want > 0) {
				t.Errorf("rolled out %+v, searched %+v", d, searched)
			}
			again, err := open(t, Options{Threads: 1}).CubeDecision(ctx, c.p, c.st, pr)
			if err != nil || d != again {
				t.Errorf("with one thread %+v, %v", again, err)
			}
		})
	}
	pr.Close = preset.Close{CubeTrials: 100_000, CubeWithin: 1}
	pr.Cube.Budget = 20 * time.Millisecond
	if d, err := e.CubeDecision(ctx, near, money, pr); err != nil || d.Trials != 0 && d.Trials < closecalls.Least {
		t.Errorf("with a budget %+v, %v", d, err)
	}
}

// TestClose_partOfARollout: what a budget ends counts where it has enough trials.
func TestClose_partOfARollout(t *testing.T) {
	testsize.Medium(t)
	e := open(t, Options{})
	pr := rolling(preset.Close{Truncate: 5, CubeTrials: 100_000, CubeWithin: 1})
	n := 0
	for budget := 50 * time.Millisecond; n == 0 && budget < time.Minute; budget *= 2 {
		pr.Cube.Budget = budget
		d, err := e.CubeDecision(context.Background(), board.Start, match.Money(false, 0), pr)
		if err != nil {
			t.Fatal(err)
		}
		n = d.Trials
	}
	if n < closecalls.Least || n >= 100_000 {
		t.Errorf("%d trials counted", n)
	}
}

// TestClose_early: trials that look ahead at first come out otherwise than those that
// do not, and alike for any number of threads.
func TestClose_early(t *testing.T) {
	testsize.Medium(t)
	ctx := context.Background()
	changed := false // where looking ahead finds other plays
	for _, d := range []board.Dice{{A: 2, B: 1}, {A: 4, B: 3}, {A: 5, B: 1}, {A: 6, B: 2}} {
		var equities []float64
		for _, c := range []preset.Close{{}, {Early: 1, Plies: 1}} {
			c.Plays, c.Within, c.Trials, c.Truncate = 2, 1, 36, 3
			list, err := open(t, Options{}).RankPlays(ctx, board.Start, d, match.Money(false, 0), rolling(c))
			if err != nil {
				t.Fatal(err)
			}
			again, err := open(t, Options{Threads: 1}).RankPlays(ctx, board.Start, d, match.Money(false, 0), rolling(c))
			if diff := gocmp.Diff(list, again); diff != "" || err != nil {
				t.Errorf("with one thread: %v %s", err, diff)
			}
			equities = append(equities, list[0].Equity)
		}
		changed = changed || equities[0] != equities[1]
	}
	if !changed {
		t.Error("looking ahead changed nothing")
	}
}

// TestClose_asAllTrials rolls the decisions of some games out to the last trial and holds what
// is chosen so against what the early looks left: FIBSBOT_CLOSE=1, five minutes of a core.
func TestClose_asAllTrials(t *testing.T) {
	if os.Getenv("FIBSBOT_CLOSE") == "" {
		t.Skip("FIBSBOT_CLOSE=1 goes through 100 rolled out decisions a preset")
	}
	const wanted = 100
	e := open(t, Options{})
	for _, name := range []string{"grandmaster", "legend"} {
		pr, err := preset.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		s := settled{t: t, e: e, pr: pr}
		for game := uint64(1); s.plays < wanted; game++ {
			s.game(rand.New(rand.NewPCG(2611, game)))
		}
		t.Logf("%s: %d of %d plays and %d of %d cubes otherwise; %d of %d trials", name, s.playsOff, s.plays, s.cubesOff, s.cubes, s.trials, s.whole)
		if s.playsOff*50 > s.plays || s.cubesOff*50 > s.cubes {
			t.Errorf("%s: the early looks change more than one decision in 50", name)
		}
	}
}

// settled counts the rolled out decisions of games that a preset plays against itself.
type settled struct {
	t                                *testing.T
	e                                *Engine
	pr                               preset.Preset
	plays, playsOff, cubes, cubesOff int
	trials, whole                    int
}

// game plays a money game without turning the cube, for at most 60 turns.
func (s *settled) game(r *rand.Rand) {
	p, money := board.Start, match.Money(false, 0)
	for range 60 {
		d, cube, err := s.e.CubeRolled(s.t.Context(), p, money, s.pr)
		if err != nil {
			s.t.Fatal(err)
		}
		if len(cube.Results) > 0 {
			job := s.again(p, money, &cube)
			all, _ := job.Decision()
			s.cubes++
			if all.Action != d.Action {
				s.cubesOff++
			}
		}
		dice := board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}
		list, plays, err := s.e.PlaysRolled(s.t.Context(), p, dice, money, s.pr)
		switch {
		case err != nil:
			s.t.Fatal(err)
		case len(list) == 0:
			p = p.Swap()
			continue
		}
		best := list[0]
		if len(plays.Results) > 0 {
			all, at := s.again(p, money, &plays).Results(), 0
			for i := range all {
				if all[i].Equity > all[at].Equity {
					at = i
				}
			}
			s.plays++
			if plays.Plays[at].Result != best.Play.Result {
				s.playsOff++
			}
		}
		if best.Play.Result.Result() != 0 {
			return
		}
		p = best.Play.Result.Swap()
	}
}

// again plays a rollout to its last trial.
func (s *settled) again(p board.Position, st match.State, r *Rolled) *rollout.Job {
	set := r.Settings
	set.StopJSD = 0
	job, err := rollout.New(s.t.Context(), s.e.RolloutOptions(), p, st, set)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(r.Plays) == 0 {
		err = job.AddCube()
	}
	for i := range r.Plays {
		err = cmp.Or(err, job.AddPlay("", r.Plays[i]))
	}
	if err = cmp.Or(err, job.Run(s.t.Context(), nil)); err != nil {
		s.t.Fatal(err)
	}
	for i, x := range job.Results() {
		s.trials += r.Results[i].Trials
		s.whole += x.Trials
	}
	return job
}
