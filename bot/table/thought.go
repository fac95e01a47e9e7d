package table

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Thought is what the bot thought when it decided: where in the match that was, by what
// stood on the table, and what it found.
type Thought struct {
	Game     int // from 1
	Ask      Question
	Position board.Position // Me is the bot
	Dice     board.Dice
	// Cube and Owner are those of the Situation: before the double on AskTake.
	Cube  int
	Owner match.Owner
	// Analysis has candidates on AskPlay, on AskRoll and AskTake the cube decision
	// as the doubler sees it.
	Analysis *record.Analysis
}

// thought says where and what the bot thought in a situation.
func (s *Situation) thought(a *record.Analysis) *Thought {
	return &Thought{Game: s.Game, Ask: s.Ask, Position: s.Position, Dice: s.Dice, Cube: max(1, s.State.Cube), Owner: s.State.Owner, Analysis: a}
}
