package table

import (
	"strings"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Two men against one left: bob, who is X and moves up, and we, who are O and
// move down, are about to bear off the last checkers. The dots vary as in
// boardLine.
func lastBoard(ours, his, rest, off string) string {
	return "board:You:bob:5:0:0:0:" + ours + ":0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:" + his + ":0:" + rest + ":1:-1:0:25:" + off + ":0:0:2:0:0:0"
}

var (
	weBearOff = lastBoard("2", "-1", "1:3:1:0:0:1:1:1:0", "13:14")
	heBearOff = lastBoard("2", "-1", "-1:0:0:3:1:1:1:1:0", "13:14")
	heIsToGo  = lastBoard("2", "-1", "-1:0:0:0:0:1:1:1:0", "13:14")
)

// atStart is a board of the opening, rest as in boardLine.
func atStart(points, rest string) string {
	return "board:You:bob:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:" + points + ":0:0:0:0:2:0:" + rest + ":1:-1:0:25:0:0:0:0:2:0:0:0"
}

// whole is a game of which the sheet has every move: we opened and it is his
// turn, or he opened and it is ours.
var (
	weOpen = []string{idle, "< ** Player bob has joined you for a 5 point match.", "< Starting a new game with bob.",
		"< You rolled 6, bob rolled 3", "< It's your turn to move.",
		"< " + atStart("-5:5:0:0:0:-3:0:-5", "1:6:3:0:0:1:1:1:0"), "= play"}
	heOpens = []string{idle, "< ** Player bob has joined you for a 5 point match.", "< Starting a new game with bob.",
		"< You rolled 3, bob rolled 6", "< bob makes the first move.", "< bob moves 12-18 12-15 .",
		"< " + atStart("-3:5:0:-1:0:-3:-1:-5", "1:0:0:0:0:1:1:1:0")}
	weRoll = with(heOpens, "= roll", "< You roll 3 and 1.", "< "+atStart("-3:5:0:-1:0:-3:-1:-5", "1:3:1:0:0:1:1:1:0"))
)

// TestSheet_endUnseen: the connection is cut before the line that ends a game, and the server
// begins the next game when we log in again. The sheet derives how the game ended from our
// commands, the score and the position.
func TestSheet_endUnseen(t *testing.T) {
	loaded := func(us, them string) []string {
		return []string{"lost", "login", "< You are now playing with bob. Your running match was loaded.", "< match length: 5",
			"< points for bob: " + them, "< points for me: " + us, "< Starting a new game with bob.", "< You rolled 3, bob rolled 6."}
	}
	tests := []struct {
		name     string
		lines    []string
		us, them string
		want     sheet.Game
		last     sheet.ActKind
		torn     bool
	}{
		{"we drop his double", with(weOpen, "< bob doubles. Type 'accept' or 'reject'.", "= drop"), "0", "1",
			sheet.Game{Winner: sheet.Them, Points: 1}, sheet.ActDropped, false},
		{"he drops our double", with(heOpens, "= double"), "1", "0", sheet.Game{Winner: sheet.Us, Points: 1}, sheet.ActDropped, false},
		{"he drops the double that we know to have arrived", with(heOpens, "= double",
			"< You double. Please wait for bob to accept or reject."), "1", "0", sheet.Game{Winner: sheet.Us, Points: 1}, sheet.ActDropped, false},
		{"we accept his resignation", with(weRoll, "< bob wants to resign. You will win 2 points. Type 'accept' or 'reject'.", "= accept"),
			"2", "0", sheet.Game{Winner: sheet.Us, Points: 2, Resigned: true}, sheet.ActOffered, false},
		{"he accepts ours", with(weRoll, "= resign"), "0", "1", sheet.Game{Winner: sheet.Them, Points: 1, Resigned: true}, sheet.ActOffered, false},
		{"our last play", with(begun(weBearOff), "= play"), "1", "0", sheet.Game{Winner: sheet.Us, Points: 1}, sheet.ActPlayed, true},
		{"his last play with the roll on the board", begun(heBearOff), "0", "1", sheet.Game{Winner: sheet.Them, Points: 1}, sheet.ActPlayed, true},
		{"his last roll was not seen", begun(heIsToGo), "0", "1", sheet.Game{Winner: sheet.Them, Points: 1}, sheet.ActShown, true},
		{"a double was taken and played on", with(weOpen, "< bob doubles. Type 'accept' or 'reject'.", "= take"), "0", "2",
			sheet.Game{Winner: sheet.Them, Points: 2}, sheet.ActTook, true},
		{"the drop has another price than the score tells", with(weOpen, "< bob doubles. Type 'accept' or 'reject'.", "= drop"), "0", "2",
			sheet.Game{Winner: sheet.Them, Points: 2}, sheet.ActTook, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tbl := newTable(Options{Name: "me"})
			dialogue(t, tbl, append(tt.lines, loaded(tt.us, tt.them)...))
			s := tbl.Sheet()
			if s == nil || len(s.Games) != 2 {
				t.Fatalf("no second game on the sheet: %+v", s)
			}
			g := s.Games[0]
			if g.Winner != tt.want.Winner || g.Points != tt.want.Points || g.Resigned != tt.want.Resigned || g.Torn != tt.torn {
				t.Errorf("won by %d, %d points, resigned %v, torn %v; want %+v, torn %v", g.Winner, g.Points, g.Resigned, g.Torn, tt.want, tt.torn)
			}
			var last sheet.ActKind
			if n := len(g.Acts); n > 0 {
				last = g.Acts[n-1].Kind
			}
			if last != tt.last {
				t.Errorf("last act %d, want %d: %+v", last, tt.last, g.Acts)
			}
		})
	}
}

