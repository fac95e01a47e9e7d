package clip

import (
	"slices"
	"strings"
	"sync"
)

// sentences are the lines that begin with a letter, without those of move lists.
var sentences = sync.OnceValue(func() *table {
	return newTable(slices.Concat(gameSentences, lobbySentences, sessionSentences, knownSentences, wentSentences()))
})

// won is how a sentence about a won game ends: with points, with words of joy or sorrow,
// and at times with a list of moves glued to it. "Congratulation!" is of JIBS.
const won = "{n points}[.][ Congratulations!][ Congratulation!][ Sorry.]>Score is "

// gameSentences are the lines of a match.
var gameSentences = []pattern{
	{"{name} has joined you. Your running match was loaded", Event{Kind: MatchResumes}},
	{"You are now playing with {name}. Your running match was loaded", Event{Kind: MatchResumes, On: true}},
	{"Player {name} has joined you for {a length} match", Event{Kind: MatchBegins}},
	{"match length: {length}", Event{Kind: ResumeLength}},
	{"unlimited match[length]", Event{Kind: ResumeLength, Length: Unlimited}},
	{"points for user {name}: {points}", Event{Kind: ResumePoints}},
	{"points for {name}: {points}", Event{Kind: ResumePoints}},

	{"Starting a new game with {name?}", Event{Kind: GameBegins}},
	{"You roll[s][ed] {die1}, {other?} roll[s][ed] {die2}", Event{Kind: OpeningRoll, Name: You}},
	{"{name} rolls {die1}, {other?} roll[s][ed] {die2}", Event{Kind: OpeningRoll}},
	{"{name} rolled {die1}, {other?} roll[s][ed] {die2}", Event{Kind: OpeningRoll}},
	{"You make the first move", Event{Kind: FirstMove, Name: You}},
	{"{name} makes the first move", Event{Kind: FirstMove}},
	{"It's your turn to move", Event{Kind: FirstMove, Name: You}},
	{"It's your turn. Please roll or double", Event{Kind: RollOrDouble, Asks: true}},
	{"It's your turn to roll or double", Event{Kind: RollOrDouble, Asks: true}},

	{"You roll {die1} and {die2}", Event{Kind: Rolls, Name: You}},
	{"{name} rolls {die1} and {die2}", Event{Kind: Rolls}},
	{"{name} rolled {die1} and {die2}", Event{Kind: Rolls}},
	{"{name} moves {steps}", Event{Kind: Moves}},
	{"You can't move", Event{Kind: CantMove, Name: You}},
	{"{name} can't move", Event{Kind: CantMove}},
	{"The only possible move is {some steps}", Event{Kind: OnlyMove}},
	{"Bearing off: {bear-offs}>", Event{Kind: BearsOff}},
	{"Bear off: {bear-offs}>", Event{Kind: BearsOff}},

	{"You double. Please wait for {other} to accept, reject or redouble", Event{Kind: Doubles, Name: You, Redouble: true}},
	{"You double. Please wait for {other} to accept or reject", Event{Kind: Doubles, Name: You}},
	{"{name} doubles. Type 'accept' or 'reject'", Event{Kind: Doubles, Asks: true}},
	{"{name} doubles. Type 'accept', 'reject' or 'redouble'", Event{Kind: Doubles, Asks: true, Redouble: true}},
	{"{name} doubles.", Event{Kind: Doubles}},
	{"You accept the double to {cube} and redouble", Event{Kind: Redoubles, Name: You}},
	{"{name} redoubles to {cube}. Type 'accept', 'reject' or 'redouble'", Event{Kind: Redoubles, Asks: true, Redouble: true}},
	{"{name} redoubles to {cube}. Type 'accept' or 'reject'", Event{Kind: Redoubles, Asks: true}},
	{"{name} redoubles", Event{Kind: Redoubles}},
	{"You accept the [re]double.~The cube shows ~{cube}[.]>", Event{Kind: Takes, Name: You}},
	{"You accept the [re]double.>", Event{Kind: Takes, Name: You}},
	{"{name} accepts the [re]double.~The cube shows ~{cube}[.]>", Event{Kind: Takes}},
	{"{name} accepts the [re]double.>", Event{Kind: Takes}},

	// "bob want to resign" is what a compatible server sends to watchers.
	{"You want to resign. {other?} will win {n points}", Event{Kind: OffersResign, Name: You}},
	{"{name} wants to resign. You will win {n points}[.][ Type 'accept' or 'reject']", Event{Kind: OffersResign, Other: You, Asks: true}},
	{"{name} wants to resign. {other} will win {n points}", Event{Kind: OffersResign}},
	{"{name} want to resign. You will win {n points}[.][ Type 'accept' or 'reject']", Event{Kind: OffersResign, Other: You, Asks: true}},
	{"{name} want to resign. {other} will win {n points}", Event{Kind: OffersResign}},
	{"You reject. The game continues", Event{Kind: RejectsResign, Name: You}},
	{"{name} rejects. The game continues", Event{Kind: RejectsResign}},

	{"You win the game and get " + won, Event{Kind: GameOver, Name: You, Result: ByBearingOff}},
	{"{name} wins the game and gets " + won, Event{Kind: GameOver, Result: ByBearingOff}},
	{"You accept and win " + won, Event{Kind: GameOver, Name: You, Result: ByResignation}},
	{"{name} accepts and wins " + won, Event{Kind: GameOver, Result: ByResignation}},
	{"You give up. {name?} win[s] " + won, Event{Kind: GameOver, Other: You, Result: ByDrop}},
	{"{other} gives up. You win " + won, Event{Kind: GameOver, Name: You, Result: ByDrop}},
	{"{other} gives up. {name} win[s] " + won, Event{Kind: GameOver, Result: ByDrop}},
	{"score in {length}[ point] match: ~{name}-{us} {other}-{them}", Event{Kind: Score}},
	{"Type 'join' if you want to play the next game{any}", Event{Kind: JoinNext, Asks: true}},
	{"You win the {length} point match ~{us}-{them}", Event{Kind: MatchOver, Name: You}},
	{"{name} wins the {length} point match ~{us}-{them}", Event{Kind: MatchOver}},

	{"Player {name} has left the game. The game was saved", Event{Kind: GameSaved, Cause: CauseLeft}},
	{"Player {name} terminated the game. The game was saved", Event{Kind: GameSaved, Cause: CauseLeft}},
	{"Your game with {other} was saved", Event{Kind: GameSaved, Name: You, Cause: CauseLogout}},
	{"{name} closes connection with {other},{any}", Event{Kind: GameSaved, Cause: CauseOther}},

	{"Score is {us}-{them} in {a length} match", Event{Kind: OldScore}},
	{"{name} is X - {other} is O", Event{Kind: OldPlayers}},
}

