package server

import (
	"slices"
	"strings"
)

// command is one word a user can type.
type command struct {
	name string
	do   func(*Server, *user, string)
	game bool // may get lost as a quirk
	help string
}

// commands are in the order in which help lists them.
var commands = []command{
	{"accept", playing((*Server).cmdAccept), true, "accept a double or a resignation"},
	{"board", (*Server).cmdBoard, false, "show the board"},
	{"double", acting((*Server).cmdDouble), true, "offer a double"},
	{"invite", (*Server).cmdInvite, false, "invite NAME [LENGTH|unlimited]: invite to a match; without a length, resume the saved one"},
	{"join", (*Server).cmdJoin, true, "join NAME: accept an invitation; join: play the next game"},
	{"kibitz", (*Server).cmdKibitz, false, "kibitz TEXT: talk to players and watchers of a match"},
	{"leave", (*Server).cmdLeave, false, "leave a match; it is saved"},
	{"move", acting((*Server).cmdMove), true, "move 24-18 13-11: move your checkers; bar and off are words"},
	{"off", acting((*Server).cmdOff), true, "bear off with every die"},
	{"pip", (*Server).cmdPip, false, "pip counts"},
	{"roll", acting((*Server).cmdRoll), true, "roll the dice"},
	{"reject", (*Server).cmdReject, true, "drop a double or refuse a resignation"},
	{"resign", playing((*Server).cmdResign), true, "resign n|g|b: offer to resign a single game, gammon or backgammon"},
	{"redouble", acting(cmdRedouble("redouble")), true, "take a double and turn the cube at once (unlimited matches)"},
	{"beaver", acting(cmdRedouble("beaver")), true, "redouble the first double of a turn (unlimited matches)"},
	{"raccoon", acting(cmdRedouble("raccoon")), true, "redouble a beaver"},
	{"otter", acting(cmdRedouble("otter")), true, "redouble a raccoon"},
	{"say", (*Server).cmdSay, false, "say TEXT: talk to your opponent"},
	{"tell", (*Server).cmdTell, false, "tell NAME TEXT: talk to a user"},
	{"tellx", (*Server).cmdTellx, false, "like tell, but the name must be exact"},
	{"who", (*Server).cmdWho, false, "who [ready|playing|away|count|from SITE|NAME]: who is here"},
	{"watch", (*Server).cmdWatch, false, "watch NAME: follow a user's match"},
	{"unwatch", (*Server).cmdUnwatch, false, "stop watching"},
	{"whois", (*Server).cmdWhois, false, "whois NAME: about a user"},
	{"whisper", (*Server).cmdWhisper, false, "whisper TEXT: talk to watchers only"},
	{"waitfor", (*Server).cmdWaitfor, false, "waitfor NAME: get a message when a user logs in"},
	{"wave", (*Server).cmdWave, false, "wave good-bye; twice logs out"},
	{"where", (*Server).cmdWhere, false, "where NAME: the host of a user"},
	{"rawwho", (*Server).cmdRawwho, false, "who list for programs"},
	{"ratings", (*Server).cmdRatings, false, "ratings [NAME|from N to M]: the ranking"},
	{"show", (*Server).cmdShow, false, "show games|saved|savedcount [NAME]|watchers|max: lists and counts"},
	{"set", (*Server).cmdSet, false, "set [VARIABLE [VALUE]]: boardstyle, redoubles, sortwho, timezone, ..."},
	{"save", (*Server).cmdSave, false, "keep your settings"},
	{"shout", (*Server).cmdShout, false, "shout TEXT: talk to all users"},
	{"toggle", (*Server).cmdToggle, false, "toggle [SWITCH...]: show or flip your switches"},
	{"time", (*Server).cmdTime, false, "the server's clock"},
	{"date", (*Server).cmdTime, false, "the same as time"},
	{"look", (*Server).cmdLook, false, "look NAME: the board of a user"},
	{"message", (*Server).cmdMessage, false, "message NAME TEXT: leave a message for a user"},
	{"motd", (*Server).cmdMotd, false, "message of the day"},
	{"gag", (*Server).cmdGag, false, "gag NAME: ignore a user's talk, or hear it again"},
	{"blind", (*Server).cmdBlind, false, "blind NAME: forbid a user to watch you, or allow it again"},
	{"away", (*Server).cmdAway, false, "away TEXT: leave a note that you are away"},
	{"back", (*Server).cmdBack, false, "remove the note that you are away"},
	{"oldboard", (*Server).cmdOldboard, false, "oldboard NAME: the board of a saved match"},
	{"oldmoves", (*Server).cmdOldmoves, false, "oldmoves NAME: the moves of the last game with a user"},
	{"address", (*Server).cmdAddress, false, "address EMAIL: your address"},
	{"password", (*Server).cmdPassword, false, "password OLD:NEW:NEW: change your password"},
	{"about", cmdTopic("ABOUT"), false, "what this server is"},
	{"cls", (*Server).cmdClear, false, "clear the screen of a terminal"},
	{"clear", (*Server).cmdClear, false, "the same as cls"},
	{"dicetest", (*Server).cmdDicetest, false, "statistics of the dice of all matches"},
	{"erase", cmdTopic("erase"), false, "how a saved match ends"},
	{"panic", (*Server).cmdPanic, false, "what to do when nothing seems to happen"},
	{"timezones", (*Server).cmdTimezones, false, "the time zones for 'set timezone'"},
	{"complaints", cmdTopic("complaints"), false, "about players who misbehave"},
	{"crawford", cmdTopic("crawford"), false, "the Crawford rule"},
	{"formula", cmdTopic("formula"), false, "how ratings are calculated"},
	{"hostnames", cmdTopic("hostnames"), false, "what lists show as the host of a user"},
	{"names", cmdTopic("names"), false, "names of users, and how to abbreviate them"},
	{"rules", cmdTopic("rules"), false, "the rules of backgammon"},
	{"average", (*Server).cmdAverage, false, "users on line by hour"},
	{"last", (*Server).cmdLast, false, "last [NAME]: the last logins and logouts, or those of a user"},
	{"stat", (*Server).cmdStat, false, "statistics of the server"},
	{"name", (*Server).cmdName, false, "a name cannot be changed"},
	{"version", (*Server).cmdVersion, false, "what server this is"},
	{"help", nil, false, "help [COMMAND]: the commands, or about one of them"},
	{"man", nil, false, "the same as help"},
	{repeat, nil, false, "repeat the last command, unless it was talk"},
	{"bye", nil, false, "log out"},
}

