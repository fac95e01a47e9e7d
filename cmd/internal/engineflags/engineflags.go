// Package engineflags has the flags by which commands of both programs choose a strength
// and an engine: preset and overrides, weights, bearoff databases, match equity table.
package engineflags

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
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/cmd/internal/remote"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/dice"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/search"
	"fibsbot/engine/tune"
)

// DefaultConfig is the configuration file of every command that needs one.
const DefaultConfig = "bot.yaml"

// Strength are the flags that say how strong a command plays: a preset and overrides of
// its fields.
type Strength struct {
	Preset   string
	Config   string // file with own presets
	Plies    int
	Noise    float64
	Filter   string
	Cubeless bool
	Seed     uint64
	Within   time.Duration // of one decision, 0 for no bound
}

// FindPreset finds the preset that flag names: a built-in one or one of the
// configuration in file, or of bot.yaml if it exists and file is empty. A configuration
// that cannot be read is an error: the preset could be another one. Its other keys do
// not matter.
func FindPreset(flag, name, file string) (preset.Preset, error) {
	given := file != ""
	if given {
		if _, err := os.Stat(file); err != nil {
			return preset.Preset{}, cmdline.Usagef("--config: %w", err)
		}
	}
	p, unknown := preset.ByName(name)
	if !given {
		file = DefaultConfig
	}
	c, _, err := config.Load(file)
	switch {
	case err != nil && !given && errors.Is(err, fs.ErrNotExist):
		if unknown == nil {
			return p, nil
		}
		return p, cmdline.Usagef("%s: %w", flag, unknown)
	case err != nil:
		return p, cmdline.AsUsage(err)
	case unknown == nil:
		return p, nil
	}
	if _, own := c.Presets[name]; !own {
		names := append(preset.Names(), slices.Sorted(maps.Keys(c.Presets))...)
		return p, cmdline.Usagef("%s: %w %q (use %s)", flag, preset.ErrUnknown, name, strings.Join(names, ", "))
	}
	if p, err = strength.Preset(c, name); err != nil {
		return p, cmdline.Usagef("%s: %w", file, err)
	}
	return p, nil
}

// FindFilter finds a move filter: written out, built in or one of the configuration in file.
func FindFilter(name, file string) (search.Filter, error) {
	if strings.Contains(name, ":") {
		return search.ParseFilter(name)
	}
	f, err := search.FilterByName(name)
	if err == nil {
		return f, nil
	}
	file = cmp.Or(file, DefaultConfig)
	if c, _, unread := config.Load(file); unread == nil {
		return strength.Filter(c, name)
	}
	return f, err
}

// Add puts the flags of a judge on cmd: its strength with presets of a configuration, and its
// engine with the table of that configuration. fallback is the preset without flags.
func Add(cmd *cobra.Command, s *Strength, e *Engine, fallback string) {
	AddStrength(cmd, s, fallback)
	AddPresets(cmd, &s.Config)
	AddEngine(cmd, e)
	e.UseConfiguredTable(cmd, &s.Config)
}

// AddStrength puts the flags on cmd; fallback is the preset without flags.
func AddStrength(cmd *cobra.Command, f *Strength, fallback string) {
	fl := cmd.Flags()
	fl.StringVar(&f.Preset, "preset", fallback, "strength: "+strings.Join(preset.Names(), ", ")+", or a preset of bot.yaml")
	fl.Var(bounded.Of(&f.Plies, 0, 0, search.MaxPlies), "plies", fmt.Sprintf("look-ahead, 0 to %d, without rollouts (overrides the preset)", search.MaxPlies))
	fl.Var(bounded.Of(&f.Noise, 0, 0, 1), "noise", "standard deviation of the noise, 0 to 1 (overrides the preset)")
	fl.StringVar(&f.Filter, "filter", "", "move filter: tiny, lean, narrow, normal, broad, large, huge, one of bot.yaml, or stages ACCEPT:EXTRA:THRESHOLD,... (overrides the preset)")
	fl.BoolVar(&f.Cubeless, "cubeless", false, "ignore the cube")
	fl.Uint64Var(&f.Seed, "seed", 1, "seed of noise and dice (a preset's own rollouts have fixed dice)")
}

// AddWithin adds a time limit for each decision.
func AddWithin(cmd *cobra.Command, f *Strength) {
	cmd.Flags().DurationVar(&f.Within, "within", 0, "time limit for one decision, as 2s; 0 for none")
}

