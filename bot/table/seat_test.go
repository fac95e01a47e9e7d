package table

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// onePoint are the lines of a 5-point match in a match of 1 point.
func onePoint(lines []string) []string {
	short := slices.Clone(lines)
	for i := range short {
		short[i] = strings.NewReplacer(":5:0:0:", ":1:0:0:", "5 point", "1 point").Replace(short[i])
	}
	return short
}

// TestEndedUnseen_whoWasAway: the server has removed a match while our line was down. Our
// last play ended it only if the opponent was there to play on; who was away has lost it.
func TestEndedUnseen_whoWasAway(t *testing.T) {
	const seat = time.Minute
	tests := []struct {
		name   string
		lines  []string
		away   bool // the opponent, when our line broke
		known  bool
		over   bool
		winner sheet.Side
		by     string // of the last game: play or forfeit
	}{
		{"our last play arrived", onePoint(with(begun(weBearOff), "= play")), false, true, true, sheet.Us, "play"},
		{"he was away and has left", weOpen, true, true, true, sheet.Us, "forfeit"},
		{"he was away before the last checkers came off", begun(heIsToGo), true, true, true, sheet.Us, "forfeit"},
		{"he was there, so we were away", weOpen, false, true, true, sheet.Them, "forfeit"},
		{"unknown who was away", weOpen, false, false, false, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tbl := newTable(Options{Name: "me"})
			dialogue(t, tbl, tt.lines)
			s := tbl.Sheet()
			if s == nil {
				t.Fatal("no match")
			}
			s.Number, tbl.line.match, tbl.rules.SeatKept = trusted, trusted, seat
			if tt.known {
				tbl.matches.at("bob").broke = new(tt.away)
			}
			tbl.begin(tbl.lineAt.Add(seat / 2))
			over := tbl.endedUnseen(s)
			if over != tt.over {
				t.Fatalf("over %v, want %v", over, tt.over)
			}
			if tt.by == "" {
				return
			}
			g := s.Last()
			if g.Winner != tt.winner || g.Forfeit != (tt.by == "forfeit") {
				t.Errorf("game won by %v, forfeit %v; want %v, %s", g.Winner, g.Forfeit, tt.winner, tt.by)
			}
		})
	}
}

// TestEndedAway: a match whose end comes after a login is over if it was interrupted for us. Any
// other begins nothing and ends nothing, and the bot leaves it.
func TestEndedAway(t *testing.T) {
	end := protocol.Event{Kind: protocol.MatchOver, Name: protocol.You, Other: "bob", Score: [2]int{5, 0}, Raw: "over", Keep: true}
	for _, tt := range []struct {
		name            string
		saved, visiting bool
		over            bool
	}{
		{"interrupted", true, true, true},
		{"unknown, after a login", false, true, false},
		{"unknown, in the lobby", false, false, false},
	} {
		tbl := newTable(Options{Name: "me"})
		if dialogue(t, tbl, weOpen); tbl.Sheet() == nil {
			t.Fatal("no match")
		}
		tbl.rules.SeatKept = time.Minute
		now := tbl.lineAt
		tbl.Lost()
		if !tt.saved {
			tbl.matches = knownMatches{with: map[string]*knownMatch{}}
		}
		tbl.Ready(now)
		if !tt.visiting {
			tbl.enterLobby()
		}
		due := tbl.Event(end, now)
		if opponent, sits := tbl.Parted(); (due.Over != nil) != tt.over || tbl.Sheet() != nil || opponent != "bob" || !sits {
			t.Errorf("%s: over %v, sheet %v, at the table with %q", tt.name, due.Over, tbl.Sheet(), opponent)
		}
		if opens := slices.ContainsFunc(due.Notes, func(n Note) bool { return n.Kind == NoteOpen }); opens != tt.over {
			t.Errorf("%s: notes %+v", tt.name, due.Notes)
		}
	}
}
