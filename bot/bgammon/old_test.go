package bgammon

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fibsbot/bot/protocol"
)

// TestOldBoards: a board that the server sends too late is not reported and leads to no
// command: without the dice that were rolled in the same turn, of the turn before, of the
// opening, at a lower score, and after the end of the match.
func TestOldBoards(t *testing.T) {
	const theirs, rolled = `{"Type":"rolled","Player":"bob","Roll1":6,"Roll2":5}`, `{"Type":"rolled","Player":"BOT_us","Roll1":3,"Roll2":1}`
	before, after := opening, opening
	after[1], after[12] = -1, -6                     // 24/13 of theirs
	for name, lines := range map[string][2][]string{ // what has been said, and what is old then
		"no dice behind their roll": {{at(before, 2, 0, 0, nil, nil, "bob"), theirs}, {at(before, 2, 0, 0, nil, nil, "")}},
		"no dice behind their dice": {
			{at(before, 2, 0, 0, nil, nil, "bob"), theirs, at(before, 2, 6, 5, nil, hops{{1, 7}}, "bob")},
			{at(before, 2, 0, 0, nil, nil, "")},
		},
		"the turn before": {
			{at(after, 2, 6, 5, nil, nil, "bob"), at(after, 1, 0, 0, nil, nil, "bob")},
			{at(before, 2, 6, 5, nil, hops{{1, 7}}, ""), at(before, 2, 0, 0, nil, nil, "")},
		},
		"the turn before our dice": {
			{at(after, 2, 6, 5, nil, nil, "bob"), at(after, 1, 0, 0, nil, nil, "bob"), rolled, at(after, 1, 3, 1, nil, hops{{6, 5}}, "bob")},
			{at(after, 1, 0, 0, nil, nil, ""), at(before, 2, 6, 5, nil, hops{{1, 7}}, ""), at(after, 1, 6, 6, nil, hops{{8, 2}}, "")},
		},
		"our turn before theirs": {
			{at(before, 2, 0, 0, nil, nil, "bob"), theirs, at(before, 2, 6, 5, nil, hops{{1, 7}}, "bob")},
			{at(after, 1, 0, 0, nil, nil, "bob")},
		},
		"their turn before the last": {
			{at(before, 2, 0, 0, nil, nil, "bob")},
			{at(after, 2, 0, 0, nil, nil, "bob")},
		},
		"the opening": {
			{at(before, 1, 3, 1, nil, hops{{6, 5}}, "bob")},
			{at(before, 0, 3, 0, nil, nil, "bob")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := scripted(t)
				defer s.close()
				s.says(lines[0]...)
				known := s.link.reader.last
				for _, l := range lines[1] {
					if evs := s.says(l); slices.ContainsFunc(evs, func(e protocol.Event) bool { return e.Kind != protocol.Other }) {
						t.Errorf("%s is believed: %v", l, evs)
					}
				}
				if s.link.reader.last.Turn != known.Turn || s.link.reader.last.Die1 != known.Die1 {
					t.Errorf("the last board is %+v, was %+v", s.link.reader.last, known)
				}
				s.expect()
			})
		})
	}
}

// TestOldBoards_aHopBack: a late board of our own turn does not make a hop twice.
func TestOldBoards_aHopBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(t)
		defer s.close()
		begin, one := at(opening, 1, 1, 1, nil, aces, "bob"), at(opening, 1, 1, 1, hops{{8, 7}}, aces, "bob")
		s.says(begin)
		s.sends(move("8/7 8/7 6/5 6/5"))
		s.says(one)
		s.expect("move 8/7", "move 8/7")
		s.says(begin, one)
		s.expect()
		s.says(at(opening, 1, 1, 1, hops{{8, 7}, {8, 7}}, aces, "bob"))
		s.expect("move 6/5")
	})
}

// TestOldBoards_theGameBefore: the board of a last play, which has a winner, is as old as
// its score.
func TestOldBoards_theGameBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(t)
		defer s.close()
		behind := strings.Replace(at(opening, 1, 3, 1, nil, aces, "bob"), `{"Name":"BOT_us"}`, `{"Name":"BOT_us","Points":2}`, 1)
		s.says(behind)
		s.sends(move("8/5 6/5"))
		if evs := s.says(strings.Replace(at(opening, 1, 6, 6, nil, nil, "bob"), `"Turn"`, `"Winner":1,"Turn"`, 1)); len(evs) != 1 || evs[0].Kind != protocol.Other {
			t.Errorf("believed: %v", evs)
		}
	})
}

// TestOldBoards_askedFor: a look at the board asks the server, whose answer is believed,
// and shows what has no effect.
func TestOldBoards_askedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(t)
		defer s.close()
		s.says(at(opening, 2, 6, 5, nil, hops{{1, 7}}, "bob"))
		other := opening
		other[1], other[12] = -1, -6
		truth := at(other, 1, 0, 0, nil, nil, "bob")
		s.says(truth) // without their hops it seems to be old
		s.sends(protocol.AskBoard{})
		s.expect("board")
		s.events()
		if evs := s.says(truth); len(evs) != 1 || evs[0].Kind != protocol.BoardLine {
			t.Errorf("told %v, want the board", evs)
		}
		s.sends(protocol.Roll{})
		s.sends(protocol.Roll{})
		s.expect("roll")
		s.sends(protocol.AskBoard{})
		s.says(truth)
		s.expect("board")
		s.sends(protocol.Roll{}) // it had none
		s.expect("roll")
	})
}

// TestOldBoards_endedMatch: the last board of a match begins nothing, neither once more after the
// end was reported and the players have gone, nor after a login.
func TestOldBoards_endedMatch(t *testing.T) {
	over := strings.Replace(at(opening, 0, 0, 0, nil, nil, "bob"), `"Player1":{"Name":"BOT_us"}`, `"Player1":{"Name":"BOT_us","Points":3}`, 1)
	empty := strings.Replace(over, `"Name":"bob"`, `"Name":""`, 1)
	playing := at(opening, 1, 0, 0, nil, nil, "bob")
	left := func(name string) string { return `{"Type":"left","Player":"` + name + `"}` }
	for _, tt := range []struct {
		name  string
		lines []string
		want  []protocol.Kind // that say something of matches
	}{
		{"the opponent comes back to it", []string{playing, over, left("bob"), empty, over}, []protocol.Kind{protocol.MatchResumes, protocol.MatchOver}},
		{"we have left it", []string{playing, over, left("BOT_us"), over}, []protocol.Kind{protocol.MatchResumes, protocol.MatchOver}},
		{"a login finds it", []string{over, over}, []protocol.Kind{protocol.MatchOver}},
		{"the next match begins", []string{playing, over, left("bob"), empty, over, playing}, []protocol.Kind{protocol.MatchResumes, protocol.MatchOver, protocol.MatchResumes}},
	} {
		r := reader{live: true}
		var got []protocol.Kind
		for _, l := range tt.lines {
			for _, e := range r.FromServer(l) {
				if e.Kind == protocol.MatchBegins || e.Kind == protocol.MatchResumes || e.Kind == protocol.MatchOver {
					got = append(got, e.Kind)
				}
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
