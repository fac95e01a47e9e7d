package rollout

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/ctxread"
)

// ErrFile is wrapped by errors about a damaged file or a file of another rollout.
var ErrFile = errors.New("not a file of this rollout")

// saved is a rollout on disk.
type saved struct {
	Format      int    `json:"format"`
	Fingerprint string `json:"fingerprint"`
	Arms        []struct {
		Name string `json:"name"`
		Sums Sums   `json:"sums"`
	} `json:"arms"`
	Pairs []*Pair `json:"pairs,omitempty"`
}

const fileFormat = 2

// maxSaved is the largest number of trials in a file: beyond it the sums of squares lose the
// digits that the standard error is made of.
const maxSaved = 1 << 30

// trialRules counts the changes in how trials are played that no setting shows.
const trialRules = 7

// fingerprint covers everything that the trials depend on, but not their number
// or the stop rules, which an extension may change. engine names the nets.
func (j *Job) fingerprint(engine string) string {
	s := j.settings
	s.Trials, s.Threads, s.MinTrials, s.StopStdErr, s.StopJSD, s.Look = 0, 0, 0, 0, 0, 0
	var text strings.Builder
	describe(&text, reflect.ValueOf(s))
	var state strings.Builder
	describe(&state, reflect.ValueOf(j.state))
	h := fnv.New128a()
	fmt.Fprintf(h, "%d %s\n%s\n%+v\n%s\n%s\n", trialRules, engine, text.String(), *j.options.Efficiency, state.String(), j.position.ID())
	if s.erringCubes() {
		fmt.Fprintln(h, "cubes err")
	}
	if s.aliveCubes() {
		fmt.Fprintln(h, "cubes at 1 ply know how alive they are")
	}
	if j.rules != (board.Rules{}) {
		fmt.Fprintf(h, "rules %+v\n", j.rules)
	}
	if t := j.options.Search.Table().Sum(); j.state.Length > 0 && t != usualTable() {
		fmt.Fprintln(h, "table", t)
	}
	for _, a := range j.arms {
		if !j.settings.Cubeful && a.spot.Rung > 0 {
			fmt.Fprintln(h, "worth the cube") // it was reckoned at the cube before the double
		}
		fmt.Fprintf(h, "%s %s %+v %v %v\n", a.Name, a.start.ID(), a.spot, a.turned, a.noDouble)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// usualTable is the checksum of the table that files do not name.
var usualTable = sync.OnceValue(func() string { return match.DefaultTable().Sum() })

// erringCubes reports whether cube decisions at 0 plies with noise are among the
// settings. Such rollouts are played in another way since the noise counts there; the
// totals of all others stay good, so trialRules does not say it.
func (s *Settings) erringCubes() bool {
	return s.anyCube(func(c *search.Settings) bool { return c.Plies == 0 && c.Noise > 0 })
}

// aliveCubes reports whether cube decisions at 1 ply are among the settings. Such rollouts are
// played in another way since the net of efficiencies values their leaves.
func (s *Settings) aliveCubes() bool {
	return s.anyCube(func(c *search.Settings) bool {
		return c.Efficiency == nil && (c.Plies == 1 || c.Plies > 1 && c.Budget > 0)
	})
}

// anyCube reports whether is holds for settings by which a side of a cubeful rollout decides about the cube.
func (s *Settings) anyCube(is func(*search.Settings) bool) bool {
	of := func(d Side) bool { return is(&d.Cube) || s.LatePly > 0 && is(&d.LateCube) }
	return s.Cubeful && (of(s.side()) || s.Opponent != nil && of(*s.Opponent))
}

// described are the fields of settings that a fingerprint always names. Other fields are named
// only if they are set, so that files without them still match: the zero value of a new field
// must mean the behaviour of those files.
var described = map[reflect.Type][]string{
	reflect.TypeFor[Settings](): {"Trials", "Seed", "Cubeful", "VarianceReduction", "PlainDice", "InitialPosition", "Truncate",
		"TruncateTwoSided", "TruncateOneSided", "Checker", "Cube", "LatePly", "LateChecker", "LateCube", "MinTrials", "StopStdErr",
		"StopJSD", "Threads"},
	reflect.TypeFor[search.Settings](): {"Plies", "Cubeful", "Noise", "Deterministic", "Seed", "Filter", "Prune", "Reduced",
		"Efficiency", "Budget"},
	reflect.TypeFor[match.State](): {"Length", "Score", "Cube", "Owner", "Crawford", "Jacoby", "Beavers"},
	reflect.TypeFor[Side]():        {"Checker", "Cube", "LateChecker", "LateCube"},
}

// describe writes settings as a fingerprint sees them, in the way of %+v.
func describe(b *strings.Builder, v reflect.Value) {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem() // what it points to, not where that is
	}
	always, ours := described[v.Type()]
	if !ours {
		fmt.Fprintf(b, "%+v", v)
		return
	}
	b.WriteString("{")
	sep := ""
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if v.Field(i).IsZero() && !slices.Contains(always, name) {
			continue
		}
		b.WriteString(sep + name + ":")
		describe(b, v.Field(i))
		sep = " "
	}
	if v.Type() == reflect.TypeFor[Settings]() {
		b.WriteString(" late:<nil>") // a field of the first versions
	}
	b.WriteString("}")
}

