package policy

import (
	"slices"
	"strconv"
	"time"

	"fibsbot/bot/internal/names"
	"fibsbot/config"
)

// Unlimited is the match length of an unlimited match.
const Unlimited = 0

// Invite is an invitation to us.
type Invite struct {
	From string
	// Length is in points; Unlimited for an unlimited match, below it for a match of 0
	// points, which nobody can play. It has no meaning for a resume.
	Length int
	Resume bool // to go on with a saved match
}

// Player is what the server's lists say of a player.
type Player struct {
	Name       string
	Rating     float64
	Experience int
}

// History is what we remember of one opponent.
type History struct {
	Finished int // matches finished with us
	Dropped  int // matches the opponent left and that are still unfinished
	Won      int // of the finished ones, by the opponent
	// Recent are the ends of the latest matches, in any order.
	Recent []time.Time
}

// Facts are what a verdict depends on beside the configuration.
type Facts struct {
	Now  time.Time // in the operator's time zone
	Me   Player
	Them Player
	// Known tells whether Them was filled from the server's lists. The rules
	// about rating and experience are not applied to strangers the server does
	// not describe: the lists may be late. Nor are they where it knows no rating (0)
	// or no experience (-1) of a player, a guest say.
	Known bool
	// SavedCount is the inviter's number of unfinished matches, -1 unknown.
	SavedCount int
	// SavedWithUs tells whether one of them is with us.
	SavedWithUs bool
	// Untouched is the length of that match when we left it without having made
	// a move, or nil: then it is as good as new, and the rules about lengths hold.
	Untouched *int
	// Reputation is what the reputation bot says, nil when it is silent or knows
	// nothing of the inviter. It is made of votes: those of its voters who have
	// much experience count for thousands.
	Reputation   *int
	History      History
	MatchesToday int // of ours, with anybody
	Playing      bool
	Draining     bool      // about to leave
	Blocked      names.Set // names and patterns of the block file
	Listed       bool      // on the list of opponents.block_url
}

// Verdict is what the policy says to an invitation. Where a match with the
// inviter is saved, accepting means to resume that one: the table sees to it.
type Verdict struct {
	Accept bool
	Rule   string // the key in bot.yaml that decided
	// Say is what the opponent is told when the answer is no. It is never empty
	// then.
	Say string
}

// Refusal is what manners.refuse says for a reason, a template under
// invitations.say. values are pairs of the placeholders of its own and what
// they stand for.
func Refusal(c *config.Config, me string, in Invite, reason string, values ...string) string {
	fill := map[string]string{"me": me, "opponent": in.From, "length": lengthWords(in.Length)}
	for i := 0; i+1 < len(values); i += 2 {
		fill[values[i]] = values[i+1]
	}
	words := config.Fill(reason, fill)
	return config.Fill(c.Manners.Refuse, map[string]string{
		"me": me, "opponent": in.From, "length": fill["length"], "reason": words,
	})
}

// Consider judges an invitation. Rules are tried from the most personal to the
// most general, and the first that speaks decides.
func Consider(c *config.Config, in Invite, f Facts) Verdict {
	refuse := func(rule, reason string, values ...string) Verdict {
		return Verdict{Rule: rule, Say: Refusal(c, f.Me.Name, in, reason, values...)}
	}
	o, inv, say := &c.Opponents, &c.Invitations, &c.Invitations.Say
	friend := config.MatchAny(o.Allow, in.From)
	bot := config.MatchAny(o.BotNames, in.From)
	switch {
	case f.Draining:
		return Verdict{Rule: "operations.drain", Say: c.Manners.Draining}
	case f.Playing:
		return Verdict{Rule: "manners.busy", Say: c.Manners.Busy}
	case !friend && config.MatchAny(o.Block, in.From):
		return refuse("opponents.block", say.Blocked)
	case !friend && f.Blocked.Has(in.From):
		return refuse("opponents.block_file", say.Blocked)
	case !friend && f.Listed:
		return refuse("opponents.block_url", say.Blocked)
	case in.Resume || f.SavedWithUs:
		if f.Untouched != nil {
			// Somebody invited to 1 point, then to 99 at once, and our join
			// took the second: that match was never agreed on.
			if v, no := lengthVerdict(inv, *f.Untouched, refuse); no {
				return v
			}
		}
		// A saved match is finished whatever the rules for new ones say: it was
		// begun under the rules of its day, and leaving it costs both rating.
		return Verdict{Accept: true, Rule: "saved"}
	case c.Saved.Only:
		return refuse("saved.only", say.SavedOnly)
	}
	if v, no := lengthVerdict(inv, in.Length, refuse); no {
		return v
	}
	if friend {
		return Verdict{Accept: true, Rule: "opponents.allow"}
	}
	hours, _ := config.ParseHours(inv.Hours)
	lo, hi, limited := ratingLimits(inv.Rating, f.Me.Rating)
	switch {
	case bot && o.Bots == "deny":
		return refuse("opponents.bots", say.BotsDenied)
	case !bot && o.Bots == "only":
		return refuse("opponents.bots", say.BotsOnly)
	case !hours.Open(f.Now):
		return refuse("invitations.hours", say.Hours, "hours", inv.Hours)
	case inv.PerDay > 0 && f.MatchesToday >= inv.PerDay:
		return refuse("invitations.per_day", say.PerDay, "limit", itoa(inv.PerDay))
	case f.Known && limited && f.Them.Rating > 0 && f.Them.Rating < lo:
		return refuse("invitations.rating", say.RatingLow, "limit", whole(lo), "value", whole(f.Them.Rating))
	case f.Known && limited && f.Them.Rating > hi:
		return refuse("invitations.rating", say.RatingHigh, "limit", whole(hi), "value", whole(f.Them.Rating))
	case f.Known && f.Them.Experience >= 0 && f.Them.Experience < inv.Experience.Min:
		return refuse("invitations.experience", say.ExperienceLow, "limit", itoa(inv.Experience.Min), "value", itoa(f.Them.Experience))
	case f.Known && inv.Experience.Max > 0 && f.Them.Experience > inv.Experience.Max:
		return refuse("invitations.experience", say.ExperienceHigh, "limit", itoa(inv.Experience.Max), "value", itoa(f.Them.Experience))
	case o.MaxSaved > 0 && f.SavedCount >= o.MaxSaved:
		return refuse("opponents.max_saved", say.MaxSaved, "value", itoa(f.SavedCount), "limit", itoa(o.MaxSaved))
	case drops(f.History) > o.MaxDrops && o.MaxDrops > 0:
		return refuse("opponents.max_drop_share", say.Drops, "value", itoa(f.History.Dropped))
	case o.RepBot.Name != "" && f.Reputation != nil && *f.Reputation < o.RepBot.Min:
		return refuse("opponents.repbot", say.RepBot, "repbot", o.RepBot.Name, "limit", itoa(o.RepBot.Min), "value", itoa(*f.Reputation))
	}
	if wait, over := overLimit(o.Limit, f); over {
		return refuse("opponents.limit", say.Again, "limit", itoa(o.Limit.Matches), "minutes", itoa(minutes(wait)), "wait", minuteWords(wait))
	}
	return Verdict{Accept: true, Rule: "invitations"}
}

