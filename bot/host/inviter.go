package host

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fibsbot/bot/table"
)

// received are invitations to us that wait for facts or for the table. Like the inviter it
// depends neither on the table nor on the rules.
type received struct {
	asking map[string]*asking
	// postponed came while the table asked the server about earlier ones.
	postponed []table.Invitation
}

// inviter remembers our own invitations, and when to look for an opponent.
type inviter struct {
	freeAt  time.Time // since when the account is idle
	spread  float64   // policy.Lobby.Spread, drawn for each wait
	seekAt  time.Time // earliest time of the next search
	delay   time.Duration
	lastAsk time.Time
	asked   string      // the player of our last invitation, until the server confirms it
	asks    []time.Time // our invitations in the last hour
	offered string      // the player we offered a rematch after the last match
}

// postpone stores an invitation until the table is ready for it; a second one of the same player
// replaces the first.
func (r *received) postpone(inv table.Invitation) {
	if i := slices.IndexFunc(r.postponed, func(e table.Invitation) bool { return e.From == inv.From }); i >= 0 {
		r.postponed[i] = inv
	} else if len(r.postponed) < maxAsking {
		r.postponed = append(r.postponed, inv)
	}
}

// takePostponed removes and returns the stored invitations, the oldest first.
func (r *received) takePostponed() []table.Invitation {
	list := r.postponed
	r.postponed = nil
	return list
}

// gather starts to gather facts for an invitation. It returns nil if they are already being
// gathered for that player, or if too many invitations wait.
func (r *received) gather(a *asking, now time.Time) *asking {
	if old := r.asking[a.inv.From]; old != nil {
		old.inv = a.inv // the facts stay the same
		return nil
	}
	if len(r.asking) >= maxAsking {
		return nil
	}
	a.till, a.queued = now.Add(askLimit), true
	r.asking[a.inv.From] = a
	return a
}

// enterFact enters a fact about an inviter.
func (r *received) enterFact(name string, enter func(*asking)) {
	if a := r.asking[name]; a != nil {
		enter(a)
	}
}

// enterReputation reads the answer of a reputation bot.
func (r *received) enterReputation(text string) {
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
	for name, a := range r.asking {
		if strings.EqualFold(name, m[1]) {
			a.standing, a.needRep = number, false
		}
	}
}

// forget forgets the invitation of a player who has left the server.
func (r *received) forget(name string) {
	delete(r.asking, name)
	r.postponed = slices.DeleteFunc(r.postponed, func(e table.Invitation) bool { return e.From == name })
}

// clear forgets the invitations of a connection that has ended.
func (r *received) clear() {
	clear(r.asking)
	r.postponed = nil
}

// maySeek reports whether it is time to look for an opponent, and when to ask again. free
// reports whether the table is free, asking whether an invitation waits for facts; the first
// search is immediate. random returns 0 to 1.
func (v *inviter) maySeek(free, asking bool, random func() float64, now time.Time) (yes bool, wake time.Time) {
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
	if asking {
		return false, wake // the facts, or the end of the wait for them, lead to a step
	}
	v.seekAt = now.Add(v.delay)
	return true, v.seekAt
}

// inLastHour returns the number of our invitations in the last hour.
func (v *inviter) inLastHour(now time.Time) int {
	v.asks = slices.DeleteFunc(v.asks, func(at time.Time) bool { return now.Sub(at) >= time.Hour })
	return len(v.asks)
}

// record counts our invitation to a new match.
func (v *inviter) record(now time.Time) {
	v.lastAsk = now
	v.asks = append(v.asks, now)
}

// takeMissed reports whether name, who is not online according to the server, is the player we
// have just invited.
func (v *inviter) takeMissed(name string) bool {
	if v.asked == "" || name != v.asked {
		return false
	}
	v.asked = ""
	return true
}
