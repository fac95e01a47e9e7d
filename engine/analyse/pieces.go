package analyse

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/panics"
	"fibsbot/internal/shard"
)

// MaxPiece is the most decisions in a piece.
const MaxPiece = 256

// errNoEngine is returned by an Analyst without an Engine.
var errNoEngine = errors.New("analyse: no Engine")

// errNoMatch is returned where there is nothing to analyse.
var errNoMatch = errors.New("analyse: no match")

// errPiece is wrapped by errors about pieces and results of no analysis.
var errPiece = errors.New("not of this analysis")

// Work is a match cut into pieces.
type Work struct {
	m      *record.Match
	tasks  []task
	size   int
	pieces []shard.Piece
	// queries and found hold what is asked and answered in this process, a task a piece. Both are nil
	// if the pieces are text, for a crew.
	queries []query
	found   []*record.Analysis
	had     bool // m held judgements
	// sameDepth marks players who searched as deep while playing as the analyst does.
	sameDepth [2]bool
}

// Pieces is how many there are.
func (w *Work) Pieces() int { return len(w.pieces) }

// Prepare cuts the decisions of a match that still need judging into pieces. It fails without
// an Engine or a match, with a Size outside 1 to MaxPiece (with a Crew), and for a game that
// the engine cannot play.
func (a *Analyst) Prepare(ctx context.Context, m *record.Match) (*Work, error) {
	if a.Engine == nil {
		return nil, errNoEngine
	}
	if m == nil {
		return nil, errNoMatch
	}
	if _, err := a.with(ctx, m.Rules.Board()); err != nil {
		return nil, fmt.Errorf("analyse %s: %w", m.Rules.Variation, err)
	}
	w := &Work{m: m, size: a.Size, had: Depth(m) != "", sameDepth: a.sameDepth(m)}
	spared := func(k *task) bool { return a.Weaker && w.sameDepth[k.player()] }
	w.tasks = a.tasks(m, func(k *task) bool {
		if !spared(k) {
			return a.isDue(k)
		}
		return k.resigned == nil && k.turn.Action.Kind == record.Move && a.luckDue(k.turn.Action.Analysis)
	})
	queryOf := func(k int) query {
		q := a.query(&w.tasks[k], false)
		if spared(&w.tasks[k]) {
			q.Had, q.LuckOnly = withoutLuck(w.tasks[k].turn.Action.Analysis), true
		}
		return q
	}
	if a.Crew == nil {
		w.size, w.found = 1, make([]*record.Analysis, len(w.tasks))
		for k := range w.tasks {
			w.queries = append(w.queries, queryOf(k))
			w.pieces = append(w.pieces, shard.Range{From: k, To: k + 1}.Piece())
		}
		return w, nil
	}
	if w.size < 1 || w.size > MaxPiece {
		return nil, fmt.Errorf("%w: pieces of %d decisions", errPiece, w.size)
	}
	if a.asked == nil {
		a.asked = map[string]int{}
	}
	for from := 0; from < len(w.tasks); from += w.size {
		list := make([]query, 0, w.size)
		for k := from; k < min(from+w.size, len(w.tasks)); k++ {
			list = append(list, queryOf(k))
		}
		ask, err := json.Marshal(list)
		if err != nil { // a figure of an earlier rollout in the file is NaN
			for i := range list {
				list[i].Had = nil
			}
			if ask, err = json.Marshal(list); err != nil {
				return nil, err
			}
		}
		w.pieces = append(w.pieces, shard.Piece{Key: a.key(ask), Ask: ask})
	}
	return w, nil
}

// withoutLuck returns a copy of an analysis without the luck of the roll, or nil of nil.
func withoutLuck(a *record.Analysis) *record.Analysis {
	if a == nil {
		return nil
	}
	out := *a
	out.Luck, out.LuckPlies = nil, nil
	return &out
}

