package main

import (
	"cmp"
	"errors"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/efficiency"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// efficiencyFlags are the flags of `bench efficiency`.
type efficiencyFlags struct {
	parts             engineflags.Engine
	exact             string
	class, plan       string
	positions, trials int
	checker, cube     int // plies
	every             int
	seed              uint64
	policy            float64
	line              []float64
	asJSON            bool
}

// newBenchEfficiencyCmd is `fibslab bench efficiency`: how much the cube is worth.
func newBenchEfficiencyCmd() *cobra.Command {
	var f efficiencyFlags
	cmd := &cobra.Command{
		Use:   "efficiency",
		Short: "Measure the cube efficiency of a class of positions",
		Long: `Draws positions of a class from games that the nets play against themselves, half
of them with a centred cube and half with the player on roll owning it, rolls out
"no double" and "double, take" of each with the cube in play, and finds the x for which
Janowski's mixture of dead and live cube of the rolled-out chances is nearest to the
rolled-out equities (least squares). Class bearoff2 needs no rollouts: its equities are
exact. Then it computes the losses of 0- to 2-ply cube decisions by x against those
rollouts.

Only positions where x matters are used: dead and live differ by 0.1 or more.`,
		Example: `  fibslab bench efficiency --class bearoff2 --positions 20000
  fibslab bench efficiency --class bearoff1 --exact db --positions 2000
  fibslab bench efficiency --class race --positions 400 --trials 324
  fibslab bench efficiency --class contact --positions 300 --trials 144 --plan holding`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	engineflags.AddEngine(cmd, &f.parts)
	fl := cmd.Flags()
	fl.StringVar(&f.class, "class", "contact", "contact, crashed, race, bearoff1 or bearoff2")
	fl.StringVar(&f.plan, "plan", "natural", "kind of games for the positions, as in train selfplay")
	fl.IntVar(&f.positions, "positions", 200, "number of positions")
	fl.IntVar(&f.trials, "trials", 144, "trials for each arm")
	fl.IntVar(&f.checker, "checker-plies", 0, "depth of the plays in the rollouts")
	fl.IntVar(&f.cube, "cube-plies", 0, "depth of the cube decisions in the rollouts")
	fl.IntVar(&f.every, "every", 8, "use about one position in so many")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of games and rollouts")
	fl.Float64Var(&f.policy, "policy", -1, "one cube efficiency for all decisions inside the rollouts, -1 for the usual ones")
	fl.Float64SliceVar(&f.line, "line", nil, "losses also for x = base + slope * pips: base,slope,least,greatest")
	fl.StringVar(&f.exact, "exact", "", "folder of two-sided databases instead of rollouts (bearoff1)")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// prepare returns the measurement of the flags, still without an engine.
func (f *efficiencyFlags) prepare() (m efficiency.Meter, err error) {
	class, ok := efficiency.ClassByName(f.class)
	if !ok {
		return m, cmdline.Usagef("--class: %q is not contact, crashed, race, bearoff1 or bearoff2", f.class)
	}
	plan, ok := train.ParsePlan(f.plan)
	switch {
	case !ok:
		return m, cmdline.Usagef("--plan: unknown plan %q", f.plan)
	case f.positions < 2 || f.positions > 1<<20 || f.trials < 1 || f.trials > 1<<20:
		return m, cmdline.Usagef("--positions and --trials: not 2 to %d and 1 to %d", 1<<20, 1<<20)
	case f.exact != "" && class != eval.Bearoff1 && class != eval.Bearoff2:
		return m, cmp.Or(cmdline.NeedFolder("--exact", f.exact), cmdline.Usagef("--exact %s: no database has exact equities of class %s", f.exact, f.class))
	case f.every < 1 || f.every > 1000:
		return m, cmdline.Usagef("--every: %d is not between 1 and 1000", f.every)
	case !(f.policy == -1 || f.policy >= 0 && f.policy <= 1):
		return m, cmdline.Usagef("--policy: %v is not between 0 and 1", f.policy)
	}
	m = efficiency.Meter{Class: class, Plan: plan, Positions: f.positions, Every: f.every, Seed: f.seed, Settings: rollout.Default()}
	m.Settings.Trials, m.Settings.MinTrials, m.Settings.Seed, m.Settings.Threads = f.trials, f.trials, f.seed, f.parts.Threads
	m.Settings.Checker.Plies, m.Settings.Cube.Plies = f.checker, f.cube
	for _, s := range []search.Settings{m.Settings.Checker, m.Settings.Cube} {
		if err := s.Validate(); err != nil {
			return m, cmdline.Usagef("%v", err)
		}
	}
	if l := f.line; len(l) > 0 {
		if len(l) != 4 || l[2] < 0 || l[3] > 1 || l[2] > l[3] {
			return m, cmdline.Usagef("--line: not four numbers (base, slope, least and greatest x, those between 0 and 1)")
		}
		m.Line = &cube.Efficiency{RaceBase: l[0], RacePerPip: l[1], RaceMin: l[2], RaceMax: l[3]}
	}
	return m, cmdline.NeedFolder("--exact", f.exact)
}

// run measures and prints the report.
func (f *efficiencyFlags) run(cmd *cobra.Command) error {
	m, err := f.prepare()
	if err != nil {
		return err
	}
	if m.Engine, err = f.parts.Open(cmd, f.seed); err != nil {
		return err
	}
	defer m.Engine.Close()
	if f.exact != "" {
		parts := engineflags.Engine{BearoffDir: f.exact}
		e, err := parts.Open(cmd, 1)
		if err != nil {
			return err
		}
		defer e.Close()
		m.Truth = e.Exact()
	}
	m.Options = m.Engine.RolloutOptions()
	if x := f.policy; x >= 0 {
		m.Options.Efficiency = &cube.Efficiency{Contact: x, Crashed: x, OneSided: x, TwoSided: x, RaceBase: x, RaceMax: 1}
	}
	ctx := cmd.Context()
	bar := cmdline.Bar(cmd)
	defer bar.Clear()
	m.Report = func(n int) { bar.Show("positions", n, m.Positions) }
	out, err := m.Run(ctx)
	if errors.Is(err, efficiency.ErrFew) && f.exact != "" {
		return cmdline.Usagef("--exact: %s knows %w", f.exact, err)
	} else if err != nil {
		return err
	}
	bar.Clear()
	if f.asJSON {
		return cmdline.PrintJSON(cmd.OutOrStdout(), out)
	}
	return out.Print(cmd.OutOrStdout())
}
