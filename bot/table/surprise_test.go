package table

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/engine/board"
)

// boardLine returns a board of a 5-point match against bob in which we are O. rest holds the
// fields that the cases vary: turn, our dice, his dice, cube, flags.
func boardLine(score, rest string) string {
	return "board:You:bob:5:" + score + ":0:-2:0:0:0:1:4:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:" + rest + ":1:-1:0:25:0:0:0:0:2:0:0:0"
}

var (
	ourTurn     = boardLine("0:0", "1:0:0:0:0:1:1:1:0")
	ourRoll     = boardLine("0:0", "1:3:1:0:0:1:1:1:0")
	hisTurn     = boardLine("0:0", "-1:0:0:0:0:1:1:1:0")
	hisRoll     = boardLine("0:0", "-1:0:0:6:2:1:1:1:0")
	doubledUs   = boardLine("0:0", "1:0:0:0:0:1:0:0:1")
	doubledHim  = boardLine("0:0", "-1:0:0:0:0:1:0:0:0")
	hisCube     = boardLine("0:0", "1:0:0:0:0:2:0:1:0")
	crawford    = boardLine("4:0", "1:0:0:0:0:1:1:1:0")
	betweenGame = boardLine("1:0", "0:0:0:0:0:1:1:1:0")
)

// dialogue drives a table through lines:
//
//	< TEXT   the server says
//	invite X the account invites X to 5 points
//	> TEXT   the table must have sent this next (move: any move)
//	>        the table must have sent nothing more
//	? NAME   the table must be asking this question
//	? -      the table must ask nothing
//	at WHAT  the table must have asked with these dice and this turn ("62 theirs")
//	= NAME   the engine answers: roll, double, play, take, drop, accept, reject
//	+ TIME   time goes by
//	nudge    the opponent says that the bot hangs
//	! WHY    the table must want another connection
func dialogue(t *testing.T, tbl *Table, lines []string) {
	t.Helper()
	parser := fibs.Protocol{}.Reader()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var sent []string
	var ask *Situation
	reconnect := ""
	var take func(d Due)
	take = func(d Due) {
		for _, c := range d.Send {
			text, err := encode(c)
			if err != nil {
				t.Fatal(err)
			}
			sent = append(sent, text)
		}
		if d.Ask != nil {
			ask = d.Ask
		}
		if d.Reconnect != "" {
			reconnect = d.Reconnect
		}
		for _, inv := range d.Invitations {
			take(tbl.Accept(inv, now))
		}
	}
	for i, l := range lines {
		op, arg, _ := strings.Cut(l, " ")
		switch op {
		case "login":
			take(tbl.Ready(now))
			sent = nil
			if arg != "" {
				for _, ev := range parser.FromServer(arg) {
					take(tbl.Event(ev, now))
				}
			}
		case "invite":
			take(tbl.Invite(arg, 5, now))
		case "<":
			for _, ev := range parser.FromServer(arg) {
				take(tbl.Event(ev, now))
			}
		case ">":
			if arg == "" {
				if len(sent) > 0 {
					t.Fatalf("line %d: sent %q, want nothing", i+1, sent)
				}
				break
			}
			if len(sent) == 0 || sent[0] != arg && !(arg == "move" && strings.HasPrefix(sent[0], "move ")) {
				t.Fatalf("line %d: sent %q, want %q next", i+1, sent, arg)
			}
			sent = sent[1:]
		case "?":
			open := ask != nil && ask.Generation == tbl.Generation() && tbl.decision.answer == nil && tbl.decision.asked
			if arg == "-" {
				if open {
					t.Fatalf("line %d: asks %v, want no question", i+1, ask.Ask)
				}
			} else if !open || string(ask.Ask) != arg {
				t.Fatalf("line %d: no open question %q (%+v)", i+1, arg, ask)
			}
		case "at":
			got := fmt.Sprintf("%d%d %s", ask.Dice.A, ask.Dice.B, map[bool]string{true: "ours", false: "theirs"}[ask.OnTurn])
			if ask.Doubled {
				got += " doubled"
			}
			if got != arg {
				t.Fatalf("line %d: asks at %s, want %s", i+1, got, arg)
			}
		case "=":
			if ask == nil {
				t.Fatalf("line %d: nothing was asked", i+1)
			}
			d := map[string]Answer{"roll": {Action: Roll}, "double": {Action: Double}, "take": {Action: Take}, "drop": {Action: Drop},
				"accept": {Action: AcceptResign}, "reject": {Action: RejectResign}, "resign": {Action: Resign, Games: 1},
				"resign g": {Action: Resign, Games: 2}}[arg]
			if arg == "play" {
				d = Answer{Action: Play, Play: board.AppendPlays(nil, ask.Position, ask.Dice)[0]}
			}
			take(tbl.Decided(ask.Generation, d, now))
		case "+":
			d, err := time.ParseDuration(arg)
			if err != nil {
				t.Fatal(err)
			}
			now = now.Add(d)
			take(tbl.Tick(now))
		case "nudge":
			take(tbl.Nudge(now))
		case "lost":
			take(tbl.Lost())
			parser = fibs.Protocol{}.Reader()
		case "!":
			if reconnect == "" {
				t.Fatalf("line %d: the connection is not given up", i+1)
			}
		}
	}
}

