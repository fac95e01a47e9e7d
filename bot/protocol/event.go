package protocol

import (
	"cmp"

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

// Kind says what an Event is.
type Kind string

// Kinds of events. A server need not have all of them.
const (
	// Other is anything that the bot does not use. The journal may: see Keep.
	Other Kind = ""
	// Unknown is a line that the protocol does not understand.
	Unknown Kind = "Unknown"
	// Noise is a line that was damaged on the way and means nothing.
	Noise Kind = "Noise"

	// The lobby.

	// UserInfo describes a player who is on line: User.
	UserInfo Kind = "UserInfo"
	// LogsOut: Name left the server.
	LogsOut Kind = "LogsOut"
	// SavedBegins: the list of the account's saved matches begins, or is empty.
	SavedBegins Kind = "SavedBegins"
	// SavedMatch is an entry of the list: with Name; Score has the account's points first.
	SavedMatch Kind = "SavedMatch"
	// SavedCount: Name has Count saved matches.
	SavedCount Kind = "SavedCount"
	// Invites: Name invites to a match of Length points.
	Invites Kind = "Invites"
	// InvitesResume: Name invites to resume a saved match.
	InvitesResume Kind = "InvitesResume"
	// WarnsSaved: there is a saved match with the player who has just invited us. Accepting
	// the invitation would erase it.
	WarnsSaved Kind = "WarnsSaved"
	// Invited: our invitation of Name to a new match has been passed on.
	Invited Kind = "Invited"
	// InvitedResume: our invitation of Name to a saved match has been passed on.
	InvitedResume Kind = "InvitedResume"
	// NoSavedMatch: there is no saved match with Name. First reports that it answers a
	// request for a list of moves, not an invitation.
	NoSavedMatch Kind = "NoSavedMatch"
	// NoSuchPlayer: Name is not on line.
	NoSuchPlayer Kind = "NoSuchPlayer"
	// InviteFailed: our invitation or join had no effect; Name may be empty.
	InviteFailed Kind = "InviteFailed"
	// MatchBegins: a match of Length points with Name.
	MatchBegins Kind = "MatchBegins"
	// MatchResumes: the saved match with Name is resumed.
	MatchResumes Kind = "MatchResumes"
	// MatchGoesOn: a match is running that no other event announced.
	MatchGoesOn Kind = "MatchGoesOn"
	// NoMatch: the account plays no match.
	NoMatch Kind = "NoMatch"
	// MatchSaved: the match of Name was interrupted and saved; Left is the reason.
	MatchSaved Kind = "MatchSaved"

	// The match.

	// MatchLength: the match resumed is of Length points.
	MatchLength Kind = "MatchLength"
	// PointsHeld: Name has Points in the match resumed.
	PointsHeld Kind = "PointsHeld"
	// GameBegins: a new game.
	GameBegins Kind = "GameBegins"
	// OpeningRoll: Dice of both players.
	OpeningRoll Kind = "OpeningRoll"
	// FirstMove: Name won the opening roll and moves first.
	FirstMove Kind = "FirstMove"
	// MayRoll: the account is on turn and must roll, or may double.
	MayRoll Kind = "MayRoll"
	// Rolls: Name rolled Dice.
	Rolls Kind = "Rolls"
	// Moves: Name played Steps.
	Moves Kind = "Moves"
	// OnlyMove: the server played Steps for the player on turn, who had no choice.
	OnlyMove Kind = "OnlyMove"
	// BearsOff: a player bore off; the next board shows which checkers.
	BearsOff Kind = "BearsOff"
	// CannotMove: Name has no legal play.
	CannotMove Kind = "CannotMove"
	// Doubles: Name doubles.
	Doubles Kind = "Doubles"
	// Redoubles: Name takes the double and turns the cube at once; Cube is offered.
	Redoubles Kind = "Redoubles"
	// Takes: Name takes; Cube is its new value.
	Takes Kind = "Takes"
	// OffersResign: Name offers to resign for Points.
	OffersResign Kind = "OffersResign"
	// RefusesResign: Name refuses the offer.
	RefusesResign Kind = "RefusesResign"
	// OfferStands: our offer to resign is still unanswered.
	OfferStands Kind = "OfferStands"
	// AlreadyDone: our command had been carried out before.
	AlreadyDone Kind = "AlreadyDone"
	// AnswerResign: the account has to answer an offer to resign first.
	AnswerResign Kind = "AnswerResign"
	// NothingToAnswer: there is no double and no offer to answer.
	NothingToAnswer Kind = "NothingToAnswer"
	// GameOver: Name won (or, with Name unknown, Other lost) Points; How.
	GameOver Kind = "GameOver"
	// Score: Name and Other have Score.
	Score Kind = "Score"
	// MatchOver: Name won the match by Score, the winner's points first.
	MatchOver Kind = "MatchOver"
	// JoinNext: the account is asked whether to play the next game.
	JoinNext Kind = "JoinNext"
	// WaitJoin: the opponent is asked.
	WaitJoin Kind = "WaitJoin"
	// BoardLine is a board: Board, or nil if it makes no sense. Keep reports whether it is
	// of the account's own match, with Other as opponent.
	BoardLine Kind = "BoardLine"
	// BadBoard is a board that could not be read.
	BadBoard Kind = "BadBoard"
	// NoDouble: no double is possible now.
	NoDouble Kind = "NoDouble"
	// NoDoubleCrawford: no double is possible because this is the Crawford game.
	NoDoubleCrawford Kind = "NoDoubleCrawford"
	// PlayRefused: our play was refused as a play.
	PlayRefused Kind = "PlayRefused"
	// MoveRefused: our play was refused because it is not our move: Text.
	MoveRefused Kind = "MoveRefused"
	// Refused: a command of the match did nothing: Text.
	Refused Kind = "Refused"

	// Lists of moves.

	// ListBegins: the list of the moves of a game begins.
	ListBegins Kind = "ListBegins"
	// ListPlayers: the players of the list, Name first, then Other.
	ListPlayers Kind = "ListPlayers"
	// ListMove and those after it are lines of the list; First says whose.
	ListMove   Kind = "ListMove"
	ListDouble Kind = "ListDouble"
	ListAccept Kind = "ListAccept"
	ListReject Kind = "ListReject"
	ListResign Kind = "ListResign"
	// ListOther is a line of the list of another form.
	ListOther Kind = "ListOther"
	// ListWon: the list ends with a win; First says whose.
	ListWon Kind = "ListWon"
	// ListRefused: the server does not know the command.
	ListRefused Kind = "ListRefused"

	// OpponentGone: the opponent, Name, has left. The seat is kept unless the match is over.
	// OpponentBack: the opponent has returned.
	OpponentGone Kind = "OpponentGone"
	OpponentBack Kind = "OpponentBack"
	// MayLeave: we win the match if we leave, because the opponent, Name, has kept us waiting.
	MayLeave Kind = "MayLeave"

	// Talk.

	// Says: Name says Text to the account alone.
	Says Kind = "Says"
	// Kibitzes: Name says Text to the players and watchers of a match.
	Kibitzes Kind = "Kibitzes"
	// Whispers: Name says Text to its watchers.
	Whispers Kind = "Whispers"
	// Shouts: Name talks to all users.
	Shouts Kind = "Shouts"
	// Remarked: our Kibitz or Whisper of Text went out.
	Remarked Kind = "Remarked"
	// TalkRefused: our chat command had no effect.
	TalkRefused Kind = "TalkRefused"

	// Watching others.

	// YouWatch: the account watches Name now.
	YouWatch Kind = "YouWatch"
	// YouUnwatch: the account no longer watches; Left is set if Name left.
	YouUnwatch Kind = "YouUnwatch"
	// WatchRefused: Name, if known, does not allow watching.
	WatchRefused Kind = "WatchRefused"
	// ShutOut: Name bans Other, or the account, from watching.
	ShutOut Kind = "ShutOut"
	// CannotWatch: the match of Name and Other may not be watched.
	CannotWatch Kind = "CannotWatch"
	// PlaysNothing: Name plays no match.
	PlaysNothing Kind = "PlaysNothing"
	// OthersBegin: Name and Other begin a match of Length points.
	OthersBegin Kind = "OthersBegin"
	// OthersResume: Name and Other resume a match.
	OthersResume Kind = "OthersResume"

	// Ending: the server will end the connection: Ends, Text.
	Ending Kind = "Ending"
)

// String is the name of the kind.
func (k Kind) String() string { return cmp.Or(string(k), "Other") }

// Listed reports whether the event is an entry of a list of moves.
func (k Kind) Listed() bool {
	_, line := listed[k]
	return line || k == ListPlayers
}
