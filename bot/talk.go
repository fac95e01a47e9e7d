package bot

import (
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
)

// Talk is which talk at the board is kept.
type Talk uint8

// The degrees of Talk. Each includes the one before.
const (
	TalkNone   Talk = iota
	TalkKibitz      // kibitzes of players and watchers
	TalkAll         // also what the players say to each other
)

// listen adds talk at the board to the journal: by others in ev, by the account in due.
func (a *Account) listen(due *table.Due, ev *protocol.Event) {
	s := a.tbl.Sheet()
	if s == nil || a.Talk == nil || a.journal == nil {
		return
	}
	keep := a.Talk()
	note := func(needs Talk, who, how, text string) {
		if keep < needs || text == "" {
			return
		}
		text = who + " " + how + ": " + text
		if a.Mask != nil {
			text = a.Mask(text)
		}
		due.Notes = append(due.Notes, table.Note{Kind: table.NoteSaid, Opponent: s.Opponent, Game: len(s.Games) - s.Filed, Raw: text})
	}
	if ev != nil && ev.Name != protocol.You && ev.Name != a.Name {
		switch {
		case ev.Kind == protocol.Kibitzes:
			note(TalkKibitz, ev.Name, "kibitzes", ev.Text)
		case ev.Kind == protocol.Says && ev.Name == s.Opponent:
			note(TalkAll, ev.Name, "says", ev.Text)
		}
	}
	for _, c := range due.Send {
		switch c := c.(type) {
		case protocol.Kibitz:
			note(TalkKibitz, a.Name, "kibitzes", c.Text)
		case protocol.Tell:
			if c.Name == s.Opponent {
				note(TalkAll, a.Name, "says", c.Text)
			}
		}
	}
}
