// Package toy is a tiny server with a protocol of its own, for the test that a
// server can be added to the bot by a package and one line of wiring. It plays
// 1-point matches without a cube against whoever opens one, by random plays, and
// has nothing of FIBS's: no invitations, no saved matches, no lists of moves, no
// roll by itself, an opening throw that is asked for.
package toy

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Opponent is who plays on the server.
const Opponent = "sparring"

// Protocol is the toy. Seed makes its dice and plays repeatable.
type Protocol struct{ Seed uint64 }

var _ protocol.Protocol = Protocol{}

// Name implements protocol.Protocol.
func (Protocol) Name() string { return "toy" }

// Rules implements protocol.Protocol.
func (Protocol) Rules() protocol.Rules {
	return protocol.Rules{Opens: true, ResignsAtOnce: true, MaxLength: 1, Drops: match.DropByPosition}
}

// Plain implements protocol.Protocol.
func (Protocol) Plain(text string) string { return text }

// Knock implements protocol.Protocol.
func (Protocol) Knock(context.Context, protocol.Login) error { return nil }

// errCommand is the error for what the toy cannot do.
var errCommand = errors.New("the toy has no such command")

// Encode implements protocol.Protocol. A play takes two lines.
func (Protocol) Encode(c protocol.Command) ([]string, error) {
	switch c := c.(type) {
	case protocol.Open:
		return []string{"open " + strconv.Itoa(c.Length)}, nil
	case protocol.Roll:
		return []string{"throw"}, nil
	case protocol.Move:
		var parts []string
		for _, s := range c.Steps {
			parts = append(parts, fmt.Sprintf("%d/%d", s.From, s.To))
		}
		return []string{"play " + strings.Join(parts, " "), "ok"}, nil
	case protocol.AskBoard:
		return []string{"look"}, nil
	case protocol.AskSaved:
		return []string{"saved"}, nil
	case protocol.Leave, protocol.Bye:
		return []string{"quit"}, nil
	}
	return nil, fmt.Errorf("%w: %T", errCommand, c)
}

// Reader implements protocol.Protocol.
func (Protocol) Reader() protocol.Reader { return reader{} }

type reader struct{}

// Sent implements protocol.Reader.
func (reader) Sent(raw string) (protocol.Command, bool) {
	text, ok := strings.CutPrefix(raw, "play ")
	if !ok {
		return nil, false
	}
	return protocol.Move{Steps: steps(strings.Fields(text))}, true
}

// Said implements protocol.Reader.
func (reader) Said(raw string) []protocol.Event {
	f := strings.Fields(raw)
	ev := protocol.Event{Raw: raw, Keep: true}
	number := func(i int) int {
		if i >= len(f) {
			return 0
		}
		n, _ := strconv.Atoi(f[i]) // what is no number is 0, which fits nowhere
		return n
	}
	dice := func(i int) board.Dice { return board.Dice{A: uint8(number(i)), B: uint8(number(i + 1))} }
	if len(f) > 1 {
		ev.Name = f[1]
	}
	switch f[0] {
	case "saved":
		ev.Kind, ev.Keep = protocol.SavedBegins, false
	case "nothing":
		ev.Kind, ev.Keep = protocol.NoMatch, false
	case "match":
		ev.Kind, ev.Length = protocol.MatchBegins, number(2)
	case "game":
		ev.Kind = protocol.GameBegins
	case "throw":
		ev.Kind = protocol.RollForOpening
	case "opening":
		return []protocol.Event{{Kind: protocol.OpeningRoll, Raw: raw, Keep: true, Dice: dice(2)}, {Kind: protocol.FirstMove, Name: ev.Name}}
	case "rolled":
		ev.Kind, ev.Dice = protocol.Rolls, dice(2)
	case "moved":
		ev.Kind, ev.Steps = protocol.Moves, steps(f[2:])
	case "cannot":
		ev.Kind = protocol.CannotMove
	case "won":
		ev.Kind, ev.Points = protocol.GameOver, number(2)
	case "matchwon":
		ev.Kind, ev.Score = protocol.MatchOver, [2]int{number(2), 0}
	case "board":
		ev.Kind, ev.Other = protocol.BoardLine, Opponent
		if p, err := board.ParseID(f[1]); err == nil {
			ev.Board = &sheet.Board{Mine: true, Opponent: Opponent, Length: 1, Position: p, Turn: sheet.Us, Dice: dice(2), Cube: 1,
				Doubler: sheet.Nobody}
		}
	}
	return []protocol.Event{ev}
}

func steps(parts []string) (out []board.Step) {
	for _, p := range parts {
		from, to, _ := strings.Cut(p, "/")
		a, errA := strconv.Atoi(from)
		b, errB := strconv.Atoi(to)
		if errA != nil || errB != nil {
			a = -1
		}
		out = append(out, board.Step{From: int8(a), To: int8(b)})
	}
	return out
}

