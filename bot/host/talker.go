package host

import (
	"math"
	"time"
)

// talker bounds a seat's answers to other players.
type talker struct {
	said   map[string][]time.Time // our answers of the last minute, by name
	all    []time.Time            // and to all players together
	nudged time.Time              // last request for the board after a 'move'
}

func newTalker() talker { return talker{said: map[string][]time.Time{}} }

func lastMinute(list []time.Time, now time.Time) []time.Time {
	for len(list) > 0 && now.Sub(list[0]) >= time.Minute {
		list = list[1:]
	}
	return list
}

// client returns the program of a player who is online, or "".
func (s *seat) client(name string) string {
	u, _ := s.lobby.User(name)
	return u.Client
}

// isBot reports whether a player is a program, by name or client.
func (s *seat) isBot(name string) bool { return s.h.opt.Config().Opponents.IsBot(name, s.client(name)) }

// count returns how often name was answered in the last minute, or MaxInt if there is too
// much chat in all.
func (l *talker) count(name string, now time.Time) int {
	l.all = lastMinute(l.all, now)
	if len(l.all) >= maxAnswers {
		return math.MaxInt
	}
	l.said[name] = lastMinute(l.said[name], now)
	n := len(l.said[name])
	if n == 0 {
		delete(l.said, name)
	}
	return n
}

// add counts an answer.
func (l *talker) add(name string, now time.Time) {
	if len(l.said) > 10*maxAnswers {
		clear(l.said) // all but the last few are older than a minute
	}
	l.said[name] = append(l.said[name], now)
	l.all = append(l.all, now)
}

// nudge reports whether to ask for the board after an opponent's 'move'.
func (l *talker) nudge(now time.Time) bool {
	if now.Sub(l.nudged) < nudgeQuiet {
		return false
	}
	l.nudged = now
	return true
}