// TestTable_looksBeforeItResumes: a match saved at another score than we left it
// at ended a game behind our back. The list of it is fetched before anything can
// start the next game.
func TestTable_looksBeforeItResumes(t *testing.T) {
	const bobIsFree = "< 5 bob - - 1 0 1500.00 0 0 1700000000 host client -"
	tests := []struct {
		name  string
		lines []string
	}{
		{"the score has moved", with(weOpen, "lost",
			"login   bob                     5                0 -  1", bobIsFree, "< ** You're not playing.", "> oldmoves bob", ">",
			"< bob wants to resume a saved match with you.", ">",
			"< Score is 0-0 in a 5 point match.", "< bob is X - me is O", "< O: (6 3) 24-18 13-10", "< X: (2 1) 12-14 12-13", "< O: wants to resign", "< X: wins", "> invite bob", ">")},
		{"the score is the same", with(weOpen, "lost",
			"login   bob                     5                0 -  0", bobIsFree, "< ** You're not playing.", "invite bob", "> invite bob", ">")},
		{"the server does not answer", with(weOpen, "lost",
			"login   bob                     5                0 -  1", bobIsFree, "< ** You're not playing.", "> oldmoves bob",
			"+ 8s", "> oldmoves bob", "+ 8s", "> oldmoves bob", "+ 8s", "invite bob", "> invite bob")},
		{"the server has no list of a match on its list", with(weOpen, "lost",
			"login   bob                     5                0 -  1", "< ** You're not playing.", "> oldmoves bob",
			"< ** There is no saved game with bob.", "invite bob", "> invite bob", "< bob has joined you. Your running match was loaded.")},
		{"the match goes on while we look", with(weOpen, "lost",
			"login   bob                     5                0 -  1", "< ** You're not playing.", "> oldmoves bob",
			"< bob has joined you. Your running match was loaded.", "> board", "< "+boardLine("0:1", "1:3:1:0:0:1:1:1:0"), "? play")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dialogue(t, newTable(Options{Name: "me", Mend: true}), tt.lines)
		})
	}
}

