package api

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

	"fibsbot/bot/archive/index"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/annotate"
	"fibsbot/engine/board"
	"fibsbot/engine/dice"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout"
	"fibsbot/internal/http"
)

// RolloutRequest asks for a rollout of plays if there are dice, else of the cube decision
// or of the position.
type RolloutRequest struct {
	Position
	// Kind is plays, cube or position; chosen by the position if empty.
	Kind string `json:"kind,omitempty"`
	// Plays in notation; the best three if empty.
	Plays  []string `json:"plays,omitempty"`
	Trials int      `json:"trials,omitempty"` // 1296 if absent
	// Truncate ends games after that many plies; 0 plays to the end.
	Truncate int    `json:"truncate,omitempty"`
	Seed     uint64 `json:"seed,omitempty"` // 1 if absent
	// RNG throws the dice: pcg or another generator of package dice.
	RNG string `json:"rng,omitempty"`
	// StopStdErr and StopJSD end it early, see rollout.Settings; 0 is off.
	StopStdErr float64 `json:"stop_stderr,omitempty"`
	StopJSD    float64 `json:"stop_jsd,omitempty"`
	// Match and Decision, such as 2.14, name a decision of an archived match instead of a
	// position. Without Plays the best three known plays and the one made are rolled out.
	// The result is written into the match when the rollout ends or is stopped.
	Match    string `json:"match,omitempty"`
	Decision string `json:"decision,omitempty"`
}

// ContinueRequest continues a rollout.
type ContinueRequest struct {
	// Trials in all; 0 keeps the number.
	Trials int `json:"trials,omitempty"`
}

// Rollout holds the results of a rollout.
type Rollout struct {
	PositionID string           `json:"position_id"`
	MatchID    string           `json:"match_id"`
	XGID       string           `json:"xgid"`
	Variation  string           `json:"variation,omitempty"` // of the request
	Dice       []int            `json:"dice"`
	Preset     string           `json:"preset"`
	Truncate   int              `json:"truncate"`
	Seed       uint64           `json:"seed"`
	RNG        string           `json:"rng"`
	Arms       []rollout.Result `json:"arms"`
	Cube       *advice.Cube     `json:"cube"`
	Words      string           `json:"words,omitempty"`
}

// roller is a rollout that can be stopped, continued and extended. Once it runs, only the
// job's work touches it, except what mu guards.
type roller struct {
	api      *API
	request  RolloutRequest
	s        match.Situation
	p        preset.Preset
	engine   *engine.Engine // for the rules of the game
	settings rollout.Settings
	plays    []board.Play
	job      *rollout.Job
	of       *decision // of an archived match, or nil

	mu   sync.Mutex
	want int // trials
}

func (a *API) startRollout(r *http.Request, q RolloutRequest) (any, error) {
	q.Preset = cmp.Or(q.Preset, "expert")
	of, err := a.decisionOf(r.Context(), &q)
	if err != nil {
		return nil, err
	}
	read, err := a.read(r.Context(), &q.Position)
	if err != nil {
		return nil, err
	}
	s, p := read.Situation, read.preset
	if of != nil {
		s = of.s // an ID cannot hold all of it
	}
	if err := q.complete(&s); err != nil {
		return nil, err
	}
	from, err := dice.Parse(q.RNG)
	if err != nil {
		return nil, bad("rng", "%v", err)
	}
	x := &roller{api: a, request: q, s: s, p: p, engine: read.engine, settings: rollout.Default(), of: of}
	x.settings.Trials, x.settings.Truncate, x.settings.Seed, x.settings.Dice = q.Trials, q.Truncate, q.Seed, from
	x.settings.Checker, x.settings.Cube = p.Checker, p.Cube
	x.settings.StopStdErr, x.settings.StopJSD = q.StopStdErr, q.StopJSD
	if of != nil && len(q.Plays) == 0 {
		x.plays = of.plays
	}
	if q.Kind == "plays" && len(x.plays) == 0 {
		if err := x.choose(r.Context()); err != nil {
			return nil, err
		}
	}
	if x.job, err = x.make(r.Context()); err != nil {
		return nil, err
	}
	x.want = q.Trials
	view := Job{Kind: "rollout", Total: q.Trials, Rollout: x.document()}
	if of != nil {
		view.Match, view.Decision = of.row.ID, of.place.String()
	}
	return started(a.add(view, x, x.run))
}

