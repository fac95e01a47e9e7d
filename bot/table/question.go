package table

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
)

// decision is what the bot has to decide in the present state of the match, and how far that is.
type decision struct {
	generation uint64 // of the state
	key        sheet.Key
	asked      bool // the question of key has been asked
	answer     *Answer
	sent       bool      // the answer of key has been sent
	prompted   bool      // the server asked to roll or double since the last board
	rollAt     time.Time // when to roll ourselves if the server does not; zero if never
	refusedAt  int       // number of acts when our last offer to resign was refused, -1 if none was
}

// enter begins the decision of another state.
func (d *decision) enter(key sheet.Key) {
	*d = decision{generation: d.generation + 1, key: key, prompted: d.prompted, refusedAt: d.refusedAt}
}

// consider finds what is due in the present state of the match. All actions within a game
// are decided here.
func (t *Table) consider() {
	s := t.sheet
	if s == nil || t.stage != playing || t.view == nil {
		return
	}
	g := s.Current()
	if g == nil {
		return
	}
	if key := s.Key(); key != t.decision.key {
		t.decision.enter(key)
		t.idle.boards, t.wait.tries = 0, 0
	}
	if t.seat.away {
		t.decision.sent = false
		t.passive()
		return
	}
	if t.decision.sent {
		// The command's effect is still to come. The present board may be older than the
		// command, so the timer has to run.
		if t.wait.until.IsZero() {
			t.expect(seeEffect)
		}
		return
	}
	sit, ok := t.question(s, g)
	if !ok {
		t.passive()
		return
	}
	if sit.Ask == AskRoll && !sit.MayDouble {
		t.rollOrWait()
		return
	}
	if t.decision.answer != nil {
		t.send(*t.decision.answer) // decided before, but the command was lost
		return
	}
	if !t.decision.asked {
		t.decision.asked = true
		sit.Generation = t.decision.generation
		t.due.Ask = &sit
		t.progress() // thinking is not waiting
	}
}

// question returns what the bot has to decide in the present state, if anything.
func (t *Table) question(s *sheet.Sheet, g *sheet.Game) (Situation, bool) {
	sit := Situation{
		Position: position(s), State: s.State(), Dice: s.Dice(), OnTurn: s.Turn() == sheet.Us,
		Opponent: s.Opponent, Game: len(s.Games),
		MayResign: t.decision.refusedAt != len(g.Acts) && s.Resigner() == sheet.Nobody && !t.rules.ResignsAtOnce,
	}
	sit.State.Drops = t.rules.Drops
	switch {
	case s.Resigner() == sheet.Them:
		sit.Ask = AskResign
		sit.Offered = min(3, max(1, s.Offer()/max(1, s.Cube())))
		sit.Doubled = s.Doubler() != sheet.Nobody && s.Doubler() == s.Turn()
		return sit, true
	case s.Resigner() == sheet.Us:
		return sit, false
	case s.Doubler() == sheet.Them:
		sit.Ask = AskTake
		sit.OnTurn = false
		sit.Dice = board.Dice{}
		return sit, true
	case s.Doubler() == sheet.Us, s.Turn() != sheet.Us:
		return sit, false
	case s.Dice().Valid():
		sit.Ask = AskPlay
		return sit, s.CanPlay()
	}
	sit.Ask = AskRoll
	sit.MayDouble = mayDouble(s)
	return sit, true
}

// mayDouble reports whether a double is legal and can matter: never in the Crawford game
// (whatever the board's flags say), never with a dead cube.
func mayDouble(s *sheet.Sheet) bool {
	if g := s.Current(); g != nil && len(g.Acts) == 0 && position(s) == board.Start {
		return false // no double before the opening roll
	}
	st := s.State()
	return st.MayDouble() && !st.DeadCube()
}

// rollOrWait handles a turn on which the bot may not double. Some servers then roll
// automatically, unless they prompt for a roll or forget it.
func (t *Table) rollOrWait() {
	if t.decision.prompted || !t.rules.RollsItself {
		t.decision.sent, t.decision.rollAt = true, time.Time{}
		t.command(protocol.Roll{}, seeRoll)
		return
	}
	if t.decision.rollAt.IsZero() {
		t.decision.rollAt = t.now.Add(t.opt.AutoRoll)
		t.progress()
	}
}

// passive sets the timer for asking for the board while the opponent has to act.
func (t *Table) passive() {
	if t.wait.what == seeOpponent && t.now.Before(t.wait.until) {
		return
	}
	t.wait = await{what: seeOpponent, until: t.now.Add(t.opt.Idle)}
}

// Decided enters the engine's answer. An answer to an older generation is dropped.
func (t *Table) Decided(gen uint64, d Answer, now time.Time) Due {
	t.begin(now)
	if gen != t.decision.generation || t.sheet == nil || !t.decision.asked || t.decision.answer != nil {
		return t.due
	}
	t.decision.answer = &d
	if g := t.sheet.Current(); (d.Thought != nil || d.By != "") && g != nil {
		if sit, ok := t.question(t.sheet, g); ok {
			sit.Game -= t.sheet.Filed
			t.note(Note{Kind: NoteThought, Opponent: t.sheet.Opponent, Minor: true, Thought: sit.thought(&d)})
		}
	}
	t.send(d)
	return t.due
}

// send sends the command for an answer and waits for its effect.
func (t *Table) send(d Answer) {
	t.decision.sent = true
	switch d.Action {
	case Roll:
		t.command(protocol.Roll{}, seeRoll)
	case Double:
		t.command(protocol.Double{}, seeDouble)
	case Play:
		t.command(protocol.Move{Steps: orderSteps(d.Play), Down: t.view.Down}, seePlay)
	case Take:
		t.command(protocol.Take{}, seeTake)
	case Drop:
		t.command(protocol.Drop{}, seeDrop)
	case AcceptResign:
		t.command(protocol.AcceptResign{}, seeAcceptance)
	case RejectResign:
		t.command(protocol.RefuseResign{}, seeRefusal)
	case Resign:
		t.command(protocol.Resign{Games: d.Games}, seeResignation)
	}
}

// position returns the position on the sheet with the bot as Me.
func position(s *sheet.Sheet) board.Position {
	p, _ := s.Position()
	return p
}

// orderSteps returns the steps of a play in the order FIBS expects: entries from the bar
// first, bear-offs last and from the highest point down. A legal order stays legal: nothing
// may move before an entry, and a checker that could be borne off still can after others
// have moved nearer.
func orderSteps(p board.Play) []board.Step {
	kind := func(s board.Step) int {
		switch {
		case s.From == board.Bar:
			return 0
		case s.To >= 0:
			return 1
		}
		return 2
	}
	out := slices.Clone(p.Steps[:p.N])
	slices.SortStableFunc(out, func(a, b board.Step) int {
		if k := kind(a); k != 2 || kind(b) != 2 {
			return cmp.Compare(k, kind(b))
		}
		return cmp.Compare(b.From, a.From)
	})
	return out
}

func formatRating(r float64) string {
	if r == 0 {
		return ""
	}
	return strconv.FormatFloat(r, 'f', 2, 64)
}
