package server

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/fibs/clip"
)

// TestBoard_clipReadsIt holds the board line against the client's parser,
// which was written apart from it.
func TestBoard_clipReadsIt(t *testing.T) {
	s := start(t, Options{Seed: 2})
	alice, _ := begin(t, s, "5")
	line := alice.ask("board", "^board:You")
	b, rest, err := clip.ParseBoard(line)
	if err != nil || rest != "" {
		t.Fatalf("%v, rest %q", err, rest)
	}
	// The fields of a board are in the order of the line.
	if read := "board:" + strings.NewReplacer("{", "", "}", "", "[", "", "]", "", " ", ":", "true", "1", "false", "0").Replace(fmt.Sprint(b)); read != line {
		t.Errorf("server  %s\nclip    %s", line, read)
	}
	if b.Length != 5 || b.Opponent != "bob" {
		t.Errorf("%+v", b)
	}
}

func TestChat_everybodyHearsWhatHeShould(t *testing.T) {
	s := start(t, Options{})
	alice, bob := begin(t, s, "3")
	carol := login(t, s, "carol")
	carol.ask("tell al hello there", "^16 alice hello there")
	alice.expect("^12 carol hello there")
	carol.ask("tellx al hello", "There is no one called al")
	carol.ask("tell carol note", "^You say to yourself: note")
	carol.ask("tell bob", "Tell bob what")
	carol.ask("say hi", "'say' can't be used outside a game")
	carol.ask("kibitz hi", "not watching or playing")
	carol.ask("watch alice", "^You're now watching alice.")
	alice.expect("^carol is watching you.")
	bob.expect("^carol starts watching alice.")
	carol.expect("^board:alice:bob:3:")
	carol.ask("kibitz good luck", "^19 good luck")
	carol.expect("2 users heard you")
	alice.expect("^15 carol good luck")
	bob.expect("^15 carol good luck")
	alice.ask("whisper secret plan", "^18 secret plan")
	carol.expect("^14 alice secret plan")
	bob.ask("whisper nobody", "1 user heard you")
	alice.ask("say hi", "^16 bob hi")
	bob.expect("^12 alice hi")
	bob.ask("gag alice", "You gag alice")
	bob.ask("gag", "Gagged users: alice")
	alice.ask("say hi", "bob won't listen to you")
	bob.ask("gag alice", "You ungag alice")
	alice.ask("shout hello all", "^17 hello all")
	bob.expect("^13 alice hello all")
	bob.ask("toggle silent", "You won't hear what other players shout")
	bob.ask("shout x", "Please type 'toggle silent' again before you shout")
	alice.ask("blind carol", "You blind carol")
	carol.expect("alice bans you from watching")
	carol.ask("watch bob", "You can't watch the match between bob and alice")
	carol.ask("unwatch", "You're not watching")
	carol.ask("away lunch", "You're away. Please type 'back'")
	carol.ask("pip", "You're away")
	alice.ask("tell carol there?", "^carol is away: lunch")
	carol.ask("back", "Welcome back")
	carol.ask("message nobody_at_all hi", "Don't know user nobody_at_all")
	carol.ask("message alice hi", "^10 alice")
	alice.expect(`^9 carol \d+ hi`)
	carol.ask("waitfor alice", "'alice' is already logged in")
	carol.ask("wave", "You wave goodbye")
	alice.expect("carol waves goodbye")
	carol.ask("wave", "You wave goodbye again and log out")
	carol.closed()
	dave := login(t, s, "dave")
	dave.ask("waitfor carol", "You'll receive a message when 'carol' logs in")
	carol = dial(t, s)
	carol.send("login tester 1008 carol secret")
	carol.expect("dave is waiting for you")
	dave.expect("FINALLY!!! carol logs in")
}

