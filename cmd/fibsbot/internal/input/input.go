package input

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/bot/fibs"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Position names a position: by a text or by its checkers, with what overrides the state
// that the text holds. Only one of Position and Board is required; a Variation alone means
// its start.
type Position struct {
	// Position in any form of package advice, a FIBS board: line, or the name of a
	// variation for its start. A roll may follow, which counts before Dice: "4HPwATDgc/ABMA 31".
	Position string `json:"position,omitempty"`
	// Board instead: checkers of the player on roll and of the opponent, each by own
	// point from the ace point on, the bar last.
	Board *[2][25]int `json:"board,omitempty"`
	Dice  Roll        `json:"dice,omitempty"`
	advice.Overrides
	// Variation is the game, one of record.VariationNames.
	Variation string `json:"variation,omitempty"`
	// Egyptian allows at most five checkers on a point.
	Egyptian bool `json:"egyptian,omitempty"`
}

// Question is a position as it was read.
type Question struct {
	match.Situation
	Rules board.Rules
	// Assumed are the rules that the input left open, see advice.Assumed.
	Assumed []string
}

// noText is the problem of an empty position.
const noText = "empty: want a Position ID, PositionID:MatchID, an XGID, an OGID or gnubg's text"

// Question reads the position and refuses a finished game. Errors are *advice.FieldError
// with the field's name in JSON.
func (p *Position) Question() (Question, error) {
	q, err := p.Read()
	if err == nil && q.Rules.Result(&q.Position) != 0 {
		err = wrong("position", "the game is over in this position")
	}
	return q, err
}

// Read is Question without refusing a finished game.
func (p *Position) Read() (q Question, err error) {
	game, err := record.ReadVariation(p.Variation)
	if err != nil {
		return q, wrong("variation", "%v", err)
	}
	text, roll := cutRoll(p.Position)
	switch {
	case p.Board != nil && text != "":
		return q, wrong("board", "give a position or a board, not both")
	case p.Board != nil:
		q.State = match.Money(true, match.DefaultBeavers)
		err = checkers(p.Board, &q.Position)
	case text == "" && p.Variation != "":
		start := game.Start()
		text = start.ID()
		q.Situation, err = advice.Read(text)
	default:
		q.Situation, game, err = readText(text, game, p.Variation != "")
	}
	if err != nil {
		return q, err
	}
	if n := max(q.Position.Me.Count(), q.Position.Opp.Count()); n > game.Checkers() {
		return q, wrong(map[bool]string{true: "board", false: "position"}[p.Board != nil], "%d checkers on one side: %s has %d", n, gameName(game), game.Checkers())
	}
	if err := p.Apply(&q.Situation); err != nil {
		return q, err
	}
	if len(p.Dice) > 0 && !roll.Valid() {
		if roll, err = p.Dice.dice(); err != nil {
			return q, err
		}
	}
	if roll.Valid() {
		q.Dice, q.Doubled = roll, false
	}
	q.Rules = game.Board(p.Egyptian)
	q.Assumed = advice.Assumed(text, q.Situation, &p.Overrides)
	return q, nil
}

// MatchState reads the state alone. The text may be a Match ID, or empty where the fields
// name the state. With money the state may be one of money play. Without it, a turned cube
// that has no owner goes to the player on roll: a conversion is the same for both owners.
func (p Position) MatchState(money bool) (match.State, error) {
	start := board.Start.ID()
	switch {
	case p.Position == "":
		if p.Length == nil {
			return match.State{}, wrong("length", "a match is needed (give a length and a score, or a state)")
		}
		p.Position = start
	case len(p.Position) == match.MatchIDLength:
		p.Position = start + ":" + p.Position
	}
	if p.Owner == nil && p.Cube != nil && *p.Cube > 1 && !money {
		me := "me"
		p.Owner = &me
	}
	q, err := p.Read()
	if err == nil && q.State.Length == 0 && !money {
		field := "position"
		if p.Length != nil {
			field = "length"
		}
		err = wrong(field, "money play has no match to win (give the length of a match)")
	}
	return q.State, err
}

