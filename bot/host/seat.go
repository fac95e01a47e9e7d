package host

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/internal/accountview"
	"fibsbot/bot/ops"
	"fibsbot/bot/policy"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/internal/panics"
)

// Bounds of what a seat keeps.
const (
	maxOrders  = 64
	maxRecent  = 50   // ends of matches kept for each opponent
	maxRecall  = 1000 // players whose last refusal or welcome is remembered
	saveEvery  = 10 * time.Second
	seekEvery  = 5 * time.Second
	ratingWait = 3 * time.Second // for the who lines after a match
)

// account is the identity of a seat; it does not change after newSeat.
type account struct {
	config.Account
	name   string
	server string
	proto  protocol.Protocol
	label  string // in the metrics: the name, with the server if several accounts have that name
	log    logrus.FieldLogger
}

// seat is one account and its behaviour; it connects the parts below.
type seat struct {
	account
	h      *Host
	orders chan bot.Order

	// Files in the archive's folder.
	memory     *memory
	transcript *transcript // nil if none is kept
	unlock     func()      // releases the lock of claim; nil before and after

	// Owned by the account's goroutine.
	password   string          // of the last login
	refusedAt  time.Time       // the first refusal since the last login, zero without one
	lobby      *protocol.Lobby // players online, kept by the table
	history    history
	received   received
	inviter    inviter
	answers    lastMinute // to players who speak to us
	refusals   lastMinute
	lately     lately
	sitter     sitter
	spectator  spectator
	stay       stay
	alarm      alarm
	ratingSide int // of the rating bounds under notify: -1 below, 1 above

	// Shared with the engine's goroutine, the filing and callers of Status.
	presence *presence
	shown    accountview.View // what pages show
	chosen   atomic.Pointer[choice]
	link     atomic.Pointer[seatLink]
	first    atomic.Pointer[float64] // our first rating from the server, before any match of this process
	rated    atomic.Bool             // it was compared with the last match of the archive
	filed    filed
}

// filed holds what the filing has counted for an account.
type filed struct {
	dice atomic.Pointer[index.DiceSum]
	// For pages: the last matches, and the record of the archive.
	ended  atomic.Pointer[[]ops.Ended]
	record atomic.Pointer[ops.Record]
}

func newSeat(h *Host, a config.Account, proto protocol.Protocol) *seat {
	c := h.opt.Config()
	s := &seat{
		account: account{Account: a, name: a.Name, server: a.Address, proto: proto},
		h:       h, orders: make(chan bot.Order, maxOrders),
		lobby: protocol.NewLobby(a.Name), received: received{asking: map[string]*asking{}}, inviter: inviter{delay: seekEvery}, lately: lately{}, sitter: newSitter(),
	}
	if s.server == "" {
		s.server = c.Server.Address
	}
	s.label = s.name
	s.log = h.opt.Log.WithField("account", s.name)
	if namesakes(c, s.name) {
		s.label = s.name + "@" + s.server
		s.log = s.log.WithField("server", s.server)
	}
	s.presence = newPresence(s.name, s.server)
	s.transcript = newTranscript(c, s.name, s.server, s.notTranscribed)
	var err error
	if s.memory, err = openMemory(fileOf(c.Archive.Dir, s.name, s.server, ".json")); err != nil {
		s.log.WithError(err).Error("opponents of earlier matches not read")
	}
	return s
}

// namesakes reports whether the configuration has more than one account of that name.
func namesakes(c *config.Config, name string) bool {
	n := 0
	for _, a := range c.Accounts {
		if !a.Disabled && a.Name == name {
			n++
		}
	}
	return n > 1
}

// claim takes the account's lock, unless it is taken already.
func (s *seat) claim(c *config.Config) error {
	if s.unlock != nil {
		return nil
	}
	unlock, err := Lock(c.Archive.Dir, s.name, s.server)
	if err != nil {
		return err
	}
	s.unlock = unlock
	return nil
}

// release gives the account's lock back.
func (s *seat) release() {
	if s.unlock != nil {
		s.unlock()
		s.unlock = nil
	}
}

// named returns err with the name of the account.
func (s *seat) named(err error) error {
	return fmt.Errorf("account %s on %s: %w", s.name, s.server, err)
}

