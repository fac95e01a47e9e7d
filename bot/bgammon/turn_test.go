package bgammon

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
	"fibsbot/engine/board"
)

// script is a server whose lines a test writes.
type script struct {
	t     *testing.T
	conn  net.Conn
	heard chan string
	link  *link
}

// scripted logs a link in on a script.
func scripted(t *testing.T) *script {
	t.Helper()
	return scriptedAs(t, "BOT_us", Protocol{})
}

func scriptedAs(t *testing.T, name string, p Protocol) *script {
	t.Helper()
	ours, theirs := net.Pipe()
	s := &script{t: t, conn: theirs, heard: make(chan string, 1000)}
	go func() {
		defer close(s.heard)
		for sc := bufio.NewScanner(theirs); sc.Scan(); {
			s.heard <- sc.Text()
		}
	}()
	go func() {
		s.write("hello")
		s.write(`{"Type":"welcome","PlayerName":"` + name + `"}`)
	}()
	var err error
	s.link, err = p.dial(t.Context(), client.Options{Name: name, Person: p.Person, Gap: -1, ChatGap: -1, Goodbye: time.Millisecond,
		Dialer: func(context.Context, string, string) (net.Conn, error) { return ours, nil }})
	if err != nil {
		t.Fatal(err)
	}
	s.events() // of the login
	s.expect("lj fibsbot/en "+name, "ls")
	return s
}

func (s *script) close() {
	_ = s.link.Close()
	_ = s.conn.Close()
}

func (s *script) write(line string) {
	if _, err := fmt.Fprintln(s.conn, line); err != nil {
		s.t.Error(err)
	}
}

// says writes lines and returns the events that the link derives from them.
func (s *script) says(lines ...string) (events []protocol.Event) {
	s.t.Helper()
	for _, l := range lines {
		s.write(l)
		events = append(events, s.events()...)
	}
	return events
}

func (s *script) events() (events []protocol.Event) {
	s.t.Helper()
	for {
		synctest.Wait()
		select {
		case e, open := <-s.link.Events():
			if !open {
				s.t.Fatal(s.link.Err())
			}
			events = append(events, e)
			continue
		default:
		}
		return events
	}
}

// sends hands a command over, as for a state that still stands.
func (s *script) sends(c protocol.Command) {
	s.t.Helper()
	if err := s.link.Send(c, func() bool { return true }); err != nil {
		s.t.Error(err)
	}
}

// expect compares what has been sent since the last time.
func (s *script) expect(want ...string) {
	s.t.Helper()
	synctest.Wait()
	var got []string
	for len(s.heard) > 0 {
		got = append(got, <-s.heard)
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("sent %q, want %q", got, want)
	}
}

// at is a board as the server writes it, of a turn on which hops were made from the
// position p. available are the hops that are left.
func at(p [wire.Places]int, turn, die1, die2 int, hops, available [][2]int, opponent string) string {
	for _, h := range hops {
		p[h[0]]--
		p[h[1]]++
	}
	seat := func(name string) map[string]any { return map[string]any{"Name": name} }
	line, err := json.Marshal(map[string]any{"Type": "board", "Started": 1, "Player1": seat("BOT_us"), "Player2": seat(opponent),
		"Board": p, "Turn": turn, "Roll1": die1, "Roll2": die2, "Points": 3, "DoubleValue": 1, "Moves": hops, "Available": available})
	if err != nil {
		panic(err)
	}
	return string(line)
}

// opening is the board of a game's first turn.
var opening = [wire.Places]int{1: -2, 6: 5, 8: 3, 12: -5, 13: 5, 17: -3, 19: -5, 24: 2}

func move(text string) protocol.Move {
	steps, err := board.ParseSteps(text)
	if err != nil {
		panic(text)
	}
	return protocol.Move{Steps: steps, Down: true}
}

type hops = [][2]int

// aces are the hops with a one at the opening position.
var aces = hops{{24, 23}, {8, 7}, {6, 5}}

// TestTurn_decidedAgain: while a play is on its way, the account decides once more, as
// after a look at the board: the same play is not sent twice, and of another one nothing
// is mixed with it.
func TestTurn_decidedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(t)
		defer s.close()
		s.says(at(opening, 1, 1, 1, nil, aces, "bob"))
		s.sends(move("8/7 8/7 6/5 6/5"))
		s.expect("move 8/7")
		s.sends(move("8/7 8/7 6/5 6/5"))
		s.expect()
		s.says(at(opening, 1, 1, 1, hops{{8, 7}}, hops{{24, 23}, {8, 7}, {7, 6}, {6, 5}}, "bob"))
		s.expect("move 8/7")
		s.sends(move("8/7 8/7 6/5 6/5"))
		s.sends(move("24/23 24/23 6/5 6/5")) // another
		s.expect()
		s.says(at(opening, 1, 1, 1, hops{{8, 7}, {8, 7}}, hops{{24, 23}, {6, 5}}, "bob"))
		s.expect("reset")
		s.says(at(opening, 1, 1, 1, nil, aces, "bob"))
		play, made := hops{{24, 23}, {24, 23}, {6, 5}, {6, 5}}, hops(nil)
		for _, h := range play {
			s.expect(fmt.Sprintf("move %d/%d", h[0], h[1]))
			made = append(made, h)
			available := aces
			if len(made) == 4 {
				available = nil
			}
			s.says(at(opening, 1, 1, 1, made, available, "bob"))
		}
		s.expect("ok")
		s.sends(move("8/7 8/7 6/5 6/5"))
		s.expect()
		s.says(at(opening, 2, 0, 0, nil, nil, "bob"))
		s.expect()
	})
}

