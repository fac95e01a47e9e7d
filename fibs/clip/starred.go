package clip

import (
	"slices"
	"strings"
	"sync"
)

// switchTexts are the answers to toggle, without the stars and the full stop.
// Sources disagree which text of silent and wrap means YES. Here On means what the words say:
// shouts are not heard, and the server wraps lines.
var switchTexts = map[string]switchState{
	"You allow the use the server's 'pip' command":                             {"allowpip", true},
	"You allow the use of the server's 'pip' command":                          {"allowpip", true},
	"You don't allow the use of the server's 'pip' command":                    {"allowpip", false},
	"The board will be refreshed after every move":                             {"autoboard", true},
	"The board won't be refreshed after every move":                            {"autoboard", false},
	"You agree that doublets during opening double the cube":                   {"autodouble", true},
	"You don't agree that doublets during opening double the cube":             {"autodouble", false},
	"Forced moves will be done automatically":                                  {"automove", true},
	"Forced moves won't be done automatically":                                 {"automove", false},
	"Your terminal will ring the bell if someone talks to you or invites you":  {"bell", true},
	"Your terminal won't ring the bell if someone talks to you or invites you": {"bell", false},
	"You insist on playing with the Crawford rule":                             {"crawford", true},
	"You would like to play without using the Crawford rule":                   {"crawford", false},
	"You will be asked if you want to double":                                  {"double", true},
	"You won't be asked if you want to double":                                 {"double", false},
	"Will use automatic greedy bearoffs":                                       {"greedy", true},
	"Won't use automatic greedy bearoffs":                                      {"greedy", false},
	"Will send rawboards after rolling":                                        {"moreboards", true},
	"Won't send rawboards after rolling":                                       {"moreboards", false},
	"You want a list of moves after this game":                                 {"moves", true},
	"You won't see a list of moves after this game":                            {"moves", false},
	"You'll be notified when new users log in":                                 {"notify", true},
	"You won't be notified when new users log in":                              {"notify", false},
	"You'll see how the rating changes are calculated":                         {"ratings", true},
	"You won't see how the rating changes are calculated":                      {"ratings", false},
	"You're now ready to invite or join someone":                               {"ready", true},
	"You're now refusing to play with someone":                                 {"ready", false},
	"You will be informed about starting and ending matches":                   {"report", true},
	"You won't be informed about starting and ending matches":                  {"report", false},
	"You won't hear what other players shout":                                  {"silent", true},
	"You will hear what other players shout":                                   {"silent", false},
	"You use telnet and don't need extra 'newlines'":                           {"telnet", true},
	"You use a client program and will receive extra 'newlines'":               {"telnet", false},
	"The server will wrap long lines":                                          {"wrap", true},
	"Your terminal knows how to wrap long lines":                               {"wrap", false},
}

// switchState is a switch and its new state.
type switchState struct {
	name string
	on   bool
}

