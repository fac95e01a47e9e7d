package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/bot/ops"
	"fibsbot/bot/strength"
	"fibsbot/cmd/fibsbot/internal/farmcmd"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/engine/dice"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/search"
)

// strengthFlags are the flags that say how strong a command plays: a preset and
// what overrides its fields.
type strengthFlags struct {
	preset   string
	config   string // file with own presets
	plies    int
	noise    float64
	filter   string
	cubeless bool
	seed     uint64
	within   time.Duration // of one decision, 0 for no bound
}

// findPreset finds the preset that flag names: a built-in one or one of the
// configuration in file. Without file bot.yaml is asked where there is one. What
// either says of anything but presets and filters does not matter, as long as it can
// be read: a preset must not be another one because of a slip further up.
func findPreset(flag, name, file string) (preset.Preset, error) {
	given := file != ""
	if given {
		if _, err := os.Stat(file); err != nil {
			return preset.Preset{}, usagef("--config: %w", err)
		}
	}
	p, unknown := preset.ByName(name)
	if !given {
		file = defaultConfig
	}
	c, _, err := config.Load(file)
	switch {
	case err != nil && !given && errors.Is(err, fs.ErrNotExist):
		if unknown == nil {
			return p, nil
		}
		return p, usagef("%s: %w", flag, unknown)
	case err != nil:
		return p, asUsage(err)
	case unknown == nil:
		return p, nil
	}
	if _, own := c.Presets[name]; !own {
		for _, other := range slices.Sorted(maps.Keys(c.Presets)) {
			unknown = fmt.Errorf("%w, %s", unknown, other)
		}
		return p, usagef("%s: %w", flag, unknown)
	}
	if p, err = strength.Preset(c, name); err != nil {
		return p, usagef("%s: %w", file, err)
	}
	return p, nil
}

// findFilter finds a move filter: one written out, a built-in one or one of the
// configuration in file.
func findFilter(name, file string) (search.Filter, error) {
	if strings.Contains(name, ":") {
		return search.ParseFilter(name)
	}
	f, err := search.FilterByName(name)
	if err == nil {
		return f, nil
	}
	if file == "" {
		file = defaultConfig
	}
	if c, _, unread := config.Load(file); unread == nil {
		return strength.Filter(c, name)
	}
	return f, err
}

// addStrengthFlags puts the flags on cmd; fallback is the preset without flags.
func addStrengthFlags(cmd *cobra.Command, f *strengthFlags, fallback string) {
	fl := cmd.Flags()
	fl.StringVar(&f.preset, "preset", fallback, "strength: "+strings.Join(preset.Names(), ", ")+", or an own preset of bot.yaml")
	fl.IntVar(&f.plies, "plies", 0, fmt.Sprintf("look-ahead, 0 to %d, nothing rolled out (overrides the preset)", search.MaxPlies))
	fl.Float64Var(&f.noise, "noise", 0, "standard deviation of the noise on the winning chance, 0 to 1 (overrides the preset)")
	fl.StringVar(&f.filter, "filter", "", "move filter: tiny, narrow, normal, large, huge, one of bot.yaml, or its cuts ACCEPT:EXTRA:THRESHOLD or skip, by commas (overrides the preset)")
	fl.BoolVar(&f.cubeless, "cubeless", false, "leave the cube out of the equities")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of everything drawn at random; a preset's own rollouts have the same dice always")
}

// addWithinFlag puts a budget of time on cmd.
func addWithinFlag(cmd *cobra.Command, f *strengthFlags) {
	cmd.Flags().DurationVar(&f.within, "within", 0, "time for one decision, as 2s, after which the best answer so far stands; 0 takes what it needs")
}

// addPresetsFlag lets cmd find presets in a configuration.
func addPresetsFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVarP(file, "config", "c", "", "configuration with own presets (default bot.yaml where there is one)")
}

// resolve returns the preset with the overrides of the flags that were given.
func (f *strengthFlags) resolve(cmd *cobra.Command) (preset.Preset, error) {
	return f.overridden(cmd, "--preset", f.preset)
}

// overridden returns the preset called name, which errors call by what, with the
// overrides of the flags that were given.
func (f *strengthFlags) overridden(cmd *cobra.Command, what, name string) (preset.Preset, error) {
	p, err := findPreset(what, name, f.config)
	if err != nil {
		return p, err
	}
	if cmd.Flags().Changed("plies") {
		p = p.WithPlies(f.plies)
	}
	if cmd.Flags().Changed("noise") {
		p.Checker.Noise, p.Cube.Noise = f.noise, f.noise
		p.Close = preset.Close{}
	}
	if f.filter != "" {
		filter, err := findFilter(f.filter, f.config)
		if err != nil {
			return p, usagef("--filter: %w", err)
		}
		p.Checker.Filter = filter
	}
	if f.cubeless {
		p.Checker.Cubeful, p.Cube.Cubeful = false, false
	}
	p.Checker.Budget, p.Cube.Budget = f.within, f.within
	for _, s := range [...]search.Settings{p.Checker, p.Cube} {
		if err := s.Validate(); err != nil {
			return p, usageIn(cmd, err)
		}
	}
	return p, nil
}

