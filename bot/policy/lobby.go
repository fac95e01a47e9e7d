package policy

import (
	"cmp"
	"slices"
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
	// Saved tells that a match with us is saved, since when, and whether the
	// player left it on purpose rather than by a lost connection.
	Saved   bool
	SavedAt time.Time
	LeftAt  time.Time // zero unless left on purpose
	// AskedAt is when we last invited this player without an answer.
	AskedAt time.Time
	Length  int // the length of the last match with us, 0 unknown
	History History
}

// Lobby is the whole of it.
type Lobby struct {
	Now       time.Time
	Me        Player
	Players   []Lobbyist
	IdleSince time.Time // since when we have had nothing to do
	LastAsk   time.Time // our last invitation to anybody
	AsksHour  int       // our invitations in the last hour
	Blocked   names.Set
	Draining  bool
	// MatchesToday of ours, with anybody.
	MatchesToday int
}

// Ask is an invitation of ours.
type Ask struct {
	Name   string
	Length int // in points; no meaning for a resume
	Resume bool
	Rule   string
}

// maxIdle is how long a player may have been silent and still be worth asking:
// those who sit longer before a screen without a word have left it.
const maxIdle = 15 * time.Minute

// NextInvite returns whom to invite now, or false. Saved matches come first,
// the oldest before the others; then, when matchmaking is on and nobody has
// invited us for a while, the names waited for and the ready players whose
// rating is nearest to ours.
func NextInvite(c *config.Config, l Lobby) (Ask, bool) {
	m := &c.Matchmaking
	if l.Draining || l.Now.Sub(l.LastAsk) < m.Gap.Std() {
		return Ask{}, false
	}
	free := func(p *Lobbyist) bool {
		return p.Ready && !p.Away && !p.Playing && !p.Listed && p.Name != l.Me.Name &&
			!config.MatchAny(c.Opponents.Block, p.Name) && !l.Blocked.Has(p.Name) &&
			past(l.Now, p.AskedAt, pause(c, p))
	}
	var saved []*Lobbyist
	for i := range l.Players {
		p := &l.Players[i]
		if c.Saved.Auto && p.Saved && free(p) && past(l.Now, p.LeftAt, c.Saved.WaitAfterLeave.Std()) {
			saved = append(saved, p)
		}
	}
	if len(saved) > 0 {
		p := slices.MinFunc(saved, func(a, b *Lobbyist) int {
			return cmp.Or(a.SavedAt.Compare(b.SavedAt), cmp.Compare(a.Name, b.Name))
		})
		return Ask{Name: p.Name, Resume: true, Rule: "saved.auto"}, true
	}
	if !m.Enabled || c.Saved.Only || l.Now.Sub(l.IdleSince) < m.AfterIdle.Std() || l.AsksHour >= m.MaxPerHour {
		return Ask{}, false
	}
	var best *Lobbyist
	wanted := func(p *Lobbyist) bool { return config.MatchAny(m.WaitFor, p.Name) }
	for i := range l.Players {
		p := &l.Players[i]
		if !free(p) || p.Saved || p.Idle > maxIdle || !wanted(p) && !eligible(c, p, l) {
			continue
		}
		if best == nil || better(p, best, wanted, l.Me.Rating) {
			best = p
		}
	}
	if best == nil {
		return Ask{}, false
	}
	rule := "matchmaking"
	if wanted(best) {
		rule = "matchmaking.waitfor"
	}
	return Ask{Name: best.Name, Length: offer(m.Lengths, best.Length, l.AsksHour), Rule: rule}, true
}

// NextOpen returns the match to open for whoever comes, on a server where nobody is
// invited, or false: outside the hours and above the number of matches in which any
// invitation would be accepted nothing is offered. The lengths take turns. Whoever
// comes is judged by Consider.
func NextOpen(c *config.Config, l Lobby) (length int, ok bool) {
	m := &c.Matchmaking
	hours, _ := config.ParseHours(c.Invitations.Hours)
	switch {
	case l.Draining, !m.Enabled, c.Saved.Only, len(m.Lengths) == 0,
		l.Now.Sub(l.LastAsk) < m.Gap.Std(), l.AsksHour >= m.MaxPerHour,
		!hours.Open(l.Now), c.Invitations.PerDay > 0 && l.MatchesToday >= c.Invitations.PerDay:
		return 0, false
	}
	return offer(m.Lengths, 0, l.AsksHour), true
}

// past tells whether a wait that began at a time has passed. A time that is not yet was
// written by a clock that has been set back since, and keeps nobody waiting.
func past(now, began time.Time, wait time.Duration) bool {
	age := now.Sub(began)
	return began.IsZero() || age < 0 || age >= wait
}

// pause is how long to leave a player alone who did not answer. A saved match
// may be asked for again sooner: both want it finished.
func pause(c *config.Config, p *Lobbyist) time.Duration {
	if p.Saved {
		return max(c.Saved.WaitAfterLeave.Std(), c.Matchmaking.Timeout.Std())
	}
	return c.Matchmaking.DeclinePause.Std()
}

func eligible(c *config.Config, p *Lobbyist, l Lobby) bool {
	bot := config.MatchAny(c.Opponents.BotNames, p.Name)
	lo, hi, limited := ratingLimits(c.Matchmaking.Rating, l.Me.Rating)
	if bot != (c.Opponents.Bots == "only") || limited && (p.Rating < lo || p.Rating > hi) {
		return false
	}
	if drops(p.History) > c.Opponents.MaxDrops && c.Opponents.MaxDrops > 0 {
		return false
	}
	_, over := overLimit(c.Opponents.Limit, Facts{Now: l.Now, History: p.History})
	return !over
}

func better(a, b *Lobbyist, wanted func(*Lobbyist) bool, mine float64) bool {
	if wanted(a) != wanted(b) {
		return wanted(a)
	}
	da, db := abs(a.Rating-mine), abs(b.Rating-mine)
	return cmp.Or(cmp.Compare(da, db), cmp.Compare(a.Name, b.Name)) < 0
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

// offer prefers the length the player took before; otherwise the lengths take
// turns.
func offer(lengths []int, last, turn int) int {
	if slices.Contains(lengths, last) {
		return last
	}
	return lengths[turn%len(lengths)]
}
