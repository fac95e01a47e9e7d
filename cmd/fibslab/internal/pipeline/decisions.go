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

// ParseCounts reads a list as natural=1600,race=350. The error, of a tag that is not one of
// train.Tags or comes twice or of what is no number, wraps [teacher.ErrOptions].
func ParseCounts(text string) (list []Count, err error) {
	for part := range strings.SplitSeq(text, ",") {
		tag, num, _ := strings.Cut(part, "=")
		n, err := strconv.Atoi(num)
		switch {
		case err != nil || n < 0:
			return nil, wrong("--counts: %q, want TAG=NUMBER", part)
		case !slices.Contains(train.Tags, tag):
			return nil, wrong("--counts: no tag %q, want one of %s", tag, strings.Join(train.Tags, " "))
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
	want []Count // those that are missing
}

// OpenDecisions reads what there is of the file, which may be nothing, and finds out what is
// missing: decisions of a tag are made all at once or not at all. The error wraps
// [teacher.ErrOptions] where no such file can be read, or could be written when all is made.
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

// Len is how many decisions there are.
func (d *DecisionFile) Len() int { return len(d.all) }

// Make has m make what is missing and writes the file after each tag. show, which may be nil,
// is told of every hundredth decision.
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
