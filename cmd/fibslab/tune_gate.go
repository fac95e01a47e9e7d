package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/jobs"
	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/cmd/fibslab/internal/results"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine"
	"fibsbot/engine/dice"
	"fibsbot/engine/tune"
	"fibsbot/internal/shard"
)

func newTuneGateCmd() *cobra.Command {
	var g gate
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "gate OLD NEW",
		Short: "Decide whether a new net or setting is stronger",
		Long: `OLD and NEW are settings (a preset, noise:C:Q, human:C:Q, PRESET:SHARE), weights files,
or both as FILE@SETTING; a file alone plays as expert. They play mirrored pairs of
matches until a sequential probability ratio test decides between "NEW is at most --low
rating points better" and "NEW is at least --high better", or until --max-pairs.
--luck subtracts the luck of the dice from the results, which pays for settings that look
ahead. With --results the pairs are kept and a later run resumes from them.
Exit status: 0 stronger, 1 not.`,
		Example: `  fibslab tune gate weights/fibsbot.weights new.weights
  fibslab tune gate old.weights@worldclass new.weights@worldclass --luck --length 3
  fibslab tune gate noise:0.03:0.03 expert --high 50`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := g.run(cmd, args)
			if err != nil {
				return err
			}
			if asJSON {
				err = cmdline.PrintJSON(cmd.OutOrStdout(), out)
			} else {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), out)
			}
			if err == nil && out.Verdict != ratings.Stronger {
				err = fmt.Errorf("gate: %s is not shown to be stronger (%s)", out.New, out.Verdict)
			}
			return err
		},
	}
	fl := cmd.Flags()
	g.farm.Add(cmd)
	fl.Float64Var(&g.test.Low, "low", 0, "difference that is not better, rating points")
	fl.Float64Var(&g.test.High, "high", 15, "difference that is stronger, rating points")
	fl.Float64Var(&g.test.Alpha, "alpha", 0.05, "chance to accept a side that is not better")
	fl.Float64Var(&g.test.Beta, "beta", 0.05, "chance to miss a stronger side")
	fl.IntVar(&g.test.Length, "length", 5, "match length")
	fl.IntVar(&g.test.Least, "least", 100, "pairs before any decision")
	fl.IntVar(&g.maxPairs, "max-pairs", 20000, "pairs after which the test ends undecided")
	fl.IntVar(&g.jobs, "jobs", 0, "blocks played at once, 0 for one for each processor")
	engineflags.AddDice(cmd, &g.rng)
	fl.Uint64Var(&g.seed, "seed", 1, "seed of all dice and errors")
	fl.BoolVar(&g.luck, "luck", false, "subtract the luck of the dice from the results")
	fl.StringVar(&g.results, "results", "", "file that keeps the pairs, to resume from")
	engineflags.AddMet(fl, &g.parts.Met)
	fl.StringVar(&g.parts.BearoffDir, "bearoff-dir", "", "folder with larger bearoff databases")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

type gate struct {
	test           ratings.Sprt
	maxPairs, jobs int
	seed           uint64
	rng            dice.Generator
	luck           bool
	results        string
	parts          engineflags.Engine
	farm           farmcmd.Flags
}

// gateBlock is how many pairs are played between two evaluations of the test.
const gateBlock = 25

func (g *gate) run(cmd *cobra.Command, args []string) (*ratings.GateReport, error) {
	if err := g.test.Validate(); err != nil {
		return nil, cmdline.Usagef("--low, --high, --alpha, --beta, --length: %v", err)
	}
	if g.maxPairs < 1 || g.jobs < 0 || g.jobs > 1024 {
		return nil, cmdline.Usagef("--max-pairs, --jobs: not above 0, or not 0 to 1024")
	}
	// sides[0] is NEW: results are shares of the first side.
	var sides [2]gateSide
	for i, text := range [2]string{args[1], args[0]} {
		side, err := g.open(cmd, text)
		if err != nil {
			return nil, err
		}
		defer side.engine.Close()
		sides[i] = side
	}
	if sides[0].setting == sides[1].setting && sides[0].signature == sides[1].signature {
		return nil, cmdline.Usagef("gate: OLD and NEW play alike (%s)", sides[0].setting)
	}
	d := ratings.Duel{
		Engines:  [2]*ratings.Engine{sides[0].eng, sides[1].eng},
		Settings: [2]tune.Setting{sides[0].setting, sides[1].setting},
		Length:   g.test.Length, Seed: g.seed, Dice: g.rng, Luck: g.luck, BlockSize: gateBlock, Jobs: g.jobs,
		Signature: sides[0].signature + "/" + sides[1].signature,
	}
	var earlier []ratings.DuelBlock
	keep := func(ratings.DuelBlock) error { return nil }
	if g.results != "" {
		file, err := results.OpenGate(g.results, &d)
		if err != nil {
			return nil, asResults(fmt.Errorf("--results: %w", err))
		}
		defer file.Close()
		earlier, keep = file.Blocks, file.Keep
	}
	spec, err := d.Spec()
	if err != nil {
		return nil, err
	}
	work := farmcmd.Work{Kind: jobs.Gate, Spec: spec, Engines: []*engine.Engine{sides[0].engine, sides[1].engine},
		Weights: []string{sides[0].file, sides[1].file}, Bearoff: g.parts.BearoffDir, Table: g.parts.Met, Ask: remote.Part, Most: 64}
	var verdict ratings.Outcome
	var m ratings.DuelTotal
	bar := cmdline.Bar(cmd)
	defer bar.Clear()
	pairs := gateBlock * len(earlier)
	show := func(b ratings.DuelBlock) error {
		pairs += b.Pairs
		bar.Show("pairs, at most", pairs, g.maxPairs)
		return keep(b)
	}
	err = g.farm.On(cmd, work, func(crew shard.Crew, size int) (err error) {
		d.Crew, d.Size = crew, size
		verdict, m, err = d.Test(cmd.Context(), &g.test, g.maxPairs, earlier, show)
		return err
	})
	if err != nil {
		return nil, err
	}
	return g.test.Report(args[0], args[1], verdict, m), nil
}

type gateSide struct {
	engine    *engine.Engine
	eng       *ratings.Engine
	setting   tune.Setting
	signature string
	file      string // of its nets, "" for those in the program
}

// open reads SETTING, FILE or FILE@SETTING.
func (g *gate) open(cmd *cobra.Command, text string) (gateSide, error) {
	side := gateSide{setting: tune.Expert}
	file, name, both := strings.Cut(text, "@")
	if !both {
		if s, err := tune.ParseSetting(text); err == nil {
			side.setting, file = s, ""
		} else if _, statErr := os.Stat(text); statErr != nil {
			return side, cmdline.Usagef("%s: neither a file nor a setting: %v", text, err)
		}
	} else {
		s, err := tune.ParseSetting(name)
		if err != nil {
			return side, cmdline.Usagef("%s: %v", text, err)
		}
		side.setting = s
	}
	side.file = file
	parts := g.parts
	parts.Weights, parts.Threads, parts.CacheMB = file, 1, 32
	var err error
	if side.engine, err = parts.Open(cmd, g.seed); err != nil {
		return side, err
	}
	side.eng = results.EngineOf(side.engine)
	if side.signature, err = ratings.Signature(cmd.Context(), side.eng); err != nil {
		side.engine.Close()
	}
	return side, err
}
