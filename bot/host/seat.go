package host

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"
	"gopkg.in/natefinch/lumberjack.v2"

	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/ops"
	"fibsbot/bot/policy"
	"fibsbot/bot/quiet"
	"fibsbot/bot/table"
	"fibsbot/bot/watch"
	"fibsbot/config"
	"fibsbot/fibs/clip"
)

// Bounds of what a seat keeps.
const (
	maxLobby   = 20000 // players on line
	maxOrders  = 64
	maxRecent  = 50 // ends of matches kept for each opponent
	saveEvery  = 10 * time.Second
	seekEvery  = 5 * time.Second
	ratingWait = 3 * time.Second // for the who lines after a match

	lastWordsLimit = 10 * time.Second
	lastWordsPoll  = 100 * time.Millisecond
)

// past is what the archive tells about one opponent.
type past struct {
	policy.History
	length int // of the last match
}

// seat is one account with its manners.
type seat struct {
	// What it is made of; not changed after newSeat and the start of run.
	h      *Host
	acct   config.Account
	name   string
	server string
	log    logrus.FieldLogger
	orders chan bot.Order
	memory *memory
	quiet  *quiet.List // who wants no comments, shared through its file

	transcript     *lumberjack.Logger
	transcriptOnce sync.Once

	// Down to dialler only the account's goroutine looks at these.
	who       map[string]clip.Player
	pasts     map[string]*past
	ends      []time.Time // of our matches in the last day
	asking    map[string]*asking
	early     map[string]table.Invitation // that came before the table was settled
	told      map[string]time.Time        // last refusal
	chat      chatLimits
	idle      idleWatch
	sitting   bool // greeted or at least met at the board on this connection
	resumed   map[string]time.Time
	freeAt    time.Time // since when there is nothing to do
	lastAsk   time.Time
	asks      []time.Time // our invitations in the last hour
	seekAt    time.Time
	seekDelay time.Duration
	saveAt    time.Time
	nudged    time.Time
	filings   []waitingJob
	paused    bool
	leaving   bool // asked by an owner, or MaxMatches are played
	wakeAt    time.Time
	finished  int // matches of this run

	watcher     *watch.Watcher // nil unless watching is on
	watched     *config.Config // the configuration the watcher has
	watchAt     time.Time
	watchPaused bool

	lastWords time.Time // until when the goodbye waits for the send queue

	dialler dialFunc // of the last login; nil is a plain one

	// Shared with the engine's goroutine, the filing and those who ask for Status.
	chosen atomic.Pointer[choice]
	dice   atomic.Pointer[index.DiceSum] // counted by the filing
	shown  atomic.Pointer[[]ops.Ended]   // for the dashboard, by the filing
	link   atomic.Pointer[seatLink]

	mu      sync.Mutex
	snap    ops.Account
	notice  time.Time // of a shutdown
	cancel  context.CancelFunc
	playing bool
}

// waitingJob is a finished match whose ratings have not been told yet.
type waitingJob struct {
	job  job
	seen [2]bool // opponent, account
	till time.Time
	// length of the match in points.
	length int
}

func newSeat(h *Host, a config.Account) *seat {
	c := h.opt.Config()
	s := &seat{
		h: h, acct: a, name: a.Name, server: a.Address,
		who: map[string]clip.Player{}, pasts: map[string]*past{}, asking: map[string]*asking{}, early: map[string]table.Invitation{},
		told: map[string]time.Time{}, resumed: map[string]time.Time{}, chat: chatLimits{said: map[string][]time.Time{}},
		orders: make(chan bot.Order, maxOrders), seekDelay: seekEvery,
	}
	if s.server == "" {
		s.server = c.Server.Address
	}
	s.log = h.opt.Log.WithField("account", s.name)
	s.snap = ops.Account{Name: s.name, Server: s.server, State: "waiting"}
	var err error
	if s.memory, err = openMemory(fileOf(c, s.name, s.server, ".json")); err != nil {
		s.log.WithError(err).Error("memory not read")
	}
	if s.quiet, err = quiet.Open(quiet.File(c.Archive.Dir)); err != nil {
		s.log.WithError(err).Error("not all who want no comments are known")
	}
	return s
}

