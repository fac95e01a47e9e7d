// Package preset names how strong the engine plays: beginner, casual,
// intermediate, advanced, expert, worldclass, supremo, champion, grandmaster,
// legend.
//
// A Preset is settings for checker play and, apart, for the cube, with manners
// of resigning. Levels up to advanced see clearly but err by noise; expert is
// the evaluation as it is; from worldclass on the engine looks ahead. Noise and
// depth of the five middle levels are gnubg's; the noise is
// centred, unlike gnubg 1.07's, so the weaker levels err in both directions.
package preset

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"fibsbot/engine/cube"
	"fibsbot/engine/search"
	"fibsbot/engine/tune/human"
)

// ErrUnknown is wrapped by errors about names that are not a preset.
var ErrUnknown = errors.New("unknown preset")

// Preset is a named strength.
type Preset struct {
	Name string
	// Summary is one line for help texts.
	Summary string
	// Checker and Cube are the settings of the two kinds of decision.
	Checker, Cube search.Settings
	// Close selects the close plays that are rolled out; the zero value none.
	Close Close
	// Resign is when the preset resigns and accepts a resignation.
	Resign cube.ResignStyle
	// Human adds human-like errors to the noiseless ranking; the zero value none. Its seed is
	// that of Checker and Cube.
	Human human.Style
	// OptionalDouble doubles if doubling neither gains nor loses.
	OptionalDouble bool
}

// Close selects plays to roll out after a search has ranked them, and how.
type Close struct {
	// Plays is the largest number of plays rolled out, Within how far one may be behind the
	// best (EMG). A single play is not rolled out.
	Plays  int
	Within float64
	// Trials is the largest number of trials of each, with variance reduction and common dice;
	// 0 rolls nothing out. Plays that are clearly behind, and clear decisions, end earlier.
	// Truncate ends trials after that many plies, 0 plays to the end.
	Trials, Truncate int
	// Search is the part, 0 to 1, that the search keeps in what a rolled out play is worth:
	// 0 is the rollout alone.
	Search float64
	// Early is the number of plies at the start of each trial that a search decides, looking
	// Plies ahead; the others are played at 0 plies.
	Early, Plies int
	// CubeTrials is Trials for cube decisions; they are rolled out if the search finds the
	// actions within CubeWithin (EMG) of each other.
	CubeTrials int
	CubeWithin float64
}

// Any reports whether c rolls anything out.
func (c *Close) Any() bool { return c.Trials > 0 || c.CubeTrials > 0 }

// Validate reports the first field outside its range; the error wraps
// search.ErrSettings.
func (c *Close) Validate() error {
	switch {
	case c.Trials < 0 || c.Trials > maxTrials:
		return fmt.Errorf("%w: %d rollout trials (use 0 to %d)", search.ErrSettings, c.Trials, maxTrials)
	case c.CubeTrials < 0 || c.CubeTrials > maxTrials:
		return fmt.Errorf("%w: %d rollout trials of a cube decision (use 0 to %d)", search.ErrSettings, c.CubeTrials, maxTrials)
	case c.Plays < 0 || c.Truncate < 0 || c.Early < 0:
		return fmt.Errorf("%w: a number of rolled out plays or plies is negative", search.ErrSettings)
	case c.Plies < 0 || c.Plies > maxEarly:
		return fmt.Errorf("%w: rollouts that look %d plies ahead (use 0 to %d)", search.ErrSettings, c.Plies, maxEarly)
	case !(c.Within >= 0 && c.Within <= 10):
		return fmt.Errorf("%w: rolling out plays within %v (use 0 to 10)", search.ErrSettings, c.Within)
	case !(c.Search >= 0 && c.Search <= 1):
		return fmt.Errorf("%w: a search that counts %v beside its rollouts (use 0 to 1)", search.ErrSettings, c.Search)
	case !(c.CubeWithin >= 0 && c.CubeWithin <= 10):
		return fmt.Errorf("%w: rolling out cube decisions within %v (use 0 to 10)", search.ErrSettings, c.CubeWithin)
	}
	return nil
}

// maxTrials bounds the trials of a play in one decision.
const maxTrials = 100_000

// maxEarly is how far the trials of one decision may look ahead: more takes minutes.
const maxEarly = 2

// static makes a 0-ply preset with noise.
func static(name, summary string, noise float64) Preset {
	s := search.Settings{Cubeful: true, Noise: noise, Filter: search.Lean}
	return Preset{Name: name, Summary: summary, Checker: s, Cube: s, Resign: cube.UsualResign}
}

// deep makes a preset that looks ahead without noise, at 2 plies for the cube.
func deep(name, summary string, plies int, f search.Filter) Preset {
	checker := search.Settings{Plies: plies, Cubeful: true, Filter: f, Prune: true}
	decide := checker
	decide.Plies = 2
	return Preset{Name: name, Summary: summary, Checker: checker, Cube: decide, Resign: cube.UsualResign}
}

// lastTwo is the broad filter at 2 plies, with 3 plies for the best play and one other within
// 0.04 of it.
var lastTwo = search.Filter{Name: "supremo", Cuts: [search.MaxPlies][]search.Cut{
	search.Broad.Cuts[0],
	search.Broad.Cuts[1],
	append(search.Broad.Cuts[1][:2:2], search.Cut{Accept: 1, Extra: 1, Threshold: 0.04}),
	search.Broad.Cuts[3],
}}

