package table

import (
	"slices"
	"testing"
	"time"

	"fibsbot/bot/fibs"
)

// The who lines of an opponent whose match with us is off, and of one who plays us.
const (
	bobFree  = "< 5 bob - - 1 0 1500.00 0 0 1700000000 host client -"
	bobOurs  = "< 5 bob me - 1 0 1500.00 0 0 1700000000 host client -"
	bobCarol = "< 5 bob carol - 1 0 1500.00 0 0 1700000000 host client -"
	bobWants = "< bob wants to resume a saved match with you."
)

// TestTable_opponentBack: where the line that ends a match is lost, each sign that the
// opponent does not play us is followed up at once, and his wish to play is granted.
func TestTable_opponentBack(t *testing.T) {
	between := with(begun(hisRoll), "< bob gives up. You win 1 point.", "< score in 5 point match: me-1 bob-0",
		"< Type 'join' if you want to play the next game, type 'leave' if you don't.", "> join", "< ** Please wait for bob to join too.")
	resumes := []string{"> board", "< ** You're not playing.", "> show saved", "> invite bob",
		"< ** You invited bob to resume a saved match.", "+ 1s", "> join bob"}
	tests := []struct {
		name  string
		lines []string
	}{
		{"he asks to resume", with(begun(hisTurn), append([]string{bobWants}, resumes...)...)},
		{"he asks to resume between two games", with(between, append([]string{bobWants}, resumes...)...)},
		{"he asks again and again", with(begun(hisTurn), append([]string{bobWants, bobWants, bobWants}, resumes...)...)},
		{"he asks while a board should follow by itself", with(begun(hisTurn), append([]string{"< bob rolls 6 and 2.", bobWants}, resumes...)...)},
		{"he asks for a new match", with(begun(hisTurn), "< bob wants to play a 5 point match with you.", "> board", "< ** You're not playing.",
			"> show saved", "> invite bob", "< ** You invited bob to resume a saved match.", ">")},
		{"he asks, and then comes the end", with(begun(hisTurn), bobWants, "> board", "< bob drops connection. The game was saved.",
			"> invite bob", "< ** You're not playing.", ">", "< ** You invited bob to resume a saved match.", "+ 1s", "> join bob")},
		{"he asks and goes", with(begun(hisTurn), bobWants, "> board", "< 8 bob bob logs out.", "< ** You're not playing.", "> show saved", ">")},
		{"he asks although the match goes on", with(begun(hisTurn), bobWants, "> board", "< "+hisTurn, "< bob drops connection. The game was saved.", ">", "+ 1s", "> board", "< ** You're not playing.", ">")},
		{"his who line names no opponent", with(begun(hisTurn), bobFree, "> board", "< ** You're not playing.", "> show saved", ">")},
		{"his who line names another opponent", with(begun(hisTurn), bobCarol, "> board", "< ** You're not playing.", "> show saved", ">")},
		{"his who line names no opponent between two games", with(between, bobFree, "> board", "< ** You're not playing.", "> show saved", ">")},
		{"his who line names us", with(begun(hisTurn), bobOurs, ">")},
		{"his who line names us as the server spells it", with(begun(hisTurn), "< 5 bob ME - 1 0 1500.00 0 0 1700000000 host client -", ">")},
		{"another player's who line", with(begun(hisTurn), "< 5 carol - - 1 0 1500.00 0 0 1700000000 host client -", ">")},
		{"who lines that are wrong", with(begun(hisTurn), bobFree, "> board", "< "+hisTurn, bobFree, bobCarol, ">", "+ 8s", bobFree, "> board")},
		{"he drops connection", with(begun(hisTurn), "< bob drops connection.", "> board", "< ** You're not playing.", "> show saved", ">")},
		{"he logs out", with(begun(hisTurn), "< 8 bob bob logs out.", "> board", "< ** You're not playing.", "> show saved", ">")},
		{"another player drops connection", with(begun(hisTurn), "< 8 carol carol drops connection.", ">")},
		{"he drops connection between two games and comes back", with(between, "< 8 bob bob drops connection.", "> board",
			"< 7 bob bob logs in.", bobFree, bobWants, "< ** You're not playing.", "> show saved", "> invite bob",
			"< ** You invited bob to resume a saved match.", "+ 1s", "> join bob")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { dialogue(t, newTable(Options{Name: "me"}), tt.lines) })
	}
}

// TestTable_opponentIsNotJudged: an invitation of the opponent at the board reaches the
// policy, which would call the bot busy, when the board is known to be off.
func TestTable_opponentIsNotJudged(t *testing.T) {
	tbl := newTable(Options{Name: "me"})
	dialogue(t, tbl, begun(hisTurn))
	var got []Invitation
	parser, now := fibs.Protocol{}.Reader(), time.Now()
	say := func(line string) {
		for _, ev := range parser.FromServer(line) {
			got = append(got, tbl.Event(ev, now).Invitations...)
		}
	}
	say("bob wants to resume a saved match with you.")
	say("carol wants to resume a saved match with you.")
	if want := []Invitation{{From: "carol", Length: -1, Resume: true, Saved: true}}; !slices.Equal(got, want) {
		t.Fatalf("judged at the board: %v, want %v", got, want)
	}
	say("bob wants to play a 5 point match with you.")
	say("** You're not playing.")
	if len(got) != 2 || got[1].From != "bob" || got[1].Length != 5 || !got[1].Saved {
		t.Fatalf("judged in the lobby: %v", got)
	}
}
