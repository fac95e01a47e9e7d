package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"fibsbot/bot/sheet"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/board"
	"fibsbot/engine/explain"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/internal/panics"
	"fibsbot/internal/texts"
)

// Judgement is a decision with the engine's analysis of it.
type Judgement struct {
	Act
	// Analysis is nil if the decision could not be analysed.
	Analysis *record.Analysis
	// Loss is the decision's loss in normalised equity (EMG), 0 or more; CubeLoss is the
	// loss of not doubling before a roll.
	Loss, CubeLoss float64
	Mark, CubeMark record.Mark
	// Equity and BestEquity, for a play, are those of the play made and of the best one,
	// from the side of the player who decided.
	Equity, BestEquity float64
	// Rank is the rank of the play from 1, 0 if the play is not legal; Plays is the number of
	// legal plays.
	Rank, Plays int
	// Did and Best are the decision made and the best one in words.
	Did, Best string
	// Why and CubeWhy say in a sentence why the best is better, "" where nothing stands out.
	Why, CubeWhy string
	// Luck is the luck of the roll in EMG, or nil.
	Luck *float64
	// Err is why the decision could not be analysed.
	Err error
}

// Forced reports whether there was no choice.
func (v *Judgement) Forced() bool { return v.Kind == Move && v.Plays <= 1 }

// Standing returns what the match is worth to the watched player after a play: his winning
// chance, or for unlimited matches his equity. ok is false without a judged play.
func (v *Judgement) Standing(t *match.Table) (value float64, ok bool) {
	if v.Rank == 0 {
		return 0, false
	}
	st, mine := v.Situation.State, v.Player == int(sheet.Us)
	switch value = v.Equity; {
	case st.Length > 0:
		if value = t.MWC(st, value); !mine {
			value = 1 - value
		}
	case !mine:
		value = -value
	}
	return value, true
}

// errNoEngine is the Err of every Judgement of a Judge without an engine.
var errNoEngine = errors.New("no engine")

// Judge analyses decisions. It is safe for concurrent use.
type Judge struct {
	engine *engine.Engine
	preset preset.Preset
	limits analyse.Limits
	words  *texts.Catalogue
}

// NewJudge makes a judge with the settings of pr, but without its noise: a judge must be
// right, not human. Its reasons are in the language of words, nil for English. Without an engine
// every Judgement has an Err.
func NewJudge(e *engine.Engine, pr preset.Preset, words *texts.Catalogue) *Judge {
	pr.Checker.Noise, pr.Cube.Noise = 0, 0
	pr.Checker.Share, pr.Cube.Share = 0, 0
	// A play that was rolled out cannot be compared with one that was not.
	pr.Close = preset.Close{}
	return &Judge{engine: e, preset: pr, limits: analyse.DefaultLimits, words: words}
}

// Judge analyses one decision. A decision that cannot be analysed has Err set; only the end
// of ctx is an error.
func (j *Judge) Judge(ctx context.Context, d Act) (Judgement, error) {
	v := Judgement{Act: d}
	if j.engine == nil {
		v.Err = errNoEngine
		return v, nil
	}
	switch d.Kind {
	case Resign, AcceptResign, RejectResign:
		v.Err = j.resignation(ctx, &v)
	case Beaver:
		v.Err = j.beaver(ctx, &v)
	default:
		if v.Beavers > 0 {
			v.words() // the engine does not evaluate answers to beavers
			break
		}
		v.Err = j.action(ctx, &v)
	}
	if ctx.Err() != nil {
		return v, fmt.Errorf("judge: %w", ctx.Err())
	}
	return v, nil
}

// action lets package analyse analyse a match of this one action, so that a later analysis of
// the file gives the same result.
func (j *Judge) action(ctx context.Context, v *Judgement) error {
	m := v.alone()
	a := analyse.New(j.engine.RolloutOptions(), j.preset)
	a.Limits, a.Workers = j.limits, 1
	s, err := a.Analyse(ctx, m)
	if err != nil {
		return err
	}
	list := s.Games[0].Decisions
	g := &list[len(list)-1]
	v.Analysis = g.Turn.Action.Analysis
	v.Loss, v.Mark, v.CubeLoss, v.CubeMark = g.Loss, g.Mark, g.CubeLoss, g.CubeMark
	switch v.Kind {
	case Move:
		v.move()
	case Double, Take, Drop:
		v.Did, v.Best = string(v.Kind), string(v.Kind)
		if v.Loss > 0 {
			v.Best = instead[v.Kind]
		}
	}
	return j.reasons(ctx, v, m, s)
}

