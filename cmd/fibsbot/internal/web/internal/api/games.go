package api

import (
	"errors"
	"time"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/explain"
	"fibsbot/engine/record"
	"fibsbot/internal/http"
)

// Game is an unfinished match against the engine.
type Game struct {
	ID      string     `json:"id"`
	Created time.Time  `json:"created"`
	Names   [2]string  `json:"names"`
	Length  int        `json:"length"`
	Score   [2]int     `json:"score"`
	Game    int        `json:"game"`
	Phase   play.Phase `json:"phase"`
	// Variation is the game if it is not backgammon.
	Variation record.Variation `json:"variation,omitempty"`
	Egyptian  bool             `json:"egyptian,omitempty"`
}

// GameList holds the unfinished matches. Damaged is the error of unreadable files.
type GameList struct {
	Games   []Game `json:"games"`
	Damaged string `json:"damaged,omitempty"`
}

func (a *API) games(_ *http.Request, _ any) (any, error) {
	list, err := a.opt.Matches.List()
	if err != nil && !errors.Is(err, play.ErrFile) {
		return nil, err
	}
	out := GameList{Games: []Game{}}
	if err != nil {
		out.Damaged = err.Error()
	}
	for _, m := range list {
		v := m.View()
		out.Games = append(out.Games, Game{v.ID, v.Created, v.Names, v.Length, v.Score, v.Game, v.Phase, v.Variation, v.Egyptian})
	}
	return out, nil
}

// GameState is a match and the tutor's answer to the last act.
type GameState struct {
	play.View
	// Warning is set if the tutor stopped the act because of its loss. The same request with
	// confirm carries it out.
	Warning *play.Cost `json:"warning,omitempty"`
	// Hint is what the tutor would do instead of the act of Warning.
	Hint *GameHint `json:"hint,omitempty"`
	// ThinkMS, after think, is how long a person would have thought, in milliseconds.
	ThinkMS int64 `json:"think_ms,omitempty"`
	// Archived is the ID of a finished match in the archive.
	Archived string `json:"archived,omitempty"`
}

// GameRequest holds the terms of a match and, if it does not begin with a game, its
// position. Score, cube and owner are seen by the player on roll, after on_roll, as for
// positions.
type GameRequest struct {
	play.Options
	// Length in points, 0 for money play. Absent: that of Position, else play.UsualLength.
	Length   *int              `json:"length,omitempty"`
	Position string            `json:"position,omitempty"`
	Dice     input.Roll        `json:"dice,omitempty"`
	OnRoll   string            `json:"on_roll,omitempty"`
	Score    *advice.JSONScore `json:"score,omitempty"`
	Cube     *int              `json:"cube,omitempty"`
	Owner    *string           `json:"owner,omitempty"`
	Crawford *bool             `json:"crawford,omitempty"`
	// PlayAs is me, the player on roll (or who answers the double of Position), or opponent.
	PlayAs string `json:"play_as,omitempty"`
}

// terms are the options of the match.
func (q *GameRequest) terms() (o play.Options, err error) {
	o = q.Options
	if q.PlayAs != "" && q.PlayAs != "me" && q.PlayAs != "opponent" {
		return o, bad("play_as", "unknown value %.20q (use me or opponent)", q.PlayAs)
	}
	if q.Position == "" {
		for field, given := range map[string]bool{"dice": len(q.Dice) > 0, "on_roll": q.OnRoll != "", "score": q.Score != nil, "cube": q.Cube != nil,
			"owner": q.Owner != nil, "crawford": q.Crawford != nil, "play_as": q.PlayAs != ""} {
			if given {
				return o, bad(field, "belongs to a position (give position too)")
			}
		}
		o.Length = play.UsualLength
		if q.Length != nil {
			o.Length = *q.Length
		}
		return o, nil
	}
	p := input.Position{Position: q.Position, Dice: q.Dice, Variation: string(o.Variation), Egyptian: o.Egyptian,
		Overrides: advice.Overrides{OnRoll: q.OnRoll, Length: q.Length, Score: q.Score, Cube: q.Cube, Owner: q.Owner, Crawford: q.Crawford,
			Jacoby: o.Jacoby, Beavers: o.Beavers}}
	x, err := p.Question()
	if err != nil {
		return o, err
	}
	o.StartFrom(x.Situation, q.PlayAs == "opponent")
	return o, nil
}

// openGame finds the match of a request.
func (a *API) openGame(r *http.Request) (*play.Match, error) {
	return a.opt.Matches.Get(r.PathValue("id"))
}

