package policy

import (
	"cmp"
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
	// Length is in points; Unlimited for an unlimited match, negative for a match of 0
	// points, which cannot be played. It has no meaning for a resume.
	Length int
	Resume bool // to resume a saved match
}

// Player is what the server's lists say about a player.
type Player struct {
	Name       string
	Rating     float64
	Experience int
	Client     string // the program, or empty if unknown
}

// History is what we remember of one opponent.
type History struct {
	Finished int // matches finished with us
	Dropped  int // matches the opponent left and that are still unfinished
	Won      int // finished matches that the opponent won
	// Recent are the ends of the latest matches, in any order.
	Recent []time.Time
}

// Facts are what a verdict depends on, apart from the configuration.
type Facts struct {
	Now  time.Time // in the operator's time zone
	Me   Player
	Them Player
	// Known reports whether Them was filled from the server's lists, which may be late.
	// Without it the rules for rating and experience do not apply; nor do they to a
	// rating of 0 or an experience of -1, which are unknown (a guest's, for example).
	Known bool
	// SavedCount is the inviter's number of unfinished matches, -1 if unknown.
	SavedCount int
	// SavedWithUs reports whether one of them is with us.
	SavedWithUs bool
	// Void reports whether one is with us that cannot be played on. SavedWithUs is false then.
	Void bool
	// Untouched is the length of that match if we left it before our first move, or nil.
	// Such a match counts as new, so the rules for lengths apply.
	Untouched *int
	// Reputation is the reputation bot's figure, or nil if it is silent or does not know
	// the inviter. It is a sum of votes; experienced voters count for thousands.
	Reputation   *int
	History      History
	Standing     Standing // of the inviter
	MatchesToday int      // of ours, with any opponent
	Playing      bool
	Draining     bool      // about to leave
	Blocked      names.Set // names and patterns of the block file
	Listed       bool      // on the list of opponents.block_url
}

// Verdict is the answer to an invitation. If a match with the inviter is saved, accepting
// means resuming it; the table takes care of that.
type Verdict struct {
	Accept bool
	Rule   string // the key in bot.yaml that decided; "blocked" for a person whom the operator blocked
	Say    string // the reply to the opponent, never empty in a refusal
}

// NoObjection is the Rule of a Verdict that accepts because no key objected. Only such a
// Verdict depends on Facts.SavedCount and Facts.Reputation.
const NoObjection = "invitations"

// Refusal returns what manners.refuse says for a reason, a template under invitations.say.
// values are pairs of a placeholder and its value.
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

// Consider judges an invitation. Rules are tried from the most personal to the most
// general, and the first that applies decides.
func Consider(c *config.Config, in Invite, f Facts) Verdict {
	q := inquiry{c, in, f}
	friend := config.MatchAny(c.Opponents.Allow, in.From)
	if v := q.busy(); v != nil {
		return *v
	}
	if v := q.blocked(); v != nil && !friend {
		return *v
	}
	if v := q.paused(); v != nil && !friend {
		return *v
	}
	if in.Resume || f.SavedWithUs {
		return q.resume()
	}
	if v := q.newMatch(); v != nil {
		return *v
	}
	if friend {
		return Verdict{Accept: true, Rule: "opponents.allow"}
	}
	if v := q.rule(); v != nil {
		return *v
	}
	for _, objection := range []func() *Verdict{q.program, q.terms, q.record} {
		if v := objection(); v != nil {
			return *v
		}
	}
	return Verdict{Accept: true, Rule: NoObjection}
}

// inquiry is one invitation being judged. Its methods return a verdict, mostly a refusal, or
// nil if they have no objection.
type inquiry struct {
	c  *config.Config
	in Invite
	f  Facts
}

func (q *inquiry) refuse(rule, reason string, values ...string) *Verdict {
	return &Verdict{Rule: rule, Say: Refusal(q.c, q.f.Me.Name, q.in, reason, values...)}
}

func (q *inquiry) busy() *Verdict {
	switch {
	case q.f.Draining:
		return &Verdict{Rule: "operations.drain", Say: q.c.Manners.Draining}
	case q.f.Playing:
		return &Verdict{Rule: "manners.busy", Say: q.c.Manners.Busy}
	}
	return nil
}