// complete fills in the defaults of a request and checks it.
func (q *RolloutRequest) complete(s *match.Situation) error {
	q.Trials = cmp.Or(q.Trials, 1296)
	q.Seed = cmp.Or(q.Seed, 1)
	switch {
	case q.Trials < 1 || q.Trials > maxTrials:
		return bad("trials", "%d: want 1 to %d", q.Trials, maxTrials)
	case q.Truncate < 0 || q.Truncate > 1000:
		return bad("truncate", "%d: want 0 to 1000", q.Truncate)
	case !(q.StopStdErr >= 0):
		return bad("stop_stderr", "%v: want 0 or more", q.StopStdErr)
	case !(q.StopJSD >= 0):
		return bad("stop_jsd", "%v: want 0 or more", q.StopJSD)
	}
	if q.Kind == "" {
		q.Kind = map[bool]string{true: "plays", false: "cube"}[s.Dice.Valid()]
		if q.Kind == "cube" && !s.State.MayDouble() {
			q.Kind = "position"
		}
	}
	return nil
}

// run is the work of the job: it rolls out, and writes the result into the match of the
// decision.
func (x *roller) run(ctx context.Context, j *job, report func(done, total int)) error {
	if err := x.extend(); err != nil {
		return err
	}
	err := x.api.play(ctx, x.job, func(done, total int) {
		doc := x.document()
		j.change(func(v *Job) { v.Rollout = doc })
		report(done, total)
	})
	doc := x.document()
	j.change(func(v *Job) {
		v.Rollout, v.Done = doc, 0
		for _, arm := range doc.Arms {
			v.Done = max(v.Done, arm.Trials)
		}
	})
	if x.of == nil {
		return err
	}
	serr := x.save(ctx, j, false, err == nil)
	j.change(func(v *Job) {
		if serr != nil {
			v.Error = serr.Error() // also of a rollout that was stopped
		}
	})
	if err == nil {
		err = serr
	}
	return err
}

// save writes the rollout into its match, see store.
func (x *roller) save(ctx context.Context, j *job, asked, whole bool) error {
	stored, unsaved, err := x.store(ctx, asked, whole)
	j.change(func(v *Job) {
		if v.Unsaved = unsaved; stored {
			v.Stored = v.Done
		}
	})
	return err
}

// saveRollout writes a rollout into its match because the user asks for it.
func (a *API) saveRollout(r *http.Request, j *job, _ any) (any, error) {
	if j.roller.of == nil {
		return nil, bad("id", "the rollout is not of a decision of a match")
	}
	if err := j.roller.save(r.Context(), j, true, true); err != nil {
		return nil, err
	}
	return j.snapshot(), nil
}

// ended finds a rollout that does not run.
func (a *API) ended(r *http.Request) (*job, error) {
	j, err := a.find(r)
	if err != nil {
		return nil, err
	}
	switch state := j.snapshot().State; {
	case j.roller == nil:
		return nil, bad("id", "only rollouts can be continued")
	case state == Queued || state == Running:
		return nil, &Problem{Status: http.StatusConflict, Text: "the rollout is already running"}
	}
	return j, nil
}

// choose finds the plays to roll out.
func (x *roller) choose(ctx context.Context) error {
	if !x.s.Dice.Valid() {
		return bad("dice", "plays need dice")
	}
	if len(x.request.Plays) > maxArms {
		return bad("plays", "%d plays: at most %d", len(x.request.Plays), maxArms)
	}
	for _, text := range x.request.Plays {
		pl, err := board.ParsePlay(x.s.Position, x.s.Dice, text)
		if err != nil {
			return bad("plays", "%v", err)
		}
		x.plays = append(x.plays, pl)
	}
	if len(x.plays) > 0 {
		return nil
	}
	p, err := preset.ByName("worldclass")
	if err != nil {
		return err
	}
	ctx, done, err := x.api.short.turn(ctx)
	if err != nil {
		return err
	}
	defer done()
	list, err := x.engine.RankPlays(ctx, x.s.Position, x.s.Dice, x.s.State, p)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return bad("dice", "no legal play with %d%d", x.s.Dice.A, x.s.Dice.B)
	}
	for _, c := range list[:min(3, len(list))] {
		x.plays = append(x.plays, c.Play)
	}
	return nil
}

