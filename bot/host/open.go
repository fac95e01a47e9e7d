package host

import (
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/policy"
	"fibsbot/bot/table"
	"fibsbot/config"
)

// Servers where matches are opened for any player: when to open one, who may stay, and
// whether to offer a rematch.

// open opens a match if the policy allows it now, and otherwise returns why not.
func (s *seat) open(t *table.Table, due *table.Due, c *config.Config, l policy.Lobby, now time.Time) policy.Silence {
	length, why := policy.NextOpen(c, l)
	if !c.Matchmaking.Enabled {
		why.Text = "" // matchmaking is off
	}
	if why.Rules != "" {
		return why
	}
	password := c.Matchmaking.Password.Reveal()
	s.log.WithFields(logrus.Fields{"length": length, "private": password != ""}).Info("opening a match")
	s.inviter.record(now)
	if !s.h.opt.DryRun {
		due.Add(t.Open(length, password))
	}
	return why
}

// judgeJoined judges the player who has joined our match, by the rules for invitations. Before the
// first roll leaving the match has no consequences.
func (s *seat) judgeJoined(t *table.Table, due *table.Due, opponent string, length int, now time.Time) (stays bool) {
	if s.going() {
		s.log.WithField("opponent", opponent).Info("player joined while leaving")
	}
	inv := table.Invitation{From: opponent, Length: length}
	v := s.judgeWhile(t, s.h.opt.Config(), &asking{inv: inv, saved: -1}, false, now)
	s.countAnswer(v, now)
	s.log.WithFields(logrus.Fields{"opponent": opponent, "length": length, "accept": v.Accept, "rule": v.Rule}).Info("player joined")
	if v.Accept || s.h.opt.DryRun {
		return true
	}
	due.Send = nil // no roll
	s.tell(due, opponent, v.Say)
	due.Add(t.Leave(now))
	return false
}

// offerRematch offers the opponent of the match just finished a rematch if the rules would accept
// him; otherwise the table leaves soon.
func (s *seat) offerRematch(t *table.Table, due *table.Due, now time.Time) {
	opponent, ok := t.Parted()
	if !ok {
		s.inviter.offered = ""
		return
	}
	if due.Over != nil {
		s.alarm.set(now) // first record the match, which counts for the limits
		return
	}
	c := s.h.opt.Config()
	if s.inviter.offered == opponent || !s.proto.Rules().Opens || !c.Invitations.Rematch || s.stay.paused.Load() || s.going() || s.h.opt.DryRun {
		return
	}
	s.inviter.offered = opponent // offer once, whatever the answer
	inv := table.Invitation{From: opponent, Length: s.history.lastLength(opponent)}
	v := s.judge(t, c, &asking{inv: inv, saved: -1}, now)
	if _, why := policy.NextOpen(c, policy.Lobby{Now: now, MatchesToday: s.history.today(now)}); !v.Accept || why.Rules != "" {
		s.log.WithFields(logrus.Fields{"opponent": opponent, "rule": v.Rule}).Info("no rematch")
		return
	}
	s.log.WithFields(logrus.Fields{"opponent": opponent, "length": inv.Length}).Info("offering a rematch")
	due.Add(t.Rematch(now))
}
