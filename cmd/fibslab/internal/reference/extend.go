package reference

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// ErrPlayers means a list of players that cannot be parsed.
var ErrPlayers = errors.New("bad list of players")

// player is a preset or gnubg, whose choices are rolled out.
type player struct {
	preset preset.Preset
	gnubg  int // plies, -1 for the preset
}

// parsePlayers reads names with commas: presets, N for expert looking N plies ahead, and
// gnubg:N for GNU Backgammon at N plies. The error wraps ErrPlayers.
func parsePlayers(names string) (list []player, err error) {
	for name := range strings.SplitSeq(names, ",") {
		if at, ok := strings.CutPrefix(name, "gnubg:"); ok {
			plies, err := strconv.Atoi(at)
			if err != nil || plies < 0 || plies > 3 {
				return nil, fmt.Errorf("%w: %q is not gnubg:0 to gnubg:3", ErrPlayers, name)
			}
			list = append(list, player{gnubg: plies})
			continue
		}
		named, plies := name, -1
		if n, err := strconv.Atoi(name); err == nil {
			if n < 0 || n > search.MaxPlies {
				return nil, fmt.Errorf("%w: %q plies are not 0 to %d", ErrPlayers, name, search.MaxPlies)
			}
			named, plies = "expert", n
		}
		p, err := preset.ByName(named)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPlayers, err)
		}
		if plies >= 0 {
			p = p.WithPlies(plies)
		}
		list = append(list, player{preset: p, gnubg: -1})
	}
	return list, nil
}

// panel makes panelists of players; it starts gnubg if one of them is gnubg. Call done after the last choice.
func panel(ctx context.Context, e *engine.Engine, players []player) (list []Panelist, done func(), err error) {
	done = func() {}
	var teacher *train.Gnubg
	for _, p := range players {
		if p.gnubg < 0 {
			list = append(list, Panelist{ByPreset(ctx, e, p.preset), CubeByPreset(ctx, e, p.preset), p.preset.Checker.Plies == 0})
			continue
		}
		if teacher == nil {
			if teacher, err = train.StartGnubg(ctx); err != nil {
				return nil, done, err
			}
			done = func() { _ = teacher.Close() } // nothing is lost
		}
		list = append(list, Panelist{ByTeacher(ctx, teacher, p.gnubg), cubeByTeacher(teacher, p.gnubg), p.gnubg == 0})
	}
	return list, done, nil
}

// Extend rolls out the choices of choosers in the decisions ds that have no rollout: plays that
// an older search left out, whose loss would be that search's opinion. Each is rolled out
// beside the best play, with common dice and by the nets of m.Engine, and the difference is
// added to the best play's value. It returns how many were rolled out. Finished decisions stay in ds when
// ctx ends, so that the next call resumes.
func (m *Maker) Extend(ctx context.Context, ds []Reference, by []Panelist, show func(what string, done, total int)) (n int, err error) {
	for i := range ds {
		if d := &ds[i]; d.Cube == nil {
			more, err := m.extend(ctx, d, by)
			if n += more; err != nil {
				return n, fmt.Errorf("decision %d: %w", i+1, err)
			}
		}
		if (i+1)%10 == 0 {
			show("decisions", i+1, len(ds))
		}
	}
	return n, nil
}

// atBest is how near a play's searched value must be to the best rollout to be rolled out
// whoever chooses it: it might be the best, by which all others are measured.
const atBest = 0.01

// extend rolls out the choices that d lacks, all in one rollout.
func (m *Maker) extend(ctx context.Context, d *Reference, by []Panelist) (int, error) {
	p, err := board.ParseID(d.Position)
	if err != nil {
		return 0, err
	}
	roll, err := d.Roll()
	if err != nil {
		return 0, err
	}
	best := slices.IndexFunc(d.Plays, func(p Play) bool { return p.Trials > 0 })
	if best < 0 && over(&d.Plays[0]) {
		return 0, nil // it wins at once
	}
	best = max(best, 0)
	arms := []string{d.Plays[best].After}
	for i := range d.Plays {
		if q := &d.Plays[i]; i != best && q.Trials == 0 && q.Equity > d.Plays[best].Equity-atBest && !over(q) {
			arms = append(arms, q.After)
		}
	}
	for _, who := range by {
		play, ok, err := who.Play(p, roll)
		if err != nil {
			return 0, err
		}
		if after := play.Result.Swap().ID(); ok && play.Result.Result() == 0 && !slices.Contains(arms, after) && !d.rolledOut(after) {
			arms = append(arms, after)
		}
	}
	if len(arms) == 1 {
		return 0, nil
	}
	s := m.settings(d.Tag)
	s.Truncate = d.Truncate
	results, err := m.rollPlays(ctx, p, roll, arms, s)
	if err != nil {
		return 0, err
	}
	return d.add(results, arms[0]), nil
}

// rollPlays rolls out the plays of a roll that lead to the positions after, for money
// without a cube.
func (m *Maker) rollPlays(ctx context.Context, p board.Position, roll board.Dice, after []string, s rollout.Settings) ([]rollout.Result, error) {
	job, err := rollout.New(ctx, m.Engine.RolloutOptions(), p, match.Money(false, 0), s)
	if err != nil {
		return nil, err
	}
	for _, play := range board.AppendPlays(nil, p, roll) {
		if at := slices.Index(after, play.Result.Swap().ID()); at >= 0 {
			if err := job.AddPlay(after[at], play); err != nil {
				return nil, err
			}
		}
	}
	if err := job.Run(ctx, nil); err != nil {
		return nil, err
	}
	return job.Results(), nil
}

// over reports whether a play ends the game.
func over(p *Play) bool {
	q, err := board.ParseID(p.After)
	return err == nil && q.Result() != 0
}

// rolledOut reports whether the play that leads to after was rolled out.
func (d *Reference) rolledOut(after string) bool {
	return slices.ContainsFunc(d.Plays, func(p Play) bool { return p.After == after && p.Trials > 0 })
}

// add takes over plays that were rolled out beside the one that leads to base, and returns how many are new.
func (d *Reference) add(results []rollout.Result, base string) (n int) {
	at := slices.IndexFunc(results, func(r rollout.Result) bool { return r.Name == base })
	beside := results[at]
	known := d.Plays[slices.IndexFunc(d.Plays, func(p Play) bool { return p.After == base })]
	level := known.Equity - beside.Equity
	for _, r := range results {
		if r.Name == base && known.Trials > 0 {
			continue
		}
		n++
		d.Plays = slices.DeleteFunc(d.Plays, func(p Play) bool { return p.After == r.Name })
		d.Plays = append(d.Plays, Play{After: r.Name, Value: Value{Equity: round(r.Equity + level), Error: round(r.EquityErr.Or(0)), Trials: r.Trials}})
	}
	slices.SortStableFunc(d.Plays, func(a, b Play) int { return cmp.Compare(b.Equity, a.Equity) })
	return n
}
