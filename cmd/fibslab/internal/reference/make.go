package reference

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/jsonlines"
)

// Maker draws decisions and rolls their choices out.
type Maker struct {
	Engine *engine.Engine
	// Seed draws the decisions and the dice of the rollouts.
	Seed uint64
	// Rollout says how trials are played; Settings made the set in the binary.
	Rollout rollout.Settings
	// Panel, unless empty, keeps only decisions on which its players differ. They are the plays that
	// are rolled out, and the games are those of the players at 0 plies, each in turn.
	Panel []Panelist
}

// Plays to roll out are within margin of the best by a 2-ply search, at most so many.
const (
	margin = 0.06
	most   = 4
)

// Settings are static, balanced trials without luck, which end after 10 plies with the static
// value; at least 144 trials, until the standard errors of all choices except clearly worse
// ones are at most 0.006.
//
// A leaf searched two plies deep costs as much as 20 plies of play, so a later end of the trial
// is a better use of that time.
func Settings() rollout.Settings {
	s := rollout.Default()
	s.Trials, s.MinTrials, s.Cubeful = 1296, 144, false
	s.Truncate = 10
	s.StopStdErr, s.StopJSD = 0.006, 5
	s.Checker, s.Cube = search.Settings{}, search.Settings{}
	return s
}

// long are the tags whose games are decided late: static values are biased as long as the plan
// lasts, so an early end keeps the bias.
var long = []string{"backgame", "containment", "crashed", "bearoffcontact"}

// settings returns how trials of a tag are played.
func (m *Maker) settings(tag string) rollout.Settings {
	s := m.Rollout
	s.Seed = m.Seed
	if s.Truncate > 0 && slices.Contains(long, tag) {
		s.Truncate += 4
	}
	return s
}

// drawMargin is how near to the best, at 0 plies, another play must be for a position to be a
// decision.
const drawMargin = 0.13

// kind is a unit of counting for Make: decisions of a tag, of checker play or of the cube.
type kind struct {
	tag          string
	cube, jacoby bool
}

// kind returns the unit of counting that d belongs to.
func (d *Reference) kind() kind {
	return kind{d.Tag, d.Cube != nil, d.Cube != nil && d.Cube.Jacoby}
}

// held are the decisions of a set: drawn again they are not made again.
type held struct {
	asked map[asked]bool
	count map[kind]int
}

func newHeld(ds []Reference) (*held, error) {
	h := &held{map[asked]bool{}, map[kind]int{}}
	for i := range ds {
		q, err := ds[i].asked()
		if err != nil {
			return nil, fmt.Errorf("decision %d: %w", i+1, err)
		}
		h.asked[q] = true
		h.count[ds[i].kind()]++
	}
	return h, nil
}

// keep appends a new decision to w, every second of its kind reserved, and returns how many of
// the kind there are now.
func (h *held) keep(w io.Writer, d *Reference) (made int, err error) {
	of := d.kind()
	made = h.count[of] + 1
	d.Reserved = made%2 == 0
	q, err := d.asked()
	if err != nil {
		return made, err
	}
	line, err := jsonlines.Line(d)
	if err != nil {
		return made, err
	}
	if _, err := w.Write(line); err != nil { // one write, so that a kill leaves at most one incomplete line
		return made, err
	}
	h.asked[q], h.count[of] = true, made
	return made, nil
}

// errEnough ends a drawing of decisions.
var errEnough = errors.New("there are enough decisions")

