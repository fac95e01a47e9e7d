package clip

// Kind says what a line announces. The comment of each kind names the fields
// of [Event] that it fills; the others are zero.
type Kind uint8

// The kinds, in the order in which a session meets them. "You" in a field that
// holds a name stands for ourselves, as the server writes it; see [You].
const (
	// What every line may be.

	// Unknown: a line of no known shape; Raw has it. FIBS clones and future servers say things of their own.
	Unknown Kind = iota // unknown
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
	// ServerTime: the server's clock, before the login prompt and in answer to time; Text has the UTC half, Other the local half.
	ServerTime // server time
	// AlreadyLoggedIn: our login replaced an older session of the same account.
	AlreadyLoggedIn // already logged in
	// LoginRefused: the server says in words that the login is wrong; Text has them.
	LoginRefused // login refused
	// BogusLine: a numbered line behind a telnet prompt: the CLIP login failed and this is not our session; Text has the line.
	BogusLine // bogus line
	// TelnetGreeting: the greeting of a hand login; Name when it tells one, Text the rest.
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
	// Goodbye: the logout text; the server closes the connection after it.
	Goodbye // goodbye
	// YouTimedOut: we were idle too long; the server closes the connection.
	YouTimedOut // you timed out
	// Attention: a restart or shutdown is coming: Count seconds to go (0 when not told), Text "restart" or "shut down".
	Attention // attention
	// Notice: another announcement to everybody, as a rule with three stars; Text has it.
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
	// Shouts: code 13: Name shouts Text to everybody.
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
	// Heard: Count people heard our kibitz or whisper (0: nobody).
	Heard // heard
	// TalksToSelf: we told something to ourselves: Text.
	TalksToSelf // talks to self
	// ClipOther: a numbered line of an unknown code: Count has the code, Text the rest.
	ClipOther // clip other

	// Invitations.

	// Invites: Name invites us to a new match of Length points (Unlimited when without end).
	Invites // invites
	// InvitesResume: Name wants to resume the saved match.
	InvitesResume // invites to resume
	// InviteHint: second line of an invitation, "Type 'join Name' to accept.".
	InviteHint // invite hint
	// WarnsSaved: the invitation just seen would destroy a saved match of Length points; the line names nobody.
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
	// ResumeTurn: summary of a resumed match: it is Name's turn.
	ResumeTurn // resume turn
	// ResumeLength: summary of a resumed match: Length.
	ResumeLength // resume length
	// ResumePoints: summary of a resumed match: Name has Points.
	ResumePoints // resume points

	// A game.

	// GameBegins: a game with Name starts.
	GameBegins // game begins
	// OpeningRoll: Name rolled Dice[0], Other rolled Dice[1]; ties are followed by another one.
	OpeningRoll // opening roll
	// CubeNow: an opening tie turned the cube to Cube (autodouble).
	CubeNow // cube now
	// FirstMove: Name (You or a name) won the opening roll.
	FirstMove // first move
	// RollOrDouble: our turn, with the choice to roll or double.
	RollOrDouble // roll or double
	// Rolls: Name rolled Dice.
	Rolls // rolls
	// PleaseMove: we must give Count single moves.
	PleaseMove // please move
	// CantMove: Name has no legal move; no board follows.
	CantMove // can't move
	// OnlyMove: a forced move made by the server for whoever is on roll (no name): Steps.
	OnlyMove // only move
	// Moves: Name moved Steps (none on servers that print a dance this way).
	Moves // moves
	// BearsOff: greedy bear-off by the server: Steps.
	BearsOff // bears off
	// WaitForMove: refusal: doubling in the turn of Name.
	WaitForMove // wait for move
	// Doubles: Name doubles; Asks when the answer is ours; Other is who must answer when told; Redouble when a redouble may answer.
	Doubles // doubles
	// Takes: Name took the double or redouble; Cube is the new value, 0 when not told (watching).
	Takes // takes
	// Redoubles: Name took and redoubled to Cube (0 when not told); Asks when the answer is ours.
	Redoubles // redoubles
	// AwaitAnswer: second line of our redouble: wait for Name.
	AwaitAnswer // await answer
	// OffersResign: Name offers to resign for Points (total, cube included), Other would win them; Asks when the answer is ours.
	OffersResign // offers to resign
	// RejectsResign: Name refused the offer; the game goes on and no board follows.
	RejectsResign // rejects resignation
	// GameOver: Name won Points in a game, Result says how, Other lost when told.
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
	// CurrentPips: pip counts: Name has Points, Other has Count.
	CurrentPips // pips
	// PanicSaved: answer to panic.
	PanicSaved // panic saved

	// Rating calculation at the end of a match.

	// RatingBegin: header of the rating calculation.
	RatingBegin // rating begin
	// RatingDifference: Value is the difference of ratings.
	RatingDifference // rating difference
	// RatingLength: Length used.
	RatingLength // rating length
	// RatingExperience: experience of Name (Points) and Other (Count).
	RatingExperience // rating experience
	// RatingUnderdog: Value is the underdog's chance.
	RatingUnderdog // rating underdog
	// RatingChance: Value is the chance used in the formula.
	RatingChance // rating chance
	// RatingK: Value is the K factor of Name.
	RatingK // rating k
	// RatingChange: Value is the change of Name's rating.
	RatingChange // rating change

	// Watching and reports.

	// YouWatch: we now watch Name.
	YouWatch // you watch
	// YouUnwatch: we stopped watching Name; Cause when he left.
	YouUnwatch // you unwatch
	// WatchIdle: the watched player Name plays nothing.
	WatchIdle // watch idle
	// WatchesYou: Name watches us, our opponent (Other), or stops when not On.
	WatchesYou // watches you
	// NotPlaying: Name is not playing (look, or board while watching).
	NotPlaying // not playing
	// Banned: Name banned Other ("you") from watching.
	Banned // banned
	// CantWatch: the match between Name and Other is closed to us.
	CantWatch // can't watch
	// ReportStart: Name and Other started a match of Length points.
	ReportStart // report start
	// ReportResume: Name and Other resume a match of Length points.
	ReportResume // report resume
	// ReportResult: Name beat Other by Score in a match of Length points.
	ReportResult // report result
	// ReportLeft: Name left the match with Other.
	ReportLeft // report left

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
	// ToggleHeader: header of the list of switches.
	ToggleHeader // toggle header
	// ToggleRow: the switch Name is On.
	ToggleRow // toggle row
	// VariableHeader: header of the list of variables.
	VariableHeader // variable header
	// VariableRow: the variable Name is Text.
	VariableRow // variable row
	// VariableSet: the variable Name was set to Text.
	VariableSet // variable set
	// VariableValue: the variable Name is Text.
	VariableValue // variable value
	// SettingsSaved: answer to save.
	SettingsSaved // settings saved
	// AddressSet: our address is Text.
	AddressSet // address set
	// PasswordChanged: answer to password.
	PasswordChanged // password changed

	// Lists and information.

	// WhoisHeader: information about Name follows.
	WhoisHeader // whois header
	// WhoisLastLogin: Text, Other the host.
	WhoisLastLogin // whois last login
	// WhoisLastLogout: Text.
	WhoisLastLogout // whois last logout
	// WhoisPresent: still logged in (On) or not; Text the idle time with its unit.
	WhoisPresent // whois present
	// WhoisStatus: Name is ready (On) or not and plays nothing; Other whom he watches.
	WhoisStatus // whois status
	// WhoisPlaying: Name plays Other.
	WhoisPlaying // whois playing
	// WhoisAway: Name is away: Text.
	WhoisAway // whois away
	// WhoisRating: Value rating, Count experience.
	WhoisRating // whois rating
	// WhoisEmail: Text, empty when none.
	WhoisEmail // whois email
	// WhoisNone: no information about Name.
	WhoisNone // whois none
	// WhoHeader: header of a hand who list, also the answer of who when nobody matches.
	WhoHeader // who header
	// WhoRow: a row of a who list in telnet mode; Text has it.
	WhoRow // who row
	// WhoCount: Count users are logged on.
	WhoCount // who count
	// Where: Name comes from Text.
	Where // where
	// RatingsHeader: header of ratings.
	RatingsHeader // ratings header
	// RatingsRow: Count rank, Name, Value rating, Points experience.
	RatingsRow // ratings row
	// GamesHeader: header of show games.
	GamesHeader // games header
	// GamesRow: Name and Other play Length points, Score.
	GamesRow // games row
	// WatchersHeader: header of show watchers; On when the list is empty.
	WatchersHeader // watchers header
	// WatchersRow: Name is watching Other.
	WatchersRow // watchers row
	// ShowMax: Count logins allowed, Points the maximum.
	ShowMax // show max
	// LastHeader: header of last: Count rows.
	LastHeader // last header
	// LastRow: one login or logout: Text when, Name the zone, Other what.
	LastRow // last row
	// GagList: Text.
	GagList // gag list
	// Gagged: Name is gagged when On.
	Gagged // gagged
	// BlindList: Text.
	BlindList // blind list
	// Blinded: Name is blinded when On.
	Blinded // blinded
	// WaitforList: Text; Count when told.
	WaitforList // waitfor list
	// WaitforSet: we shall hear when Name logs in.
	WaitforSet // waitfor set
	// WaitforFires: the awaited Name logged in.
	WaitforFires // waitfor fires
	// WaitedFor: Name was waiting for us.
	WaitedFor // waited for
	// Waves: Name waves goodbye; On when again and logged out.
	Waves // waves
	// YouAreAway: we are away; comes after every command.
	YouAreAway // you are away
	// WelcomeBack: answer to back.
	WelcomeBack // welcome back
	// AwayList: header of the list of users who are away; On when there are any.
	AwayList // away list
	// MailNone: no new messages.
	MailNone // mail none
	// MailHeader: messages follow.
	MailHeader // mail header
	// YouTell: echo of tell outside CLIP: Name, Text.
	YouTell // you tell
	// LookSelf: look at ourselves.
	LookSelf // look self
	// Version: Text.
	Version // version
	// Port: Count.
	Port // port
	// RunningSince: Text.
	RunningSince // running since
	// StatRow: a row of stat, average or dicetest: Text.
	StatRow // stat row
	// DiceTest: first line of dicetest.
	DiceTest // dice test
	// Done: end of a dump.
	Done // done
	// ServerJoke: an answer to mischief.
	ServerJoke // server joke
	// ClearScreen: the sequence that clears a terminal.
	ClearScreen // clear screen
	// HelpLine: a line of a help text; Raw keeps leading blanks.
	HelpLine // help line
	// NameList: a name prefix fits several users: Text.
	NameList // name list
	// NotImplemented: the server has no command Text.
	NotImplemented // not implemented

	// Registration as guest.

	// GuestWelcome: logged in as guest on the server Name.
	GuestWelcome // guest welcome
	// GuestText: instructions for registration.
	GuestText // guest text
	// GuestNameOK: our name will be Name.
	GuestNameOK // guest name accepted
	// GuestNameTaken: Name is used by somebody else.
	GuestNameTaken // guest name taken
	// GuestNameBad: letters and underscore only.
	GuestNameBad // guest name bad
	// GuestNameLong: at most Count letters.
	GuestNameLong // guest name long
	// GuestPasswordEmpty: no password given, choose a new name.
	GuestPasswordEmpty // guest password empty
	// GuestPasswordShort: at least Count letters; the prompt is repeated.
	GuestPasswordShort // guest password short
	// GuestPasswordsDiffer: the prompt is repeated on the same line.
	GuestPasswordsDiffer // guest passwords differ
	// GuestPasswordColon: a password may not contain a colon.
	GuestPasswordColon // guest password colon
	// GuestRegistered: the account exists now.
	GuestRegistered // guest registered

	// The board.

	// BoardLine: a board: Board.
	BoardLine // board
	// BadBoard: a damaged board line: discard it and ask again; Text says what is wrong.
	BadBoard // bad board

	// Refusals: answers that mean our command did nothing.

	// NoSuchPlayer: nobody called Name is logged in, or known.
	NoSuchPlayer // no such player
	// RefusingGames: Name is not ready.
	RefusingGames // refusing games
	// BusyPlaying: Name is already playing somebody else.
	BusyPlaying // busy playing
	// NoSavedMatch: there is no saved match with Name to resume, show or list.
	NoSavedMatch // no saved match
	// BadLength: the match length was refused: Text.
	BadLength // bad length
	// NotExperienced: the match is too long for our or his experience.
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
	// CantRedouble: redoubling refused: Text.
	CantRedouble // can't redouble
	// ResignPending: Name has not answered our resignation yet.
	ResignPending // resign pending
	// AnswerResign: Name wanted to resign and we have to answer first.
	AnswerResign // answer resign
	// AlreadyDidThat: join or resign repeated.
	AlreadyDidThat // already did that
	// ResignHow: resign without a valid argument.
	ResignHow // resign how
	// NothingToAnswer: Name neither doubled nor offered to resign; Name empty when we play nobody.
	NothingToAnswer // nothing to answer
	// GameIsOver: a game command after the end: Text "game" or "match".
	GameIsOver // game is over
	// NobodyToLeave: leave outside a match.
	NobodyToLeave // nobody to leave
	// ChatRefused: a tell, shout, kibitz or message was refused: Text.
	ChatRefused // chat refused
	// WatchRefused: watch or look was refused: Text.
	WatchRefused // watch refused
	// ToggleUnknown: there is no switch Name.
	ToggleUnknown // toggle unknown
	// SetRefused: a variable was not set: Text.
	SetRefused // set refused
	// PipRefused: pip was refused: Text.
	PipRefused // pip refused
	// WaitforRefused: waitfor was refused: Text.
	WaitforRefused // waitfor refused
	// Usage: a command was given wrongly: Text.
	Usage // usage
	// UnknownCommand: the server knows no command Text.
	UnknownCommand // unknown command
	// PermissionDenied: an administrator's command.
	PermissionDenied // permission denied
	// Refused: any other line that starts with two stars, or a refused registration: Text.
	Refused // refused

	kindCount // kind out of range
)