// TestSheet_resignedUnseen: a game ended by a resignation while the connection was
// down. The server's list of moves tells no size; what was offered before the cut
// does, or the score, or that the match is over.
func TestSheet_resignedUnseen(t *testing.T) {
	start := with(weOpen, "< bob doubles. Type 'accept' or 'reject'.", "= take")
	list := func(loser, winner string) []string {
		return []string{"< Score is 0-0 in a 5 point match.", "< bob is X - me is O", "< O: (6 3) 24-18 24-21", "< X: doubles", "< O: accepts",
			"< X: (2 1) 1-3 1-2", "< " + loser + ": wants to resign", "< " + winner + ": wins"}
	}
	saved := []string{"lost", "login   bob                     5                0 -  2", "< ** You're not playing.", "> oldmoves bob"}
	gone := []string{"lost", "login no saved games.", "< ** You're not playing.", "> oldmoves bob"}
	tests := []struct {
		name  string
		lines []string
		want  sheet.Game
		over  bool
	}{
		{"nothing is known", append(append([]string{}, saved...), list("O", "X")...), sheet.Game{Winner: sheet.Them, Points: 2}, false},
		{"the score tells", append(append(append([]string{}, saved...), list("O", "X")...),
			"< You are now playing with bob. Your running match was loaded.", "< match length: 5", "< points for bob: 4", "< points for me: 0",
			"< Starting a new game with bob."), sheet.Game{Winner: sheet.Them, Points: 4}, false},
		{"the match is over", append(append([]string{}, gone...), list("O", "X")...), sheet.Game{Winner: sheet.Them, Points: 6}, true},
		{"he had offered two games", append(append([]string{"< bob wants to resign. You will win 4 points. Type 'accept' or 'reject'.", "= accept"},
			saved...), list("X", "O")...), sheet.Game{Winner: sheet.Us, Points: 4}, false},
		{"he had offered enough, and the list is gone", append(append([]string{"< You accept the double. The cube shows 2.", "< bob wants to resign. You will win 6 points. Type 'accept' or 'reject'.", "= accept"},
			gone...), "< ** There is no saved game with bob."), sheet.Game{Winner: sheet.Us, Points: 6}, true},
		{"he had offered enough, but we refused", append(append([]string{"< You accept the double. The cube shows 2.", "< bob wants to resign. You will win 6 points. Type 'accept' or 'reject'.", "= reject"},
			gone...), "< ** There is no saved game with bob."), sheet.Game{Winner: sheet.Nobody}, false},
		{"we had offered two games", append(append([]string{"< bob rolls 2 and 1.", "< bob moves 1-3 1-2 .",
			"< board:You:bob:5:0:0:0:0:-1:-1:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:1:-5:0:1:0:0:0:0:1:0:0:0:0:2:1:0:0:1:-1:0:25:0:0:0:0:2:0:0:0",
			"? roll", "= resign g"}, saved...), list("O", "X")...), sheet.Game{Winner: sheet.Them, Points: 4}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tbl := newTable(Options{Name: "me", Mend: true})
			dialogue(t, tbl, start)
			s := tbl.Sheet() // the table forgets it when the match is over
			dialogue(t, tbl, tt.lines)
			if g := s.Games[0]; g.Winner != tt.want.Winner || g.Points != tt.want.Points || g.Resigned != g.Finished() || g.Torn || s.Over != tt.over {
				t.Errorf("won by %d, %d points, resigned %v, torn %v, match over %v; want %+v, %v", g.Winner, g.Points, g.Resigned, g.Torn, s.Over, tt.want, tt.over)
			}
		})
	}
}

// A game whose opening was missed, up to the list of moves that is asked for.
var holed = []string{idle, "< ** Player bob has joined you for a 5 point match.", "< Starting a new game with bob.", "lost", "login",
	"< bob has joined you. Your running match was loaded.", "< " + atStart("-3:5:0:-1:0:-3:-1:-5", "1:0:0:0:0:1:1:1:0"), "> board", "> oldmoves bob"}

