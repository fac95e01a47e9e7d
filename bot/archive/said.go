package archive

import (
	"time"
	"unicode/utf8"

	"fibsbot/bot/table"
	"fibsbot/internal/sanitize"
)

// What is kept of talk is bounded by its line, its game and its match: others decide
// how much they say.
const (
	maxSaid      = 400       // bytes of a line, the name of who said it included
	maxSaidGame  = 8 << 10   // of a game
	maxSaidMatch = 128 << 10 // of a match, which may have any number of games
)

// saidTooMuch stands where talk is left out from then on.
const saidTooMuch = "(more was said than is kept)"

// talk counts what was said in a match.
type talk struct {
	game  int // the last in which something was said
	bytes int // in it
	all   int
	full  bool // the words that say so stand in this game
}

// add counts a line and says what to write down: the line, or once in a game the words
// for too much, or nothing.
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

// talkOf counts what a journal holds of talk already.
func talkOf(entries []entry) (t talk) {
	for i := range entries {
		if entries[i].Kind == kindSaid {
			t.add(entries[i].Game, entries[i].Raw)
		}
	}
	return t
}

// said writes down what somebody said, as far as there is room for talk.
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

// clipped is a line of talk, harmless to who reads it and no longer than is kept.
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
