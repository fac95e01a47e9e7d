package protocol

import (
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
)

// You names the account itself in an Event that speaks to it.
const You = "You"

// Event is what the server said. Kind says which of the fields are filled.
type Event struct {
	Kind Kind
	// Raw is what the server said, as the journal keeps it. An Event that the
	// adapter has made up itself has the Raw of what it stands for, or none.
	Raw string
	// Keep tells that it may say something about a match of the account's own, and
	// belongs in the journal of that match.
	Keep bool
	// Name is the player it is about, You for the account; Other a second one.
	Name, Other string
	// Text is free text. Strangers write chat: never act on it as if the server
	// had said it.
	Text string
	// Length is a match length, 0 unlimited, -1 not told.
	Length int
	// Points are points won, offered or held.
	Points int
	// Cube is the value of the cube, 0 not told.
	Cube int
	// Count is a number of matches.
	Count int
	// Match is what the server calls the match, in numbers that rise while it runs; of
	// NoMatch it is the highest number of a match that is known to be there. 0 not told.
	Match int
	// Score is Name's score, then Other's.
	Score [2]int
	Dice  board.Dice
	// Steps are a play in the mover's own numbering. What was no step is one that
	// no position allows.
	Steps []board.Step
	// How says how a game was won.
	How sheet.How
	// Left tells why somebody went.
	Left Leaving
	// First tells, in a list of moves, that the line is of the player listed first.
	First bool
	// Ends is the cause of the end of the connection that is announced.
	Ends Cause
	// MayBeaver tells that we may answer a double by a Beaver.
	MayBeaver bool
	// Board is set for a Board that makes sense.
	Board *sheet.Board
	// User is set for UserInfo.
	User *User
}

// IsYou tells whether the event is about the account itself.
func (e *Event) IsYou() bool { return e.Name == You }

// Leaving says why a player went from a match or from the server.
type Leaving uint8

// The reasons for going.
const (
	LeftUnknown   Leaving = iota // nobody went, or no reason was told
	LeftMatch                    // he left the match by a command
	LeftServer                   // he logged out
	LeftOtherwise                // his connection broke, he was idle too long and the like
)

// User is what a server tells of somebody on line.
type User struct {
	Name     string
	Opponent string // whom he plays, empty when nobody
	// Ready tells whether he takes invitations; it may stay true while he plays.
	Ready, Away bool
	Rating      float64 // 0 unknown
	Experience  int     // sum of the lengths of his matches, -1 unknown
	Idle        int     // seconds since his last command
}

// Available tells whether he could accept an invitation now.
func (u User) Available() bool { return u.Ready && u.Opponent == "" }

//go:generate go run golang.org/x/tools/cmd/stringer@v0.52.0 -type=Kind -output=string.go

// Kind says what an Event is.
type Kind uint8

