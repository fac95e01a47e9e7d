package analyse

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/luck"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/shard"
	"fibsbot/internal/version"
)

// Analyst judges the decisions of matches and stores its findings in the record. It belongs to
// one goroutine. New makes one of a preset; otherwise Engine must be set.
type Analyst struct {
	// Engine searches. Workers share the decisions, so an engine with one thread makes the best
	// use of the processors.
	Engine *search.Engine
	// Checker and Cube are the settings of the two kinds of decision.
	Checker, Cube search.Settings
	// LuckPlies is the depth at which luck is judged, 0 to search.MaxPlies-1 (see UsualLuckPlies).
	LuckPlies int
	Limits    Limits
	// Workers is the number of decisions judged at a time; 0 is one per CPU.
	Workers int
	// Close selects the close plays that are rolled out, with Rollouts, together with the play
	// made. The zero value rolls nothing out.
	Close    preset.Close
	Rollouts rollout.Options
	// Skip keeps what the match has of some kinds of decision.
	Skip Skip
	// Player, 1 or 2, limits the analysis to that player's decisions and rolls; 0 is both.
	Player int
	// Weaker leaves the decisions of players who searched as deep while playing unjudged, and
	// measures only the luck of their rolls.
	Weaker bool
	// Again re-analyses decisions that already have an analysis of the same or a greater depth.
	Again bool
	// Crew judges pieces of up to Size decisions; nil is this process. The findings do not depend
	// on it.
	Crew shard.Crew
	Size int
	// Judge is recorded in analysed matches, with the match equity table and the day.
	Judge record.Provenance
	// Now returns the time of the analysis; nil is the clock.
	Now func() time.Time
	// Progress, when not nil, is called as decisions of a match are judged.
	Progress func(done, total int)

	asked map[string]int // how often a piece of the same content was made
}

// New returns an analyst of a preset's strength, with the default limits. o are the rollout
// options of an engine (engine.Engine.RolloutOptions); its search is used.
func New(o rollout.Options, p preset.Preset) *Analyst {
	return &Analyst{Engine: o.Search, Checker: p.Checker, Cube: p.Cube, LuckPlies: UsualLuckPlies(p.Checker.Plies), Close: p.Close, Rollouts: o, Limits: DefaultLimits,
		Judge: record.Provenance{Program: "fibsbot " + version.Number(), Preset: p.Name, Nets: o.Nets}}
}

// Skip switches parts of an analysis off.
type Skip struct{ Checker, Cube, Luck bool }

// maxCandidates is the number of plays kept of a decision; the play made is always among them.
const maxCandidates = 24

// UsualLuckPlies returns the depth at which an analysis that looks plies ahead judges luck:
// its own, but at most 1. At 2 plies the 21 rolls take longer than all the rest of a decision.
func UsualLuckPlies(plies int) int { return min(plies, 1) }

// luckSettings are those of the judge of rolls.
func (a *Analyst) luckSettings() search.Settings {
	s := search.Settings{Plies: a.LuckPlies, Cubeful: true, Deterministic: true}
	if s.Plies > 0 {
		s.Filter, s.Prune = search.Lean, true
	}
	return s
}

// Analyse judges every decision of m, then sets marks and statistics. When ctx ends it returns
// an error that wraps ctx.Err(); m keeps what was judged until then, and a later call
// continues. A fault of the engine is an error that wraps a *panics.Fault.
func (a *Analyst) Analyse(ctx context.Context, m *record.Match) (*Summary, error) {
	w, err := a.Prepare(ctx, m)
	if err != nil {
		return nil, err
	}
	return a.Do(ctx, w, nil)
}

// One re-analyses action index of game i of m, except rollouts, and sets marks and statistics.
// An action without a decision stays as it is.
func (a *Analyst) One(ctx context.Context, m *record.Match, i, index int) error {
	if a.Engine == nil {
		return errNoEngine
	}
	if m == nil {
		return errNoMatch
	}
	for _, k := range a.tasks(m, func(*task) bool { return true }) {
		if k.game == i && k.turn.Index == index {
			q := a.query(&k, true)
			found, err := a.judge(ctx, &q)
			if err != nil {
				return err
			}
			k.found(found)
		}
	}
	Annotate(m, a.Engine.Table(), a.Limits)
	return nil
}