// readText reads a text of the game, or of the one that the text names. named reports
// whether game was asked for.
func readText(text string, game record.Variation, named bool) (s match.Situation, _ record.Variation, err error) {
	if text == "" {
		return s, game, wrong("position", noText)
	}
	if advice.IsBoardLine(text) {
		s, err = fibs.ReadBoard(text)
	} else {
		if v, known := record.ParseVariation(text); known {
			if named && game != v {
				return s, game, wrong("position", "%s is not the start of %s", strings.ToLower(text), gameName(game))
			}
			game = v
			if v.Checkers() < board.MaxCheckers { // advice.Read knows no rules for these
				start := v.Start()
				text = start.ID()
			}
		}
		s, err = advice.Read(text)
	}
	if err != nil {
		return s, game, wrong("position", "%v", err)
	}
	return s, game, nil
}

// gameName is a variation as flags and JSON spell it.
func gameName(v record.Variation) string {
	if v == record.Backgammon {
		return "backgammon"
	}
	return strings.TrimSuffix(strings.ToLower(string(v)), "3")
}

func wrong(field, format string, args ...any) error {
	return &advice.FieldError{Field: field, Problem: fmt.Sprintf(format, args...)}
}

// checkers reads a Board.
func checkers(from *[2][25]int, p *board.Position) error {
	for side, to := range []*board.Checkers{&p.Me, &p.Opp} {
		n := 0
		for i, c := range from[side] {
			if c < 0 || c > board.MaxCheckers {
				return wrong("board", "%d checkers on a point", c)
			}
			to[i] = uint8(c)
			n += c
		}
		if n > board.MaxCheckers {
			return wrong("board", "%d checkers on one side: there are %d", n, board.MaxCheckers)
		}
	}
	if err := p.Validate(); err != nil {
		return wrong("board", "%v", err)
	}
	return nil
}

// trailingRoll is a roll after a position; no ID ends in so short a word.
var trailingRoll = regexp.MustCompile(`^(?s:(.*\S))\s+([1-6])[-,: ]?([1-6])\s*$`)

// cutRoll splits a trailing roll off the text of a position.
func cutRoll(text string) (string, board.Dice) {
	if m := trailingRoll.FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[1]), board.Dice{A: m[2][0] - '0', B: m[3][0] - '0'}.Sorted()
	}
	return strings.TrimSpace(text), board.Dice{}
}

// Roll is two dice, or empty for none.
type Roll []int

// UnmarshalJSON reads two numbers, or none; its error is an *advice.FieldError.
func (r *Roll) UnmarshalJSON(text []byte) error {
	var list []int
	if err := json.Unmarshal(text, &list); err != nil {
		return wrong("dice", "want two numbers from 1 to 6")
	}
	*r = list
	if len(list) == 0 {
		return nil
	}
	_, err := r.dice()
	return err
}

func (r Roll) dice() (board.Dice, error) {
	if len(r) == 2 && min(r[0], r[1]) >= 1 && max(r[0], r[1]) <= 6 {
		return board.Dice{A: uint8(r[0]), B: uint8(r[1])}, nil
	}
	return board.Dice{}, wrong("dice", "want two numbers from 1 to 6")
}

// Dice reads a roll as people type it: 31, 3-1, 3,1 or "3 1".
func Dice(text string) (board.Dice, error) {
	digits := strings.NewReplacer("-", "", ",", "", " ", "", ":", "").Replace(text)
	n, err := strconv.Atoi(digits)
	if err == nil && len(digits) == 2 {
		if d := (board.Dice{A: uint8(n / 10), B: uint8(n % 10)}); d.Valid() {
			return d.Sorted(), nil
		}
	}
	return board.Dice{}, fmt.Errorf("%.20q is not a roll (use 31 for a three and a one)", text)
}

// score reads a score A-B; A:B and A,B mean the same.
func score(text string) (out advice.JSONScore, err error) {
	a, b, ok := strings.Cut(strings.NewReplacer(",", "-", ":", "-", " ", "").Replace(text), "-")
	if ok {
		if out[0], err = strconv.Atoi(a); err == nil {
			out[1], err = strconv.Atoi(b)
		}
	}
	if !ok || err != nil || out[0] < 0 || out[1] < 0 {
		return out, fmt.Errorf("%.20q is not a score (use 3-5 with the points of the player on roll first)", text)
	}
	return out, nil
}
