package api

import (
	"errors"
	"strings"

	"fibsbot/bot/fibs"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
)

// Position is how requests name a position: by any ID or by its checkers, and what
// overrides the state that the ID holds. Everything but one of position and board
// may be left out.
type Position struct {
	// Position in any form: Position ID, both gnubg IDs, XGID, gnubg's text, a FIBS
	// board: line.
	Position string `json:"position,omitempty"`
	// Board instead: checkers of the player on roll and of the opponent, each by own
	// point from the ace point on, the bar last.
	Board *[2][25]int `json:"board,omitempty"`
	Dice  []int       `json:"dice,omitempty"`
	// Preset that answers; worldclass without one.
	Preset string `json:"preset,omitempty"`
	// Length of the match, 0 for money; Score of the player on roll and the opponent.
	Length   *int              `json:"length,omitempty"`
	Score    *advice.JSONScore `json:"score,omitempty"`
	Cube     *int              `json:"cube,omitempty"`
	Owner    *string           `json:"owner,omitempty"` // me, opponent or centre
	Crawford *bool             `json:"crawford,omitempty"`
	Jacoby   *bool             `json:"jacoby,omitempty"`
	Beavers  *int              `json:"beavers,omitempty"`
	// Swap gives the roll to the other player.
	Swap bool `json:"swap,omitempty"`
	// Variation is the game: backgammon, nackgammon, longgammon, hypergammon,
	// hypergammon1 or hypergammon2. Without position and board its start is meant.
	Variation string `json:"variation,omitempty"`
	// Egyptian allows no more than five checkers on a point.
	Egyptian bool `json:"egyptian,omitempty"`
}

// asked is a position with the strength that answers and the engine that plays its game.
type asked struct {
	match.Situation
	preset preset.Preset
	engine *engine.Engine
}

// read returns what is asked; a Problem names the field.
func (a *API) read(in *Position) (q asked, err error) {
	v, err := in.variation()
	if err != nil {
		return q, err
	}
	if q.Situation, err = in.situation(); err != nil {
		return q, err
	}
	rules := v.Board(in.Egyptian)
	if rules.Result(&q.Position) != 0 {
		return q, bad("position", "the game is over in this position")
	}
	if q.engine, err = a.opt.Engine.With(rules); err != nil {
		return q, bad("variation", "%v", err)
	}
	q.preset, err = a.preset(in.Preset)
	return q, err
}

// variation is the game that is asked about.
func (in *Position) variation() (record.Variation, error) {
	v, err := record.ReadVariation(in.Variation)
	if err != nil {
		return v, bad("variation", "%v", err)
	}
	return v, nil
}

func (a *API) preset(name string) (preset.Preset, error) {
	if name == "" {
		name = "worldclass"
	}
	p, err := a.opt.Preset(name)
	if err != nil {
		return p, bad("preset", "%v", err)
	}
	return p.WithSeed(1), nil
}

// situation reads the position and what overrides it.
func (in *Position) situation() (match.Situation, error) {
	s := match.Situation{State: match.Money(true, match.DefaultBeavers)}
	v, err := in.variation()
	if err != nil {
		return s, err
	}
	switch {
	case in.Board == nil && in.Position == "" && in.Variation != "":
		s.Position = v.Start()
	case in.Board != nil && in.Position != "":
		return s, bad("board", "give a position or a board, not both")
	case in.Board != nil:
		err = in.checkers(&s.Position)
	case advice.IsBoardLine(in.Position):
		s, err = fibs.ReadBoard(in.Position)
	case strings.TrimSpace(in.Position) == "":
		return s, bad("position", "empty: want a Position ID, PositionID:MatchID, an XGID, an OGID or gnubg's text")
	default:
		s, err = advice.Read(in.Position)
	}
	if err != nil {
		if p, ok := err.(*Problem); ok {
			return s, p
		}
		return s, bad("position", "%v", err)
	}
	if n := max(s.Position.Me.Count(), s.Position.Opp.Count()); n > v.Checkers() {
		return s, bad(map[bool]string{true: "board", false: "position"}[in.Board != nil], "%d checkers on one side: %s has %d", n, strings.ToLower(string(v)), v.Checkers())
	}
	if err := in.override(&s); err != nil {
		return s, err
	}
	if len(in.Dice) > 0 {
		d := board.Dice{}
		if len(in.Dice) == 2 && in.Dice[0] >= 1 && in.Dice[0] <= 6 && in.Dice[1] >= 1 && in.Dice[1] <= 6 {
			d = board.Dice{A: uint8(in.Dice[0]), B: uint8(in.Dice[1])}
		}
		if !d.Valid() {
			return s, bad("dice", "want two numbers from 1 to 6")
		}
		s.Dice, s.Doubled = d, false
	}
	return s, nil
}