// AddPresets lets cmd find presets in a configuration.
func AddPresets(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVarP(file, "config", "c", "", "configuration with presets (default bot.yaml if it exists)")
}

// Resolve returns the preset with the overrides of the given flags.
func (f *Strength) Resolve(cmd *cobra.Command) (preset.Preset, error) {
	return f.Overridden(cmd, "--preset", f.Preset)
}

// Judge is Resolve for a judge of matches, which record the name: it has the overrides.
func (f *Strength) Judge(cmd *cobra.Command) (preset.Preset, error) {
	p, err := f.Resolve(cmd)
	for _, name := range []string{"plies", "noise", "filter", "cubeless"} {
		if v := cmd.Flags().Lookup(name); v.Changed {
			p.Name += strings.TrimSuffix(" --"+name+" "+v.Value.String(), " true")
		}
	}
	return p, err
}

// Overridden returns the preset called name, which errors call what, with the overrides of the given
// flags.
func (f *Strength) Overridden(cmd *cobra.Command, what, name string) (preset.Preset, error) {
	p, err := FindPreset(what, name, f.Config)
	if err != nil {
		return p, err
	}
	if cmd.Flags().Changed("plies") {
		p = p.WithPlies(f.Plies)
	}
	if cmd.Flags().Changed("noise") {
		p.Checker.Noise, p.Cube.Noise = f.Noise, f.Noise
		p.Close = preset.Close{}
	}
	if f.Filter != "" {
		filter, err := FindFilter(f.Filter, f.Config)
		if err != nil {
			return p, cmdline.Usagef("--filter: %s", strings.TrimPrefix(err.Error(), search.ErrSettings.Error()+": "))
		}
		p.Checker.Filter = filter
	}
	if f.Cubeless {
		p.Checker.Cubeful, p.Cube.Cubeful = false, false
	}
	p.Checker.Budget, p.Cube.Budget = f.Within, f.Within
	for _, s := range [...]search.Settings{p.Checker, p.Cube} {
		if err := s.Validate(); err != nil {
			return p, cmdline.UsageIn(cmd, err)
		}
	}
	return p, nil
}

// AddGame adds the flags for the rules of the game and its dice.
func AddGame(cmd *cobra.Command, v *record.Variation, egyptian *bool, auto *int, from *dice.Generator) {
	AddRules(cmd, v, egyptian)
	cmd.Flags().IntVar(auto, "auto-doubles", 0, "money play: at most N automatic doubles (equal opening dice)")
	AddDice(cmd, from)
}

// AddRules adds the flags for the rules by which checkers move and win.
func AddRules(cmd *cobra.Command, v *record.Variation, egyptian *bool) {
	cmd.Flags().Func("variation", "the game: "+record.VariationNames+" (default backgammon)", func(name string) (err error) {
		*v, err = record.ReadVariation(name)
		return err
	})
	cmd.Flags().BoolVar(egyptian, "egyptian", false, "Egyptian rule: at most five checkers on a point")
}

// AddDice adds --rng.
func AddDice(cmd *cobra.Command, from *dice.Generator) {
	cmd.Flags().Func("rng", "generator of the dice: "+strings.Join(dice.Names(), ", ")+" (default pcg)", func(name string) (err error) {
		*from, err = dice.Parse(name)
		return err
	})
}

// Engine says which nets, databases and table an engine uses.
type Engine struct {
	Weights, BearoffDir string
	Met                 string  // match equity table
	Configured          *string // configuration whose engine.met is the default of --met; nil for measurements
	CacheMB, Threads    int
}

// DefaultCacheMB is the memory of the evaluation cache in MiB without --cache-mb.
const DefaultCacheMB = 32

// AddEngine puts the flags on cmd.
func AddEngine(cmd *cobra.Command, f *Engine) {
	fl := cmd.Flags()
	fl.StringVar(&f.Weights, "weights", "", "weights file instead of the built-in nets")
	fl.StringVar(&f.BearoffDir, "bearoff-dir", "", "folder with larger bearoff databases")
	AddMet(fl, &f.Met)
	fl.Var(bounded.Of(&f.CacheMB, DefaultCacheMB, 0, 1<<16), "cache-mb", "evaluation cache in MiB")
	fl.Var(bounded.Of(&f.Threads, 0, 0, 1024), "threads", "threads, 0 for one per processor")
}

