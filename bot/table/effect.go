package table

import "time"

// effect is what a table waits to see: what the last command of its own does, or
// what the server or the opponent must do next.
type effect uint8

const (
	seeNothing     effect = iota
	seeBoard              // the board that was asked for, or that follows by itself
	seeOpening            // the first board of a game
	seeEffect             // whatever a repeated command does
	seeRoll               // our dice
	seePlay               // our play is taken
	seeDouble             // our double is passed on
	seeTake               // our take
	seeDrop               // our drop
	seeResignation        // our offer to resign is passed on
	seeAcceptance         // our yes to a resignation
	seeRefusal            // our no to a resignation
	seeResult             // the score after a game
	seeJoinPrompt         // the question whether to go on with the next game
	seeJoin               // the next game
	seePartner            // the opponent goes on with the next game
	seeOpponent           // the opponent rolls, plays or answers
	seeMoves              // the list of moves that was asked for
	seeSaved              // the list of saved matches
	seeLeave              // we have left the board
	seeEnd                // the board no longer has the match that was announced as over
)

var effectNames = [...]string{
	seeBoard: "board", seeOpening: "opening board", seeEffect: "effect", seeRoll: "roll", seePlay: "play",
	seeDouble: "double", seeTake: "take", seeDrop: "drop", seeResignation: "resign",
	seeAcceptance: "accept resignation", seeRefusal: "reject resignation", seeResult: "result",
	seeJoinPrompt: "join prompt", seeJoin: "join", seePartner: "partner", seeOpponent: "opponent",
	seeMoves: "oldmoves", seeSaved: "saved", seeLeave: "leave", seeEnd: "end of match",
}

// String names the effect for the log.
func (e effect) String() string { return effectNames[e] }

// effectOf is what an answer to a question must show.
func effectOf(a Action) effect {
	switch a {
	case Roll:
		return seeRoll
	case Double:
		return seeDouble
	case Play:
		return seePlay
	case Take:
		return seeTake
	case Drop:
		return seeDrop
	case AcceptResign:
		return seeAcceptance
	case RejectResign:
		return seeRefusal
	case Resign:
		return seeResignation
	}
	return seeEffect
}

// await is the one effect that has not been seen.
type await struct {
	what  effect
	until time.Time
	tries int
}