// wentSentences are the lines about a player who went. Their end says what that means to
// us: our match was saved, our watching is over, or nothing.
func wentSentences() (all []pattern) {
	for _, p := range []pattern{
		{"{name} logs out.", Event{Cause: CauseLogout}},
		{"{name} drops connection.", Event{Cause: CauseDropped}},
		{"Connection with user {name} timed out.", Event{Cause: CauseTimeout}},
		{"Connection with {name} timed out.", Event{Cause: CauseTimeout}},
		{"Network error with {name}.", Event{Cause: CauseNetwork}},
		{"Closed old connection with user {name}.", Event{Cause: CauseReplaced}},
	} {
		for _, end := range []struct {
			words string
			kind  Kind
		}{
			{" The game was saved", GameSaved}, {". You're not watching anymore", YouUnwatch}, {"", LogsOut},
		} {
			p.event.Kind = end.kind
			if p.event.Cause == CauseReplaced && end.kind == LogsOut {
				p.event.Kind = GameSaved // the other session has our match
			}
			all = append(all, pattern{p.text + end.words, p.event})
		}
	}
	return append(all, pattern{"Closed old connection with user {name}.{any}The game was saved.", Event{Kind: GameSaved, Cause: CauseReplaced}})
}

// lobbySentences are the lines about other players and about settings.
var lobbySentences = []pattern{
	{"{name} wants to play {a length} match with you", Event{Kind: Invites}},
	{"{name} wants to resume a saved match with you", Event{Kind: InvitesResume}},
	{"Type 'join {name}' to accept", Event{Kind: InviteHint}},
	{"WARNING: Don't accept if you want to continue the saved {length}[ point] match!", Event{Kind: WarnsSaved}},
	{"{name} is away: {text}", Event{Kind: IsAway}},
	{"{name} has no saved game[s]", Event{Kind: SavedCount}},
	{"{name} has {count} saved game[s]", Event{Kind: SavedCount}},
	{"no saved games", Event{Kind: SavedNone}},
	{"opponent {any}matchlength{any}", Event{Kind: SavedHeader}},

	{"You're now watching {name}", Event{Kind: YouWatch}},
	{"You are now watching {name}", Event{Kind: YouWatch}},
	{"You stop watching {name}", Event{Kind: YouUnwatch}},
	{"You are not playing", Event{Kind: NotPlayingYou}},
	{"{name} starts watching {other}", Event{Kind: WatchesYou, On: true}},
	{"{name} is watching you", Event{Kind: WatchesYou, Other: "you", On: true}},
	{"{name} stops watching {other}", Event{Kind: WatchesYou}},
	{"{name} is not doing anything interesting", Event{Kind: WatchIdle}},
	{"{name} is not playing", Event{Kind: NotPlaying}},
	{"{name} bans {other} from watching", Event{Kind: Banned}},
	{"{name} and {other} start {a length} match[.]>** ", Event{Kind: ReportStart}},
	{"{name} and {other} are resuming their {length}[-point] match[.]>** ", Event{Kind: ReportResume}},

	{"Value of '{subject}' set to {value}", Event{Kind: VariableSet}},
	{"Value of '{subject}' is {value}", Event{Kind: VariableIs}},
	{"Your email address is '{text}'", Event{Kind: AddressSet}},
	{"{=}Can't find timezone '{subject}'. Try one of:{any}", Event{Kind: SetRefused}},
	{"The command `{text}' is not yet implemented", Event{Kind: NotImplemented}},
}

