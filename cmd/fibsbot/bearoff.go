package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"fibsbot/bearoff"
	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/advice"
	"fibsbot/engine/match"
	"fibsbot/engine/record"

	"github.com/spf13/cobra"
)

// newBearoffCmd is `fibsbot bearoff`: making, proving and asking the databases
// of the end of the game.
func newBearoffCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "bearoff"}
	cmd.AddCommand(newBearoffBuildCmd(), newBearoffInfoCmd(), newBearoffShowCmd(), newBearoffVerifyCmd())
	return cmd
}

// bearoffBuildFlags are the flags of `bearoff build`.
type bearoffBuildFlags struct {
	points, checkers, threads int
	memory                    int // MiB, 0 for no limit
	approx                    bool
	out                       string
}

func newBearoffBuildCmd() *cobra.Command {
	var b bearoffBuildFlags
	cmd := cmdline.New("build one|two|hyper", func(cmd *cobra.Command, args []string) error { return b.run(cmd, args[0]) })
	f := cmd.Flags()
	f.IntVar(&b.points, "points", 6, "points of the board, 1 to 18 (one-sided)")
	f.IntVar(&b.checkers, "checkers", 6, "most checkers a side (default 15 one-sided, 6 two-sided, 3 hypergammon)")
	f.BoolVar(&b.approx, "approx", false, "keep only means and variances (one-sided)")
	f.IntVar(&b.threads, "threads", 0, "threads, 0 for one per processor")
	f.IntVar(&b.memory, "memory", 0, "MiB of unfinished work in memory, 0 for no limit")
	f.StringVarP(&b.out, "output", "o", "", "file to write (default a name from kind and size)")
	cmdline.AddJSON(cmd)
	return cmd
}

// options says what the flags ask to be built of that kind; counted tells that the
// number of checkers was given and is not the kind's usual one.
func (b *bearoffBuildFlags) options(kind string, counted bool) (o bearoff.BuildOptions, err error) {
	o = bearoff.BuildOptions{Points: b.points, Checkers: b.checkers, Threads: b.threads}
	usual := o.Checkers
	switch kind {
	case "one":
		o.Kind, usual = bearoff.KindOneSided, 15
		if b.approx {
			o.Kind = bearoff.KindNormal
		}
	case "two":
		o.Kind = bearoff.KindTwoSided
		if o.Points != 6 {
			return o, cmdline.Usagef("--points: %d: two-sided databases have 6 points", o.Points)
		}
	case "hyper":
		o.Kind, o.Points, usual = bearoff.KindHyper, 25, 3
	default:
		return o, cmdline.Usagef("bearoff build: unknown kind %q (use one, two or hyper)", kind)
	}
	if !counted {
		o.Checkers = usual
	}
	if b.approx && o.Kind != bearoff.KindNormal {
		return o, cmdline.Usagef("--approx: only for one-sided databases, not %q", kind)
	}
	if b.memory < 0 {
		return o, cmdline.Usagef("--memory: %d is negative (0 for no limit)", b.memory)
	}
	if o.Threads < 0 {
		return o, cmdline.Usagef("--threads: %d is negative (0 for one per processor)", o.Threads)
	}
	if err := bearoff.CheckShape(o.Kind, o.Points, o.Checkers); err != nil {
		return o, cmdline.AsUsage(err)
	}
	o.Memory = uint64(b.memory) << 20
	if o.Path = b.out; o.Path == "" {
		o.Path = bearoff.FileName(o.Kind, o.Points, o.Checkers)
	}
	return o, nil
}

// run builds the database that the flags describe and reports the result.
func (b *bearoffBuildFlags) run(cmd *cobra.Command, kind string) error {
	o, err := b.options(kind, cmd.Flags().Changed("checkers"))
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	report, done := cmdline.Meter(cmd, filepath.Base(o.Path))
	o.Progress = report
	o.Note = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
	info, err := bearoff.Build(ctx, o)
	done()
	if err != nil {
		if ctx.Err() != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "stopped; the work so far is in %s.part, the same command continues it\n", o.Path)
		}
		return err
	}
	file := advice.BearoffFileOf(info)
	return cmdline.Answer(cmd, file, file.Text())
}

func newBearoffInfoCmd() *cobra.Command {
	cmd := cmdline.New("info FILE...", func(cmd *cobra.Command, args []string) error {
		for _, path := range args {
			info, err := bearoff.ReadInfo(path)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			file := advice.BearoffFileOf(info)
			if err := printLine(cmd, file, file.Text()); err != nil {
				return err
			}
		}
		return nil
	})
	cmd.Flags().Bool("json", false, jsonLines)
	return cmd
}

