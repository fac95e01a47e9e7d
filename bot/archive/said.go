package archive

import (
	"time"
	"unicode/utf8"

	"fibsbot/bot/table"
	"fibsbot/internal/sanitize"
)

// Bounds of chat in bytes, as others decide how much they say.
const (
	maxSaid      = 400       // of a line, with the name of the speaker
	maxSaidGame  = 8 << 10   // of a game
	maxSaidMatch = 128 << 10 // of a match
)

// saidTooMuch replaces chat beyond the bounds.
const saidTooMuch = "(more was said than is kept)"

// talk counts the chat of a match.
type talk struct {
	game  int // the last game with chat
	bytes int // in that game
	all   int
	full  bool // saidTooMuch was added in this game
}

// add counts a line and returns what to write: the line, saidTooMuch once a game, or nothing.
func (t *talk) add(game int, text string) string {
	if game != t.game {
		t.game, t.bytes, t.full = game, 0, false
	}
	switch {
	case t.full:
		return ""
	case text == saidTooMuch, t.bytes+len(text) > maxSaidGame, t.all+len(text) > maxSaidMatch:
		t.full = true
		return saidTooMuch
	}
	t.bytes += len(text)
	t.all += len(text)
	return text
}

// talkOf counts the chat in a journal.
func talkOf(entries []entry) (t talk) {
	for i := range entries {
		if entries[i].Kind == kindSaid {
			t.add(entries[i].Game, entries[i].Raw)
		}
	}
	return t
}

// said writes a line of chat within the bounds.
func (j *Journal) said(n table.Note, at time.Time) error {
	b := j.current
	if b == nil || j.isFull(n.Opponent, at) {
		return nil
	}
	text := b.talk.add(n.Game, clipped(n.Raw))
	if text == "" {
		return nil
	}
	return j.append(b, entry{Kind: kindSaid, At: at, Raw: text, Game: n.Game})
}

// clipped sanitizes a line of chat and truncates it to maxSaid bytes.
func clipped(text string) string {
	text = sanitize.Text(text[:min(len(text), 2*maxSaid)])
	if len(text) <= maxSaid {
		return text
	}
	end := maxSaid - len("…")
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
