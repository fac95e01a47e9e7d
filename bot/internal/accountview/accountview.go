package accountview

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Bounds of a View.
const (
	maxInvitations = 20
	maxSaid        = 40
	maxTroubles    = 20
	maxWaiting     = 20
	maxActs        = 40  // of the running game, for the last moves
	maxText        = 300 // bytes of a line of chat or trouble
)

// View is what pages show of one account. The zero value is empty and ready to use. All
// methods may be called from any goroutine.
type View struct {
	mu          sync.Mutex
	key         sheet.Key
	match       *seen
	invitations []ops.Invitation // newest first, as the other lists
	waiting     []string
	said        []ops.Said
	troubles    []ops.Trouble

	chancesOf sheet.Key // the state that chances belong to
	chances   *[5]float64
}

// seen is the last known state of a match. It owns its acts.
type seen struct {
	sheet.Snapshot
	opponent   string
	rating     float64
	experience int
	whole      bool // whether the acts start at the beginning of the game
}

// SetMatch sets the running match, or nil between matches, and the opponent's entry in the
// server's lists.
func (v *View) SetMatch(sh *sheet.Sheet, them protocol.User) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if sh == nil {
		v.match = nil
		return
	}
	if m := v.match; m != nil && m.opponent == sh.Opponent && v.key == sh.Key() && m.Resigner == sh.Resigner() && m.Score == sh.Score {
		m.rating, m.experience = them.Rating, them.Experience
		return
	}
	m := &seen{Snapshot: sh.Snapshot(), opponent: sh.Opponent, rating: them.Rating, experience: them.Experience}
	m.whole = len(m.Acts) <= maxActs
	if g := sh.Last(); g == nil || g.Torn {
		m.whole = false
	}
	m.Acts = append([]sheet.Act(nil), m.Acts[max(0, len(m.Acts)-maxActs):]...)
	v.match, v.key = m, sh.Key()
}

// push prepends x to the list and keeps at most limit elements.
func push[T any](list []T, x T, limit int) []T {
	list = slices.Insert(list, 0, x)
	return list[:min(len(list), limit)]
}

// AddInvitation adds an answered invitation, with the rule of bot.yaml that decided and
// the reply.
func (v *View) AddInvitation(i ops.Invitation) {
	i.Said = short(i.Said)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.invitations = push(v.invitations, i, maxInvitations)
}

// SetWaiting sets the players who wait for an answer to their invitations.
func (v *View) SetWaiting(names []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waiting = append([]string(nil), names[:min(len(names), maxWaiting)]...)
}

// Heard records what another player said; other events are ignored.
func (v *View) Heard(ev *protocol.Event, now time.Time) {
	kind := map[protocol.Kind]string{protocol.Says: "says", protocol.Kibitzes: "kibitzes", protocol.Whispers: "whispers"}[ev.Kind]
	if kind == "" {
		return
	}
	v.say(ops.Said{At: now, From: ev.Name, How: kind, Text: ev.Text})
}

// Sent records what the account itself says.
func (v *View) Sent(list []protocol.Command, me string, now time.Time) {
	for _, c := range list {
		switch c := c.(type) {
		case protocol.Tell:
			v.say(ops.Said{At: now, From: me, To: c.Name, How: "says", Text: c.Text})
		case protocol.Kibitz:
			v.say(ops.Said{At: now, From: me, How: "kibitzes", Text: c.Text})
		case protocol.Whisper:
			v.say(ops.Said{At: now, From: me, How: "whispers", Text: c.Text})
		}
	}
}

func (v *View) say(s ops.Said) {
	s.Text = short(s.Text)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.said = push(v.said, s, maxSaid)
}

// Trouble records a problem. A repeated text only increases its count.
func (v *View) Trouble(text string, now time.Time) {
	if text == "" {
		return
	}
	text = short(text)
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.troubles) > 0 && v.troubles[0].Text == text {
		v.troubles[0].At = now
		v.troubles[0].Times++
		return
	}
	v.troubles = push(v.troubles, ops.Trouble{At: now, Text: text, Times: 1}, maxTroubles)
}

// short returns text on one line, cut to maxText bytes.
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
