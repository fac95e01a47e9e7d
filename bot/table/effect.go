package table

import "time"

// effect is what a table waits for: the effect of its last command, or the next action of
// the server or the opponent.
type effect uint8

const (
	seeNothing     effect = iota
	seeBoard              // a board that was asked for, or that the server sends unasked
	seeOpening            // the first board of a game
	seeEffect             // the effect of a repeated command
	seeRoll               // our dice
	seePlay               // the server accepts our play
	seeDouble             // the server passes our double on
	seeTake               // our take
	seeDrop               // our drop
	seeResignation        // the server passes our offer to resign on
	seeAcceptance         // our acceptance of a resignation
	seeRefusal            // our refusal of a resignation
	seeResult             // the score after a game
	seeJoinPrompt         // the prompt to join the next game
	seeJoin               // the next game
	seePartner            // the opponent joins the next game
	seeOpponent           // the opponent rolls, plays or answers
	seeMoves              // the list of moves that was asked for
	seeSaved              // the list of saved matches
	seeLeave              // we have left the board
	seeEnd                // the server no longer has the match that was announced as over
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

// effectOf returns the effect that proves an action was carried out.
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

// await is the one effect that is still to come.
type await struct {
	what  effect
	until time.Time
	tries int
}