const idle = "login ** You're not playing."

// begun returns the lines of a 5-point match with bob that has just begun, up to the board b.
func begun(b string) []string {
	return []string{idle, "< ** Player bob has joined you for a 5 point match.", "< Starting a new game with bob.", "< " + b}
}

func with(first []string, more ...string) []string {
	return append(append([]string(nil), first...), more...)
}

// looks are n looks at a board on which the opponent still thinks.
func looks(n int) (lines []string) {
	for range n {
		lines = append(lines, "+ 30s", "> board", "< "+hisTurn, ">")
	}
	return lines
}

// TestTable_surprises holds the surprises of the protocol reference (clip.md
// chapters 1 and 12) and the defects of practice.md 2.3, one case each.
func TestTable_surprises(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
	}{
		{"a new match is joined only after asking for a saved one", []string{idle,
			"< bob wants to play a 5 point match with you.", "> invite bob", ">",
			"< ** There's no saved match with bob. Please give a match length.", "> join bob", ">"}},
		{"a server that knows no board between matches is played on", []string{"login", "< no saved games.",
			"+ 8s", "> board", "+ 8s", "> board", "< ** Unknown command: 'board'", "+ 8s", "> board", "+ 8s", "> board", "+ 8s", ">",
			"< bob wants to play a 5 point match with you.", "> invite bob"}},
		{"a server that answers nothing after the login is given up", []string{"login",
			"+ 8s", "> board", "+ 8s", "> board", "+ 8s", "> board", "+ 8s", "> board", "+ 8s", ">", "! the server has said nothing for 40s, waiting for the effect of board"}},
		{"a server that answers other commands is not silent", []string{"login", "+ 8s", "> board", "< no saved games.", "+ 8s", "> board", "+ 8s", "> board", "+ 8s", "> board", "+ 7s",
			"< ** Unknown command: 'board'", "+ 1s", ">"}},
		{"a new length never destroys the saved match", []string{idle,
			"< bob wants to play a 5 point match with you.", "> invite bob",
			"< WARNING: Don't accept if you want to continue the saved 5 point match!",
			"< ** You invited bob to resume a saved match.",
			"> tellx bob We have a saved match. Please type 'join me' to resume it.", "+ 2m", ">"}},
		{"a known saved match is asked for at once", []string{
			"login   bob                     3                1 -  1", "< ** You're not playing.",
			"< bob wants to play a 5 point match with you.", "> invite bob", "< ** You invited bob to resume a saved match.", ">"}},
		{"a new match is not joined because the request to resume has no answer", []string{
			"login   bob                     3                1 -  1", "< ** You're not playing.",
			"< bob wants to play a 5 point match with you.", "> invite bob",
			"< WARNING: Don't accept if you want to continue the saved 3 point match!",
			"< ** You invited bob to resume a saved match.", "+ 8s", ">", "+ 2m", ">"}},
		{"a new match slipped in behind the request to resume is not joined", []string{idle,
			"< bob wants to resume a saved match with you.", "> invite bob", "< ** You invited bob to resume a saved match.",
			"< bob wants to play a 5 point match with you.", "> invite bob", "+ 8s", ">", "+ 2m", ">"}},
		{"two requests to resume have crossed: one of us joins", []string{
			"login   bob                     3                1 -  1", "< ** You're not playing.",
			"< 5 bob - - 1 0 1500.00 0 0 1700000000 host client -", "invite bob", "> invite bob",
			"< bob wants to resume a saved match with you.", ">", "+ 1s", "> join bob"}},
		{"two invitations have crossed: who comes first in the alphabet joins", []string{"login no saved games.", "< ** You're not playing.",
			"< 5 nora - - 1 0 1500.00 0 0 1700000000 host client -", "invite nora", "> invite nora 5",
			"< nora wants to play a 3 point match with you.", ">", "< nora wants to play a 7 point match with you.", "+ 250ms", "> join nora",
			"< ** You are now playing a 7 point match with nora", ">"}},
		{"and plays our own length when the other was faster", []string{"login no saved games.", "< ** You're not playing.",
			"invite nora", "> invite nora 5", "< nora wants to play a 3 point match with you.", "+ 250ms", "> join nora",
			"< ** Player nora has joined you for a 5 point match.", ">"}},
		{"two invitations have crossed: the other one waits", []string{"login no saved games.", "< ** You're not playing.",
			"invite bob", "> invite bob 5", "< bob wants to play a 3 point match with you.", "+ 3s", ">",
			"< ** Player bob has joined you for a 5 point match.", ">"}},
		{"two invitations have crossed: but not for ever", []string{"login no saved games.", "< ** You're not playing.",
			"invite bob", "> invite bob 5", "< bob wants to play a 3 point match with you.", "+ 4s", "> join bob",
			"< ** bob didn't invite you.", ">"}},
		{"two invitations have crossed, and the match has another length", []string{"login no saved games.", "< ** You're not playing.",
			"invite bob", "> invite bob 5", "< bob wants to play a 3 point match with you.", "+ 4s", "> join bob",
			"< ** You are now playing a 9 point match with bob", "> tellx bob That is not the match length we agreed on.", "> leave"}},
		{"two invitations have crossed, and a match is saved", []string{"login no saved games.", "< ** You're not playing.",
			"invite bob", "> invite bob 5", "< bob wants to play a 3 point match with you.",
			"< WARNING: Don't accept if you want to continue the saved 3 point match!", "+ 4s", "> invite bob", ">"}},
		{"a new match slipped in behind a request to resume that crossed ours is not joined", []string{
			"login   bob                     3                1 -  1", "< ** You're not playing.",
			"< 5 bob - - 1 0 1500.00 0 0 1700000000 host client -", "invite bob", "> invite bob",
			"< bob wants to resume a saved match with you.", "< bob wants to play a 1 point match with you.", "> invite bob", "+ 8s", ">"}},
		{"a lost answer about a saved match does not allow a join", []string{idle,
			"< bob wants to play a 5 point match with you.", "> invite bob", "+ 8s", "> invite bob", "+ 8s", ">"}},
		{"a request to resume is answered by an invitation, and joined if the opponent does not", []string{idle,
			"< bob wants to resume a saved match with you.", "> invite bob", ">", "+ 8s", "> join bob"}},
		{"a resume that the server confirms is joined a second later", []string{idle,
			"< bob wants to resume a saved match with you.", "> invite bob", "< ** You invited bob to resume a saved match.", ">",
			"+ 900ms", ">", "+ 100ms", "> join bob"}},
		{"a new match within that second is not joined", []string{idle,
			"< bob wants to resume a saved match with you.", "> invite bob", "< ** You invited bob to resume a saved match.",
			"+ 900ms", "< bob wants to play a 1 point match with you.", "> invite bob", "+ 8s", ">"}},
		{"another player who is offline says nothing about the one who asks to resume", []string{idle,
			"< bob wants to resume a saved match with you.", "> invite bob", "< ** You invited bob to resume a saved match.",
			"< ** There is no one called carol", "< ** There is no one called bobby", "+ 1s", "> join bob"}},
		{"who invites us and is not found is joined", []string{"login no saved games.", "< ** You're not playing.", "< bob wants to play a 5 point match with you.", "> invite bob",
			"< ** There is no one called bob", "> join bob", ">", "< ** There is no one called bob", "+ 2m", ">"}},
		{"who invites us and is not found when he is asked again is joined", []string{"login no saved games.", "< ** You're not playing.", "< bob wants to play a 5 point match with you.",
			"> invite bob", "+ 8s", "> invite bob", "< ** There is no one called bob", "> join bob", ">"}},
		{"who invites us and is not found is not joined without a list of saved matches", []string{idle, "< bob wants to play a 5 point match with you.",
			"> invite bob", "< ** There is no one called bob", "+ 2m", ">"}},
		{"who asks to resume and is not found is joined", []string{idle, "< bob wants to resume a saved match with you.", "> invite bob",
			"< ** There is no one called bob", "> join bob", ">"}},
		{"who asks for a new match with one saved and is not found is not joined", []string{
			"login   bob                     3                1 -  1", "< ** You're not playing.",
			"< bob wants to play a 5 point match with you.", "> invite bob", "< ** There is no one called bob", "+ 2m", ">"}},
		{"who asks for a new match after a warning and is not found is not joined", []string{"login no saved games.", "< ** You're not playing.",
			"< bob wants to play a 5 point match with you.", "> invite bob",
			"< WARNING: Don't accept if you want to continue the saved 3 point match!", "< ** There is no one called bob", "+ 2m", ">"}},
		{"who is not found and has not invited us is not joined", []string{idle, "< 5 bob - - 1 0 1500.00 0 0 1700000000 host client -",
			"invite bob", "> invite bob 5", "< ** There is no one called bob", "+ 2m", ">"}},
		{"a refusal of the invitation before says nothing about this one", []string{
			"login   carol                   3                1 -  1", "< ** You're not playing.",
			"< 5 carol - - 1 0 1500.00 0 0 1700000000 host client -", "invite carol", "> invite carol",
			"< bob wants to play a 5 point match with you.", "> invite bob", "< ** carol is refusing games.",
			"< ** There's no saved match with bob. Please give a match length.", "> join bob"}},
		{"a refusal by the one asked ends it", []string{idle, "< bob wants to resume a saved match with you.", "> invite bob",
			"< ** bob is refusing games.", "+ 8s", ">"}},
		{"a longer match slipped in behind the invitation is left", []string{idle,
			"< bob wants to play a 3 point match with you.", "> invite bob",
			"< ** There's no saved match with bob. Please give a match length.", "> join bob",
			"< ** You are now playing a 9 point match with bob",
			"> tellx bob That is not the match length we agreed on.", "> leave", ">"}},
		{"a board without a word after the login is a match that goes on", []string{"login", "< " + ourRoll, "> board", "? play", "= play", "> move"}},
		{"the same board twice asks once", with(begun(ourTurn), "? roll", "= roll", "> roll", "< "+ourTurn, ">", "? -")},
		{"the engine is asked about the dice on the board", with(begun(ourRoll), "? play")},
		{"another player's board is not ours", with(begun(hisTurn), "? -",
			"< "+strings.Replace(ourRoll, "board:You:bob", "board:alice:carol", 1), "? -", ">")},
		{"a decision for a match that was interrupted is thrown away", with(begun(ourTurn), "? roll",
			"< bob drops connection. The game was saved.", "> board", "= roll", ">")},
		{"a decision from before a resignation is thrown away", with(begun(ourTurn), "? roll",
			"< bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.", "? resign", "= accept", "> accept")},
		{"a lost command is found by its missing effect and repeated", with(begun(ourTurn), "= roll", "> roll",
			"+ 8s", "> board", "< "+ourTurn, "> roll")},
		{"a board that was asked for before our move says nothing about it", []string{
			"login", "< points for bob: 0", "< " + ourRoll, "> board", "? play", "= play", "> move", "+ 8s", "> board",
			"< " + ourRoll, ">", "< " + ourRoll, ">", "< " + ourRoll, "> move", ">", "+ 8s", "> board", "< " + ourRoll, "> move"}},
		{"a board that was asked for before our double says nothing about it", []string{
			"login", "< points for bob: 0", "< " + ourTurn, "> board", "? roll", "= double", "> double", "+ 8s", "> board",
			"< " + ourTurn, ">", "< " + ourTurn, ">", "< " + ourTurn, "> double"}},
		{"a word that we hang asks for nothing while our roll is on its way", []string{
			"login", "< points for bob: 0", "< " + ourTurn, "> board", "? roll", "= roll", "> roll", "nudge", ">",
			"< " + ourTurn, ">", "< " + ourTurn, ">", "+ 8s", "> board", "nudge", ">", "< " + ourTurn, "> roll"}},
		{"nor while we wait for the next game", []string{
			"login", "< points for bob: 0", "< " + ourTurn, "> board", "< bob wins the game and gets 1 point. Congratulations!",
			"< Type 'join' if you want to play the next game, type 'leave' if you don't.", "> join", "nudge", ">", "+ 8s", "> join"}},
		{"it asks for the board while we wait for the opponent", []string{
			"login", "< points for bob: 0", "< " + hisTurn, "> board", "nudge", "> board", "< " + ourTurn, "? roll"}},
		{"an answer that noise has spoilt is not waited for for ever", []string{
			"login", "< points for bob: 0", "< " + ourRoll, "> board", "? play", "= play", "> move", "+ 8s", "> board",
			"< " + ourRoll, ">", "+ 8s", "> board", "< " + ourRoll, "> move"}},
		{"an old board does not affect a move made since", []string{
			"login", "< points for bob: 0", "< " + ourRoll, "> board", "? play", "= play", "> move",
			"< " + ourRoll, "< " + ourRoll, ">", "< bob rolls 6 and 2.", "< " + hisRoll, "? -", ">"}},
		{"a hole in the game does not make the same board another question", with(begun(ourRoll), "= play", "> move", "< bob rolls 6 and 2.",
			"lost", "login", "< points for bob: 0", "< "+ourRoll, "> board", "? play", "= play", "> move", "< "+ourRoll, "? -", ">")},
		{"a list that mends the sheet while our move is on its way does not repeat the move", []string{
			"login", "< points for bob: 0", "< " + ourRoll, "> board", "? play", "= play", "> move",
			"< Score is 0-0 in a 5 point match.", "< me is O - bob is X", "< 5 carol - - 1 0 1500.00 0 0 1700000000 host client -",
			"< " + ourRoll, "? -", ">"}},
		{"a board at a score that would have ended the match is ignored", with(begun(ourRoll), "? play",
			"< "+boardLine("5:2", "1:3:1:0:0:1:1:1:0"), "> board", "? play", "= play", "> move", "< "+ourRoll,
			"< "+boardLine("0:7", "1:3:1:0:0:1:1:1:0"), ">", "+ 1s", "> board", ">")},
		{"a connection on which nothing has effect is given up", with(begun(ourTurn), "= roll", "+ 8s", "+ 8s", "+ 8s", "+ 8s", "+ 8s", "!")},
		{"no board follows a dance of the opponent", with(begun(hisRoll), ">", "< bob can't move.", "> board", "< "+ourTurn, "? roll")},
		{"no board follows our own dance", with(begun(ourRoll), "< You can't move.", "> board")},
		{"no board follows a double", with(begun(hisTurn), "< bob doubles. Type 'accept' or 'reject'.", "? take", "= take", "> accept")},
		{"a pending double shows only on the board after a resume", []string{idle,
			"< bob has joined you. Your running match was loaded.", "> board", "< " + doubledUs, "? take", "= drop", "> reject"}},
		{"our own double waits for the answer", with(begun(ourTurn), "= double", "> double",
			"< You double. Please wait for bob to accept or reject.", "< "+doubledHim, "? -", ">")},
		{"the turn field is not believed while a double is pending", []string{idle, "< bob has joined you. Your running match was loaded.", "> board",
			"< " + strings.Replace(doubledUs, ":1:0:0:0:0:1:0:0:1:1", ":-1:0:0:0:0:1:0:0:1:1", 1), "? take"}},
		{"the board's flags allow a double in the Crawford game; we do not", []string{"login", "< " + crawford, "> board", "? -",
			"< It's your turn. Please roll or double", "> roll"}},
		{"a saved unlimited match does not block a new one", []string{
			"login   bob                     unlimited        4 -  2", "< ** You're not playing.",
			"< bob wants to play a 5 point match with you.", "> join bob",
			"< WARNING: Don't accept if you want to continue the saved unlimited match!", ">"}},
		{"of which the server tells too late", []string{idle, "< bob wants to play a 5 point match with you.", "> invite bob",
			"< WARNING: Don't accept if you want to continue the saved unlimited match!",
			"< ** You invited bob to resume a saved match.", "> join bob", ">"}},
		{"a saved unlimited match is resumed when its opponent wants that", []string{
			"login   bob                     unlimited        4 -  2", "< ** You're not playing.",
			"< bob wants to resume a saved match with you.", "> invite bob"}},
		{"an unlimited match goes on at any score", []string{idle, "< bob has joined you. Your running match was loaded.", "> board",
			"< " + strings.Replace(boardLine("524288:0", "1:3:1:0:0:65536:1:0:0"), ":5:", ":9999:", 1), "? play", "= play", "> move"}},
		{"an automatic roll that does not come is made by us", []string{idle, "< bob has joined you. Your running match was loaded.", "> board",
			"< " + hisCube, ">", "? -", "+ 8s", "> roll"}},
		{"a resignation is weighed with the opponent's roll", with(begun(hisTurn), "< bob rolls 6 and 2.",
			"< bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.", "? resign", "at 62 theirs", "= reject", "> reject")},
		{"a resignation is weighed with our roll", with(begun(ourRoll), "? play",
			"< bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.", "? resign", "at 31 ours", "= reject", "> reject")},
		{"a resignation is weighed before a roll", with(begun(hisTurn),
			"< bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.", "? resign", "at 00 theirs")},
		{"a resignation behind our double", with(begun(ourTurn), "= double", "> double", "< You double. Please wait for bob to accept or reject.",
			"< bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.", "? resign", "at 00 ours doubled")},
		{"after a refused resignation the board is asked for", with(begun(ourRoll), "= resign", "> resign n",
			"< You want to resign. bob will win 1 point.", "? -", "< bob rejects. The game continues.", "> board")},
		{"an offer of ours that outlived an interruption is waited for", []string{idle,
			"< bob has joined you. Your running match was loaded.", "> board", "< " + ourTurn, "? roll", "= roll", "> roll",
			"< ** bob hasn't accepted or rejected your resign yet.", "> board", "< " + ourTurn, "? -", ">",
			"< bob rejects. The game continues.", "+ 1s", "> board", "< " + ourTurn, "? roll"}},
		{"an offer of ours made again after an interruption crosses the acceptance of the first", with(begun(ourRoll), "= resign", "> resign n",
			"< You want to resign. bob will win 1 point.", "< bob drops connection. The game was saved.", "> board", "< ** You're not playing.",
			"< bob has joined you. Your running match was loaded.", "+ 1s", "> board", "< "+ourRoll, "? play", "= resign", "> resign n",
			"< bob accepts and wins 1 point.", "< score in 5 point match: me-0 bob-1",
			"< Type 'join' if you want to play the next game, type 'leave' if you don't.", "> join",
			"< ** The game is already over.", "> board", "< ** Please wait for bob to join too.", "< Starting a new game with bob.", "? -")},
		{"a lost answer to a resignation is given again", with(begun(ourTurn),
			"< bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.", "= accept", "> accept",
			"< ** bob wanted to resign. Type 'accept' or 'reject'.", "> accept")},
		{"a double that the server refuses becomes a roll", with(begun(ourTurn), "= double", "> double",
			"< ** The Crawford rule doesn't allow you to double in this game.", "> roll")},
		{"a move the server refuses is thought about again", with(begun(ourRoll), "= play", "> move",
			"< ** You can't move 3 points in your first move.", "> board", "< "+ourRoll, "? play")},
		{"the next game is joined, and a lost join repeated", with(begun(hisRoll), "< bob gives up. You win 1 point.",
			"< score in 5 point match: me-1 bob-0", "< Type 'join' if you want to play the next game, type 'leave' if you don't.",
			"> join", ">", "+ 8s", "> join")},
		{"a board of the game before asks nothing, nor is it an answer to the join", with(begun(ourRoll), "= play", "> move", "< bob gives up. You win 1 point.",
			"< "+ourRoll, ">", "? -", "< score in 5 point match: me-1 bob-0", "< Type 'join' if you want to play the next game, type 'leave' if you don't.",
			"> join", "< "+ourRoll, ">", "? -", "+ 8s", "> board", "> join", "> board", "< Starting a new game with bob.", "< "+ourRoll, "? -",
			"< You rolled 6, bob rolled 3", "< It's your turn to move.", "< "+strings.Replace(atStart("-5:5:0:0:0:-3:0:-5", "1:6:3:0:0:1:1:1:0"), ":5:0:0:", ":5:1:0:", 1), "? play")},
		{"a partner who takes his time to join is waited for", with(begun(hisRoll), "< bob gives up. You win 1 point.",
			"< score in 5 point match: me-1 bob-0", "< Type 'join' if you want to play the next game, type 'leave' if you don't.", "> join",
			"< ** Please wait for bob to join too.", "+ 30s", "> join", "< ** You already did that.", "+ 30s", "> join", "< ** You already did that.",
			"+ 30s", "> join", "< ** You already did that.", "+ 30s", "> join", "< ** You already did that.", "+ 30s", "> join",
			"< ** You already did that.", "< Starting a new game with bob.", ">")},
		{"a match resumed by its summary alone is asked about", with(begun(ourTurn), "= roll", "> roll",
			"< Closed old connection with user bob. The game was saved.", "< turn: bob.", "< match length: 5", "< points for bob: 0",
			"> board", "< "+ourTurn, "> board", "? roll")},
		{"to be told that we are playing is a reason to look", []string{idle, "< bob wants to play a 5 point match with you.", "> invite bob",
			"< ** You are already playing.", "> board", "< " + ourTurn, "> board", "? roll"}},
		{"between games neither player is on turn", []string{"login", "< " + betweenGame, "> board", "> join"}},
		{"a match that the server does not know any more is not waited for", with(begun(ourTurn), "< ** You're not playing.", "> show saved", "? -")},
		{"an opponent who thinks for minutes is only looked at", with(begun(hisTurn), looks(10)...)},
		{"after a resume an offer that no board shows is looked for", []string{idle, "< bob has joined you. Your running match was loaded.", "> board",
			"< " + hisTurn, "+ 30s", "> board", "< " + hisTurn, "+ 30s", "> board", "< " + hisTurn, "+ 30s", "> roll", "> board",
			"< ** bob wanted to resign. Type 'accept' or 'reject'.", "> reject"}},
		{"once the game has gone on after a resume nothing can be hidden", []string{idle, "< bob has joined you. Your running match was loaded.",
			"> board", "< " + hisTurn, "< bob rolls 6 and 2.", "< " + hisRoll, "+ 30s", "> board", "< " + hisRoll, "+ 30s", "> board", "< " + hisRoll,
			"+ 30s", "> board", "< " + hisRoll, ">"}},
		{"every way of saving ends the sitting", with(begun(ourTurn), "< Network error with bob. The game was saved.", "> board", "? -", "= roll", ">")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { dialogue(t, newTable(Options{Name: "me"}), tt.lines) })
	}
}

