package host

import (
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/policy"
	"fibsbot/bot/table"
	"fibsbot/config"
)

// Servers on which a match is opened for whoever comes: when one is opened, who may
// stay, and whether the opponent is offered another.

// open opens a match when the policy finds the time right, and returns why not.
func (s *seat) open(t *table.Table, due *table.Due, c *config.Config, l policy.Lobby, now time.Time) policy.Silence {
	length, why := policy.NextOpen(c, l)
	if !c.Matchmaking.Enabled {
		why.Text = "" // no one is waited for
	}
	if why.Rules != "" {
		return why
	}
	password := c.Matchmaking.Password.Reveal()
	s.log.WithFields(logrus.Fields{"length": length, "private": password != ""}).Info("opening a match")
	s.inviter.count(now)
	if !s.h.opt.DryRun {
		due.Add(t.Open(length, password))
	}
	return why
}

// came judges who has joined our match, by the rules for invitations. Before the first
// roll the match can be left without harm.
func (s *seat) came(t *table.Table, due *table.Due, opponent string, length int, now time.Time) (stays bool) {
	if s.going() {
		s.log.WithField("opponent", opponent).Info("somebody came while we leave")
	}
	inv := table.Invitation{From: opponent, Length: length}
	v := s.judgeWhile(t, s.h.opt.Config(), &asking{inv: inv, saved: -1}, false, now)
	s.h.opt.Metrics.Invitation(s.label, v.Rule, v.Accept)
	s.log.WithFields(logrus.Fields{"opponent": opponent, "length": length, "accept": v.Accept, "rule": v.Rule}).Info("somebody joined")
	if v.Accept || s.h.opt.DryRun {
		return true
	}
	due.Send = nil // no roll
	s.tell(due, opponent, v.Say)
	due.Add(t.Leave(now))
	return false
}

// again offers the opponent of the match just finished another, where the rules would
// accept him; otherwise the table leaves in a moment.
func (s *seat) again(t *table.Table, due *table.Due, now time.Time) {
	opponent, ok := t.Parted()
	if !ok {
		s.inviter.offered = ""
		return
	}
	if due.Over != nil {
		s.alarm.set(now) // the match is booked first: it counts for the limits
		return
	}
	c := s.h.opt.Config()
	if s.inviter.offered == opponent || !s.proto.Rules().Opens || !c.Invitations.Rematch || s.stay.paused || s.going() || s.h.opt.DryRun {
		return
	}
	s.inviter.offered = opponent // asked once, whatever the answer
	inv := table.Invitation{From: opponent, Length: s.history.lastLength(opponent)}
	v := s.judge(t, c, &asking{inv: inv, saved: -1}, now)
	if _, why := policy.NextOpen(c, policy.Lobby{Now: now, MatchesToday: s.history.today(now)}); !v.Accept || why.Rules != "" {
		s.log.WithFields(logrus.Fields{"opponent": opponent, "rule": v.Rule}).Info("no rematch")
		return
	}
	s.log.WithFields(logrus.Fields{"opponent": opponent, "length": inv.Length}).Info("offering a rematch")
	due.Add(t.Rematch(now))
}
