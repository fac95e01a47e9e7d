package policy

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"fibsbot/bot/internal/names"
	"fibsbot/config"
)

// Lobbyist is a player in the lobby as matchmaking sees it.
type Lobbyist struct {
	Player
	Ready, Away, Playing bool
	Listed               bool // on the list of opponents.block_url
	Idle                 time.Duration
	Saved                bool      // a match with us is saved
	SavedAt              time.Time // since when
	LeftAt               time.Time // when the player left it on purpose; zero after a lost connection
	AskedAt              time.Time // our last invitation that was not answered
	Length               int       // the length of the last match with us, 0 if unknown
	History              History
	Standing
}

// Lobby is all that matchmaking depends on, apart from the configuration.
type Lobby struct {
	Now       time.Time
	Me        Player
	Players   []Lobbyist
	IdleSince time.Time // since when the account has been idle
	// Spread, 0 to 1, lengthens the waits of matchmaking by up to a fifth. It keeps two
	// bots from inviting each other at the same time again and again.
	Spread   float64
	LastAsk  time.Time // our last invitation
	AsksHour int       // our invitations in the last hour
	Blocked  names.Set
	Draining bool
	// MatchesToday counts ours, with any opponent.
	MatchesToday int
}

// Ask is an invitation that the bot sends.
type Ask struct {
	Name   string
	Length int // in points; ignored for a resume
	Resume bool
	Rule   string
}

// maxIdle is the longest silence of a player who is still invited: players who are idle
// for longer have usually left their screen.
const maxIdle = 15 * time.Minute

// Silence says why no one is invited. The zero Silence means that a player is invited.
type Silence struct {
	// Rules are the keys of bot.yaml that decided, or words where no key did. Equal Rules
	// mean equal reasons.
	Rules string
	Text  string // for the operator
}

func silence(rules, format string, args ...any) Silence {
	return Silence{Rules: rules, Text: fmt.Sprintf(format, args...) + " (" + rules + ")"}
}

// waits returns the reason why it is too early for an invitation, if it is.
func waits(m *config.Matchmaking, l Lobby) Silence {
	switch gap := longer(m.Gap.Std(), l.Spread); {
	case l.Draining:
		return Silence{Rules: "leaving", Text: "the bot is leaving"}
	case l.Now.Sub(l.LastAsk) < gap:
		return silence("matchmaking.gap", "the last invitation was less than %s ago", short(gap))
	}
	return Silence{}
}

// longer returns wait, lengthened by up to a fifth.
func longer(wait time.Duration, spread float64) time.Duration {
	return wait + time.Duration(spread*float64(wait)/5)
}

// short formats a duration to the second.
func short(d time.Duration) string { return d.Round(time.Second).String() }

// NextInvite returns whom to invite now, or why no one. Saved matches come first, oldest
// before newest. Then, with matchmaking on and no invitation for a while, come the names
// waited for, and then the ready players whose rating is nearest to ours.
func NextInvite(c *config.Config, l Lobby) (Ask, Silence) {
	m := &c.Matchmaking
	if why := waits(m, l); why.Rules != "" {
		return Ask{}, why
	}
	var saved []*Lobbyist
	for i := range l.Players {
		p := &l.Players[i]
		if c.Saved.Auto && p.Saved && barred(c, p, l) == "" && past(l.Now, p.LeftAt, c.Saved.WaitAfterLeave.Std()) {
			saved = append(saved, p)
		}
	}
	if len(saved) > 0 {
		p := slices.MinFunc(saved, func(a, b *Lobbyist) int {
			return cmp.Or(a.SavedAt.Compare(b.SavedAt), cmp.Compare(a.Name, b.Name))
		})
		return Ask{Name: p.Name, Resume: true, Rule: "saved.auto"}, Silence{}
	}
	switch idle := longer(m.AfterIdle.Std(), l.Spread); {
	case !m.Enabled:
		return Ask{}, Silence{Rules: "matchmaking.enabled", Text: "matchmaking is off"}
	case c.Saved.Only:
		return Ask{}, silence("saved.only", "only saved matches are played")
	case l.Now.Sub(l.IdleSince) < idle:
		return Ask{}, silence("matchmaking.after_idle", "waiting up to %s for an invitation from another player", short(idle))
	case l.AsksHour >= m.MaxPerHour:
		return Ask{}, silence("matchmaking.max_per_hour", "%d players were invited within an hour", l.AsksHour)
	}
	var best *Lobbyist
	reasons := map[string]int{}
	wanted := func(p *Lobbyist) bool { return config.MatchAny(m.WaitFor, p.Name) }
	for i := range l.Players {
		p := &l.Players[i]
		why := barred(c, p, l)
		switch {
		case why != "":
		case p.Saved:
			why = "saved match"
		case p.Idle > maxIdle:
			why = "idle"
		case !wanted(p):
			why = unfit(c, p, l)
		}
		if why != "" {
			reasons[why]++
			continue
		}
		if best == nil || better(p, best, wanted, l.Me.Rating) {
			best = p
		}
	}
	if best == nil {
		return Ask{}, noOne(len(l.Players), reasons)
	}
	rule := "matchmaking"
	if wanted(best) {
		rule = "matchmaking.waitfor"
	}
	return Ask{Name: best.Name, Length: offer(m.Lengths, best.Length, l.AsksHour), Rule: rule}, Silence{}
}

// noOne explains why none of n players is invited; reasons counts the players by reason.
func noOne(n int, reasons map[string]int) Silence {
	if n == 0 {
		return Silence{Rules: "no player", Text: "no other player is online"}
	}
	rules := slices.Sorted(maps.Keys(reasons))
	var counts []string
	for _, r := range rules {
		by := " "
		if strings.Contains(r, ".") {
			by = " ruled out by "
		}
		counts = append(counts, itoa(reasons[r])+by+r)
	}
	return Silence{Rules: strings.Join(rules, ", "), Text: "no suitable player: " + strings.Join(counts, ", ")}
}