// AddMet adds --met.
func AddMet(fl *pflag.FlagSet, met *string) {
	fl.StringVar(met, "met", "", "match equity table: kazaross-xg2, woolsey, or an .xml of gnubg (default kazaross-xg2)")
}

// UseConfiguredTable makes engine.met of the configuration in file the default of --met,
// so that a decision is valued as the bot of this folder values it. Measurements (duels,
// speed, nets) do not use it, to stay comparable.
func (f *Engine) UseConfiguredTable(cmd *cobra.Command, file *string) {
	f.Configured = file
	met := cmd.Flags().Lookup("met")
	met.Usage = strings.Replace(met.Usage, "(default ", "(default engine.met of the configuration, else ", 1)
}

// Table finds the match equity table and stores its name in Met.
func (f *Engine) Table() (*match.Table, error) {
	from := "--met"
	if f.Met == "" && f.Configured != nil {
		file := cmp.Or(*f.Configured, DefaultConfig)
		switch c, _, err := config.Load(file); {
		case err == nil:
			f.Met, from = c.Engine.Met, file+": engine.met"
		case *f.Configured != "" || !errors.Is(err, fs.ErrNotExist):
			return nil, cmdline.AsUsage(err)
		}
	}
	t, err := engine.LoadTable(f.Met)
	if err != nil {
		return nil, cmdline.Usagef("%s: %w", from, err)
	}
	return t, nil
}

// Work is a job for --farm by the engine of the flags.
func (f *Engine) Work(kind remote.Kind, spec []byte, e *engine.Engine) farmcmd.Work {
	return farmcmd.Work{Kind: kind, Spec: spec, Engines: []*engine.Engine{e}, Weights: []string{f.Weights}, Bearoff: f.BearoffDir, Table: f.Met, Most: 1}
}

// Open makes the engine; warnings go to cmd's stderr.
func (f *Engine) Open(cmd *cobra.Command, seed uint64) (*engine.Engine, error) {
	if err := cmdline.NeedFolder("--bearoff-dir", f.BearoffDir); err != nil {
		return nil, err
	}
	cache := cmp.Or(f.CacheMB, -1)
	table, err := f.Table()
	if err != nil {
		return nil, err
	}
	ops.Thrift()
	e, err := engine.Open(engine.Options{
		Table: table, Weights: f.Weights, BearoffDir: f.BearoffDir, CacheMB: cache, Threads: f.Threads, Seed: seed,
		Warn: func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), cmd.Root().Name()+": "+text) },
	})
	if err != nil && f.Weights != "" {
		return nil, cmdline.AsUsage(fmt.Errorf("--weights: %w", err))
	}
	return e, err
}

// ReadSurface reads the table of strength that --table names; "" means the one in the program.
func ReadSurface(path string) (*tune.Surface, error) {
	if path == "" {
		return tune.Measured()
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, cmdline.AsUsage(fmt.Errorf("--table: %w", err))
	}
	s, err := tune.ReadSurface(data)
	if err != nil {
		return nil, cmdline.AsUsage(fmt.Errorf("--table: %s: %w", path, err))
	}
	return s, nil
}

// Depth are the flags that switch parts of an analysis off and choose the depth of luck.
type Depth struct {
	skip analyse.Skip
	luck int
}

// Add adds the flags to a command.
func (d *Depth) Add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.BoolVar(&d.skip.Checker, "no-checker", false, "do not analyse checker plays")
	fl.BoolVar(&d.skip.Cube, "no-cube", false, "do not analyse cube decisions")
	fl.BoolVar(&d.skip.Luck, "no-luck", false, "do not measure luck")
	fl.Var(bounded.Of(&d.luck, 0, 0, search.MaxPlies-1), "luck-plies", fmt.Sprintf("look-ahead for luck, 0 to %d (default as the analysis, at most 1)", search.MaxPlies-1))
	fl.Lookup("luck-plies").DefValue = ""
}

// Set makes a follow the flags. It fails where they contradict each other.
func (d *Depth) Set(cmd *cobra.Command, a *analyse.Analyst) error {
	a.Skip = d.skip
	if !cmd.Flags().Changed("luck-plies") {
		return nil
	}
	if d.skip.Luck {
		return cmdline.Usagef("--luck-plies: does not go with --no-luck")
	}
	a.LuckPlies = d.luck
	return nil
}