// TestTable_joinOvertaken: a join that the limit on what is sent still holds back is
// not valid any more once another invitation has taken the place of the one joined.
func TestTable_joinOvertaken(t *testing.T) {
	tests := []struct {
		invitation string
		stale      bool
	}{
		{"bob wants to play a 1 point match with you.", true},
		{"bob wants to play an unlimited match with you.", true},
		{"bob wants to resume a saved match with you.", false},
		{"carol wants to play a 1 point match with you.", false},
	}
	for _, tt := range tests {
		t.Run(tt.invitation, func(t *testing.T) {
			tbl := newTable(Options{Name: "me"})
			dialogue(t, tbl, []string{idle, "< bob wants to resume a saved match with you.", "> invite bob",
				"< ** You invited bob to resume a saved match.", "+ 1s", "> join bob"})
			before := tbl.Generation()
			for _, ev := range (fibs.Protocol{}).Reader().FromServer(tt.invitation) {
				tbl.Event(ev, time.Now())
			}
			if stale := tbl.Generation() != before; stale != tt.stale {
				t.Errorf("the join has gone stale: %v, want %v", stale, tt.stale)
			}
		})
	}
}

// TestTable_untouched: the match that slipped in is known for what it is once it is
// left, also to a table that has read its journal again; one that was played is not.
func TestTable_untouched(t *testing.T) {
	tbl := newTable(Options{Name: "me"})
	dialogue(t, tbl, []string{idle, "< bob wants to play a 3 point match with you.", "> invite bob",
		"< ** There's no saved match with bob. Please give a match length.", "> join bob",
		"< ** You are now playing a 9 point match with bob", "> tellx bob That is not the match length we agreed on.", "> leave",
		"< You terminated the game. The game was saved."})
	if n, ok := tbl.Untouched("bob"); n != 9 || !ok {
		t.Errorf("bob's match: %d points, %v", n, ok)
	}
	if _, ok := tbl.Untouched("carol"); ok {
		t.Error("no match with carol is saved")
	}
	played := newTable(Options{Name: "me"})
	dialogue(t, played, with(weOpen, "< bob doubles. Type 'accept' or 'reject'."))
	played.Leave(time.Now())
	dialogue(t, played, []string{"< You terminated the game. The game was saved."})
	if _, ok := played.Untouched("bob"); ok {
		t.Error("a match in which we moved is called untouched")
	}
}

// A table that leaves a match waits for the server, not for the opponent: a stall counts once.
func TestTable_leavingIsNotWaiting(t *testing.T) {
	tbl := newTable(Options{Name: "me"})
	dialogue(t, tbl, begun(heIsToGo))
	if !tbl.Theirs() {
		t.Fatal("it is not bob's turn")
	}
	if tbl.Leave(time.Now()); tbl.Theirs() {
		t.Error("leaving, the table waits for bob")
	}
}
