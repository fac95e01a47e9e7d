package archive

import (
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/record"
)

// head is what a journal has beside the lines.
type head struct {
	account, opponent, server string
	started                   time.Time
	ratings                   [2]string // opponent, account
}

// headOf reads the first entry; ratings come from the first sitting that has them.
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

// rebuild makes the sheet from the lines of a journal, as the table did during play.
func rebuild(proto protocol.Protocol, entries []entry) *sheet.Sheet {
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
	s.Rules, s.Score = proto.Rules().Sheet(), entries[0].Score
	r := proto.Reader()
	for _, e := range entries {
		switch e.Kind {
		case kindLine:
			events := r.Said(e.Raw)
			for i := range events {
				protocol.Enter(s, &events[i], entries[0].Account)
			}
		case kindSent:
			if c, ok := r.Sent(e.Raw); ok {
				protocol.EnterSent(s, c)
			}
		case kindSaid:
			s.Said(clipped(e.Raw))
		case kindSaved, kindOpen:
			if e.Number > 0 {
				s.Number = e.Number
			}
			s.Interrupted()
			r = proto.Reader()
		case kindOver:
			s.ListEnds()
			switch e.Forfeit {
			case "":
				s.Ended()
			case s.Opponent:
				s.Forfeited(sheet.Them)
			default:
				s.Forfeited(sheet.Us)
			}
		}
	}
	s.ListEnds()
	return s
}

// about is the head of the match file. The opponent is player 0, the bot player 1.
func (h head) about(rules protocol.Rules) sheet.About {
	return sheet.About{
		Players: [2]record.Player{
			{Name: h.opponent, Rating: h.ratings[0]},
			{Name: h.account, Rating: h.ratings[1]},
		},
		Date:  h.started.UTC().Format("2006-01-02"),
		Place: h.server,
		Drops: rules.Drops,
	}
}
