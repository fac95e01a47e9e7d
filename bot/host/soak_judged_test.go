package host

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bot/table"
	"fibsbot/engine/board"
	"fibsbot/fibs/client"
	"fibsbot/fibs/server"
)

// TestJudge_convicts: the judge of the soaks finds each kind of violation.
func TestJudge_convicts(t *testing.T) {
	const (
		ours  = "board:You:bob:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
		after = "board:You:bob:5:0:0:0:-2:0:0:0:2:4:0:2:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
	)
	before, moved := server.Standing{Match: 1, Game: 1, Actions: 1, Board: ours}, server.Standing{Match: 1, Game: 1, Actions: 1, Board: after}
	var play board.Play // 8-5 6-5, which after shows
	for _, p := range board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1}) {
		if p.Result.Me[4] == 2 {
			play = p
		}
	}
	sit := table.Situation{Ask: table.AskPlay, Position: board.Start, Dice: board.Dice{A: 1, B: 3}, OnTurn: true, Opponent: "bob"}
	dec := table.Answer{Action: table.Play, Play: play}
	carried := server.Done{User: "host", Line: "move 8-5 6-5", Before: before, After: moved}
	tests := []struct {
		name string
		acts func(j *judge)
		want int
	}{
		{"a decision carried out", func(j *judge) { j.decided("host", sit, dec, 0); j.done(carried) }, 0},
		{"no decision", func(j *judge) { j.done(carried) }, 1},
		{"a decision used twice", func(j *judge) { j.decided("host", sit, dec, 0); j.done(carried); j.done(carried) }, 1},
		{"a decision from before the state began", func(j *judge) {
			j.decided("host", sit, dec, 0)
			time.Sleep(time.Second)
			j.done(server.Done{User: "bob", Line: "roll", Before: moved, After: before})
			j.done(carried)
		}, 1},
		{"another play than decided", func(j *judge) {
			j.decided("host", sit, table.Answer{Action: table.Play, Play: board.Play{Result: board.Start}}, 0)
			j.done(carried)
		}, 1},
		{"sent again", func(j *judge) {
			j.decided("host", sit, dec, 0)
			j.done(carried)
			j.done(server.Done{User: "host", Line: "move 8-5 6-5", Answer: "** It's not your turn to move.\r\n", Before: moved, After: moved})
		}, 1},
		{"a match that was exchanged for another on the way", func(j *judge) {
			hear := j.listen("host")
			hear(client.Line{Time: time.Now(), Text: "1 host 1700000000 here"})
			hear(client.Line{Time: time.Now(), Text: strings.Replace(ours, ":bob:", ":carol:", 1)})
			j.done(server.Done{User: "host", Line: "move 8-5 6-5", Answer: "** It's not your turn to move.\r\n", Before: moved, After: moved})
		}, 0},
		{"a move in the match that was heard of", func(j *judge) {
			hear := j.listen("host")
			hear(client.Line{Time: time.Now(), Text: "1 host 1700000000 here"})
			hear(client.Line{Time: time.Now(), Text: ours})
			j.done(server.Done{User: "host", Line: "move 8-5 6-5", Answer: "** It's not your turn to move.\r\n", Before: moved, After: moved})
		}, 1},
		{"a match that was saved on the way", func(j *judge) {
			j.done(server.Done{User: "host", Line: "roll", Answer: "** You're not playing.\r\n"})
		}, 0},
		{"a double of a match that was saved on the way", func(j *judge) {
			j.done(server.Done{User: "host", Line: "reject", Answer: "** You're not playing, so you can't give up.\r\n"})
		}, 0},
		{"a double of a match that was saved long ago", func(j *judge) {
			hear := j.listen("host")
			hear(client.Line{Time: time.Now(), Text: "1 host 1700000000 here"})
			hear(client.Line{Time: time.Now(), Text: "** Player bob has left the game. The game was saved."})
			time.Sleep(time.Second)
			j.done(server.Done{User: "host", Line: "reject", Answer: "** You're not playing, so you can't give up.\r\n"})
		}, 1},
		{"a double that was never made", func(j *judge) {
			j.done(server.Done{User: "host", Line: "reject", Answer: "** bob didn't double or resign.\r\n", Before: moved, After: moved})
		}, 1},
		{"a match that was saved long ago", func(j *judge) {
			hear := j.listen("host")
			hear(client.Line{Time: time.Now(), Text: "1 host 1700000000 here"})
			hear(client.Line{Time: time.Now(), Text: "** Player bob has left the game. The game was saved."})
			time.Sleep(time.Second)
			j.done(server.Done{User: "host", Line: "roll", Answer: "** You're not playing.\r\n"})
		}, 1},
		{"a resignation offered again while the opponent accepts the first offer", func(j *judge) {
			j.done(server.Done{User: "host", Line: "resign n", Answer: "** The game is already over.\r\n", Before: moved, After: moved})
		}, 0},
		{"a resignation long after the end of the game was heard", func(j *judge) {
			hear := j.listen("host")
			hear(client.Line{Time: time.Now(), Text: "1 host 1700000000 here"})
			hear(client.Line{Time: time.Now(), Text: "bob accepts and wins 1 point."})
			time.Sleep(time.Second)
			j.done(server.Done{User: "host", Line: "resign n", Answer: "** The game is already over.\r\n", Before: moved, After: moved})
		}, 1},
		{"a roll on suspicion", func(j *judge) {
			j.done(server.Done{User: "host", Line: "roll", Answer: "** It's not your turn to roll the dice.\r\n", Before: moved, After: moved})
		}, 0},
		{"lines at the limit", func(j *judge) {
			for n := range 30 {
				j.online(context.Background(), "host", "time", n+1)
				if n >= 3 {
					time.Sleep(250 * time.Millisecond)
				}
			}
		}, 0},
		{"lines above the limit", func(j *judge) {
			for n := range 5 {
				j.online(context.Background(), "host", "time", n+1)
				if n == 3 {
					time.Sleep(249 * time.Millisecond)
				}
			}
		}, 1},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			j := newJudge([]string{"host"})
			j.dialled("host", client.Pace{Burst: 4, Every: 250 * time.Millisecond})
			delete(j.left, "host") // at a match
			tt.acts(j)
			if n, words := j.faults(); n != tt.want {
				t.Errorf("%s: %d faults, want %d: %q", tt.name, n, tt.want, words)
			}
		})
	}
}