// TestTable_listWithoutAnEnd: the list of a running game has no last line. An empty line, or a
// second without a line of it, ends the wait for it, and a player who wants to resume is
// answered.
func TestTable_listWithoutAnEnd(t *testing.T) {
	asked := with(holed, "lost", "login   bob                     5                0 -  0", "< ** You're not playing.", "> oldmoves bob",
		"< bob wants to resume a saved match with you.", "> ")
	list := []string{"< Score is 0-0 in a 5 point match.", "< bob is X - me is O"}
	for name, lines := range map[string][]string{
		"a second":                     {"< X: (6 3) 12-18 12-15", "+ 1s", "> invite bob"},
		"a second after the last line": {"+ 900ms", "< X: (6 3) 12-18 12-15", "+ 900ms", ">", "+ 100ms", "> invite bob"},
		"an empty line":                {"< X: (6 3) 12-18 12-15", "< ", "> invite bob"},
		"no lines":                     {"+ 1s", "> invite bob"},
		"a list of another game":       {"< Score is 0-0 in a 5 point match.", "< carol is X - me is O", "< X: (6 3) 12-18 12-15", "+ 1s", ">", "< ", ">"},
		"an empty line, then more":     {"< ", "< X: (6 3) 12-18 12-15", "> invite bob"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "a list of another game" {
				dialogue(t, newTable(Options{Name: "me", Mend: true}), with(asked, lines...))
				return
			}
			dialogue(t, newTable(Options{Name: "me", Mend: true}), with(asked, append(list, lines...)...))
		})
	}
}

// TestTable_lateListLines: lines of a list that come after another line of the game still count.
func TestTable_lateListLines(t *testing.T) {
	tbl := newTable(Options{Name: "me", Mend: true})
	dialogue(t, tbl, with(holed, "< Score is 0-0 in a 5 point match.", "< bob is X - me is O", "< You're now ready to invite or join someone.",
		"< "+atStart("-3:5:0:-1:0:-3:-1:-5", "1:0:0:0:0:1:1:1:0"), "< X: (6 3) 12-18 12-15", "< It's your turn. Please roll or double", "? roll"))
	if g := tbl.Sheet().Games[0]; g.Torn || len(g.Acts) != 1 {
		t.Errorf("the late line was lost: %+v", g)
	}
	tbl = newTable(Options{Name: "me", Mend: true})
	dialogue(t, tbl, with(holed, "< Score is 0-0 in a 5 point match.", "< *** All running games will be saved.", "< bob is X - me is O",
		"< X: (6 3) 12-18 12-15", "< It's your turn. Please roll or double", "? roll"))
	if g := tbl.Sheet().Games[0]; g.Torn || len(g.Acts) != 1 {
		t.Errorf("lost because of a notice before the players: %+v", g)
	}
}

// TestTable_noiseDoesNotEndAList: what is not about the match may come anywhere,
// and the journal, which does not hold it, must read the same later.
func TestTable_noiseDoesNotEndAList(t *testing.T) {
	for _, noise := range []string{"99 noise on the line", "5 carol - - 1 0 1500.00 0 0 1700000000 host client -", "12 carol hello", "7 carol carol logs in.",
		"board:You:nobody:5:0:0:0:40:0:-99:1:2:3"} {
		tbl := newTable(Options{Name: "me", Mend: true})
		dialogue(t, tbl, with(holed, "< Score is 0-0 in a 5 point match.", "< bob is X - me is O", "< "+noise, "< X: (6 3) 12-18 12-15",
			"< "+atStart("-3:5:0:-1:0:-3:-1:-5", "1:0:0:0:0:1:1:1:0")))
		if g := tbl.Sheet().Games[0]; g.Torn || len(g.Acts) != 1 {
			t.Errorf("%q: the list was lost: %+v", noise, g)
		}
	}
}