// sessionSentences are the lines around login, registration and logout.
var sessionSentences = []pattern{
	{"login:", Event{Kind: LoginPrompt}},
	{"{=}password:", Event{Kind: PasswordPrompt}},
	{"{=}Please give your password:", Event{Kind: PasswordPrompt}},
	{"{=}Please retype your password:", Event{Kind: PasswordPrompt}},
	{"{=}login incorrect", Event{Kind: LoginRefused}},
	{"{=}Login incorrect", Event{Kind: LoginRefused}},
	{"{=}LOGIN INCORRECT", Event{Kind: LoginRefused}},
	{"WELCOME TO THE", Event{Kind: Banner}},
	{"Connection timed out", Event{Kind: YouTimedOut}},
	{"Welcome to {subject}. You just logged in as guest", Event{Kind: GuestWelcome}},
	{"You are registered", Event{Kind: GuestRegistered}},
	{"{=}Your password may not contain ':'", Event{Kind: GuestRefused}},
	{"{=}Minimal password length is {count} characters", Event{Kind: GuestRefused}},
	{"{=}Your site is not allowed to create new accounts", Event{Kind: Refused}},
}

// knownSentences are the lines that no one reads. They are here so that a line of an
// unknown shape stands out.
var knownSentences = known(
	"turn: {name}", "The number on the doubling cube is now {number}", "Please move {number} piece[s]",
	"Please wait for {name} to accept, reject or redouble", "Please wait for {name} to accept or reject",
	"Pipcounts: {name} {number}~{other} {number}", "Your game was saved in the panic file",
	"{name} wins a {number} point match against {other} ~{number}-{number}", "{name} has left the game with {other}",

	"rating calculation:", "rating difference D={decimal}", "match length~N={number}",
	"Experience: {name} {number} - {other} {number}",
	"Probability that underdog wins: Pu=1/(10^(D*sqrt(N)/2000)+1)={decimal}",
	"P={decimal} is 1-Pu if underdog wins and Pu if favorite wins",
	"K=max(1[ ],~-Experience/100+5) for {name}: {decimal}", "change for {name}: [-]4*K*sqrt(N)*P={decimal}",

	"Settings of variables:", "Settings saved", "The current settings are:", "Password changed",
	"boardstyle:~{word}", "linelength:~{word}", "pagelength:~{word}", "redoubles:~{word}", "sortwho:~{word}", "timezone:~{word}",

	"{name} from {word}", "{name} - ~{other} ({length}[ point][ match] {number}-{number})", "{name}~- ~{other} ({length}[ point][ match] {number}-{number})",
	"{name} is watching {other}", "{name} is waiting for you to log in",
	"{name} waves goodbye", "{name} waves goodbye again", "You wave goodbye", "You wave goodbye again and log out",
	"You are not waiting for any players", "You are waiting for the following {number} players:", "You are waiting for {name}",
	"You say to yourself: {any}", "You look great", "You're away. Please type 'back'", "Welcome back",
	"There are no new messages for you", "There are messages for you:", "There are {number} users logged on",
	"None of the users is away", "The following users are away:",
	"Ambigous name: Try one of:{any}", "Ambiguous name: Try one of:{any}",
	"Information about {name}:", "No information found on user {name}", "No  S  username{any}", "No S username{any}", "who:  {any}",
	"List of games:", "Watching players:[ none]", "max_logins is {number} (maximum: {number})",

	"The server is running on port {number}", "The server is running since {any}", "The {number} last logins/logouts:",
	"Time (UTC) {any}", "n: {any}", "S: {any}", "T: {any}",
	// "stat" of the embedded server.
	"Memory in use: {any}", "Accounts: {any}", "Users on line: {any}", "Saved matches: {any}",
	"Done.", "Why would you want to do that{any}", "Thanks for using this server!",
	"{name} {number}:{number} {word} {name}: {any}", "{name} {number}:{number} {name}: {any}", // Wed 11:08 UTC: bob drops connection.
	"{name}, {any} ( {any} UTC )", // the server's clock

	"Your name will be {name}", "Please register before using this server:",
	"Type in no password and hit Enter/Return{any}", "Type 'help beginner' to get started{any}",
)

