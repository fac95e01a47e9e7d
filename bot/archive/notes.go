package archive

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
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

// kept is a thought with the Position ID of its position.
type kept struct {
	table.Thought
	ID string `json:"id"`
}

// thought encodes a note of the bot's thoughts, or returns false if it cannot.
func thought(n table.Note) (entry, bool) {
	if n.Thought == nil || n.Thought.Analysis == nil && n.Thought.By == "" {
		return entry{}, false
	}
	text, err := json.Marshal(kept{*n.Thought, n.Thought.Position.ID()})
	if err != nil || len(text) > maxEntry*3/4 {
		return entry{}, false // NaN, or too long
	}
	return entry{Kind: kindThought, Thought: text}, true
}

// at identifies a decision of a match.
type at struct {
	game     int
	ask      table.Question
	position string     // its ID
	dice     board.Dice // on AskPlay
	cube     int
	owner    match.Owner
}

// thoughts adds the bot's thoughts to its decisions in m. It skips those that match no
// decision, such as in a hole. The later of two thoughts about one decision counts.
func thoughts(m *record.Match, entries []entry) {
	found := map[at]*table.Thought{}
	for i := range entries {
		if entries[i].Kind != kindThought {
			continue
		}
		var t kept
		if json.Unmarshal(entries[i].Thought, &t) != nil || t.Analysis == nil && t.By == "" {
			continue // no match depends on it
		}
		k := at{game: t.Game, ask: t.Ask, position: t.ID, cube: t.Cube, owner: t.Owner}
		if t.Ask == table.AskPlay {
			k.dice = t.Dice.Sorted()
		}
		found[k] = &t.Thought
	}
	if len(found) == 0 {
		return
	}
	for i := range m.Games {
		for turn := range m.Turns(&m.Games[i]) {
			if turn.Player != int(sheet.Us) || !turn.Legal {
				continue
			}
			k := at{game: i + 1, position: turn.Position.ID(), cube: max(1, turn.State.Cube), owner: turn.State.Owner}
			out := &record.Analysis{Played: -1, Own: true}
			note := func(t *table.Thought) {
				switch {
				case t == nil:
					return
				case t.Analysis == nil:
				case t.Ask == table.AskPlay:
					out.Candidates, out.Played = plays(&turn, t.Analysis.Candidates)
				default:
					out.Cube = t.Analysis.Cube
				}
				if text := clipped(t.By); text != "" && !strings.Contains(turn.Action.Comment, text) {
					turn.Action.Comment = strings.TrimSpace(turn.Action.Comment + "\n" + text)
				}
			}
			switch turn.Action.Kind {
			case record.Move:
				k.ask = table.AskRoll
				note(found[k])
				k.ask, k.dice = table.AskPlay, turn.Action.Dice.Sorted()
				note(found[k])
			case record.Double, record.Take, record.Drop:
				k.ask = table.AskTake
				if turn.Action.Kind == record.Double {
					k.ask = table.AskRoll
				}
				note(found[k])
			}
			if out.Cube != nil || len(out.Candidates) > 0 {
				turn.Action.Analysis = out
			}
		}
	}
}

// plays returns the legal candidates and the index of the one played, or -1.
func plays(turn *record.Turn, list []record.Candidate) (out []record.Candidate, played int) {
	played = -1
	for _, c := range list {
		p, ok := sheet.PlaySteps(turn.Position, c.Steps)
		if !ok {
			continue
		}
		if p.Result == turn.Play.Result && played < 0 {
			played = len(out)
			// The steps as they were played.
			c.Steps = append(c.Steps[:0:0], turn.Play.Steps[:turn.Play.N]...)
		}
		out = append(out, c)
	}
	return out, played
}