// guarded calls run. A panic that bot.Account does not handle ends only this account.
func (s *seat) guarded(ctx context.Context, db *index.Keeper) (err error) {
	defer func() {
		var fault *panics.Fault
		if errors.As(err, &fault) {
			s.log.WithField("stack", string(fault.Stack)).Error(fault.Error())
		}
	}()
	defer panics.Recover(&err)
	return s.run(ctx, db)
}

// run runs the account until ctx ends or it is done.
func (s *seat) run(ctx context.Context, db *index.Keeper) error {
	defer s.release()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.presence.runs(cancel)
	if s.h.draining.Load() {
		return nil
	}
	c := s.h.opt.Config()
	if err := s.claim(c); err != nil {
		return err
	}
	defer s.transcript.close()
	if err := s.history.load(ctx, db, s.name, s.server); err != nil {
		// It is read again when the index has caught up.
		s.log.WithError(err).Warn("index not read: earlier matches with opponents are not known for now")
	}
	opt := s.h.opt.Table
	opt.Mend, opt.Lobby = true, s.lobby
	if opt.Patience == 0 && opt.Answer == 0 {
		opt.Answer = c.Matchmaking.Timeout.Std()
	}
	if s.h.opt.DryRun {
		// Commands that are not sent have no effect: do not repair that.
		opt.Patience = 24 * time.Hour
	}
	acc := &bot.Account{
		Name: s.name, Protocol: s.proto, Dial: s.dial, Decider: s, Conduct: s, Table: opt,
		Archive: archive.Options{Dir: c.Archive.Dir, Server: s.server, NoSync: s.h.opt.NoSync, Before: s.h.before},
		Talk:    s.talk, Mask: s.h.secrets.mask,
		Pace: s.pace, Orders: s.orders, Log: s.log,
	}
	defer func() {
		s.stopWatching(time.Now())
		s.flush(true, time.Now())
		if e := s.memory.save(); e != nil {
			s.log.WithError(e).Error("state of opponents not saved")
		}
		s.connected(false)
		s.presence.enters(stopped)
	}()
	return acc.Run(ctx)
}

// me returns what the server says about the account.
func (s *seat) me() policy.Player { return playerOf(s.name, s.lobby.Me()) }

func playerOf(name string, w protocol.User) policy.Player {
	return policy.Player{Name: name, Rating: w.Rating, Experience: w.Experience, Client: w.Client}
}

// Step implements bot.Conduct.
func (s *seat) Step(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) (wake time.Time) {
	if ev != nil {
		s.heard(t, due, ev, now)
	}
	if sh := due.Over; sh != nil { // counts for invitations that were waiting for the end
		s.history.add(pastMatch{opponent: sh.Opponent, length: max(0, sh.Length), theyWon: sh.Winner == sheet.Them, finished: true, end: now}, now)
	}
	for _, n := range due.Notes {
		switch n.Kind {
		case table.NoteOpen:
			s.opened(t, due, n, ev, now)
		case table.NoteSaved:
			s.interrupted(n.Opponent, ev, now)
		case table.NoteDiscard:
			s.sitter.leaves(n.Opponent, s.ends(n.Opponent, now)) // for the files, if anything was played
			s.memory.change(n.Opponent, now, func(p *person) { p.Preset, p.Level, p.SavedAt = "", 0, time.Time{} })
		}
	}
	if due.Over != nil && s.sitter.here && s.courteous("farewell", due.Over.Opponent, now) {
		s.tellAll(due, due.Over.Opponent, s.h.opt.Config().Manners.Farewell, now)
	}
	if due.Failed != nil {
		s.explainFailure(due, due.Failed, now)
	}
	if s.h.opt.DryRun {
		for _, inv := range due.Invitations {
			s.dryInvitation(t, inv, now)
		}
		due.Invitations = nil
	}
	s.alarm = alarm{}
	s.receive(t, due, now)
	s.decideAsked(t, due, now)
	s.watchIdle(t, due, now)
	s.offerRematch(t, due, now)
	s.seekOpponent(t, due, now)
	s.spectate(t, due, ev, now)
	s.showDue(due, now)
	s.flush(false, now)
	s.saveMemory(now)
	s.boundUnlimited(t, due, now)
	s.finishDrain(t, due, ev, now)
	return s.alarm.at
}