// TestTable_listBetweenGamesIsAskedForAgain: the next game erases the list of this one,
// so one answer that is lost on the way, or late, must not cost the game.
func TestTable_listBetweenGamesIsAskedForAgain(t *testing.T) {
	asked := with(holed, "< bob wins the game and gets 1 point. Sorry.", "< Type 'join' if you want to play the next game, type 'leave' if you don't.",
		"> oldmoves bob", ">", "+ 8s", "> oldmoves bob")
	tbl := newTable(Options{Name: "me", Mend: true})
	dialogue(t, tbl, with(asked, "< Score is 0-0 in a 5 point match.", "< bob is X - me is O", "< X: (6 3) 12-18 12-15", "< O: doubles", "< X: rejects", "< X: wins", "> join"))
	dialogue(t, newTable(Options{Name: "me", Mend: true}), with(asked, "+ 8s", "> oldmoves bob", "+ 8s", "> join", ">"))
}

// TestTable_holeIsMendedAfterACut: the connection is cut after the match, while
// its list of moves is on the way. The list is asked for again at the next login.
func TestTable_holeIsMendedAfterACut(t *testing.T) {
	tbl := newTable(Options{Name: "me", Mend: true})
	dialogue(t, tbl, with(holed, "< bob wins the game and gets 5 points. Sorry.", "< bob wins the 5 point match 5-0 .",
		"> oldmoves bob", "lost", "login no saved games.", "< ** You're not playing.", "> oldmoves bob"))
	if s := tbl.Sheet(); s == nil || !s.Over {
		t.Fatalf("the match is gone: %+v", s)
	}
	due := tbl.Lost()
	if due.Over != nil {
		t.Error("given up on the second cut")
	}
	dialogue(t, tbl, []string{"login no saved games.", "< ** You're not playing.", "> oldmoves bob", "< Score is 0-0 in a 5 point match.", "< bob is X - me is O",
		"< X: (6 3) 12-18 12-15", "< O: wants to resign", "< X: accepts", "< X: wins"})
	if tbl.Sheet() != nil || tbl.SavedWith("bob") {
		t.Error("not finished by the list")
	}
}

// TestTable_lateListOfAnotherMatch: two matches ended in our absence, and the list of the
// first comes when that of the second is waited for. It ends nothing of the second.
func TestTable_lateListOfAnotherMatch(t *testing.T) {
	for name, late := range map[string][]string{
		"a list":    {"< Score is 0-0 in a 1 point match.", "< bob is X - me is O", "< O: (6 3) 24-18 13-10", "< X: wins"},
		"no list":   {"< ** There is no saved game with bob."},
		"two lists": {"< Score is 0-0 in a 1 point match.", "< bob is X - me is O", "< X: wins", "< Score is 0-0 in a 1 point match.", "< bob is X - me is O", "< X: wins"},
	} {
		tbl := newTable(Options{Name: "me", Mend: true})
		dialogue(t, tbl, with(weOpen, "lost", idle, "< ** Player carol has joined you for a 1 point match.", "< Starting a new game with carol.",
			"< "+strings.NewReplacer(":bob:5:", ":carol:1:").Replace(ourRoll), "lost"))
		dialogue(t, tbl, []string{"login no saved games.", "< ** You're not playing.", "> oldmoves bob", "+ 8s", "> oldmoves bob", "+ 8s", "> oldmoves bob",
			"+ 8s", "> oldmoves carol"})
		dialogue(t, tbl, with(late, ">"))
		s := tbl.Sheet()
		if s == nil || s.Opponent != "carol" {
			t.Errorf("%s: carol's match is given up: %+v", name, s)
			continue
		}
		dialogue(t, tbl, []string{"< Score is 0-0 in a 1 point match.", "< carol is X - me is O", "< O: (3 1) 8-5 6-5", "< X: wins", ">"})
		if tbl.Sheet() != nil || !s.Over || s.Winner != sheet.Them {
			t.Errorf("%s: not ended by its own list: %+v", name, s)
		}
	}
}

