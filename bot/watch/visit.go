package watch

import (
	"time"

	"fibsbot/bot/protocol"
)

// begun handles the server's confirmation that we watch name.
func (w *Watcher) begun(name string, now time.Time) []protocol.Command {
	if w.sure && w.target == name {
		return nil
	}
	if w.observer != nil {
		w.news(w.observer.Leave(), now)
	}
	w.target, w.sure = name, true
	w.observer = newObserver(name, w.opt.Server, w.opt.Protocol.Rules())
	w.boardAt = now
	w.report(Report{Topic: Watching, Text: name})
	if w.chooser.Playing(name) {
		// Some servers show no board until the next roll.
		return []protocol.Command{protocol.AskBoard{}}
	}
	return nil
}

// ended handles the end of watching a player.
func (w *Watcher) ended(now time.Time) {
	if w.observer != nil {
		w.news(w.observer.Leave(), now)
	}
	w.observer, w.target, w.sure, w.wait = nil, "", false, now.Add(w.opt.Settle)
}

// leave stops watching.
func (w *Watcher) leave(now time.Time) []protocol.Command {
	if w.target == "" {
		return nil
	}
	w.ended(now)
	return []protocol.Command{protocol.Unwatch{}}
}

// Pause stops watching until Resume: the account has a match of its own.
func (w *Watcher) Pause(now time.Time) []protocol.Command {
	w.paused = true
	return w.leave(now)
}

// Resume lets the watcher choose again.
func (w *Watcher) Resume(now time.Time) { w.paused = false }

// Wake returns when to call Step if nothing happens.
func (w *Watcher) Wake(now time.Time) time.Time {
	if w.paused {
		return now.Add(whoGap)
	}
	if w.target == "" || !w.sure {
		next := w.wait
		if w.target != "" {
			next = w.wait.Add(answerIn)
		}
		if next.After(now) {
			return next
		}
	}
	return now.Add(5 * time.Second)
}

// Step does what is due without a line of the server: it takes judgements from the judge,
// chooses whom to watch, and asks for missing boards and lists.
func (w *Watcher) Step(now time.Time) []protocol.Command {
	w.now = now
	var out []protocol.Command
	if w.queue != nil {
		for _, f := range w.queue.take() {
			out = append(out, w.finished(f, true)...)
		}
	}
	w.unconfirmed(now)
	if w.paused {
		return out
	}
	if w.observer != nil && now.Sub(w.boardAt) >= boardGap && w.observer.NeedsBoard() {
		w.boardAt = now
		out = append(out, protocol.AskBoard{})
	}
	return append(out, w.choose(now)...)
}

// choose changes to another player if necessary.
func (w *Watcher) choose(now time.Time) []protocol.Command {
	switch {
	case now.Before(w.wait):
		return nil
	case w.target != "" && !w.sure:
		if now.Sub(w.wait) < answerIn {
			return nil
		}
		w.chooser.skip(w.target, now) // the server did not answer
		w.target = ""
	case w.sure && w.observer.Opponent() != "":
		if !w.chooser.May(w.target, w.observer.Opponent(), now) {
			return w.leave(now)
		}
		return nil // a match is watched to its end
	case w.sure && w.chooser.Playing(w.target) && now.Sub(w.boardAt) < answerIn:
		return nil // its first board is on the way
	case w.judging > 0 && now.Sub(w.wait) < judgeIn:
		return nil // comment on its result before we leave
	}
	name, ok := w.chooser.Next(now)
	if ok && name == w.target {
		return nil
	}
	if !ok || w.sure && !w.chooser.Playing(name) {
		if w.sure && !w.chooser.May(w.target, "", now) {
			return w.leave(now)
		}
		if now.Sub(w.whoAt) < whoGap {
			return nil
		}
		w.whoAt = now
		return []protocol.Command{protocol.AskUsers{}}
	}
	if w.observer != nil {
		w.news(w.observer.Leave(), now)
	}
	w.observer, w.target, w.sure, w.wait = nil, name, false, now
	return []protocol.Command{protocol.Watch{Name: name}}
}
