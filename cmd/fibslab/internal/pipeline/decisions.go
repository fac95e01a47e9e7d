package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/internal/atomicfile"
)

// Count is how many decisions of a tag are wanted.
type Count struct {
	Tag string
	N   int
}

// ParseCounts parses a list such as natural=1600,race=350. The error, of an unknown or repeated
// tag or a bad number, wraps [teacher.ErrOptions].
func ParseCounts(text string) (list []Count, err error) {
	for part := range strings.SplitSeq(text, ",") {
		tag, num, _ := strings.Cut(part, "=")
		n, err := strconv.Atoi(num)
		switch {
		case err != nil || n < 0:
			return nil, wrong("--counts: %q is not TAG=NUMBER", part)
		case !slices.Contains(train.Tags, tag):
			return nil, wrong("--counts: unknown tag %q (use %s)", tag, strings.Join(train.Tags, " "))
		case slices.ContainsFunc(list, func(c Count) bool { return c.Tag == tag }):
			return nil, wrong("--counts: %s comes twice", tag)
		}
		list = append(list, Count{tag, n})
	}
	return list, nil
}

// DecisionFile is a file of rated decisions in the making.
type DecisionFile struct {
	path string
	all  []train.Problem
	want []Count // still missing
}

// OpenDecisions reads the file, if it exists, and finds the missing decisions: those of a tag
// are made all at once or not at all. The error wraps [teacher.ErrOptions] if the file cannot
// be read, or could not be written at the end.
func OpenDecisions(path string, want []Count) (*DecisionFile, error) {
	d := &DecisionFile{path: path}
	if err := wantParent("OUT", path); err != nil {
		return nil, err
	}
	if err := atomicfile.Check(path); err != nil {
		return nil, mistake{err}
	}
	all, err := train.ReadProblems(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, wrong("%s: %w", path, err)
	}
	d.all = all
	for _, c := range want {
		if !slices.ContainsFunc(all, func(p train.Problem) bool { return p.Tag == c.Tag }) {
			d.want = append(d.want, c)
		}
	}
	return d, nil
}

// Len returns the number of decisions.
func (d *DecisionFile) Len() int { return len(d.all) }

// Make has m make the missing decisions and writes the file after each tag. show, unless nil,
// is called for every hundredth decision.
func (d *DecisionFile) Make(ctx context.Context, m *train.ProblemMaker, show func(tag string, made, of int)) error {
	for _, c := range d.want {
		made := 0
		err := m.Make(ctx, c.Tag, c.N, func(p train.Problem) error {
			d.all = append(d.all, p)
			if made++; made%100 == 0 && show != nil {
				show(c.Tag, made, c.N)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := train.WriteProblems(d.path, d.all); err != nil {
			return err
		}
	}
	return nil
}
