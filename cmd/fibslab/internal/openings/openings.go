// Package openings rolls out opening plays and replies for package engine/opening.
//
// A folder keeps the totals of each rollout, so a rollout can be resumed and extended, and
// one table file. Nothing is drawn: the 15 openings are rolled out first, then the replies
// to each play that is close enough to the best.
package openings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/opening"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/internal/atomicfile"
)

// Maker rolls decisions out.
type Maker struct {
	Engine *engine.Engine
	// Dir has the table, named File, and the folder totals.
	Dir string
	// Rollout says how trials are played. StopStdErr bounds the standard error of the
	// differences that decide, which needs smaller ones of the equities.
	Rollout rollout.Settings
	// Margin is how far behind the best by a 2-ply search a play may be to be rolled out, Most
	// how many plays at most; the two best always are. Reply is how much worse than the best by rollout an opening play
	// may be for its replies to be rolled out.
	Margin float64
	Most   int
	Reply  float64
	// Play plays a job.
	Play func(*rollout.Job) error
}

// File is the name of the table in the folder of a Maker.
const File = "openings.tsv"

// Settings end a trial after 12 plies.
func Settings() rollout.Settings {
	s := rollout.Default()
	s.Trials, s.Truncate, s.StopStdErr, s.StopJSD = 1<<16, 12, 0.006, 5
	s.MinTrials = 288
	return s
}

// Early sets how many plies at the start of a trial a 2-ply search plays.
func (m *Maker) Early(plies int) {
	s := &m.Rollout
	static := rollout.Default()
	s.LatePly, s.LateChecker, s.LateCube = plies, static.Checker, static.Cube
	s.Checker, s.Cube = static.Checker, static.Cube
	if plies > 0 {
		s.Checker.Plies, s.Checker.Prune = 2, true
	}
}

