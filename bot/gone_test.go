package bot

import (
	"testing"

	"fibsbot/bot/table"
)

func TestWhyGone(t *testing.T) {
	gone := table.Note{Kind: table.NoteDiscard, Opponent: "bob"}
	for want, notes := range map[string][]table.Note{
		"the server no longer has the match":              {gone, {Kind: table.NoteOpen, Opponent: "eve"}},
		"a new match with this opponent has begun":        {gone, {Kind: table.NoteOpen, Opponent: "bob"}},
		"the server has another match with this opponent": {gone, {Kind: table.NoteOpen, Opponent: "bob", Resumed: true}},
	} {
		if got := whyGone(notes, "bob"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