// starredTexts are the lines with two stars that hold no names or numbers, without the stars
// and the full stop.
var starredTexts = map[string]Kind{
	"Warning: You are already logged in": AlreadyLoggedIn,
	"access denied":                      LoginRefused,
	"access denied!":                     LoginRefused,
	"invite who?":                        Usage,
	"The second argument to 'invite' has to be a number or the word 'unlimited'": BadLength,
	"You're not experienced enough to play a match of that length":               NotExperienced,
	"You are already playing":                                          YouArePlaying,
	"You can't invite yourself":                                        InviteRefused,
	"Please wait for your last invitation to be accepted":              InviteRefused,
	"Use 'toggle ready' first":                                         InviteRefused,
	"You are not allowed to create new games":                          InviteRefused,
	"Error: Join who?":                                                 JoinWho,
	"You can't play two games at once":                                 YouArePlaying,
	"ERROR: Saved match is corrupt. Please start another one":          SavedCorrupt,
	"It's not your turn to double":                                     CantDouble,
	"You can only double before you roll the dice":                     CantDouble,
	"You can't double now. You want to resign":                         CantDouble,
	"You cannot double in the first move":                              CantDouble,
	"Instant redoubles are only available for unlimited matches":       Known,
	"You are not allowed to redouble":                                  Known,
	"Type 'n' (normal), 'g' (gammon) or 'b' (backgammon) after resign": Known,
	"You already did that":                                             AlreadyDidThat,
	"You're not playing, so you can't give up":                         NothingToAnswer,
	"You terminated the game. The game was saved":                      GameSaved,
	"Error: No one to leave":                                           Known,
	"You're not playing":                                               NotPlayingYou,
	"You're not watching or playing":                                   NotWatching,
	"You're not playing or watching":                                   NotWatching,
	"You're not watching":                                              NotWatching,
	"You did already roll the dice":                                    AlreadyRolled,
	"It's not your turn to roll the dice":                              NotYourRoll,
	"It's not your turn to move":                                       NotYourMove,
	"It's not your turn":                                               NotYourTurn,
	"You have to roll the dice before moving":                          RollFirst,
	"You can't bear off with every number you have rolled":             MoveRefused,
	"Permission denied":                                                PermissionDenied,
	"Permisssion denied":                                               PermissionDenied,
	"Permision denied":                                                 PermissionDenied,
	"You're not supposed to change your name":                          Refused,
	"Watch who?":              Usage,
	"Use a mirror to do that": WatchRefused,
	"You can't watch another game while you're playing": WatchRefused,
	"Look at who?":                                                            Usage,
	"But nobody heard you":                                                    Heard,
	"You can't talk if you won't listen":                                      ChatRefused,
	"'say' can't be used outside a game":                                      ChatRefused,
	"You can't say nothing":                                                   ChatRefused,
	"Please type 'toggle silent' again before you shout":                      ChatRefused,
	"shouting has been disabled for you":                                      ChatRefused,
	"Tell whom?":                                                              Usage,
	"You talk too much, don't you?":                                           ChatRefused,
	"You can't read this message now, can you?":                               WatchRefused,
	"Look behind you. Maybe you are waiting there":                            Known,
	"You're not away":                                                         Refused,
	"You can't do this while playing":                                         YouArePlaying,
	"Invalid argument. Type 'help set'":                                       SetRefused,
	"Valid arguments are the numbers 1 to 3":                                  SetRefused,
	"Valid arguments are the numbers 0 to 999. Use 0 for no linelength":       SetRefused,
	"Valid arguments are the numbers 0 to 999. Use 0 for no pagelength":       SetRefused,
	"Valid arguments are 'none', 'unlimited' and the numbers 1 to 99":         SetRefused,
	"You didn't give your address":                                            Usage,
	"NOTE: The character between the passwords is now a colon!":               Usage,
	"Sorry. Old password not correct":                                         Refused,
	"Please give your new password twice":                                     Refused,
	"Type 'toggle allowpip' first":                                            Known,
	"The players don't allow pipcounts":                                       Known,
	"please give a name as an argument":                                       Usage,
	"show what?":                                                              Usage,
	"Please use the 'whois' command":                                          Usage,
	"Your name may only contain letters and the underscore character _":       GuestRefused,
	"No password given. Please choose a new name":                             GuestRefused,
	"The two passwords were not identical. Please give them again. Password:": GuestRefused,
	"Your password may not contain ':'":                                       GuestRefused,
	// Announcements that come with a shutdown.
	"All running games will be saved":               Notice,
	"It will be back when the computer is rebooted": Notice,
}

// starred reads the lines that begin with a star.
func starred(e *Event, line string) (rest string, ok bool) {
	switch {
	case strings.HasPrefix(line, "*** "):
		threeStars(e, line[4:])
		return "", true
	case strings.HasPrefix(line, "** "):
		return twoStars(e, line[3:]), true
	case strings.HasPrefix(line, "**"):
		return "", savedRow(e, line[2:], 2)
	default:
		_, ok = indentedRows().read(e, strings.TrimLeft(line[1:], " ")) // ratings of players who are on line
		return "", ok
	}
}

// threeStars reads announcements to all users.
func threeStars(e *Event, text string) {
	e.Kind, e.Text = Notice, text
	c := cursor{text}
	switch {
	case text == "running dice test:", strings.HasPrefix(text, "Why would you want to do that"):
		e.Kind, e.Text = Known, ""
		return
	case !c.lit("ATTENTION ! FIBS will "):
		return
	}
	e.Kind = Attention
	switch {
	case c.lit("restart"):
		e.Text = "restart"
	case c.lit("shut down"):
		e.Text = "shut down"
	default:
		e.Text = c.s
		return
	}
	n := 0
	if !c.lit(" in ") || !c.num(&n) {
		return
	}
	switch {
	case c.lit(" minute"):
		n *= 60
	case c.lit(" hour"):
		n *= 3600
	}
	e.Count = n
}