// wanted are the refusals of commands that need an argument and got none.
var wanted = map[string]string{
	"address":  "** You didn't give your address.",
	"invite":   "** invite who?",
	"look":     "** Look at who?",
	"oldboard": "** usage: oldboard <name>",
	"oldmoves": "** usage: oldmoves <name>",
	"show":     "** show what?",
	"tell":     "** Tell whom?",
	"tellx":    "** Tell whom?",
	"watch":    "** Watch who?",
	"where":    "** Where is who?",
	"whois":    "** please give a name as an argument.",
}

// playing makes a command of one that needs a running match.
func playing(do func(*Server, *user, *match, string)) func(*Server, *user, string) {
	return func(s *Server, u *user, args string) {
		if u.match == nil {
			u.say("** You're not playing.")
			return
		}
		do(s, u, u.match, args)
	}
}

// acting is playing for a command that has to wait for the answer to a resignation.
func acting(do func(*Server, *user, *match, string)) func(*Server, *user, string) {
	return playing(func(s *Server, u *user, m *match, args string) {
		if !s.blocked(u, m) {
			do(s, u, m, args)
		}
	})
}

// repeat is the command that runs the last one again.
const repeat = "!!"

// shortcuts are the abbreviations that mean one of several commands. Others must leave no
// doubt: "re" is neither resign nor reject. Source: FIBS help on "commands".
var shortcuts = map[string]string{
	"b": "board", "i": "invite", "k": "kibitz", "m": "move", "r": "roll", "s": "say", "t": "tell", "w": "who", "wh": "whisper",
}

