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

// Told is a text somebody said to us, with what an answer may need. The texts
// about matches come from the account, which has the archive and the match.
type Told struct {
	Channel Channel
	From    string
	Text    string
	// Answered counts our answers to this player in the last minute.
	Answered int
	// Opponent tells that we are playing with From just now.
	Opponent bool
	Values   map[string]string // for the placeholders
	Stats    string            // our record against From, in a sentence
	Last     string            // the last match with From, in a sentence
	Pips     string            // pip counts of the running match
	Rating   string            // our rating and experience, in a sentence
	Dice     string            // the dice of the archive, in a line
	Level    func() string     // how we play From, in a sentence; nil for nothing
}

// Reply is what to do about a text.
type Reply struct {
	Say string // empty: stay silent
	// Nudge asks the table to look at the board again: the opponent thinks we
	// hang.
	Nudge bool
	// Order is an owner's command: pause, resume, drain, status, reload or say;
	// Args are the words behind it.
	Order, Args string
	// OptOut asks never to kibitz to this player again.
	OptOut bool
	// Level is the preset this player wants to meet in the next match.
	Level string
}

const help = "I understand: help, about, rules, level, rating, stats, last, dice, pip, stop kibitz. If I hang, say move or roll."

// Answer decides what to say. It never answers programs, and never more than
// manners.per_minute times a minute to one player: two programs that answer
// each other never stop.
func Answer(c *config.Config, t Told) Reply {
	m := &c.Manners
	words := strings.Fields(strings.ToLower(strings.Trim(t.Text, " .!?")))
	if len(words) == 0 {
		return Reply{}
	}
	// Owners and stuck opponents are heard whatever the limits on chat are.
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
	if words[0] == "stop" && len(words) > 1 && (words[1] == "kibitz" || words[1] == "kibitzing") {
		return Reply{OptOut: true, Say: allowed(c, t, "I will not kibitz to you again.")}
	}
	var say, level string
	switch words[0] {
	case "thanks", "thx", "ty", "tx", "thank":
		say = config.Fill(m.Thanks, t.Values)
	case "help", "commands":
		say = help
	case "about", "info", "who", "version":
		say = config.Fill(m.About, t.Values)
	case "rules", "terms":
		say = Terms(c)
	case "strength", "level", "preset":
		say, level = levels(m.LevelOnRequest, words[1:], t)
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
		say = "I give no hints while a game is running. After it, ask me 'last'."
	}
	// In the match chat only short, clear requests are meant for the program.
	if t.Channel != Tell && len(words) > 2 {
		return Reply{}
	}
	r := Reply{Say: allowed(c, t, say)}
	if r.Say != "" {
		r.Level = level // what is not confirmed is not done
	}
	return r
}

// levels answers 'level' and 'level NAME': how we play From, and whether the next
// match may be played as the player asks. offered are the presets an opponent
// may choose from.
func levels(offered, args []string, t Told) (say, level string) {
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
					return "This match stays as it is; I will play our next new match as " + name + ".", name
				}
				return "I will play our next new match as " + name + ".", name
			}
		}
		return "I cannot play as that. Ask for one of: " + strings.Join(offered, ", ") + ".", ""
	}
	return strings.TrimSpace(say + " For our next match you may tell me 'level' and one of: " + strings.Join(offered, ", ") + "."), ""
}

// allowed drops an answer that would break the limits on chat.
func allowed(c *config.Config, t Told, say string) string {
	if !c.Manners.Answers || t.Answered >= c.Manners.PerMinute || config.MatchAny(c.Opponents.BotNames, t.From) {
		return ""
	}
	return say
}

// Terms says in one sentence what would be accepted. It is made from the rules
// in force, so it is never out of date.
func Terms(c *config.Config) string {
	in := &c.Invitations
	if c.Saved.Only {
		return "I am only finishing saved matches at the moment."
	}
	b := "I play matches of " + itoa(in.Length.Min) + " to " + itoa(in.Length.Max) + " points"
	if len(in.Length.Deny) > 0 {
		var d []string
		for _, n := range in.Length.Deny {
			d = append(d, itoa(n))
		}
		b += " (not " + strings.Join(d, ", ") + ")"
	}
	if in.Unlimited {
		b += " and unlimited matches"
	}
	if r := in.Rating; r.Min > 0 || r.Max > 0 {
		b += ", ratings"
		if r.Min > 0 {
			b += " from " + itoa(int(r.Min))
		}
		if r.Max > 0 {
			b += " up to " + itoa(int(r.Max))
		}
	}
	if in.Rating.Difference > 0 {
		b += ", within " + itoa(int(in.Rating.Difference)) + " points of my rating"
	}
	if in.Experience.Min > 0 {
		b += ", experience from " + itoa(in.Experience.Min)
	}
	if in.Hours != "" {
		b += ", at " + in.Hours
	}
	if n := c.Opponents.MaxSaved; n > 0 {
		b += ", with players who have less than " + itoa(n) + " unfinished matches"
	}
	return b + "."
}