// addGameFlags puts the flags on cmd that say what kind of game is played, with dice
// thrown by what.
func addGameFlags(cmd *cobra.Command, v *record.Variation, egyptian *bool, auto *int, from *dice.Generator) {
	addRulesFlags(cmd, v, egyptian)
	cmd.Flags().IntVar(auto, "auto-doubles", 0, "money play: how often equal dice of the opening throw turn the cube")
	addDiceFlag(cmd, from)
}

// addRulesFlags puts the flags on cmd that say by which rules checkers move and win.
func addRulesFlags(cmd *cobra.Command, v *record.Variation, egyptian *bool) {
	cmd.Flags().Func("variation", "the game: "+record.VariationNames+" (default backgammon)", func(name string) (err error) {
		*v, err = record.ReadVariation(name)
		return err
	})
	cmd.Flags().BoolVar(egyptian, "egyptian", false, "the Egyptian rule: no more than five checkers on a point")
}

// engineFlags say what an engine is made of.
type engineFlags struct {
	weights, bearoffDir string
	met                 string  // match equity table
	heeded              *string // configuration whose engine.met holds without --met, nil for measurements
	cacheMB, threads    int
}

// defaultCacheMB is the memory of the evaluation cache in MiB without --cache-mb.
const defaultCacheMB = 32

func addEngineFlags(cmd *cobra.Command, f *engineFlags) {
	fl := cmd.Flags()
	fl.StringVar(&f.weights, "weights", "", "weights file instead of the nets in the program")
	fl.StringVar(&f.bearoffDir, "bearoff-dir", "", "folder of bigger bearoff databases")
	addMetFlag(fl, &f.met)
	fl.IntVar(&f.cacheMB, "cache-mb", defaultCacheMB, "memory of the evaluation cache in MiB")
	fl.IntVar(&f.threads, "threads", 0, "threads of one decision, 0 for one per processor")
}

func addMetFlag(fl *pflag.FlagSet, met *string) {
	fl.StringVar(met, "met", "", "match equity table: kazaross-xg2, woolsey, or a FILE.xml as gnubg has them (default kazaross-xg2)")
}

// heed makes engine.met of the configuration in file the table where --met is not given:
// who asks about a decision means it as the bot of this folder judges it. What is measured
// (duels, speed, nets) stays comparable without.
func (f *engineFlags) heed(cmd *cobra.Command, file *string) {
	f.heeded = file
	met := cmd.Flags().Lookup("met")
	met.Usage = strings.Replace(met.Usage, "(default ", "(default engine.met of the configuration, or ", 1)
}

// table finds the match equity table and leaves its name in met.
func (f *engineFlags) table() (*match.Table, error) {
	from := "--met"
	if f.met == "" && f.heeded != nil {
		file := cmp.Or(*f.heeded, defaultConfig)
		switch c, _, err := config.Load(file); {
		case err == nil:
			f.met, from = c.Engine.Met, file+": engine.met"
		case *f.heeded != "" || !errors.Is(err, fs.ErrNotExist):
			return nil, asUsage(err)
		}
	}
	t, err := engine.LoadTable(f.met)
	if err != nil {
		return nil, usagef("%s: %w", from, err)
	}
	return t, nil
}

// check refuses numbers that are out of range.
func (f *engineFlags) check() error {
	if f.threads < 0 || f.threads > 1024 {
		return usagef("--threads: %d is not between 0 and 1024", f.threads)
	}
	if f.cacheMB < 0 || f.cacheMB > 1<<16 {
		return usagef("--cache-mb: %d is not between 0 and %d", f.cacheMB, 1<<16)
	}
	return nil
}

// work is a job for --farm by the engine that the flags describe.
func (f *engineFlags) work(kind string, spec []byte, e *engine.Engine) farmcmd.Work {
	return farmcmd.Work{Kind: kind, Spec: spec, Engines: []*engine.Engine{e}, Weights: []string{f.weights}, Bearoff: f.bearoffDir, Table: f.met, Most: 1}
}

// open makes the engine; warnings go to cmd's stderr.
func (f *engineFlags) open(cmd *cobra.Command, seed uint64) (*engine.Engine, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	if err := needFolder("--bearoff-dir", f.bearoffDir); err != nil {
		return nil, err
	}
	cache := f.cacheMB
	if cache == 0 {
		cache = -1
	}
	table, err := f.table()
	if err != nil {
		return nil, err
	}
	ops.Thrift()
	e, err := engine.Open(engine.Options{
		Table: table, Weights: f.weights, BearoffDir: f.bearoffDir, CacheMB: cache, Threads: f.threads, Seed: seed,
		Warn: func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), "fibsbot: "+text) },
	})
	if err != nil && f.weights != "" {
		return nil, asUsage(fmt.Errorf("--weights: %w", err))
	}
	return e, err
}
