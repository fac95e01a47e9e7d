package clip

import (
	"cmp"
	"slices"
)

// You stands for ourselves in an [Event] and in the first field of a board of
// our own match. The server writes "You", which may also be a player's name.
const You = "(you)"

// selfWord is how the server names ourselves.
const selfWord = "You"

// Unlimited is the match length of an unlimited match, as the board line
// writes it.
const Unlimited = 9999

// The ends of a [Step] that are not points.
const (
	// Off is where a checker goes that is borne off.
	Off = 0
	// Bar is where a hit checker starts.
	Bar = 25
)

// Step is the way of one checker in the server's numbering of points: 1 to 24
// as printed on the board for both players, [Bar] as From, [Off] as To.
type Step struct {
	From, To uint8
}

// MaxSteps is the number of checkers a double moves.
const MaxSteps = 4

// Steps are up to four steps of one play, in the order in which they were
// written.
type Steps struct {
	List [MaxSteps]Step
	N    int
}

// Slice returns the steps. The result shares no memory with s.
func (s Steps) Slice() []Step { return append([]Step(nil), s.List[:s.N]...) }

// Dice are two dice of 1 to 6 in the order in which the server wrote them;
// both are 0 when nothing was rolled. The order has no meaning, but in
// [OpeningRoll], where each die has its own roller.
type Dice [2]uint8

// Result says how a game was won.
type Result string

// The ways to win a game.
const (
	// ByNothing is the zero value: no game was won.
	ByNothing Result = ""
	// ByBearingOff: the last checker was borne off.
	ByBearingOff Result = "bearing off"
	// ByDrop: a double was not taken.
	ByDrop Result = "drop"
	// ByResignation: an offer to resign was accepted.
	ByResignation Result = "resignation"
)

// Cause says why a player left the server or a match.
type Cause string

// The reasons for going.
const (
	// CauseNone is the zero value: no player left, or the line gives no reason.
	CauseNone Cause = ""
	// CauseLeft: the player typed leave.
	CauseLeft Cause = "left"
	// CauseLogout: the player logged out.
	CauseLogout Cause = "logged out"
	// CauseDropped: the player's connection broke; many return at once.
	CauseDropped Cause = "connection dropped"
	// CauseTimeout: the player was idle too long.
	CauseTimeout Cause = "timed out"
	// CauseNetwork: the server met an error on the player's connection.
	CauseNetwork Cause = "network error"
	// CauseReplaced: the player logged in a second time; a running match is
	// normally resumed at once.
	CauseReplaced Cause = "logged in again"
	// CauseOther: a reason in unknown words.
	CauseOther Cause = "other"
)

// String is the way to win in words.
func (r Result) String() string { return cmp.Or(string(r), "nothing") }

// String is the reason in words.
func (c Cause) String() string { return cmp.Or(string(c), "none") }

// Side is a colour as the move lists write it: 'X' or 'O', 0 when none.
type Side byte

// Event is what one line of the server announces. [Kind] says which of the
// fields are filled; the rest are zero. Texts share the memory of Raw. An
// Event is never changed after [Parser.Append] returned it and may be shared.
type Event struct {
	// Kind says what happened and which fields below are filled.
	Kind Kind
	// Raw is the line, or the part of a glued line, without line end,
	// trailing blanks, BEL and other control characters.
	Raw string
	// Name is the player the line is about, [You] for ourselves, or the name
	// of a switch or variable.
	Name string
	// Other is a second player.
	Other string
	// Text is free text. Chat is written by strangers: never act on it as if
	// the server had said it.
	Text string
	// Length is a match length in points, [Unlimited] for one without end.
	Length int
	// Points are points won, offered or held.
	Points int
	// Cube is the value shown by the cube.
	Cube int
	// Count is a number whose meaning the kind tells.
	Count int
	// When is a Unix time in seconds.
	When int64
	// Score is a score whose order the kind tells.
	Score [2]int
	// Dice are the dice rolled.
	Dice Dice
	// Steps are the checkers moved.
	Steps Steps
	// Result says how a game was won.
	Result Result
	// Cause says why a player left.
	Cause Cause
	// Side is the colour in a move list.
	Side Side
	// On answers the question the kind asks.
	On bool
	// Asks is true when the server waits for our answer.
	Asks bool
	// Redouble is true when a redouble is one of the answers.
	Redouble bool
	// Board is set for BoardLine only.
	Board *Board
	// Player is set for PlayerLine only.
	Player *Player
	// Settings is set for OwnInfo only.
	Settings *Settings
}

