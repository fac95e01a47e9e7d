package host

import (
	"regexp"
	"strings"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/ops"
	"fibsbot/bot/policy"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/internal/sanitize"
)

const (
	// maxAsking bounds the invitations that wait for facts.
	maxAsking = 50
	// savedWait is the longest wait for the server's count of saved matches.
	savedWait = 8 * time.Second
	// refusalQuiet is the shortest time between two refusals for the same reason to one
	// player. All refusals to a player are bounded by manners.per_minute, those to all players
	// together by maxRefusals in that time.
	refusalQuiet = time.Minute
	maxRefusals  = 60
)

// asking is an invitation that waits for facts about the inviter.
type asking struct {
	inv       table.Invitation
	till      time.Time
	saved     int // -1 if unknown
	needSaved bool
	standing  *int // the reputation, or nil if unknown
	needRep   bool
	queued    bool // nothing has been asked yet, because the send queue is full
}

// receive takes the due invitations, the oldest first. They wait while the table is finding out
// how its matches ended, and while it joins another player.
func (s *seat) receive(t *table.Table, due *table.Due, now time.Time) {
	list := append(s.received.takePostponed(), due.Invitations...)
	due.Invitations = nil
	for _, inv := range list {
		if t.CatchingUp() || !t.Takes(inv.From) {
			s.received.postpone(inv)
			continue
		}
		s.invited(t, due, inv, now)
	}
}

// invited judges an invitation, or asks for the missing facts.
func (s *seat) invited(t *table.Table, due *table.Due, inv table.Invitation, now time.Time) {
	c := s.h.opt.Config()
	a := &asking{inv: inv, saved: -1}
	v := s.judge(t, c, a, now)
	if v.Accept && v.Rule == policy.NoObjection {
		a.needSaved = c.Opponents.MaxSaved > 0
		a.needRep = c.Opponents.RepBot.Name != ""
	}
	if !a.needSaved && !a.needRep {
		// A player has one invitation: this one has replaced an older one whose facts are
		// still awaited.
		delete(s.received.asking, inv.From)
		s.applyVerdict(t, due, inv, v, now)
		return
	}
	if a = s.received.gather(a, now); a != nil {
		s.ask(due, a, now)
	}
}

// askLimit is how long an inviter may wait before his facts are asked for. maxQueued is the
// length of the send queue above which nothing more is asked: many inviters at once must not
// delay plays.
const (
	askLimit  = 30 * time.Second
	maxQueued = 8
)

// ask asks the server for the facts missing for an invitation, once there is room in the send
// queue.
func (s *seat) ask(due *table.Due, a *asking, now time.Time) {
	waiting := len(due.Send)
	if l := s.link.Load(); l != nil {
		waiting += l.Waiting()
	}
	if waiting >= maxQueued {
		s.alarm.set(now.Add(askAgain))
		return
	}
	c := s.h.opt.Config()
	a.queued, a.till = false, now
	if a.needSaved {
		a.till = now.Add(savedWait)
		due.Send = append(due.Send, protocol.AskSavedCount{Name: a.inv.From})
	}
	if a.needRep {
		if till := now.Add(c.Opponents.RepBot.Wait.Std()); till.After(a.till) {
			a.till = till
		}
		due.Send = append(due.Send, protocol.Tell{Name: c.Opponents.RepBot.Name, Text: "ask " + a.inv.From})
	}
}

// askAgain is the time until the next check for room in the send queue.
const askAgain = 250 * time.Millisecond

// judge asks the policy.
func (s *seat) judge(t *table.Table, c *config.Config, a *asking, now time.Time) policy.Verdict {
	return s.judgeWhile(t, c, a, t.Playing(), now)
}

func (s *seat) judgeWhile(t *table.Table, c *config.Config, a *asking, playing bool, now time.Time) policy.Verdict {
	inv := a.inv
	asked := policy.Invite{From: inv.From, Length: inv.Length, Resume: inv.Resume}
	if inv.Resume {
		asked.Length = 0 // it has no meaning
	}
	if s.stay.paused.Load() && !inv.Resume {
		return policy.Verdict{Rule: "manners.owners", Say: policy.Refusal(c, s.name, asked, c.Invitations.Say.Paused)}
	}
	them, known := s.lobby.User(inv.From)
	return policy.Consider(c, asked, policy.Facts{
		Now: now, Me: s.me(), Them: playerOf(inv.From, them), Known: known,
		SavedCount: a.saved, SavedWithUs: t.Unfinished(inv.From) && !s.replaces(t, c, inv), Void: t.Void(inv.From), Untouched: untouched(t, inv.From), Reputation: a.standing, Standing: s.memory.get(inv.From).Standing,
		History: s.past(inv.From), MatchesToday: s.history.today(now),
		Playing: playing, Draining: s.going(),
		Blocked: s.h.blocks.list(c.Opponents.BlockFile, now), Listed: s.h.listed.Has(c.Opponents.BlockURL, inv.From),
	})
}