// twoStars reads answers to us, most of them refusals.
func twoStars(e *Event, text string) (rest string) {
	bare := strings.TrimRight(strings.TrimSuffix(text, "."), " ")
	if s, known := switchTexts[bare]; known {
		e.Kind, e.Name, e.On = Toggled, s.name, s.on
		return ""
	}
	if k, known := starredTexts[bare]; known {
		e.Kind, e.Text = k, text
		switch k {
		case GameSaved:
			e.Name, e.Cause, e.Text = You, CauseLeft, ""
		case Heard, NothingToAnswer, Known:
			e.Text = ""
		}
		return ""
	}
	if at := strings.Index(text, ".** "); at >= 0 {
		// A compatible server forgets the line end behind some refusals.
		if k, known := starredTexts[text[:at]]; known {
			e.Kind, e.Text = k, text[:at+1]
			return text[at+1:]
		}
	}
	if rest, ok := starredSentences().read(e, text); ok {
		return rest
	}
	*e = Event{Kind: Refused, Text: text}
	if strings.HasSuffix(text, "The game was saved.") {
		e.Kind, e.Cause, e.Text = GameSaved, CauseOther, ""
	}
	return ""
}

// starredSentences are the lines with two stars that hold a name, a number or words of
// ours, without the stars.
var starredSentences = sync.OnceValue(func() *table {
	return newTable(slices.Concat(starredNames, starredMoves, starredArguments, starredKnown))
})

// starredNames are the sentences about a player.
var starredNames = []pattern{
	{"There is no one called [']{name}[']", Event{Kind: NoSuchPlayer}},
	{"There's no one called [']{name}[']", Event{Kind: NoSuchPlayer}},
	{"There is noone called [']{name}[']", Event{Kind: NoSuchPlayer}},
	{"There is no user called [']{name}[']", Event{Kind: NoSuchPlayer}},
	{"Don't know user [']{name}[']", Event{Kind: NoSuchPlayer}},
	{"Error: can't find player [']{name}[']", Event{Kind: NoSuchPlayer}},
	{"There's no saved match with a player called '{name}'", Event{Kind: NoSavedMatch}},
	{"There's no saved match with {name}. Please give a match length", Event{Kind: NoSavedMatch}},
	{"There is no saved match with {name}. Please give a match length", Event{Kind: NoSavedMatch}},
	{"There is no saved game with {name}", Event{Kind: NoSavedMatch}},
	{"You invited {name} to resume a saved match", Event{Kind: YouInviteResume}},
	{"You invited {name} to {a length} match", Event{Kind: YouInvite}},
	{"You are now playing {a length} match with {name}", Event{Kind: MatchBegins, On: true}},
	{"Player {name} has joined you for {a length} match", Event{Kind: MatchBegins}},
	{"Player {name} has left the game. The game was saved", Event{Kind: GameSaved, Cause: CauseLeft}},
	{"Player {name} terminated the game. The game was saved", Event{Kind: GameSaved, Cause: CauseLeft}},
	{"You stop watching {name}", Event{Kind: YouUnwatch}},
	{"Please wait until {name} has moved", Event{Kind: WaitForMove}},
	{"Please wait for {name} to join too", Event{Kind: WaitJoin}},
	{"Wait until {name} accepted or rejected your resign", Event{Kind: ResignPending}},
	{"You can't watch the match between {name} and {other}", Event{Kind: CantWatch}},
	{"{=}User {name} authenticated", Event{Kind: TelnetGreeting}},
	{"{=}Last login: {any}", Event{Kind: TelnetGreeting}},
	{"Error: {name} is already playing with someone else", Event{Kind: BusyPlaying}},
	{"{name} is already playing with someone else", Event{Kind: BusyPlaying}},
	{"{name} is refusing games", Event{Kind: RefusingGames}},
	{"{name} didn't invite you", Event{Kind: DidntInvite}},
	{"{name} hasn't responded to your double yet", Event{Kind: DoublePending}},
	{"{name} hasn't accepted or rejected your resign yet", Event{Kind: ResignPending}},
	{"{name} wanted to resign. Type 'accept' or 'reject'", Event{Kind: AnswerResign, Asks: true}},
	{"{name} didn't double or resign", Event{Kind: NothingToAnswer}},
	{"{=}{name} doesn't want you to watch", Event{Kind: WatchRefused}},
	{"{=}{name} doesn't want you to look", Event{Kind: WatchRefused}},
	{"{name} is not playing", Event{Kind: NotPlaying}},
	{"{=}{name} won't listen to you", Event{Kind: ChatRefused}},
}