// barred returns why p cannot be invited to anything now, or "".
func barred(c *config.Config, p *Lobbyist, l Lobby) string {
	switch {
	case p.Playing:
		return "playing"
	case !p.Ready:
		return "not ready"
	case p.Away:
		return "away"
	case p.Name == l.Me.Name:
		return "ourselves"
	case config.MatchAny(c.Opponents.Block, p.Name):
		return "opponents.block"
	case l.Blocked.Has(p.Name):
		return "opponents.block_file"
	case p.Listed:
		return "opponents.block_url"
	case p.Blocked != "":
		return "blocked"
	case !p.Stopped.IsZero():
		return "left alone"
	}
	if wait, _ := p.Pause(c, l.Now); wait > 0 {
		return "opponents.pause"
	}
	switch {
	case p.Saved && !past(l.Now, p.AskedAt, p.pause(c, Ignored)):
		return "saved.wait_after_leave"
	case !p.Saved && !past(l.Now, p.AskedAt, p.pause(c, Refused)):
		return "matchmaking.decline_pause"
	}
	return ""
}

// NextOpen returns the length of the match to open for any player, on a server without
// invitations, or why none is opened: nothing is offered when no invitation would be
// accepted. The lengths take turns. Consider judges the player who joins.
func NextOpen(c *config.Config, l Lobby) (length int, why Silence) {
	m := &c.Matchmaking
	if why = waits(m, l); why.Rules != "" {
		return 0, why
	}
	hours, _ := config.ParseHours(c.Invitations.Hours)
	switch {
	case !m.Enabled:
		return 0, Silence{Rules: "matchmaking.enabled", Text: "matchmaking is off"}
	case c.Saved.Only:
		return 0, silence("saved.only", "only saved matches are played")
	case len(m.Lengths) == 0:
		return 0, silence("matchmaking.lengths", "no match length to offer")
	case l.AsksHour >= m.MaxPerHour:
		return 0, silence("matchmaking.max_per_hour", "%d matches were opened within an hour", l.AsksHour)
	case !hours.Open(l.Now):
		return 0, silence("invitations.hours", "the time is outside %s", c.Invitations.Hours)
	case c.Invitations.PerDay > 0 && l.MatchesToday >= c.Invitations.PerDay:
		return 0, silence("invitations.per_day", "%d matches were played today", l.MatchesToday)
	}
	lengths, rule := welcome(c, l)
	if len(lengths) == 0 {
		return 0, silence(rule, "no player would be accepted now")
	}
	return offer(lengths, 0, l.AsksHour), Silence{}
}

// welcome returns the lengths of matchmaking that invitations.rules do not decline whoever
// joins, and the last rule that declines one.
func welcome(c *config.Config, l Lobby) (lengths []int, rule string) {
	for _, n := range c.Matchmaking.Lengths {
		if by := declinesAll(c, n, l); by != "" {
			rule = by
		} else {
			lengths = append(lengths, n)
		}
	}
	return lengths, rule
}

// declinesAll returns the rule of invitations.rules that declines every new match of n points
// now, or "". A rule before it that accepts some players leaves the match open to them.
func declinesAll(c *config.Config, n int, l Lobby) string {
	for i := range c.Invitations.Rules {
		r := &c.Invitations.Rules[i]
		anyone := config.When{Length: r.When.Length, Hours: r.When.Hours}
		switch {
		case !fits(&anyone, Opponent{Length: n}, Facts{Now: l.Now, Me: l.Me}):
		case r.Answer == "accept":
			return ""
		case r.When == anyone:
			return ruleKey("invitations", i)
		}
	}
	return ""
}

// past reports whether a wait is over. A future beginning came from a clock that was set
// back afterwards; it counts as over.
func past(now, began time.Time, wait time.Duration) bool {
	age := now.Sub(began)
	return began.IsZero() || age < 0 || age >= wait
}

// unfit returns why p is not invited to a new match, or "". Bots are invited if
// opponents.bots is only; other accounts of the configuration also if it is allow.
func unfit(c *config.Config, p *Lobbyist, l Lobby) string {
	bot := c.Opponents.IsBot(p.Name, p.Client)
	lo, hi, limited := ratingLimits(c.Matchmaking.Rating, l.Me.Rating)
	ours := c.Opponents.Bots != "deny" && slices.ContainsFunc(c.Accounts, func(a config.Account) bool { return a.Name == p.Name && !a.Disabled })
	switch {
	case bot != (c.Opponents.Bots == "only") && !ours:
		return "opponents.bots"
	case limited && (p.Rating < lo || p.Rating > hi):
		return "matchmaking.rating"
	case drops(p.History) > c.Opponents.MaxDrops && c.Opponents.MaxDrops > 0:
		return "opponents.max_drop_share"
	}
	if _, over := overLimit(c.Opponents.Limit, Facts{Now: l.Now, History: p.History}); over {
		return "opponents.limit"
	}
	return ""
}

func better(a, b *Lobbyist, wanted func(*Lobbyist) bool, mine float64) bool {
	if wanted(a) != wanted(b) {
		return wanted(a)
	}
	da, db := math.Abs(a.Rating-mine), math.Abs(b.Rating-mine)
	return cmp.Or(cmp.Compare(da, db), cmp.Compare(a.Name, b.Name)) < 0
}

// offer returns the length the player took before; otherwise the lengths take turns.
func offer(lengths []int, last, turn int) int {
	if slices.Contains(lengths, last) {
		return last
	}
	return lengths[turn%len(lengths)]
}
