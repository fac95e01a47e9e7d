package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// maxGuests bounds the connections served at a time.
const maxGuests = 16

// listenExternal serves gnubg's external-player protocol until the command's
// context ends.
func listenExternal(cmd *cobra.Command, address string, e *engine.Engine, p preset.Preset, jacoby bool) error {
	ctx := cmd.Context()
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return usagef("--listen: %v", err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: listening on %s\n", ln.Addr())
	return serveExternal(ctx, ln, externalPlayer{engine: e, preset: p, jacoby: jacoby})
}

// serveExternal accepts connections until ctx ends, then closes all and waits.
func serveExternal(ctx context.Context, ln net.Listener, x externalPlayer) error {
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
			x.serve(ctx, conn)
		})
	}
}

// externalPlayer answers the requests of a gnubg that plays against it.
type externalPlayer struct {
	engine *engine.Engine
	preset preset.Preset
	jacoby bool
}

// serve answers one connection. gnubg ends each request with a line feed and a
// NUL byte.
func (x externalPlayer) serve(ctx context.Context, conn net.Conn) {
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
func (x externalPlayer) answer(ctx context.Context, line string, again bool) (string, error) {
	q, err := parseExternal(line)
	if err != nil {
		return "", err
	}
	q.state.Jacoby = x.jacoby && q.state.Length == 0
	if err := q.state.Validate(); err != nil {
		return "", err
	}
	if q.doubled {
		a, err := x.engine.TakeDecision(ctx, q.position, q.state, x.preset)
		if err != nil {
			return "", err
		}
		if a.Take {
			return "take", nil
		}
		return "drop", nil
	}
	if !again {
		level, err := x.engine.ResignOffer(ctx, q.position, q.state, x.preset)
		if err != nil {
			return "", err
		}
		if level > 0 {
			return "resign " + strconv.Itoa(level), nil
		}
	}
	if !q.dice.Valid() {
		double, _, err := x.engine.Double(ctx, q.position, q.state, x.preset)
		if err != nil {
			return "", err
		}
		if double {
			return "double", nil
		}
		return "roll", nil
	}
	c, ok, err := x.engine.BestPlay(ctx, q.position, q.dice, q.state, x.preset)
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

// externalRequest is a board line, seen by the player who is to move or has
// doubled.
type externalRequest struct {
	position board.Position
	state    match.State
	dice     board.Dice
	doubled  bool
}

var errExternal = errors.New("badly formed board")

// parseExternal reads a board line as gnubg sends it to its external players
// (formats/external-protocol.md, section 2): positive counts move from 24 to 1,
// and the score fields are exchanged unless a double waits for its answer.
func parseExternal(line string) (q externalRequest, err error) {
	words := strings.Split(line, ":")
	const names, fields = 3, 50
	if words[0] != "board" || len(words) < names+fields {
		return q, fmt.Errorf("%w: %d fields", errExternal, len(words))
	}
	var f [fields + 1]int // numbered from 1 as in the description
	for i := 1; i <= fields; i++ {
		n, err := strconv.Atoi(strings.TrimSpace(words[names+i-1]))
		if err != nil || n < -1<<20 || n > 1<<20 {
			return q, fmt.Errorf("%w: field %d is %.20q", errExternal, i, words[names+i-1])
		}
		f[i] = n
	}
	turn := f[30]
	if turn != 1 && turn != -1 {
		return q, fmt.Errorf("%w: turn %d", errExternal, turn)
	}
	for k := range 26 {
		n := f[4+k]
		if n < -board.MaxCheckers || n > board.MaxCheckers {
			return q, fmt.Errorf("%w: %d checkers on a point", errExternal, n)
		}
		switch {
		case n > 0 && k >= 1:
			q.position.Me[k-1] = uint8(n) // the bar is field 25, index 24
		case n < 0 && k <= 24:
			q.position.Opp[24-k] = uint8(-n) // its bar is field 0, index 24
		case n != 0:
			return q, fmt.Errorf("%w: checkers on the wrong bar", errExternal)
		}
	}
	q.doubled = f[38] != 0
	score := [2]int{f[3], f[2]}
	if q.doubled {
		score = [2]int{f[2], f[3]}
	}
	q.state = match.State{Length: f[1], Score: score, Cube: f[35], Crawford: f[1] > 0 && f[50] == 0}
	switch {
	case f[36] != 0 && f[37] == 0:
		q.state.Owner = match.Mine
	case f[36] == 0 && f[37] != 0:
		q.state.Owner = match.Theirs
	}
	if q.state.Length == 0 {
		q.state.Score = [2]int{}
	}
	q.dice = board.Dice{A: uint8(f[31] & 15), B: uint8(f[32] & 15)}
	if turn == -1 {
		q.position, q.state = q.position.Swap(), q.state.Swap()
		if !q.dice.Valid() {
			q.dice = board.Dice{A: uint8(f[33] & 15), B: uint8(f[34] & 15)}
		}
	}
	if q.doubled && q.state.Owner == match.Theirs {
		// Whoever has doubled could: a cube that is not his was in the middle.
		q.state.Owner = match.Centred
	}
	if q.state.Crawford {
		if me, opp := q.state.Away(); (me != 1) == (opp != 1) {
			q.state.Crawford = false
		}
	}
	return q, q.position.Validate()
}