// TestTable_checksWhatEndedAfterAResume: a match is resumed right after the login, and another
// one ended while we were away. The table requests the ended match's move list when it is free
// again.
func TestTable_checksWhatEndedAfterAResume(t *testing.T) {
	dialogue(t, newTable(Options{Name: "me", Mend: true}), with(weOpen, "lost",
		"login   carol                   5                0 -  0", "< carol has joined you. Your running match was loaded.", "> board",
		"< ** Player carol has left the game. The game was saved.", "> oldmoves bob"))
}

// TestTable_endOfAnotherMatchIsNotThisOnes: the moves of an interrupted match have been
// requested when the server announces the end of another match.
func TestTable_endOfAnotherMatchIsNotThisOnes(t *testing.T) {
	tbl := newTable(Options{Name: "me", Mend: true})
	dialogue(t, tbl, with(weOpen, "lost", "login no saved games.", "< ** You're not playing.", "> oldmoves bob", "< You win the 5 point match 5-2 ."))
	if s := tbl.Sheet(); s == nil || s.Over {
		t.Errorf("ended by the end of another match: %+v", s)
	}
}

// TestTable_resignsOnceATurn: an offer decided on before the last one was refused
// is not made.
func TestTable_resignsOnceATurn(t *testing.T) {
	tbl := newTable(Options{Name: "me"})
	dialogue(t, tbl, with(heOpens, "? roll"))
	asked := tbl.Generation()
	dialogue(t, tbl, []string{"< bob rejects. The game continues.", "> board"})
	if due := tbl.Decided(asked, Answer{Action: Resign, Games: 1}, time.Now()); len(due.Send) > 0 {
		t.Errorf("sent %v", due.Send)
	}
	dialogue(t, tbl, []string{"< " + heOpens[len(heOpens)-1][2:], "? roll"})
}

// TestTable_underway: a command that was held back is waited for from when it has
// gone.
func TestTable_underway(t *testing.T) {
	tbl := newTable(Options{Name: "me"})
	dialogue(t, tbl, with(heOpens, "= roll"))
	late := tbl.Wake().Add(-time.Second)
	tbl.Underway(late)
	if due := tbl.Tick(late.Add(7 * time.Second)); len(due.Send) > 0 {
		t.Errorf("repaired too early: %v", due.Send)
	}
	if due := tbl.Tick(late.Add(8 * time.Second)); len(due.Send) == 0 {
		t.Error("never repaired")
	}
}

// TestTable_neverDropsADoubleUnseen: the look after a lost offer to resign must
// not answer a double that is on its way.
func TestTable_neverDropsADoubleUnseen(t *testing.T) {
	tbl := newTable(Options{Name: "me"})
	dialogue(t, tbl, with([]string{idle, "< bob has joined you. Your running match was loaded.", "> board", "< " + hisRoll}, "+ 30s", "> board", "< "+hisRoll, "+ 30s", "> board", "< "+hisRoll, "+ 30s", "> roll", "> board", ">"))
}

// TestTable_listsAreBounded: an opponent who leaves and returns without a play does not make the
// table ask for the same list again and again.
func TestTable_listsAreBounded(t *testing.T) {
	tbl := newTable(Options{Name: "me", Mend: true})
	dialogue(t, tbl, holed)
	asked := 0
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	reader := fibs.Protocol{}.Reader()
	for range 50 {
		for _, line := range []string{"** Player bob has left the game. The game was saved.", "bob has joined you. Your running match was loaded.",
			atStart("-3:5:0:-1:0:-3:-1:-5", "1:0:0:0:0:1:1:1:0")} {
			for _, ev := range reader.FromServer(line) {
				for _, c := range tbl.Event(ev, now).Send {
					if _, ok := c.(protocol.AskMoves); ok {
						asked++
					}
				}
			}
		}
		now = now.Add(time.Minute)
	}
	if asked == 0 || asked > mostLists {
		t.Errorf("asked %d times", asked)
	}
}
