package table

import (
	"strings"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
)

// TestJoin_finishedMatchBroughtBack: a server answers every join with the question
// whether to join. The rounds are counted: the table is left, then the connection.
func TestJoin_finishedMatchBroughtBack(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	tbl := newTable(Options{Name: "bot"})
	tbl.Ready(now)
	p := fibs.Protocol{}.Reader()
	var warned, reconnect string
	joins, leaves := 0, 0
	hear := func(line string) {
		for _, ev := range p.FromServer(line) {
			due := tbl.Event(ev, now)
			for _, c := range due.Send {
				switch c.(type) {
				case protocol.Next:
					joins++
				case protocol.Leave:
					leaves++
				}
			}
			if due.Warn != "" {
				warned = due.Warn
			}
			if due.Reconnect != "" {
				reconnect = due.Reconnect
			}
		}
	}
	hear("** Player bob has joined you for a 1 point match.")
	hear("Starting a new game with bob.")
	for range 100 {
		hear("Type 'join' if you want to play the next game, type 'leave' if you don't.")
		if reconnect != "" {
			break
		}
	}
	if joins > maxTries || leaves == 0 || !strings.Contains(warned, "bob") || reconnect == "" {
		t.Errorf("%d joins, %d leaves, warned %q, reconnect %q", joins, leaves, warned, reconnect)
	}
}

// TestAccept_ninetyInvitations: one inviter in one packet gets one answer.
func TestAccept_ninetyInvitations(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for _, resume := range []bool{false, true} {
		tbl := newTable(Options{Name: "bot"})
		tbl.Ready(now)
		p := fibs.Protocol{}.Reader()
		for _, l := range []string{"no saved games.", "** You're not playing."} {
			for _, ev := range p.FromServer(l) {
				tbl.Event(ev, now)
			}
		}
		sent := 0
		for range 90 {
			sent += len(tbl.Accept(Invitation{From: "bob", Length: 5, Resume: resume}, now).Send)
		}
		if sent != 1 {
			t.Errorf("resume %v: %d answers, want 1", resume, sent)
		}
	}
}