// replaces reports whether an invitation to a new match may erase the saved one: the bot left that
// before its first move, because its length was never agreed on and is not one that it plays.
func (s *seat) replaces(t *table.Table, c *config.Config, inv table.Invitation) bool {
	return !inv.Resume && policy.Unwanted(c, untouched(t, inv.From))
}

// explainFailure tells a player why his invitation could not be accepted.
func (s *seat) explainFailure(due *table.Due, f *table.Failed, now time.Time) {
	c := s.h.opt.Config()
	say := policy.Refusal(c, s.name, policy.Invite{From: f.With}, c.Invitations.Say.Void)
	if f.Why != "" {
		say = c.T("The server did not let us play: {0}", sanitize.Text(f.Why))
	}
	s.log.WithFields(logrus.Fields{"opponent": f.With, "why": f.Why}).Warn("invitation could not be accepted")
	s.refuse(due, f.With, say, now)
}

// refuse tells an inviter the reason why he is refused, unless he has just been told.
func (s *seat) refuse(due *table.Due, name, say string, now time.Time) {
	c := s.h.opt.Config()
	if !s.isBot(name) && s.refusals.refuse(name, say, c.Manners.PerMinute, now) {
		s.tell(due, name, say)
	}
}

// untouched returns policy.Facts.Untouched.
func untouched(t *table.Table, name string) *int {
	n, ok := t.Untouched(name)
	if !ok {
		return nil
	}
	return &n
}

// applyVerdict passes a verdict to the table and the inviter.
func (s *seat) applyVerdict(t *table.Table, due *table.Due, inv table.Invitation, v policy.Verdict, now time.Time) {
	s.countAnswer(v, now)
	s.log.WithFields(logrus.Fields{"opponent": inv.From, "length": inv.Length, "resume": inv.Resume,
		"accept": v.Accept, "rule": v.Rule}).Info("invitation")
	them, _ := s.lobby.User(inv.From)
	s.shown.AddInvitation(ops.Invitation{At: now, From: inv.From, Rating: them.Rating, Length: inv.Length, Resume: inv.Resume,
		Accepted: v.Accept, Rule: v.Rule, Said: v.Say})
	if v.Accept {
		inv.Replace = s.replaces(t, s.h.opt.Config(), inv)
		due.Add(t.Accept(inv, now))
		return
	}
	s.refuse(due, inv.From, v.Say, now)
}

// countAnswer counts an invitation.
func (s *seat) countAnswer(v policy.Verdict, now time.Time) {
	s.h.opt.Metrics.Invitations.WithLabelValues(s.label, v.Rule, ops.YesNo(v.Accept)).Inc()
	s.memory.answered(v.Rule, v.Accept, now)
}

// decideAsked judges the invitations whose facts have come or are late.
func (s *seat) decideAsked(t *table.Table, due *table.Due, now time.Time) {
	for name, a := range s.received.asking {
		if a.queued && now.Before(a.till) {
			s.ask(due, a, now)
		}
		if (a.needSaved || a.needRep) && now.Before(a.till) {
			s.alarm.set(a.till)
			continue
		}
		if !t.Takes(name) {
			continue
		}
		delete(s.received.asking, name)
		s.applyVerdict(t, due, a.inv, s.judge(t, s.h.opt.Config(), a, now), now)
	}
}

// dryInvitation logs what the answer would have been.
func (s *seat) dryInvitation(t *table.Table, inv table.Invitation, now time.Time) {
	v := s.judge(t, s.h.opt.Config(), &asking{inv: inv, saved: -1}, now)
	s.log.WithFields(logrus.Fields{"opponent": inv.From, "length": inv.Length, "resume": inv.Resume,
		"accept": v.Accept, "rule": v.Rule, "say": v.Say}).Info("dry run: invitation")
}

// The answers of the reputation bot. RepBotNG says "bob's reputation is 120 (GOOD)", and
// "User bob has no complainers or vouchers" for players it does not know. The whole name must
// match: bob and bobby may wait at the same time.
var (
	standing = regexp.MustCompile(`^(\w+)'s reputation is (-?\d+)`)
	unrated  = regexp.MustCompile(`^User (\w+) has no `)
)

// reputation reads the answer of the reputation bot, and reports whether the text came from
// it.
func (s *seat) reputation(ev *protocol.Event) bool {
	bot := s.h.opt.Config().Opponents.RepBot.Name
	if bot == "" || !strings.EqualFold(ev.Name, bot) {
		return false
	}
	s.received.enterReputation(ev.Text)
	return true
}

