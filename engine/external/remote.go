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
	"fibsbot/engine/match"
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
// command external, or a [Player]. It is not safe for concurrent use.
type Remote struct {
	conn    net.Conn
	out     *bufio.Reader
	address string
	plain   bool // knows no version and so no options behind a board
	release func() bool
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

// decide asks for the decision of the side on roll or, after a double, of the other side.
func (x *Remote) decide(q Board) (string, error) {
	line := FormatBoard(q)
	if !x.plain {
		line += map[bool]string{true: " jacobyrule on", false: " jacobyrule off"}[q.State.Jacoby]
	}
	answer, err := x.ask(line, answerLimit)
	if err == nil && strings.HasPrefix(answer, "Error") {
		err = fmt.Errorf("%.120q to %s", answer, line)
	}
	if err != nil {
		return "", fmt.Errorf("external player %s: %w", x.address, err)
	}
	return answer, nil
}

// unexpected reports an answer that is not one of the protocol.
func (x *Remote) unexpected(answer, want string) error {
	return fmt.Errorf("external player %s: answer %.60q (want %s)", x.address, answer, want)
}

// Move returns the position after the program's play, seen by the player on roll at p. An
// answer that is not a legal play is an error.
func (x *Remote) Move(p board.Position, d board.Dice, st match.State) (board.Position, error) {
	answer, err := x.decide(Board{Position: p, State: st, Dice: d.Sorted()})
	if err != nil {
		return p, err
	}
	play, err := board.ParsePlay(p, d, answer)
	if err != nil {
		return p, fmt.Errorf("external player %s: %w", x.address, err)
	}
	if play.N == 0 {
		return p, nil
	}
	return play.Result, nil
}

// MoveCubeless is Move in money play with gammons and a cube in the middle: the protocol
// cannot ask for a cubeless play.
func (x *Remote) MoveCubeless(p board.Position, d board.Dice) (board.Position, error) {
	return x.Move(p, d, match.Money(false, 0))
}

// Cube reports that the program knows the cube and match scores.
func (x *Remote) Cube() bool { return true }

// Double reports whether the program doubles, where it may.
func (x *Remote) Double(p board.Position, st match.State) (bool, error) {
	answer, err := x.decide(Board{Position: p, State: st})
	switch word := strings.ToLower(answer); {
	case err != nil:
		return false, err
	case strings.HasPrefix(word, "d"):
		return true, nil
	case strings.HasPrefix(word, "r") && !strings.HasPrefix(word, "re"):
		return false, nil
	}
	return false, x.unexpected(answer, "double or roll")
}

// Take reports whether the program takes; p and st are the doubler's. A beaver is a take.
func (x *Remote) Take(p board.Position, st match.State) (bool, error) {
	answer, err := x.decide(Board{Position: p, State: st, Doubled: true})
	if err != nil {
		return false, err
	}
	switch word := strings.ToLower(answer); {
	case word == "":
	case strings.HasPrefix(word, "rej"), word[0] == 'd', word[0] == 'p':
		return false, nil
	case strings.HasPrefix(word, "red"), word[0] == 't', word[0] == 'a', word[0] == 'b':
		return true, nil
	}
	return false, x.unexpected(answer, "take or drop")
}

// Close ends the connection.
func (x *Remote) Close() error {
	x.release()
	return x.conn.Close()
}