// found stores a in the record, unless it is nil.
func (k *task) found(a *record.Analysis) {
	to := &k.turn.Action.Analysis
	switch {
	case a == nil:
	case k.resigned == nil:
		if *to != nil {
			a.Resigned = (*to).Resigned
		}
		*to = a
	default:
		if *to == nil {
			*to = &record.Analysis{Played: -1}
		}
		(*to).Resigned = a.Resigned
	}
}

// sameDepth reports for each player whether most of what they thought while playing came from
// a search as deep as this analyst's, without noise, and none of their plays was below their
// best on purpose, as those of opponents that err like people. What an earlier analysis found of
// a player whose thoughts it replaced holds until a deeper one.
func (a *Analyst) sameDepth(m *record.Match) (out [2]bool) {
	if a.Close.Any() {
		return out // rollouts find more than any search
	}
	var all, deep [2]int
	var errs [2]bool
	judged := 0
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			act := &m.Games[i].Actions[k]
			an := act.Analysis
			if an == nil || len(an.Candidates) == 0 || act.Player < 0 || act.Player > 1 {
				continue
			}
			if !an.Own {
				judged = max(judged, an.Candidates[0].Settings.Plies)
				continue
			}
			all[act.Player]++
			errs[act.Player] = errs[act.Player] || an.Played > 0
			if s := &an.Candidates[0].Settings; rolledOut(an.Candidates[0].Rollout) || s.Noise == 0 && s.Plies >= a.Checker.Plies {
				deep[act.Player]++
			}
		}
	}
	for p := range out {
		out[p] = !errs[p] && 2*deep[p] > all[p] || all[p] == 0 && m.Judge.SameDepth[p] && a.Checker.Plies <= judged
	}
	return out
}

// sign records in the match of w who judged it; had reports whether others judged some of its
// decisions.
func (a *Analyst) sign(w *Work, had bool) {
	m, by, now := w.m, a.Judge, time.Now
	if by == (record.Provenance{}) {
		return
	}
	by.SameDepth = w.sameDepth
	if a.Now != nil {
		now = a.Now
	}
	by.Date = now().Format(time.DateOnly)
	if m.Length > 0 {
		by.Table = a.Engine.Table().Name
	}
	if other := m.Judge.Program; had && other != "" && other != by.Program {
		by.Program = alsoBy(by.Program, other)
	}
	m.Judge = by
}

// someBy precedes the name of a program that judged some decisions of a match.
const someBy = ", some decisions by "

// alsoBy returns the name of a judge when other judged some of the decisions.
func alsoBy(program, other string) string {
	if _, before, ok := strings.Cut(other, someBy); ok {
		other = before // other's analysis was itself by two
	}
	program, _, _ = strings.Cut(program, someBy)
	if program == other {
		return program
	}
	return program + someBy + other
}

// query is everything that the judgement of an action depends on.
type query struct {
	Kind     record.Kind    `json:"kind"`
	Opening  bool           `json:"opening,omitempty"`
	Rules    board.Rules    `json:"rules,omitzero"`
	Position board.Position `json:"position"`
	State    match.State    `json:"state"`
	Dice     board.Dice     `json:"dice"`
	Steps    []board.Step   `json:"steps,omitempty"` // as the record has them
	Play     board.Play     `json:"play"`
	// Had holds the parts that are not judged again, or nil.
	Had *record.Analysis `json:"had,omitempty"`
	// Resigned is set if a resignation is judged, and nothing else.
	Resigned *resignation `json:"resigned,omitempty"`
	// LuckOnly keeps the rest of Had.
	LuckOnly bool `json:"luck_only,omitempty"`
}

