package desk

import (
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Bounds of what a Desk keeps.
const (
	maxInvitations = 20
	maxSaid        = 40
	maxTroubles    = 20
	maxWaiting     = 20
	maxActs        = 40  // of the running game, for the last moves
	maxText        = 300 // bytes of a line of chat or trouble
)

// Desk is what is before one account. The zero value is empty and ready. All methods
// may be called from any goroutine; a nil Desk notes nothing.
type Desk struct {
	mu          sync.Mutex
	key         sheet.Key
	match       *seen
	invitations []ops.Invitation // newest first, as the other lists
	waiting     []string
	said        []ops.Said
	troubles    []ops.Trouble

	chancesOf sheet.Key // what chances were worked out for
	chances   *[5]float64
}

// seen is a match as it last stood. Its acts are its own.
type seen struct {
	sheet.Snapshot
	opponent   string
	rating     float64
	experience int
	doubler    sheet.Side
	resigner   sheet.Side
	offer      int
	known      bool // the position is
	whole      bool // the acts begin with the game
}

// Sits notes the match at the board, nil for none, and what the server tells of the
// opponent.
func (d *Desk) Sits(sh *sheet.Sheet, them protocol.User) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if sh == nil {
		d.match = nil
		return
	}
	if m := d.match; m != nil && m.opponent == sh.Opponent && d.key == sh.Key() && m.resigner == sh.Resigner() && m.Score == sh.Score {
		m.rating, m.experience = them.Rating, them.Experience
		return
	}
	_, known := sh.Position()
	m := &seen{Snapshot: sh.Snapshot(), opponent: sh.Opponent, rating: them.Rating, experience: them.Experience,
		doubler: sh.Doubler(), resigner: sh.Resigner(), offer: sh.Offer(), known: known}
	m.whole = len(m.Acts) <= maxActs
	if g := sh.Last(); g == nil || g.Torn {
		m.whole = false
	}
	m.Acts = append([]sheet.Act(nil), m.Acts[max(0, len(m.Acts)-maxActs):]...)
	d.match, d.key = m, sh.Key()
}

// push puts x before the list and keeps limit of them.
func push[T any](list []T, x T, limit int) []T {
	list = append(list, x)
	copy(list[1:], list)
	list[0] = x
	return list[:min(len(list), limit)]
}

// Invited notes an invitation that was answered: the rule of bot.yaml that decided, and
// what the inviter was told.
func (d *Desk) Invited(i ops.Invitation) {
	if d == nil {
		return
	}
	i.Said = short(i.Said)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.invitations = push(d.invitations, i, maxInvitations)
}

// Waits notes who waits for an answer to his invitation.
func (d *Desk) Waits(names []string) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting = append([]string(nil), names[:min(len(names), maxWaiting)]...)
}

// Heard notes what somebody said, of an event that is talk.
func (d *Desk) Heard(ev *protocol.Event, now time.Time) {
	kind := map[protocol.Kind]string{protocol.Says: "says", protocol.Kibitzes: "kibitzes", protocol.Whispers: "whispers"}[ev.Kind]
	if kind == "" {
		return
	}
	d.say(ops.Said{At: now, From: ev.Name, How: kind, Text: ev.Text})
}

// Sent notes what the account itself says.
func (d *Desk) Sent(list []protocol.Command, me string, now time.Time) {
	for _, c := range list {
		switch c := c.(type) {
		case protocol.Tell:
			d.say(ops.Said{At: now, From: me, To: c.Name, How: "says", Text: c.Text})
		case protocol.Kibitz:
			d.say(ops.Said{At: now, From: me, How: "kibitzes", Text: c.Text})
		case protocol.Whisper:
			d.say(ops.Said{At: now, From: me, How: "whispers", Text: c.Text})
		}
	}
}

func (d *Desk) say(s ops.Said) {
	if d == nil {
		return
	}
	s.Text = short(s.Text)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said = push(d.said, s, maxSaid)
}

// Trouble notes what went wrong. The same again counts up.
func (d *Desk) Trouble(text string, now time.Time) {
	if d == nil || text == "" {
		return
	}
	text = short(text)
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.troubles) > 0 && d.troubles[0].Text == text {
		d.troubles[0].At = now
		d.troubles[0].Times++
		return
	}
	d.troubles = push(d.troubles, ops.Trouble{At: now, Text: text, Times: 1}, maxTroubles)
}

// short is text as far as a page shows it, on one line.
func short(text string) string {
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "�")
	if len(text) <= maxText {
		return text
	}
	cut := maxText
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
