package table

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
)

// TestTable_contradictions: what a board says against the match as it was told is asked again
// before anything follows from it.
func TestTable_contradictions(t *testing.T) {
	lower, higher, longer := boardLine("0:0", "1:0:0:0:0:1:1:1:0"), boardLine("2:0", "1:0:0:0:0:1:1:1:0"), "board:You:bob:7"+ourTurn[len("board:You:bob:5"):]
	ahead := begun(boardLine("1:0", "1:0:0:0:0:1:1:1:0"))
	now := "< " + boardLine("1:0", "1:0:0:0:0:1:1:1:0")
	tests := []struct {
		name  string
		lines []string
	}{
		{"a lower score once", with(ahead, "? roll", "< "+lower, "? roll", "+ 1s", "> board", now, "? roll", ">")},
		{"a higher score once", with(ahead, "< "+higher, "+ 1s", "> board", now, "? roll", "= roll", "> roll", ">")},
		{"another length once", with(ahead, "< "+longer, "+ 1s", "> board", now, "? roll", ">")},
		{"a lower score twice", with(ahead, "< "+lower, ">", "< "+lower, ">", "+ 1s", "> board", "< "+lower, "? roll")},
		{"what has been put right is not asked about", with(ahead, "< "+lower, now, "+ 1s", ">")},
		{"a false end of a game", with(begun(ourTurn), "< bob wins the game and gets 1 point. Sorry.", "< "+ourTurn, ">", "+ 1s", "> board",
			"< "+ourTurn, "? roll", "= roll", "> roll", ">")},
		{"a false end of a game, and nothing follows", with(begun(ourTurn), "< You give up. bob wins 1 point.", "+ 8s", "> join", "> board",
			"< "+ourTurn, ">", "+ 1s", "> board", "< "+ourTurn, "? roll")},
		{"a false end of a match", with(begun(ourTurn), "< You win the 5 point match 5-2 .", "> board", "< "+ourTurn, ">",
			"+ 1s", "> board", "< "+ourTurn, "? roll")},
		{"a false end of a match, between two games", with(begun(ourTurn), "< You win the 5 point match 5-2 .", "> board", "< "+betweenGame, ">",
			"+ 1s", "> board", "< "+betweenGame, "> join")},
		{"the end of a match is asked about until the answer comes", with(begun(ourTurn), "< You win the 5 point match 5-2 .", "> board",
			"+ 8s", "> board", "< ** You're not playing.", ">")},
		{"a match that was not saved", with(begun(ourTurn), "< ** Player bob has left the game. The game was saved.", "> board", "< "+ourTurn, "? roll")},
		{"another match in the middle of one", with(begun(ourTurn), "< ** Player bob has joined you for a 7 point match.", "> board", "< "+ourTurn, "? roll", ">")},
		{"a double after a false end", with(begun(hisTurn), "< bob accepts and wins 1 point.", "< bob doubles. Type 'accept' or 'reject'.", "> board",
			"< "+doubledUs, "+ 1s", "> board", "< "+doubledUs, "? take")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { dialogue(t, newTable(Options{Name: "me"}), tt.lines) })
	}
}

// TestTable_boardOfTheMatchBefore: a board of the match before, in the next one, gives that no
// score, no hole and no end.
func TestTable_boardOfTheMatchBefore(t *testing.T) {
	opening := strings.NewReplacer(":1:4:0:3:", ":0:5:0:3:").Replace
	late := "< " + opening(boardLine("4:0", "1:3:1:0:0:1:1:1:0"))
	first := []string{idle, "< ** Player bob has joined you for a 5 point match.", "< Starting a new game with bob.", "< You rolled 3, bob rolled 1", late,
		"< bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.", "? resign", "= accept", "> accept", "< You accept and win 1 point.", "< You win the 5 point match 5-0 .", "> board", "< ** You're not playing."}
	tbl := newTable(Options{Name: "me", Mend: true})
	dialogue(t, tbl, with(first, late, ">", "< ** Player bob has joined you for a 5 point match.", late, "< Starting a new game with bob.", late, "< You rolled 6, bob rolled 2", late,
		"< It's your turn to move.", "< "+opening(boardLine("0:0", "1:6:2:0:0:1:1:1:0")), "? play", ">"))
	if s := tbl.Sheet(); s.Score != [2]int{} || s.NeedsMending() || len(s.Games) != 1 || !s.SeenFromStart {
		t.Errorf("at %v, to be mended: %v, %+v", s.Score, s.NeedsMending(), s.Games)
	}
}

// TestTable_scoreAfterAFalseEnd: a score below the length of a match that seemed to be over
// shows that it goes on.
func TestTable_scoreAfterAFalseEnd(t *testing.T) {
	tbl := newTable(Options{Name: "me", Mend: true})
	wrong := boardLine("4:0", "1:0:0:0:0:1:1:1:0")
	dialogue(t, tbl, []string{idle, "< ** Player bob has joined you for a 5 point match.", "< Starting a new game with bob.", "< " + wrong, "> oldmoves bob", "< bob rolled 6, You rolled 4",
		"< bob makes the first move.", "< " + hisRoll, "< bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.", "? resign", "= accept", "> accept",
		"< You accept and win 1 point.", "> oldmoves bob", "> board", "< score in 5 point match: me-1 bob-0", "< Type 'join' if you want to play the next game, type 'leave' if you don't.",
		"< Score is 0-0 in a 5 point match.", "< me is X - bob is O", "< O: (6 2)", "< O: wants to resign", "< X: accepts", "< X: wins", "> oldmoves bob", "< " + betweenGame, "> join"})
	if s := tbl.Sheet(); s == nil || s.Over {
		t.Errorf("the match is over: %+v", s)
	}
}

// TestTable_impossibleMatch: a match that was left because of its impossible board is not resumed;
// an invitation to a new one is joined at once.
func TestTable_impossibleMatch(t *testing.T) {
	tbl := newTable(Options{Name: "me"})
	dialogue(t, tbl, begun(hisTurn))
	now := time.Now()
	bad := fibs.Protocol{}.Reader().FromServer("board:You:bob:5:0:0:0:-2:0:0")[0]
	tbl.doubts.gaveUp = "bob"
	due := tbl.Event(bad, now)
	if due.Failed == nil || due.Failed.With != "bob" || due.Failed.Why != "" || !slices.Contains(due.Send, protocol.Command(protocol.Leave{})) {
		t.Fatalf("due %+v", due)
	}
	if due = tbl.Event(bad, now); len(due.Send) > 0 {
		t.Errorf("a second time: %+v", due.Send)
	}
	dialogue(t, tbl, []string{"< ** You terminated the game. The game was saved."})
	if !tbl.Void("bob") || tbl.SavedWith("bob") {
		t.Error("the match would be resumed")
	}
	dialogue(t, tbl, []string{"< bob wants to play a 5 point match with you.", "> join bob", "< ** You are now playing a 5 point match with bob"})
	if tbl.Void("bob") {
		t.Error("the new match counts as damaged")
	}
}
