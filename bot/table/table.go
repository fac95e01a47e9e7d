package table

import (
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

// maxTries is how often a command without effect is repaired before the table gives the
// connection up.
const maxTries = 4

// listPause: the list of a running game has no last line. It is over when no line of it has come
// for Patience / listPause.
const listPause = 8

// mendTries is how often the table asks again for a list of moves that does not come.
const mendTries = 2

// maxSheets bounds the remembered sheets of saved matches. FIBS does not let a player have
// nearly as many.
const maxSheets = 500

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
	opt    Options
	rules  protocol.Rules
	stage  stage
	sheet  *sheet.Sheet            // the match at the board, nil in the lobby
	before *sheet.Sheet            // the match that ended last on this connection, or nil
	saved  map[string]*sheet.Sheet // sheets of interrupted matches by opponent

	view     sheet.Board // last board of our own match
	haveView bool        // whether view is set since the match was opened on this connection
	gen      uint64
	key      sheet.Key
	asked    bool // the question of key has been asked
	answer   *Answer
	sent     bool // the answer of key has been sent
	prompted bool // the server asked to roll or double since the last board

	wait     await
	answers  answers
	foreign  bool      // the list of moves being received is that of another match
	listing  bool      // a line of the list that was asked for has come
	number   int       // number of a match in the present line
	old      bool      // the present line is a board that was asked for before our last command
	rollAt   time.Time // when to roll ourselves if the server does not; zero if never
	idle     int       // requests for the board while the opponent had to act
	resumed  bool      // the match was resumed, without a roll, play or double so far
	joins    int       // joins of a next game without any action in it
	resignAt int       // number of acts when our last offer to resign was refused, -1 if none was

	nego      negotiation
	heard     map[string]*heard // lines that the journals have, by opponent
	early     *Invitation       // accepted before the lobby was reached
	back      *Invitation       // of the opponent at the board, not judged yet
	odd       odd               // a board that contradicts the sheet, not believed yet
	bad       int               // boards in a row that cannot be right
	badWarned time.Time         // last warning about such boards
	badLost   string            // the opponent of the match for which a connection was given up because of them
	refused   int               // refused commands in a row, each within Patience of the one before
	refusedAt time.Time         // when the last command was refused
	off       bool              // the server said after the end of the match that none is played
	doubtAt   time.Time         // last request for the board because the opponent seemed gone
	inviter   string            // who sent the last invitation; a warning about saved matches has no name
	lobby     *protocol.Lobby
	savedList map[string]bool // saved matches according to the server
	savedTold bool            // the list of saved matches has come
	void      map[string]bool // saved matches that cannot be played on
	resuming  string          // the player last asked to resume a match, or joined for it
	endless   map[string]bool // unlimited ones among the saved matches
	last      bool            // the running game of an unlimited match is the last one
	lastWords string          // what the opponent is told after it
	moved     map[string]bool // saved at another score than on our sheet: a game ended unseen
	listed    int             // the game (Sheet.Begun) whose list was asked for, -1 if none
	closing   []string        // saved sheets whose match the server no longer has
	unchecked bool            // not yet compared with the server's list on this connection
	away      bool            // the opponent's seat is empty
	released  bool            // the server gives us the match if we leave it
	broke     map[string]bool // by opponent: whether he was away when our line broke
	lastAt    time.Time       // last line about our match
	heardAt   time.Time       // last line of the server, or the login
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
		void:      map[string]bool{},
		moved:     map[string]bool{},
		listed:    -1,
		heard:     map[string]*heard{},
		broke:     map[string]bool{},
	}
}

