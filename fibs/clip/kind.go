package clip

// Kind says what a line announces. The comment of each kind names the fields
// of [Event] that it fills; the others are zero.
type Kind uint8

// The kinds, roughly in the order of a session. A name is [You] for ourselves.
const (
	// Any line.

	// Unknown: a line of an unknown shape; only Raw is set. FIBS clones send lines of their own.
	Unknown Kind = iota // unknown
	// Known: a line of a known shape that no one reads; only Raw is set.
	Known // known
	// Blank: an empty line; FIBS sends many around game lines.
	Blank // blank

	// Connecting and logging in.

	// LoginPrompt: "login: ", without a line end; after a CLIP login line it means that the login was refused.
	LoginPrompt // login prompt
	// PasswordPrompt: a request for a password in a hand login or a registration, without a line end; Text has the words.
	PasswordPrompt // password prompt
	// TelnetPrompt: "> ", without a line end: the session is not in CLIP mode.
	TelnetPrompt // telnet prompt
	// Banner: text sent before the login that has no kind of its own.
	Banner // banner
	// AlreadyLoggedIn: our login replaced an older session of the same account.
	AlreadyLoggedIn // already logged in
	// LoginRefused: the server says in words that the login is wrong; Text has them.
	LoginRefused // login refused
	// BogusLine: a numbered line behind a telnet prompt: the CLIP login failed and this is not our session; Text has the line.
	BogusLine // bogus line
	// TelnetGreeting: the greeting of a hand login; Text, and Name if it has one.
	TelnetGreeting // telnet greeting
	// SecondLogin: the account logged in elsewhere and this session is being ended; Text has the host.
	SecondLogin // second login
	// Welcome: code 1, first line of a successful login: Name, When (last login), Text (last host).
	Welcome // welcome
	// OwnInfo: code 2, our settings: Settings.
	OwnInfo // own info
	// MotdBegin: code 3; free text follows up to MotdEnd.
	MotdBegin // motd begin
	// MotdLine: a line between code 3 and code 4; Raw keeps leading blanks.
	MotdLine // motd line
	// MotdEnd: code 4.
	MotdEnd // motd end
	// YouTimedOut: we were idle too long; the server closes the connection.
	YouTimedOut // you timed out
	// Attention: a restart or shutdown is coming: Count seconds to go (0 if the line has none), Text "restart" or "shut down".
	Attention // attention
	// Notice: another announcement to all users, usually with three stars: Text.
	Notice // notice

	// People.

	// PlayerLine: code 5, one player's state: Player.
	PlayerLine // player
	// PlayersEnd: code 6, end of a block of code 5.
	PlayersEnd // players end
	// LogsIn: code 7: Name; On when "again"; Text the words.
	LogsIn // logs in
	// LogsOut: code 8, or the words without it: Name, Cause; with the code, Text the words.
	LogsOut // logs out
	// Mail: code 9: a stored or live message: Name, When, Text.
	Mail // mail
	// MailDelivered: code 10: our message reached Name.
	MailDelivered // mail delivered
	// MailSaved: code 11: our message was stored for Name.
	MailSaved // mail saved

	// Chat.

	// Says: code 12: Name says Text to us alone.
	Says // says
	// Shouts: code 13: Name shouts Text to all users.
	Shouts // shouts
	// Whispers: code 14: Name whispers Text to the watchers.
	Whispers // whispers
	// Kibitzes: code 15: Name kibitzes Text to players and watchers.
	Kibitzes // kibitzes
	// YouSay: code 16: echo of our tell to Name.
	YouSay // you say
	// YouShout: code 17: echo.
	YouShout // you shout
	// YouWhisper: code 18: echo.
	YouWhisper // you whisper
	// YouKibitz: code 19: echo.
	YouKibitz // you kibitz
	// Alerts: code 20 of CLIP 1009: Name, Text.
	Alerts // alerts
	// Heard: Count people heard our kibitz or whisper (0: no one).
	Heard // heard
	// ClipOther: a numbered line of an unknown code: Count has the code, Text the rest.
	ClipOther // clip other

	// Invitations.

	// Invites: Name invites us to a new match of Length points (or Unlimited).
	Invites // invites
	// InvitesResume: Name wants to resume the saved match.
	InvitesResume // invites to resume
	// InviteHint: second line of an invitation, "Type 'join Name' to accept.".
	InviteHint // invite hint
	// WarnsSaved: the invitation just seen would destroy a saved match of Length points; the line has no name.
	WarnsSaved // warns of saved match
	// YouInvite: our invitation of Name to Length points was sent.
	YouInvite // you invite
	// YouInviteResume: our invitation of Name to resume was sent.
	YouInviteResume // you invite to resume
	// IsAway: the invited or told player Name is away: Text.
	IsAway // is away

	// Matches beginning and being resumed.

	// MatchBegins: a new match of Length points with Name starts; On when we joined, off when Name joined us.
	MatchBegins // match begins
	// MatchResumes: the saved match with Name was loaded; On when we joined, off when Name joined us.
	MatchResumes // match resumes
	// ResumeLength: summary of a resumed match: Length.
	ResumeLength // resume length
	// ResumePoints: summary of a resumed match: Name has Points.
	ResumePoints // resume points

	// A game.

	// GameBegins: a game with Name starts.
	GameBegins // game begins
	// OpeningRoll: Name rolled Dice[0], Other rolled Dice[1]; ties are followed by another one.
	OpeningRoll // opening roll
	// FirstMove: Name (You or a name) won the opening roll.
	FirstMove // first move
	// RollOrDouble: our turn, with the choice to roll or double.
	RollOrDouble // roll or double
	// Rolls: Name rolled Dice.
	Rolls // rolls
	// CantMove: Name has no legal move; no board follows.
	CantMove // can't move
	// OnlyMove: a forced move made by the server for the player on roll (no name): Steps.
	OnlyMove // only move
	// Moves: Name moved Steps (none on servers that print a dance this way).
	Moves // moves
	// BearsOff: greedy bear-off by the server: Steps.
	BearsOff // bears off
	// WaitForMove: refusal: doubling in the turn of Name.
	WaitForMove // wait for move
	// Doubles: Name doubles; Asks when the answer is ours; Other is who must answer, if the line has it; Redouble when a redouble may answer.
	Doubles // doubles
	// Takes: Name took the double or redouble; Cube is the new value, 0 if the line has none (watching).
	Takes // takes
	// Redoubles: Name took and redoubled to Cube (0 if the line has none); Asks when the answer is ours.
	Redoubles // redoubles
	// OffersResign: Name offers to resign for Points (total, cube included), Other would win them; Asks when the answer is ours.
	OffersResign // offers to resign
	// RejectsResign: Name refused the offer; the game goes on and no board follows.
	RejectsResign // rejects resignation
	// GameOver: Name won Points in a game, Result says how, Other lost, if the line has it.
	GameOver // game over
	// Score: after a game that did not end the match: Name has Score[0], Other Score[1], Length.
	Score // score
	// JoinNext: between games: answer join or leave.
	JoinNext // join next
	// WaitJoin: we joined the next game first; waiting for Name.
	WaitJoin // wait join
	// MatchOver: Name won the match of Length points by Score (winner first).
	MatchOver // match over
	// GameSaved: the match is off and saved: Name went (You when we left), Cause.
	GameSaved // game saved

	// Watching and reports.

	// YouWatch: we now watch Name.
	YouWatch // you watch
	// YouUnwatch: we stopped watching Name; Cause if Name left.
	YouUnwatch // you unwatch
	// WatchIdle: the watched player Name plays nothing.
	WatchIdle // watch idle
	// WatchesYou: Name watches us, our opponent (Other), or stops when not On.
	WatchesYou // watches you
	// NotPlaying: Name is not playing (answer to look, or to board while watching).
	NotPlaying // not playing
	// Banned: Name banned Other ("you") from watching.
	Banned // banned
	// CantWatch: the match between Name and Other is closed to us.
	CantWatch // can't watch
	// ReportStart: Name and Other started a match of Length points.
	ReportStart // report start
	// ReportResume: Name and Other resume a match of Length points.
	ReportResume // report resume

	// Saved matches and move lists.

	// SavedHeader: header of show saved.
	SavedHeader // saved header
	// SavedRow: one saved match: Name, Length, Score (ours first), Count stars.
	SavedRow // saved row
	// SavedNone: there are no saved games.
	SavedNone // saved none
	// SavedCount: Name has Count saved games.
	SavedCount // saved count
	// OldScore: first line of a move list: Score, Length; order of the score is not reliable.
	OldScore // oldmoves score
	// OldPlayers: second line of a move list: Name is X, Other is O.
	OldPlayers // oldmoves players
	// OldMove: list line: Side rolled Dice and moved Steps (none: could not move).
	OldMove // oldmoves move
	// OldDoubles: list line: Side doubles.
	OldDoubles // oldmoves doubles
	// OldAccepts: list line: Side accepts.
	OldAccepts // oldmoves accepts
	// OldRejects: list line: Side rejects.
	OldRejects // oldmoves rejects
	// OldResigns: list line: Side wants to resign.
	OldResigns // oldmoves resigns
	// OldWins: list line: Side wins.
	OldWins // oldmoves wins
	// OldOther: any other list line of Side: Text.
	OldOther // oldmoves other

	// Settings.

	// Toggled: the switch Name is now On; for silent On means deaf, for wrap On means the server wraps.
	Toggled // toggled
	// ToggleRow: the switch Name is On.
	ToggleRow // toggle row
	// VariableSet: the variable Name was set to Text.
	VariableSet // variable set
	// VariableIs: the variable Name is Text.
	VariableIs // variable is
	// AddressSet: our address is Text.
	AddressSet // address set

	// Lists and information.

	// NotImplemented: the server has no command Text.
	NotImplemented // not implemented

	// Registration as guest.

	// GuestWelcome: logged in as guest on the server Name.
	GuestWelcome // guest welcome
	// GuestRegistered: the account exists now.
	GuestRegistered // guest registered

	// The board.

	// BoardLine: a board: Board.
	BoardLine // board
	// BadBoard: a damaged board line, to be discarded and asked for again; Text is the fault.
	BadBoard // bad board

	// Refusals: our command did nothing.

	// NoSuchPlayer: no one called Name is logged in, or known.
	NoSuchPlayer // no such player
	// RefusingGames: Name is not ready.
	RefusingGames // refusing games
	// BusyPlaying: Name is already playing another player.
	BusyPlaying // busy playing
	// NoSavedMatch: there is no saved match with Name to resume, show or list.
	NoSavedMatch // no saved match
	// BadLength: the match length was refused: Text.
	BadLength // bad length
	// NotExperienced: the match is too long for our experience or the opponent's.
	NotExperienced // not experienced
	// YouArePlaying: impossible while playing.
	YouArePlaying // you are playing
	// InviteRefused: another refusal of an invitation: Text.
	InviteRefused // invite refused
	// DidntInvite: Name's invitation is gone or never was.
	DidntInvite // didn't invite
	// SavedCorrupt: the saved match cannot be loaded.
	SavedCorrupt // saved corrupt
	// JoinWho: join without a name and without an invitation.
	JoinWho // join who
	// NotPlayingYou: a game command outside a match.
	NotPlayingYou // you are not playing
	// NotWatching: a command that needs a watched or played match.
	NotWatching // not watching
	// AlreadyRolled: we have rolled: ask for the board.
	AlreadyRolled // already rolled
	// NotYourRoll: rolling out of turn.
	NotYourRoll // not your roll
	// NotYourMove: moving out of turn.
	NotYourMove // not your move
	// NotYourTurn: another command out of turn.
	NotYourTurn // not your turn
	// RollFirst: moving before rolling.
	RollFirst // roll first
	// MoveRefused: the move was not accepted: Text; the turn stays ours. Count is the number of the refused single move, or of the moves wanted.
	MoveRefused // move refused
	// CantDouble: doubling refused: Text.
	CantDouble // can't double
	// CrawfordNoDouble: doubling refused because this is the Crawford game: only roll.
	CrawfordNoDouble // crawford no double
	// DoublePending: Name has not answered our double yet.
	DoublePending // double pending
	// ResignPending: Name has not answered our resignation yet.
	ResignPending // resign pending
	// AnswerResign: Name wanted to resign and we have to answer first.
	AnswerResign // answer resign
	// AlreadyDidThat: join or resign repeated.
	AlreadyDidThat // already did that
	// NothingToAnswer: Name neither doubled nor offered to resign; Name is empty if we are not playing.
	NothingToAnswer // nothing to answer
	// GameIsOver: a game command after the end: Text "game" or "match".
	GameIsOver // game is over
	// ChatRefused: a tell, shout, kibitz or message was refused: Text.
	ChatRefused // chat refused
	// WatchRefused: watch or look was refused: Text.
	WatchRefused // watch refused
	// ToggleUnknown: there is no switch Name.
	ToggleUnknown // toggle unknown
	// SetRefused: a variable was not set: Text.
	SetRefused // set refused
	// Usage: a command had wrong arguments: Text.
	Usage // usage
	// UnknownCommand: the server knows no command Text.
	UnknownCommand // unknown command
	// GuestRefused: the name or the password of a registration was refused: Text.
	GuestRefused // registration refused
	// PermissionDenied: an administrator's command.
	PermissionDenied // permission denied
	// Refused: any other line that starts with two stars, or a refused registration: Text.
	Refused // refused

	kindCount // kind out of range
)
