package table

import (
	"cmp"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Options are the options of a table. Zero fields take the defaults.
type Options struct {
	// Protocol is the server's protocol. Without one the table has the zero Rules and
	// writes no sent lines to the journal.
	Protocol protocol.Protocol
	// Name is the account's name on the server.
	Name string
	// Lobby is the account's list of players online, which the table keeps up to date; by
	// default the table has its own.
	Lobby *protocol.Lobby
	// Patience is how long a command may have no visible effect before the table asks for
	// the board: 8 s, as in bots that have played on FIBS for years.
	Patience time.Duration
	// Answer is how long our invitation waits for an answer; default 8 x Patience.
	Answer time.Duration
	// AutoRoll is how long the table waits for the server's automatic roll before it rolls
	// itself: Patience.
	AutoRoll time.Duration
	// Idle is how long an opponent on turn may be silent before the table asks for the
	// board, in case a line was lost: 30 s.
	Idle time.Duration
	// Parting is how long the bot stays after a match, on a server where a match is over
	// only when both players have left: 10 s. It is six times as long if the opponent was
	// away at the end, so that he can still see the result.
	Parting time.Duration
	// Mend makes the table ask for the server's list of moves when lines were missed.
	Mend bool
}

func (o Options) withDefaults() Options {
	o.Patience = cmp.Or(o.Patience, 8*time.Second)
	o.AutoRoll = cmp.Or(o.AutoRoll, o.Patience)
	o.Answer = cmp.Or(o.Answer, 8*o.Patience)
	o.Idle = cmp.Or(o.Idle, 30*time.Second)
	o.Parting = cmp.Or(o.Parting, 10*time.Second)
	return o
}

// maxTries is how often a command without effect is repaired before the table gives the
// connection up.
const maxTries = 4

// listPause: the list of a running game has no last line. It is over when no line of it has come
// for Patience / listPause.
const listPause = 8

// mendTries is how often the table asks again for a list of moves that does not come.
const mendTries = 2

// stage is where the bot is.
type stage uint8

const (
	offline  stage = iota // not logged in, or the server has not answered yet
	lobby                 // logged in, no match
	playing               // at the board, a game is running
	joining               // between two games
	mending               // after the match, waiting for the server's list of moves
	visiting              // logged in, finding out which matches are saved or running
)

// Table is the state machine of one account. One goroutine owns it.
type Table struct {
	opt   Options
	rules protocol.Rules
	lobby *protocol.Lobby

	now time.Time // of the present call
	due Due       // what the present call makes due

	stage    stage
	sheet    *sheet.Sheet // the match at the board, nil in the lobby
	previous *sheet.Sheet // the match that ended last on this connection, or nil
	closed   bool         // the server said after the end of the match that none is played
	view     *sheet.Board // last board of our own match on this connection, or nil

	line     line
	decision decision
	wait     await
	answers  answers
	moves    moveList
	idle     idleness
	nego     negotiation
	invites  invites
	doubts   doubts
	matches  knownMatches
	lastGame lastGame
	seat     opponentSeat

	lineAt  time.Time // last line about our match
	heardAt time.Time // last line of the server, or the login
}

// line is what the table knows about the present line of the server.
type line struct {
	match int  // the number of a match in it
	old   bool // it is a board that was asked for before our last command
}

// idleness is what happened since the last act of the game.
type idleness struct {
	resumed bool // the match was resumed
	joins   int  // joins of a next game
	boards  int  // requests for the board while the opponent had to act
}

// New returns the table of an account that is not logged in yet.
func New(opt Options) *Table {
	var rules protocol.Rules
	if opt.Protocol != nil {
		rules = opt.Protocol.Rules()
	}
	opt.Mend = opt.Mend && rules.KeepsMoveLists
	if opt.Lobby == nil {
		opt.Lobby = protocol.NewLobby(opt.Name)
	}
	return &Table{opt: opt.withDefaults(), rules: rules, lobby: opt.Lobby, moves: moveList{game: -1},
		matches: knownMatches{with: map[string]*knownMatch{}}}
}

// Restore adds the sheet of an interrupted match, rebuilt from the journal after a
// restart. at is the time of its last line.
func (t *Table) Restore(s *sheet.Sheet, at time.Time) {
	t.initialize()
	if s != nil {
		t.matches.save(s)
	}
	if at.After(t.lineAt) {
		t.lineAt = at
	}
}

// Sheet returns the match at the board, or nil.
func (t *Table) Sheet() *sheet.Sheet { return t.sheet }

// Playing reports whether a match is at the board.
func (t *Table) Playing() bool { return t.sheet != nil }

// SittingDown reports whether a match may begin at any moment by our own doing: the answer
// to our join or our request to resume is on its way.
func (t *Table) SittingDown() bool {
	return t.nego.step == negoJoining || t.nego.step == negoResume && !t.nego.ours
}

// Free reports whether the bot may invite a player now.
func (t *Table) Free() bool { return t.stage == lobby && t.nego.step == 0 }

// Generation returns the number of the present state.
func (t *Table) Generation() uint64 { return t.decision.generation }

// SavedWith reports whether a match with name is known to be saved. An unlimited match
// counts only if a game of it has begun, and one that cannot be played on does not.
func (t *Table) SavedWith(name string) bool {
	m := t.matches.of(name)
	return !m.void && m.saved()
}

// Void reports whether a match with name is saved that cannot be played on: the server cannot load
// it, or its board is impossible. A new match may replace it.
func (t *Table) Void(name string) bool {
	m := t.matches.of(name)
	return m.void && m.saved()
}

// Unfinished reports whether a match with name is known to be saved that a new one must not
// replace. An unlimited match may be replaced: it has no end.
func (t *Table) Unfinished(name string) bool { return t.SavedWith(name) && !t.matches.of(name).endless }

// Untouched returns the length of the match saved with name, 0 for an unlimited one, if
// the bot left it without a play, double or answer of its own.
func (t *Table) Untouched(name string) (length int, ok bool) {
	s := t.matches.of(name).sheet
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

// Lobby returns the list of players online.
func (t *Table) Lobby() *protocol.Lobby { return t.lobby }

// Ready must be called when the login is complete and the settings are made.
func (t *Table) Ready(now time.Time) Due {
	t.initialize()
	t.begin(now)
	t.stage = visiting
	t.view, t.heardAt = nil, now
	t.lobby.Clear()
	t.matches.told, t.matches.unchecked = false, true
	for _, m := range t.matches.with {
		m.listed, m.endless, m.moved = false, false, false
	}
	t.answers = answers{}
	t.do(protocol.AskSaved{})
	t.command(protocol.AskBoard{}, seeBoard)
	return t.due
}

// Lost must be called when the connection is gone. The server saves the match, if any; our
// sheet waits for the resume.
func (t *Table) Lost() Due {
	t.due = Due{}
	t.stage = offline
	if t.sheet != nil {
		t.matches.at(t.sheet.Opponent).broke = new(t.seat.away)
		t.setAside()
	}
	t.idle.joins = 0
	t.moveOn()
	t.nego, t.wait, t.doubts.board, t.doubts.refusals = negotiation{}, await{}, odd{}, 0
	t.previous, t.invites.accepted, t.invites.atBoard, t.matches.closing = nil, nil, nil, nil
	return t.due
}

// setAside puts the sheet of the running match away as interrupted.
func (t *Table) setAside() {
	if t.sheet.Over && !(t.opt.Mend && t.sheet.NeedsMending()) {
		t.finish()
		return
	}
	known := t.matches.at(t.sheet.Opponent)
	known.endless = t.sheet.Length == 0
	// A finished match with a hole waits like one to be resumed: at the next login the
	// server does not know it, and the table asks for its list of moves.
	if !t.allFiled() {
		t.matches.save(t.sheet)
	}
	t.note(Note{Kind: NoteSaved, Opponent: t.sheet.Opponent})
	t.sheet.Interrupted()
	known.heard.board = "" // an equal board after the interruption is new information
	t.leaveBoard()
}

// leaveBoard forgets the match at the board.
func (t *Table) leaveBoard() {
	t.sheet, t.view, t.moves.game, t.seat = nil, nil, -1, opponentSeat{}
}

// finish hands a finished match to the archive.
func (t *Table) finish() {
	t.note(t.noteOver(t.sheet))
	t.due.Over, t.previous = t.sheet, t.sheet
	known := t.matches.at(t.sheet.Opponent)
	known.sheet, known.heard = nil, heard{}
	t.leaveBoard()
	t.progress()
	t.moveOn()
}

// noteOver returns the note of a finished match.
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

// note makes notes for the journal due.
func (t *Table) note(n ...Note) { t.due.Notes = append(t.due.Notes, n...) }

// moveOn makes every outstanding question stale.
func (t *Table) moveOn() {
	t.decision.enter(sheet.Key{})
	t.decision.prompted = false
}

// do appends a command and, while a match is open, its line for the journal.
func (t *Table) do(c protocol.Command) {
	var lines []string
	if p := t.opt.Protocol; p != nil {
		var err error
		if lines, err = p.Encode(c); err != nil {
			return // the protocol cannot express it, because of an impossible name for example
		}
	}
	if t.sheet != nil {
		minor := minorCommand(c)
		for _, text := range lines {
			t.note(Note{Kind: NoteSent, Opponent: t.sheet.Opponent, Raw: text, Minor: minor})
		}
		if !minor {
			t.matches.at(t.sheet.Opponent).heard.board = "" // an equal board proves that the command had no effect
		}
		protocol.EnterSent(t.sheet, c)
	}
	if _, asks := c.(protocol.AskMoves); asks {
		t.moves.coming = false
	}
	t.answers.sent(c)
	t.due.Send = append(t.due.Send, c)
}

// begin starts a call: now is its time, and nothing is due so far.
func (t *Table) begin(now time.Time) { t.now, t.due = now, Due{} }

// command sends c and waits for the effect that it shows.
func (t *Table) command(c protocol.Command, shows effect) {
	t.do(c)
	t.expect(shows)
}

// expect starts the timer of the one command outstanding.
func (t *Table) expect(what effect) {
	t.wait = await{what: what, until: t.now.Add(t.opt.Patience), tries: t.wait.tries}
}

// Underway must be called when delayed commands are sent: the wait for their effect starts
// now.
func (t *Table) Underway(now time.Time) {
	if until := now.Add(t.opt.Patience); !t.wait.until.IsZero() && t.wait.until.Before(until) {
		t.wait.until = until
	}
}

// progress ends the wait: the server has done what we waited for.
func (t *Table) progress() { t.wait = await{} }

// askBoard asks for the board, unless a request is already on its way.
func (t *Table) askBoard() {
	if t.wait.what == seeBoard && t.now.Before(t.wait.until) {
		return
	}
	t.command(protocol.AskBoard{}, seeBoard)
}

// Wake returns the time by which Tick must be called, or zero if nothing is due.
func (t *Table) Wake() time.Time {
	w := time.Time{}
	for _, at := range []time.Time{t.wait.until, t.decision.rollAt, t.nego.until, t.doubts.board.askAt} {
		if !at.IsZero() && (w.IsZero() || at.Before(w)) {
			w = at
		}
	}
	return w
}

// Tick does what is due at the given time, and repairs what did not happen.
func (t *Table) Tick(now time.Time) Due {
	t.begin(now)
	if !t.decision.rollAt.IsZero() && !now.Before(t.decision.rollAt) {
		t.decision.rollAt = time.Time{}
		if t.sheet != nil && t.stage == playing {
			t.command(protocol.Roll{}, seeRoll)
		}
	}
	if !t.doubts.board.askAt.IsZero() && !now.Before(t.doubts.board.askAt) {
		t.doubts.board.askAt, t.doubts.board.asked = time.Time{}, t.doubts.board.asked+1
		t.recheck()
	}
	if !t.nego.until.IsZero() && !now.Before(t.nego.until) {
		t.negoLate()
	}
	if !t.wait.until.IsZero() && !now.Before(t.wait.until) {
		t.repair()
	}
	return t.due
}

// suspicion returns after how many requests for the board, while the opponent has to act,
// the table looks for an offer to resign that it did not see. Such an offer may have been
// lost with the last connection until a player acts again, because an open offer stops the
// game. After that it can only be lost by noise.
func (t *Table) suspicion() int {
	if t.idle.resumed {
		return 3
	}
	return 12
}