// starredMoves are the refusals of the move command.
var starredMoves = []pattern{
	{"{=}You must give {count} move[s]", Event{Kind: MoveRefused}},
	{"{=}Please don't give more than {count} move[s]", Event{Kind: MoveRefused}},
	{"{=}You can't move from [the ]{word} in your {ordinal} move", Event{Kind: MoveRefused}},
	{"{=}You can't move to {word} in your {ordinal} move", Event{Kind: MoveRefused}},
	{"{=}You have to remove pieces from the bar in your {ordinal} move", Event{Kind: MoveRefused}},
	{"{=}You can't remove this piece in your {ordinal} move", Event{Kind: MoveRefused}},
	{"{=}You can't move home in your {ordinal} move", Event{Kind: MoveRefused}},
	{"{=}You can't move {number} point[s] in your {ordinal} move", Event{Kind: MoveRefused}},
	{"{=}You can't move {any}-home in your {ordinal} move", Event{Kind: MoveRefused}},
	{"{=}{ordinal} move: legal words are {any}", Event{Kind: MoveRefused}},
}

// starredArguments are the answers that contain a number or words that we sent.
var starredArguments = []pattern{
	{"Unknown command: '{quoted}", Event{Kind: UnknownCommand}},
	{"Not yet implemented: '{text}'", Event{Kind: NotImplemented}},
	{"Don't know how to toggle ~{subject}", Event{Kind: ToggleUnknown}},
	{"{=}Don't know how to show {subject}", Event{Kind: Usage}},
	{"{=}Unknown value '{subject}'. Try {any}", Event{Kind: SetRefused}},
	{"System administrator causes shutdown{any}", Event{Kind: Attention, Text: "shut down"}},
	{"{=}The Crawford rule doesn't{any}", Event{Kind: CrawfordNoDouble}},
	{"{=}You can't play a {length} point match", Event{Kind: BadLength}},
	{"The game is already over", Event{Kind: GameIsOver, Text: "game"}},
	{"The match is already over", Event{Kind: GameIsOver, Text: "match"}},
	{"{=}usage: {any}", Event{Kind: Usage}},
	{"{=}Usage: {any}", Event{Kind: Usage}},
	{"{=}Tell {any}", Event{Kind: Usage}},
	{"{=}invalid range from {any}", Event{Kind: Usage}},
	{"{=}range currently limited to {any}", Event{Kind: Usage}},
	{"{=}Please give a positive number after '{any}", Event{Kind: Usage}},
	{"{=}Please use only one of the given names {any}", Event{Kind: Usage}},
	{"You just logged in a second time from {text}, terminating{any}", Event{Kind: SecondLogin}},
	{"{=}Please use another name. '{subject}' is already used by someone else", Event{Kind: GuestRefused}},
	{"{=}Please use a name with at most {count} characters", Event{Kind: GuestRefused}},
	{"{=}'{subject}' is not an email address", Event{Kind: Refused}},
	{"WARNING: Don't accept if you want to continue the saved {length}[ point] match!", Event{Kind: WarnsSaved}},
	{"{count} user[s] heard you", Event{Kind: Heard}},
}

// starredKnown are the sentences that no one reads.
var starredKnown = known(
	"You'll receive a message when '{name}' logs in", "FINALLY!!! {name} logs in", "{name} is waiting for you to log in", "'{name}' is already logged in",
	"You gag {name}", "You ungag {name}", "You blind {name}", "You unblind {name}", "Gagged users: {any}", "Blinded users: {any}",
	"You tell {name}: {any}", "{name} doesn't allow this. Ask {other} to 'toggle allowpip'", "This redouble is not a{any}", "Version {any}",
	"Ambigous name: Try one of: {any}", "Ambiguous name: Try one of: {any}",
)