// Restore adds the sheet of an interrupted match, rebuilt from the journal after a
// restart. at is the time of its last line.
func (t *Table) Restore(s *sheet.Sheet, at time.Time) {
	t.initialize()
	if s != nil && len(t.saved) < maxSheets {
		t.saved[s.Opponent] = s
	}
	if at.After(t.lastAt) {
		t.lastAt = at
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
func (t *Table) Generation() uint64 { return t.gen }

// SavedWith reports whether a match with name is known to be saved. An unlimited match
// counts only if a game of it has begun, and one that cannot be played on does not.
func (t *Table) SavedWith(name string) bool {
	return !t.void[name] && t.savedWith(name)
}

func (t *Table) savedWith(name string) bool {
	return t.saved[name] != nil || t.savedList[name] && !t.endless[name]
}

// Void reports whether a match with name is saved that cannot be played on: the server cannot load
// it, or its board is impossible. A new match may replace it.
func (t *Table) Void(name string) bool { return t.void[name] && t.savedWith(name) }

// Unfinished reports whether a match with name is known to be saved that a new one must not
// replace. An unlimited match may be replaced: it has no end.
func (t *Table) Unfinished(name string) bool { return t.SavedWith(name) && !t.endless[name] }

// Untouched returns the length of the match saved with name, 0 for an unlimited one, if
// the bot left it without a play, double or answer of its own.
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

// Lobby returns the list of players online.
func (t *Table) Lobby() *protocol.Lobby { return t.lobby }

// Ready must be called when the login is complete and the settings are made.
func (t *Table) Ready(now time.Time) Due {
	t.initialize()
	var due Due
	t.stage = visiting
	t.haveView, t.heardAt = false, now
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

// Lost must be called when the connection is gone. The server saves the match, if any; our
// sheet waits for the resume.
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
	t.before, t.early, t.back, t.closing = nil, nil, nil, nil
	return due
}

// setAside puts the sheet of the running match away as interrupted.
func (t *Table) setAside(due *Due) {
	if t.sheet.Over && !(t.opt.Mend && t.sheet.NeedsMending()) {
		t.finish(due)
		return
	}
	t.endless[t.sheet.Opponent] = t.sheet.Length == 0
	// A finished match with a hole waits like one to be resumed: at the next login the
	// server does not know it, and the table asks for its list of moves.
	if !t.allFiled(due) && (len(t.saved) < maxSheets || t.saved[t.sheet.Opponent] != nil) {
		t.saved[t.sheet.Opponent] = t.sheet
	}
	due.Notes = append(due.Notes, Note{Kind: NoteSaved, Opponent: t.sheet.Opponent})
	t.sheet.Interrupted()
	t.heardOf(t.sheet).board = "" // an equal board after the interruption is new information
	t.sheet, t.haveView, t.listed, t.away = nil, false, -1, false
}

// finish hands a finished match to the archive.
func (t *Table) finish(due *Due) {
	due.Notes = append(due.Notes, t.noteOver(t.sheet))
	due.Over, t.before = t.sheet, t.sheet
	delete(t.saved, t.sheet.Opponent)
	delete(t.heard, t.sheet.Opponent)
	t.sheet, t.haveView, t.listed, t.away = nil, false, -1, false
	t.wait = await{}
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

// moveOn makes every outstanding question stale.
func (t *Table) moveOn() {
	t.gen++
	t.key, t.asked, t.answer, t.sent = sheet.Key{}, false, nil, false
	t.rollAt, t.prompted = time.Time{}, false
}

// do appends a command and, while a match is open, its line for the journal.
func (t *Table) do(due *Due, c protocol.Command) {
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
			due.Notes = append(due.Notes, Note{Kind: NoteSent, Opponent: t.sheet.Opponent, Raw: text, Minor: minor})
		}
		if !minor {
			t.heardOf(t.sheet).board = "" // an equal board proves that the command had no effect
		}
		protocol.EnterSent(t.sheet, c)
	}
	if _, asks := c.(protocol.AskMoves); asks {
		t.listing = false
	}
	t.answers.sent(c)
	due.Send = append(due.Send, c)
}

// expect starts the timer of the one command outstanding.
func (t *Table) expect(what effect, now time.Time) {
	t.wait = await{what: what, until: now.Add(t.opt.Patience), tries: t.wait.tries}
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
func (t *Table) askBoard(due *Due, now time.Time) {
	if t.wait.what == seeBoard && now.Before(t.wait.until) {
		return
	}
	t.do(due, protocol.AskBoard{})
	t.expect(seeBoard, now)
}

// Wake returns the time by which Tick must be called, or zero if nothing is due.
func (t *Table) Wake() time.Time {
	w := time.Time{}
	for _, at := range []time.Time{t.wait.until, t.rollAt, t.nego.until, t.odd.look} {
		if !at.IsZero() && (w.IsZero() || at.Before(w)) {
			w = at
		}
	}
	return w
}

// Tick does what is due at the given time, and repairs what did not happen.
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
		t.odd.look, t.odd.asked = time.Time{}, t.odd.asked+1
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

// suspicion returns after how many requests for the board, while the opponent has to act,
// the table looks for an offer to resign that it did not see. Such an offer may have been
// lost with the last connection until a player acts again, because an open offer stops the
// game. After that it can only be lost by noise.
func (t *Table) suspicion() int {
	if t.resumed {
		return 3
	}
	return 12
}