// newGame begins a match on the terms of the request.
func (a *API) newGame(r *http.Request, q GameRequest) (any, error) {
	o, err := q.terms()
	if err == nil {
		err = o.FindPreset(a.opt.Preset)
	}
	if err != nil {
		return nil, err
	}
	m, err := play.New(o, time.Now())
	if err == nil {
		o = m.Options()
		err = o.Ready(r.Context(), a.opt.Engine)
	}
	if err != nil {
		return nil, err
	}
	if err := a.opt.Matches.Add(m); err != nil {
		return nil, err
	}
	return GameState{View: m.View()}, nil
}

func (a *API) game(r *http.Request, m *play.Match, _ any) (any, error) {
	return GameState{View: m.View()}, nil
}

func (a *API) dropGame(r *http.Request, _ any) (any, error) {
	if _, err := a.opt.Matches.Get(r.PathValue("id")); err != nil && !errors.Is(err, play.ErrFile) {
		return nil, err
	}
	return struct{}{}, a.opt.Matches.Remove(r.PathValue("id"))
}

// maxSpent bounds the time of an act in milliseconds.
const maxSpent = 24 * 3600 * 1000

// ActRequest is an act of the person: roll, move, double, beaver, raccoon, take, drop,
// resign, accept, reject, next, again, swap or flag.
type ActRequest struct {
	Kind  string `json:"kind"`
	Play  string `json:"play,omitempty"`
	Level int    `json:"level,omitempty"`
	// Dice of a roll in a match whose dice are thrown by hand.
	Dice input.Roll `json:"dice,omitempty"`
	// Illegal records a play against the rules, in a match of two people.
	Illegal bool `json:"illegal,omitempty"`
	// SpentMS is the time that the act took, where a clock runs.
	SpentMS int64 `json:"spent_ms,omitempty"`
	// Version of the state that the person saw.
	Version int `json:"version"`
	// Tutor is the loss (EMG) from which the tutor warns, 0 for no tutor. Confirm carries
	// the act out anyway.
	Tutor   float64 `json:"tutor,omitempty"`
	Confirm bool    `json:"confirm,omitempty"`
}

func (a *API) act(r *http.Request, m *play.Match, q ActRequest) (any, error) {
	act := play.Act{Kind: play.Kind(q.Kind), Play: q.Play, Level: q.Level, Illegal: q.Illegal, Spent: min(max(q.SpentMS, 0), maxSpent)}
	if len(q.Dice) > 0 {
		act.Dice = [2]uint8{uint8(q.Dice[0]), uint8(q.Dice[1])} // Roll reads two dice only
	}
	if !(q.Tutor >= 0) || q.Tutor > 10 {
		return nil, bad("tutor", "%v: want 0 to 10", q.Tutor)
	}
	if q.Tutor > 0 && !q.Confirm && m.View().Version == q.Version {
		p, err := a.preset("worldclass")
		if err != nil {
			return nil, err
		}
		j, err := m.Cost(r.Context(), a.opt.Engine, act, p)
		if err != nil {
			return nil, err
		}
		if j.Loss >= q.Tutor {
			return GameState{View: m.View(), Warning: &j, Hint: a.hintOf(r, m, j.Hint)}, nil
		}
	}
	if err := m.Do(act, q.Version); err != nil {
		return nil, err
	}
	return a.saved(r, m)
}

// saved saves a match after an act, and archives it when it is over.
func (a *API) saved(r *http.Request, m *play.Match) (GameState, error) {
	out := GameState{View: m.View()}
	err := a.opt.Matches.Save(m)
	if err == nil && out.Phase == play.MatchOver {
		if out.Archived, err = a.opt.Matches.Finish(r.Context(), m); err == nil && out.Archived != "" {
			a.analyseLater(out.Archived)
		}
	}
	return out, err
}

// VersionRequest names the state that the person saw.
type VersionRequest struct {
	Version int `json:"version"`
}

// ThinkRequest names the state that the person saw.
type ThinkRequest struct {
	VersionRequest
	// ForMe lets the engine act for the person.
	ForMe bool `json:"for_me,omitempty"`
}

// think carries out the engine's next act at its turn.
func (a *API) think(r *http.Request, m *play.Match, q ThinkRequest) (any, error) {
	if m.View().Version != q.Version {
		return nil, play.ErrStale
	}
	side := play.Opponent
	if q.ForMe {
		side = play.You
	}
	thought, err := m.Pace(r.Context(), a.opt.Engine, side)
	if err != nil {
		return nil, err
	}
	done, err := m.ThinkFor(r.Context(), a.opt.Engine, side)
	if err != nil {
		return nil, err
	}
	if !done {
		return GameState{View: m.View()}, nil
	}
	out, err := a.saved(r, m)
	out.ThinkMS = thought.Milliseconds()
	return out, err
}

