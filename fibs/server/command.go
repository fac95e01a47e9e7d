package server

import (
	"strings"
)

// command is one word a user can type.
type command struct {
	name string
	do   func(*Server, *user, string)
	game bool // may get lost as a quirk
	help string
}

// commands are in the order in which an abbreviation is resolved, so that the
// first is what FIBS means by a single letter where it matters ("b" is board,
// "m" is move).
var commands = []command{
	{"accept", (*Server).cmdAccept, true, "accept a double or a resignation"},
	{"board", (*Server).cmdBoard, false, "show the board"},
	{"double", (*Server).cmdDouble, true, "offer a double"},
	{"invite", (*Server).cmdInvite, false, "invite NAME [LENGTH|unlimited]: ask for a match; without a length, to resume the saved one"},
	{"join", (*Server).cmdJoin, true, "join NAME: accept an invitation; join: play the next game"},
	{"kibitz", (*Server).cmdKibitz, false, "talk to players and watchers of a match"},
	{"leave", (*Server).cmdLeave, false, "leave a match; it is saved"},
	{"move", (*Server).cmdMove, true, "move 24-18 13-11: move your checkers; bar and off are words"},
	{"off", (*Server).cmdOff, true, "bear off with every die"},
	{"pip", (*Server).cmdPip, false, "pip counts"},
	{"roll", (*Server).cmdRoll, true, "roll the dice"},
	{"reject", (*Server).cmdReject, true, "drop a double or refuse a resignation"},
	{"resign", (*Server).cmdResign, true, "resign n|g|b: offer to give up a single game, gammon or backgammon"},
	{"redouble", cmdRedouble("redouble"), true, "take a double and turn the cube at once (unlimited matches)"},
	{"beaver", cmdRedouble("beaver"), true, ""},
	{"raccoon", cmdRedouble("raccoon"), true, ""},
	{"otter", cmdRedouble("otter"), true, ""},
	{"say", (*Server).cmdSay, false, "talk to your opponent"},
	{"tell", (*Server).cmdTell, false, "tell NAME TEXT: talk to somebody"},
	{"tellx", (*Server).cmdTellx, false, "like tell, but the name must be exact"},
	{"who", (*Server).cmdWho, false, "who [ready|playing|away|count|from SITE|NAME]: who is here"},
	{"watch", (*Server).cmdWatch, false, "watch NAME: follow somebody's match"},
	{"unwatch", (*Server).cmdUnwatch, false, "stop watching"},
	{"whois", (*Server).cmdWhois, false, "whois NAME: about a user"},
	{"whisper", (*Server).cmdWhisper, false, "talk to watchers only"},
	{"waitfor", (*Server).cmdWaitfor, false, "waitfor NAME: be told when somebody logs in"},
	{"wave", (*Server).cmdWave, false, "wave good-bye; twice logs out"},
	{"where", (*Server).cmdWhere, false, "where NAME: the host of a user"},
	{"rawwho", (*Server).cmdRawwho, false, "who list for programs"},
	{"ratings", (*Server).cmdRatings, false, "ratings [NAME|from N to M]: the ranking"},
	{"show", (*Server).cmdShow, false, "show games|saved|savedcount [NAME]|watchers|max"},
	{"set", (*Server).cmdSet, false, "set [VARIABLE [VALUE]]: boardstyle, redoubles, sortwho, timezone, ..."},
	{"save", (*Server).cmdSave, false, "keep your settings"},
	{"shout", (*Server).cmdShout, false, "talk to everybody"},
	{"toggle", (*Server).cmdToggle, false, "toggle [SWITCH...]: show or flip your switches"},
	{"time", (*Server).cmdTime, false, "the server's clock"},
	{"date", (*Server).cmdTime, false, ""},
	{"look", (*Server).cmdLook, false, "look NAME: somebody's board"},
	{"message", (*Server).cmdMessage, false, "message NAME TEXT: a message for somebody, also if absent"},
	{"motd", (*Server).cmdMotd, false, "message of the day"},
	{"gag", (*Server).cmdGag, false, "gag NAME: do not hear somebody, or hear him again"},
	{"blind", (*Server).cmdBlind, false, "blind NAME: forbid somebody to watch you, or allow it again"},
	{"away", (*Server).cmdAway, false, "away TEXT: tell that you are away"},
	{"back", (*Server).cmdBack, false, "tell that you are back"},
	{"oldboard", (*Server).cmdOldboard, false, "oldboard NAME: the board of a saved match"},
	{"oldmoves", (*Server).cmdOldmoves, false, "oldmoves NAME: the moves of the last game with somebody"},
	{"address", (*Server).cmdAddress, false, "address EMAIL: your address"},
	{"password", (*Server).cmdPassword, false, "password OLD:NEW:NEW"},
	{"about", (*Server).cmdAbout, false, "what this server is"},
	{"average", (*Server).cmdAverage, false, "how many users are on line at which hour"},
	{"last", (*Server).cmdLast, false, "the last logins and logouts"},
	{"stat", (*Server).cmdStat, false, "figures of the server"},
	{"name", (*Server).cmdName, false, ""},
	{"version", (*Server).cmdVersion, false, "what server this is"},
	{"help", nil, false, "help [COMMAND]"},
	{"bye", nil, false, "log out"},
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
	if lower != "wave" {
		u.waved = false
	}
	if cmd.name == "help" {
		s.help(u, args)
	} else {
		cmd.do(s, u, args)
	}
	if u.away != "" && cmd.name != "away" && c.user == u {
		u.say("You're away. Please type 'back'")
	}
}

// isHeard tells whether a line is one that others hear of: talk, invitations, and
// what changes a row of everybody's who list.
func isHeard(line string) bool {
	word, _ := head(line)
	c := findCommand(strings.ToLower(word))
	if c == nil {
		return false
	}
	switch c.name {
	case "tell", "tellx", "say", "kibitz", "whisper", "message", "shout", "wave",
		"invite", "watch", "unwatch", "toggle", "away", "back", "address":
		return true
	}
	return false
}

// findCommand finds a command by its name or a beginning of it.
func findCommand(word string) *command {
	var found *command
	for i := range commands {
		c := &commands[i]
		if c.name == word {
			return c
		}
		// bye is too final for an abbreviation.
		if found == nil && strings.HasPrefix(c.name, word) && c.name != "bye" {
			found = c
		}
	}
	return found
}

func (s *Server) cmdName(u *user, _ string) { u.say("** You're not supposed to change your name.") }

func (s *Server) cmdVersion(u *user, _ string) {
	u.say("** Version 1 of the embedded server of fibsbot")
}

// help lists the commands, or explains one.
func (s *Server) help(u *user, args string) {
	word, _ := head(args)
	if word == "beginner" || word == "" {
		u.say("You want to play? Type 'toggle ready', then 'invite NAME 5' and wait, or")
		u.say("'join NAME' when somebody invites you. In a match: 'roll', 'double', 'accept',")
		u.say("'reject', 'move 13-8 6-5', 'resign n', 'board'. Try 'set boardstyle 1', 2 or 3.")
		u.say("")
		u.say("Commands:")
		for _, c := range commands {
			if c.help != "" {
				u.say("  %-10s %s", c.name, c.help)
			}
		}
		return
	}
	c := findCommand(strings.ToLower(word))
	if c == nil || c.help == "" {
		u.say("** No help available on %s", clean(word, 40))
		return
	}
	u.say("NAME")
	u.say("  %s - %s", c.name, c.help)
}
