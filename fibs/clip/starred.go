package clip

import "strings"

// switchTexts are the answers to toggle, without the stars and the full stop.
// For silent and wrap the sources disagree which text means YES; here On is
// what its words say: deaf to shouts, lines wrapped by the server.
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

// switchState is what an answer to toggle tells.
type switchState struct {
	name string
	on   bool
}

// starredTexts are the lines with two stars that are the same for everybody,
// without the stars and the full stop.
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
	"Instant redoubles are only available for unlimited matches":       CantRedouble,
	"You are not allowed to redouble":                                  CantRedouble,
	"Type 'n' (normal), 'g' (gammon) or 'b' (backgammon) after resign": ResignHow,
	"You already did that":                                             AlreadyDidThat,
	"You're not playing, so you can't give up":                         NothingToAnswer,
	"You terminated the game. The game was saved":                      GameSaved,
	"Error: No one to leave":                                           NobodyToLeave,
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
	"Look behind you. Maybe you are waiting there":                            WaitforRefused,
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
	"Type 'toggle allowpip' first":                                            PipRefused,
	"The players don't allow pipcounts":                                       PipRefused,
	"please give a name as an argument":                                       Usage,
	"show what?":                                                              Usage,
	"Please use the 'whois' command":                                          Usage,
	"Your name may only contain letters and the underscore character _":       GuestNameBad,
	"No password given. Please choose a new name":                             GuestPasswordEmpty,
	"The two passwords were not identical. Please give them again. Password:": GuestPasswordsDiffer,
	"Your password may not contain ':'":                                       GuestPasswordColon,
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
		return twoStars(e, line[3:])
	case strings.HasPrefix(line, "**"):
		return "", savedRow(e, line[2:], 2)
	default:
		return "", ratingsRow(e, line[1:])
	}
}

// threeStars reads announcements to everybody.
func threeStars(e *Event, text string) {
	c := cursor{text}
	if c.lit("ATTENTION ! FIBS will ") {
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
		return
	}
	e.Kind, e.Text = Notice, text
	switch {
	case text == "running dice test:":
		e.Kind = DiceTest
	case strings.HasPrefix(text, "Why would you want to do that"):
		e.Kind = ServerJoke
	}
}

// twoStars reads answers to us, most of them refusals.
func twoStars(e *Event, text string) (rest string, ok bool) {
	bare := strings.TrimRight(strings.TrimSuffix(text, "."), " ")
	if s, known := switchTexts[bare]; known {
		e.Kind, e.Name, e.On = Toggled, s.name, s.on
		return "", true
	}
	if k, known := starredTexts[bare]; known {
		e.Kind, e.Text = k, text
		switch k {
		case GameSaved:
			e.Name, e.Cause, e.Text = You, CauseLeft, ""
		case Heard, NothingToAnswer:
			e.Text = ""
		}
		return "", true
	}
	if at := strings.Index(text, ".** "); at >= 0 {
		// A compatible server forgets the line end behind some refusals.
		if k, known := starredTexts[text[:at]]; known {
			e.Kind, e.Text = k, text[:at+1]
			return text[at+1:], true
		}
	}
	if starredNames(e, text) {
		return "", true
	}
	*e = Event{}
	if starredMoves(e, text) {
		return "", true
	}
	*e = Event{}
	if starredArguments(e, text) {
		return "", true
	}
	*e = Event{Kind: Refused, Text: text}
	if strings.HasSuffix(text, "The game was saved.") {
		e.Kind, e.Cause, e.Text = GameSaved, CauseOther, ""
	}
	return "", true
}