// reasons fills in why what was best is better, from the analysis s of m, which has only this decision.
func (j *Judge) reasons(ctx context.Context, v *Judgement, m *record.Match, s *analyse.Summary) error {
	if v.Loss+v.CubeLoss == 0 {
		return nil
	}
	e, err := j.engine.With(ctx, m.Rules.Board())
	if err != nil {
		return err
	}
	rows := report.Rows(m, s, 0, nil)
	for k := range rows {
		switch d := &rows[k]; {
		case d.Loss() == 0:
		case v.Kind == Move && d.Kind != "checker":
			v.CubeWhy = explain.Short(ctx, e, d, j.words)
		default:
			v.Why = explain.Short(ctx, e, d, j.words)
		}
	}
	return nil
}

// instead are the alternatives to decisions with only one.
var instead = map[Kind]string{Double: "no double", Take: "drop", Drop: "take", Resign: "play on", AcceptResign: "refuse", RejectResign: "accept"}

// beaver compares a beaver with a plain take. A beaver is right if the doubler's equity after
// the take is negative. It doubles the stake, so its loss is that equity again. (Beavers
// exist in money games only.)
func (j *Judge) beaver(ctx context.Context, v *Judgement) error {
	v.words()
	if v.Beavers > 0 {
		return nil
	}
	s := v.Situation
	d, err := j.engine.CubeDecision(ctx, s.Position, s.State, j.preset)
	if err != nil {
		return fmt.Errorf("judge beaver: %w", err)
	}
	v.Best = v.Did
	if d.DoubleTake > noise {
		v.Loss, v.Best = d.DoubleTake, "take"
		if d.DoubleTake > 1 {
			// The take itself was wrong: a pass would have saved this much.
			v.Loss, v.Best = 2*d.DoubleTake-1, "drop"
		}
	}
	v.Mark = j.limits.Mark(v.Loss)
	return nil
}

// move fills in the fields of a play.
func (v *Judgement) move() {
	p := v.Situation.Position
	v.Plays = len(board.AppendPlays(nil, p, v.Situation.Dice))
	v.Did = "cannot move"
	if v.Play.N > 0 {
		v.Did = board.FormatPlay(p, v.Play)
	}
	v.Best = v.Did
	if v.Analysis == nil {
		return
	}
	v.Luck = v.Analysis.Luck
	list := v.Analysis.Candidates
	if len(list) == 0 {
		return
	}
	v.Best = board.FormatSteps(p, list[0].Steps)
	v.BestEquity = list[0].Outcome.Cubeful
	if at := v.Analysis.Played; at >= 0 && at < len(list) {
		v.Rank, v.Equity = at+1, list[at].Outcome.Cubeful
	}
}

// words fills in the fields that need no engine.
func (v *Judgement) words() {
	switch v.Kind {
	case Move:
		v.move()
		v.Best = ""
	case Resign, AcceptResign, RejectResign:
		v.Did = resignWord(v.Kind, v.Games)
	case Beaver:
		v.Did = [...]string{"beaver", "raccoon", "otter", "redouble"}[min(v.Beavers, 3)]
	default:
		v.Did = string(v.Kind)
	}
}

// alone returns a match that consists of this decision only.
func (d *Act) alone() *record.Match {
	onRoll := d.Player
	if d.Situation.Doubled {
		onRoll = 1 - d.Player
	}
	s := d.Situation
	if onRoll == int(sheet.Them) {
		s.Position, s.State = s.Position.Swap(), s.State.Swap()
	}
	g := record.Game{Crawford: s.State.Crawford, Cube: 1, Score: [2]int{sheet.Us: s.State.Score[0], sheet.Them: s.State.Score[1]}}
	if d.Opening {
		g.Cube = max(1, s.State.Cube)
	} else {
		g.Actions = sheet.SetUp(s.Position, sheet.Side(onRoll), s.State.Cube, s.State.Owner)
	}
	a := record.Action{Player: d.Player, Kind: map[Kind]record.Kind{Move: record.Move, Double: record.Double, Take: record.Take, Drop: record.Drop}[d.Kind]}
	if d.Kind == Move {
		a.Dice, a.Steps = s.Dice, slices.Clone(d.Play.Steps[:d.Play.N])
	}
	g.Actions = append(g.Actions, a)
	return &record.Match{Length: s.State.Length, Rules: record.Rules{Crawford: s.State.Length > 0, Drops: s.State.Drops}, Games: []record.Game{g}}
}

// resignation compares an offer to resign, or the answer to it, with playing on. The
// situation is from the side of the player who made the offer.
func (j *Judge) resignation(ctx context.Context, v *Judgement) error {
	s := v.Situation
	v.Did, v.Best = resignWord(v.Kind, v.Games), resignWord(v.Kind, v.Games)
	playOn, err := j.playOn(ctx, s, v.OnRoll)
	if err != nil {
		return err
	}
	// Both equities are the resigner's.
	offer := -float64(v.Games)
	if t := j.engine.Table(); s.State.Length > 0 {
		offer = t.EMG(s.State, t.After(s.State, -v.Games*s.State.Cube))
	}
	loss := playOn - offer
	if v.Kind == AcceptResign {
		loss = -loss
	}
	if loss > noise {
		v.Loss, v.Best = loss, instead[v.Kind]
	}
	v.Mark = j.limits.Mark(v.Loss)
	return nil
}