// TestTurn_theOpponentLeaves in the middle of our turn: the server takes no hop without
// him, the play is taken back, and when he is back a whole play is made.
func TestTurn_theOpponentLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(t)
		defer s.close()
		s.says(at(opening, 1, 3, 1, nil, hops{{8, 5}, {6, 5}}, "bob"))
		s.sends(move("8/5 6/5"))
		s.expect("move 8/5")
		s.says(at(opening, 1, 3, 1, hops{{8, 5}}, hops{{6, 5}}, "bob"))
		s.expect("move 6/5")
		evs := s.says(`{"Type":"left","Player":"bob"}`, `{"Type":"failedmove","Reason":"You may not move until your opponent rejoins the match."}`)
		s.expect("reset")
		if !slices.ContainsFunc(evs, func(e protocol.Event) bool { return e.Kind == protocol.OpponentGone && e.Name == "bob" }) {
			t.Errorf("the empty seat was not reported: %v", evs)
		}
		s.sends(protocol.Tell{Name: "bob", Text: "Are you there?"})
		s.expect()
		for _, e := range s.says(at(opening, 1, 3, 1, nil, hops{{8, 5}, {6, 5}}, "")) {
			if e.Kind == protocol.NoMatch {
				t.Error("the match is taken for one that is gone")
			}
		}
		s.says(`{"Type":"joined","Player":"bob","GameID":1,"PlayerNumber":2}`, at(opening, 1, 3, 1, nil, hops{{8, 5}, {6, 5}, {24, 23}}, "bob"))
		s.expect()
		s.sends(move("24/23 13/10"))
		s.expect("move 24/23")
	})
}

// TestTurn_okIsRefusedInWords: without the opponent the server answers ok with a notice
// alone; it is said again when he is back.
func TestTurn_okIsRefusedInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(t)
		defer s.close()
		s.says(at(opening, 1, 3, 1, nil, hops{{8, 5}, {6, 5}}, "bob"))
		s.sends(move("8/5 6/5"))
		s.says(at(opening, 1, 3, 1, hops{{8, 5}}, hops{{6, 5}}, "bob"), at(opening, 1, 3, 1, hops{{8, 5}, {6, 5}}, nil, "bob"))
		s.expect("move 8/5", "move 6/5", "ok")
		s.says(`{"Type":"left","Player":"bob"}`, `{"Type":"notice","Message":"Bitte warten."}`)
		s.expect()
		s.says(`{"Type":"joined","Player":"bob","GameID":1,"PlayerNumber":2}`, at(opening, 1, 3, 1, hops{{8, 5}, {6, 5}}, nil, "bob"))
		s.expect("ok")
	})
}

// TestTurn_withoutAPlay: so it is where no play is legal; the board that comes with the opponent is the
// one before.
func TestTurn_withoutAPlay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(t)
		defer s.close()
		s.says(at(opening, 1, 6, 5, nil, nil, "bob"))
		s.expect("ok")
		s.says(`{"Type":"left","Player":"bob"}`, `{"Type":"notice","Message":"Bitte warten."}`)
		s.expect()
		s.says(`{"Type":"joined","Player":"bob","GameID":1,"PlayerNumber":2}`, at(opening, 1, 6, 5, nil, nil, "bob"))
		s.expect("ok")
	})
}

// TestTurn_oneRoll: whatever looks at the board there are, a roll is sent once, and none
// where the board shows our dice.
func TestTurn_oneRoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(t)
		defer s.close()
		s.says(at(opening, 0, 0, 0, nil, nil, "bob"))
		s.sends(protocol.Next{})
		s.sends(protocol.Next{})
		s.expect("roll")
		s.says(`{"Type":"rolled","Player":"BOT_us","Roll1":4,"Roll2":0}`)
		s.sends(protocol.Next{})
		s.expect()
		if evs := s.events(); len(evs) != 1 || evs[0].Kind != protocol.AlreadyDone {
			t.Errorf("told %v, want that it is done", evs)
		}
		evs := s.says(`{"Type":"left","Player":"bob"}`, `{"Type":"joined","Player":"bob","GameID":1,"PlayerNumber":2}`, at(opening, 0, 4, 0, nil, nil, "bob"))
		if last := evs[len(evs)-1]; last.Kind != protocol.WaitJoin {
			t.Errorf("told %v, want that the opponent has to roll", evs)
		}
	})
}

// TestLink_logsOut: the server says that we have left, and keeps our seat.
func TestLink_logsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(t)
		defer s.close()
		s.says(at(opening, 1, 3, 1, nil, aces, "bob"), `{"Type":"left","Player":"bob"}`)
		s.sends(protocol.Bye{})
		s.expect("disconnect")
		if evs := s.says(`{"Type":"left","Player":"BOT_us"}`); len(evs) != 1 || evs[0].Kind != protocol.Other {
			t.Errorf("told %v, want nothing of the match", evs)
		}
	})
}
