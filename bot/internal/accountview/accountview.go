package accountview

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
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
	course    course
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
		v.match, v.course = nil, course{}
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
	v.course.follow(sh)
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

// Estimator estimates positions for pages.
type Estimator interface {
	// Chances returns those of the player on roll: win, win a gammon, win a backgammon, lose a
	// gammon, lose a backgammon. Zero dice mean before the roll.
	Chances(ctx context.Context, p board.Position, d board.Dice, st match.State) ([5]float64, error)
	// Winning returns the match winning chance of the player on roll before the roll, in unlimited
	// play that of the game.
	Winning(ctx context.Context, p board.Position, st match.State) (float64, error)
}

// Live returns a snapshot for pages. It calls judge at most once for each state of the
// match and of its course; a nil judge leaves the chances out.
func (v *View) Live(ctx context.Context, judge Estimator) *ops.Live {
	v.mu.Lock()
	var m *seen
	if v.match != nil {
		now := *v.match // the acts are never changed in place
		m = &now
	}
	key := v.key
	out := &ops.Live{Invitations: slices.Clone(v.invitations), Waiting: slices.Clone(v.waiting),
		Said: slices.Clone(v.said), Troubles: slices.Clone(v.troubles)}
	chances := v.chances
	if v.chancesOf != key {
		chances = nil
	}
	v.mu.Unlock()
	if m == nil {
		return out
	}
	out.Table = m.table()
	if chances == nil && judge != nil && m.Known && m.Game > 0 {
		chances = m.judged(ctx, judge)
		v.mu.Lock()
		v.chances, v.chancesOf = chances, key
		v.mu.Unlock()
	}
	out.Table.Chances = chances
	if judge != nil {
		v.judgeCourse(ctx, judge)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	out.Table.Course, out.Table.Starts = v.course.points()
	return out
}

// words returns the API's name of a side, "" for Nobody.
func words(s sheet.Side) string {
	switch s {
	case sheet.Us:
		return "me"
	case sheet.Them:
		return "opponent"
	}
	return ""
}

func (m *seen) table() *ops.Table {
	t := &ops.Table{
		Opponent: m.opponent, Rating: m.rating, Experience: m.experience, Length: m.State.Length, Game: m.Game,
		Score: [2]int{m.Score[sheet.Us], m.Score[sheet.Them]}, Crawford: m.Crawford, Turn: words(m.Turn),
		Dice: []int{}, Cube: m.State.Cube, Doubled: words(m.Doubler), Resigned: words(m.Resigner), Offer: m.Offer,
		Owner: [...]string{match.Centred: "centre", match.Mine: "me", match.Theirs: "opponent"}[m.Owner],
		Moves: m.moves(),
	}
	if m.Dice.Valid() {
		t.Dice = []int{int(m.Dice.A), int(m.Dice.B)}
	}
	if m.Known {
		b := [2][25]int{}
		for i := range 25 {
			b[0][i], b[1][i] = int(m.Position.Me[i]), int(m.Position.Opp[i])
		}
		t.Board, t.Pips = &b, [2]int{m.Position.Me.Pips(), m.Position.Opp.Pips()}
	}
	return t
}

// shownMoves is the number of last acts in a snapshot.
const shownMoves = 16

// did names what an act is in the API.
var did = map[sheet.ActKind]string{sheet.ActRolled: "rolls", sheet.ActPlayed: "plays", sheet.ActDoubled: "doubles", sheet.ActTook: "takes",
	sheet.ActDropped: "drops", sheet.ActOffered: "resigns", sheet.ActRefused: "plays on"}

// moves returns the last acts of the game, oldest first.
func (m *seen) moves() []ops.Moved {
	pos, known := board.Start, m.whole // seen by Us
	out := []ops.Moved{}
	for _, a := range m.Acts {
		v := ops.Moved{Side: words(a.Side), What: did[a.Kind]}
		if a.Dice.Valid() {
			v.Dice = []int{int(a.Dice.A), int(a.Dice.B)}
		}
		switch {
		case a.Kind == sheet.ActShown:
			if a.Shown != nil {
				pos, known = *a.Shown, true
			}
			continue
		case a.Kind == sheet.ActPlayed && a.Play.N == 0:
			v.What = "cannot move"
		case a.Kind == sheet.ActPlayed:
			before := pos
			if a.Side == sheet.Them {
				before = pos.Swap()
			}
			if !known {
				before.Opp = board.Checkers{} // unknown, so no hits are marked
			}
			v.Play = board.FormatSteps(before, a.Play.Steps[:a.Play.N])
			pos, known = a.Play.Result, true
			if a.Side == sheet.Them {
				pos = pos.Swap()
			}
		}
		out = append(out, v)
	}
	return out[max(0, len(out)-shownMoves):]
}

// judged returns the account's chances, or nil if they are unknown.
func (m *seen) judged(ctx context.Context, judge Estimator) *[5]float64 {
	side, dice := m.Turn, m.Dice
	if m.Doubler != sheet.Nobody {
		side, dice = m.Doubler, board.Dice{} // the roll comes after the answer
	}
	p, st := m.Position, m.State
	switch {
	case side == sheet.Nobody || p.Result() != 0 || p.Validate() != nil:
		return nil
	case side == sheet.Them:
		p, st = p.Swap(), st.Swap()
	}
	c, err := judge.Chances(ctx, p, dice, st)
	if err != nil {
		return nil
	}
	if side == sheet.Them {
		c = [5]float64{1 - c[0], c[3], c[4], c[1], c[2]}
	}
	return &c
}

// Glance is an Estimator whose quick estimates do not slow matches down.
type Glance struct{ Engine *engine.Engine }

// Chances implements Estimator.
func (g Glance) Chances(ctx context.Context, p board.Position, d board.Dice, st match.State) (c [5]float64, err error) {
	fast, err := preset.ByName("expert")
	if err != nil {
		return c, err
	}
	if d.Valid() {
		list, err := g.Engine.RankPlays(ctx, p, d, st, fast)
		if err != nil {
			return c, err
		}
		if len(list) > 0 {
			return floats(list[0].Probs), nil
		}
		p, st = p.Swap(), st.Swap() // cannot move
	}
	v, err := g.Engine.Evaluate(ctx, p, st, fast)
	if d.Valid() {
		v.Probs = v.Probs.Invert()
	}
	return floats(v.Probs), err
}

// Winning implements Estimator.
func (g Glance) Winning(ctx context.Context, p board.Position, st match.State) (float64, error) {
	fast, err := preset.ByName("expert")
	if err != nil {
		return 0, err
	}
	v, err := g.Engine.Evaluate(ctx, p, st, fast)
	if st.Length == 0 {
		return floats(v.Probs)[0], err
	}
	return v.MWC, err
}

func floats(p eval.Probs) (c [5]float64) {
	for i, x := range p {
		c[i] = float64(x)
	}
	return c
}

// Score is the score of a match in words, as "3-2 in 5 points".
func Score(sh *sheet.Sheet) string {
	if sh.Length <= 0 {
		return fmt.Sprintf("%d-%d, unlimited", sh.Score[sheet.Us], sh.Score[sheet.Them])
	}
	return fmt.Sprintf("%d-%d in %d points", sh.Score[sheet.Us], sh.Score[sheet.Them], sh.Length)
}