// champion, grandmaster and legend roll out what a search leaves close: short trials at 0 plies
// see further than a deeper search of the same time (docs/strength.md has the equity that each
// loses).
func champion() Preset {
	p := deep("champion", "2 plies, close plays and cubes rolled out briefly", 2, search.Lean)
	p.Close = Close{Plays: 4, Within: 0.08, Trials: 36, Truncate: 5, Search: 0.5, CubeTrials: 72, CubeWithin: 0.1}
	return p
}

func grandmaster() Preset {
	p := deep("grandmaster", "2 plies, large filter, close plays and cubes rolled out", 2, search.Large)
	p.Close = Close{Plays: 4, Within: 0.06, Trials: 144, Truncate: 7, CubeTrials: 144, CubeWithin: 0.1}
	return p
}

func legend() Preset {
	p := deep("legend", "2 plies, large filter, more plays and all cubes in doubt rolled out at length", 2, search.Large)
	p.Close = Close{Plays: 5, Within: 0.1, Trials: 360, Truncate: 9, CubeTrials: 360, CubeWithin: 0.15}
	return p
}

// All lists the built-in presets from weakest to strongest.
func All() []Preset {
	return []Preset{
		static("beginner", "0 plies, noise 0.060", 0.060),
		static("casual", "0 plies, noise 0.050", 0.050),
		static("intermediate", "0 plies, noise 0.030", 0.030),
		static("advanced", "0 plies, noise 0.015", 0.015),
		static("expert", "0 plies, no noise", 0),
		deep("worldclass", "2 plies, lean filter", 2, search.Lean),
		deep("supremo", "2 plies, broad filter, 3 plies between the last two", 3, lastTwo),
		champion(),
		grandmaster(),
		legend(),
	}
}

// Names lists the built-in presets from weakest to strongest.
func Names() []string {
	var names []string
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// ByName finds a built-in preset. Case, blanks, hyphens and underscores do not
// matter, so "World Class" is worldclass; "casual play" is casual. The error
// wraps ErrUnknown and lists the names.
func ByName(name string) (Preset, error) {
	key := strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name))
	if key == "casualplay" {
		key = "casual"
	}
	for _, p := range All() {
		if p.Name == key {
			return p, nil
		}
	}
	return Preset{}, fmt.Errorf("%w %q (use %s)", ErrUnknown, name, strings.Join(Names(), ", "))
}

// WithPlies returns p looking n plies ahead, for plays and cube, without rollouts. Static
// presets do not prune; once they look ahead they do, or a search takes three times as long
// for the same plays.
func (p Preset) WithPlies(n int) Preset {
	for _, s := range [...]*search.Settings{&p.Checker, &p.Cube} {
		s.Plies = n
		s.Prune = s.Prune || n > 0 && s.Reduced == 0
	}
	p.Close = Close{}
	return p
}

// WithSeed returns p with the seed of its random noise changed; callers do so
// from decision to decision.
func (p Preset) WithSeed(seed uint64) Preset {
	p.Checker.Seed, p.Cube.Seed = seed, seed
	return p
}

// Fingerprint returns 16 hex digits that identify a preset's settings in records: two presets
// share a fingerprint if their settings for plays and doubles are equal, whatever their names.
// It leaves out seeds, the manner of resigning, and all that is code and not a setting: the
// nets, and how Close is rolled out.
//
// Fingerprints must never change, or existing files become meaningless. Write a new field of
// the settings only if it is set.
func (p Preset) Fingerprint() string {
	h := fnv.New64a()
	describe(h, &p.Checker)
	describe(h, &p.Cube)
	if p.Close.Trials > 0 {
		fmt.Fprintf(h, "close %d %v %d %d\n", p.Close.Plays, p.Close.Within, p.Close.Trials, p.Close.Truncate)
	}
	if c := &p.Close; c.Early > 0 || c.Plies > 0 {
		fmt.Fprintf(h, "close early %d %d\n", c.Early, c.Plies)
	}
	if c := &p.Close; c.CubeTrials > 0 || c.CubeWithin > 0 {
		fmt.Fprintf(h, "close cube %d %v %d\n", c.CubeTrials, c.CubeWithin, c.Truncate)
	}
	if c := &p.Close; c.Search > 0 {
		fmt.Fprintf(h, "close search %v\n", c.Search)
	}
	fmt.Fprintf(h, "human %v %v optional %v\n", p.Human.Checker, p.Human.Cube, p.OptionalDouble)
	if p.Human != (human.Style{}) {
		fmt.Fprintf(h, "model %s %s\n", human.ModelVersion(), p.Human.Character)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// describe writes what decisions by s depend on, as one line.
func describe(w io.Writer, s *search.Settings) {
	fmt.Fprintf(w, "plies %d cubeful %v noise %v %v", s.Plies, s.Cubeful, s.Noise, s.Deterministic)
	if s.Plies > 0 {
		share := s.Share
		if share == 0 {
			share = 1 // 0 and 1 both mean all decisions
		}
		fmt.Fprintf(w, " share %v prune %v reduced %d cuts", share, s.Prune, s.Reduced)
		if s.Plies <= search.MaxPlies {
			for _, c := range s.Filter.Cuts[s.Plies-1] {
				fmt.Fprintf(w, " %d %d %v", c.Accept, c.Extra, c.Threshold)
			}
		}
	}
	if s.Efficiency != nil {
		fmt.Fprintf(w, " efficiency %v", *s.Efficiency)
	}
	if s.Budget > 0 {
		fmt.Fprintf(w, " budget %v", s.Budget)
	}
	fmt.Fprintln(w)
}
