package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"fibsbot/engine/nn"
	"fibsbot/engine/train"

	"github.com/spf13/cobra"
)

// newTrainMixCmd mixes cheap labels with the judgement of nets.
func newTrainMixCmd() *cobra.Command {
	var (
		nets    []string
		files   []string
		share   float64
		threads int
	)
	cmd := &cobra.Command{
		Use:   "mix IN OUT",
		Short: "Mix cheap labels with what nets have learned from dear ones",
		Long: `Moves every label of IN towards the mean judgement of the given nets. The errors of a
quick teacher and of a net fitted to the few labels of a slow one have little in
common: their mean is nearer to the slow teacher than either, wherever the slow
one has never looked. Several nets make an ensemble, which a fit to OUT distils.`,
		Example: `  fibsbot train mix sp-natural.bin mixed-natural.bin --net fine1.fit --net fine2.fit --share 0.6
  fibsbot train mix sp-natural.grp mixed-natural.grp --weights embedded --share 0.5`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !(share >= 0 && share <= 1) || len(nets)+len(files) == 0 {
				return usagef("want one --net or --weights at least and a --share from 0 to 1")
			}
			recs, err := train.ReadRecords(nil, args[0])
			if err != nil {
				return usagef("%v", err)
			}
			n := max(threads, 1)
			probes := make([][]train.Many, n)
			kind := train.Kind("")
			for _, file := range files {
				for i := range probes {
					judge, _, err := openStatic(strings.TrimPrefix(file, "embedded"))
					if err != nil {
						return err
					}
					probes[i] = append(probes[i], train.StaticMany{Static: judge})
				}
			}
			for _, file := range nets {
				shape, p, err := train.LoadParams(file)
				if err != nil {
					return usagef("%v", err)
				}
				if kind != "" && shape.Kind != kind {
					return usagef("%s is a %s net, the others are %s nets", file, shape.Kind, kind)
				}
				kind = shape.Kind
				for i := range probes {
					probes[i] = append(probes[i], train.NewProbe(shape, p))
				}
			}
			if kind == "" {
				kind = train.KindContact
			}
			recs = kind.Keep(recs)
			var wg sync.WaitGroup
			for i := range n {
				part := recs[len(recs)*i/n : len(recs)*(i+1)/n]
				wg.Go(func() { train.Mix(part, probes[i], share) })
			}
			wg.Wait()
			if err := train.WriteRecords(args[1], recs); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d positions\n", len(recs))
			return err
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&nets, "net", nil, "checkpoint of a net, may be repeated")
	f.StringArrayVar(&files, "weights", nil, "weights file whose static judgement counts as one net's, embedded for the one in the program; may be repeated")
	f.Float64Var(&share, "share", 0.5, "weight of the nets' mean in the new label")
	f.IntVar(&threads, "threads", 1, "threads")
	return cmd
}

// newTrainSplitCmd deals positions out to the nets that judge them.
func newTrainSplitCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "split FOLDER FILE...",
		Short: "Deal labelled positions out by the net that judges them",
		Long: `Writes the positions of all FILEs into one file for each class of net, FOLDER/CLASS.grp
(contact-backgame.grp and so on). Files of one class are read in a fraction of the time
that "fit --class" takes to choose from all.`,
		Example: `  fibsbot train split classes sp-natural.grp sp-backgame.grp`,
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			into, base := map[string][]train.Record{}, uint32(0)
			for _, file := range args[1:] {
				recs, err := train.ReadRecords(nil, file)
				if err != nil {
					return usagef("%v", err)
				}
				base = train.SplitClasses(into, recs, base)
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			for _, class := range nn.Classes() {
				if len(into[class]) == 0 {
					continue
				}
				name := strings.ReplaceAll(class, "/", "-") + ".grp"
				if err := train.WriteRecords(filepath.Join(args[0], name), into[class]); err != nil {
					return err
				}
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %d positions\n", name, len(into[class])); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
