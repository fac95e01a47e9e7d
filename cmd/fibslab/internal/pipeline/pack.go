package pipeline

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fibsbot/bearoff"
	"fibsbot/cmd/fibslab/internal/nets"
	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
	"fibsbot/weights"
)

// NetsOf names all nets of a weights file in the form of train.Pack; no nets for "".
func NetsOf(path string) (map[string]string, error) {
	if path == "" {
		return map[string]string{}, nil
	}
	if !strings.HasSuffix(path, ".weights") {
		return nil, cmdline.Usagef("%s: the name does not end in .weights", path)
	}
	set, err := weights.Load(path)
	if err != nil {
		return nil, cmdline.AsUsage(err)
	}
	return netsIn(path, set), nil
}

// netsIn names all nets of the set of a weights file.
func netsIn(file string, set *nn.Set) map[string]string {
	files := map[string]string{}
	for _, n := range set.Manifest.Nets {
		files[n.Class] = file + ":" + n.Class
	}
	return files
}

// AddNets adds the nets of a list CLASS=CHECKPOINT to files.
func AddNets(files map[string]string, list []string) error {
	for _, arg := range list {
		class, file, ok := strings.Cut(arg, "=")
		if !ok || !slices.Contains(nn.Classes(), class) {
			return cmdline.Usagef("--net %q is not CLASS=CHECKPOINT (classes: %s)", arg, strings.Join(nn.Classes(), " "))
		}
		files[class] = file
	}
	return nil
}

// ChooseRun is a choice between candidates and the present nets, with the files it reads.
type ChooseRun struct {
	Base      string   // weights file with the present nets, "" the embedded one
	Nets      []string // CLASS=CHECKPOINT
	Decisions string   // as reference.Load takes them
	Sigmas    float64  // standard errors by which a net must be better
	Manifest  nn.Manifest
}

// Chosen is the outcome of Choose: the losses are on the half of the decisions that did not
// choose, with those of the present nets instead of gnubg's.
type Chosen struct {
	Choices []train.Choice `json:"choices"`
	Losses  []train.Loss   `json:"losses"`
}

// Choose tries each net instead of the present one of its class (train.ChooseNets) and writes
// the chosen set to a weights file. The lines of the manifest's history follow those of the
// base.
func (c *ChooseRun) Choose(out string) (r Chosen, err error) {
	files, err := NetsOf(c.Base)
	if err != nil {
		return r, err
	}
	set, err := weights.Load(c.Base)
	if err != nil {
		return r, cmdline.AsUsage(err)
	}
	if c.Base == "" {
		files = netsIn(train.Embedded, set)
	}
	candidates, from := map[string]*nn.Net{}, map[string]string{}
	if err := AddNets(from, c.Nets); err != nil {
		return r, err
	}
	for class, file := range from {
		shape, p, err := train.LoadStart(file)
		if err != nil {
			return r, cmdline.AsUsage(err)
		}
		if candidates[class], err = nn.NewNet(p.Weights(shape)); err != nil {
			return r, cmdline.Usagef("%s: %w", file, err)
		}
	}
	all, err := reference.Load(c.Decisions)
	if err != nil {
		return r, cmdline.AsUsage(err)
	}
	ds, err := reference.Plays(all, false)
	if err != nil {
		return r, err
	}
	if len(ds) == 0 || len(candidates) == 0 {
		return r, cmdline.Usagef("give --net, and --decisions with plays")
	}
	db := bearoff.NewSource(bearoff.Options{})
	chosen, choices, err := train.ChooseNets(ds, set, db, candidates, c.Sigmas)
	if err != nil {
		return r, err
	}
	for _, k := range choices {
		if k.Taken {
			files[k.Class] = from[k.Class]
		}
	}
	m := c.Manifest
	m.History = slices.Concat(set.Manifest.History, m.History)
	if err := train.Pack(out, m, files, false); err != nil {
		return r, cmdline.AsUsage(err)
	}
	_, reporting := train.Halves(ds)
	var losses [2][]float64
	for i, s := range []*nn.Set{chosen, set} {
		m, err := eval.NewModel(s, db)
		if err != nil {
			return r, err
		}
		losses[i] = train.LossesOf(reporting, m.Evaluator())
	}
	return Chosen{Choices: choices, Losses: train.CompareLosses(reporting, losses[0], losses[1])}, nil
}

// Print writes the outcome for people.
func (r *Chosen) Print(out io.Writer) {
	fmt.Fprintf(out, "%-26s %6s %9s %18s %18s\n", "net", "", "decisions", "choosing half", "other half")
	for _, c := range r.Choices {
		taken := "stays"
		if c.Taken {
			taken = "taken"
		}
		fmt.Fprintf(out, "%-26s %6s %9d %+9.2f +- %5.2f %+9.2f +- %5.2f\n", c.Class, taken, c.Decisions, c.Choosing, c.ChooseErr, c.Reporting, c.ReportErr)
	}
	fmt.Fprintln(out, "\nthe half that did not choose:")
	nets.PrintLosses(out, r.Losses, "before")
}
