package host

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fibsbot/bot/table"
)

// inviter remembers invitations in both directions: those that wait for facts or for the
// table, refusals, and our own. It depends neither on the table nor on the rules.
type inviter struct {
	asking map[string]*asking
	early  []table.Invitation // came while the table asked the server about earlier ones
	told   []refusal          // of the last minute

	freeAt  time.Time // since when the account is idle
	spread  float64   // policy.Lobby.Spread, drawn for each wait
	seekAt  time.Time // earliest time of the next search
	delay   time.Duration
	lastAsk time.Time
	asked   string               // the player of our last invitation, until the server confirms it
	asks    []time.Time          // our invitations in the last hour
	offered string               // the player we offered a rematch after the last match
	silent  map[string]time.Time // when each reason to invite no one was last logged
}

func newInviter() inviter {
	return inviter{asking: map[string]*asking{}, silent: map[string]time.Time{}, delay: seekEvery}
}

// postpone stores an invitation until the table is ready for it; a second one of the same player
// replaces the first.
func (v *inviter) postpone(inv table.Invitation) {
	if i := slices.IndexFunc(v.early, func(e table.Invitation) bool { return e.From == inv.From }); i >= 0 {
		v.early[i] = inv
	} else if len(v.early) < maxAsking {
		v.early = append(v.early, inv)
	}
}

// postponed removes and returns the stored invitations, the oldest first.
func (v *inviter) postponed() []table.Invitation {
	list := v.early
	v.early = nil
	return list
}

// await starts to gather facts for an invitation. It returns nil if they are already being
// gathered for that player, or if too many invitations wait.
func (v *inviter) await(a *asking, now time.Time) *asking {
	if old := v.asking[a.inv.From]; old != nil {
		old.inv = a.inv // the facts stay the same
		return nil
	}
	if len(v.asking) >= maxAsking {
		return nil
	}
	a.till, a.queued = now.Add(askLimit), true
	v.asking[a.inv.From] = a
	return a
}

// answered enters a fact about an inviter.
func (v *inviter) answered(name string, enter func(*asking)) {
	if a := v.asking[name]; a != nil {
		enter(a)
	}
}

// reputation reads the answer of a reputation bot.
func (v *inviter) reputation(text string) {
	text = strings.TrimSpace(text)
	var number *int
	m := unrated.FindStringSubmatch(text)
	if m == nil {
		if m = standing.FindStringSubmatch(text); m == nil {
			return
		}
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return
		}
		number = &n
	}
	for name, a := range v.asking {
		if strings.EqualFold(name, m[1]) {
			a.standing, a.needRep = number, false
		}
	}
}

// gone forgets the invitation of a player who has left the server.
func (v *inviter) gone(name string) {
	delete(v.asking, name)
	v.early = slices.DeleteFunc(v.early, func(e table.Invitation) bool { return e.From == name })
}

// offline forgets the invitations of a connection that has ended.
func (v *inviter) offline() {
	clear(v.asking)
	v.early = nil
}

// refusal is a sent refusal.
type refusal struct {
	name, say string
	at        time.Time
}

// mayRefuse reports whether the refusal say may be sent to name now: not twice within
// refusalQuiet for the same reason, at most most times for different ones, and at most
// maxRefusals to all players, so that a crowd of inviters does not hold up the lines of a match.
func (v *inviter) mayRefuse(name, say string, most int, now time.Time) bool {
	v.told = slices.DeleteFunc(v.told, func(r refusal) bool { return now.Sub(r.at) >= refusalQuiet })
	his := 0
	for _, r := range v.told {
		if r.name == name && r.say == say {
			return false
		}
		if r.name == name {
			his++
		}
	}
	if his >= max(1, most) || len(v.told) >= maxRefusals {
		return false
	}
	v.told = append(v.told, refusal{name, say, now})
	return true
}

// seeks reports whether it is time to look for an opponent, and when to ask again. free
// reports whether the table is free; the first search is immediate. random returns 0 to 1.
func (v *inviter) seeks(free bool, random func() float64, now time.Time) (yes bool, wake time.Time) {
	switch {
	case !free:
		v.freeAt = time.Time{}
		return false, wake
	case v.freeAt.IsZero():
		v.freeAt, v.seekAt, v.spread = now, now, random()
	}
	if now.Before(v.seekAt) {
		return false, v.seekAt
	}
	if len(v.asking) > 0 {
		return false, wake // the facts, or the end of the wait for them, lead to a step
	}
	v.seekAt = now.Add(v.delay)
	return true, v.seekAt
}

// silentFor is the shortest time between two log lines for one reason to invite no one.
const silentFor = time.Hour

// news reports whether to log a reason to invite no one.
func (v *inviter) news(rules string, now time.Time) bool {
	if at, ok := v.silent[rules]; ok && now.Sub(at) < silentFor {
		return false
	}
	if len(v.silent) >= maxAsking {
		clear(v.silent)
	}
	v.silent[rules] = now
	return true
}

// lastHour returns the number of our invitations in the last hour.
func (v *inviter) lastHour(now time.Time) int {
	v.asks = slices.DeleteFunc(v.asks, func(at time.Time) bool { return now.Sub(at) >= time.Hour })
	return len(v.asks)
}

// count counts our invitation to a new match.
func (v *inviter) count(now time.Time) {
	v.lastAsk = now
	v.asks = append(v.asks, now)
}

// missed reports whether name, who is not online according to the server, is the player we
// have just invited.
func (v *inviter) missed(name string) bool {
	if v.asked == "" || name != v.asked {
		return false
	}
	v.asked = ""
	return true
}