// key is made of the question, so that a job can be resumed with other matches, and of how
// often it was asked: the same match may come twice.
func (a *Analyst) key(ask []byte) string {
	sum := sha256.Sum256(ask)
	name := hex.EncodeToString(sum[:12])
	a.asked[name]++
	return fmt.Sprintf("%s-%d", name, a.asked[name])
}

// Do is Analyse of a prepared match. ahead are the next ones, whose pieces a crew may begin.
func (a *Analyst) Do(ctx context.Context, w *Work, ahead []*Work) (*Summary, error) {
	switch {
	case a.Engine == nil:
		return nil, errNoEngine
	case w == nil || w.m == nil:
		return nil, errNoMatch
	}
	crew, here := a.Crew, w.found != nil
	switch {
	case here:
		crew = &shard.Local{Threads: a.Workers, New: func() (shard.Runner, error) { return w.here(a), nil }}
	case crew == nil:
		crew = &shard.Local{Threads: a.Workers, New: a.runner}
	}
	var next []shard.Piece
	for _, later := range ahead {
		if len(next) >= crew.Ahead() {
			break
		}
		if later != nil { // nil is a match that is not analysed
			next = append(next, later.pieces...)
		}
	}
	done := 0
	err := crew.Do(ctx, w.pieces, next, func(k int, res shard.Result) error {
		part := w.tasks[k*w.size : min((k+1)*w.size, len(w.tasks))]
		var list []*record.Analysis
		if here {
			list = w.found[k : k+1]
		} else if err := json.Unmarshal(res.Data, &list); err != nil || len(list) != len(part) {
			return fmt.Errorf("%w: a result for %d decisions", errPiece, len(part))
		}
		for i := range part {
			part[i].found(list[i])
			if done++; a.Progress != nil {
				a.Progress(done, len(w.tasks))
			}
		}
		return nil
	})
	if done > 0 {
		a.sign(w, w.had && !a.Again)
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("analysis stopped: %w", ctx.Err())
	}
	return Annotate(w.m, a.Engine.Table(), a.Limits), err
}

// here returns what judges a task of w in this process and leaves the answer in w.found.
func (w *Work) here(a *Analyst) shard.Func {
	return func(ctx context.Context, ask []byte) (_ []byte, err error) {
		defer panics.Recover(&err)
		r, err := shard.ParseRange(ask, 1)
		if err == nil {
			err = w.queries[r.From].validate()
		}
		if err == nil {
			w.found[r.From], err = a.judge(ctx, &w.queries[r.From])
		}
		return nil, err
	}
}

// runner makes what judges pieces on one goroutine.
func (a *Analyst) runner() (shard.Runner, error) {
	return shard.Func(func(ctx context.Context, ask []byte) (_ []byte, err error) {
		defer panics.Recover(&err)
		var list []query
		if err := json.Unmarshal(ask, &list); err != nil {
			return nil, fmt.Errorf("%w: %w", errPiece, err)
		}
		if len(list) == 0 || len(list) > MaxPiece {
			return nil, fmt.Errorf("%w: %d decisions", errPiece, len(list))
		}
		out := make([]*record.Analysis, len(list))
		for i := range list {
			if err := list[i].validate(); err != nil {
				return nil, err
			}
			if out[i], err = a.judge(ctx, &list[i]); err != nil {
				return nil, err
			}
		}
		return json.Marshal(out)
	}), nil
}

// validate refuses what no record can ask.
func (q *query) validate() error {
	if r := q.Resigned; r != nil {
		if r.Points < 1 || r.At.Position.Validate() != nil {
			return fmt.Errorf("%w: no resignation", errPiece)
		}
		return nil
	}
	if q.Kind == record.Roll || q.Kind == record.SetUp || int(q.Play.N) > len(q.Play.Steps) {
		return fmt.Errorf("%w: no decision", errPiece)
	}
	return nil
}

