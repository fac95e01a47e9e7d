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
)

// opened handles a match that begins or goes on.
func (s *seat) opened(t *table.Table, due *table.Due, n table.Note, ev *protocol.Event, now time.Time) {
	met := ev != nil && (ev.Kind == protocol.MatchBegins || ev.Kind == protocol.MatchResumes || ev.Kind == protocol.BoardLine || ev.Kind == protocol.OpponentGone)
	if !met || n.Next {
		return // only the end of a match is being asked for, or the match goes on
	}
	s.sitter.here, s.sitter.after = true, [2]float64{}
	s.choose(n.Opponent, n.Length, n.Resumed, now)
	if err := s.memory.save(); err != nil {
		s.log.WithError(err).Error("memory not saved")
	}
	m := &s.h.opt.Config().Manners
	// Whatever we asked, it is answered; and whoever had left is back: what ends
	// this sitting tells anew whether he left.
	s.memory.change(n.Opponent, now, func(p *person) { p.AskedAt, p.LeftAt = time.Time{}, time.Time{} })
	if n.Resumed {
		if s.sitter.welcomes(n.Opponent, now) {
			s.tellAll(due, n.Opponent, m.Resume, now)
		}
		return
	}
	if slices.ContainsFunc(due.Send, func(c protocol.Command) bool { _, leaves := c.(protocol.Leave); return leaves }) {
		return // at once, for it is not the match that was agreed on
	}
	if s.proto.Rules().Opens && !s.came(t, due, n.Opponent, n.Length, now) {
		s.sitter.here = false
		return
	}
	s.sitter.endless = endless{}
	s.begun(n.Opponent, n.Length)
	s.sitter.begins(n.Opponent, now)
	day := now.Format("2006-01-02")
	if s.memory.get(n.Opponent).Greeted != day {
		s.memory.change(n.Opponent, now, func(p *person) { p.Greeted = day })
		s.tellAll(due, n.Opponent, m.Greeting, now)
	}
}

// resumeQuiet is the least time between two welcomes to the same opponent: on a
// bad line matches are resumed every minute.
const resumeQuiet = 10 * time.Minute

// interrupted handles a match that the server saved.
func (s *seat) interrupted(opponent string, ev *protocol.Event, now time.Time) {
	s.sitter.here = false
	s.h.opt.Metrics.Match(s.label, "saved")
	left := ev != nil && ev.Kind == protocol.MatchSaved && ev.Name == opponent
	// Whom we have left, because he did not move or had changed the match length
	// under our hands, is not called back at once.
	ours := ev != nil && ev.Kind == protocol.MatchSaved && ev.IsYou() && ev.Left == protocol.LeftMatch
	if e := &s.sitter.endless; ours && e.last {
		*e = endless{}
		s.history.add(pastMatch{opponent: opponent, length: policy.Unlimited, end: now}, now)
		s.stay.played(s.h.opt.MaxMatches) // it has no other end
		s.poke()
	}
	s.memory.change(opponent, now, func(p *person) {
		p.SavedAt = now
		if ours {
			p.LeftAt = now
		}
		if left {
			p.Dropped++
			p.LeftAt = time.Time{}
			if ev.Left == protocol.LeftMatch || ev.Left == protocol.LeftServer {
				p.LeftAt = now
			}
		}
	})
}

