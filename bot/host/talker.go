package host

import (
	"math"
	"time"
)

// talker bounds what a seat answers to those who speak to it.
type talker struct {
	said   map[string][]time.Time // our answers of the last minute, by name
	all    []time.Time            // and to everybody
	nudged time.Time              // the last look at the board for a 'move'
}

func newTalker() talker { return talker{said: map[string][]time.Time{}} }

func lastMinute(list []time.Time, now time.Time) []time.Time {
	for len(list) > 0 && now.Sub(list[0]) >= time.Minute {
		list = list[1:]
	}
	return list
}

// count is how often name was answered in the last minute; with too much chat in
// all nobody is answered.
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
		clear(l.said) // all of them older than a minute but for the last few
	}
	l.said[name] = append(l.said[name], now)
	l.all = append(l.all, now)
}

// nudge tells whether an opponent's 'move' is worth a look at the board.
func (l *talker) nudge(now time.Time) bool {
	if now.Sub(l.nudged) < nudgeQuiet {
		return false
	}
	l.nudged = now
	return true
}
