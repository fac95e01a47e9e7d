package policy

import (
	"strings"

	"fibsbot/config"
)

// Channel is where a text reached us.
type Channel uint8

// The channels that may ask for an answer.
const (
	Tell Channel = iota
	Say
	Kibitz
)

// Told is a text that another player sent to the bot, with the data that an answer may need.
// The account, which has the archive and the match, supplies the texts about matches.
type Told struct {
	Channel Channel
	From    string
	Client  string // From's program, or empty if unknown
	Text    string
	// Answered counts our answers to this player in the last minute.
	Answered int
	// Opponent reports whether From is our present opponent.
	Opponent bool
	// Alone reports whether From asked to be left alone: only his wishes are answered.
	Alone  bool
	Values map[string]string // for the placeholders
	Stats  string            // our record against From, in a sentence
	Last   string            // the last match with From, in a sentence
	Pips   string            // pip counts of the running match
	Rating string            // our rating and experience, in a sentence
	Dice   string            // the dice of the archive, in a line
	Level  func() string     // how we play From, in a sentence; may be nil
}

// Reply is the reaction to a text.
type Reply struct {
	Say string // empty: stay silent
	// Nudge makes the table ask for the board: the opponent thinks we hang.
	Nudge bool
	// Order is an owner's command (pause, resume, drain, status, reload or say), Args the
	// words after it.
	Order, Args string
	// Wish is what this player wants the bot to say from now on.
	Wish Wish
	// Level is the preset this player chose for the next match.
	Level string
}

// Wish is what a player wants the bot to say from now on.
type Wish string

// The wishes.
const (
	NoWish     Wish = ""
	Stop       Wish = "stop"        // no invitations, talk and comments
	NoComments Wish = "no comments" // no comments on watched matches
	Start      Wish = "start"       // all of it again
)

// Answer decides what to say. It never answers programs, and one player at most
// manners.per_minute times a minute: two programs that answer each other never stop.
func Answer(c *config.Config, t Told) Reply {
	m := &c.Manners
	words := strings.Fields(strings.ToLower(strings.Trim(t.Text, " .!?")))
	if len(words) == 0 {
		return Reply{}
	}
	// The limits on chat do not apply to owners and to opponents who are stuck.
	if t.Channel == Tell && config.MatchAny(m.Owners, t.From) {
		switch words[0] {
		case "pause", "resume", "drain", "status", "reload":
			return Reply{Order: words[0], Args: strings.Join(words[1:], " ")}
		case "say":
			_, rest, _ := strings.Cut(strings.TrimSpace(t.Text), " ")
			return Reply{Order: "say", Args: rest}
		}
	}
	if t.Opponent && len(words) <= 2 {
		switch words[0] {
		case "move", "roll", "join", "board":
			return Reply{Nudge: true}
		}
	}
	switch {
	case words[0] == "stop" && len(words) == 1:
		return Reply{Wish: Stop, Say: allowed(c, t, c.T("I will not invite you, talk or kibitz to you until you tell me 'start'; I only answer your own invitations."))}
	case words[0] == "stop" && (words[1] == "kibitz" || words[1] == "kibitzing"):
		return Reply{Wish: NoComments, Say: allowed(c, t, c.T("I will not kibitz to you again."))}
	case words[0] == "start" && len(words) == 1:
		return Reply{Wish: Start, Say: allowed(c, t, c.T("I will invite you and talk to you again."))}
	case t.Alone:
		return Reply{}
	}
	var say, level string
	switch words[0] {
	case "thanks", "thx", "ty", "tx", "thank":
		say = config.Fill(m.Thanks, t.Values)
	case "help", "commands":
		say = c.T("I understand: help, about, rules, level, rating, stats, last, dice, pip, stop kibitz, stop, start. If I hang, say move or roll.")
	case "about", "info", "who", "version":
		say = config.Fill(m.About, t.Values)
	case "rules", "terms":
		say = termsOf(c)
	case "strength", "level", "preset":
		say, level = levels(c, words[1:], t)
	case "rating":
		say = t.Rating
	case "stats", "score", "record":
		say = t.Stats
	case "last":
		say = t.Last
	case "dice":
		say = t.Dice
	case "pip", "pips":
		say = t.Pips
	case "hint":
		say = c.T("I give no hints during a game. Ask me 'last' when it is over.")
	}
	// In the match chat only short requests are meant for the program.
	if t.Channel != Tell && len(words) > 2 {
		return Reply{}
	}
	r := Reply{Say: allowed(c, t, say)}
	if r.Say != "" {
		r.Level = level // only a confirmed wish is kept
	}
	return r
}

// levels answers 'level' and 'level NAME': how we play From, and the preset chosen for the
// next match. offered are the presets that opponents may choose.
func levels(c *config.Config, args []string, t Told) (say, level string) {
	offered := c.Manners.LevelOnRequest
	if t.Level != nil {
		say = t.Level()
	}
	switch {
	case len(offered) == 0:
		return say, ""
	case len(args) == 1:
		for _, name := range offered {
			if strings.EqualFold(name, args[0]) {
				if t.Opponent {
					return c.T("I will play our next new match as {0}; this match does not change.", name), name
				}
				return c.T("I will play our next new match as {0}.", name), name
			}
		}
		return c.T("I do not know that level. Please choose one of: {0}.", strings.Join(offered, ", ")), ""
	}
	return strings.TrimSpace(say + " " + c.T("To choose another level for our next match, tell me 'level' and one of: {0}.", strings.Join(offered, ", "))), ""
}

// allowed returns say, or "" if the limits on chat forbid an answer.
func allowed(c *config.Config, t Told, say string) string {
	if !c.Manners.Answers || t.Answered >= c.Manners.PerMinute || c.Opponents.IsBot(t.From, t.Client) {
		return ""
	}
	return say
}

// termsOf returns a sentence about which matches are accepted, made from the rules in force.
func termsOf(c *config.Config) string {
	in := &c.Invitations
	if c.Saved.Only {
		return c.T("I am only finishing saved matches at the moment.")
	}
	b := c.T("I play matches of {0} to {1} points", in.Length.Min, in.Length.Max)
	if len(in.Length.Deny) > 0 {
		var d []string
		for _, n := range in.Length.Deny {
			d = append(d, itoa(n))
		}
		b += " (" + c.T("not {0}", strings.Join(d, ", ")) + ")"
	}
	if in.Unlimited {
		b += " " + c.T("and unlimited matches")
	}
	more := func(when bool, term string) {
		if when {
			b += ", " + term
		}
	}
	r := in.Rating
	more(r.Min > 0 && r.Max <= 0, c.T("ratings from {0}", int(r.Min)))
	more(r.Min <= 0 && r.Max > 0, c.T("ratings up to {0}", int(r.Max)))
	more(r.Min > 0 && r.Max > 0, c.T("ratings from {0} up to {1}", int(r.Min), int(r.Max)))
	more(r.Difference > 0, c.T("within {0} points of my rating", int(r.Difference)))
	more(in.Experience.Min > 0, c.T("experience from {0}", in.Experience.Min))
	more(in.Hours != "", c.T("at {0}", in.Hours))
	more(c.Opponents.MaxSaved > 0, c.T("with players who have fewer than {0} unfinished matches", c.Opponents.MaxSaved))
	if len(in.Rules) > 0 {
		b += c.T("; other rules may apply to you")
	}
	return b + "."
}