// run runs the account until ctx ends or it is done.
func (s *seat) run(ctx context.Context, db *index.DB) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	s.cancel = cancel
	s.mu.Unlock()
	if s.h.draining.Load() {
		return nil
	}
	c := s.h.opt.Config()
	unlock, err := lock(fileOf(c, s.name, s.server, ".lock"))
	if err != nil {
		return err
	}
	defer unlock()
	if s.transcript = newTranscript(c, s.name); s.transcript != nil {
		defer s.transcript.Close()
	}
	if err := s.loadPast(ctx, db); err != nil {
		return err
	}
	opt := s.h.opt.Table
	opt.NoResume, opt.Mend = true, true
	if opt.Patience == 0 && opt.Answer == 0 {
		opt.Answer = c.Matchmaking.Timeout.Std()
	}
	if s.h.opt.DryRun {
		// Nothing that is kept back has an effect: do not repair it.
		opt.Patience = 24 * time.Hour
	}
	acc := &bot.Account{
		Name: s.name, Dial: s.dial, Decider: s, Policy: bot.Range{}, Table: opt,
		Archive: archive.Options{Dir: c.Archive.Dir, Server: s.server, NoSync: s.h.opt.NoSync},
		Pace:    s.pace, Log: s.h.opt.Log,
		Step: s.step, Wake: func() time.Time { return s.wakeAt }, Orders: s.orders,
		Observe: s.observe, Waits: s.waits, Ended: s.ended, Hold: s.hold, Recovered: s.recovered,
	}
	defer func() {
		s.stopWatching(time.Now())
		s.flush(true, time.Now())
		if e := s.memory.save(); e != nil {
			s.log.WithError(e).Error("memory not saved")
		}
		s.connected(false)
		s.state("stopped", "")
	}()
	return acc.Run(ctx)
}

