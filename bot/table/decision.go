package table

import (
	"context"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/pace"
	"fibsbot/engine/record"
)

// Question is what the bot has to decide now.
type Question string

// The four questions of a game. AskRoll and AskPlay come on the bot's own turn,
// AskTake on the opponent's double, AskResign on the opponent's offer to resign,
// which may come on either player's turn.
const (
	// AskRoll: before the roll: roll, double or resign.
	AskRoll Question = "roll"
	// AskPlay: the dice are on the board: play them.
	AskPlay Question = "play"
	// AskTake: the opponent doubled: take or drop.
	AskTake Question = "take"
	// AskResign: the opponent wants to resign: accept or not.
	AskResign Question = "resign"
)

// Situation is one question with everything an engine needs to answer it. Me is always the
// bot, even if the opponent is on roll.
type Situation struct {
	Ask      Question
	Position board.Position // Me is the bot
	// State is from the bot's side. On AskTake it is the state before the double: the
	// doubler may still turn the cube.
	State match.State
	// Dice is the roll to play on AskPlay, and on AskResign the roll of the player on turn,
	// if there is one. Zero before a roll.
	Dice board.Dice
	// OnTurn reports whether the bot is on turn. It is false on AskTake.
	OnTurn bool
	// Doubled reports, on AskResign, whether the player on turn has doubled and waits for
	// the answer.
	Doubled bool
	// MayDouble reports, on AskRoll, whether a double is legal and can matter.
	MayDouble bool
	// Offered, on AskResign, is how many games the opponent offers: 1 single, 2 gammon,
	// 3 backgammon. Multiplied by the cube it is the number of points.
	Offered int
	// MayResign reports whether the bot may offer to resign: not again on the turn of a
	// refusal, and not on servers where a resignation needs no acceptance.
	MayResign bool

	Opponent string // name on the server
	Game     int    // number of the game in the match, from 1
	// Generation numbers the states of the table. An answer to an older generation is
	// dropped.
	Generation uint64
}

// Action is what the bot does.
type Action string

// The answers: Roll, Double and Resign to AskRoll; Play and Resign to AskPlay;
// Take and Drop to AskTake; AcceptResign and RejectResign to AskResign.
const (
	Roll         Action = "roll"
	Double       Action = "double"
	Play         Action = "play"
	Take         Action = "take"
	Drop         Action = "drop"
	AcceptResign Action = "accept resignation"
	RejectResign Action = "reject resignation"
	Resign       Action = "resign"
)

// Answer is what a Decider answers to a Situation.
type Answer struct {
	Action Action
	Play   board.Play // for Play
	Games  int        // for Resign: 1 single, 2 gammon, 3 backgammon
	// Difficulty sets how long the bot seems to think.
	Difficulty pace.Difficulty
	// Thought is the analysis for the record of the match, or nil.
	Thought *record.Analysis
	// By says for the record which engine decided, and why if that is not the one that was to;
	// empty where only one could.
	By string
}

// Decider answers the questions of a game. Each table calls Decide from one goroutine at a
// time, but several tables may share a Decider. Decide returns early when ctx ends: the
// state has changed and the answer is no longer needed.
type Decider interface {
	Decide(ctx context.Context, s Situation) (Answer, error)
}

// Answers reports whether a answers the question of s. It guards the table against a
// decider that mixes questions up.
func (a Answer) Answers(s Situation) bool {
	switch s.Ask {
	case AskRoll:
		return a.Action == Roll || a.Action == Double && s.MayDouble || a.resigns()
	case AskPlay:
		return a.Action == Play && a.Play.N > 0 || a.resigns()
	case AskTake:
		return a.Action == Take || a.Action == Drop
	case AskResign:
		return a.Action == AcceptResign || a.Action == RejectResign
	}
	return false
}

func (a Answer) resigns() bool {
	return a.Action == Resign && a.Games >= 1 && a.Games <= 3
}

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
	By       string           `json:"b,omitempty"` // of the Answer
}

// thought joins a situation and what is recorded of its answer.
func (s *Situation) thought(d *Answer) *Thought {
	return &Thought{Game: s.Game, Ask: s.Ask, Position: s.Position, Dice: s.Dice, Cube: max(1, s.State.Cube), Owner: s.State.Owner, Analysis: d.Thought, By: d.By}
}
