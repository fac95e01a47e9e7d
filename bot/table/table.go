package table

import (
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Options say how patient a table is. Zero fields take the defaults.
type Options struct {
	// Protocol is that of the server. Without one the table has the zero Rules, and no
	// lines of ours for the journal.
	Protocol protocol.Protocol
	// Name is the account's name on the server.
	Name string
	// Lobby is the account's list of who is on line, kept by the table; one of its
	// own by default.
	Lobby *protocol.Lobby
	// Patience is how long a command may go without visible effect before the
	// board is asked for: 8 s, the figure of the bots that have played on FIBS
	// for years.
	Patience time.Duration
	// Answer is how long an invitation of ours waits for its answer: 8 x Patience.
	Answer time.Duration
	// AutoRoll is how long the server's own roll is waited for when the bot may
	// not double: 8 s. Where FIBS is known to forget it (after a resume or a
	// refused resignation) a quarter of it is enough.
	AutoRoll time.Duration
	// Idle is how long an opponent on turn may be silent before the board is
	// asked for, in case it was a line that got lost: 30 s.
	Idle time.Duration
	// Parting is how long we stay after a match, for a last word, on a server where that
	// is over only when both have left: 10 s. When the opponent's line was broken at its
	// end six times as long, so that he may come back and see it.
	Parting time.Duration
	// Mend asks the server for its list of moves when lines were missed.
	Mend bool
}

func (o Options) withDefaults() Options {
	set := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	set(&o.Patience, 8*time.Second)
	set(&o.AutoRoll, o.Patience)
	set(&o.Answer, 8*o.Patience)
	set(&o.Idle, 30*time.Second)
	set(&o.Parting, 10*time.Second)
	return o
}

// maxTries is how often a command is repaired before the connection is given up.
const maxTries = 4

// mendTries is how often a list of moves that does not come is asked for again.
const mendTries = 2

// maxSheets bounds the sheets of saved matches that are remembered: FIBS stops
// players with that many saved matches long before.
const maxSheets = 500

// stage is where the bot is.
type stage uint8

const (
	offline  stage = iota // not logged in, or the server has not answered yet
	lobby                 // logged in, no match
	playing               // at the board, a game is running
	joining               // between two games
	mending               // after the match, waiting for the server's list of moves
	visiting              // logged in; finding out what is saved and running
)

// Table is the state machine of one account. It is not safe for concurrent use:
// one goroutine owns it.
type Table struct {
	opt   Options
	rules protocol.Rules
	stage stage
	sheet *sheet.Sheet            // the match at the board, nil in the lobby
	saved map[string]*sheet.Sheet // sheets of interrupted matches by opponent

	view     sheet.Board // last board of our own match
	haveView bool        // since the match was opened on this connection
	gen      uint64
	key      sheet.Key
	asked    bool // the question of key has been put
	answer   *Answer
	sent     bool // the answer of key has been sent
	prompted bool // the server asked to roll or double since the last board

	wait     await
	answers  answers
	foreign  bool      // the list of moves that is being told is another match's
	number   int       // of a match, in the line at hand
	old      bool      // the line at hand is a board that was asked for before our last command
	rollAt   time.Time // when to roll ourselves if the server does not; zero none
	idle     int       // looks at the board while the opponent had to act
	resumed  bool      // the match was resumed and nobody has rolled, played or doubled since
	joins    int       // how often the next game was joined since anything happened in one
	resignAt int       // number of acts when our last offer to resign was refused, -1 none

	nego      negotiation
	heard     map[string]*heard // what the journals have, by opponent
	early     *Invitation       // accepted before the lobby was reached
	back      *Invitation       // of the opponent at the board, not judged yet
	odd       odd               // a board that contradicts the sheet, not believed yet
	bad       int               // boards in a row that cannot be right
	refused   int               // commands of the game that were refused in a row, none long after the one before
	refusedAt time.Time         // when the last one was
	badTold   time.Time         // when that was last told
	badLost   bool              // for those a connection has been given up
	off       bool              // the server has said, since the end of the match was told, that none is played
	doubtAt   time.Time         // when the board was last asked for because he seemed gone
	inviter   string            // who sent the last invitation: a warning names nobody
	lobby     *protocol.Lobby
	savedList map[string]bool // what the server says is saved
	savedTold bool            // the list of saved matches has come
	endless   map[string]bool // of the saved matches, those that are unlimited
	last      bool            // the running game of an unlimited match is the last
	lastWords string          // and what the opponent is told then
	moved     map[string]bool // saved at another score than on our sheet: a game ended unseen
	listed    int             // the list of this game of the sheet (Sheet.Begun) was asked for, -1 none
	closing   []string        // saved sheets the server does not know any more
	unchecked bool            // not compared with the server's list on this connection
	away      bool            // the opponent's seat is empty
	broke     map[string]bool // whether the opponent was away when our line broke, by his name
	lastAt    time.Time       // when the server last said something of a match of ours
}

// New returns the table of an account that is not logged in yet.
func New(opt Options) *Table {
	var rules protocol.Rules
	if opt.Protocol != nil {
		rules = opt.Protocol.Rules()
	}
	opt.Mend = opt.Mend && rules.Lists
	if opt.Lobby == nil {
		opt.Lobby = protocol.NewLobby(opt.Name)
	}
	return &Table{
		opt:       opt.withDefaults(),
		rules:     rules,
		saved:     map[string]*sheet.Sheet{},
		lobby:     opt.Lobby,
		savedList: map[string]bool{},
		endless:   map[string]bool{},
		moved:     map[string]bool{},
		listed:    -1,
		heard:     map[string]*heard{},
		broke:     map[string]bool{},
	}
}

// Restore gives the table the sheet of an interrupted match, rebuilt from the
// journal after a restart; at is when its last line came.
func (t *Table) Restore(s *sheet.Sheet, at time.Time) {
	t.made()
	if s != nil && len(t.saved) < maxSheets {
		t.saved[s.Opponent] = s
	}
	if at.After(t.lastAt) {
		t.lastAt = at
	}
}

// Sheet returns the match at the board, or nil.
func (t *Table) Sheet() *sheet.Sheet { return t.sheet }

// Playing tells whether a match is at the board.
func (t *Table) Playing() bool { return t.sheet != nil }

// SittingDown tells whether a match may begin any moment by our own doing: we have
// joined, or asked to resume, and the answer is on its way.
func (t *Table) SittingDown() bool {
	return t.nego.step == negoJoining || t.nego.step == negoResume && !t.nego.ours
}

// Free tells whether the bot could invite somebody now.
func (t *Table) Free() bool { return t.stage == lobby && t.nego.step == 0 }

// Generation returns the number of the present state.
func (t *Table) Generation() uint64 { return t.gen }

// SavedWith reports whether a match with name is known to be saved, an unlimited one only
// with a game that has begun.
func (t *Table) SavedWith(name string) bool {
	return t.saved[name] != nil || t.savedList[name] && !t.endless[name]
}

// Unfinished reports whether a match with name is known to be saved that a new one must not
// replace. An unlimited match may be replaced: it has no end.
func (t *Table) Unfinished(name string) bool { return t.SavedWith(name) && !t.endless[name] }

// Untouched returns the length of the match saved with name, 0 unlimited, when the
// bot left it without a play, double or answer of its own: as soon as it saw what
// match that was.
func (t *Table) Untouched(name string) (length int, ok bool) {
	s := t.saved[name]
	if s == nil || !s.Left() || s.Length < 0 || len(s.Games) > 1 {
		return 0, false
	}
	if g := s.Last(); g != nil {
		if g.Torn {
			return 0, false
		}
		for _, a := range g.Acts {
			if a.Side == sheet.Us && a.Kind != sheet.ActRolled {
				return 0, false
			}
		}
	}
	return s.Length, true
}

// Lobby is who is on line.
func (t *Table) Lobby() *protocol.Lobby { return t.lobby }

// Ready tells the table that the login is complete and the settings stand.
func (t *Table) Ready(now time.Time) Due {
	t.made()
	var due Due
	t.stage = visiting
	t.haveView = false
	t.lobby.Clear()
	t.savedList, t.savedTold, t.unchecked = map[string]bool{}, false, true
	t.endless = map[string]bool{}
	t.moved = map[string]bool{}
	t.answers = answers{}
	t.do(&due, protocol.AskSaved{})
	t.do(&due, protocol.AskBoard{})
	t.expect(seeBoard, now)
	return due
}

// Lost tells the table that the connection is gone. The match, if any, is saved
// by the server; our sheet waits for the resume.
func (t *Table) Lost() Due {
	var due Due
	t.stage = offline
	if t.sheet != nil {
		if len(t.broke) < maxSheets {
			t.broke[t.sheet.Opponent] = t.away
		}
		t.setAside(&due)
	}
	t.joins = 0
	t.moveOn()
	t.nego, t.wait, t.odd, t.refused = negotiation{}, await{}, odd{}, 0
	t.early, t.back, t.closing = nil, nil, nil
	return due
}

// setAside puts the sheet of the running match away as interrupted.
func (t *Table) setAside(due *Due) {
	if t.sheet.Over && !(t.opt.Mend && t.sheet.NeedsMending()) {
		t.finish(due)
		return
	}
	t.endless[t.sheet.Opponent] = t.sheet.Length == 0
	// A match that is over and has a hole waits like one to be resumed: at the next
	// login the server does not know it, and is asked for its list of moves.
	if !t.allFiled(due) && (len(t.saved) < maxSheets || t.saved[t.sheet.Opponent] != nil) {
		t.saved[t.sheet.Opponent] = t.sheet
	}
	due.Notes = append(due.Notes, Note{Kind: NoteSaved, Opponent: t.sheet.Opponent})
	t.sheet.Interrupted()
	t.heardOf(t.sheet).board = "" // the next one says more than before
	t.sheet, t.haveView, t.listed, t.away = nil, false, -1, false
}

// finish hands a finished match over to the archive.
func (t *Table) finish(due *Due) {
	due.Notes = append(due.Notes, t.noteOver(t.sheet))
	due.Over = t.sheet
	delete(t.saved, t.sheet.Opponent)
	delete(t.heard, t.sheet.Opponent)
	t.sheet, t.haveView, t.listed, t.away = nil, false, -1, false
	t.wait = await{}
	t.moveOn()
}

// noteOver is the note of a match that is over.
func (t *Table) noteOver(s *sheet.Sheet) Note {
	n := Note{Kind: NoteOver, Opponent: s.Opponent}
	if g := s.Last(); g != nil && g.Forfeit {
		n.Forfeit = t.opt.Name
		if s.Winner == sheet.Them {
			n.Forfeit = s.Opponent
		}
	}
	return n
}

// moveOn makes every outstanding question stale.
func (t *Table) moveOn() {
	t.gen++
	t.key, t.asked, t.answer, t.sent = sheet.Key{}, false, nil, false
	t.rollAt, t.prompted = time.Time{}, false
}

// do appends a command, and its trace in the journal when a match is open.
func (t *Table) do(due *Due, c protocol.Command) {
	var lines []string
	if p := t.opt.Protocol; p != nil {
		var err error
		if lines, err = p.Encode(c); err != nil {
			return // nothing a server could understand, such as an impossible name
		}
	}
	if t.sheet != nil {
		minor := minorCommand(c)
		for _, text := range lines {
			due.Notes = append(due.Notes, Note{Kind: NoteSent, Opponent: t.sheet.Opponent, Raw: text, Minor: minor})
		}
		if !minor {
			t.heardOf(t.sheet).board = "" // a board that is the same tells that it had no effect
		}
		protocol.EnterSent(t.sheet, c)
	}
	t.answers.sent(c)
	due.Send = append(due.Send, c)
}

// expect starts the timer of the one command outstanding.
func (t *Table) expect(what effect, now time.Time) {
	t.wait = await{what: what, until: now.Add(t.opt.Patience), tries: t.wait.tries}
}

// Underway tells the table that what it sent has waited until now to go out: the
// effect of a command is waited for from there.
func (t *Table) Underway(now time.Time) {
	if until := now.Add(t.opt.Patience); !t.wait.until.IsZero() && t.wait.until.Before(until) {
		t.wait.until = until
	}
}

// progress notes that the server has done something we waited for.
func (t *Table) progress() { t.wait = await{} }

// askBoard requests the board, unless a request is on its way already.
func (t *Table) askBoard(due *Due, now time.Time) {
	if t.wait.what == seeBoard && now.Before(t.wait.until) {
		return
	}
	t.do(due, protocol.AskBoard{})
	t.expect(seeBoard, now)
}

// Wake returns when Tick has to be called at the latest; zero when nothing is
// timed.
func (t *Table) Wake() time.Time {
	w := time.Time{}
	for _, at := range []time.Time{t.wait.until, t.rollAt, t.nego.until, t.odd.look} {
		if !at.IsZero() && (w.IsZero() || at.Before(w)) {
			w = at
		}
	}
	return w
}

// Tick tells the table the time. It repairs what did not happen.
func (t *Table) Tick(now time.Time) Due {
	var due Due
	if !t.rollAt.IsZero() && !now.Before(t.rollAt) {
		t.rollAt = time.Time{}
		if t.sheet != nil && t.stage == playing {
			t.do(&due, protocol.Roll{})
			t.expect(seeRoll, now)
		}
	}
	if !t.odd.look.IsZero() && !now.Before(t.odd.look) {
		t.odd.look, t.odd.asked = time.Time{}, true
		t.look(&due, now)
	}
	if !t.nego.until.IsZero() && !now.Before(t.nego.until) {
		t.negoLate(&due, now)
	}
	if !t.wait.until.IsZero() && !now.Before(t.wait.until) {
		t.repair(&due, now)
	}
	return due
}

// suspicion is the number of looks at the board, while the opponent has to act,
// after which an offer of his to resign is looked for that we know nothing of. It
// can have been lost with the last connection until somebody acts again, for an
// open offer stops the game; after that, only by noise.
func (t *Table) suspicion() int {
	if t.resumed {
		return 3
	}
	return 12
}

// repair handles a command without effect: ask for the board and decide again
// from what it says; after a few rounds give the connection up.
func (t *Table) repair(due *Due, now time.Time) {
	what := t.wait.what
	t.wait.tries++
	if what == seeOpponent {
		// Nobody owes us anything: look whether a line got lost, then wait on.
		t.wait.tries = 0
		if t.idle++; !t.rules.ResignsAtOnce && t.idle%t.suspicion() == 0 && t.stage == playing && t.sheet != nil && t.sheet.Resigner() == sheet.Nobody && t.sheet.Doubler() == sheet.Nobody {
			// An offer to resign may have been lost with a connection, and no
			// board shows one. To roll out of turn is harmless, and an offer
			// makes itself known by blocking it. (Rejecting would drop a double
			// that is just on its way to us.)
			t.do(due, protocol.Roll{})
		}
	}
	if t.wait.tries > maxTries {
		if t.stage == visiting && t.savedTold && t.rules.Seat == 0 {
			// The server answers, only not about the board: some have none between matches.
			t.notPlaying(due, now)
			return
		}
		t.wait = await{}
		due.Reconnect = "no effect of " + what.String()
		return
	}
	switch t.stage {
	case joining:
		if what == seeMoves && t.wait.tries <= mendTries {
			t.do(due, protocol.AskMoves{Name: t.sheet.Opponent}) // the next game erases the list
			t.expect(seeMoves, now)
			return
		}
		if what == seeLeave && t.last {
			t.do(due, protocol.Leave{})
			t.expect(seeLeave, now)
			return
		}
		t.do(due, protocol.Next{})
		if what != seePartner && what != seeMoves {
			t.do(due, protocol.AskBoard{}) // perhaps the game goes on
		}
		t.expect(seeJoin, now)
	case mending:
		switch {
		case t.wait.tries > mendTries:
			t.endMending(due, now)
		case what == seeEnd:
			t.do(due, protocol.AskBoard{})
			t.expect(seeEnd, now)
		default:
			t.do(due, protocol.AskMoves{Name: t.sheet.Opponent})
			t.expect(seeMoves, now)
		}
	case visiting:
		t.do(due, protocol.AskBoard{})
		t.expect(seeBoard, now)
	case playing:
		// What was sent may have been lost: let the next board that is asked for from
		// now on ask again.
		if t.wait.tries > 1 {
			t.answers.lost()
		}
		t.sent = false
		t.do(due, protocol.AskBoard{})
		t.expect(seeBoard, now)
	default:
		t.wait = await{}
	}
}