// make builds the rollout with the present settings.
func (x *roller) make(ctx context.Context) (*rollout.Job, error) {
	job, err := rollout.New(ctx, x.engine.RolloutOptions(), x.s.Position, x.s.State, x.settings)
	if err != nil {
		return nil, err
	}
	switch x.request.Kind {
	case "cube":
		err = job.AddCube()
	case "position":
		job.AddPosition("position")
	case "plays":
		for _, pl := range x.plays {
			if err == nil {
				err = job.AddPlay(board.FormatPlay(x.s.Position, pl), pl)
			}
		}
	default:
		return nil, bad("kind", "%.20q: want plays, cube or position", x.request.Kind)
	}
	if err != nil {
		return nil, bad("kind", "%v", err)
	}
	return job, nil
}

// extend sets the number of trials to what is wanted.
func (x *roller) extend() error {
	x.mu.Lock()
	trials := x.want
	x.mu.Unlock()
	x.settings.Trials = trials
	return x.job.Extend(trials)
}

func (a *API) continueRollout(_ *http.Request, j *job, q ContinueRequest) (any, error) {
	if q.Trials < 0 || q.Trials > maxTrials {
		return nil, bad("trials", "%d: want 1 to %d", q.Trials, maxTrials)
	}
	x := j.roller
	x.mu.Lock() // work reads it when it begins
	if q.Trials > 0 {
		x.want = q.Trials
	}
	total := x.want
	x.mu.Unlock()
	j.change(func(v *Job) { v.Total = total })
	return started(j, a.start(j))
}

// document reads the results; not while trials are played.
func (x *roller) document() *Rollout {
	d := described(x.s, x.engine.Rules())
	out := &Rollout{PositionID: d.PositionID, MatchID: d.MatchID, XGID: d.XGID, Variation: strings.ToLower(x.request.Variation), Dice: []int{}, Preset: x.p.Name,
		Truncate: x.settings.Truncate, Seed: x.settings.Seed, RNG: cmp.Or(string(x.settings.Dice), "pcg")}
	if x.request.Kind == "plays" {
		out.Dice = d.Dice
	}
	rolled := advice.RolloutOf(x.job, x.s)
	out.Arms = rolled.Arms
	if out.Cube = rolled.Cube; out.Cube != nil {
		out.Words = out.Cube.Words
	}
	return out
}

// decision is a decision of an archived match to roll out.
type decision struct {
	row   *index.Match
	place annotate.Place
	s     match.Situation
	plays []board.Play // rolled out if the request names none; empty for the cube
}

// fewest is the least number of trials that a match stores.
const fewest = 36