func (q *inquiry) blocked() *Verdict {
	say := q.c.Invitations.Say.Blocked
	switch {
	case config.MatchAny(q.c.Opponents.Block, q.in.From):
		return q.refuse("opponents.block", say)
	case q.f.Blocked.Has(q.in.From):
		return q.refuse("opponents.block_file", say)
	case q.f.Listed:
		return q.refuse("opponents.block_url", say)
	case q.f.Standing.Blocked != "":
		return q.refuse("blocked", say)
	}
	return nil
}

// paused holds for saved matches, too: they wait.
func (q *inquiry) paused() *Verdict {
	wait, why := q.f.Standing.Pause(q.c, q.f.Now)
	say := q.c.Invitations.Say.Stalled
	switch {
	case wait <= 0:
		return nil
	case why == Resigned:
		say = q.c.Invitations.Say.Resigned
	}
	return q.refuse("opponents.pause", say, "value", itoa(q.f.Standing.Marks[why].N), "minutes", itoa(minutes(wait)), "wait", minuteWords(wait))
}

// resume accepts a saved match whatever the rules for new ones say: it began under the
// rules of its day, and leaving it would cost both players rating.
func (q *inquiry) resume() Verdict {
	if q.f.Void {
		return *q.refuse("saved", q.c.Invitations.Say.Void)
	}
	if q.f.Untouched != nil {
		// The opponent replaced an invitation to 1 point by one to 99, say, and our
		// join took the second: that match was never agreed on.
		if v := q.length(*q.f.Untouched); v != nil {
			return *v
		}
	}
	return Verdict{Accept: true, Rule: "saved"}
}

// newMatch holds for friends, too.
func (q *inquiry) newMatch() *Verdict {
	if q.c.Saved.Only {
		return q.refuse("saved.only", q.c.Invitations.Say.SavedOnly)
	}
	return q.length(q.in.Length)
}

func (q *inquiry) length(n int) *Verdict {
	inv := &q.c.Invitations
	l, say := inv.Length, &inv.Say
	switch {
	case n == Unlimited && !inv.Unlimited:
		return q.refuse("invitations.unlimited", say.Unlimited, "min", itoa(l.Min), "max", itoa(l.Max))
	case n == Unlimited:
		return nil
	case n < l.Min || n > l.Max:
		return q.refuse("invitations.length", say.Length, "min", itoa(l.Min), "max", itoa(l.Max))
	case slices.Contains(l.Deny, n):
		return q.refuse("invitations.length", say.LengthDenied, "min", itoa(l.Min), "max", itoa(l.Max))
	}
	return nil
}

// rule applies the first of invitations.rules that fits. It also accepts.
func (q *inquiry) rule() *Verdict {
	o := Opponent{Player: q.f.Them, Known: q.f.Known, Length: q.in.Length, Won: q.f.History.Won}
	o.Name = q.in.From
	for i := range q.c.Invitations.Rules {
		r := &q.c.Invitations.Rules[i]
		if !fits(&r.When, o, q.f) {
			continue
		}
		key := ruleKey("invitations", i)
		if r.Answer == "accept" {
			return &Verdict{Accept: true, Rule: key}
		}
		return q.refuse(key, cmp.Or(r.Say, q.c.Invitations.Say.Rule))
	}
	return nil
}

// program applies opponents.bots.
func (q *inquiry) program() *Verdict {
	say := &q.c.Invitations.Say
	switch bot := q.c.Opponents.IsBot(q.in.From, q.f.Them.Client); {
	case bot && q.c.Opponents.Bots == "deny":
		return q.refuse("opponents.bots", say.BotsDenied)
	case !bot && q.c.Opponents.Bots == "only":
		return q.refuse("opponents.bots", say.BotsOnly)
	}
	return nil
}

