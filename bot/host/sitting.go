package host

import (
	"fmt"
	"slices"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/notify"
	"fibsbot/bot/policy"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/config"
)

// opened handles a match that begins or is resumed.
func (s *seat) opened(t *table.Table, due *table.Due, n table.Note, ev *protocol.Event, now time.Time) {
	met := ev != nil && (ev.Kind == protocol.MatchBegins || ev.Kind == protocol.MatchResumes || ev.Kind == protocol.BoardLine || ev.Kind == protocol.OpponentGone)
	if !met || n.Next {
		return // only the end of a match is being checked, or the match continues
	}
	s.sitter.here, s.sitter.after = true, [2]float64{}
	s.choose(n.Opponent, n.Length, n.Resumed, now)
	if err := s.memory.save(); err != nil {
		s.log.WithError(err).Error("state of opponents not saved")
	}
	m := &s.h.opt.Config().Manners
	// Our invitation is answered, and an opponent who had left is back.
	s.memory.change(n.Opponent, now, func(p *person) {
		p.AskedAt, p.LeftAt = time.Time{}, time.Time{}
		p.Clear(policy.Ignored, policy.Refused)
	})
	if n.Resumed {
		if s.courteous("welcome", n.Opponent, now) {
			s.tellAll(due, n.Opponent, m.Resume, now)
		}
		return
	}
	if slices.ContainsFunc(due.Send, func(c protocol.Command) bool { _, leaves := c.(protocol.Leave); return leaves }) {
		return // leaving at once: not the match that was agreed on
	}
	if s.proto.Rules().Opens && !s.judgeJoined(t, due, n.Opponent, n.Length, now) {
		s.sitter.here = false
		return
	}
	s.sitter.endless = endless{}
	s.reportBegin(n.Opponent, n.Length)
	s.sitter.begins(n.Opponent, now)
	day := now.Format("2006-01-02")
	if s.memory.get(n.Opponent).Greeted != day {
		s.memory.change(n.Opponent, now, func(p *person) { p.Greeted = day })
		s.tellAll(due, n.Opponent, m.Greeting, now)
	}
}

// courtesyQuiet is the shortest time between two welcomes, or two farewells, to the same
// opponent.
const courtesyQuiet = 10 * time.Minute

// courteous reports whether to say a courtesy to an opponent again: over a bad connection matches
// are resumed every minute, and short matches end as fast.
func (s *seat) courteous(courtesy, opponent string, now time.Time) bool {
	return s.lately.once(courtesy+" "+opponent, courtesyQuiet, now)
}

// interrupted handles a match that the server saved.
func (s *seat) interrupted(opponent string, ev *protocol.Event, now time.Time) {
	s.sitter.here = false
	s.h.opt.Metrics.Matches.WithLabelValues(s.label, "saved").Inc()
	left := ev != nil && ev.Kind == protocol.MatchSaved && ev.Name == opponent
	// An opponent whom we left, because he was idle or had changed the match length, is not
	// invited again at once.
	ours := ev != nil && ev.Kind == protocol.MatchSaved && ev.IsYou() && ev.Left == protocol.LeftMatch
	if e := &s.sitter.endless; ours && e.last {
		*e = endless{}
		s.history.add(pastMatch{opponent: opponent, length: policy.Unlimited, end: now}, now)
		s.stay.played(s.h.opt.MaxMatches) // an unlimited match has no other end
		s.poke()
	}
	s.memory.change(opponent, now, func(p *person) {
		p.SavedAt = now
		if ours {
			p.LeftAt = now
		}
		if left {
			p.Mark(policy.Drops, 1, now)
			p.LeftAt = time.Time{}
			if ev.Left == protocol.LeftMatch || ev.Left == protocol.LeftServer {
				p.LeftAt = now
			}
		}
	})
}