// decisionOf finds the decision of a rollout request and puts its position into q. It
// returns nil if the request names no match.
func (a *API) decisionOf(ctx context.Context, q *RolloutRequest) (*decision, error) {
	switch {
	case q.Match == "" && q.Decision == "":
		return nil, nil
	case q.Match == "":
		return nil, bad("match", "a decision needs its match")
	case a.opt.Archive == nil:
		return nil, errNoArchive
	case q.Board != nil || q.Position.Position.Position != "" || len(q.Dice) > 0:
		return nil, bad("position", "give a position or a decision of a match, not both")
	case q.Length != nil || q.Score != nil || q.Cube != nil || q.Owner != nil || q.Crawford != nil || q.Jacoby != nil || q.Beavers != nil || q.Drops != nil || q.OnRoll != "" || q.Kind != "" || q.Variation != "" || q.Egyptian:
		return nil, bad("match", "a decision has the state of its match (leave out length, score, cube, owner, rules, variation and kind)")
	}
	row, err := a.opt.Archive.Show(ctx, q.Match)
	if err != nil {
		return nil, err
	}
	of := &decision{row: row}
	if of.place, err = annotate.ParsePlace(q.Decision); err != nil {
		return nil, bad("decision", "%v", err)
	}
	e, err := a.opt.Archive.Edit(row)
	if err != nil {
		return nil, err
	}
	d, err := annotate.Find(e.Match, of.place)
	if err != nil {
		return nil, bad("decision", "%v", err)
	}
	t := d.Turn()
	of.s = match.Situation{Position: t.Position, State: t.State}
	switch {
	case d.Kind == "checker":
		of.s.Dice, of.plays, q.Kind = t.Action.Dice, annotate.Plays(t, 3), "plays"
		if len(of.plays) == 0 {
			return nil, bad("decision", "%s: no play was legal", of.place)
		}
	case d.Kind == "resign":
		return nil, bad("decision", "%s: a resignation cannot be rolled out", of.place)
	default:
		q.Kind = "cube"
		if t.Action.Kind == record.Take || t.Action.Kind == record.Drop {
			of.s.Position, of.s.State = t.Position.Swap(), t.State.Swap()
		}
	}
	q.Position.Position.Position = of.s.XGID()
	q.Variation, q.Egyptian = string(e.Match.Rules.Variation), e.Match.Rules.Egyptian
	return of, nil
}

// enough is the least number of trials that replaces an analysis at 2 plies or more unasked.
const enough = 324

// store writes the rollout into its match, unless it has too few trials or the match holds
// more. Unless asked, it does not write one that was stopped, that is weaker than the analysis, or
// that overturns it by less than two standard errors: unsaved says which.
func (x *roller) store(ctx context.Context, asked, whole bool) (stored bool, unsaved string, err error) {
	r := annotate.Rolled{Results: x.job.Results(), Plays: x.plays, Settings: x.settings}
	trials := 0
	for _, arm := range r.Results {
		if arm.Trials < fewest {
			return false, "", nil
		}
		trials = max(trials, arm.Trials)
	}
	if !asked && !whole {
		return false, "stopped", nil
	}
	err = func() error {
		e, err := x.api.opt.Archive.Edit(x.of.row)
		if err != nil {
			return err
		}
		d, err := annotate.Find(e.Match, x.of.place)
		if err != nil {
			return err
		}
		if rolledOut(d.Turn().Action.Analysis, len(x.plays) == 0) > trials {
			return nil
		}
		an, was := d.Turn().Action.Analysis, d.Best
		if an != nil && !asked && trials < enough && rolledOut(an, len(x.plays) == 0) == 0 && annotate.Plies(d) >= 2 {
			unsaved = "weaker"
			return nil
		}
		var best board.Position
		if an != nil && len(an.Candidates) > 0 {
			best = record.Apply(d.Turn().Position, an.Candidates[0].Steps)
		}
		if err := annotate.Attach(e.Match, x.of.place, r, x.api.opt.Engine.Table(), analyse.DefaultLimits); err != nil {
			return err
		}
		now, err := annotate.Find(e.Match, x.of.place)
		if err != nil {
			return err
		}
		if !asked && was != "" && was != now.Best && !r.Clear(best) {
			unsaved = "unclear"
			return nil
		}
		_, err = e.Store(context.WithoutCancel(ctx))
		stored = err == nil
		return err
	}()
	if err != nil {
		return false, "", fmt.Errorf("write the rollout into the match: %w", err)
	}
	return stored, unsaved, nil
}

// rolledOut is the number of trials stored at a decision.
func rolledOut(an *record.Analysis, cube bool) (most int) {
	if an == nil {
		return 0
	}
	if cube {
		if an.Cube != nil && an.Cube.Rollout != nil {
			most = an.Cube.Rollout.Trials
		}
		return most
	}
	for _, c := range an.Candidates {
		if c.Rollout != nil {
			most = max(most, c.Rollout.Trials)
		}
	}
	return most
}