// plays appends checker decisions of a tag to w until h holds n of them. Those in h, of any tag,
// are drawn but not made again.
func (m *Maker) plays(ctx context.Context, tag string, h *held, n int, w io.Writer, show func(made int)) error {
	of := kind{tag: tag}
	if h.count[of] >= n {
		return nil
	}
	drawer := train.Drawer{Judge: m.Engine.Model().Evaluator(), Seed: m.Seed, Margin: drawMargin, Hosts: m.hosts()}
	err := drawer.Draw(ctx, tag, math.MaxInt, func(d *train.Drawn) error {
		if h.asked[asked{position: d.Position.Key(), dice: d.Dice.Sorted()}] {
			return nil
		}
		chosen, err := m.chosen(d)
		if err != nil || len(m.Panel) > 0 && len(chosen) < 2 {
			return err
		}
		out, err := m.rate(ctx, d, chosen)
		if err != nil {
			return err
		}
		made, err := h.keep(w, &out)
		if err != nil {
			return err
		}
		show(made)
		if made >= n {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// rated is a play on its way to a Play.
type rated struct {
	index  int // in the drawn decision
	search float64
	arm    int // of the rollout, -1 without one
}

// rate searches the plays near the best and rolls out those chosen, the best if there are none.
func (m *Maker) rate(ctx context.Context, d *train.Drawn, chosen []int) (Reference, error) {
	out := Reference{Tag: d.Tag, Position: d.Position.ID(), Dice: fmt.Sprintf("%d%d", d.Dice.A, d.Dice.B)}
	money := match.Money(false, 0)
	var list []rated
	near := d.Near(drawMargin)
	for _, i := range chosen {
		if !slices.Contains(near, i) {
			near = append(near, i)
		}
	}
	for _, i := range near {
		r := rated{index: i, search: result(d.Plays[i].Result), arm: -1}
		if d.Plays[i].Result.Result() == 0 {
			v, err := m.Engine.Search().Evaluate(ctx, d.Plays[i].Result.Swap(), money, search.Settings{Plies: 2, Prune: true})
			if err != nil {
				return out, err
			}
			r.search = -float64(v.Probs.Money())
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b rated) int { return cmp.Compare(b.search, a.search) })
	s := m.settings(d.Tag)
	out.Truncate = s.Truncate
	job, err := rollout.New(ctx, m.Engine.RolloutOptions(), d.Position, money, s)
	if err != nil {
		return out, err
	}
	arms := 0
	for i := range list {
		r := &list[i]
		play := d.Plays[r.index]
		wanted := slices.Contains(chosen, r.index)
		if len(chosen) == 0 {
			wanted = arms < most && (arms < 2 || list[0].search-r.search <= margin)
		}
		if play.Result.Result() != 0 || !wanted {
			continue
		}
		if err := job.AddPlay(fmt.Sprint(i), play); err != nil {
			return out, err
		}
		r.arm = arms
		arms++
	}
	var results []rollout.Result
	if arms > 1 {
		if err := job.Run(ctx, nil); err != nil {
			return out, err
		}
		results = job.Results()
	}
	out.Plays = settle(d, list, results)
	return out, nil
}

// settle gives every play its value: that of the rollout, or the search's shifted by the mean
// difference of the rollouts from the search.
func settle(d *train.Drawn, list []rated, results []rollout.Result) []Play {
	shift, n := 0.0, 0
	for _, r := range list {
		if r.arm >= 0 && len(results) > 0 {
			shift += results[r.arm].Equity - r.search
			n++
		}
	}
	if n > 0 {
		shift /= float64(n)
	}
	var plays []Play
	for _, r := range list {
		p := Play{After: d.Plays[r.index].Result.Swap().ID(), Value: Value{Equity: round(r.search + shift)}}
		switch {
		case d.Plays[r.index].Result.Result() != 0:
			p.Equity = r.search
		case r.arm >= 0 && len(results) > 0:
			v := results[r.arm]
			p.Value = Value{Equity: round(v.Equity), Error: round(v.EquityErr.Or(0)), Trials: v.Trials}
		}
		plays = append(plays, p)
	}
	slices.SortStableFunc(plays, func(a, b Play) int { return cmp.Compare(b.Equity, a.Equity) })
	return plays
}

// result is the equity of a finished game, 0 for an unfinished one.
func result(p board.Position) float64 { return float64(p.Result()) }

// round keeps five digits, far below every error here.
func round(x float64) float64 {
	if x < 0 {
		return -round(-x)
	}
	return float64(int64(x*1e5+0.5)) / 1e5
}

// wanted is how many decisions of a kind a set is to have.
type wanted struct {
	kind
	n int
}

// parseCounts parses lists of TAG=NUMBER,TAG=NUMBER, of checker decisions, of cube decisions, and of
// those under the Jacoby rule. The error wraps ErrCounts.
func parseCounts(plays, cubes, jacoby string) (list []wanted, err error) {
	for i, flag := range []string{"--counts", "--cubes", "--jacoby"} {
		for part := range strings.SplitSeq([]string{plays, cubes, jacoby}[i], ",") {
			if part == "" {
				continue
			}
			tag, num, _ := strings.Cut(part, "=")
			n, err := strconv.Atoi(num)
			if err != nil || n < 0 || n > maxCount || !slices.Contains(train.Tags, tag) {
				return nil, fmt.Errorf("%s: %w: %q is not TAG=NUMBER (tags: %s; numbers: 0 to %d)", flag, ErrCounts, part, strings.Join(train.Tags, " "), maxCount)
			}
			list = append(list, wanted{kind{tag, i > 0, i == 2}, n})
		}
	}
	return list, nil
}

// maxCount bounds the decisions of a kind by what Parse can read.
const maxCount = 100_000

// make makes the missing decisions of the set in f, in the order of list, and returns their number. show is called for
// every tenth decision.
func (m *Maker) make(ctx context.Context, f *File, list []wanted, show progress) (n int, err error) {
	h, err := newHeld(f.have)
	if err != nil {
		return n, err
	}
	for _, want := range list {
		report := func(k int) {
			n++
			if k%10 == 0 {
				show(want.tag, k, want.n)
			}
		}
		if want.cube {
			err = m.cubes(ctx, want.kind, h, want.n, f.file, report)
		} else {
			err = m.plays(ctx, want.tag, h, want.n, f.file, report)
		}
		if err != nil {
			return n, err
		}
	}
	return n, f.file.Sync()
}

// ErrCounts means a list of tags and numbers that cannot be parsed.
var ErrCounts = errors.New("bad list of decisions")