// Unwanted tells whether a saved match, with its length as in Facts.Untouched, is
// not to be resumed: nobody agreed to that length.
func Unwanted(c *config.Config, untouched *int) bool {
	if untouched == nil {
		return false
	}
	_, no := lengthVerdict(&c.Invitations, *untouched, func(string, string, ...string) Verdict { return Verdict{} })
	return no
}

func lengthVerdict(inv *config.Invitations, n int, refuse func(rule, reason string, values ...string) Verdict) (Verdict, bool) {
	l, say := inv.Length, &inv.Say
	switch {
	case n == Unlimited && !inv.Unlimited:
		return refuse("invitations.unlimited", say.Unlimited, "min", itoa(l.Min), "max", itoa(l.Max)), true
	case n == Unlimited:
		return Verdict{}, false
	case n < l.Min || n > l.Max:
		return refuse("invitations.length", say.Length, "min", itoa(l.Min), "max", itoa(l.Max)), true
	case slices.Contains(l.Deny, n):
		return refuse("invitations.length", say.LengthDenied, "min", itoa(l.Min), "max", itoa(l.Max)), true
	}
	return Verdict{}, false
}

// ratingLimits joins the absolute and the relative limits. The relative one
// does not apply while our own rating is unknown.
func ratingLimits(r config.RatingGap, mine float64) (lo, hi float64, limited bool) {
	lo, hi = r.Min, r.Max
	if hi == 0 {
		hi = 1e9
	}
	if r.Difference > 0 && mine > 0 {
		lo, hi = max(lo, mine-r.Difference), min(hi, mine+r.Difference)
	}
	return lo, hi, r != config.RatingGap{}
}

// drops is the share of matches an opponent left, counted from the third on: one
// lost connection says nothing about a person.
func drops(h History) float64 {
	if h.Dropped+h.Finished < 3 {
		return 0
	}
	return float64(h.Dropped) / float64(h.Dropped+h.Finished)
}

// overLimit tells whether the opponent has had the matches allowed, and how
// long to wait: the pause after the last one, or until enough have aged.
func overLimit(l config.Limit, f Facts) (time.Duration, bool) {
	if l.Matches == 0 {
		return 0, false
	}
	n := 0
	var last time.Time
	for _, at := range f.History.Recent {
		if age := f.Now.Sub(at); age >= 0 && age < l.Per.Std() { // what is not yet was a wrong clock
			n++
			if at.After(last) {
				last = at
			}
		}
	}
	if n < l.Matches {
		return 0, false
	}
	wait := l.Pause.Std() - f.Now.Sub(last)
	return wait, wait > 0
}

// minutes rounds up.
func minutes(d time.Duration) int { return int((d + time.Minute - 1) / time.Minute) }

func minuteWords(d time.Duration) string {
	if m := minutes(d); m != 1 {
		return itoa(m) + " minutes"
	}
	return "a minute"
}

// whole writes a rating without decimals.
func whole(rating float64) string { return strconv.FormatFloat(rating, 'f', 0, 64) }

func lengthWords(n int) string {
	if n == Unlimited {
		return "unlimited"
	}
	return strconv.Itoa(max(0, n))
}
