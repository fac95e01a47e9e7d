package host

import (
	"math"
	"slices"
	"time"
)

// lately remembers when something was last done, by its key.
type lately map[string]time.Time

// once reports whether key was not done within quiet, and enters it then.
func (l lately) once(key string, quiet time.Duration, now time.Time) bool {
	if last, again := l[key]; again && now.Sub(last) < quiet {
		return false
	}
	if len(l) >= maxRecall {
		clear(l)
	}
	l[key] = now
	return true
}

// sent is a text that was sent to a player.
type sent struct {
	name, say string
	at        time.Time
}

// lastMinute are the texts of one kind that were sent in the last minute, the oldest first.
type lastMinute []sent

// trim forgets older ones.
func (l *lastMinute) trim(now time.Time) {
	*l = slices.DeleteFunc(*l, func(s sent) bool { return now.Sub(s.at) >= time.Minute })
}

// to counts those to name.
func (l *lastMinute) to(name string) (n int) {
	for _, s := range *l {
		if s.name == name {
			n++
		}
	}
	return n
}

// add enters a text.
func (l *lastMinute) add(name, say string, now time.Time) {
	if len(*l) > 10*maxAnswers {
		l.trim(now)
	}
	if len(*l) > 10*maxAnswers {
		*l = slices.Delete(*l, 0, 1)
	}
	*l = append(*l, sent{name, say, now})
}

// answered returns how often name was answered in the last minute, or MaxInt if there is too
// much chat in all.
func (l *lastMinute) answered(name string, now time.Time) int {
	l.trim(now)
	if len(*l) >= maxAnswers {
		return math.MaxInt
	}
	return l.to(name)
}

// refuse enters the refusal say to name, and reports whether it may be sent now: not twice for
// the same reason, at most most times for different ones, and at most maxRefusals to all
// players, so that a crowd of inviters does not hold up the lines of a match.
func (l *lastMinute) refuse(name, say string, most int, now time.Time) bool {
	l.trim(now)
	if l.to(name) >= max(1, most) || len(*l) >= maxRefusals || slices.ContainsFunc(*l, func(s sent) bool { return s.name == name && s.say == say }) {
		return false
	}
	l.add(name, say, now)
	return true
}
