package table

import "time"

// effect is what a table waits for: the effect of its last command, or the next action of
// the server or the opponent.
type effect string

const (
	seeNothing     effect = ""
	seeBoard       effect = "board"              // one that was asked for, or that the server sends unasked
	seeOpening     effect = "opening board"      // the first board of a game
	seeEffect      effect = "effect"             // of a repeated command
	seeRoll        effect = "roll"               // our dice
	seePlay        effect = "play"               // the server accepts our play
	seeDouble      effect = "double"             // the server passes our double on
	seeTake        effect = "take"               // ours
	seeDrop        effect = "drop"               // ours
	seeResignation effect = "resign"             // the server passes our offer to resign on
	seeAcceptance  effect = "accept resignation" // ours
	seeRefusal     effect = "reject resignation" // ours
	seeResult      effect = "result"             // the score after a game
	seeJoinPrompt  effect = "join prompt"        // to join the next game
	seeJoin        effect = "join"               // the next game
	seePartner     effect = "partner"            // the opponent joins the next game
	seeOpponent    effect = "opponent"           // rolls, plays or answers
	seeMoves       effect = "oldmoves"           // the list of moves that was asked for
	seeSaved       effect = "saved"              // the list of saved matches
	seeLeave       effect = "leave"              // we have left the board
	seeEnd         effect = "end of match"       // the server no longer has the match that was announced as over
)

// await is the one effect that is still to come.
type await struct {
	what  effect
	until time.Time
	tries int
}