// Save writes the totals to a file, atomically. engine names the nets and
// databases that the trials were played with.
func (j *Job) Save(path, engine string) error {
	if j.options.Efficiency == nil {
		return errNotNew
	}
	v := saved{Format: fileFormat, Fingerprint: j.fingerprint(engine)}
	for _, a := range j.arms {
		v.Arms = append(v.Arms, struct {
			Name string `json:"name"`
			Sums Sums   `json:"sums"`
		}{a.Name, a.sums})
	}
	for i := range j.arms {
		for k := i + 1; k < len(j.arms); k++ {
			if p := j.pairs[[2]int{i, k}]; p != nil {
				v.Pairs = append(v.Pairs, p)
			}
		}
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("save rollout: %w", err)
	}
	if err := atomicfile.WriteBytes(path, 0o644, append(text, '\n')); err != nil {
		return fmt.Errorf("save rollout: %w", err)
	}
	return nil
}

// longest is a bound on the size of a file of this rollout: Save writes some hundred numbers of
// an arm and of a pair, a line each.
func (j *Job) longest() int64 {
	n := int64(len(j.arms))
	return 1<<20 + n*(64<<10) + n*(n-1)/2*(16<<10)
}

// Load continues from a file that Save wrote for the same arms, settings, seed and engine;
// found is false if there is no file. The error wraps ErrFile if the file is of another
// rollout.
func (j *Job) Load(path, engine string) (found bool, err error) {
	if j.options.Efficiency == nil {
		return false, errNotNew
	}
	f, err := ctxread.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("resume rollout: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, j.longest()+1))
	if err != nil {
		return false, fmt.Errorf("resume rollout: %w", err)
	}
	if int64(len(text)) > j.longest() {
		return false, fmt.Errorf("resume rollout %s: %w: longer than any rollout of %d arms", path, ErrFile, len(j.arms))
	}
	if err := j.restore(text, engine); err != nil {
		return false, fmt.Errorf("resume rollout %s: %w", path, err)
	}
	return true, nil
}

// restore takes over the totals of a saved rollout, or none with an error that wraps ErrFile.
func (j *Job) restore(text []byte, engine string) error {
	var v saved
	if err := json.Unmarshal(text, &v); err != nil {
		return fmt.Errorf("%w: no rollout wrote it", ErrFile)
	}
	if v.Format != fileFormat {
		return fmt.Errorf("%w: format %d, this build reads %d", ErrFile, v.Format, fileFormat)
	}
	if v.Fingerprint != j.fingerprint(engine) || len(v.Arms) != len(j.arms) {
		return fmt.Errorf("%w: it is of another position, rules, match equity table, settings, seed or nets", ErrFile)
	}
	for _, p := range v.Pairs {
		if p == nil || p.Arms[0] < 0 || p.Arms[0] >= p.Arms[1] || p.Arms[1] >= len(j.arms) || !p.possible() {
			return fmt.Errorf("%w: impossible pair of arms", ErrFile)
		}
	}
	for _, a := range v.Arms {
		if !a.Sums.possible() {
			return fmt.Errorf("%w: impossible totals of %d trials", ErrFile, a.Sums.Trials)
		}
	}
	for _, p := range v.Pairs {
		j.pairs[p.Arms] = p
	}
	for i, a := range j.arms {
		a.sums = v.Arms[i].Sums
		// A stop rule may have been relaxed since, and neither arm of a cube decision is
		// given up alone any more.
		a.sums.Stopped = a.sums.Stopped && j.settings.StopJSD > 0 && !j.decides()
	}
	return nil
}

// most bounds the outcome of one trial: three times the largest cube, and as much again for
// the luck taken out.
const most = 6 << cube.MaxRungs

// mostChance bounds a chance of one trial with the luck taken out.
const mostChance = 4

// bounds returns what an output of a trial of the arm can be at most: the cube is turned at most
// once a ply, or with beavers twice.
func (j *Job) bounds(a *Arm) (b sample) {
	turns := int(cube.MaxRungs)
	if j.settings.Truncate > 0 {
		turns = j.settings.Truncate + 1
		if j.state.Length == 0 && j.state.Beavers > 0 {
			turns *= 2
		}
	}
	for o := range b {
		b[o] = mostChance
	}
	b[outCubeless] = float64(int(6) << min(cube.MaxRungs, int(a.spot.Rung)+turns))
	b[outCubeful] = b[outCubeless]
	return b
}

func within(sum float64, trials int) bool { return math.Abs(sum) <= most*float64(trials) }

// fit reports whether the counts add up to that many trials.
func (c *firstRolls) fit(trials int) bool {
	if trials < 0 || trials > maxSaved {
		return false
	}
	left := trials
	for _, n := range c {
		if n < 0 || n > left {
			return false
		}
		left -= n
	}
	return left == 0
}

// possible reports whether trials can have led to these totals.
func (s *Sums) possible() bool {
	if !s.Counts.fit(s.Trials) {
		return false
	}
	for o := range outputs {
		if !within(s.Sum[o], s.Trials) {
			return false
		}
		for r := range s.ByFirst {
			if !within(s.ByFirst[r][o], s.Counts[r]) {
				return false
			}
		}
	}
	return true
}

func (p *Pair) possible() bool {
	if !p.Counts.fit(p.Trials) || !within(p.Sum, p.Trials) {
		return false
	}
	for r, s := range p.ByFirst {
		if !within(s, p.Counts[r]) {
			return false
		}
	}
	return true
}
