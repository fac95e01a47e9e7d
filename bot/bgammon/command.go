package bgammon

import (
	"fmt"
	"strings"

	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
	"fibsbot/engine/board"
)

// commandOf is a command of the bot as one of the server, nil for what the server has
// none for. A bot cannot invite people and does not join them; inviting a bot is joining
// the match that it has open.
func commandOf(c protocol.Command) wire.Command {
	switch c := c.(type) {
	case protocol.Roll, protocol.Next:
		return wire.Roll
	case protocol.Move:
		var m wire.Move
		for _, s := range c.Steps {
			m = append(m, hopOf(s))
		}
		return m
	case protocol.Double:
		return wire.Double
	case protocol.Take:
		return wire.OK
	case protocol.Drop, protocol.Resign:
		return wire.Resign
	case protocol.Open:
		return wire.Create{Points: c.Length, Password: c.Password}
	case protocol.Rematch:
		return wire.Rematch
	case protocol.Leave:
		return wire.Leave
	case protocol.Invite:
		return wire.JoinBot(c.Name)
	case protocol.AskUsers:
		return wire.ListGames
	case protocol.Tell:
		return wire.Chat(c.Text)
	case protocol.Kibitz:
		return wire.Chat(c.Text)
	case protocol.Bye:
		return wire.Disconnect
	}
	return nil
}

// Encode implements protocol.Protocol; the password of a match is masked. What the link answers by itself has no lines.
func (Protocol) Encode(c protocol.Command) ([]string, error) {
	switch c.(type) {
	case protocol.AskBoard, protocol.AskSaved, protocol.AskSavedCount, protocol.AskMoves, protocol.Resume:
		return nil, nil
	}
	wc := commandOf(c)
	if wc == nil {
		return nil, fmt.Errorf("%w: bgammon has no %T", wire.ErrCommand, c)
	}
	line, err := wc.Line()
	if err != nil {
		return nil, err
	}
	if secret, ok := wc.(wire.Secret); ok {
		line = secret.Masked()
	}
	return []string{line}, nil
}

// sent parses a line that we sent.
func sent(raw string) (protocol.Command, bool) {
	word, rest, _ := strings.Cut(raw, " ")
	switch word {
	case "ok":
		return protocol.Take{}, true
	case "resign":
		return protocol.Drop{}, true
	case "double":
		return protocol.Double{}, true
	case "leave":
		return protocol.Leave{}, true
	case "move":
		if steps, err := board.ParseSteps(rest); err == nil && len(steps) > 0 {
			return protocol.Move{Steps: steps, Down: true}, true
		}
	}
	return nil, false
}
