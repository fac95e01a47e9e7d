package bgammon

import (
	"fmt"
	"strings"

	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// boardOf is a board of the server in the engine's terms; ok is false for one that no
// game can show.
func boardOf(b *wire.Board) (sheet.Board, bool) {
	v := sheet.Board{
		Mine: !b.Spectating, Opponent: b.Opponent.Name, Length: b.Points,
		Score:        [2]int{sheet.Us: b.Own.Points, sheet.Them: b.Opponent.Points},
		Cube:         b.Cube,
		PostCrawford: b.Crawford == wire.CrawfordOver,
		Turn:         sideOf(b.Turn), Doubler: sheet.Nobody, Down: true,
	}
	if b.Spectating {
		v.Player = b.Own.Name
	}
	for point := 1; point <= 24; point++ {
		if n := b.Checkers[point]; n > 0 {
			v.Position.Me[point-1] = uint8(n)
		} else {
			v.Position.Opp[24-point] = uint8(-n)
		}
	}
	v.Position.Me[board.Bar] = uint8(b.Checkers[wire.OwnBar])
	v.Position.Opp[board.Bar] = uint8(-b.Checkers[wire.TheirBar])
	if v.Position.Validate() != nil {
		return sheet.Board{}, false
	}
	v.Owner = map[int]match.Owner{1: match.Mine, 2: match.Theirs}[b.CubeOwner]
	v.Dice = diceOf(b)
	if b.Offered {
		v.Doubler = v.Turn
	}
	return v, true
}

// diceOf is the roll of the player on turn, zero before it.
func diceOf(b *wire.Board) (d board.Dice) {
	if b.Turn != wire.TurnNobody && b.Die1 > 0 && b.Die2 > 0 {
		d = board.Dice{A: uint8(b.Die1), B: uint8(b.Die2)}
	}
	return d
}

// sideOf is a turn or a winner as a side.
func sideOf(number int) sheet.Side {
	switch number {
	case 1:
		return sheet.Us
	case 2:
		return sheet.Them
	}
	return sheet.Nobody
}

// stepsOf are hops of a player in his own numbering. theirs turns the opponent's round,
// whose hops the board shows in ours. A hop by several dice is one step.
func stepsOf(hops []wire.Hop, theirs bool) []board.Step {
	var out []board.Step
	for _, h := range hops {
		if theirs {
			h = wire.Hop{From: wire.Mirror(h.From), To: wire.Mirror(h.To)}
		}
		s := board.Step{From: int8(h.From - 1), To: int8(h.To - 1)}
		if h.From == wire.OwnBar {
			s.From = board.Bar
		}
		if h.To == wire.OwnHome {
			s.To = board.Off
		}
		out = append(out, s)
	}
	return out
}

// hopOf is a step as the server wants it.
func hopOf(s board.Step) wire.Hop {
	h := wire.Hop{From: int(s.From) + 1, To: int(s.To) + 1}
	if s.From == board.Bar {
		h.From = wire.OwnBar
	}
	if s.To == board.Off {
		h.To = wire.OwnHome
	}
	return h
}

// commandOf is a command of the bot as one of the server, nil for what the server has
// none for. A bot cannot invite people and does not join them; inviting a bot is joining
// the match that it has open.
func (p Protocol) commandOf(c protocol.Command) wire.Command {
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
	case protocol.Watch:
		if p.Person { // a bot may not join people
			return wire.Join(c.Name)
		}
	case protocol.Unwatch:
		if p.Person {
			return wire.Leave
		}
	case protocol.Leave:
		return wire.Leave
	case protocol.Invite:
		if p.Person {
			return wire.Join(c.Name)
		}
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
func (p Protocol) Encode(c protocol.Command) ([]string, error) {
	switch c.(type) {
	case protocol.AskBoard, protocol.AskSaved, protocol.AskSavedCount, protocol.AskMoves, protocol.Resume:
		return nil, nil
	}
	wc := p.commandOf(c)
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
