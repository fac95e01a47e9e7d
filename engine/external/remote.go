package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

const (
	// helloLimit is how long a program may take to say its version.
	helloLimit = 10 * time.Second
	// answerLimit is how long it may take over one decision.
	answerLimit = 10 * time.Minute
)

// ErrDial is wrapped by errors about a program that cannot be reached or does not speak
// gnubg's external-player protocol.
var ErrDial = errors.New("external player")

// Remote asks a program that serves gnubg's external-player protocol: gnubg after its
// command external, or a [Player]. It is an [Asked].
type Remote struct {
	conn    net.Conn
	out     *bufio.Reader
	address string
	plain   bool // knows no version and so no options behind a board
	release func() bool
	started *process // the gnubg that serves, if it was started for this
}

// Dial connects to a program at HOST:PORT; ctx ends the connection. The error wraps
// [ErrDial].
func Dial(ctx context.Context, address string) (*Remote, error) {
	dialing, cancel := context.WithTimeout(ctx, helloLimit)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(dialing, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDial, err)
	}
	x := &Remote{conn: conn, out: bufio.NewReaderSize(conn, maxRequest), address: address}
	x.release = context.AfterFunc(ctx, func() { conn.Close() })
	if err := x.hello(); err != nil {
		_ = x.Close()
		return nil, err
	}
	return x, nil
}

// hello asks for the version, whose last line is that of Software.
func (x *Remote) hello() error {
	answer, err := x.ask("version", helloLimit)
	for err == nil && !strings.HasPrefix(answer, "Software:") {
		if strings.HasPrefix(answer, "Error") {
			x.plain = true
			return nil
		}
		answer, err = x.read()
	}
	if err != nil {
		return fmt.Errorf("%w %s: no answer to version (gnubg serves one connection at a time): %w", ErrDial, x.address, err)
	}
	return nil
}

// ask sends a line and returns the first line of the answer.
func (x *Remote) ask(request string, limit time.Duration) (string, error) {
	if err := x.conn.SetDeadline(time.Now().Add(limit)); err != nil {
		return "", err
	}
	if _, err := x.conn.Write([]byte(request + "\n")); err != nil {
		return "", err
	}
	return x.read()
}

// read returns the next line, of maxRequest bytes at most.
func (x *Remote) read() (string, error) {
	line, err := x.out.ReadSlice('\n')
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(strings.Trim(string(line), "\x00")), nil
}

// Cube implements [Asked]: the program knows the cube and match scores.
func (x *Remote) Cube() bool { return true }

// Decide implements [Asked]. The protocol has no cubeless plays: such a one is asked for as money
// play with gammons and a cube in the middle.
func (x *Remote) Decide(ctx context.Context, q Board, cubeless bool) (a Answer, err error) {
	if cubeless {
		q.State = cubelessState
	}
	line := FormatBoard(q)
	if !x.plain {
		line += map[bool]string{true: " jacobyrule on", false: " jacobyrule off"}[q.State.Jacoby]
	}
	unhook := context.AfterFunc(ctx, func() { x.conn.Close() })
	defer unhook()
	answer, err := x.ask(line, answerLimit)
	switch {
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	case err == nil && strings.HasPrefix(answer, "Error"):
		err = fmt.Errorf("%.120q to %s", answer, line)
	case err == nil && q.Dice.Valid():
		a.Play, err = board.ParsePlay(q.Position, q.Dice, answer)
	case err == nil:
		var ok bool
		if a, ok = readWord(answer, q.Doubled); !ok {
			err = fmt.Errorf("answer %.60q (want %s)", answer, question(&q))
		}
	}
	if err != nil {
		return a, fmt.Errorf("external player %s: %w", x.address, err)
	}
	return a, nil
}

// Eval implements [Evaluator], as deep as the program looks without being told.
func (x *Remote) Eval(ctx context.Context, p board.Position) (eval.Probs, error) {
	if x.plain {
		return eval.Probs{}, ErrNoFigures
	}
	unhook := context.AfterFunc(ctx, func() { x.conn.Close() })
	defer unhook()
	answer, err := x.ask("evaluation fibsboard "+FormatBoard(Board{Position: p, State: cubelessState}), answerLimit)
	if err != nil {
		return eval.Probs{}, fmt.Errorf("external player %s: %w", x.address, err)
	}
	return readChances(answer)
}

// Close ends the connection.
func (x *Remote) Close() error {
	x.release()
	err := x.conn.Close()
	if x.started != nil {
		x.started.kill()
		_ = x.started.Close() // killed: its status says nothing
	}
	return err
}
