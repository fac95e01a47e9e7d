package watch

import (
	"time"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/fibs/clip"
)

// news passes on what the observer noticed: to the judge, when there is one.
func (w *Watcher) news(list []News, now time.Time) {
	for _, n := range list {
		switch n.Kind {
		case Opened:
			w.comment.Match()
			w.open(n.Match, now)
		case MatchOver, Stopped:
			w.current = nil
			w.judging++
			w.wait = now.Add(w.opt.Settle)
		}
		if w.bench == nil {
			w.finished(finished{news: n}, false)
			continue
		}
		w.bench.add(n)
	}
}

// open writes down when and by whom a match is played.
func (w *Watcher) open(m *record.Match, now time.Time) {
	m.Date = now.UTC().Format("2006-01-02")
	for i := range m.Players {
		if p, ok := w.chooser.who[m.Players[i].Name]; ok {
			m.Players[i].Rating = formatRating(p.Rating)
		}
	}
	if w.opt.Dir != "" && w.opt.Config.Archive {
		f, err := newFile(w.opt.Dir, w.opt.Me, w.opt.Server, m, now)
		if w.failed(err); err == nil {
			w.files[m], w.current = f, f
		}
	}
}

// failed notes a failure to write. A full disk fails at every line of the server:
// the first one is kept, and what repeats the one before is not reported again.
func (w *Watcher) failed(err error) {
	if err == nil {
		return
	}
	if w.err == nil {
		w.err = err
	}
	if text := err.Error(); text != w.trouble {
		w.trouble = text
		w.report(Report{Topic: Note, Text: text})
	}
}

// finished handles one piece of news after the judge; speak tells whether
// comments may still be made.
func (w *Watcher) finished(f finished, speak bool) (out []clip.Command) {
	m := f.news.Match
	speak = speak && w.sure && w.observer != nil && (m.Players[1].Name == w.target || m.Players[0].Name == w.target)
	say := func(texts []string) {
		for _, t := range texts {
			if !speak {
				return
			}
			w.report(Report{Topic: Said, Match: m, Text: t})
			if w.opt.Config.Channel == ChannelKibitz {
				out = append(out, clip.Kibitz{Text: t})
			} else {
				out = append(out, clip.Whisper{Text: t})
			}
		}
	}
	if f.skipped > 0 {
		w.report(Report{Topic: Note, Match: m, Text: decisions(f.skipped) + " not judged: the engine is too slow for this match"})
	}
	r := Report{Match: m, Game: f.news.Game, Joined: f.news.Joined}
	switch f.news.Kind {
	case Opened:
		r.Topic = Began
	case Gap:
		r.Topic = Missed
	case Decided:
		r.Topic, r.Verdict = Judged, f.verdict
		if r.Verdict == nil {
			r.Verdict = &Verdict{Decision: f.news.Decision}
			r.Verdict.words()
		} else {
			r.Verdict.Keep(r.Verdict.Analysis)
		}
		w.keep(m)
		w.report(r)
		if w.bench != nil {
			say(w.comment.Verdict(r.Verdict))
		}
		return out
	case GameOver:
		r.Topic, r.Summary = GameEnd, analyse.Annotate(m, w.table, analyse.DefaultLimits)
		w.write(m)
		w.report(r)
		if w.bench != nil {
			say(w.comment.GameOver(m, f.news.Game, r.Summary))
		}
		return out
	case MatchOver, Stopped:
		r.Topic, r.Summary = MatchEnd, analyse.Annotate(m, w.table, analyse.DefaultLimits)
		if f.news.Kind == Stopped {
			r.Topic = BrokenOff
		}
		w.judging--
		w.seen++
		r.Files = w.write(m)
		if f := w.files[m]; f != nil && (r.Files != nil || !worthKeeping(m)) {
			w.failed(f.end())
		}
		delete(w.files, m)
		w.report(r)
		if w.bench != nil && f.news.Kind == MatchOver {
			say(w.comment.MatchOver(m, r.Summary))
		}
		return out
	}
	w.report(r)
	return out
}

// keepEvery is the least time between two writings of a match that goes on: a
// killed process loses the analyses of that time, the match itself is in the
// journal.
const keepEvery = 2 * time.Second

// keep writes a running match with what was judged meanwhile.
func (w *Watcher) keep(m *record.Match) {
	if f := w.files[m]; f != nil && w.now.Sub(f.wrote) >= keepEvery {
		w.write(m)
	}
}

// write brings a match to the disk.
func (w *Watcher) write(m *record.Match) []string {
	f := w.files[m]
	if f == nil || !worthKeeping(m) {
		return nil
	}
	f.wrote = w.now
	paths, err := f.write(m)
	w.failed(err)
	return paths
}

func (w *Watcher) report(r Report) {
	if w.opt.Report != nil {
		w.opt.Report(r)
	}
}