func TestLobby_reports(t *testing.T) {
	s := start(t, Options{})
	alice, bob := begin(t, s, "3")
	carol := login(t, s, "carol")
	carol.ask("show games", "List of games")
	carol.expect(`^alice +- +bob \(3 point match 0-0\)`)
	carol.ask("rawwho bob", "^5 bob alice - 1 0 1500.00 0 ")
	carol.expect("^6$")
	carol.ask("rawwho nobody_here", "There is no one called nobody_here")
	carol.ask("who playing", "^5 alice bob")
	carol.ask("whois bob", "Information about bob:")
	carol.expect("  bob is playing with alice.")
	carol.expect("  Rating: 1500.00 Experience: 0")
	carol.ask("whois nobody_here", "No information found on user nobody_here")
	carol.ask("look bob", "^board:bob:alice:3:")
	carol.ask("invite bob 3", "bob is already playing with someone else")
	carol.ask("join bob", "Error: bob is already playing with someone else")
	carol.ask("invite carol 3", "can't invite yourself")
	carol.ask("invite", "invite who")
	carol.ask("ratings", "rank name            rating    Experience")
	carol.ask("oldmoves", "usage: oldmoves <name>")
	carol.ask("password secret:newpw:newpw", "Password changed")
	carol.ask("password secret:x:x", "Old password not correct")
	alice.ask("pip", `^Pipcounts: You 167   bob 167`)
	bob.ask("toggle allowpip", "don't allow the use")
	alice.ask("pip", "bob doesn't allow this")
	alice.ask("oldboard bob", "can't do this while playing")
	alice.ask("oldmoves bob", `^Score is 0-0 in a 3 point match\.`)
	alice.expect(`^\w+ is X - \w+ is O`)
	alice.expect(`^[XO]: \(\d \d\) $`)
	alice.ask("invite carol 100", "already playing")
	alice.ask("leave", "You terminated")
	carol.expect("^alice has left the game with bob.")
	alice.ask("oldboard bob", "^board:You:bob:3")
	alice.ask("show savedcount", "^alice has 1 saved game.")
	alice.ask("invite bob 11", "not experienced enough")
	alice.ask("invite bob 100", "can't play a 100 point match")
	alice.ask("invite bob x", "has to be a number or the word 'unlimited'")
	alice.ask("toggle", "The current settings are")
	alice.ask("set timezone Mars/Olympus", "Can't find timezone")
	alice.ask("set timezone Europe/Paris", "set to Europe/Paris")
	alice.ask("b", "You're not playing")
}

// TestQuirks_gluedBoardsAreWhole holds that a board with another text stuck to
// it can be cut again, and that the last text of an event always ends.
func TestQuirks_gluedBoardsAreWhole(t *testing.T) {
	s := start(t, Options{Seed: 4, Quirks: Quirks{Glued: 1, Junk: 1, Seed: 1}})
	alice, bob := begin(t, s, "3")
	alice.send("leave")
	alice.expect("terminated")
	bob.expect("has left")
	glued := 0
	for _, l := range append(alice.log, bob.log...) {
		l = strings.TrimPrefix(l, "S: ")
		if !strings.HasPrefix(l, "board:") {
			continue
		}
		_, rest, err := clip.ParseBoard(l)
		if err != nil {
			t.Errorf("%s: %v", l, err)
		}
		if rest != "" {
			glued++
		}
	}
	if glued > 4 {
		t.Errorf("%d glued boards though each ended its event", glued)
	}
}