// saveMemory saves the memory from time to time.
func (s *seat) saveMemory(now time.Time) {
	wake, err := s.memory.saveDue(now)
	s.alarm.set(wake)
	if err != nil {
		s.log.WithError(err).Error("state of opponents not saved")
	}
}

// notTranscribed counts a line that the transcript lacks.
func (s *seat) notTranscribed(err error, first bool) {
	s.h.opt.Metrics.Transcript.WithLabelValues(s.label).Inc()
	if first {
		s.log.WithError(err).Error("transcript not written")
	}
}

// past returns what the archive and the memory know about an opponent.
func (s *seat) past(opponent string) policy.History {
	h := s.history.with(opponent)
	h.Dropped = s.memory.get(opponent).Marks[policy.Drops].N
	return h
}

// Told implements bot.Conduct.
func (s *seat) Told(n bot.News) {
	switch n := n.(type) {
	case bot.Observation:
		s.observe(n)
	case bot.LateFile:
		s.filedLate(n)
	case bot.JournalState:
		s.journal(n)
	}
}

// heard handles one line of the server.
func (s *seat) heard(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) {
	s.h.opt.Metrics.Line.WithLabelValues(s.label).Set(float64(now.UnixMilli()) / 1000)
	s.shown.Heard(ev, now)
	switch ev.Kind {
	case protocol.Unknown:
		s.h.opt.Metrics.Unknown.WithLabelValues(s.label).Inc()
	case protocol.UserInfo:
		if ev.User == nil {
			return
		}
		name := ev.User.Name
		if name == s.name {
			s.h.opt.Metrics.Rating.WithLabelValues(s.label).Set(ev.User.Rating)
			s.reportRating(ev.User.Rating)
			if s.first.Load() == nil && s.stay.finished == 0 && ev.User.Rating > 0 {
				rating := ev.User.Rating
				s.first.Store(&rating)
			}
		}
		ended := "" // the opponent of a match whose end is being checked
		if sh := t.Sheet(); sh != nil && sh.Over {
			ended = sh.Opponent
		}
		s.sitter.rated(name, name == s.name, ev.User.Rating, ended)
		if ev.User.Available() && t.SavedWith(name) {
			s.inviter.seekAt = now // a saved match can be resumed: search at once
		}
	case protocol.LogsOut:
		s.received.forget(ev.Name)
		s.dropFacts(ev.Name)
	case protocol.Invited, protocol.InvitedResume:
		s.inviter.asked = ""
	case protocol.NoSuchPlayer:
		s.dropFacts(ev.Name)
		if s.inviter.takeMissed(ev.Name) {
			// He left before the invitation arrived: he may be invited once he is back.
			s.memory.change(ev.Name, now, func(p *person) {
				p.AskedAt = time.Time{}
				p.Mark(askMark(t.SavedWith(ev.Name)), -1, now)
			})
		}
	case protocol.SavedCount:
		s.received.enterFact(ev.Name, func(a *asking) { a.saved, a.needSaved = ev.Count, false })
	case protocol.Says:
		if !s.reputation(ev) {
			s.reportComplaint(ev)
			s.spokenTo(t, due, policy.Tell, ev.Name, ev.Text, now)
		}
	case protocol.Kibitzes:
		s.spokenTo(t, due, policy.Kibitz, ev.Name, ev.Text, now)
	case protocol.Ending:
		if ev.Ends != protocol.CauseShutdown {
			return
		}
		s.presence.noticed(now)
	}
}

// Waits implements bot.Conduct with the reconnection times in force.
func (s *seat) Waits() bot.Backoff { return Waits(s.h.opt.Config()) }

// Waits returns the waits between two connections of a configuration.
func Waits(c *config.Config) bot.Backoff {
	r := c.Server.Reconnect
	// A zero Jitter means the default in a Backoff, but no jitter in the configuration.
	return bot.Backoff{Min: r.Min.Std(), Max: r.Max.Std(), Kicked: r.Kicked.Std(), Jitter: max(r.Jitter, 1e-9)}
}