// starredNames reads the lines with two stars about a player.
func starredNames(e *Event, text string) bool {
	c := cursor{text}
	switch {
	case c.lit("There is no one called "), c.lit("There's no one called "), c.lit("There is noone called "),
		c.lit("There is no user called "), c.lit("Don't know user "), c.lit("Error: can't find player "):
		e.Kind = NoSuchPlayer
		return c.opt("'") && c.name(&e.Name) && c.opt("'") && c.dot()
	case c.lit("There's no saved match with a player called '"):
		e.Kind = NoSavedMatch
		return c.name(&e.Name) && c.lit("'") && c.dot()
	case c.lit("There's no saved match with "), c.lit("There is no saved match with "):
		e.Kind = NoSavedMatch
		return c.name(&e.Name) && c.lit(". Please give a match length") && c.dot()
	case c.lit("There is no saved game with "):
		e.Kind = NoSavedMatch
		return c.name(&e.Name) && c.dot()
	case c.lit("You invited "):
		if !c.name(&e.Name) || !c.lit(" to ") {
			return false
		}
		e.Kind = YouInviteResume
		if c.lit("resume a saved match") {
			return c.dot()
		}
		e.Kind = YouInvite
		return c.matchLength(&e.Length) && c.lit(" match") && c.dot()
	case c.lit("You are now playing "):
		e.Kind, e.On = MatchBegins, true
		return c.matchLength(&e.Length) && c.lit(" match with ") && c.name(&e.Name) && c.dot()
	case c.lit("Player "):
		return playerStar(e, c)
	case c.lit("You stop watching "):
		e.Kind = YouUnwatch
		return c.name(&e.Name) && c.dot()
	case c.lit("Please wait until "):
		e.Kind = WaitForMove
		return c.name(&e.Name) && c.lit(" has moved") && c.dot()
	case c.lit("Please wait for "):
		e.Kind = WaitJoin
		return c.name(&e.Name) && c.lit(" to join too") && c.dot()
	case c.lit("Wait until "):
		e.Kind = ResignPending
		return c.name(&e.Name) && c.lit(" accepted or rejected your resign") && c.dot()
	case c.lit("You can't watch the match between "):
		e.Kind = CantWatch
		return c.name(&e.Name) && c.lit(" and ") && c.name(&e.Other) && c.dot()
	case c.lit("You'll receive a message when '"):
		e.Kind = WaitforSet
		return c.name(&e.Name) && c.lit("' logs in") && c.dot()
	case c.lit("FINALLY!!! "):
		e.Kind = WaitforFires
		return c.name(&e.Name) && c.lit(" logs in") && c.dot()
	case c.lit("You ungag "):
		e.Kind = Gagged
		return c.name(&e.Name) && c.dot()
	case c.lit("You gag "):
		e.Kind, e.On = Gagged, true
		return c.name(&e.Name) && c.dot()
	case c.lit("You unblind "):
		e.Kind = Blinded
		return c.name(&e.Name) && c.dot()
	case c.lit("You blind "):
		e.Kind, e.On = Blinded, true
		return c.name(&e.Name) && c.dot()
	case c.lit("You tell "):
		e.Kind = YouTell
		return c.name(&e.Name) && c.lit(": ") && c.rest(&e.Text)
	case c.lit("User "):
		e.Kind, e.Text = TelnetGreeting, text
		return c.name(&e.Name) && c.lit(" authenticated") && c.dot()
	case c.lit("Error: "):
		e.Kind = BusyPlaying
		return c.name(&e.Name) && c.lit(" is already playing with someone else") && c.dot()
	case c.lit("'"):
		e.Kind, e.Text = WaitforRefused, text
		return c.name(&e.Name) && c.lit("' is already logged in") && c.dot()
	case c.name(&e.Name):
		return nameStar(e, c, text)
	}
	return false
}

// playerStar reads what follows "** Player".
func playerStar(e *Event, c cursor) bool {
	if !c.name(&e.Name) {
		return false
	}
	switch {
	case c.lit(" has joined you for "):
		e.Kind = MatchBegins
		return c.matchLength(&e.Length) && c.lit(" match") && c.dot()
	case c.lit(" has left the game. The game was saved"), c.lit(" terminated the game. The game was saved"):
		e.Kind, e.Cause = GameSaved, CauseLeft
		return c.dot()
	default:
		return false
	}
}

// nameStar reads what follows the stars and a name.
func nameStar(e *Event, c cursor, text string) bool {
	switch {
	case c.lit(" is refusing games"):
		e.Kind = RefusingGames
	case c.lit(" is already playing with someone else"):
		e.Kind = BusyPlaying
	case c.lit(" didn't invite you"):
		e.Kind = DidntInvite
	case c.lit(" hasn't responded to your double yet"):
		e.Kind = DoublePending
	case c.lit(" hasn't accepted or rejected your resign yet"):
		e.Kind = ResignPending
	case c.lit(" wanted to resign. Type 'accept' or 'reject'"):
		e.Kind, e.Asks = AnswerResign, true
	case c.lit(" didn't double or resign"):
		e.Kind = NothingToAnswer
	case c.lit(" doesn't want you to watch"), c.lit(" doesn't want you to look"):
		e.Kind, e.Text = WatchRefused, text
	case c.lit(" is not playing"):
		e.Kind = NotPlaying
	case c.lit(" won't listen to you"):
		e.Kind, e.Text = ChatRefused, text
	case c.lit(" is waiting for you to log in"):
		e.Kind = WaitedFor
	case c.lit(" doesn't allow this. Ask "):
		e.Kind, e.Text = PipRefused, text
		return c.name(&e.Other) && c.lit(" to 'toggle allowpip'") && c.dot()
	default:
		return false
	}
	return c.dot()
}
