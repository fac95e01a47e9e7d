package table

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Thought is the bot's analysis of one of its decisions, with the position that identifies
// the decision in the match.
type Thought struct {
	Game     int            `json:"g"` // from 1
	Ask      Question       `json:"a"`
	Position board.Position `json:"-"` // Me is the bot
	Dice     board.Dice     `json:"d,omitzero"`
	// Cube and Owner are those of the Situation: on AskTake, before the double.
	Cube  int         `json:"c"`
	Owner match.Owner `json:"o"`
	// Analysis has candidates on AskPlay; on AskRoll and AskTake, the cube decision from
	// the doubler's side.
	Analysis *record.Analysis `json:"t"`
}

// thought joins a situation and its analysis.
func (s *Situation) thought(a *record.Analysis) *Thought {
	return &Thought{Game: s.Game, Ask: s.Ask, Position: s.Position, Dice: s.Dice, Cube: max(1, s.State.Cube), Owner: s.State.Owner, Analysis: a}
}
