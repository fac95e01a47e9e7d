package bgammon

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
)

// seen is a board of a match that others play, cleo in sight.
func seen(p [wire.Places]int, turn, die1, die2 int, hops hops, names ...string) string {
	line := at(p, turn, die1, die2, hops, nil, names[1])
	line = strings.Replace(line, `"Name":"BOT_us"`, `"Name":"`+names[0]+`"`, 1)
	return strings.TrimSuffix(line, "}") + `,"Spectating":true}`
}

// spectator is a person who has the list of one full match, one open and one with a password.
func spectator(t *testing.T) *script {
	t.Helper()
	s := scriptedAs(t, "Guest_us", Protocol{Person: true})
	evs := s.says(`{"Type":"list","Games":[{"ID":1,"Points":3,"Players":2,"Name":"cleo's match"},{"ID":2,"Points":3,"Players":1,"Name":"dora's match"},` +
		`{"ID":3,"Points":3,"Players":2,"Password":true,"Name":"emil's match"},{"ID":4,"Points":3,"Players":2,"Name":"come in"},{"ID":5,"Points":3,"Players":2,"Name":"Boris' match"}]}`)
	var got []string
	for _, e := range evs {
		if e.User != nil {
			got = append(got, fmt.Sprint(e.User.Name, " ", e.User.Opponent))
		}
	}
	if all := strings.Join(got, ", "); all != "dora , cleo …, Boris …" {
		t.Errorf("listed: %s", all)
	}
	return s
}

// told are the kinds of events with their names.
func told(evs []protocol.Event) string {
	var out []string
	for _, e := range evs {
		switch {
		case e.Kind == protocol.Other:
		case e.User != nil:
			out = append(out, fmt.Sprintf("user %s/%s", e.User.Name, e.User.Opponent))
		default:
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s", e.Kind, e.Name)))
		}
	}
	return strings.Join(out, ", ")
}

// TestSpectate: a watched match is told in the third person by whole turns, and no command that the
// server would take for a player's is sent. Another choice leaves the match first.
func TestSpectate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := spectator(t)
		defer s.close()
		s.sends(protocol.Watch{Name: "cleo"})
		s.expect("join cleo")
		tell := func(want string, lines ...string) {
			t.Helper()
			if got := told(s.says(lines...)); got != want {
				t.Errorf("%v: %s, want %s", lines, got, want)
			}
		}
		tell("YouWatch cleo, user cleo/bob, user bob/cleo, BoardLine",
			`{"Type":"joined","Player":"Guest_us","GameID":1,"PlayerNumber":1}`, seen(opening, 1, 3, 1, nil, "cleo", "bob"))
		for _, c := range []protocol.Command{protocol.Roll{}, protocol.Double{}, protocol.Take{}, protocol.Drop{}, protocol.Resign{Games: 1}, protocol.Leave{}, move("8/5 6/5")} {
			s.sends(c)
		}
		s.expect()
		tell("", seen(opening, 1, 3, 1, hops{{8, 5}}, "cleo", "bob"))
		tell("BoardLine", seen(opening, 2, 0, 0, nil, "cleo", "bob"))
		tell("GameOver bob", `{"Type":"win","Player":"bob","Points":1,"Resigned":"cleo"}`)
		s.sends(protocol.AskBoard{})
		s.expect("board")
		tell("user bob/", `{"Type":"left","Player":"bob"}`)
		tell("", seen(opening, 2, 0, 0, nil, "cleo", ""))
		tell("user cleo/bob, user bob/cleo, BoardLine", seen(opening, 2, 2, 1, nil, "cleo", "bob"))
		s.sends(protocol.Watch{Name: "dora"}) // it is open: to join it would be to play
		s.expect()
		if got := told(s.events()); got != "PlaysNothing dora" {
			t.Errorf("an open match: %s", got)
		}
		s.sends(protocol.Watch{Name: "Boris"})
		s.expect("leave")
		tell("", seen(opening, 1, 6, 5, nil, "cleo", "bob"), `{"Type":"left","Player":"Guest_us"}`)
		s.expect("join Boris")
		tell("YouWatch Boris, user Boris/anna, user anna/Boris, BoardLine", seen(opening, 1, 4, 1, nil, "Boris", "anna"))
		over := strings.Replace(seen(opening, 1, 0, 0, nil, "Boris", "anna"), `"Player1":{"Name":"Boris"}`, `"Player1":{"Name":"Boris","Points":3}`, 1)
		tell("MatchOver Boris", over)
		tell("user anna/, YouUnwatch Boris", `{"Type":"left","Player":"anna"}`)
		s.expect("leave")
		s.sends(protocol.Open{Length: 3})
		s.expect()
		tell("", `{"Type":"left","Player":"Guest_us"}`)
		s.expect("create public 3 0")
	})
}

// TestSpectate_refused: a match that cannot be watched, and a seat that is given instead of a view.
func TestSpectate_refused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := spectator(t)
		defer s.close()
		s.sends(protocol.Watch{Name: "cleo"})
		evs := s.says(`{"Type":"failedjoin","Reason":"Match not found."}`)
		if len(evs) != 1 || evs[0].Kind != protocol.NoSuchPlayer || evs[0].Name != "cleo" || evs[0].Text != "Match not found." {
			t.Errorf("refused: %+v", evs)
		}
		s.sends(protocol.Watch{Name: "cleo"})
		s.expect("join cleo", "join cleo")
		mine := strings.Replace(at(opening, 0, 0, 0, nil, nil, "cleo"), "BOT_us", "Guest_us", 1)
		if got := told(s.says(mine)); got != "NoSuchPlayer cleo" {
			t.Errorf("a seat: %s", got)
		}
		s.expect("leave")
		if got := told(s.says(mine, `{"Type":"left","Player":"Guest_us"}`)); got != "" {
			t.Errorf("leaving the seat: %s", got)
		}
		s.expect()
	})
}

// TestSpectate_unasked: who joins a match that has become full sees it, and leaves it.
func TestSpectate_unasked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(t)
		defer s.close()
		s.sends(protocol.Invite{Name: "BOT_cleo", Length: -1})
		s.expect("join BOT_cleo")
		board := seen(opening, 1, 3, 1, nil, "BOT_cleo", "BOT_bob")
		if got := told(s.says(board, board)); got != "InviteFailed" {
			t.Errorf("seen: %s", got)
		}
		s.expect("leave")
		s.sends(protocol.Open{Length: 3})
		s.expect()
		s.says(`{"Type":"left","Player":"BOT_cleo"}`) // who has played to the end
		s.expect()
		s.says(`{"Type":"left","Player":"BOT_us"}`)
		s.expect("create public 3 0")
	})
}

// TestSpectate_bot: a bot may not join people, so it watches no one.
func TestSpectate_bot(t *testing.T) {
	if _, err := (Protocol{}).Encode(protocol.Watch{Name: "cleo"}); err == nil {
		t.Error("a bot can watch")
	}
}
