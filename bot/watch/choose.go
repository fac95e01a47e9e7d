package watch

import (
	"slices"
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/config"
)

// Words in the list of wanted players that are no names.
const (
	Best = "best" // the match with the highest rated players
	Any  = "any"  // any match
)

const (
	// barredFor is how long a player who does not want us is left alone.
	barredFor = 24 * time.Hour
	// shyFor is how long a player is passed over after a watch that led to
	// nothing: he had just gone, or plays nothing.
	shyFor = time.Minute
	// maxKnown bounds the players who are left alone.
	maxKnown = 20000
)

// chooser decides whom to watch: the first entry of the list that leads to a
// match. A match that is being watched is watched to its end. It is a set of
// rules that is told the time.
type chooser struct {
	wanted []string
	never  []string
	me     string
	lobby  *protocol.Lobby
	barred map[string]time.Time // not to be watched before
	shy    map[string]time.Time // not to be chosen before
}

// newChooser makes a chooser for the account me. wanted are names, patterns with
// * and ?, best and any, the best first; never are names or patterns of players
// who are not to be watched, nor anybody who plays with them. lobby is who is on
// line; whoever keeps it hears each line first.
func newChooser(wanted, never []string, me string, lobby *protocol.Lobby) *chooser {
	return &chooser{wanted: wanted, never: never, me: me, lobby: lobby, barred: map[string]time.Time{}, shy: map[string]time.Time{}}
}

// Configure changes the lists.
func (c *chooser) Configure(wanted, never []string) { c.wanted, c.never = wanted, never }

// Event enters a line of the server.
func (c *chooser) Event(ev protocol.Event, now time.Time) {
	switch ev.Kind {
	case protocol.NoSuchPlayer:
		c.passOver(ev.Name, now)
	case protocol.WatchRefused:
		c.bar(ev.Name, now.Add(barredFor))
	case protocol.ShutOut:
		// Said by a player who has just shut us out.
		if ev.Other == protocol.You || ev.Other == "" || ev.Other == c.me {
			c.bar(ev.Name, now.Add(barredFor))
		}
	case protocol.CannotWatch:
		// One of the two has shut us out, nobody says which.
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

// passOver leaves a player for a while to those who come after him.
func (c *chooser) passOver(name string, now time.Time) {
	if len(c.shy) >= maxKnown {
		clear(c.shy)
	}
	c.shy[name] = now.Add(shyFor)
}

// Bar leaves a player alone for a day: he asked us to.
func (c *chooser) Bar(name string, now time.Time) { c.bar(name, now.Add(barredFor)) }

// Barred tells whether a player may not be watched now.
func (c *chooser) Barred(name string, now time.Time) bool {
	return name == c.me || config.MatchAny(c.never, name) || now.Before(c.barred[name])
}

// May tells whether a match of these two may be watched. An empty opponent is
// nobody.
func (c *chooser) May(player, opponent string, now time.Time) bool {
	if c.Barred(player, now) {
		return false
	}
	return opponent == "" || !c.Barred(opponent, now) && !now.Before(c.barred[pair(player, opponent)])
}

// pair is the key of a match of two players; names hold no blank.
func pair(a, b string) string {
	if a > b {
		a, b = b, a
	}
	return a + " " + b
}

// Next names the player to watch, or returns false when there is nobody. A player
// wanted by name is watched before his match begins when nobody on the list
// plays.
func (c *chooser) Next(now time.Time) (string, bool) {
	for _, w := range c.wanted {
		switch w {
		case Best:
			if name, ok := c.best(now); ok {
				return name, true
			}
		case Any:
			if name, ok := c.playing(now, func(string) bool { return true }); ok {
				return name, true
			}
		default:
			if name, ok := c.playing(now, func(n string) bool { return config.MatchAny([]string{w}, n) }); ok {
				return name, true
			}
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

// free tells whether a player is not passed over just now.
func (c *chooser) free(name string, now time.Time) bool { return !now.Before(c.shy[name]) }

// playing returns the first player by name who plays and is wanted.
func (c *chooser) playing(now time.Time, wanted func(string) bool) (string, bool) {
	var names []string
	for name, p := range c.lobby.All() {
		if p.Opponent != "" && wanted(name) && c.free(name, now) && c.May(name, p.Opponent, now) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "", false
	}
	return slices.Min(names), true
}

// best returns the higher rated player of the match whose players' ratings have
// the highest mean; an opponent whose line is not known counts as an average
// player.
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

// Playing tells whether the last who line of a player shows a match.
func (c *chooser) Playing(name string) bool {
	p, _ := c.lobby.User(name)
	return p.Opponent != ""
}