// dispatch carries out one line.
func (s *Server) dispatch(c *conn, line string) {
	u := c.user
	if u == nil {
		s.beforeLogin(c, line)
		return
	}
	u.prompted = false
	word, args := head(line)
	if word == "" {
		return
	}
	lower := strings.ToLower(word)
	if isGoodbye(lower) {
		s.goodbye(c)
		return
	}
	cmd := findCommand(lower)
	switch {
	case cmd == nil && word[0] >= '0' && word[0] <= '9':
		// The word move may be left out before a number.
		cmd, args = findCommand("move"), line
	case cmd == nil:
		u.say("** Unknown command: '%s'", clean(word, 60))
		return
	}
	if cmd.game && s.chance(s.opts.Quirks.LostCommand) {
		return
	}
	s.notice(u)
	if lower != "wave" {
		u.waved = false
	}
	switch refusal := wanted[cmd.name]; {
	case refusal != "" && args == "":
		u.conn.line(refusal)
	case cmd.name == "help" || cmd.name == "man":
		s.help(u, args)
	case cmd.name == repeat:
		u.say("** There is no command to repeat.")
	default:
		cmd.do(s, u, args)
	}
	if u.away != "" && cmd.name != "away" && c.user == u {
		u.say("You're away. Please type 'back'")
	}
}

// isHeard reports whether other users notice a command: talk, invitations, and changes of rows
// of the who list.
func isHeard(line string) bool {
	word, _ := head(line)
	c := findCommand(strings.ToLower(word))
	if c == nil {
		return false
	}
	return isTalk(c.name) || slices.Contains([]string{"message", "wave", "invite", "watch", "unwatch", "toggle", "away", "back", "address"}, c.name)
}

// findCommand finds a command by its name or an abbreviation, or returns nil.
func findCommand(word string) *command {
	if name, ok := shortcuts[word]; ok {
		word = name
	}
	var found *command
	for i := range commands {
		c := &commands[i]
		switch {
		case c.name == word:
			return c
		case !strings.HasPrefix(c.name, word) || c.name == "bye": // bye is too final for an abbreviation
		case found != nil:
			return nil
		default:
			found = c
		}
	}
	return found
}

// recall replaces "!!" by the last command of the user, and remembers line for the next one. Talk
// and lines with a password are not remembered. The mutex is held.
func (u *user) recall(line string) string {
	word, args := head(line)
	c := findCommand(strings.ToLower(word))
	switch {
	case word == "":
	case c == nil:
		u.again = ""
		if word[0] >= '0' && word[0] <= '9' { // a move
			u.again = line
		}
	case c.name == repeat:
		if u.again != "" {
			return u.again
		}
	case isTalk(c.name), c.name == "password", c.name == "message" && args != "":
		u.again = ""
	default:
		u.again = line
	}
	return line
}

func isTalk(name string) bool {
	return slices.Contains([]string{"shout", "tell", "tellx", "say", "kibitz", "whisper"}, name)
}

func (s *Server) cmdName(u *user, _ string) { u.say("** You're not supposed to change your name.") }

func (s *Server) cmdVersion(u *user, _ string) {
	u.say("** Version 1 of the embedded server of fibsbot")
}

// help lists the commands, or explains one.
func (s *Server) help(u *user, args string) {
	word, _ := head(args)
	if word == "beginner" || word == "" {
		u.conn.sayText("BEGINNER")
		for _, c := range commands {
			u.say("  %-10s %s", c.name, c.help)
		}
		u.say("There is also help on autologin, boardstyle, commands (their abbreviations) and sortwho.")
		return
	}
	c, topic := findCommand(strings.ToLower(word)), strings.ToLower(word)
	if c != nil {
		topic = c.name
	}
	_, ok := texts[topic]
	if c == nil && !ok {
		u.say("** No help available on %s", clean(word, 40))
		return
	}
	description := strings.Split(texts[topic], "\n")
	u.say("NAME")
	if c == nil {
		u.say("  %s", topic)
	} else {
		synopsis, what, found := strings.Cut(c.help, ": ")
		if !found || !strings.HasPrefix(synopsis, c.name) {
			synopsis, what = c.name, c.help
		}
		u.say("  %s - %s", c.name, what)
		u.say("")
		u.say("SYNOPSIS")
		u.say("  %s", synopsis)
		if !ok {
			description = []string{"  " + strings.ToUpper(what[:1]) + what[1:] + "."}
		}
	}
	u.say("")
	u.say("DESCRIPTION")
	for _, line := range description {
		u.conn.line(line)
	}
}