// terms applies the hours, the matches a day, rating and experience.
func (q *inquiry) terms() *Verdict {
	inv, f := &q.c.Invitations, &q.f
	say := &inv.Say
	hours, _ := config.ParseHours(inv.Hours)
	switch {
	case !hours.Open(f.Now):
		return q.refuse("invitations.hours", say.Hours, "hours", inv.Hours)
	case inv.PerDay > 0 && f.MatchesToday >= inv.PerDay:
		return q.refuse("invitations.per_day", say.PerDay, "limit", itoa(inv.PerDay))
	case !f.Known:
		return nil
	}
	lo, hi, limited := ratingLimits(inv.Rating, f.Me.Rating)
	rating, experience := f.Them.Rating, f.Them.Experience
	switch {
	case limited && rating > 0 && rating < lo:
		return q.refuse("invitations.rating", say.RatingLow, "limit", whole(lo), "value", whole(rating))
	case limited && rating > hi:
		return q.refuse("invitations.rating", say.RatingHigh, "limit", whole(hi), "value", whole(rating))
	case experience >= 0 && experience < inv.Experience.Min:
		return q.refuse("invitations.experience", say.ExperienceLow, "limit", itoa(inv.Experience.Min), "value", itoa(experience))
	case inv.Experience.Max > 0 && experience > inv.Experience.Max:
		return q.refuse("invitations.experience", say.ExperienceHigh, "limit", itoa(inv.Experience.Max), "value", itoa(experience))
	}
	return nil
}

// record applies the rules about the inviter's unfinished matches, reputation and matches
// with us.
func (q *inquiry) record() *Verdict {
	o, f, say := &q.c.Opponents, &q.f, &q.c.Invitations.Say
	switch {
	case o.MaxSaved > 0 && f.SavedCount >= o.MaxSaved:
		return q.refuse("opponents.max_saved", say.MaxSaved, "value", itoa(f.SavedCount), "limit", itoa(o.MaxSaved))
	case drops(f.History) > o.MaxDrops && o.MaxDrops > 0:
		return q.refuse("opponents.max_drop_share", say.Drops, "value", itoa(f.History.Dropped))
	case o.RepBot.Name != "" && f.Reputation != nil && *f.Reputation < o.RepBot.Min:
		return q.refuse("opponents.repbot", say.RepBot, "repbot", o.RepBot.Name, "limit", itoa(o.RepBot.Min), "value", itoa(*f.Reputation))
	}
	if wait, over := overLimit(o.Limit, q.f); over {
		return q.refuse("opponents.limit", say.Again, "limit", itoa(o.Limit.Matches), "minutes", itoa(minutes(wait)), "wait", minuteWords(wait))
	}
	return nil
}

// Unwanted reports whether a saved match must not be resumed because its length was never
// agreed on. untouched is as in Facts.Untouched.
func Unwanted(c *config.Config, untouched *int) bool {
	q := inquiry{c: c}
	return untouched != nil && q.length(*untouched) != nil
}

// ratingLimits combines the absolute and the relative limits. The relative one does not
// apply while our own rating is unknown.
func ratingLimits(r config.RatingGap, mine float64) (lo, hi float64, limited bool) {
	lo, hi = r.Min, r.Max
	hi = cmp.Or(hi, 1e9)
	if r.Difference > 0 && mine > 0 {
		lo, hi = max(lo, mine-r.Difference), min(hi, mine+r.Difference)
	}
	return lo, hi, r != config.RatingGap{}
}

// drops returns the share of matches an opponent left, 0 before the third match: one lost
// connection says nothing about a person.
func drops(h History) float64 {
	if h.Dropped+h.Finished < 3 {
		return 0
	}
	return float64(h.Dropped) / float64(h.Dropped+h.Finished)
}

// overLimit reports whether the opponent has had all allowed matches, and how long the
// pause after the last one still lasts.
func overLimit(l config.Limit, f Facts) (time.Duration, bool) {
	if l.Matches == 0 {
		return 0, false
	}
	n := 0
	var last time.Time
	for _, at := range f.History.Recent {
		if age := f.Now.Sub(at); age >= 0 && age < l.Per.Std() { // a future time came from a wrong clock
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

// minutes returns d in minutes, rounded up.
func minutes(d time.Duration) int { return int((d + time.Minute - 1) / time.Minute) }

func minuteWords(d time.Duration) string {
	if m := minutes(d); m != 1 {
		return itoa(m) + " minutes"
	}
	return "a minute"
}

// whole formats a rating without decimals.
func whole(rating float64) string { return strconv.FormatFloat(rating, 'f', 0, 64) }

func lengthWords(n int) string {
	if n == Unlimited {
		return "unlimited"
	}
	return strconv.Itoa(max(0, n))
}
