package protocol

import (
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
)

// You names the account itself in an Event.
const You = "(you)"

// Event is what the server said. Kind says which of the fields are filled.
type Event struct {
	Kind Kind
	// Raw is the server's line, as the journal keeps it. It may be empty in an Event that
	// the adapter made up.
	Raw string
	// Keep reports that the event may concern a match of the account and belongs in its
	// journal.
	Keep bool
	// Name is the player it is about, You for the account; Other a second one.
	Name, Other string
	// Text is free text. Chat is written by strangers: do not take it for a statement of
	// the server.
	Text string
	// Length is a match length, 0 for unlimited, -1 for unknown.
	Length int
	// Points are points won, offered or held.
	Points int
	// Cube is the value of the cube, or 0 if unknown.
	Cube int
	// Count is a number of matches.
	Count int
	// Match is the server's number of the match, or 0 if unknown. Numbers rise while the
	// server runs. With NoMatch it is the highest number known.
	Match int
	// Score is Name's score, then Other's.
	Score [2]int
	Dice  board.Dice
	// Steps are a play in the mover's own numbering. An unreadable step is one that no
	// position allows.
	Steps []board.Step
	// How says how a game was won.
	How sheet.How
	// Left is why a player left.
	Left Leaving
	// First reports, in a list of moves, that the line is the first listed player's.
	First bool
	// Ends is the announced cause of the connection's end.
	Ends Cause
	// Corrupt reports, for InviteFailed, that the server cannot load the saved match.
	Corrupt bool
	// MayBeaver reports that we may answer a double with a Beaver.
	MayBeaver bool
	// Board is set for a BoardLine that makes sense.
	Board *sheet.Board
	// User is set for UserInfo.
	User *User
}

// IsYou reports whether the event is about the account itself.
func (e *Event) IsYou() bool { return e.Name == You }

// Leaving is why a player left a match or the server.
type Leaving uint8

// The reasons.
const (
	LeftUnknown   Leaving = iota // no player left, or the reason is unknown
	LeftMatch                    // left the match by a command
	LeftServer                   // logged out
	LeftOtherwise                // connection broken, idle too long, or another reason
)

// User is a player who is on line.
type User struct {
	Name     string
	Opponent string // in the running match, or empty
	// Ready is true for a player who takes invitations; it may stay true during a match.
	Ready, Away bool
	Rating      float64 // 0 if unknown
	Experience  int     // sum of the lengths of the player's matches, -1 if unknown
	Idle        int     // seconds since the player's last command
	Client      string  // the player's program, or empty if unknown
}

// Available reports whether the player could accept an invitation now.
func (u User) Available() bool { return u.Ready && u.Opponent == "" }

//go:generate go run golang.org/x/tools/cmd/stringer@v0.52.0 -type=Kind -output=string.go

// Kind says what an Event is.
type Kind uint8

