package archive

import (
	"time"

	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/engine/record"
	"fibsbot/fibs/clip"
)

// head is what a journal knows beside the lines.
type head struct {
	account, opponent, server string
	started                   time.Time
	ratings                   [2]string // opponent, account
}

// headOf reads the first entry; ratings come from the first sitting that knew them.
func headOf(entries []entry) head {
	h := head{account: entries[0].Account, opponent: entries[0].Opponent, server: entries[0].Server,
		started: entries[0].At, ratings: entries[0].Ratings}
	for _, e := range entries {
		if h.ratings != [2]string{} {
			break
		}
		h.ratings = e.Ratings
	}
	return h
}

// rebuild reads the lines of a journal again, as the table did when they came.
func rebuild(entries []entry) *sheet.Sheet {
	length := -1
	if entries[0].Length != nil {
		length = *entries[0].Length
	}
	fromStart := true
	for _, e := range entries {
		if e.Kind == kindOpen {
			fromStart = !e.Resumed
			break
		}
	}
	s := sheet.New(entries[0].Opponent, length, fromStart)
	p := clip.RunningParser()
	var events []clip.Event
	for _, e := range entries {
		switch e.Kind {
		case kindLine:
			events = p.Append(events[:0], e.Raw)
			for _, ev := range events {
				table.Apply(s, ev, entries[0].Account)
			}
		case kindSent:
			table.Sent(s, e.Raw)
		case kindSaved, kindOpen:
			s.Interrupted()
			p = clip.RunningParser()
		case kindOver:
			s.Ended()
		}
	}
	return s
}

// about is what the match file says beside the games. The opponent is player 0,
// the bot player 1.
func (h head) about() sheet.About {
	return sheet.About{
		Players: [2]record.Player{
			{Name: h.opponent, Rating: h.ratings[0]},
			{Name: h.account, Rating: h.ratings[1]},
		},
		Date:  h.started.UTC().Format("2006-01-02"),
		Place: h.server,
	}
}