// spec is what judgements depend on. Of tells jobs apart.
type spec struct {
	Checker search.Settings `json:"checker"`
	Cube    search.Settings `json:"cube"`
	Close   preset.Close    `json:"close"`
	Luck    int             `json:"luck_plies"`
	Skip    Skip            `json:"skip"`
	Of      string          `json:"of"`
}

// Spec tells another process how to judge; FromSpec makes that again there. of names the
// matches: two analyses of different ones at the same time are two jobs.
func (a *Analyst) Spec(of ...string) ([]byte, error) {
	h := sha256.New()
	for _, name := range of {
		fmt.Fprintf(h, "%d %s\n", len(name), name)
	}
	return json.Marshal(spec{a.Checker, a.Cube, a.Close, a.LuckPlies, a.Skip, hex.EncodeToString(h.Sum(nil)[:8])})
}

// FromSpec returns a function that makes runners of decisions; o is what their engine rolls
// out with (engine.Engine.RolloutOptions). It returns an error if Spec did not write text, if
// a setting is out of range, or if o has no Search.
func FromSpec(o rollout.Options, text []byte) (func() (shard.Runner, error), error) {
	if o.Search == nil {
		return nil, errNoEngine
	}
	var s spec
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%w: %w", errPiece, err)
	}
	for _, x := range [2]search.Settings{s.Checker, s.Cube} {
		if err := x.Validate(); err != nil {
			return nil, err
		}
	}
	if err := s.Close.Validate(); err != nil {
		return nil, err
	}
	if s.Luck < 0 || s.Luck >= search.MaxPlies {
		return nil, fmt.Errorf("%w: luck at %d plies", errPiece, s.Luck)
	}
	a := &Analyst{Engine: o.Search, Checker: s.Checker, Cube: s.Cube, LuckPlies: s.Luck, Close: s.Close, Skip: s.Skip, Rollouts: o}
	return a.runner, nil
}

// Sample is what a piece of n first plays of a game asks, to see how long judging takes.
func Sample(n int) []byte {
	list := make([]query, n)
	for i := range list {
		d := board.Dice{A: uint8(3 + i%4), B: uint8(1 + i%2)}
		list[i] = query{Position: board.Start, State: match.State{Length: 5, Cube: 1}, Dice: d, Play: board.AppendPlays(nil, board.Start, d)[0]}
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // plain numbers
	}
	return text
}

// errNoTurn is returned by a Line that knows nothing to do.
var errNoTurn = errors.New("analyse: a Line without a Turn")

// Line has matches wait for their turn: with a crew elsewhere, while it can use the
// pieces of those behind the first. X is what the caller knows of a match.
type Line[X any] struct {
	Analyst *Analyst // nil: nothing is judged
	// Turn is called for each match, in order; later are those that come next. It must be
	// set.
	Turn func(x X, w *Work, later []*Work) error

	items []X
	works []*Work
}

// Add puts a match behind the others; w is nil where nothing is judged. The error is that
// of a Turn.
func (l *Line[X]) Add(w *Work, x X) error {
	ahead := 0
	if l.Analyst != nil && l.Analyst.Crew != nil {
		ahead = l.Analyst.Crew.Ahead()
	}
	l.items, l.works = append(l.items, x), append(l.works, w)
	return l.drain(ahead)
}

// End has the turns of all that wait.
func (l *Line[X]) End() error { return l.drain(0) }

// drain has turns while those behind have at least so many pieces.
func (l *Line[X]) drain(ahead int) error {
	for len(l.items) > 0 {
		have := 0
		for _, w := range l.works[1:] {
			if w != nil {
				have += w.Pieces()
			}
		}
		if have < ahead {
			return nil
		}
		if l.Turn == nil {
			return errNoTurn
		}
		x, w := l.items[0], l.works[0]
		l.items, l.works = l.items[1:], l.works[1:]
		if err := l.Turn(x, w, l.works); err != nil {
			return err
		}
	}
	return nil
}