// over records a finished match.
func (s *seat) over(sh *sheet.Sheet, filed []archive.Filed, now time.Time) {
	won := sh.Winner == sheet.Us
	result := "lost"
	if won {
		result = "won"
	}
	s.h.opt.Metrics.Matches.WithLabelValues(s.label, result).Inc()
	s.stay.played(s.h.opt.MaxMatches)
	s.poke() // to leave, or to wait for the ratings
	meta := s.ends(sh.Opponent, now)
	meta.RatingAfter, s.sitter.after = s.sitter.after, [2]float64{}
	seen := [2]bool{meta.RatingAfter[0] > 0, meta.RatingAfter[1] > 0}
	s.memory.change(sh.Opponent, now, func(p *person) {
		p.Preset, p.Level, p.SavedAt, p.LeftAt = "", 0, time.Time{}, time.Time{}
		switch g := sh.Last(); {
		case won && g != nil && g.Forfeit:
			p.Mark(policy.Drops, 1, now) // he left the match
		case resignedAtOnce(sh):
			p.Mark(policy.Resigned, 1, now)
		default:
			for _, m := range []policy.Mark{policy.Drops, policy.Stalls, policy.Resigned} {
				p.Mark(m, -1, now)
			}
		}
		p.Last = lastWords(s.h.opt.Config(), sh, now)
	})
	s.chosen.Store(nil)
	s.sitter.here = false
	s.presence.finished(won)
	ending := &job{meta: meta, them: sh.Opponent, ended: sh}
	for _, f := range filed {
		s.sitter.filings = append(s.sitter.filings, waitingJob{till: now.Add(ratingWait), length: sh.Length, seen: seen,
			job: job{files: f.Files, match: f.Match, meta: meta, seat: s, them: sh.Opponent, ended: ending.ended}})
		ending.ended = nil
	}
	s.reportMatch(ending, nil) // without files there is no analysis
	if len(filed) == 0 {
		s.sitter.leaves(sh.Opponent, meta) // the files may be written later
	}
}

// atOnce is the most plays of the opponent in a match that he resigned at once.
const atOnce = 2

// resignedAtOnce reports whether the opponent gave a match up before it was played.
func resignedAtOnce(sh *sheet.Sheet) bool {
	plays, resigned := 0, true
	for _, g := range sh.Games {
		resigned = resigned && g.Resigned && g.Winner == sheet.Us
		for _, a := range g.Acts {
			if a.Kind == sheet.ActPlayed && a.Side == sheet.Them {
				plays++
			}
		}
	}
	return resigned && len(sh.Games) > 0 && plays <= atOnce
}

// ends returns the facts about the match with opponent, which ends now, that a match file
// cannot hold.
func (s *seat) ends(opponent string, now time.Time) index.Meta {
	meta := index.Meta{Account: s.name, Server: s.server, Started: startedBy(s.sitter.began[opponent], now), Finished: now.UTC()}
	delete(s.sitter.began, opponent)
	if ch := s.chosen.Load(); ch != nil && ch.opponent == opponent {
		meta.Preset = ch.preset.Name
	}
	return meta
}

func lastWords(c *config.Config, sh *sheet.Sheet, now time.Time) string {
	length := c.T("unlimited")
	if sh.Length > 0 {
		length = c.T("{0}-point", sh.Length)
	}
	at, high, low := now.UTC().Format("2006-01-02 15:04 UTC"), max(sh.Score[0], sh.Score[1]), min(sh.Score[0], sh.Score[1])
	if sh.Winner == sheet.Us {
		return c.T("Our last match ({0}, {1}): I won {2}-{3}.", length, at, high, low)
	}
	return c.T("Our last match ({0}, {1}): you won {2}-{3}.", length, at, high, low)
}

// filedLate hands over a match that was filed apart from its end.
func (s *seat) filedLate(n bot.LateFile) {
	sh, now := n.Sheet, time.Now()
	meta, ok := s.sitter.found(sh.Opponent)
	if !ok {
		meta = index.Meta{Account: s.name, Server: s.server, Finished: now.UTC()}
	}
	if !n.Late { // otherwise it was counted at its end
		s.history.add(pastMatch{opponent: sh.Opponent, length: max(0, sh.Length), theyWon: sh.Winner == sheet.Them, finished: sh.Over, end: now}, now)
	}
	s.h.files.add(job{files: n.Files, match: n.Match, them: sh.Opponent, meta: meta})
}

// journal handles a failure to write the journals, and its end.
func (s *seat) journal(state bot.JournalState) {
	err, unfiled := state.Err, state.Unfiled
	s.h.opt.Metrics.Journal(s.label, err == nil, unfiled)
	if s.presence.journals(err) {
		s.shown.Trouble("The journal cannot be written: "+err.Error(), time.Now())
		s.tellOperator(notify.ArchiveFailed, "", fmt.Sprintf("%s cannot write its journal, so it does not play: %v", s.name, err), map[string]any{"unfiled": unfiled})
	}
	s.h.changed()
}

// waitingJob is a finished match that waits for its ratings.
type waitingJob struct {
	job  job
	seen [2]bool // opponent, account
	till time.Time
	// length of the match in points.
	length int
}

// flush hands over the matches whose ratings have come or are late.
func (s *seat) flush(all bool, now time.Time) {
	list, wake := s.sitter.ready(all, now)
	for _, f := range list {
		if f.seen[1] {
			s.learn(f.job.meta.RatingAfter[1], f.length)
		}
		s.h.files.add(f.job)
	}
	s.alarm.set(wake)
}
