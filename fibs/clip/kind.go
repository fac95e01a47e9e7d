package clip

// Kind says what a line announces. The comment of each kind names the fields
// of [Event] that it fills; the others are zero.
type Kind uint8

// The kinds, in the order in which a session meets them. "You" in a field that
// holds a name stands for ourselves, as the server writes it; see [You].
const (
	// What every line may be.

	// Unknown: a line of no known shape; Raw has it. FIBS clones and future servers say things of their own.
	Unknown Kind = iota
	// Blank: an empty line; FIBS sends many around game lines.
	Blank

	// Connecting and logging in.

	// LoginPrompt: "login: ", without a line end; after a CLIP login line it means that the login was refused.
	LoginPrompt
	// PasswordPrompt: a request for a password in a hand login or a registration, without a line end; Text has the words.
	PasswordPrompt
	// TelnetPrompt: "> ", without a line end: the session is not in CLIP mode.
	TelnetPrompt
	// Banner: text sent before the login that has no kind of its own.
	Banner
	// ServerTime: the server's clock, before the login prompt and in answer to time; Text has the UTC half, Other the local half.
	ServerTime
	// AlreadyLoggedIn: our login replaced an older session of the same account.
	AlreadyLoggedIn
	// LoginRefused: the server says in words that the login is wrong; Text has them.
	LoginRefused
	// BogusLine: a numbered line behind a telnet prompt: the CLIP login failed and this is not our session; Text has the line.
	BogusLine
	// TelnetGreeting: the greeting of a hand login; Name when it tells one, Text the rest.
	TelnetGreeting
	// SecondLogin: the account logged in elsewhere and this session is being ended; Text has the host.
	SecondLogin
	// Welcome: code 1, first line of a successful login: Name, When (last login), Text (last host).
	Welcome
	// OwnInfo: code 2, our settings: Settings.
	OwnInfo
	// MotdBegin: code 3; free text follows up to MotdEnd.
	MotdBegin
	// MotdLine: a line between code 3 and code 4; Raw keeps leading blanks.
	MotdLine
	// MotdEnd: code 4.
	MotdEnd
	// Goodbye: the logout text; the server closes the connection after it.
	Goodbye
	// YouTimedOut: we were idle too long; the server closes the connection.
	YouTimedOut
	// Attention: a restart or shutdown is coming: Count seconds to go (0 when not told), Text "restart" or "shut down".
	Attention
	// Notice: another announcement to everybody, as a rule with three stars; Text has it.
	Notice

	// People.

	// PlayerLine: code 5, one player's state: Player.
	PlayerLine
	// PlayersEnd: code 6, end of a block of code 5.
	PlayersEnd
	// LogsIn: code 7: Name; On when "again"; Text the words.
	LogsIn
	// LogsOut: code 8: Name, Cause, Text the words.
	LogsOut
	// Mail: code 9: a stored or live message: Name, When, Text.
	Mail
	// MailDelivered: code 10: our message reached Name.
	MailDelivered
	// MailSaved: code 11: our message was stored for Name.
	MailSaved

	// Chat.

	// Says: code 12: Name says Text to us alone.
	Says
	// Shouts: code 13: Name shouts Text to everybody.
	Shouts
	// Whispers: code 14: Name whispers Text to the watchers.
	Whispers
	// Kibitzes: code 15: Name kibitzes Text to players and watchers.
	Kibitzes
	// YouSay: code 16: echo of our tell to Name.
	YouSay
	// YouShout: code 17: echo.
	YouShout
	// YouWhisper: code 18: echo.
	YouWhisper
	// YouKibitz: code 19: echo.
	YouKibitz
	// Alerts: code 20 of CLIP 1009: Name, Text.
	Alerts
	// Heard: Count people heard our kibitz or whisper (0: nobody).
	Heard
	// TalksToSelf: we told something to ourselves: Text.
	TalksToSelf
	// ClipOther: a numbered line of an unknown code: Count has the code, Text the rest.
	ClipOther

	// Invitations.

	// Invites: Name invites us to a new match of Length points (Unlimited when without end).
	Invites
	// InvitesResume: Name wants to resume the saved match.
	InvitesResume
	// InviteHint: second line of an invitation, "Type 'join Name' to accept.".
	InviteHint
	// WarnsSaved: the invitation just seen would destroy a saved match of Length points; the line names nobody.
	WarnsSaved
	// YouInvite: our invitation of Name to Length points was sent.
	YouInvite
	// YouInviteResume: our invitation of Name to resume was sent.
	YouInviteResume
	// IsAway: the invited or told player Name is away: Text.
	IsAway

	// Matches beginning and being resumed.

	// MatchBegins: a new match of Length points with Name starts; On when we joined, off when Name joined us.
	MatchBegins
	// MatchResumes: the saved match with Name was loaded; On when we joined, off when Name joined us.
	MatchResumes
	// ResumeTurn: summary of a resumed match: it is Name's turn.
	ResumeTurn
	// ResumeLength: summary of a resumed match: Length.
	ResumeLength
	// ResumePoints: summary of a resumed match: Name has Points.
	ResumePoints

	// A game.

	// GameBegins: a game with Name starts.
	GameBegins
	// OpeningRoll: Name rolled Dice[0], Other rolled Dice[1]; ties are followed by another one.
	OpeningRoll
	// CubeNow: an opening tie turned the cube to Cube (autodouble).
	CubeNow
	// FirstMove: Name (You or a name) won the opening roll.
	FirstMove
	// RollOrDouble: our turn, with the choice to roll or double.
	RollOrDouble
	// Rolls: Name rolled Dice.
	Rolls
	// PleaseMove: we must give Count single moves.
	PleaseMove
	// CantMove: Name has no legal move; no board follows.
	CantMove
	// OnlyMove: a forced move made by the server for whoever is on roll (no name): Steps.
	OnlyMove
	// Moves: Name moved Steps (none on servers that print a dance this way).
	Moves
	// BearsOff: greedy bear-off by the server: Steps.
	BearsOff
	// WaitForMove: refusal: doubling in the turn of Name.
	WaitForMove
	// Doubles: Name doubles; Asks when the answer is ours; Other is who must answer when told; Redouble when a redouble may answer.
	Doubles
	// Takes: Name took the double or redouble; Cube is the new value, 0 when not told (watching).
	Takes
	// Redoubles: Name took and redoubled to Cube (0 when not told); Asks when the answer is ours.
	Redoubles
	// AwaitAnswer: second line of our redouble: wait for Name.
	AwaitAnswer
	// OffersResign: Name offers to resign for Points (total, cube included), Other would win them; Asks when the answer is ours.
	OffersResign
	// RejectsResign: Name refused the offer; the game goes on and no board follows.
	RejectsResign
	// GameOver: Name won Points in a game, Result says how, Other lost when told.
	GameOver
	// Score: after a game that did not end the match: Name has Score[0], Other Score[1], Length.
	Score
	// JoinNext: between games: answer join or leave.
	JoinNext
	// WaitJoin: we joined the next game first; waiting for Name.
	WaitJoin
	// MatchOver: Name won the match of Length points by Score (winner first).
	MatchOver
	// GameSaved: the match is off and saved: Name went (You when we left), Cause.
	GameSaved
	// CurrentPips: pip counts: Name has Points, Other has Count.
	CurrentPips
	// PanicSaved: answer to panic.
	PanicSaved

	// Rating calculation at the end of a match.

	// RatingBegin: header of the rating calculation.
	RatingBegin
	// RatingDifference: Value is the difference of ratings.
	RatingDifference
	// RatingLength: Length used.
	RatingLength
	// RatingExperience: experience of Name (Points) and Other (Count).
	RatingExperience
	// RatingUnderdog: Value is the underdog's chance.
	RatingUnderdog
	// RatingChance: Value is the chance used in the formula.
	RatingChance
	// RatingK: Value is the K factor of Name.
	RatingK
	// RatingChange: Value is the change of Name's rating.
	RatingChange

	// Watching and reports.

	// YouWatch: we now watch Name.
	YouWatch
	// YouUnwatch: we stopped watching Name; Cause when he left.
	YouUnwatch
	// WatchIdle: the watched player Name plays nothing.
	WatchIdle
	// WatchesYou: Name watches us, our opponent (Other), or stops when not On.
	WatchesYou
	// NotPlaying: Name is not playing (look, or board while watching).
	NotPlaying
	// Banned: Name banned Other ("you") from watching.
	Banned
	// CantWatch: the match between Name and Other is closed to us.
	CantWatch
	// ReportStart: Name and Other started a match of Length points.
	ReportStart
	// ReportResume: Name and Other resume a match of Length points.
	ReportResume
	// ReportResult: Name beat Other by Score in a match of Length points.
	ReportResult
	// ReportLeft: Name left the match with Other.
	ReportLeft

	// Saved matches and move lists.

	// SavedHeader: header of show saved.
	SavedHeader
	// SavedRow: one saved match: Name, Length, Score (ours first), Count stars.
	SavedRow
	// SavedNone: there are no saved games.
	SavedNone
	// SavedCount: Name has Count saved games.
	SavedCount
	// OldScore: first line of a move list: Score, Length; order of the score is not reliable.
	OldScore
	// OldPlayers: second line of a move list: Name is X, Other is O.
	OldPlayers
	// OldMove: list line: Side rolled Dice and moved Steps (none: could not move).
	OldMove
	// OldDoubles: list line: Side doubles.
	OldDoubles
	// OldAccepts: list line: Side accepts.
	OldAccepts
	// OldRejects: list line: Side rejects.
	OldRejects
	// OldResigns: list line: Side wants to resign.
	OldResigns
	// OldWins: list line: Side wins.
	OldWins
	// OldOther: any other list line of Side: Text.
	OldOther

	// Settings.

	// Toggled: the switch Name is now On; for silent On means deaf, for wrap On means the server wraps.
	Toggled
	// ToggleHeader: header of the list of switches.
	ToggleHeader
	// ToggleRow: the switch Name is On.
	ToggleRow
	// VariableHeader: header of the list of variables.
	VariableHeader
	// VariableRow: the variable Name is Text.
	VariableRow
	// VariableSet: the variable Name was set to Text.
	VariableSet
	// VariableValue: the variable Name is Text.
	VariableValue
	// SettingsSaved: answer to save.
	SettingsSaved
	// AddressSet: our address is Text.
	AddressSet
	// PasswordChanged: answer to password.
	PasswordChanged

	// Lists and information.

	// WhoisHeader: information about Name follows.
	WhoisHeader
	// WhoisLastLogin: Text, Other the host.
	WhoisLastLogin
	// WhoisLastLogout: Text.
	WhoisLastLogout
	// WhoisPresent: still logged in (On) or not; Text the idle time with its unit.
	WhoisPresent
	// WhoisStatus: Name is ready (On) or not and plays nothing; Other whom he watches.
	WhoisStatus
	// WhoisPlaying: Name plays Other.
	WhoisPlaying
	// WhoisAway: Name is away: Text.
	WhoisAway
	// WhoisRating: Value rating, Count experience.
	WhoisRating
	// WhoisEmail: Text, empty when none.
	WhoisEmail
	// WhoisNone: no information about Name.
	WhoisNone
	// WhoHeader: header of a hand who list, also the answer of who when nobody matches.
	WhoHeader
	// WhoRow: a row of a who list in telnet mode; Text has it.
	WhoRow
	// WhoCount: Count users are logged on.
	WhoCount
	// Where: Name comes from Text.
	Where
	// RatingsHeader: header of ratings.
	RatingsHeader
	// RatingsRow: Count rank, Name, Value rating, Points experience.
	RatingsRow
	// GamesHeader: header of show games.
	GamesHeader
	// GamesRow: Name and Other play Length points, Score.
	GamesRow
	// WatchersHeader: header of show watchers; On when the list is empty.
	WatchersHeader
	// WatchersRow: Name is watching Other.
	WatchersRow
	// ShowMax: Count logins allowed, Points the maximum.
	ShowMax
	// LastHeader: header of last: Count rows.
	LastHeader
	// LastRow: one login or logout: Text when, Name the zone, Other what.
	LastRow
	// GagList: Text.
	GagList
	// Gagged: Name is gagged when On.
	Gagged
	// BlindList: Text.
	BlindList
	// Blinded: Name is blinded when On.
	Blinded
	// WaitforList: Text; Count when told.
	WaitforList
	// WaitforSet: we shall hear when Name logs in.
	WaitforSet
	// WaitforFires: the awaited Name logged in.
	WaitforFires
	// WaitedFor: Name was waiting for us.
	WaitedFor
	// Waves: Name waves goodbye; On when again and logged out.
	Waves
	// YouAreAway: we are away; comes after every command.
	YouAreAway
	// WelcomeBack: answer to back.
	WelcomeBack
	// AwayList: header of the list of users who are away; On when there are any.
	AwayList
	// MailNone: no new messages.
	MailNone
	// MailHeader: messages follow.
	MailHeader
	// YouTell: echo of tell outside CLIP: Name, Text.
	YouTell
	// LookSelf: look at ourselves.
	LookSelf
	// Version: Text.
	Version
	// Port: Count.
	Port
	// RunningSince: Text.
	RunningSince
	// StatRow: a row of stat, average or dicetest: Text.
	StatRow
	// DiceTest: first line of dicetest.
	DiceTest
	// Done: end of a dump.
	Done
	// ServerJoke: an answer to mischief.
	ServerJoke
	// ClearScreen: the sequence that clears a terminal.
	ClearScreen
	// HelpLine: a line of a help text; Raw keeps leading blanks.
	HelpLine
	// NameList: a name prefix fits several users: Text.
	NameList
	// NotImplemented: the server has no command Text.
	NotImplemented

	// Registration as guest.

	// GuestWelcome: logged in as guest on the server Name.
	GuestWelcome
	// GuestText: instructions for registration.
	GuestText
	// GuestNameOK: our name will be Name.
	GuestNameOK
	// GuestNameTaken: Name is used by somebody else.
	GuestNameTaken
	// GuestNameBad: letters and underscore only.
	GuestNameBad
	// GuestNameLong: at most Count letters.
	GuestNameLong
	// GuestPasswordEmpty: no password given, choose a new name.
	GuestPasswordEmpty
	// GuestPasswordShort: at least Count letters; the prompt is repeated.
	GuestPasswordShort
	// GuestPasswordsDiffer: the prompt is repeated on the same line.
	GuestPasswordsDiffer
	// GuestPasswordColon: a password may not contain a colon.
	GuestPasswordColon
	// GuestRegistered: the account exists now.
	GuestRegistered

	// The board.

	// BoardLine: a board: Board.
	BoardLine
	// BadBoard: a damaged board line: discard it and ask again; Text says what is wrong.
	BadBoard

	// Refusals: answers that mean our command did nothing.

	// NoSuchPlayer: nobody called Name is logged in, or known.
	NoSuchPlayer
	// RefusingGames: Name is not ready.
	RefusingGames
	// BusyPlaying: Name is already playing somebody else.
	BusyPlaying
	// NoSavedMatch: there is no saved match with Name to resume, show or list.
	NoSavedMatch
	// BadLength: the match length was refused: Text.
	BadLength
	// NotExperienced: the match is too long for our or his experience.
	NotExperienced
	// YouArePlaying: impossible while playing.
	YouArePlaying
	// InviteRefused: another refusal of an invitation: Text.
	InviteRefused
	// DidntInvite: Name's invitation is gone or never was.
	DidntInvite
	// SavedCorrupt: the saved match cannot be loaded.
	SavedCorrupt
	// JoinWho: join without a name and without an invitation.
	JoinWho
	// NotPlayingYou: a game command outside a match.
	NotPlayingYou
	// NotWatching: a command that needs a watched or played match.
	NotWatching
	// AlreadyRolled: we have rolled: ask for the board.
	AlreadyRolled
	// NotYourRoll: rolling out of turn.
	NotYourRoll
	// NotYourMove: moving out of turn.
	NotYourMove
	// NotYourTurn: another command out of turn.
	NotYourTurn
	// RollFirst: moving before rolling.
	RollFirst
	// MoveRefused: the move was not accepted: Text; the turn stays ours. Count is the number of the refused single move, or of the moves wanted.
	MoveRefused
	// CantDouble: doubling refused: Text.
	CantDouble
	// CrawfordNoDouble: doubling refused because this is the Crawford game: only roll.
	CrawfordNoDouble
	// DoublePending: Name has not answered our double yet.
	DoublePending
	// CantRedouble: redoubling refused: Text.
	CantRedouble
	// ResignPending: Name has not answered our resignation yet.
	ResignPending
	// AnswerResign: Name wanted to resign and we have to answer first.
	AnswerResign
	// AlreadyDidThat: join or resign repeated.
	AlreadyDidThat
	// ResignHow: resign without a valid argument.
	ResignHow
	// NothingToAnswer: Name neither doubled nor offered to resign; Name empty when we play nobody.
	NothingToAnswer
	// GameIsOver: a game command after the end: Text "game" or "match".
	GameIsOver
	// NobodyToLeave: leave outside a match.
	NobodyToLeave
	// ChatRefused: a tell, shout, kibitz or message was refused: Text.
	ChatRefused
	// WatchRefused: watch or look was refused: Text.
	WatchRefused
	// ToggleUnknown: there is no switch Name.
	ToggleUnknown
	// SetRefused: a variable was not set: Text.
	SetRefused
	// PipRefused: pip was refused: Text.
	PipRefused
	// WaitforRefused: waitfor was refused: Text.
	WaitforRefused
	// Usage: a command was given wrongly: Text.
	Usage
	// UnknownCommand: the server knows no command Text.
	UnknownCommand
	// PermissionDenied: an administrator's command.
	PermissionDenied
	// Refused: any other line that starts with two stars, or a refused registration: Text.
	Refused

	kindCount
)
