package watch

import (
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
)

// news passes the observer's news on, through the judge's queue if there is one.
func (w *Watcher) news(list []Report, now time.Time) {
	for _, n := range list {
		switch n.Topic {
		case Began:
			w.comment.Match()
			w.open(n.Match, now)
		case MatchEnd, BrokenOff:
			w.current = nil
			w.judging++
			w.wait = now.Add(w.opt.Settle)
		}
		if w.queue == nil {
			w.finished(finished{Report: n}, false)
			continue
		}
		w.queue.add(n)
	}
}

// open adds date and ratings to a new match, and opens its file.
func (w *Watcher) open(m *record.Match, now time.Time) {
	m.Date = now.UTC().Format("2006-01-02")
	for i := range m.Players {
		if p, ok := w.chooser.lobby.User(m.Players[i].Name); ok {
			m.Players[i].Rating = formatRating(p.Rating)
		}
	}
	if w.opt.Dir != "" && w.opt.Config.Archive {
		f, err := newFile(w.opt.Dir, w.opt.Me, w.opt.Server, w.opt.Protocol.Name(), m, now)
		if w.failed(err); err == nil {
			w.files[m], w.current = f, f
		}
	}
}

// failed records a failure to write. A full disk fails at every line: the first error is
// kept, and an error equal to the one before is not reported again.
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

// finished handles one piece of news after the judge; speak reports whether comments are
// still possible.
func (w *Watcher) finished(f finished, speak bool) []protocol.Command {
	r, m := f.Report, f.Match
	if f.skipped > 0 {
		w.report(Report{Topic: Note, Match: m, Text: figure.Count(f.skipped, "decision") + " not analysed: the engine is too slow for this match"})
	}
	var texts []string
	switch r.Topic {
	case Judged:
		texts = w.decided(&f)
	case GameEnd:
		r.Summary = analyse.Annotate(m, w.table, analyse.DefaultLimits)
		w.write(m)
		texts = w.comment.GameOver(m, r.Game, r.Summary)
	case MatchEnd, BrokenOff:
		texts = w.matchOver(&r)
	}
	w.report(r)
	if !speak || !w.sure || w.observer == nil || m.Players[0].Name != w.target && m.Players[1].Name != w.target {
		return nil
	}
	return w.say(m, texts)
}

// remark is a comment on a match that the server has not confirmed yet.
type remark struct {
	match *record.Match
	text  string
	at    time.Time
}

// maxUnsaid bounds the remarks that wait for confirmation: some are never sent.
const maxUnsaid = 100

// confirmed reports the remark that the server echoes. Those before it were dropped from the
// send queue.
func (w *Watcher) confirmed(echo string) {
	echo = strings.TrimSpace(echo)
	for i, r := range w.unsaid {
		if echo != "" && strings.HasPrefix(r.text, echo) {
			w.unsaid, w.unheard = w.unsaid[i+1:], false
			w.report(Report{Topic: Said, Match: r.match, Text: r.text})
			return
		}
	}
}

// silenced gives up a channel that the server does not have.
func (w *Watcher) silenced(why string) {
	w.mute, w.unsaid = w.opt.Config.Channel, nil
	w.report(Report{Topic: Note, Text: "no comments: the server has no " + w.mute + " (" + why + ")"})
}

// unconfirmed reports, once, that the server does not confirm our comments.
func (w *Watcher) unconfirmed(now time.Time) {
	if !w.unheard && len(w.unsaid) > 0 && now.Sub(w.unsaid[0].at) >= confirmIn {
		w.unheard = true
		w.report(Report{Topic: Note, Match: w.unsaid[0].match,
			Text: "the server does not confirm comments; it may have no " + w.opt.Config.Channel})
	}
}

// say turns comments on a match into commands.
func (w *Watcher) say(m *record.Match, texts []string) (out []protocol.Command) {
	for _, t := range texts {
		if w.mute == w.opt.Config.Channel {
			return nil
		}
		if t = strings.TrimSpace(w.opt.Protocol.Plain(t)); t == "" {
			continue // all its letters are unknown to the server
		}
		var c protocol.Command = protocol.Whisper{Text: t}
		if w.opt.Config.Channel == ChannelKibitz {
			c = protocol.Kibitz{Text: t}
		}
		if _, err := w.opt.Protocol.Encode(c); err != nil {
			w.silenced(err.Error())
			return out
		}
		if len(w.unsaid) == maxUnsaid {
			w.unsaid = w.unsaid[1:]
		}
		w.unsaid = append(w.unsaid, remark{m, t, w.now})
		out = append(out, c)
	}
	return out
}

// decided keeps the analysis of a decision and returns the comments on it.
func (w *Watcher) decided(f *finished) (texts []string) {
	if v := f.Judgement; f.judged {
		v.Keep(v.Analysis)
		texts = w.comment.Judgement(v)
	} else {
		v.words()
	}
	w.keep(f.Match)
	return texts
}

// matchOver writes a finished or interrupted match for the last time and returns the comments
// on it.
func (w *Watcher) matchOver(r *Report) []string {
	m := r.Match
	r.Summary = analyse.Annotate(m, w.table, analyse.DefaultLimits)
	w.judging--
	w.seen++
	r.Files = w.write(m)
	if f := w.files[m]; f != nil && (r.Files != nil || !WorthKeeping(m)) {
		w.failed(f.end())
	}
	delete(w.files, m)
	if r.Topic == BrokenOff {
		return nil
	}
	return w.comment.MatchOver(m, r.Summary)
}

// keepEvery is the shortest time between two writes of a running match. A killed process
// loses the analyses of that time; the match itself is in the journal.
const keepEvery = 2 * time.Second

// keep writes a running match with its new analyses.
func (w *Watcher) keep(m *record.Match) {
	if f := w.files[m]; f != nil && w.now.Sub(f.wrote) >= keepEvery {
		w.write(m)
	}
}

// write writes the files of a match and returns their paths.
func (w *Watcher) write(m *record.Match) []string {
	f := w.files[m]
	if f == nil || !WorthKeeping(m) {
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
