package person

import (
	"context"
	"path/filepath"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
)

const (
	// maxEndings bounds the matches that wait to be filed.
	maxEndings = 64
	// ratingWait is how long a finished match waits for the ratings after it.
	ratingWait = 3 * time.Second
)

// ending is a match that is over and not in the index.
type ending struct {
	files []string
	them  string
	meta  index.Meta
	till  time.Time
}

// endings are the matches that just ended. All but ready belongs to the account's goroutine.
type endings struct {
	began   map[string]time.Time // matches of this process, by opponent
	after   [2]float64           // ratings of opponent and account since the end of the match at the board
	rated   bool                 // the opponent of the match that ended has a rating
	waiting []ending             // for their ratings
	ready   chan ending
}

// step notes begins and ratings, and hands over what has waited long enough. wake is when the next
// one has.
func (e *endings) step(t *table.Table, due *table.Due, ev *protocol.Event, me string, now time.Time) (wake time.Time) {
	for _, n := range due.Notes {
		if n.Kind == table.NoteOpen && !n.Resumed {
			if len(e.began) >= maxEndings {
				clear(e.began)
			}
			e.began[n.Opponent], e.after = now, [2]float64{}
		}
	}
	if due.Over != nil {
		u, _ := t.Lobby().User(due.Over.Opponent)
		e.rated = u.Rating > 0
	}
	if ev != nil && ev.Kind == protocol.UserInfo && ev.User != nil {
		player := func(them string) int {
			switch ev.User.Name {
			case them:
				return 0
			case me:
				return 1
			}
			return -1
		}
		if s := t.Sheet(); s != nil && s.Over {
			if p := player(s.Opponent); p >= 0 {
				e.after[p] = ev.User.Rating
			}
		}
		for i := range e.waiting {
			w := &e.waiting[i]
			if p := player(w.them); p >= 0 {
				w.meta.RatingAfter[p] = ev.User.Rating
			}
		}
	}
	return e.flush(now)
}

// add takes the files of an observation. Games of an unlimited match do not wait.
func (e *endings) add(o bot.Observation, meta index.Meta) {
	meta.Finished = o.At.UTC()
	for _, f := range o.Filed {
		w := ending{files: f.Files, meta: meta}
		if s := o.Over; s != nil {
			w.them = s.Opponent
			if e.rated {
				w.till = o.At.Add(ratingWait)
			}
			w.meta.Started, w.meta.RatingAfter = e.began[s.Opponent].UTC(), e.after
		}
		e.waiting = append(e.waiting, w)
	}
	if o.Over != nil {
		delete(e.began, o.Over.Opponent)
		e.after = [2]float64{}
	}
}

// flush hands over the matches whose ratings have come or are late; all for the zero time.
func (e *endings) flush(now time.Time) (wake time.Time) {
	kept := e.waiting[:0]
	for _, w := range e.waiting {
		if r := w.meta.RatingAfter; now.IsZero() || r[0] > 0 && r[1] > 0 || !now.Before(w.till) {
			e.hand(w)
			continue
		}
		if wake.IsZero() || w.till.Before(wake) {
			wake = w.till
		}
		kept = append(kept, w)
	}
	e.waiting = kept
	return wake
}

func (e *endings) hand(w ending) { e.ready <- w }

// file puts the matches that are ready into the index.
func (a *Account) file() {
	for w := range a.endings.ready {
		for _, path := range w.files {
			if filepath.Ext(path) != ".sgf" {
				continue
			}
			m := Match{File: path}
			var row *index.Match
			if row, m.Err = a.DB.Enter(context.Background(), path, w.meta); row != nil {
				m.ID = row.ID
			}
			a.Filed(m)
		}
	}
}
