package host

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"fibsbot/bot/table"
)

// inviter is what a seat remembers of invitations in both directions: those that wait
// for facts or for the table, those it has told no, and whom it has asked itself. It is
// told the time, and knows neither the table nor the rules.
type inviter struct {
	asking map[string]*asking
	early  map[string]table.Invitation // that came before the table was settled
	told   map[string][]refusal        // those of the last minute

	freeAt  time.Time // since when there is nothing to do
	spread  float64   // policy.Lobby.Spread, drawn for each wait
	seekAt  time.Time // not to look for somebody before
	delay   time.Duration
	lastAsk time.Time
	asked   string               // whom our last invitation went to; empty once the server has sent it on
	asks    []time.Time          // our invitations in the last hour
	offered string               // whom a rematch was offered after the last match
	silent  map[string]time.Time // when each reason to invite no one was last logged
}

func newInviter() inviter {
	return inviter{asking: map[string]*asking{}, early: map[string]table.Invitation{}, told: map[string][]refusal{}, silent: map[string]time.Time{}, delay: seekEvery}
}

// keep puts an invitation aside until the table is settled; who has invited twice
// means the last one.
func (v *inviter) keep(inv table.Invitation) {
	if len(v.early) < maxAsking {
		v.early[inv.From] = inv
	}
}

// kept takes out what keep has put aside, by name.
func (v *inviter) kept() []table.Invitation {
	var list []table.Invitation
	for _, name := range slices.Sorted(maps.Keys(v.early)) {
		list = append(list, v.early[name])
	}
	clear(v.early)
	return list
}

// look begins to look into an invitation, and returns nil when that is not to be:
// somebody who has changed his mind is looked into already, and too many wait.
func (v *inviter) look(a *asking, now time.Time) *asking {
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

// gone forgets the invitation of somebody who has left the server.
func (v *inviter) gone(name string) {
	delete(v.asking, name)
	delete(v.early, name)
}

// offline forgets what a connection that has ended leaves without an answer.
func (v *inviter) offline() {
	clear(v.asking)
	clear(v.early)
}

// refusal is a no with its reason.
type refusal struct {
	say string
	at  time.Time
}

// mayRefuse reports whether name is told no by say now: not twice in refusalQuiet for the
// same reason, and at most most times for different ones.
func (v *inviter) mayRefuse(name, say string, most int, now time.Time) bool {
	list := slices.DeleteFunc(v.told[name], func(r refusal) bool { return now.Sub(r.at) >= refusalQuiet })
	if len(list) >= max(1, most) || slices.ContainsFunc(list, func(r refusal) bool { return r.say == say }) {
		v.told[name] = list
		return false
	}
	if len(v.told) >= maxRecall {
		clear(v.told)
	}
	v.told[name] = append(list, refusal{say, now})
	return true
}

// seeks tells whether it is time to look for somebody, and when to ask again. free is
// whether the table is; who has just become free looks at once. random returns 0 to 1.
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
		return false, wake // their answers, or the end of the wait for them, make a step
	}
	v.seekAt = now.Add(v.delay)
	return true, v.seekAt
}

// silentFor is the least time between two log lines for one reason to invite no one.
const silentFor = time.Hour

// news reports whether a reason to invite no one is to be logged.
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

// hour is how often we have asked in the last hour.
func (v *inviter) hour(now time.Time) int {
	v.asks = slices.DeleteFunc(v.asks, func(at time.Time) bool { return now.Sub(at) >= time.Hour })
	return len(v.asks)
}

// count counts an invitation of ours to a new match.
func (v *inviter) count(now time.Time) {
	v.lastAsk = now
	v.asks = append(v.asks, now)
}

// missed tells whether name, of whom the server says that he is not there, is whom we
// have just asked.
func (v *inviter) missed(name string) bool {
	if v.asked == "" || name != v.asked {
		return false
	}
	v.asked = ""
	return true
}
