package external

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/preset"
)

// maxGuests bounds the connections served at a time.
const maxGuests = 16

// Serve answers the gnubgs that connect to ln until ctx ends, then closes all and
// waits.
func (x Player) Serve(ctx context.Context, ln net.Listener) error {
	stop := context.AfterFunc(ctx, func() { ln.Close() })
	defer stop()
	var guests sync.WaitGroup
	defer guests.Wait()
	room := make(chan struct{}, maxGuests)
	for {
		conn, err := ln.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("accept: %w", err)
		}
		select {
		case room <- struct{}{}:
		default:
			conn.Close()
			continue
		}
		guests.Go(func() {
			defer func() { <-room }()
			unhook := context.AfterFunc(ctx, func() { conn.Close() })
			defer unhook()
			defer conn.Close()
			x.converse(ctx, conn)
		})
	}
}

// Player answers the requests of a gnubg that plays against it.
type Player struct {
	Engine *engine.Engine
	Preset preset.Preset
	Jacoby bool // the Jacoby rule holds in money sessions
}

// converse answers one connection. gnubg ends each request with a line feed and a
// NUL byte.
func (x Player) converse(ctx context.Context, conn net.Conn) {
	sc := bufio.NewScanner(conn)
	sc.Buffer(make([]byte, 0, maxRequest), maxRequest)
	resigned := "" // the request that was last answered with a resignation
	for sc.Scan() {
		line := strings.TrimSpace(strings.Trim(sc.Text(), "\x00"))
		if line == "" {
			continue
		}
		answer, err := x.answer(ctx, line, resigned == line)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			answer = "Error: " + oneLine(err)
		}
		if strings.HasPrefix(answer, "resign") {
			resigned = line
		}
		if _, err := conn.Write([]byte(answer + "\n")); err != nil {
			return
		}
	}
}

// answer handles one board line. again tells that the same request was answered
// with a resignation before, which the other side must have refused.
func (x Player) answer(ctx context.Context, line string, again bool) (string, error) {
	q, err := ParseBoard(line)
	if err != nil {
		return "", err
	}
	q.State.Jacoby = x.Jacoby && q.State.Length == 0
	if err := q.State.Validate(); err != nil {
		return "", err
	}
	if q.Doubled {
		a, err := x.Engine.TakeDecision(ctx, q.Position, q.State, x.Preset)
		if err != nil {
			return "", err
		}
		if a.Take {
			return "take", nil
		}
		return "drop", nil
	}
	if !again {
		level, err := x.Engine.ResignOffer(ctx, q.Position, q.State, x.Preset)
		if err != nil {
			return "", err
		}
		if level > 0 {
			return "resign " + strconv.Itoa(level), nil
		}
	}
	if !q.Dice.Valid() {
		double, _, err := x.Engine.Double(ctx, q.Position, q.State, x.Preset)
		if err != nil {
			return "", err
		}
		if double {
			return "double", nil
		}
		return "roll", nil
	}
	c, ok, err := x.Engine.BestPlay(ctx, q.Position, q.Dice, q.State, x.Preset)
	if err != nil || !ok {
		return "", err
	}
	return playSteps(c.Play), nil
}

// playSteps writes a play step by step, as pairs of points: the plainest of the
// forms that gnubg reads.
func playSteps(p board.Play) string {
	var words []string
	for _, s := range p.Steps[:p.N] {
		from, to := strconv.Itoa(int(s.From)+1), strconv.Itoa(int(s.To)+1)
		if s.From == board.Bar {
			from = "bar"
		}
		if s.To == board.Off {
			to = "off"
		}
		words = append(words, from+"/"+to)
	}
	return strings.Join(words, " ")
}