func (in *Position) checkers(p *board.Position) error {
	for side, to := range []*board.Checkers{&p.Me, &p.Opp} {
		n := 0
		for i, c := range in.Board[side] {
			if c < 0 || c > board.MaxCheckers {
				return bad("board", "%d checkers on a point", c)
			}
			to[i] = uint8(c)
			n += c
		}
		if n > board.MaxCheckers {
			return bad("board", "%d checkers on one side: there are 15", n)
		}
	}
	if err := p.Validate(); err != nil {
		return bad("board", "%v", err)
	}
	return nil
}

// override changes what the fields say and names the one that cannot be.
func (in *Position) override(s *match.Situation) error {
	o := advice.Overrides{Swap: in.Swap, Length: in.Length, Score: (*[2]int)(in.Score), Cube: in.Cube, Owner: in.Owner,
		Crawford: in.Crawford, Jacoby: in.Jacoby, Beavers: in.Beavers}
	length := s.State.Length
	if in.Length != nil {
		length = *in.Length
	}
	if length > 0 {
		o.Jacoby, o.Beavers = nil, nil // pages send them always
	}
	var wrong *advice.FieldError
	if err := o.Apply(s); errors.As(err, &wrong) {
		return bad(wrong.Field, "%s", wrong.Problem)
	}
	return nil
}

// Described is a position in every form.
type Described struct {
	PositionID string     `json:"position_id"`
	MatchID    string     `json:"match_id"`
	XGID       string     `json:"xgid"`
	Board      [2][25]int `json:"board"`
	// Checkers is how many each side has in the game, Off how many of them are off.
	Checkers int    `json:"checkers"`
	Off      [2]int `json:"off"`
	Pips     [2]int `json:"pips"`
	Dice     []int  `json:"dice"`
	Length   int    `json:"length"`
	Score    [2]int `json:"score"`
	Cube     int    `json:"cube"`
	Owner    string `json:"owner"`
	Crawford bool   `json:"crawford"`
	Jacoby   bool   `json:"jacoby"`
	Beavers  int    `json:"beavers"`
	// Contact tells whether the sides still have to pass each other; Finished that
	// the game is over.
	Contact  bool `json:"contact"`
	Finished bool `json:"finished"`
}

// described writes a position of the game r in every form.
func described(s match.Situation, r board.Rules) Described {
	d := Described{
		PositionID: s.Position.ID(), MatchID: s.MatchID(), XGID: s.XGID(), Dice: []int{},
		Pips:   [2]int{s.Position.Me.Pips(), s.Position.Opp.Pips()},
		Length: s.State.Length, Score: s.State.Score, Cube: s.State.Cube,
		Owner:    [...]string{match.Centred: "centre", match.Mine: "me", match.Theirs: "opponent"}[s.State.Owner],
		Crawford: s.State.Crawford, Jacoby: s.State.Jacoby, Beavers: s.State.Beavers,
		Contact: s.Position.Contact(), Finished: r.Result(&s.Position) != 0, Checkers: r.Each(),
		Off: [2]int{r.Each() - s.Position.Me.Count(), r.Each() - s.Position.Opp.Count()},
	}
	for i := range 25 {
		d.Board[0][i], d.Board[1][i] = int(s.Position.Me[i]), int(s.Position.Opp[i])
	}
	if s.Dice.Valid() {
		d.Dice = []int{int(s.Dice.A), int(s.Dice.B)}
	}
	return d
}
