//go:build !js

package fibs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fibsbot/bot/protocol"
	"fibsbot/fibs/clip"
)

// Command returns the FIBS command that carries out c, or nil if FIBS has no such command.
func Command(c protocol.Command) clip.Command {
	switch c := c.(type) {
	case protocol.Roll:
		return clip.Roll{}
	case protocol.Move:
		var m clip.Move
		for _, s := range c.Steps {
			m.Steps = append(m.Steps, clip.Step{From: pointOf(s.From, c.Down), To: pointOf(s.To, c.Down)})
		}
		return m
	case protocol.Double:
		return clip.Double{}
	case protocol.Take, protocol.AcceptResign:
		return clip.Accept{}
	case protocol.Beaver:
		return clip.Redouble{}
	case protocol.Drop, protocol.RefuseResign:
		return clip.Reject{}
	case protocol.Resign:
		return clip.Resign{Worth: c.Games}
	case protocol.Next:
		return clip.Join{}
	case protocol.Leave:
		return clip.Leave{}
	case protocol.AskBoard:
		return clip.AskBoard{}
	case protocol.AskMoves:
		return clip.Oldmoves{Name: c.Name}
	case protocol.Bye:
		return clip.Bye{}
	}
	return lobbyCommand(c)
}

func lobbyCommand(c protocol.Command) clip.Command {
	switch c := c.(type) {
	case protocol.Invite:
		c.Length = cmp.Or(c.Length, clip.Unlimited)
		return clip.Invite{Name: c.Name, Length: c.Length}
	case protocol.Resume:
		return clip.Invite{Name: c.Name}
	case protocol.Join:
		return clip.Join{Name: c.Name}
	case protocol.AskSaved:
		return clip.ShowSaved{}
	case protocol.AskSavedCount:
		return clip.ShowSavedCount{Name: c.Name}
	case protocol.AskUsers:
		return clip.RawWho{}
	case protocol.Tell:
		return clip.Tell{Name: c.Name, Text: c.Text}
	case protocol.Kibitz:
		return clip.Kibitz{Text: c.Text}
	case protocol.Whisper:
		return clip.Whisper{Text: c.Text}
	case protocol.Watch:
		return clip.Watch{Name: c.Name}
	case protocol.Unwatch:
		return clip.Unwatch{}
	case protocol.Raw:
		if word, _, _ := strings.Cut(strings.TrimSpace(c.Line), " "); slices.Contains(harmless, word) {
			return clip.Line{Text: strings.TrimSpace(c.Line)}
		}
	}
	return nil
}

// harmless are the commands of FIBS that change neither a match nor a setting that the bot reads.
var harmless = []string{"about", "average", "away", "back", "blind", "date", "dicetest", "erase", "gag", "help", "last", "message", "motd", "names",
	"ratings", "shout", "show", "stat", "time", "tip", "version", "wave", "where", "who", "whois"}

// Encode implements protocol.Protocol. Every command is one line.
func (Protocol) Encode(c protocol.Command) ([]string, error) {
	fc := Command(c)
	if _, raw := c.(protocol.Raw); raw && fc == nil {
		return nil, fmt.Errorf("%w: use one of %s", clip.ErrCommand, strings.Join(harmless, ", "))
	}
	if fc == nil {
		return nil, fmt.Errorf("%w: FIBS has no %T", clip.ErrCommand, c)
	}
	line, err := fc.Encode()
	if err != nil {
		return nil, err
	}
	return []string{line}, nil
}

// reader reads the journal of one sitting.
type reader struct {
	parser *clip.Parser
	lines  []clip.Event
	events []protocol.Event
}

// Reader implements protocol.Protocol.
func (Protocol) Reader() protocol.Reader { return &reader{parser: clip.RunningParser()} }

// FromServer implements protocol.Reader.
func (r *reader) FromServer(raw string) []protocol.Event {
	r.lines = r.parser.Append(r.lines[:0], raw)
	r.events = r.events[:0]
	for i := range r.lines {
		r.events = append(r.events, Event(&r.lines[i]))
	}
	return r.events
}

// FromUs implements protocol.Reader.
func (*reader) FromUs(raw string) (protocol.Command, bool) {
	word, rest, _ := strings.Cut(raw, " ")
	switch word {
	case "accept":
		return protocol.Take{}, true
	case "reject":
		return protocol.Drop{}, true
	case "double":
		return protocol.Double{}, true
	case "resign":
		return protocol.Resign{Games: resignGames(rest)}, true
	case "leave":
		return protocol.Leave{}, true
	case "move", "m":
		if steps, ok := parseSteps(rest); ok {
			return protocol.Move{Steps: steps}, true
		}
	}
	return nil, false
}

// resignGames reads the argument of resign; 0 is what cannot be read.
func resignGames(size string) int {
	for games, letter := range []string{1: "n", 2: "g", 3: "b"} {
		if letter != "" && strings.HasPrefix(size, letter) {
			return games
		}
	}
	return 0
}
