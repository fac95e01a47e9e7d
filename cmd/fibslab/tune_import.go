package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/bench"
)

func newTuneImportCmd() *cobra.Command {
	var parts engineflags.Engine
	var out string
	cmd := &cobra.Command{
		Use:   "import LOG...",
		Short: "Add duels by differences to a results file",
		Long: `Adds the pairs in logs of fibsbot duel A B --differences --matches N --length L
--log LOG to a results file, which it makes if missing. Such a duel values only the
decisions at which the two presets differ, which separates presets that mostly agree;
the fit (fibslab tune report) uses it as an observation beside the matches played.

A log that has grown may be imported again: only its new pairs are added. If a log is
refused, such as one of another engine, other nets or a redefined preset, nothing is added.`,
		Example: `  fibsbot duel supremo worldclass --differences --matches 40 --length 5 --log sw5.jsonl
  fibslab tune import sw5.jsonl -o all.results
  fibslab tune report all.results --residuals`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			duels := make([]*ratings.Duel, len(args))
			for i, path := range args {
				var err error
				if duels[i], err = ratings.OpenDuel(path); err != nil {
					return cmdline.AsUsage(fmt.Errorf("%s: %w", path, err))
				}
			}
			parts.Threads = 1
			e, err := parts.Open(cmd, 1)
			if err != nil {
				return err
			}
			defer e.Close()
			nets := e.Manifest().Name
			sign, err := bench.Signature(cmd.Context(), e)
			if err != nil {
				return err
			}
			for i, d := range duels {
				if h := &d.Header; h.Nets != nets || h.Signature != sign {
					return cmdline.Usagef("%s: played by engine %.40q with nets %.40q, this one is %q with %q", args[i], h.Signature, h.Nets, sign, nets)
				}
			}
			// The seed of a results file decides only what tune measure plays for it: any
			// file will do.
			h := ratings.Header{Seed: 1, BlockSize: ratings.DefaultBlock}
			if store, _, err := ratings.Read(out); err == nil {
				h = store.Header
			}
			file, err := ratings.Open(cmd.Context(), e, out, h)
			if err != nil {
				return asResults(err)
			}
			defer file.Close()
			took, err := file.Take(args, duels)
			if err != nil {
				return asResults(err)
			}
			var report bytes.Buffer
			for i, t := range took {
				fmt.Fprintf(&report, "%s: %s: %d pairs added, %d known\n", args[i], t.Cell, len(t.Added), t.There)
			}
			fmt.Fprintf(&report, "%s: %d blocks, %d matches\n", out, file.Store.Len(), file.Store.Matches())
			for i, d := range duels {
				if h := &d.Header; h.Settings == ([2]string{}) {
					fmt.Fprintf(cmd.ErrOrStderr(), "fibslab: %s: an older log: it does not record the settings of %s and %s\n", args[i], h.A, h.B)
				}
			}
			_, err = report.WriteTo(cmd.OutOrStdout())
			return err
		},
	}
	engineflags.AddEngine(cmd, &parts)
	cmd.Flags().StringVarP(&out, "output", "o", "tune.results", "results file, made if missing")
	return cmd
}