// Kinds of events. A server need not have all of them.
const (
	// Other is anything that the bot does not use. The journal may: see Keep.
	Other Kind = iota
	// Unknown is a line that the protocol does not understand.
	Unknown
	// Noise is a line that was damaged on the way and means nothing.
	Noise

	// The lobby.

	// UserInfo describes a player who is on line: User.
	UserInfo
	// LogsOut: Name left the server.
	LogsOut
	// SavedBegins: the list of the account's saved matches begins, or is empty.
	SavedBegins
	// SavedMatch is an entry of the list: with Name; Score has the account's points first.
	SavedMatch
	// SavedCount: Name has Count saved matches.
	SavedCount
	// Invites: Name invites to a match of Length points.
	Invites
	// InvitesResume: Name invites to resume a saved match.
	InvitesResume
	// WarnsSaved: there is a saved match with the player who has just invited us. Accepting
	// the invitation would erase it.
	WarnsSaved
	// Invited: our invitation of Name to a new match has been passed on.
	Invited
	// InvitedResume: our invitation of Name to a saved match has been passed on.
	InvitedResume
	// NoSavedMatch: there is no saved match with Name. First reports that it answers a
	// request for a list of moves, not an invitation.
	NoSavedMatch
	// NoSuchPlayer: Name is not on line.
	NoSuchPlayer
	// InviteFailed: our invitation or join had no effect; Name may be empty.
	InviteFailed
	// MatchBegins: a match of Length points with Name.
	MatchBegins
	// MatchResumes: the saved match with Name is resumed.
	MatchResumes
	// MatchGoesOn: a match is running that no other event announced.
	MatchGoesOn
	// NoMatch: the account plays no match.
	NoMatch
	// MatchSaved: the match of Name was interrupted and saved; Left is the reason.
	MatchSaved

	// The match.

	// MatchLength: the match resumed is of Length points.
	MatchLength
	// PointsHeld: Name has Points in the match resumed.
	PointsHeld
	// GameBegins: a new game.
	GameBegins
	// OpeningRoll: Dice of both players.
	OpeningRoll
	// FirstMove: Name won the opening roll and moves first.
	FirstMove
	// MayRoll: the account is on turn and must roll, or may double.
	MayRoll
	// Rolls: Name rolled Dice.
	Rolls
	// Moves: Name played Steps.
	Moves
	// OnlyMove: the server played Steps for the player on turn, who had no choice.
	OnlyMove
	// BearsOff: a player bore off; the next board shows which checkers.
	BearsOff
	// CannotMove: Name has no legal play.
	CannotMove
	// Doubles: Name doubles.
	Doubles
	// Redoubles: Name takes the double and turns the cube at once; Cube is offered.
	Redoubles
	// Takes: Name takes; Cube is its new value.
	Takes
	// OffersResign: Name offers to resign for Points.
	OffersResign
	// RefusesResign: Name refuses the offer.
	RefusesResign
	// OfferStands: our offer to resign is still unanswered.
	OfferStands
	// AlreadyDone: our command had been carried out before.
	AlreadyDone
	// AnswerResign: the account has to answer an offer to resign first.
	AnswerResign
	// NothingToAnswer: there is no double and no offer to answer.
	NothingToAnswer
	// GameOver: Name won (or, with Name unknown, Other lost) Points; How.
	GameOver
	// Score: Name and Other have Score.
	Score
	// MatchOver: Name won the match by Score, the winner's points first.
	MatchOver
	// JoinNext: the account is asked whether to play the next game.
	JoinNext
	// WaitJoin: the opponent is asked.
	WaitJoin
	// BoardLine is a board: Board, or nil if it makes no sense. Keep reports whether it is
	// of the account's own match, with Other as opponent.
	BoardLine
	// BadBoard is a board that could not be read.
	BadBoard
	// NoDouble: no double is possible now.
	NoDouble
	// NoDoubleCrawford: no double is possible because this is the Crawford game.
	NoDoubleCrawford
	// PlayRefused: our play was refused as a play.
	PlayRefused
	// MoveRefused: our play was refused because it is not our move: Text.
	MoveRefused
	// Refused: a command of the match did nothing: Text.
	Refused

	// Lists of moves.

	// ListBegins: the list of the moves of a game begins.
	ListBegins
	// ListPlayers: the players of the list, Name first, then Other.
	ListPlayers
	// ListMove and those after it are lines of the list; First says whose.
	ListMove
	ListDouble
	ListAccept
	ListReject
	ListResign
	// ListOther is a line of the list of another form.
	ListOther
	// ListWon: the list ends with a win; First says whose.
	ListWon
	// ListRefused: the server does not know the command.
	ListRefused

	// OpponentGone: the opponent, Name, has left. The seat is kept unless the match is over.
	// OpponentBack: the opponent has returned.
	OpponentGone
	OpponentBack
	// MayLeave: we win the match if we leave, because the opponent, Name, has kept us waiting.
	MayLeave

	// Talk.

	// Says: Name says Text to the account alone.
	Says
	// Kibitzes: Name says Text to the players and watchers of a match.
	Kibitzes
	// Whispers: Name says Text to its watchers.
	Whispers
	// Shouts: Name talks to all users.
	Shouts
	// Remarked: our Kibitz or Whisper of Text went out.
	Remarked
	// TalkRefused: our chat command had no effect.
	TalkRefused

	// Watching others.

	// YouWatch: the account watches Name now.
	YouWatch
	// YouUnwatch: the account no longer watches; Left is set if Name left.
	YouUnwatch
	// WatchRefused: Name, if known, does not allow watching.
	WatchRefused
	// ShutOut: Name bans Other, or the account, from watching.
	ShutOut
	// CannotWatch: the match of Name and Other may not be watched.
	CannotWatch
	// PlaysNothing: Name plays no match.
	PlaysNothing
	// OthersBegin: Name and Other begin a match of Length points.
	OthersBegin
	// OthersResume: Name and Other resume a match.
	OthersResume

	// Ending: the server will end the connection: Ends, Text.
	Ending
)