// read reads the table in the folder; a missing one is empty.
func read(dir string) (*opening.Table, error) {
	f, err := os.Open(filepath.Join(dir, File))
	if errors.Is(err, fs.ErrNotExist) {
		return opening.NewTable(nil)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := opening.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return t, nil
}

// Run rolls out what the table lacks, or has less exactly, at the given scores of the
// opening player: the openings of all scores, then, with replies, the replies.
func (m *Maker) Run(ctx context.Context, scores []opening.Score, replies bool, show func(what string, done, total int)) error {
	t, err := read(m.Dir)
	if err != nil {
		return err
	}
	for _, s := range scores {
		if t, err = m.all(ctx, t, Openings(s), show); err != nil {
			return err
		}
	}
	if !replies {
		return nil
	}
	for _, s := range scores {
		if t, err = m.all(ctx, t, Replies(t, s, m.Reply), show); err != nil {
			return err
		}
	}
	return nil
}

// Openings are the 15 opening decisions at a score, without plays.
func Openings(s opening.Score) (out []opening.Entry) {
	for a := 2; a <= 6; a++ {
		for b := 1; b < a; b++ {
			out = append(out, opening.Entry{Score: s, Roll: fmt.Sprint(a*10 + b)})
		}
	}
	return out
}

// Replies are the decisions after the opening plays in t at the opening player's score s
// that lose at most that much, without plays.
func Replies(t *opening.Table, s opening.Score, loss float64) (out []opening.Entry) {
	for _, d := range t.Openings(s) {
		for _, p := range d.Within(loss) {
			for a := 1; a <= 6; a++ {
				for b := 1; b <= a; b++ {
					out = append(out, opening.Entry{Score: s.Swap(), First: d.Roll + " " + p.Move, Roll: fmt.Sprint(a*10 + b)})
				}
			}
		}
	}
	return out
}

// all rolls out decisions and saves the table after each.
func (m *Maker) all(ctx context.Context, t *opening.Table, list []opening.Entry, show func(string, int, int)) (*opening.Table, error) {
	for i, want := range list {
		had := find(t, want)
		if len(had.Plays) > 0 && !m.blunt(had) {
			continue
		}
		d, err := m.roll(ctx, want, had)
		if err != nil {
			return t, fmt.Errorf("%s %s %s: %w", want.Score, want.First, want.Roll, err)
		}
		rest := slices.DeleteFunc(t.All(), func(x opening.Entry) bool { return same(&x, &d) })
		if t, err = opening.NewTable(append(rest, d)); err != nil {
			return t, err
		}
		if err := atomicfile.Write(filepath.Join(m.Dir, File), 0o644, func(f *os.File) error { return t.Write(f) }); err != nil {
			return t, err
		}
		show(string(want.Score)+" "+want.First+" "+want.Roll, i+1, len(list))
	}
	return t, nil
}

func same(a, b *opening.Entry) bool {
	return a.Score == b.Score && a.First == b.First && a.Roll == b.Roll
}

// find returns the decision in the table, or one without plays.
func find(t *opening.Table, want opening.Entry) opening.Entry {
	all := t.All()
	if i := slices.IndexFunc(all, func(d opening.Entry) bool { return same(&d, &want) }); i >= 0 {
		return all[i]
	}
	return opening.Entry{}
}

// blunt reports whether a decision is less exact than the settings ask for.
func (m *Maker) blunt(d opening.Entry) bool {
	s := m.Rollout
	return slices.ContainsFunc(d.Plays, func(p opening.Play) bool {
		if p.Trials == 0 {
			return false // the only play
		}
		earlier := p.Plies > 0 && (s.Truncate == 0 || p.Plies < s.Truncate) || p.Early < s.LatePly
		return earlier || p.Trials < s.Trials && !m.exact(p.Loss, p.LossErr)
	})
}

// exact reports whether a difference is exact enough, or the play clearly worse.
func (m *Maker) exact(loss, err float64) bool {
	return err <= m.Rollout.StopStdErr || m.Rollout.StopJSD > 0 && loss >= m.Rollout.StopJSD*err
}

// roll rolls one decision out. The plays of an earlier result are rolled out again.
func (m *Maker) roll(ctx context.Context, want, had opening.Entry) (opening.Entry, error) {
	d, err := opening.Decide(want.Score, want.First, want.Roll)
	if err != nil {
		return d, err
	}
	plays, err := m.plays(ctx, &d, had.Plays)
	if err != nil {
		return d, err
	}
	if len(plays) == 0 {
		d.Plays = []opening.Play{{Move: "cannot move"}}
		return d, nil
	}
	var results []rollout.Result
	for s := m.Rollout; ; s.StopStdErr *= 0.8 {
		// Arms are nearly independent, so a difference has 1.4 times the error of its arms.
		if results, err = m.play(ctx, &d, plays, s, 0.75*s.StopStdErr); err != nil {
			return d, err
		}
		if m.enough(results) {
			break
		}
	}
	for _, r := range results {
		d.Plays = append(d.Plays, opening.Play{Move: r.Name, Equity: r.Equity, StdErr: r.EquityErr.Or(0), Loss: r.Diff, LossErr: r.DiffErr.Or(0),
			Probs: r.Probs, Trials: r.Trials, Plies: m.Rollout.Truncate, Early: m.Rollout.LatePly})
	}
	return d, nil
}

// enough reports whether no result needs more trials.
func (m *Maker) enough(results []rollout.Result) bool {
	return !slices.ContainsFunc(results, func(r rollout.Result) bool {
		return r.Trials < m.Rollout.Trials && !r.Stopped && !m.exact(r.Diff, r.DiffErr.Or(0))
	})
}

// play continues the rollout of a decision until the errors of its plays are small enough.
func (m *Maker) play(ctx context.Context, d *opening.Entry, plays []board.Play, s rollout.Settings, stderr float64) ([]rollout.Result, error) {
	s.StopStdErr = stderr
	job, err := rollout.New(ctx, m.Engine.RolloutOptions(), d.Position, d.Score.State(), s)
	if err != nil {
		return nil, err
	}
	for _, pl := range plays {
		if err := job.AddPlay(board.FormatPlay(d.Position, pl), pl); err != nil {
			return nil, err
		}
	}
	name, nets := m.name(d), m.Engine.RolloutOptions().Nets
	if _, err := job.Load(name, nets); err != nil && !errors.Is(err, rollout.ErrFile) { // other nets, or other plays: begin again
		return nil, err
	}
	err = m.Play(job)
	if saved := job.Save(name, nets); err == nil {
		err = saved
	}
	return job.Results(), err
}

// plays lists the plays of a decision that are rolled out: those of an earlier result and the
// best by search.
func (m *Maker) plays(ctx context.Context, d *opening.Entry, had []opening.Play) (out []board.Play, err error) {
	p, err := preset.ByName("worldclass")
	if err != nil {
		return nil, err
	}
	list, err := m.Engine.RankPlays(ctx, d.Position, d.Dice, d.Score.State(), p)
	if err != nil {
		return nil, err
	}
	for i := range list {
		move := board.FormatPlay(d.Position, list[i].Play)
		kept := slices.ContainsFunc(had, func(p opening.Play) bool { return p.Move == move })
		if kept || i < 2 || i < m.Most && list[0].Equity-list[i].Equity <= m.Margin {
			out = append(out, list[i].Play)
		}
	}
	return out, nil
}

// name is the file of the totals of a decision played by the settings.
func (m *Maker) name(d *opening.Entry) string {
	text := strings.NewReplacer(" ", "_", "/", "-", "*", "x", "(", "", ")", "").Replace(d.First + " " + d.Roll)
	return filepath.Join(m.Dir, "totals", fmt.Sprintf("%s%s.%d.%d.json", d.Score, "_"+text, m.Rollout.Truncate, m.Rollout.LatePly))
}