// query returns what to judge of an action; for fresh see keep.
func (a *Analyst) query(k *task, fresh bool) query {
	t := &k.turn
	if k.resigned != nil {
		return query{Rules: k.rules, Resigned: k.resigned}
	}
	q := query{Kind: t.Action.Kind, Opening: k.opening, Rules: k.rules, Position: t.Position, State: t.State, Dice: t.Action.Dice, Steps: t.Action.Steps, Play: t.Play}
	if q.Kind != record.Move {
		// A beaver is judged by the equities of the first double, as in gnubg: the first doubler
		// is on roll.
		if q.Kind = record.Take; t.First() == t.Player {
			q.Kind = record.Double
		}
	}
	had := &record.Analysis{Played: -1}
	if a.keep(t, t.Action.Analysis, had, fresh); had.Cube != nil || len(had.Candidates) > 0 || had.Luck != nil || had.CubeMarked {
		q.Had = had
	}
	return q
}

// with returns the analyst for games by rules r.
func (a *Analyst) with(ctx context.Context, r board.Rules) (*Analyst, error) {
	if r == a.Engine.Rules() {
		return a, nil
	}
	if a.Rollouts.With == nil {
		return nil, fmt.Errorf("%w: by other rules", errPiece)
	}
	o, err := a.Rollouts.With(ctx, r)
	if err != nil {
		return nil, err
	}
	b := *a
	b.Engine, b.Rollouts = o.Search, o
	return &b, nil
}

// judge judges an action; the analysis is nil if there is nothing to judge.
func (a *Analyst) judge(ctx context.Context, q *query) (*record.Analysis, error) {
	a, err := a.with(ctx, q.Rules)
	if err != nil {
		return nil, err
	}
	if q.Resigned != nil {
		return a.resigned(ctx, q.Resigned)
	}
	found := &record.Analysis{Played: -1}
	if q.Had != nil {
		found = q.Had
	}
	if q.Kind != record.Move {
		doubler, st := q.Position, q.State
		if q.Kind != record.Double {
			doubler, st = doubler.Swap(), st.Swap()
		}
		if !decidesCube(st) {
			return nil, nil // a double that the rules forbid: nothing to judge by
		}
		found.Cube, err = a.cube(ctx, doubler, st)
		return found, err
	}
	if !q.Dice.Valid() || q.Position.Validate() != nil || q.Position.Result() != 0 {
		return nil, nil
	}
	if len(found.Candidates) == 0 && !a.Skip.Checker && !q.LuckOnly {
		if err := a.plays(ctx, q, found); err != nil {
			return nil, err
		}
	}
	if !a.Skip.Luck && found.Luck == nil {
		luck, err := a.luck(ctx, q)
		if err != nil {
			return nil, err
		}
		plies := a.LuckPlies
		found.Luck, found.LuckPlies = &luck, &plies
	}
	if found.Cube == nil && !a.Skip.Cube && !q.LuckOnly && !q.Opening && decidesCube(q.State) {
		found.Cube, err = a.cube(ctx, q.Position, q.State)
	}
	return found, err
}

// resigned compares a resignation with playing on.
func (a *Analyst) resigned(ctx context.Context, r *resignation) (*record.Analysis, error) {
	set := a.Cube
	if r.At.Dice.Valid() {
		set = a.Checker
	}
	set.Share, set.Cubeful = 0, true
	v, err := a.Engine.PlayOn(ctx, r.At, set)
	if err != nil {
		return nil, fmt.Errorf("judge resignation: %w", err)
	}
	st, playOn := r.At.State, v.Cubeful
	if !r.OnRoll {
		st, playOn = st.Swap(), -playOn
	}
	out := &record.Resigned{Settings: settings(set, v.Plies), PlayOn: playOn, Given: -float64(r.Points) / float64(max(1, st.Cube))}
	if t := a.Engine.Table(); st.Length > 0 {
		out.Given = t.EMG(st, t.After(st, -r.Points))
	}
	return &record.Analysis{Played: -1, Resigned: out}, nil
}

