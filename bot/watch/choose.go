package watch

import (
	"slices"
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/config"
)

// Entries of the list of wanted players that are not names.
const (
	Best = "best" // the match with the highest rated players
	Any  = "any"  // any match
)

const (
	// barredFor is how long a player who does not want us is not watched.
	barredFor = 24 * time.Hour
	// skippedFor is how long a player is skipped after a useless watch: he had just gone,
	// or is not playing.
	skippedFor = time.Minute
	// maxKnown bounds the remembered players of either kind.
	maxKnown = 20000
)

// chooser decides whom to watch: the first entry of the list that leads to a match. A match
// is watched to its end.
type chooser struct {
	wanted  []string
	never   []string
	me      string
	lobby   *protocol.Lobby
	barred  map[string]time.Time // by player or pair: not to be watched before
	skipped map[string]time.Time // by player: not to be chosen before
}

// newChooser makes a chooser for the account me. wanted are names, patterns with * and ?,
// best and any, the most wanted first. never are names or patterns of players whose matches
// must not be watched. lobby is the list of players online, which its owner updates before
// the chooser sees a line.
func newChooser(wanted, never []string, me string, lobby *protocol.Lobby) *chooser {
	return &chooser{wanted: wanted, never: never, me: me, lobby: lobby, barred: map[string]time.Time{}, skipped: map[string]time.Time{}}
}

// Configure changes the lists.
func (c *chooser) Configure(wanted, never []string) { c.wanted, c.never = wanted, never }

// Event enters a line of the server.
func (c *chooser) Event(ev protocol.Event, now time.Time) {
	switch ev.Kind {
	case protocol.NoSuchPlayer:
		c.skip(ev.Name, now)
	case protocol.WatchRefused:
		c.bar(ev.Name, now.Add(barredFor))
	case protocol.ShutOut:
		// A player has just shut us out.
		if ev.Other == protocol.You || ev.Other == "" || ev.Other == c.me {
			c.bar(ev.Name, now.Add(barredFor))
		}
	case protocol.CannotWatch:
		// One of the two has shut us out; the server does not say which.
		c.bar(pair(ev.Name, ev.Other), now.Add(barredFor))
	}
}

func (c *chooser) bar(name string, until time.Time) {
	if name == "" {
		return
	}
	if _, known := c.barred[name]; !known && len(c.barred) >= maxKnown {
		return
	}
	c.barred[name] = until
}

// skip does not choose a player for a while.
func (c *chooser) skip(name string, now time.Time) {
	if len(c.skipped) >= maxKnown {
		clear(c.skipped)
	}
	c.skipped[name] = now.Add(skippedFor)
}

// Bar does not watch a player for a day, at his request.
func (c *chooser) Bar(name string, now time.Time) { c.bar(name, now.Add(barredFor)) }

// Barred reports whether a player must not be watched now.
func (c *chooser) Barred(name string, now time.Time) bool {
	return name == c.me || config.MatchAny(c.never, name) || now.Before(c.barred[name])
}

// May reports whether a match of these two may be watched. An empty opponent means none.
func (c *chooser) May(player, opponent string, now time.Time) bool {
	if c.Barred(player, now) {
		return false
	}
	return opponent == "" || !c.Barred(opponent, now) && !now.Before(c.barred[pair(player, opponent)])
}

// pair returns the key of a match of two players; names contain no blank.
func pair(a, b string) string {
	if a > b {
		a, b = b, a
	}
	return a + " " + b
}

// Next returns the player to watch, or false without one. If no wanted player is playing, it
// returns an online player who is wanted by name, to be watched from the start of a match.
func (c *chooser) Next(now time.Time) (string, bool) {
	for _, w := range c.wanted {
		found, ok := "", false
		if w == Best {
			found, ok = c.best(now)
		} else {
			found, ok = c.playing(w, now)
		}
		if ok {
			return found, true
		}
	}
	for _, w := range c.wanted {
		if w == Best || w == Any || strings.ContainsAny(w, "*?") {
			continue
		}
		for name, p := range c.lobby.All() {
			if config.MatchName(w, name) && c.free(name, now) && c.May(name, p.Opponent, now) {
				return name, true
			}
		}
	}
	return "", false
}

// free reports whether a player is not skipped now.
func (c *chooser) free(name string, now time.Time) bool { return !now.Before(c.skipped[name]) }

// playing returns the first player, by name, who is playing and whom an entry of the list names.
func (c *chooser) playing(wanted string, now time.Time) (string, bool) {
	var names []string
	for name, p := range c.lobby.All() {
		if p.Opponent != "" && (wanted == Any || config.MatchName(wanted, name)) && c.free(name, now) && c.May(name, p.Opponent, now) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "", false
	}
	return slices.Min(names), true
}

// best returns the higher rated player of the match with the highest mean rating. An unknown
// opponent counts as an average player.
func (c *chooser) best(now time.Time) (string, bool) {
	const average = 1500.0
	found, most, own := "", 0.0, 0.0
	for name, p := range c.lobby.All() {
		if p.Opponent == "" || !c.free(name, now) || !c.May(name, p.Opponent, now) {
			continue
		}
		opponent := average
		if q, ok := c.lobby.User(p.Opponent); ok {
			opponent = q.Rating
		}
		mean := (p.Rating + opponent) / 2
		switch {
		case found == "" || mean > most,
			mean == most && (p.Rating > own || p.Rating == own && name < found):
			found, most, own = name, mean, p.Rating
		}
	}
	return found, found != ""
}

// Playing reports whether the last who line of a player shows a match.
func (c *chooser) Playing(name string) bool {
	p, _ := c.lobby.User(name)
	return p.Opponent != ""
}