// over books a finished match.
func (s *seat) over(sh *sheet.Sheet, filed []archive.Filed, now time.Time) {
	won := sh.Winner == sheet.Us
	result := "lost"
	if won {
		result = "won"
	}
	s.h.opt.Metrics.Match(s.label, result)
	s.history.add(pastMatch{opponent: sh.Opponent, length: max(0, sh.Length), theyWon: !won, finished: true, end: now}, time.Now())
	s.stay.played(s.h.opt.MaxMatches)
	s.poke() // to leave, or for the ratings that are waited for
	meta := s.ends(sh.Opponent, now)
	meta.RatingAfter, s.sitter.after = s.sitter.after, [2]float64{}
	seen := [2]bool{meta.RatingAfter[0] > 0, meta.RatingAfter[1] > 0}
	s.memory.change(sh.Opponent, now, func(p *person) {
		p.Preset, p.Level, p.SavedAt, p.LeftAt = "", 0, time.Time{}, time.Time{}
		if g := sh.Last(); won && g.Forfeit {
			p.Dropped++ // he has left it
		} else {
			p.Dropped = max(0, p.Dropped-1)
		}
		p.Last = lastWords(sh, now)
	})
	s.chosen.Store(nil)
	s.sitter.here = false
	s.presence.finished(won)
	ending := &job{meta: meta, them: sh.Opponent, result: resultOf(sh)}
	for _, f := range filed {
		s.sitter.filings = append(s.sitter.filings, waitingJob{till: now.Add(ratingWait), length: sh.Length, seen: seen,
			job: job{files: f.Files, match: f.Match, meta: meta, seat: s, them: sh.Opponent, result: ending.result}})
		ending.result = nil
	}
	s.matchTold(ending, nil) // where nothing is filed, there will be no analysis
	if len(filed) == 0 {
		s.sitter.leaves(sh.Opponent, meta) // for the files, should they be written later
	}
}

// ends returns what a match file cannot hold of the match with opponent that ends now.
func (s *seat) ends(opponent string, now time.Time) index.Meta {
	meta := index.Meta{Account: s.name, Server: s.server, Started: startedBy(s.sitter.began[opponent], now), Finished: now.UTC()}
	delete(s.sitter.began, opponent)
	if ch := s.chosen.Load(); ch != nil && ch.opponent == opponent {
		meta.Preset = ch.preset.Name
	}
	return meta
}

func lastWords(sh *sheet.Sheet, now time.Time) string {
	who := "you won"
	if sh.Winner == sheet.Us {
		who = "I won"
	}
	length := "unlimited"
	if sh.Length > 0 {
		length = fmt.Sprintf("%d-point", sh.Length)
	}
	return fmt.Sprintf("Our last match (%s, %s): %s %d-%d.", length, now.UTC().Format("2006-01-02 15:04 UTC"), who,
		max(sh.Score[0], sh.Score[1]), min(sh.Score[0], sh.Score[1]))
}

// filedLate hands a match over whose files have been written only now: one that had
// ended before a crash, or, late, one of this run.
func (s *seat) filedLate(n bot.LateFile) {
	sh, filed, now := n.Sheet, n.Filed, time.Now()
	meta := index.Meta{Account: s.name, Server: s.server, Finished: now.UTC()}
	if !n.Late {
		s.history.add(pastMatch{opponent: sh.Opponent, length: max(0, sh.Length), theyWon: sh.Winner == sheet.Them, finished: sh.Over, end: now}, now)
	} else if m, ok := s.sitter.found(sh.Opponent); ok {
		meta = m
	}
	s.h.files.add(job{files: filed.Files, match: filed.Match, them: sh.Opponent, meta: meta})
}

// filedGone hands a match over that has no end.
func (s *seat) filedGone(n bot.GoneFile) {
	sh := n.Sheet
	s.history.add(pastMatch{opponent: sh.Opponent, length: max(0, sh.Length), end: n.At}, n.At)
	meta, ok := s.sitter.found(sh.Opponent)
	if !ok {
		meta = index.Meta{Account: s.name, Server: s.server, Finished: n.At.UTC()}
	}
	s.h.files.add(job{files: n.Filed.Files, match: n.Filed.Match, them: sh.Opponent, meta: meta})
}

// journal notes that the journals cannot be written, or can again.
func (s *seat) journal(state bot.JournalState) {
	err, unfiled := state.Err, state.Unfiled
	s.h.opt.Metrics.Journal(s.label, err == nil, unfiled)
	if s.presence.journals(err) {
		s.shown.Trouble("The journal cannot be written: "+err.Error(), time.Now())
		s.tellOperator(notify.ArchiveFailed, "", fmt.Sprintf("%s cannot write its journal and does not play: %v", s.name, err), map[string]any{"unfiled": unfiled})
	}
	s.h.changed()
}

// waitingJob is a finished match whose ratings have not been told yet.
type waitingJob struct {
	job  job
	seen [2]bool // opponent, account
	till time.Time
	// length of the match in points.
	length int
}

// flush hands the matches over whose ratings are told, or have been waited for
// long enough.
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
