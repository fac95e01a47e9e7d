package server

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

func TestLogin_clipAnswersInFIBSOrder(t *testing.T) {
	s := start(t, Options{Now: func() time.Time { return time.Unix(1700000000, 0) }})
	c := dial(t, s)
	c.send("login tester 1008 alice secret")
	c.expect("^6$")
	var got []string
	for _, l := range c.log {
		l = strings.TrimPrefix(l, "S: ")
		if regexp.MustCompile(`^(\d|login: )`).MatchString(l) {
			got = append(got, l)
		}
	}
	want := []string{
		"login: ",
		"1 alice 1700000000 127.0.0.1",
		"2 alice 1 1 0 0 0 0 1 1 0 0 1 0 1 1500.00 0 0 0 1 0 UTC",
		"3", "4",
		"5 alice - - 0 0 1500.00 0 0 1700000000 127.0.0.1 tester -",
		"6",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLogin_badOnesGetAnotherPromptAndNoReason(t *testing.T) {
	s := start(t, Options{Accounts: map[string]string{"alice": "secret"}})
	for _, line := range []string{
		"login tester 1008 alice wrong", "login tester 1008 nobody_here secret",
		"login a_client_name_that_is_too_long 1008 alice secret", "login tester x alice secret",
	} {
		c := dial(t, s)
		c.send("%s", line)
		c.expect(`^login: .+`)
		c.send("login tester 1008 alice secret")
		c.expect("^1 alice")
		c.send("bye")
		c.closed()
	}
	c := dial(t, s)
	for range maxLoginTries {
		c.send("login tester 1008 alice wrong")
	}
	c.expect("Too many failed logins")
	c.closed()
}

func TestGuest_registersAndLogsIn(t *testing.T) {
	s := start(t, Options{Accounts: map[string]string{"alice": "secret"}})
	c := dial(t, s)
	c.ask("guest", "^(login: )?Welcome to FIBS. You just logged in as guest.")
	c.ask("name alice", "already used by someone else")
	c.ask("name bad1name", "only contain letters")
	c.ask("name "+strings.Repeat("x", 21), "at most 20 characters")
	c.ask("name You", "already used")
	c.ask("name frank", "Your name will be frank")
	c.ask("abc", "Minimal password length is 4")
	c.ask("ab:cd", "may not contain ':'")
	c.ask("frankpw", "")
	c.ask("mistyped", "")
	c.ask("frankpw", "not identical")
	c.ask("frankpw", "You are registered")
	c.send("bye")
	c.closed()
	d := dial(t, s)
	d.ask("login tester 1008 frank frankpw", "^1 frank")
}

func TestTelnet_twoPeoplePlayWithPictures(t *testing.T) {
	s := start(t, Options{Accounts: map[string]string{"ann": "secret", "ben": "secret"}, Seed: 3})
	var people []*client
	for i, name := range []string{"ann", "ben"} {
		c := dial(t, s)
		c.send("%s", name)
		c.send("secret")
		c.expect("User " + name + " authenticated")
		c.ask("set boardstyle "+string(rune('1'+i)), "set to")
		c.ask("toggle ready", "now ready")
		people = append(people, c)
	}
	people[0].ask("invite ben 1", "You invited ben")
	people[1].expect("Type 'join ann'")
	people[1].ask("join ann", "You are now playing a 1 point match")
	for _, c := range people {
		c.expect(`13 14 15 16 17 18 +19 20 21 22 23 24|12 11 10  9  8  7 +6  5  4  3  2  1`)
		c.expect(`1-point match`)
		c.expect(`BAR: O-0 X-0   OFF: O-0 X-0   Cube: 1   turn: \w+ \([OX]\), dice: \d \d`)
	}
	people[0].ask("who", "^(> )*No  S  username")
	people[0].expect(`P  ann`)
	people[0].ask("nonsense", `Unknown command: 'nonsense'`)
	people[0].ask("leave", "You terminated the game")
	people[1].expect("Player ann has left the game. The game was saved.")
}

// fixedDice gives the rolls of a test, then 2-1 for ever.
type fixedDice struct {
	mu    sync.Mutex
	rolls [][2]int
}

func (d *fixedDice) Swap() bool { return true } // so that the inviter starts as O

func (d *fixedDice) Roll() (int, int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.rolls) == 0 {
		return 2, 1
	}
	r := d.rolls[0]
	d.rolls = d.rolls[1:]
	return r[0], r[1]
}

func withDice(rolls ...[2]int) func(string, string, int) Dice {
	d := &fixedDice{rolls: rolls}
	return func(string, string, int) Dice { return d }
}

func TestCube_takeAndDropTexts(t *testing.T) {
	s := start(t, Options{Dice: withDice([2]int{6, 1}, [2]int{3, 2})})
	alice, bob := begin(t, s, "5")
	alice.ask("double", "only double before you roll")
	alice.ask("move 13-7 8-7", "^board:You:bob")
	bob.expect("Please roll or double")
	alice.ask("roll", "not your turn to roll")
	alice.ask("double", "Please wait until bob has moved")
	bob.ask("accept", "alice didn't double or resign")
	bob.ask("double", "You double. Please wait for alice to accept or reject.")
	alice.expect("bob doubles. Type 'accept' or 'reject'.")
	bob.ask("roll", "alice hasn't responded to your double yet")
	bob.ask("double", "not your turn to double")
	v := readView(t, alice.ask("board", "^board:You"))
	if !v.doubled || v.bothFlags != 0 || v.turn != v.me || v.cube != 1 {
		t.Errorf("board of a pending double: %+v", v)
	}
	if v := readView(t, bob.ask("board", "^board:You")); v.doubled || v.turn == v.me {
		t.Errorf("the doubler's board: %+v", v)
	}
	alice.ask("accept", "You accept the double. The cube shows 2.")
	bob.expect("alice accepts the double. The cube shows 2.")
	bob.expect("You roll 3 and 2")
	bob.expect("Please move 2 pieces")
	bob.ask("resign n", "You want to resign. alice will win 2 points.")
	bob.ask("resign g", "You already did that")
	bob.ask("move 12-14 12-15", "alice hasn't accepted or rejected your resign yet")
	alice.expect("bob wants to resign. You will win 2 points. Type 'accept' or 'reject'.")
	alice.ask("roll", "bob wanted to resign. Type 'accept' or 'reject'.")
	alice.ask("reject", "You reject. The game continues.")
	bob.expect("alice rejects. The game continues.")
	bob.ask("resign g", "alice will win 4 points")
	alice.ask("accept", "You accept and win 4 points.")
	alice.expect("score in 5 point match: alice-4 bob-0")
	bob.expect("score in 5 point match: bob-0 alice-4")
	alice.ask("join", "Please wait for bob to join too")
	bob.ask("join", "Starting a new game with alice")
	// 4-0 in 5 points: the Crawford game. FIBS rolls by itself.
	r := s.Matches()[0]
	if len(r.Games) != 2 || !r.Games[1].Crawford || r.Games[0].O == r.Games[1].O {
		t.Errorf("second game %+v", r.Games[len(r.Games)-1])
	}
	checkRecord(t, r)
}

func TestCube_redoublesInUnlimitedMatches(t *testing.T) {
	s := start(t, Options{Dice: withDice([2]int{6, 1}, [2]int{3, 2})})
	alice, bob := login(t, s, "alice"), login(t, s, "bob")
	for _, c := range []*client{alice, bob} {
		c.ask("toggle ready", "now ready")
		c.ask("set redoubles 2", "set to 2")
	}
	alice.ask("invite bob unlimited", "unlimited match")
	bob.ask("join alice", "You are now playing an unlimited match")
	alice.ask("move 13-7 8-7", "^board")
	bob.expect("Please roll or double")
	bob.ask("double", "Please wait for alice to accept, reject or redouble.")
	alice.expect("bob doubles. Type 'accept', 'reject' or 'redouble'.")
	alice.ask("raccoon", "This redouble is not a raccoon. Please type 'beaver' or 'redouble'.")
	alice.ask("beaver", "You accept the double to 4 and redouble.")
	bob.expect("alice redoubles to 4. Type 'accept', 'reject' or 'redouble'.")
	bob.ask("raccoon", "You accept the double to 8 and redouble.")
	alice.expect("bob redoubles to 8. Type 'accept' or 'reject'.")
	alice.ask("otter", "not allowed to redouble")
	alice.ask("accept", "You accept the redouble. The cube shows 8.")
	bob.expect("You roll 3 and 2")
	bob.ask("leave", "terminated")
	if got := bob.ask("show saved", `alice +unlimited`); !strings.Contains(got, "unlimited") {
		t.Error(got)
	}
}

func TestCrawford_noDoubleAndNoQuestion(t *testing.T) {
	s := start(t, Options{Dice: withDice([2]int{6, 1})})
	alice, bob := begin(t, s, "2")
	alice.ask("resign n", "bob will win 1 point")
	bob.ask("accept", "You accept and win 1 point.")
	alice.send("join")
	bob.ask("join", "Starting a new game")
	// The opening is 2-1 with alice first; bob is asked nothing afterwards.
	alice.expect("^board:You:bob:2:0:1:.*:2:1:0:0:1:1:1:0:")
	v := readView(t, alice.ask("board", "^board:You"))
	alice.send("move %s", formatSteps(v.me, v.layout.plays(v.me, v.mine, 1)[0].steps))
	bob.expect("You roll 2 and 1")
	bob.ask("double", `can only double before you roll`)
	bob.ask("resign n", "You want to resign")
	alice.ask("accept", "You accept and win 1 point")
	alice.send("join")
	bob.ask("join", "Starting a new game")
	if r := s.Matches()[0]; r.Games[2].Crawford {
		t.Error("a second Crawford game")
	}
}

func TestInvite_newLengthWarnsAndReplacesTheSavedMatch(t *testing.T) {
	s := start(t, Options{})
	alice, bob := begin(t, s, "5")
	alice.ask("leave", "You terminated the game")
	bob.expect("Player alice has left the game. The game was saved.")
	alice.ask("invite bob", "You invited bob to resume a saved match")
	bob.expect("alice wants to resume a saved match with you")
	bob.ask("join alice", "You are now playing with alice. Your running match was loaded.")
	bob.expect("match length: 5")
	alice.expect("bob has joined you. Your running match was loaded.")
	alice.expect("^board:You")
	alice.ask("leave", "You terminated")
	alice.ask("invite bob 3", "3 point match")
	bob.expect("WARNING: Don't accept if you want to continue the saved 5 point match!")
	bob.ask("join alice", "You are now playing a 3 point match with alice")
	all := s.Matches()
	if len(all) != 2 || !all[0].Replaced || all[1].Length != 3 {
		t.Errorf("%+v", all)
	}
}

func TestDrop_matchIsSavedAndGoesOnByItself(t *testing.T) {
	s := start(t, Options{Seed: 5})
	alice, bob := begin(t, s, "3")
	if !s.DropUser("bob") {
		t.Fatal("bob is not on line")
	}
	bob.closed()
	alice.expect("^bob drops connection. The game was saved.")
	again := login(t, s, "bob")
	alice.expect("^bob has joined you. Your running match was loaded.")
	alice.expect("^board:You:bob:3")
	again.ask("board", "^board:You:alice:3")
	// A second login takes the seat of the first.
	third := dial(t, s)
	third.send("login tester 1008 bob secret")
	third.expect("Warning: You are already logged in")
	third.expect("You are now playing with alice. Your running match was loaded.")
	again.expect("logged in a second time")
	alice.expect("Closed old connection with user bob. The game was saved.")
	alice.expect("bob has joined you")
}

func TestOnLine_hookDropsAtTheChosenLine(t *testing.T) {
	fate := func(_ context.Context, user, line string, _ int) Fate {
		switch {
		case user == "bob" && strings.HasPrefix(line, "kibitz cut"):
			return DropAfter
		case user == "bob" && strings.HasPrefix(line, "kibitz lose"):
			return Swallow
		case user == "alice" && line == "pip":
			return Drop
		}
		return Carry
	}
	s := start(t, Options{OnLine: fate})
	alice, bob := begin(t, s, "3")
	bob.send("kibitz lose this")
	bob.send("kibitz keep this")
	if got := alice.expect("^15 bob"); got != "15 bob keep this" {
		t.Error(got)
	}
	bob.send("kibitz cut now")
	alice.expect("^15 bob cut now")
	alice.expect("bob drops connection")
	bob.closed()
	alice.send("pip")
	alice.closed()
}

func TestRestart_accountsAndMatchesSurvive(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	s, stop := startStoppable(t, Options{Data: dir, Seed: 9})
	alice, bob := begin(t, s, "7")
	alice.ask("address alice@example.com", "Your email address")
	carol := login(t, s, "carol")
	carol.send("bye")
	carol.closed()
	alice.ask("message carol see you", "^11 carol")
	board := alice.ask("board", "^board:You")
	stop()
	alice.expect(`\*\*\* ATTENTION ! FIBS will shut down`)
	bob.closed()
	data, err := os.ReadFile(filepath.Join(dir, DatabaseFile))
	if err != nil || !strings.Contains(string(data), "$argon2id$") || strings.Contains(string(data), "secret") {
		t.Fatalf("database: %v, or it holds the password", err)
	}

	s, stop = startStoppable(t, Options{Data: dir, Accounts: map[string]string{"dave": "secret"}})
	defer stop()
	alice, bob = login(t, s, "alice"), login(t, s, "bob")
	alice.ask("show saved", `\*bob +7 `)
	alice.ask("toggle ready", ".")
	alice.ask("toggle ready", "now ready")
	alice.ask("invite bob", "to resume a saved match")
	bob.ask("join alice", "Your running match was loaded")
	if got := alice.expect("^board:You"); got != board {
		t.Errorf("board after the restart\n%s\nbefore\n%s", got, board)
	}
	carol = dial(t, s)
	carol.send("login tester 1008 carol secret")
	carol.expect(`^9 alice \d+ see you`)
}

func TestIdle_usersAreDroppedByTheServersClock(t *testing.T) {
	var mu sync.Mutex
	now := time.Unix(1700000000, 0)
	s := start(t, Options{Now: func() time.Time { mu.Lock(); defer mu.Unlock(); return now }})
	alice, bob := begin(t, s, "3")
	mu.Lock()
	now = now.Add(59 * time.Minute)
	mu.Unlock()
	alice.ask("time", "UTC")
	mu.Lock()
	now = now.Add(2 * time.Minute)
	mu.Unlock()
	s.Sweep()
	bob.expect("^Connection timed out.")
	bob.closed()
	alice.expect("^Connection with bob timed out. The game was saved.")
}

func TestHostile_clientsHarmNobodyElse(t *testing.T) {
	s := start(t, Options{MaxConns: 20})
	alice, bob := begin(t, s, "3")

	long := dial(t, s) // a line without end
	go func() {
		junk := []byte(strings.Repeat("x", 1<<16))
		for range 100 {
			if _, err := long.sock.Write(junk); err != nil {
				return
			}
		}
	}()
	long.closed()

	deaf := login(t, s, "deaf") // asks and never reads
	deaf.sock.(*net.TCPConn).SetReadBuffer(4096)
	deaf.sock.SetWriteDeadline(time.Now().Add(patience))
	for range 60000 {
		if _, err := deaf.sock.Write([]byte("help\r\n")); err != nil {
			break
		}
		if !has(s.Users(), "deaf") {
			break
		}
	}
	deaf.sock.Close()

	odd := dial(t, s)
	odd.sock.Write([]byte("\xff\xfb\x01\xff\xfa\x18\x00\xff\xf0log\bgin tester 1008 odd secret\r\n"))
	odd.expect("^1 odd")

	var many []*client
	for range 20 {
		many = append(many, dial(t, s))
	}
	many[19].expect("Too many connections")

	alice.ask("kibitz still here", "^19 still here")
	bob.expect("^15 alice still here")
}

func TestServe_secondTimeIsRefused(t *testing.T) {
	s, stop := startStoppable(t, Options{})
	stop()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(context.Background(), ln); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
}