// dropFacts ends the wait for facts from or about a player who is offline.
func (s *seat) dropFacts(name string) {
	s.received.enterFact(name, func(a *asking) { a.needSaved = false })
	if bot := s.h.opt.Config().Opponents.RepBot.Name; bot != "" && strings.EqualFold(name, bot) {
		for _, a := range s.received.asking {
			a.needRep = false
		}
	}
}

// seekOpponent invites a player if the policy allows it, and otherwise records why not.
func (s *seat) seekOpponent(t *table.Table, due *table.Due, now time.Time) {
	v := &s.inviter
	yes, wake := v.maySeek(t.Free(), len(s.received.asking) > 0, s.h.random, now)
	s.alarm.set(wake)
	if !yes {
		return
	}
	c := s.h.opt.Config()
	opens := s.proto.Rules().Opens
	if !opens && !c.Saved.Auto && !c.Matchmaking.Enabled {
		s.invitesNoOne(policy.Silence{}, now)
		return
	}
	l := policy.Lobby{Now: now, Me: s.me(), IdleSince: v.freeAt, Spread: v.spread, LastAsk: v.lastAsk, AsksHour: v.inLastHour(now), Draining: s.going(),
		Blocked: s.h.blocks.list(c.Opponents.BlockFile, now), MatchesToday: s.history.today(now)}
	if s.stay.paused.Load() {
		s.invitesNoOne(policy.Silence{Rules: "paused", Text: "paused by order"}, now)
		return
	}
	if opens {
		s.invitesNoOne(s.open(t, due, c, l, now), now)
		return
	}
	for name, w := range s.lobby.All() {
		saved := t.SavedWith(name)
		if name == s.name || !saved && !c.Matchmaking.Enabled {
			continue
		}
		p := s.memory.get(name)
		if saved && policy.Unwanted(c, untouched(t, name)) {
			continue
		}
		l.Players = append(l.Players, policy.Lobbyist{
			Player: playerOf(name, w), Ready: w.Ready, Away: w.Away, Playing: w.Opponent != "",
			Idle:   time.Duration(w.Idle) * time.Second,
			Listed: s.h.listed.Has(c.Opponents.BlockURL, name), Saved: saved, SavedAt: p.SavedAt, LeftAt: p.LeftAt, AskedAt: p.AskedAt,
			Length: s.history.lastLength(name), History: s.past(name), Standing: p.Standing,
		})
	}
	ask, why := nextInvite(c, l)
	if !c.Matchmaking.Enabled {
		why.Text = "" // matchmaking is off
	}
	s.invitesNoOne(why, now)
	if why.Rules != "" {
		return
	}
	s.log.WithFields(logrus.Fields{"opponent": ask.Name, "length": ask.Length, "resume": ask.Resume, "rule": ask.Rule}).Info("inviting")
	if s.h.opt.DryRun {
		if !ask.Resume {
			v.record(now)
		}
		return
	}
	s.invite(t, due, ask.Name, ask.Length, now)
}

// invite invites a player to a match of length points, or to resume the saved one.
func (s *seat) invite(t *table.Table, due *table.Due, name string, length int, now time.Time) {
	if !t.SavedWith(name) {
		s.inviter.record(now)
	}
	s.inviter.asked = name
	s.memory.change(name, now, func(p *person) {
		p.AskedAt = now
		p.Mark(askMark(t.SavedWith(name)), 1, now) // until a match begins
	})
	due.Add(t.Invite(name, length, now))
}

// askMark returns the mark of a request of ours that is not answered.
func askMark(resume bool) policy.Mark {
	if resume {
		return policy.Ignored
	}
	return policy.Refused
}

// silentFor is the shortest time between two log lines for one reason to invite no one.
const silentFor = time.Hour

// invitesNoOne shows why no one is invited, and logs each reason at most once an hour.
// Without a Text it shows nothing.
func (s *seat) invitesNoOne(why policy.Silence, now time.Time) {
	s.presence.invitesNoOne(why.Text)
	if why.Text != "" && s.lately.once("no one: "+why.Rules, silentFor, now) {
		s.log.WithFields(logrus.Fields{"rule": why.Rules, "why": why.Text}).Info("no one is invited")
	}
}

// nextInvite calls policy.NextInvite without the gap between invitations for players with a
// saved match: they wait for us and are invited at once after an outage. The gap protects
// only the rest of the lobby.
func nextInvite(c *config.Config, l policy.Lobby) (policy.Ask, policy.Silence) {
	waiting := l
	waiting.LastAsk, waiting.Players = time.Time{}, nil
	for _, p := range l.Players {
		if p.Saved {
			waiting.Players = append(waiting.Players, p)
		}
	}
	if len(waiting.Players) > 0 {
		if ask, why := policy.NextInvite(c, waiting); why.Rules == "" {
			return ask, why
		}
	}
	return policy.NextInvite(c, l)
}