// Dial implements protocol.Protocol: the server is in memory.
func (p Protocol) Dial(context.Context, protocol.Login) (protocol.Link, error) {
	return &link{proto: p, events: make(chan protocol.Event, 1000), rng: rand.New(rand.NewPCG(p.Seed, 1))}, nil
}

// link is a connection and the server behind it.
type link struct {
	proto  Protocol
	events chan protocol.Event

	mu      sync.Mutex
	rng     *rand.Rand
	playing bool
	opening bool
	closed  bool
	pos     board.Position // the bot is Me
	dice    board.Dice     // of the bot
}

// Events implements protocol.Link.
func (l *link) Events() <-chan protocol.Event { return l.events }

// Err implements protocol.Link.
func (*link) Err() error { return nil }

// Close implements protocol.Link.
func (l *link) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.close()
	return nil
}

func (l *link) close() {
	if !l.closed {
		l.closed = true
		close(l.events)
	}
}

// Send implements protocol.Link.
func (l *link) Send(c protocol.Command) error {
	lines, err := l.proto.Encode(c)
	if errors.Is(err, errCommand) {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range lines {
		if !l.closed {
			l.do(line)
		}
	}
	return err
}

func (l *link) say(format string, args ...any) {
	for _, ev := range l.proto.Reader().Said(fmt.Sprintf(format, args...)) {
		l.events <- ev
	}
}

func (l *link) throw() board.Dice {
	return board.Dice{A: uint8(1 + l.rng.IntN(6)), B: uint8(1 + l.rng.IntN(6))}
}

func (l *link) do(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case word == "quit":
		l.close()
	case word == "saved":
		l.say("saved")
	case word == "look" && !l.playing:
		l.say("nothing")
	case word == "look":
		l.look()
	case word == "open" && !l.playing:
		l.playing, l.opening, l.pos = true, true, board.Start
		l.say("match %s 1", Opponent)
		l.say("game")
		l.say("throw")
	case word == "throw" && l.opening:
		l.openingThrow()
	case word == "throw" && l.playing && !l.dice.Valid():
		l.dice = l.throw()
		l.say("rolled You %d %d", l.dice.A, l.dice.B)
		if len(board.AppendPlays(nil, l.pos, l.dice)) == 0 {
			l.say("cannot You")
			l.theirs(l.throw(), true)
			return
		}
		l.look()
	case word == "play" && l.dice.Valid():
		l.play(steps(strings.Fields(rest)))
	}
}

func (l *link) openingThrow() {
	l.opening = false
	d := l.throw()
	for d.Double() {
		d = l.throw()
	}
	if d.A > d.B {
		l.say("opening You %d %d", d.A, d.B)
		l.dice = d
		l.look()
		return
	}
	l.say("opening %s %d %d", Opponent, d.A, d.B)
	l.theirs(d, false)
}

func (l *link) look() { l.say("board %s %d %d", l.pos.ID(), l.dice.A, l.dice.B) }

// play takes the bot's play when it is legal.
func (l *link) play(want []board.Step) {
	p, ok := sheet.PlaySteps(l.pos, want)
	if !ok {
		return
	}
	for _, legal := range board.AppendPlays(nil, l.pos, l.dice) {
		if legal.Result != p.Result {
			continue
		}
		l.say("moved You %s", text(p))
		l.pos, l.dice = p.Result, board.Dice{}
		if l.pos.Me.Count() == 0 {
			l.over("You", l.pos)
			return
		}
		l.theirs(l.throw(), true)
		return
	}
}

// theirs is a turn of the opponent; told says whether the roll has to be told.
func (l *link) theirs(d board.Dice, told bool) {
	l.dice = board.Dice{}
	if told {
		l.say("rolled %s %d %d", Opponent, d.A, d.B)
	}
	plays := board.AppendPlays(nil, l.pos.Swap(), d)
	if len(plays) == 0 {
		l.say("cannot %s", Opponent)
		l.look()
		return
	}
	p := plays[l.rng.IntN(len(plays))]
	l.say("moved %s %s", Opponent, text(p))
	if p.Result.Me.Count() == 0 {
		l.over(Opponent, p.Result)
		return
	}
	l.pos = p.Result.Swap()
	l.look()
}

func (l *link) over(winner string, p board.Position) {
	l.playing = false
	l.say("won %s %d", winner, p.Result())
	l.say("matchwon %s %d", winner, p.Result())
}

func text(p board.Play) string {
	var parts []string
	for _, s := range p.Steps[:p.N] {
		parts = append(parts, fmt.Sprintf("%d/%d", s.From, s.To))
	}
	return strings.Join(parts, " ")
}