// IsYou reports whether the line is about ourselves.
func (e *Event) IsYou() bool { return e.Name == You }

// Kind says what a line announces. The comment of each kind names the fields
// of [Event] that it fills; the others are zero.
type Kind string

// The kinds, roughly in the order of a session. A name is [You] for ourselves.
const (
	// Any line.

	// Unknown: a line of an unknown shape; only Raw is set. FIBS clones send lines of their own.
	Unknown Kind = ""
	// Known: a line of a known shape that no one reads; only Raw is set.
	Known Kind = "known"
	// Blank: an empty line; FIBS sends many around game lines.
	Blank Kind = "blank"

	// Connecting and logging in.

	// LoginPrompt: "login: ", without a line end; after a CLIP login line it means that the login was refused.
	LoginPrompt Kind = "login prompt"
	// PasswordPrompt: a request for a password in a hand login or a registration, without a line end; Text has the words.
	PasswordPrompt Kind = "password prompt"
	// TelnetPrompt: "> ", without a line end: the session is not in CLIP mode.
	TelnetPrompt Kind = "telnet prompt"
	// Banner: text sent before the login that has no kind of its own.
	Banner Kind = "banner"
	// AlreadyLoggedIn: our login replaced an older session of the same account.
	AlreadyLoggedIn Kind = "already logged in"
	// LoginRefused: the server says in words that the login is wrong; Text has them.
	LoginRefused Kind = "login refused"
	// BogusLine: a numbered line behind a telnet prompt: the CLIP login failed and this is not our session; Text has the line.
	BogusLine Kind = "bogus line"
	// TelnetGreeting: the greeting of a hand login; Text, and Name if it has one.
	TelnetGreeting Kind = "telnet greeting"
	// SecondLogin: the account logged in elsewhere and this session is being ended; Text has the host.
	SecondLogin Kind = "second login"
	// Welcome: code 1, first line of a successful login: Name, When (last login), Text (last host).
	Welcome Kind = "welcome"
	// OwnInfo: code 2, our settings: Settings.
	OwnInfo Kind = "own info"
	// MotdBegin: code 3; free text follows up to MotdEnd.
	MotdBegin Kind = "motd begin"
	// MotdLine: a line between code 3 and code 4; Raw keeps leading blanks.
	MotdLine Kind = "motd line"
	// MotdEnd: code 4.
	MotdEnd Kind = "motd end"
	// YouTimedOut: we were idle too long; the server closes the connection.
	YouTimedOut Kind = "you timed out"
	// Attention: a restart or shutdown is coming: Count seconds to go (0 if the line has none), Text "restart" or "shut down".
	Attention Kind = "attention"
	// Notice: another announcement to all users, usually with three stars: Text.
	Notice Kind = "notice"

	// People.

	// PlayerLine: code 5, one player's state: Player.
	PlayerLine Kind = "player"
	// PlayersEnd: code 6, end of a block of code 5.
	PlayersEnd Kind = "players end"
	// LogsIn: code 7: Name; On when "again"; Text the words.
	LogsIn Kind = "logs in"
	// LogsOut: code 8, or the words without it: Name, Cause; with the code, Text the words.
	LogsOut Kind = "logs out"
	// Mail: code 9: a stored or live message: Name, When, Text.
	Mail Kind = "mail"
	// MailDelivered: code 10: our message reached Name.
	MailDelivered Kind = "mail delivered"
	// MailSaved: code 11: our message was stored for Name.
	MailSaved Kind = "mail saved"

	// Chat.

	// Says: code 12: Name says Text to us alone.
	Says Kind = "says"
	// Shouts: code 13: Name shouts Text to all users.
	Shouts Kind = "shouts"
	// Whispers: code 14: Name whispers Text to the watchers.
	Whispers Kind = "whispers"
	// Kibitzes: code 15: Name kibitzes Text to players and watchers.
	Kibitzes Kind = "kibitzes"
	// YouSay: code 16: echo of our tell to Name.
	YouSay Kind = "you say"
	// YouShout: code 17: echo.
	YouShout Kind = "you shout"
	// YouWhisper: code 18: echo.
	YouWhisper Kind = "you whisper"
	// YouKibitz: code 19: echo.
	YouKibitz Kind = "you kibitz"
	// Alerts: code 20 of CLIP 1009: Name, Text.
	Alerts Kind = "alerts"
	// Heard: Count people heard our kibitz or whisper (0: no one).
	Heard Kind = "heard"
	// ClipOther: a numbered line of an unknown code: Count has the code, Text the rest.
	ClipOther Kind = "clip other"

	// Invitations.

	// Invites: Name invites us to a new match of Length points (or Unlimited).
	Invites Kind = "invites"
	// InvitesResume: Name wants to resume the saved match.
	InvitesResume Kind = "invites to resume"
	// InviteHint: second line of an invitation, "Type 'join Name' to accept.".
	InviteHint Kind = "invite hint"
	// WarnsSaved: the invitation just seen would destroy a saved match of Length points; the line has no name.
	WarnsSaved Kind = "warns of saved match"
	// YouInvite: our invitation of Name to Length points was sent.
	YouInvite Kind = "you invite"
	// YouInviteResume: our invitation of Name to resume was sent.
	YouInviteResume Kind = "you invite to resume"
	// IsAway: the invited or told player Name is away: Text.
	IsAway Kind = "is away"

	// Matches beginning and being resumed.

	// MatchBegins: a new match of Length points with Name starts; On when we joined, off when Name joined us.
	MatchBegins Kind = "match begins"
	// MatchResumes: the saved match with Name was loaded; On when we joined, off when Name joined us.
	MatchResumes Kind = "match resumes"
	// ResumeLength: summary of a resumed match: Length.
	ResumeLength Kind = "resume length"
	// ResumePoints: summary of a resumed match: Name has Points.
	ResumePoints Kind = "resume points"

	// A game.

	// GameBegins: a game with Name starts.
	GameBegins Kind = "game begins"
	// OpeningRoll: Name rolled Dice[0], Other rolled Dice[1]; ties are followed by another one.
	OpeningRoll Kind = "opening roll"
	// FirstMove: Name (You or a name) won the opening roll.
	FirstMove Kind = "first move"
	// RollOrDouble: our turn, with the choice to roll or double.
	RollOrDouble Kind = "roll or double"
	// Rolls: Name rolled Dice.
	Rolls Kind = "rolls"
	// CantMove: Name has no legal move; no board follows.
	CantMove Kind = "can't move"
	// OnlyMove: a forced move made by the server for the player on roll (no name): Steps.
	OnlyMove Kind = "only move"
	// Moves: Name moved Steps (none on servers that print a dance this way).
	Moves Kind = "moves"
	// BearsOff: greedy bear-off by the server: Steps.
	BearsOff Kind = "bears off"
	// WaitForMove: refusal: doubling in the turn of Name.
	WaitForMove Kind = "wait for move"
	// Doubles: Name doubles; Asks when the answer is ours; Other is who must answer, if the line has it; Redouble when a redouble may answer.
	Doubles Kind = "doubles"
	// Takes: Name took the double or redouble; Cube is the new value, 0 if the line has none (watching).
	Takes Kind = "takes"
	// Redoubles: Name took and redoubled to Cube (0 if the line has none); Asks when the answer is ours.
	Redoubles Kind = "redoubles"
	// OffersResign: Name offers to resign for Points (total, cube included), Other would win them; Asks when the answer is ours.
	OffersResign Kind = "offers to resign"
	// RejectsResign: Name refused the offer; the game goes on and no board follows.
	RejectsResign Kind = "rejects resignation"
	// GameOver: Name won Points in a game, Result says how, Other lost, if the line has it.
	GameOver Kind = "game over"
	// Score: after a game that did not end the match: Name has Score[0], Other Score[1], Length.
	Score Kind = "score"
	// JoinNext: between games: answer join or leave.
	JoinNext Kind = "join next"
	// WaitJoin: we joined the next game first; waiting for Name.
	WaitJoin Kind = "wait join"
	// MatchOver: Name won the match of Length points by Score (winner first).
	MatchOver Kind = "match over"
	// GameSaved: the match is off and saved: Name went (You when we left), Cause.
	GameSaved Kind = "game saved"

	// Watching and reports.

	// YouWatch: we now watch Name.
	YouWatch Kind = "you watch"
	// YouUnwatch: we stopped watching Name; Cause if Name left.
	YouUnwatch Kind = "you unwatch"
	// WatchIdle: the watched player Name plays nothing.
	WatchIdle Kind = "watch idle"
	// WatchesYou: Name watches us, our opponent (Other), or stops when not On.
	WatchesYou Kind = "watches you"
	// NotPlaying: Name is not playing (answer to look, or to board while watching).
	NotPlaying Kind = "not playing"
	// Banned: Name banned Other ("you") from watching.
	Banned Kind = "banned"
	// CantWatch: the match between Name and Other is closed to us.
	CantWatch Kind = "can't watch"
	// ReportStart: Name and Other started a match of Length points.
	ReportStart Kind = "report start"
	// ReportResume: Name and Other resume a match of Length points.
	ReportResume Kind = "report resume"

	// Saved matches and move lists.

	// SavedHeader: header of show saved.
	SavedHeader Kind = "saved header"
	// SavedRow: one saved match: Name, Length, Score (ours first), Count stars.
	SavedRow Kind = "saved row"
	// SavedNone: there are no saved games.
	SavedNone Kind = "saved none"
	// SavedCount: Name has Count saved games.
	SavedCount Kind = "saved count"
	// OldScore: first line of a move list: Score, Length; order of the score is not reliable.
	OldScore Kind = "oldmoves score"
	// OldPlayers: second line of a move list: Name is X, Other is O.
	OldPlayers Kind = "oldmoves players"
	// OldMove: list line: Side rolled Dice and moved Steps (none: could not move).
	OldMove Kind = "oldmoves move"
	// OldDoubles: list line: Side doubles.
	OldDoubles Kind = "oldmoves doubles"
	// OldAccepts: list line: Side accepts.
	OldAccepts Kind = "oldmoves accepts"
	// OldRejects: list line: Side rejects.
	OldRejects Kind = "oldmoves rejects"
	// OldResigns: list line: Side wants to resign.
	OldResigns Kind = "oldmoves resigns"
	// OldWins: list line: Side wins.
	OldWins Kind = "oldmoves wins"
	// OldOther: any other list line of Side: Text.
	OldOther Kind = "oldmoves other"

	// Settings.

	// Toggled: the switch Name is now On; for silent On means deaf, for wrap On means the server wraps.
	Toggled Kind = "toggled"
	// ToggleRow: the switch Name is On.
	ToggleRow Kind = "toggle row"
	// VariableSet: the variable Name was set to Text.
	VariableSet Kind = "variable set"
	// VariableIs: the variable Name is Text.
	VariableIs Kind = "variable is"
	// AddressSet: our address is Text.
	AddressSet Kind = "address set"

	// Lists and information.

	// NotImplemented: the server has no command Text.
	NotImplemented Kind = "not implemented"

	// Registration as guest.

	// GuestWelcome: logged in as guest on the server Name.
	GuestWelcome Kind = "guest welcome"
	// GuestRegistered: the account exists now.
	GuestRegistered Kind = "guest registered"

	// The board.

	// BoardLine: a board: Board.
	BoardLine Kind = "board"
	// BadBoard: a damaged board line, to be discarded and asked for again; Text is the fault.
	BadBoard Kind = "bad board"

	// Refusals: our command did nothing.

	// NoSuchPlayer: no one called Name is logged in, or known.
	NoSuchPlayer Kind = "no such player"
	// RefusingGames: Name is not ready.
	RefusingGames Kind = "refusing games"
	// BusyPlaying: Name is already playing another player.
	BusyPlaying Kind = "busy playing"
	// NoSavedMatch: there is no saved match with Name to resume, show or list.
	NoSavedMatch Kind = "no saved match"
	// BadLength: the match length was refused: Text.
	BadLength Kind = "bad length"
	// NotExperienced: the match is too long for our experience or the opponent's.
	NotExperienced Kind = "not experienced"
	// YouArePlaying: impossible while playing.
	YouArePlaying Kind = "you are playing"
	// InviteRefused: another refusal of an invitation: Text.
	InviteRefused Kind = "invite refused"
	// DidntInvite: Name's invitation is gone or never was.
	DidntInvite Kind = "didn't invite"
	// SavedCorrupt: the saved match cannot be loaded.
	SavedCorrupt Kind = "saved corrupt"
	// JoinWho: join without a name and without an invitation.
	JoinWho Kind = "join who"
	// NotPlayingYou: a game command outside a match.
	NotPlayingYou Kind = "you are not playing"
	// NotWatching: a command that needs a watched or played match.
	NotWatching Kind = "not watching"
	// AlreadyRolled: we have rolled: ask for the board.
	AlreadyRolled Kind = "already rolled"
	// NotYourRoll: rolling out of turn.
	NotYourRoll Kind = "not your roll"
	// NotYourMove: moving out of turn.
	NotYourMove Kind = "not your move"
	// NotYourTurn: another command out of turn.
	NotYourTurn Kind = "not your turn"
	// RollFirst: moving before rolling.
	RollFirst Kind = "roll first"
	// MoveRefused: the move was not accepted: Text; the turn stays ours. Count is the number of the refused single move, or of the moves wanted.
	MoveRefused Kind = "move refused"
	// CantDouble: doubling refused: Text.
	CantDouble Kind = "can't double"
	// CrawfordNoDouble: doubling refused because this is the Crawford game: only roll.
	CrawfordNoDouble Kind = "crawford no double"
	// DoublePending: Name has not answered our double yet.
	DoublePending Kind = "double pending"
	// ResignPending: Name has not answered our resignation yet.
	ResignPending Kind = "resign pending"
	// AnswerResign: Name wanted to resign and we have to answer first.
	AnswerResign Kind = "answer resign"
	// AlreadyDidThat: join or resign repeated.
	AlreadyDidThat Kind = "already did that"
	// NothingToAnswer: Name neither doubled nor offered to resign; Name is empty if we are not playing.
	NothingToAnswer Kind = "nothing to answer"
	// GameIsOver: a game command after the end: Text "game" or "match".
	GameIsOver Kind = "game is over"
	// ChatRefused: a tell, shout, kibitz or message was refused: Text.
	ChatRefused Kind = "chat refused"
	// WatchRefused: watch or look was refused: Text.
	WatchRefused Kind = "watch refused"
	// ToggleUnknown: there is no switch Name.
	ToggleUnknown Kind = "toggle unknown"
	// SetRefused: a variable was not set: Text.
	SetRefused Kind = "set refused"
	// Usage: a command had wrong arguments: Text.
	Usage Kind = "usage"
	// UnknownCommand: the server knows no command Text.
	UnknownCommand Kind = "unknown command"
	// GuestRefused: the name or the password of a registration was refused: Text.
	GuestRefused Kind = "registration refused"
	// PermissionDenied: an administrator's command.
	PermissionDenied Kind = "permission denied"
	// Refused: any other line that starts with two stars, or a refused registration: Text.
	Refused Kind = "refused"
)

// String is the kind in words.
func (k Kind) String() string { return cmp.Or(string(k), "unknown") }

// refusals are the kinds of lines that mean that our command had no effect.
var refusals = []Kind{WaitForMove, NoSuchPlayer, RefusingGames, BusyPlaying, NoSavedMatch, BadLength, NotExperienced, YouArePlaying, InviteRefused,
	DidntInvite, SavedCorrupt, JoinWho, NotPlayingYou, NotWatching, AlreadyRolled, NotYourRoll, NotYourMove, NotYourTurn, RollFirst, MoveRefused, CantDouble,
	CrawfordNoDouble, DoublePending, ResignPending, AnswerResign, AlreadyDidThat, NothingToAnswer, GameIsOver, ChatRefused, WatchRefused, ToggleUnknown,
	SetRefused, Usage, UnknownCommand, GuestRefused, PermissionDenied, Refused}

// Refusal reports whether the line means that our command had no effect.
func (k Kind) Refusal() bool { return slices.Contains(refusals, k) }