// TestQuirks_shortLists: the list of a running game lacks up to three lines at its end, often
// without what closes it; notices come in between. The list of a finished game is whole.
func TestQuirks_shortLists(t *testing.T) {
	s, err := New(Options{Quirks: Quirks{ShortList: 1, Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	g := &GameRecord{Names: []string{"a", "b"}, Winner: -1}
	for n := range 6 {
		g.Actions = append(g.Actions, Action{Kind: Moved, Side: Colour(1 - 2*(n%2)), Roll: [2]int{1 + n, 1}, Done: n < 5})
	}
	whole := g.oldmoves()
	short, open, closed := map[int]int{}, 0, 0
	for range 100 {
		lines, ended := s.heldBack(g)
		closed += bit(ended)
		n := len(lines)
		if n < len(whole) && lines[n-1] == whole[len(whole)-1] {
			open, n = open+1, n-1
		}
		if !slices.Equal(lines[:n], whole[:n]) {
			t.Fatalf("%q is not the beginning of %q", lines, whole)
		}
		short[len(whole)-n]++
	}
	if len(short) != 4 || short[4] > 0 || open == 0 || closed == 0 || closed == 100 {
		t.Errorf("lines missing: %v; %d with the open roll, %d closed", short, open, closed)
	}
	g.Winner = 0
	if lines, ended := s.heldBack(g); len(lines) != len(whole)+1 || !ended {
		t.Errorf("the list of a finished game: %q", lines)
	}
}

// TestQuirks_noBoardButNotices: a resumed match begins without a board, and notices come before
// answers.
func TestQuirks_noBoardButNotices(t *testing.T) {
	s := start(t, Options{Seed: 4, NoAutoResume: true, Quirks: Quirks{NoBoard: 1, Notice: 1, Seed: 1}})
	alice, bob := begin(t, s, "3")
	alice.ask("leave", `^\*\*\* All running games will be saved\.`)
	alice.expect("terminated")
	bob.expect("has left")
	alice.ask("invite bob", "to resume a saved match")
	seen := len(alice.log)
	bob.ask("join alice", "Your running match was loaded")
	alice.expect("points for bob")
	bob.ask("oldmoves alice", `^\*\*\* All`)
	bob.expect("^Score is")
	bob.expect(`^\*\*\* All`)
	bob.expect("is X")
	for _, l := range alice.log[seen:] {
		if strings.HasPrefix(l, "S: board:") {
			t.Errorf("a board came: %s", l)
		}
	}
}

// TestClosing: before an announced end a right login is answered like a wrong one.
func TestClosing(t *testing.T) {
	s := start(t, Options{Accounts: map[string]string{"alice": "secret"}, Closing: time.Minute})
	for _, tt := range []struct {
		in   time.Duration
		open bool
	}{{2 * time.Minute, true}, {30 * time.Second, false}, {0, true}} {
		s.Announce(true, tt.in)
		c := dial(t, s)
		if tt.open {
			c.ask("login tester 1008 alice secret", "^1 alice")
			c.send("bye")
			continue
		}
		c.ask("login tester 1008 alice secret", "^login: .+") // the first prompt, and the answer
	}
}

// TestCommands_randomLinesNeverStopTheServer sends sensible and senseless
// commands in any order from two players at a table.
func TestCommands_randomLinesNeverStopTheServer(t *testing.T) {
	s := start(t, Options{Seed: 8, Data: t.TempDir()})
	rng := rand.New(rand.NewPCG(1, 2))
	names := []string{"alice", "bob", "carol"}
	words := []string{"alice", "bob", "carol", "nobody", "5", "1", "99", "unlimited", "n", "g", "b", "24-18", "13-11", "bar-20", "6-off", "ready", "automove", "greedy", "boardstyle", "3", "saved", "", "%s%n", "a:b"}
	var cs []*client
	for _, n := range names {
		c := login(t, s, n)
		c.ask("toggle ready", "ready")
		go func() {
			for {
				if _, err := c.r.ReadString('\n'); err != nil {
					return
				}
			}
		}()
		cs = append(cs, c)
	}
	for range 3000 {
		cmd := commands[rng.IntN(len(commands))].name
		if cmd == "bye" || cmd == "wave" || cmd == "password" {
			cmd = "join"
		}
		for range rng.IntN(4) {
			cmd += " " + words[rng.IntN(len(words))]
		}
		if _, err := cs[rng.IntN(len(cs))].sock.Write([]byte(cmd + "\r\n")); err != nil {
			t.Fatal(err)
		}
	}
	dave := login(t, s, "dave")
	dave.ask("who count", "There are 4 users")
	if err := s.flush(); err != nil {
		t.Error(err)
	}
	for _, r := range s.Matches() {
		checkRecord(t, r)
	}
}

// FuzzCommand feeds lines to a user at a table without a network.
func FuzzCommand(f *testing.F) {
	for _, c := range commands {
		f.Add(c.name + " bob 5")
		f.Add(c.name)
	}
	f.Add("24-18 13-11")
	f.Add("set boardstyle -1")
	f.Add("ratings from 1 to 99999999999")
	f.Fuzz(func(t *testing.T, line string) {
		s, users := offline(t)
		if len(line) > maxLine {
			line = line[:maxLine]
		}
		for _, u := range users {
			s.handle(t.Context(), u.conn, line)
			s.handle(t.Context(), u.conn, "board")
		}
		for _, r := range s.Matches() {
			checkRecord(t, r)
		}
	})
}

// A person at a terminal sees one prompt behind each answer, and behind a line
// that has none.
func TestTelnet_onePromptALine(t *testing.T) {
	c := dial(t, start(t, Options{}))
	c.sock.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(c.sock, "alice\r\nsecret\r\nshow saved\r\n\r\nbye\r\n"); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(c.r)
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(all), "authenticated.")
	if !found {
		t.Fatalf("no login: %q", all)
	}
	_, after, _ = strings.Cut(after, "> ")
	if want := "no saved games.\r\n> > "; !strings.HasPrefix(after, want) || strings.HasPrefix(after, want+"> ") {
		t.Errorf("after the first prompt %q, want %q for an answer and an empty line", after, want)
	}
}