// CorrectRequest changes an earlier act of a match of two people.
type CorrectRequest struct {
	VersionRequest
	// Act is the number of the act. Dice are those of its roll.
	Act  int        `json:"act"`
	Dice input.Roll `json:"dice,omitempty"`
	Play *string    `json:"play,omitempty"`
	// Kind of an answer to a double: take, drop, beaver or raccoon.
	Kind string `json:"kind,omitempty"`
	// Remove takes out a double with the answers to it.
	Remove bool `json:"remove,omitempty"`
	// Doubled puts a double, and a take, before the roll of the act.
	Doubled bool `json:"doubled,omitempty"`
	// Cut drops the later acts that no longer fit.
	Cut bool `json:"cut,omitempty"`
}

func (a *API) correct(r *http.Request, m *play.Match, q CorrectRequest) (any, error) {
	c := play.Correction{Act: q.Act, Play: q.Play, Kind: play.Kind(q.Kind), Remove: q.Remove, Doubled: q.Doubled, Cut: q.Cut}
	if len(q.Dice) > 0 {
		c.Dice = [2]uint8{uint8(q.Dice[0]), uint8(q.Dice[1])}
	}
	if err := m.Correct(c, q.Version); err != nil {
		return nil, err
	}
	return a.saved(r, m)
}

func (a *API) undo(r *http.Request, m *play.Match, q VersionRequest) (any, error) {
	if err := m.Undo(q.Version); err != nil {
		return nil, err
	}
	return a.saved(r, m)
}

// closeGame ends and archives money play, or games from a position, after a finished game.
func (a *API) closeGame(r *http.Request, m *play.Match, q VersionRequest) (any, error) {
	v := m.View()
	if v.Version != q.Version {
		return nil, play.ErrStale
	}
	id, err := a.opt.Matches.Finish(r.Context(), m)
	if err == nil && id != "" {
		a.analyseLater(id)
	}
	return GameState{View: v, Archived: id}, err
}

// GameHint is the engine's choice: ranked plays, or the cube decision.
type GameHint struct {
	Plays *advice.Plays      `json:"plays,omitempty"`
	Cube  *advice.Evaluation `json:"cube,omitempty"`
	Words string             `json:"words"`
	// Answer reports that the decision is about the opponent's double.
	Answer bool `json:"answer,omitempty"`
	explain.Doc
}

func (a *API) hint(r *http.Request, m *play.Match, _ any) (any, error) {
	p, err := a.preset(r.URL.Query().Get("preset"))
	if err != nil {
		return nil, err
	}
	h, err := m.Hint(r.Context(), a.opt.Engine, p)
	if err != nil {
		return nil, err
	}
	return a.hintOf(r, m, h), nil
}

// hintOf is a hint about the match as pages show it.
func (a *API) hintOf(r *http.Request, m *play.Match, h *play.Hint) *GameHint {
	out, o := &GameHint{Answer: h.Answer, Words: "roll"}, m.Options()
	rules := o.Variation.Board(o.Egyptian)
	out.Doc = a.hintReason(r, rules, h)
	switch {
	case len(h.Plays) > 0:
		list := advice.PlaysOf(rules, h.Situation, h.Plays)
		out.Plays, out.Words = &list, list.Moves[0].Move
	case h.Accept != nil:
		out.Words = map[bool]string{true: "accept", false: "reject"}[*h.Accept]
	case h.Cube != nil:
		cube := advice.EvaluationOf(a.opt.Engine.Table(), rules, h.Situation, *h.Cube)
		out.Cube, out.Words = &cube, advice.Words(*h.Cube)
		if h.Answer {
			out.Words = string(h.Best())
		}
	}
	if h.Resign > 0 {
		out.Words = [...]string{1: "resign a single game", 2: "resign a gammon", 3: "resign a backgammon"}[h.Resign]
	}
	return out
}

// hintReason is the reason of a hint; a failure leaves the hint without one.
func (a *API) hintReason(r *http.Request, rules board.Rules, h *play.Hint) (out explain.Doc) {
	e, err := a.opt.Engine.With(r.Context(), rules)
	switch {
	case err != nil:
	case len(h.Plays) > 0:
		out, _ = a.playReason(r, e, h.Situation, h.Plays)
	case h.Cube != nil:
		out, _ = a.cubeReason(r, e, h.Situation, *h.Cube)
	}
	return out
}
