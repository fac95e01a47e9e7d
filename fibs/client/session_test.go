package client

import (
	"errors"
	"testing"

	"fibsbot/fibs/clip"
)

func TestSession_handsOnTheLinesAndTheEnd(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		s := mustDial(t, p.options()).Start()
		p.say("15 bob hello\r\n!close")
		heard := false
		for ev := range s.Events() {
			heard = heard || ev.Kind == clip.Kibitzes && ev.Name == "bob"
		}
		if !heard {
			t.Error("the last line was not handed on")
		}
		if err := s.Err(); !errors.Is(err, ErrLost) {
			t.Errorf("Err: %v, want ErrLost", err)
		}
		if err := s.Send(clip.Roll{}); err != nil {
			t.Errorf("Send after the end: %v; the end is told by Events", err)
		}
		s.Close()
	})
}

// TestSession_closeWithoutAReader: whoever leaves does not have to read first.
func TestSession_closeWithoutAReader(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		s := mustDial(t, p.options()).Start()
		p.say("15 bob one\r\n15 bob two\r\n")
		s.Close()
		if err := s.Err(); err != nil {
			t.Errorf("Err after Close: %v", err)
		}
		if heard := p.heard(); heard[len(heard)-1] != "bye" {
			t.Errorf("our lines: %q", heard)
		}
		if _, open := <-s.Events(); open {
			t.Error("Events is open after Close")
		}
	})
}

func TestSession_sendLeavesOutWhatNobodyCanActOn(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		s := mustDial(t, p.options()).Start()
		defer s.Close()
		if err := s.Send(clip.Watch{Name: "no such name"}); err != nil {
			t.Errorf("a command that cannot be written: %v", err)
		}
		var err error
		for range maxQueue + 1 {
			err = s.Send(clip.Roll{})
		}
		if !errors.Is(err, ErrQueueFull) {
			t.Errorf("the %dth command at once: %v, want ErrQueueFull", maxQueue+1, err)
		}
	})
}
