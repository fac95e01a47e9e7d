package main

import (
	"compress/gzip"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/cards"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/cardset"
	"fibsbot/internal/atomicfile"
)

// newCardsCmd makes the file of package cardset.
func newCardsCmd() *cobra.Command {
	var parts engineflags.Engine
	m := cards.Maker{Rollout: cards.Settings()}
	n := cards.Counts{}
	cmd := &cobra.Command{
		Use:   "cards OUT",
		Short: "Make quiz cards with exact or rolled out answers",
		Long: `Makes quiz cards: cube reference positions from the rolled out set of train truth (those
reserved for releases stay out), plays and cube decisions of bearoffs with exact values,
and cube decisions of races, which it rolls out. OUT is gzipped if its name ends in .gz.`,
		Example: `  fibslab cards engine/cardset/cards.jsonl.gz
  fibslab cards cards.jsonl --races 10 --bearoffs 20`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := parts.Open(cmd, m.Seed)
			if err != nil {
				return err
			}
			defer e.Close()
			m.Engine, m.Rollout.Threads, m.Rollout.Seed = e, parts.Threads, m.Seed
			list, err := m.Make(cmd.Context(), n, cmdline.Progress(cmd.ErrOrStderr()))
			if err != nil {
				return err
			}
			return atomicfile.Write(args[0], 0o644, func(f *os.File) error {
				if !strings.HasSuffix(args[0], ".gz") {
					return cardset.Write(f, list)
				}
				return zipped(f, func(w io.Writer) error { return cardset.Write(w, list) })
			})
		},
	}
	fl := cmd.Flags()
	fl.Var(bounded.Of(&n.Cubes, 200, 0, 1000), "cubes", "number of cube reference positions")
	fl.Var(bounded.Of(&n.Bearoffs, 80, 0, 10000), "bearoffs", "number of bearoff plays")
	fl.Var(bounded.Of(&n.BearoffCubes, 40, 0, 10000), "bearoff-cubes", "number of cube decisions in bearoffs")
	fl.Var(bounded.Of(&n.Races, 60, 0, 10000), "races", "number of races")
	fl.Uint64Var(&m.Seed, "seed", 2027, "seed of positions and dice")
	engineflags.AddEngine(cmd, &parts)
	return cmd
}

// zipped writes through gzip.
func zipped(w io.Writer, write func(io.Writer) error) error {
	z := gzip.NewWriter(w)
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}