func newBearoffShowCmd() *cobra.Command {
	var dir, hyper string
	var where input.Position
	cmd := cmdline.New("show POSITION", func(cmd *cobra.Command, args []string) error {
		where.Position = args[0]
		q, err := where.Read()
		if err != nil {
			return positionError(err)
		}
		if err := cmdline.NeedFolder("--bearoff-dir", dir); err != nil {
			return err
		}
		sit, game := q.Situation, record.Backgammon
		if v, known := record.ParseVariation(args[0]); known {
			game = v
		}
		src := bearoff.NewSource(bearoff.Options{Dir: dir, Warn: func(text string) {
			fmt.Fprintln(cmd.ErrOrStderr(), text)
		}})
		defer src.Close()
		if show, ok := advice.BearoffOf(src, sit); ok && hyper == "" && game == record.Backgammon {
			return cmdline.Answer(cmd, show, show.Text())
		}
		return showHyper(cmd, src, hyper, game, sit)
	})
	cmdline.AddJSON(cmd)
	cmd.Flags().StringVar(&dir, "bearoff-dir", "", "folder with larger databases")
	cmd.Flags().StringVar(&hyper, "hyper", "", "hypergammon database to look in")
	where.AddDice(cmd.Flags(), "list the plays of this roll")
	return cmd
}

// showHyper asks a database of hypergammon about sit: that in file, or where that is empty the
// one of the game, which src has or makes, or for backgammon one in src's folder.
func showHyper(cmd *cobra.Command, src *bearoff.Source, file string, game record.Variation, sit match.Situation) error {
	db, err := src.HyperOf(&sit.Position), error(nil)
	if file != "" {
		if db, err = bearoff.OpenHyper(file); err == nil {
			defer db.Close()
		}
	} else if game != record.Backgammon {
		db, err = src.Hyper(cmd.Context(), game.Checkers())
	}
	switch {
	case err != nil:
		return cmdline.AsUsage(err)
	case db == nil:
		return cmdline.Usagef("POSITION: %s is in no bearoff database (--bearoff-dir DIR adds some)", sit.Position.ID())
	case game != record.Backgammon && db.Checkers() != game.Checkers():
		return cmdline.Usagef("--hyper: %s has %d checkers a side, %s has %d", file, db.Checkers(), strings.ToLower(string(game)), game.Checkers())
	}
	show, err := advice.HyperOf(db, sit)
	if errors.Is(err, advice.ErrHyper) {
		return cmdline.Usagef("--hyper: %w", err)
	} else if err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(file, "hypergammon database"), err)
	}
	return cmdline.Answer(cmd, show, show.Text(sit.State))
}

func newBearoffVerifyCmd() *cobra.Command {
	var samples int
	var seed uint64
	cmd := cmdline.New("verify FILE...", func(cmd *cobra.Command, args []string) error {
		if samples < 0 {
			return cmdline.Usagef("--samples: %d is negative", samples)
		}
		ctx, bad := cmd.Context(), error(nil)
		for _, path := range args {
			report, done := cmdline.Meter(cmd, filepath.Base(path))
			err := bearoff.Verify(ctx, path, samples, seed, report)
			done()
			if errors.Is(err, bearoff.ErrForeign) || errors.Is(err, fs.ErrNotExist) {
				return cmdline.AsUsage(errors.Join(bad, err)) // nothing to verify; a damaged one is what verify is there to find
			}
			if bad = errors.Join(bad, err); ctx.Err() != nil {
				return bad
			}
			if err != nil {
				continue // verify the other files too
			}
			entries := fmt.Sprint(samples)
			if info, err := bearoff.ReadInfo(path); err == nil && info.Whole() {
				entries = "all"
			}
			doc := struct {
				Path    string `json:"path"`
				Samples int    `json:"samples"`
				Seed    uint64 `json:"seed"`
				Sound   bool   `json:"sound"`
			}{path, samples, seed, true}
			if err := printLine(cmd, doc, fmt.Sprintf("%s: no errors, %s entries recomputed\n", path, entries)); err != nil {
				return err
			}
		}
		return bad
	})
	f := cmd.Flags()
	f.IntVar(&samples, "samples", 1000, "number of random entries to recompute")
	f.Uint64Var(&seed, "seed", 1, "seed that chooses the entries")
	f.Bool("json", false, jsonLines)
	return cmd
}