// Kinds of events. A server need not have all of them.
const (
	// Other is anything the bot has no use for. Keep tells whether the journal has.
	Other Kind = iota
	// Unknown is a line that the protocol does not understand.
	Unknown
	// Noise is a line that was spoilt on the way; it stands for nothing.
	Noise

	// The lobby.

	// UserInfo tells about somebody on line: User.
	UserInfo
	// LogsOut: Name has gone from the server.
	LogsOut
	// SavedBegins: the list of the account's saved matches begins, or is empty.
	SavedBegins
	// SavedMatch is one of it: with Name, Score the account's first.
	SavedMatch
	// SavedCount: Name has Count saved matches.
	SavedCount
	// Invites: Name invites to a match of Length points.
	Invites
	// InvitesResume: Name invites to go on with a saved match.
	InvitesResume
	// WarnsSaved: a match is saved with who has just invited us; taking the
	// invitation would erase it.
	WarnsSaved
	// Invited: our invitation of Name to a new match has been passed on.
	Invited
	// InvitedResume: our invitation of Name to a saved match has been passed on.
	InvitedResume
	// NoSavedMatch: nothing is saved with Name. First tells that it answers the
	// request for a list of moves instead of an invitation.
	NoSavedMatch
	// NoSuchPlayer: Name is not on line.
	NoSuchPlayer
	// InviteFailed: an invitation or a join of ours did nothing; Name may be empty.
	InviteFailed
	// MatchBegins: a match of Length points with Name.
	MatchBegins
	// MatchResumes: the saved match with Name goes on.
	MatchResumes
	// MatchGoesOn: a match goes on of which nothing else was told.
	MatchGoesOn
	// NoMatch: the account plays no match.
	NoMatch
	// MatchSaved: the match of Name was broken off and is saved; Left tells why.
	MatchSaved

	// The match.

	// MatchLength: the match resumed is of Length points.
	MatchLength
	// PointsHeld: Name has Points in the match resumed.
	PointsHeld
	// GameBegins: a new game.
	GameBegins
	// RollForOpening: the account has to throw for the first move.
	RollForOpening
	// OpeningRoll: Dice of both players.
	OpeningRoll
	// FirstMove: Name won the opening roll and moves first.
	FirstMove
	// MayRoll: the account is on turn and has to roll, or may double.
	MayRoll
	// Rolls: Name rolled Dice.
	Rolls
	// Moves: Name played Steps.
	Moves
	// OnlyMove: Steps were played, by whoever is on turn, as there was no choice.
	OnlyMove
	// BearsOff: somebody bore off; the board tells more.
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
	// OfferStands: an offer of ours to resign still waits for its answer.
	OfferStands
	// AlreadyDone: what we asked for has been done before.
	AlreadyDone
	// AnswerResign: the account has to answer an offer to resign first.
	AnswerResign
	// NothingToAnswer: there is no double and no offer to answer.
	NothingToAnswer
	// GameOver: Name won (or, with Name unknown, Other lost) Points; How.
	GameOver
	// Score: Name and Other have Score.
	Score
	// MatchOver: Name won the match by Score, his first.
	MatchOver
	// JoinNext: the account is asked whether to go on with the next game.
	JoinNext
	// WaitJoin: the opponent is asked.
	WaitJoin
	// BoardLine is a board: Board, nil when it makes no sense. Keep tells whether
	// it is one of the account's own, with Other as opponent.
	BoardLine
	// BadBoard is a board that could not be read.
	BadBoard
	// NoDouble: no double is possible now.
	NoDouble
	// NoDoubleCrawford: none is, for it is the Crawford game.
	NoDoubleCrawford
	// PlayRefused: our play was not taken for itself.
	PlayRefused
	// MoveRefused: our play was not taken, for it is not our move. Text says why.
	MoveRefused
	// Refused: a command of the match did nothing. Text says why.
	Refused

	// Lists of moves.

	// ListBegins: the list of the moves of a game begins.
	ListBegins
	// ListPlayers: of Name, listed first, and Other.
	ListPlayers
	// ListMove and those after it are its lines; First tells whose.
	ListMove
	ListDouble
	ListAccept
	ListReject
	ListResign
	// ListOther is a line of the list that says nothing.
	ListOther
	// ListWon: the player First tells won; the list ends.
	ListWon
	// ListRefused: the server does not know what was asked for.
	ListRefused

	// OpponentGone: the opponent, Name, is not there any more; his seat waits for him
	// unless the match is over. OpponentBack: he has come back.
	OpponentGone
	OpponentBack

	// Talk.

	// Says: Name says Text to the account alone.
	Says
	// Kibitzes: Name says Text to the players and watchers of a match.
	Kibitzes
	// Whispers: Name says Text to its watchers.
	Whispers
	// Shouts: somebody talks to everybody.
	Shouts
	// Remarked: our Kibitz or Whisper of Text went out.
	Remarked
	// TalkRefused: something that we wanted to say was not said.
	TalkRefused

	// Watching others.

	// YouWatch: the account watches Name now.
	YouWatch
	// YouUnwatch: it does not any more; Left is set when Name has gone.
	YouUnwatch
	// WatchRefused: Name, when told, does not want to be watched.
	WatchRefused
	// ShutOut: Name does not let Other, or the account, watch.
	ShutOut
	// CannotWatch: the match of Name and Other may not be watched.
	CannotWatch
	// PlaysNothing: Name plays no match.
	PlaysNothing
	// OthersBegin: Name and Other begin a match of Length points.
	OthersBegin
	// OthersResume: Name and Other go on with a match.
	OthersResume

	// Ending: the server is going to end the connection: Ends, Text.
	Ending
)
