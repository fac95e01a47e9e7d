package table

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/fibs"
)

// unlimited is the end of the first game of an unlimited match, which bob resigns.
func unlimited() []string {
	return []string{idle, "< Player bob has joined you for an unlimited match.", "< Starting a new game with bob.",
		"< " + strings.Replace(hisTurn, ":5:", ":9999:", 1),
		"< bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.", "= accept", "> accept",
		"< You accept and win 1 point.", "< score in unlimited match: me-1 bob-0"}
}

const nextGame = "< Type 'join' if you want to play the next game, type 'leave' if you don't."

// LastGame has the match left behind the running game, and only an unlimited one.
func TestLastGame(t *testing.T) {
	last := func(lines []string) *Table {
		tbl := newTable(Options{Name: "me"})
		dialogue(t, tbl, lines)
		tbl.LastGame(true, "Enough.")
		return tbl
	}
	tbl := last(unlimited())
	dialogue(t, tbl, []string{nextGame, "> tellx bob Enough.", "> leave", ">", nextGame, ">", "+ 9s", "> leave", "< You terminated the game. The game was saved.", ">"})
	if tbl.SavedWith("bob") || tbl.Unfinished("bob") {
		t.Error("a match without a running game waits to be finished")
	}
	limited := unlimited()
	for i := range limited {
		limited[i] = strings.NewReplacer(":9999:", ":5:", "for an unlimited match", "for a 5 point match", "in unlimited match", "in 5 point match").Replace(limited[i])
	}
	dialogue(t, last(limited), []string{nextGame, "> join"})
}

// The finished game is filed before the next is joined, and the journal of that one begins
// with the score. What is left in mid-game waits to be resumed; it need not be finished.
func TestUnlimited_gameIsFiledBeforeTheNext(t *testing.T) {
	tbl := newTable(Options{Name: "me"})
	dialogue(t, tbl, unlimited())
	var got []NoteKind
	for _, ev := range (fibs.Protocol{}).Reader().FromServer(strings.TrimPrefix(nextGame, "< ")) {
		for _, n := range tbl.Event(ev, time.Now()).Notes {
			got = append(got, n.Kind)
			if n.Kind == NoteOpen && (!n.Next || n.Score != [2]int{0, 1}) {
				t.Errorf("the next game begins with %+v", n)
			}
		}
	}
	if n := len(got); n < 3 || got[n-3] != NoteOver || got[n-2] != NoteOpen || got[n-1] != NoteSent {
		t.Errorf("notes %v", got)
	}
	dialogue(t, tbl, []string{"< Starting a new game with bob.", "< " + strings.Replace(hisTurn, ":5:0:0", ":9999:1:0", 1),
		"< bob has left the game. The game was saved.", "> board", "< bob wants to play a 5 point match with you.", "> join bob"})
	if !tbl.SavedWith("bob") || tbl.Unfinished("bob") {
		t.Errorf("saved %v, unfinished %v", tbl.SavedWith("bob"), tbl.Unfinished("bob"))
	}
}

// An unlimited match that the opponent leaves between two games has nothing to resume. If our
// own connection broke, the next game may have begun.
func TestUnlimited_interruptedBetweenGames(t *testing.T) {
	for _, tt := range []struct {
		name      string
		joined    bool
		interrupt func(tbl *Table) Due
		want      []NoteKind
		saved     bool
	}{
		{"he leaves before the prompt", false, bobLeaves, []NoteKind{NoteLine, NoteOver, NoteSaved}, false},
		{"he leaves instead of joining", true, bobLeaves, []NoteKind{NoteLine, NoteDiscard, NoteSaved}, false},
		{"the line breaks before the prompt", false, (*Table).Lost, []NoteKind{NoteOver, NoteSaved}, false},
		{"the line breaks behind our join", true, (*Table).Lost, []NoteKind{NoteSaved}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tbl := newTable(Options{Name: "me"})
			dialogue(t, tbl, unlimited())
			if tt.joined {
				dialogue(t, tbl, []string{nextGame, "> join"})
			}
			var got []NoteKind
			for _, n := range tt.interrupt(tbl).Notes {
				got = append(got, n.Kind)
			}
			if !slices.Equal(got, tt.want) || tbl.SavedWith("bob") != tt.saved {
				t.Errorf("notes %v, want %v; saved %v", got, tt.want, tbl.SavedWith("bob"))
			}
		})
	}
}

func bobLeaves(tbl *Table) (due Due) {
	for _, ev := range (fibs.Protocol{}).Reader().FromServer("bob has left the game. The game was saved.") {
		due.Add(tbl.Event(ev, time.Now()))
	}
	return due
}