// loadPast reads what the index knows of this account's opponents.
func (s *seat) loadPast(ctx context.Context, db *index.DB) error {
	err := db.List(ctx, index.Filter{Account: s.name}, func(m *index.Match) error {
		end := m.Finished
		if end.IsZero() {
			end = m.Started
		}
		s.remember(m.Opponent, m.Length, m.Result < 0, m.Result != 0, end)
		return nil
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("read index: %w", err)
	}
	return nil
}

// remember counts a match.
func (s *seat) remember(opponent string, length int, theyWon, finished bool, end time.Time) {
	p := s.pasts[opponent]
	if p == nil {
		p = &past{}
		s.pasts[opponent] = p
	}
	if finished {
		p.Finished++
	}
	if theyWon {
		p.Won++
	}
	if p.length == 0 || len(p.Recent) == 0 || end.After(p.Recent[len(p.Recent)-1]) {
		p.length = length
	}
	if p.Recent = append(p.Recent, end); len(p.Recent) > maxRecent {
		p.Recent = p.Recent[1:]
	}
	if time.Since(end) < 48*time.Hour {
		s.ends = append(s.ends, end)
	}
}

// past is what the archive and the memory know of an opponent.
func (s *seat) past(opponent string) policy.History {
	var h policy.History
	if p := s.pasts[opponent]; p != nil {
		h = p.History
	}
	h.Dropped = s.memory.get(opponent).Dropped
	return h
}

// today counts our matches since midnight, and forgets older ones.
func (s *seat) today(now time.Time) int {
	y, m, d := now.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	kept := s.ends[:0]
	for _, at := range s.ends {
		if !at.Before(midnight) {
			kept = append(kept, at)
		}
	}
	s.ends = kept
	return len(kept)
}

// me is what the server says of the account.
func (s *seat) me() policy.Player { return playerOf(s.name, s.who[s.name]) }

func playerOf(name string, w clip.Player) policy.Player {
	return policy.Player{Name: name, Rating: w.Rating, Experience: w.Experience}
}

// step is the account's hook: it sees what is due before it is done.
func (s *seat) step(t *table.Table, due *table.Due, ev *clip.Event, now time.Time) {
	if ev != nil {
		s.heard(t, due, ev, now)
	}
	for _, n := range due.Notes {
		switch n.Kind {
		case table.NoteOpen:
			s.opened(due, n, ev, now)
		case table.NoteSaved:
			s.interrupted(n.Opponent, ev, now)
		case table.NoteDiscard:
			s.memory.change(n.Opponent, now, func(p *person) { p.Preset, p.Level, p.SavedAt = "", 0, time.Time{} })
		}
	}
	if due.Over != nil && s.sitting {
		s.tellAll(due, due.Over.Opponent, s.h.opt.Config().Manners.Farewell)
	}
	if s.h.opt.DryRun {
		for _, inv := range due.Invitations {
			s.dryInvitation(t, inv, now)
		}
		due.Invitations = nil
	}
	s.wakeAt = time.Time{}
	s.receive(t, due, now)
	s.decideAsked(t, due, now)
	s.watchIdle(t, due, now)
	s.seek(t, due, now)
	s.spectate(t, due, ev, now)
	s.flush(false, now)
	if now.After(s.saveAt) {
		s.saveAt = now.Add(saveEvery)
		if err := s.memory.save(); err != nil {
			s.log.WithError(err).Error("memory not saved")
		}
	}
	s.finishDrain(t, due, ev, now)
}

// wake asks for a step at that time.
func (s *seat) wake(at time.Time) {
	if !at.IsZero() && (s.wakeAt.IsZero() || at.Before(s.wakeAt)) {
		s.wakeAt = at
	}
}

// merge adds what a call of the table made due.
func merge(due *table.Due, more table.Due) {
	due.Notes = append(due.Notes, more.Notes...)
	due.Send = append(due.Send, more.Send...)
	if more.Ask != nil {
		due.Ask = more.Ask
	}
	if more.Over != nil {
		due.Over = more.Over
	}
	if more.Reconnect != "" {
		due.Reconnect = more.Reconnect
	}
}

// heard takes one line of the server.
func (s *seat) heard(t *table.Table, due *table.Due, ev *clip.Event, now time.Time) {
	s.h.opt.Metrics.Line(s.name, now)
	switch ev.Kind {
	case clip.Unknown:
		s.h.opt.Metrics.Unknown(s.name)
	case clip.PlayerLine:
		if ev.Player == nil {
			return
		}
		name := ev.Player.Name
		if _, known := s.who[name]; known || len(s.who) < maxLobby || name == s.name {
			s.who[name] = *ev.Player
		}
		if name == s.name {
			s.h.opt.Metrics.Rating(s.name, ev.Player.Rating)
		}
		s.rated(name, *ev.Player)
		if ev.Player.Available() && t.SavedWith(name) {
			s.seekAt = now // somebody to go on with: do not wait for the next look
		}
	case clip.LogsOut:
		delete(s.who, ev.Name)
		delete(s.asking, ev.Name)
		delete(s.early, ev.Name)
	case clip.SavedCount:
		s.answered(ev.Name, func(a *asking) { a.saved, a.needSaved = ev.Count, false })
	case clip.Says:
		if !s.reputation(ev) {
			s.spokenTo(t, due, policy.Tell, ev.Name, ev.Text, now)
		}
	case clip.Kibitzes:
		s.spokenTo(t, due, policy.Kibitz, ev.Name, ev.Text, now)
	case clip.Attention:
		s.mu.Lock()
		s.notice = now
		s.mu.Unlock()
	}
}

// opened handles a match that begins or goes on.
func (s *seat) opened(due *table.Due, n table.Note, ev *clip.Event, now time.Time) {
	met := ev != nil && (ev.Kind == clip.MatchBegins || ev.Kind == clip.MatchResumes || ev.Kind == clip.BoardLine)
	if !met {
		return // only the end of a match is being asked for
	}
	s.sitting = true
	s.choose(n.Opponent, n.Length, n.Resumed, now)
	if err := s.memory.save(); err != nil {
		s.log.WithError(err).Error("memory not saved")
	}
	m := &s.h.opt.Config().Manners
	if n.Resumed {
		s.memory.change(n.Opponent, now, func(p *person) { p.AskedAt = time.Time{} }) // whatever we asked, it is answered
		if last, again := s.resumed[n.Opponent]; !again || now.Sub(last) > resumeQuiet {
			if len(s.resumed) > 1000 {
				clear(s.resumed)
			}
			s.resumed[n.Opponent] = now
			s.tellAll(due, n.Opponent, m.Resume)
		}
		return
	}
	day := now.Format("2006-01-02")
	if s.memory.get(n.Opponent).Greeted != day {
		s.memory.change(n.Opponent, now, func(p *person) { p.Greeted = day })
		s.tellAll(due, n.Opponent, m.Greeting)
	}
}

// resumeQuiet is the least time between two welcomes to the same opponent: on a
// bad line matches are resumed every minute.
const resumeQuiet = 10 * time.Minute

// interrupted handles a match that the server saved.
func (s *seat) interrupted(opponent string, ev *clip.Event, now time.Time) {
	s.sitting = false
	s.h.opt.Metrics.Match(s.name, "saved")
	left := ev != nil && ev.Kind == clip.GameSaved && ev.Name == opponent
	// Whom we have left, because he did not move or had changed the match length
	// under our hands, is not called back at once.
	ours := ev != nil && ev.Kind == clip.GameSaved && ev.IsYou() && ev.Cause == clip.CauseLeft
	s.memory.change(opponent, now, func(p *person) {
		p.SavedAt = now
		if ours {
			p.LeftAt = now
		}
		if left {
			p.Dropped++
			p.LeftAt = time.Time{}
			if ev.Cause == clip.CauseLeft || ev.Cause == clip.CauseLogout {
				p.LeftAt = now
			}
		}
	})
}

// observe sees what was done: matches that ended, and the state for status.
func (s *seat) observe(m bot.Moment) {
	if m.Over != nil {
		s.over(m.Over, m.Filed, m.At)
	}
	s.mu.Lock()
	if m.Event != nil {
		s.snap.LastLine = m.At
	}
	s.playing = m.Table != nil
	if s.snap.Connected {
		s.snap.State = "ready"
	}
	s.snap.Opponent, s.snap.Match, s.snap.Board, s.snap.Preset = "", "", "", ""
	if m.Table != nil {
		s.snap.State, s.snap.Opponent = "playing", m.Table.Opponent
		s.snap.Match = matchWords(m.Table)
		if p, ok := m.Table.Position(); ok {
			s.snap.Board = p.ID()
		}
		if ch := s.chosen.Load(); ch != nil {
			s.snap.Preset = ch.preset.Name
		}
	}
	s.snap.Rating = s.who[s.name].Rating
	s.mu.Unlock()
	if l := s.link.Load(); l != nil {
		s.h.opt.Metrics.Queue(s.name, l.Waiting())
	}
	if m.Over != nil {
		s.h.changed()
	}
}

// matchWords is the score as status shows it.
func matchWords(sh *table.Sheet) string {
	if sh.Length <= 0 {
		return fmt.Sprintf("%d-%d, unlimited", sh.Score[table.Us], sh.Score[table.Them])
	}
	return fmt.Sprintf("%d-%d in %d points", sh.Score[table.Us], sh.Score[table.Them], sh.Length)
}

// over books a finished match.
func (s *seat) over(sh *table.Sheet, files []string, now time.Time) {
	won := sh.Winner == table.Us
	result := "lost"
	if won {
		result = "won"
	}
	s.h.opt.Metrics.Match(s.name, result)
	s.remember(sh.Opponent, max(0, sh.Length), !won, true, now)
	if s.finished++; s.h.opt.MaxMatches > 0 && s.finished >= s.h.opt.MaxMatches {
		s.leaving = true
		s.order(func(*table.Table, time.Time) table.Due { return table.Due{} })
	}
	ch := s.chosen.Load()
	s.memory.change(sh.Opponent, now, func(p *person) {
		p.Preset, p.Level, p.SavedAt, p.LeftAt = "", 0, time.Time{}, time.Time{}
		p.Dropped = max(0, p.Dropped-1)
		p.Last = lastWords(sh, now)
	})
	meta := index.Meta{Account: s.name, Server: s.server, Finished: now.UTC()}
	if ch != nil && ch.opponent == sh.Opponent {
		meta.Preset = ch.preset.Name
	}
	s.chosen.Store(nil)
	s.sitting = false
	s.mu.Lock()
	s.snap.Finished++
	if won {
		s.snap.Won++
	}
	s.mu.Unlock()
	if len(files) > 0 {
		s.filings = append(s.filings, waitingJob{till: now.Add(ratingWait), length: sh.Length,
			job: job{files: files, meta: meta, seat: s, them: sh.Opponent}})
	}
}

func lastWords(sh *table.Sheet, now time.Time) string {
	who := "you won"
	if sh.Winner == table.Us {
		who = "I won"
	}
	length := "unlimited"
	if sh.Length > 0 {
		length = fmt.Sprintf("%d-point", sh.Length)
	}
	return fmt.Sprintf("Our last match (%s, %s): %s %d-%d.", length, now.UTC().Format("2006-01-02 15:04 UTC"), who,
		max(sh.Score[0], sh.Score[1]), min(sh.Score[0], sh.Score[1]))
}

// recovered books a match that had ended before a crash.
func (s *seat) recovered(sh *table.Sheet, files []string) {
	now := time.Now()
	s.remember(sh.Opponent, max(0, sh.Length), sh.Winner == table.Them, sh.Over, now)
	s.h.files.add(job{files: files, them: sh.Opponent, meta: index.Meta{Account: s.name, Server: s.server, Finished: now.UTC()}})
}

// rated notes a who line for the matches whose ratings are waited for.
func (s *seat) rated(name string, w clip.Player) {
	for i := range s.filings {
		f := &s.filings[i]
		switch name {
		case f.job.them:
			f.job.meta.RatingAfter[0], f.seen[0] = w.Rating, true
		case s.name:
			f.job.meta.RatingAfter[1], f.seen[1] = w.Rating, true
		}
	}
}

// flush hands the matches over whose ratings are told, or have been waited for
// long enough.
func (s *seat) flush(all bool, now time.Time) {
	kept := s.filings[:0]
	for _, f := range s.filings {
		if all || f.seen == [2]bool{true, true} || !now.Before(f.till) {
			if f.seen[1] {
				s.learn(f.job.meta.RatingAfter[1], f.length)
			}
			s.h.files.add(f.job)
			continue
		}
		s.wake(f.till)
		kept = append(kept, f)
	}
	s.filings = kept
}

// waits are the reconnection times in force.
func (s *seat) waits() bot.Backoff {
	r := s.h.opt.Config().Server.Reconnect
	// Backoff takes 0 for its default; here it means none.
	return bot.Backoff{Min: r.Min.Std(), Max: r.Max.Std(), Kicked: r.Kicked.Std(), Jitter: max(r.Jitter, 1e-9)}
}

// ended notes why the account is off line.
func (s *seat) ended(cause bot.Cause, text string, wait time.Duration) {
	s.h.opt.Metrics.Reconnect(s.name, string(cause))
	s.sitting = false
	s.stopWatching(time.Now())
	clear(s.who)
	clear(s.asking)
	clear(s.early)
	s.mu.Lock()
	s.snap.State, s.snap.Connected = "waiting", false
	s.snap.Waiting = fmt.Sprintf("%s; next try at %s", text, time.Now().Add(wait).Format("15:04:05"))
	s.playing = false
	cancel, drain := s.cancel, s.h.draining.Load()
	s.mu.Unlock()
	if drain && cancel != nil {
		cancel() // nothing to come back for
	}
	s.h.changed()
}

// connected notes whether the account is logged in.
func (s *seat) connected(yes bool) {
	s.h.opt.Metrics.Connected(s.name, yes)
	s.mu.Lock()
	s.snap.Connected = yes
	if yes {
		s.snap.State, s.snap.Waiting = "ready", ""
	}
	s.mu.Unlock()
	s.h.changed()
}

func (s *seat) state(state, waiting string) {
	s.mu.Lock()
	if s.snap.State != "stopped" || s.snap.Error == "" {
		s.snap.State, s.snap.Waiting = state, waiting
	}
	s.mu.Unlock()
}

// fail notes the error that ended the account.
func (s *seat) fail(err error) {
	s.mu.Lock()
	s.snap.State, s.snap.Error = "stopped", err.Error()
	s.mu.Unlock()
}

func (s *seat) status() ops.Account {
	s.mu.Lock()
	a := s.snap
	s.mu.Unlock()
	if l := s.link.Load(); l != nil {
		a.Queue = l.Waiting()
	}
	return a
}

// order hands something to the account's goroutine; it is dropped when the
// account is too busy or off line.
func (s *seat) order(o bot.Order) {
	select {
	case s.orders <- o:
	default:
	}
}

// going tells whether the seat is to end as soon as it may: the host is leaving,
// or this account alone.
func (s *seat) going() bool { return s.leaving || s.h.draining.Load() }

// drain tells the seat that the host is leaving.
func (s *seat) drain() {
	s.mu.Lock()
	cancel, idle := s.cancel, !s.snap.Connected
	s.mu.Unlock()
	if idle && cancel != nil {
		cancel()
		return
	}
	s.order(func(*table.Table, time.Time) table.Due { return table.Due{} })
}

// finishDrain ends the account when what it had to finish is finished.
func (s *seat) finishDrain(t *table.Table, due *table.Due, ev *clip.Event, now time.Time) {
	if !s.going() {
		return
	}
	// Whoever invited us and was joined believes to be playing already.
	done := !t.Playing() && !t.SittingDown()
	switch s.h.opt.Config().Operations.Drain {
	case "now":
		done = true
	case "game":
		done = done || ev != nil && ev.Kind == clip.JoinNext
	}
	if !done {
		return
	}
	// The goodbye comes from the account; nothing new is begun before it.
	due.Send = slices.DeleteFunc(due.Send, func(c clip.Command) bool {
		switch c.(type) {
		case clip.Join, clip.Invite:
			return true
		}
		return false
	})
	if s.lastWords.IsZero() {
		s.lastWords = now.Add(lastWordsLimit)
	}
	l := s.link.Load()
	if l != nil && len(due.Send)+l.Waiting() > 0 && now.Before(s.lastWords) {
		s.wake(now.Add(lastWordsPoll)) // the farewell is still on its way
		return
	}
	s.mu.Lock()
	cancel := s.cancel
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}
