package table

import "testing"

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