// plays ranks the legal plays and finds the one made, which is judged at the full depth even
// if the filter dropped it.
func (a *Analyst) plays(ctx context.Context, q *query, found *record.Analysis) error {
	list, err := a.Engine.PlaysBeside(ctx, q.Position, q.Dice, q.State, a.Checker, &q.Play.Result)
	if err != nil {
		return fmt.Errorf("rank plays: %w", err)
	}
	made := slices.IndexFunc(list, func(c search.Candidate) bool { return c.Play.Result == q.Play.Result })
	tried, err := a.rollClosePlays(ctx, q, list, made)
	if err != nil {
		return err
	}
	add := func(c record.Candidate, own bool) {
		if own {
			found.Played = len(found.Candidates)
			if len(q.Steps) > 0 {
				// Keep the steps as played: hits on the way are part of them.
				c.Steps = slices.Clone(q.Play.Steps[:q.Play.N])
			}
		}
		found.Candidates = append(found.Candidates, c)
	}
	for _, r := range tried {
		add(r.candidate, r.of == made)
	}
	for i := range list {
		done := slices.ContainsFunc(tried, func(r rolledPlay) bool { return r.of == i })
		if done || len(found.Candidates) >= maxCandidates && i != made {
			continue
		}
		c := &list[i]
		add(record.Candidate{
			Steps: slices.Clone(c.Play.Steps[:c.Play.N]), Settings: settings(a.Checker, c.Plies),
			Outcome: record.Outcome{Probs: doubles(c.Probs), Cubeless: c.Cubeless, Cubeful: c.Equity},
		}, i == made)
	}
	return nil
}

func settings(s search.Settings, plies int) record.Settings {
	return record.Settings{Plies: plies, Cubeful: s.Cubeful, Deterministic: s.Deterministic, Noise: s.Noise, Prune: s.Prune}
}

func doubles(p eval.Probs) (out [5]float64) {
	for i, v := range p {
		out[i] = float64(v)
	}
	return out
}

func (a *Analyst) cube(ctx context.Context, p board.Position, st match.State) (*record.CubeAnalysis, error) {
	d, err := a.Engine.Cube(ctx, p, st, a.Cube)
	if err != nil {
		return nil, fmt.Errorf("judge cube: %w", err)
	}
	if c, err := a.rollCloseCube(ctx, p, st, &d); err != nil || c != nil {
		return c, err
	}
	return cubeRecord(&d, st, settings(a.Cube, d.Plies)), nil
}

func cubeRecord(d *cube.Decision, st match.State, s record.Settings) *record.CubeAnalysis {
	s.Cubeful = true
	c := &record.CubeAnalysis{Settings: s}
	out := record.Outcome{Probs: doubles(d.Probs), Cubeless: d.Cubeless}
	c.NoDouble, c.DoubleTake = out, out
	if st.Length > 0 {
		c.NoDouble.Cubeful, c.DoubleTake.Cubeful = d.MWC[0], d.MWC[1]
	} else {
		c.NoDouble.Cubeful, c.DoubleTake.Cubeful = d.NoDouble, d.DoubleTake
	}
	return c
}

// luck returns the normalised equity after the best play of the roll, less its mean over all
// rolls.
func (a *Analyst) luck(ctx context.Context, q *query) (float64, error) {
	judge := luck.Meter{Search: a.Engine, Settings: a.luckSettings()}
	of := judge.Roll
	if q.Opening {
		// The first roll is never a double, and either side may get it.
		of = judge.Opening
	}
	v, err := of(ctx, q.Position, q.State, q.Dice)
	if err != nil || q.State.Length == 0 {
		return v, err
	}
	table := a.Engine.Table()
	return table.EMG(q.State, v) - table.EMG(q.State, 0), nil
}

// Annotate sets the marks of all actions and the statistics of all games from
// the analysis stored in m, and returns the summary.
func Annotate(m *record.Match, t *match.Table, lim Limits) *Summary {
	s := Summarise(m, t, lim)
	for i := range s.Games {
		g := &s.Games[i]
		for k := range g.Decisions {
			j := &g.Decisions[k]
			a := j.Turn.Action
			if !j.Analysed {
				continue
			}
			a.Marks = record.Marks{Action: j.Mark, NoDouble: j.CubeMark, Luck: j.LuckMark}
		}
		m.Games[i].Statistics = &[2]record.Statistics{g.Players[0].Statistics, g.Players[1].Statistics}
	}
	return s
}