// known returns patterns of lines that no one reads.
func known(texts ...string) (list []pattern) {
	for _, text := range texts {
		list = append(list, pattern{text, Event{Kind: Known}})
	}
	return list
}

// sentence reads the lines that begin with a letter.
func sentence(e *Event, line string) (rest string, ok bool) {
	if len(line) > 3 && (line[0] == 'O' || line[0] == 'X') && line[1] == ':' && line[2] == ' ' {
		oldmovesLine(e, line)
		return "", true
	}
	if rest, ok = sentences().read(e, line); ok {
		return rest, true
	}
	return "", toggleRow(e, line)
}

// oldmovesLine reads a line of a move list.
func oldmovesLine(e *Event, line string) {
	e.Side = Side(line[0])
	text := line[3:]
	switch text {
	case "doubles":
		e.Kind = OldDoubles
	case "accepts":
		e.Kind = OldAccepts
	case "rejects":
		e.Kind = OldRejects
	case "wants to resign":
		e.Kind = OldResigns
	case "wins":
		e.Kind = OldWins
	default:
		c := cursor{text}
		e.Kind = OldMove
		if c.lit("(") && c.die(&e.Dice[0]) && c.lit(" ") && c.die(&e.Dice[1]) && c.lit(")") {
			if c.blanks(); strings.HasPrefix(c.s, "can't move") || c.steps(&e.Steps) && c.end() {
				return
			}
		}
		*e = Event{Kind: OldOther, Side: e.Side, Text: text}
	}
}

// toggleRow reads a row of the list that toggle prints.
func toggleRow(e *Event, line string) bool {
	c := cursor{line}
	if !c.name(&e.Name) || !slices.Contains(switchNames[:], e.Name) {
		return false
	}
	c.blanks()
	e.Kind, e.On = ToggleRow, c.s == "YES"
	return e.On || c.s == "NO"
}

// figureRows are the rows of stat, average and dicetest that begin with a figure which is
// not a code, such as "1234 accounts", "23:00-00:00 ...", "6: 1667" and "6-1 278".
var figureRows = sync.OnceValue(func() *table {
	return newTable(known("{number} bytes{any}", "{number} accounts{any}", "{number} ratings saved{any}", "{number} registered users{any}",
		"{number}({number}) saved games {any}", "{number}: ~{number}{any}", "{number}-1 ~{number}{any}", "{number}:{number}-{number}:{any}"))
})

// indentedRows are the lines that begin with blanks, without these.
var indentedRows = sync.OnceValue(func() *table {
	return newTable(append([]pattern{
		{"opponent {any}matchlength{any}", Event{Kind: SavedHeader}},
		{"One account per person only!", Event{Kind: Banner}},
		// A compatible server that lost the opponent's name.
		{"gives up. You win " + won, Event{Kind: GameOver, Name: You, Result: ByDrop}},
		{"gives up. {name} win[s] " + won, Event{Kind: GameOver, Result: ByDrop}},
	}, known(
		"rank name {any}", "Goodbye.", "Thanks for playing.",
		"Last login:~{any}", "Last logout:~{any}", "Still logged in. {any} idle", "Not logged in right now",
		"Rating:~{decimal} Experience:~{number}", "Email address: {word}", "No email address",
		"{name} is away: {any}", "{name} is playing with {other}",
		"{name} is ready to play, {any}, not playing", "{name} is not ready to play, {any}, not playing",
		"{number} {name} ~{decimal} ~{number}",     // ratings
		"{number} ~{word} ~{name} ~{decimal}{any}", // who
	)...))
})

// indented reads the lines that begin with a blank: rows of lists.
func indented(e *Event, line string) bool {
	if stars, row := 0, line; strings.HasPrefix(line, " *") || strings.HasPrefix(line, "  ") {
		if line[1] == '*' {
			stars = 1
		}
		if savedRow(e, row[2:], stars) {
			return true
		}
	}
	_, ok := indentedRows().read(e, strings.TrimLeft(line, " \t"))
	return ok
}

// savedRow reads a row of show saved behind its stars.
func savedRow(e *Event, line string, stars int) bool {
	c := cursor{line}
	*e = Event{Kind: SavedRow, Count: stars}
	return c.name(&e.Name) && c.blanks() && c.length(&e.Length) && c.blanks() &&
		c.num(&e.Score[0]) && c.blanks() && c.lit("-") && c.blanks() && c.num(&e.Score[1]) && c.end()
}