// noise is the equity difference below which a resignation counts as equal to playing on.
const noise = 0.001

func resignWord(k Kind, games int) string {
	switch k {
	case AcceptResign:
		return "accept"
	case RejectResign:
		return "refuse"
	}
	return "resign" + [...]string{"", "", " a gammon", " a backgammon"}[min(3, max(0, games))]
}

// playOn returns the equity of playing on for Me in s, on roll or not.
func (j *Judge) playOn(ctx context.Context, s match.Situation, onRoll bool) (float64, error) {
	sign := 1.0
	if !onRoll {
		s.Position, s.State, sign = s.Position.Swap(), s.State.Swap(), -1
	}
	v, err := j.engine.PlayOn(ctx, s, j.preset)
	if err != nil {
		return 0, fmt.Errorf("judge resignation: %w", err)
	}
	return sign * v.Cubeful, nil
}

// judgeQueue is the queue between an observer and the judge: watching never waits for the
// engine. When the engine falls behind, the oldest decision is dropped.
type judgeQueue struct {
	limit int

	mu      sync.Mutex
	judge   *Judge
	waiting []Report // other news than decisions must not overtake them
	done    []finished
	skipped int
	wake    chan struct{} // the worker has something to do
	ready   func()        // called when take has something to return
	cancel  context.CancelFunc
	work    sync.WaitGroup
}

// finished is news that the judge has processed, if it was a decision.
type finished struct {
	Report
	judged  bool
	skipped int // decisions dropped before this one
}

func newJudgeQueue(j *Judge, limit int, ready func()) *judgeQueue {
	ctx, cancel := context.WithCancel(context.Background())
	q := &judgeQueue{limit: limit, judge: j, cancel: cancel, wake: make(chan struct{}, 1), ready: ready}
	q.work.Add(1)
	go func() {
		defer q.work.Done()
		q.run(ctx)
	}()
	return q
}

// add puts news at the end of the queue.
func (q *judgeQueue) add(n Report) {
	q.mu.Lock()
	if len(q.waiting) >= q.limit {
		// Other news keep files and counts right and take no time of the judge: they may
		// exceed the limit.
		if at := slices.IndexFunc(q.waiting, func(n Report) bool { return n.Topic == Judged }); at >= 0 {
			q.skipped++
			q.waiting = slices.Delete(q.waiting, at, at+1)
		}
	}
	q.waiting = append(q.waiting, n)
	q.mu.Unlock()
	poke(q.wake)
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// take returns what was finished since the last call.
func (q *judgeQueue) take() []finished {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := q.done
	q.done = nil
	return out
}

// setJudge changes the judge of all waiting decisions.
func (q *judgeQueue) setJudge(j *Judge) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.judge = j
}

// next removes and returns the oldest news, with the number of decisions dropped before it
// and its judge; the judge is nil if the queue is empty.
func (q *judgeQueue) next() (n Report, skipped int, by *Judge) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return n, 0, nil
	}
	n, skipped = q.waiting[0], q.skipped
	q.waiting, q.skipped = q.waiting[1:], 0
	return n, skipped, q.judge
}

func (q *judgeQueue) run(ctx context.Context) {
	for {
		n, skipped, judge := q.next()
		if judge == nil {
			select {
			case <-ctx.Done():
				return
			case <-q.wake:
			}
			continue
		}
		f := finished{Report: n, skipped: skipped}
		if n.Topic == Judged {
			v, err := judged(ctx, judge, n.Judgement.Act)
			if ctx.Err() != nil {
				return
			}
			if f.judged = err == nil; f.judged {
				f.Judgement = &v
			}
		}
		q.mu.Lock()
		q.done = append(q.done, f)
		q.mu.Unlock()
		q.ready()
	}
}

// judged calls Judge and turns a panic into an error.
func judged(ctx context.Context, j *Judge, d Act) (v Judgement, err error) {
	defer panics.Recover(&err)
	return j.Judge(ctx, d)
}

// close stops the judge at once and returns the rest: finished news, and waiting news without
// a judgement.
func (q *judgeQueue) close() []finished {
	q.cancel()
	q.work.Wait()
	q.mu.Lock()
	defer q.mu.Unlock()
	out := q.done
	q.done = nil
	for _, n := range q.waiting {
		out = append(out, finished{Report: n})
	}
	q.waiting = nil
	return out
}
