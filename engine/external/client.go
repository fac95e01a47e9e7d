package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/internal/subprocess"
)

// ErrStart is wrapped by errors about a program that cannot be started.
var ErrStart = errors.New("start engine")

var errNotStarted = fmt.Errorf("%w: a Client that Start has not made", ErrStart)

// Client asks another program that speaks the line protocol. It is not safe for
// concurrent use.
type Client struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	cube bool
}

// Start starts the program: words are its name and arguments, ctx ends it, and stderr
// receives its standard error. The error wraps [ErrStart] if there is no such program.
func Start(ctx context.Context, words []string, stderr io.Writer) (*Client, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("%w: no command", ErrStart)
	}
	c := subprocess.Command(ctx, words[0], words[1:]...)
	c.Stderr = stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", words[0], err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", words[0], err)
	}
	if err := c.Start(); err != nil {
		return nil, startError{err}
	}
	x := &Client{cmd: c, in: in, out: bufio.NewReaderSize(out, maxRequest)}
	hello, err := x.Ask("hello 1")
	f := strings.Fields(hello)
	if err == nil && (len(f) < 2 || f[0] != "ok") {
		err = fmt.Errorf("%s answered %.60q to hello", words[0], hello)
	}
	if err != nil {
		_ = x.Close()
		return nil, err
	}
	for _, w := range f[2:] {
		x.cube = x.cube || w == "cube"
	}
	return x, nil
}

// startError is an error of the system that errors.Is finds as ErrStart.
type startError struct{ error }

func (startError) Is(target error) bool { return target == ErrStart }
func (e startError) Unwrap() error      { return e.error }

// Cube reports whether the program knows the cube and match scores. Without them it
// answers pos only.
func (x *Client) Cube() bool { return x.cube }

// Ask sends a request, without its end of line, and returns the answer.
func (x *Client) Ask(request string) (string, error) {
	if x.in == nil {
		return "", errNotStarted
	}
	if _, err := io.WriteString(x.in, request+"\n"); err != nil {
		return "", fmt.Errorf("engine %s: %w", x.cmd.Path, err)
	}
	line, err := x.out.ReadSlice('\n')
	if err != nil {
		return "", fmt.Errorf("engine %s: no answer to %q: %w", x.cmd.Path, request, err)
	}
	return strings.TrimSpace(string(line)), nil
}

// contextText is the CTX of a request.
func contextText(st match.State) string {
	owner := map[match.Owner]int{match.Centred: -1, match.Mine: 0, match.Theirs: 1}[st.Owner]
	flag := map[bool]int{true: 1}
	return fmt.Sprintf("%d %d %d %d %d %d %d", st.Cube, owner, st.Length, st.Score[0], st.Score[1], flag[st.Crawford], flag[st.Jacoby])
}

// Move returns the position after the program's play, seen by the player on roll at
// p. An answer that is not a legal play is an error.
func (x *Client) Move(p board.Position, d board.Dice, st match.State) (board.Position, error) {
	d = d.Sorted()
	return x.play(fmt.Sprintf("move %s %d %d %s", p.ID(), d.A, d.B, contextText(st)), p, d)
}

// MoveCubeless is Move without cube and score.
func (x *Client) MoveCubeless(p board.Position, d board.Dice) (board.Position, error) {
	d = d.Sorted()
	return x.play(fmt.Sprintf("pos %s %d %d", p.ID(), d.A, d.B), p, d)
}

func (x *Client) play(request string, p board.Position, d board.Dice) (board.Position, error) {
	answer, err := x.Ask(request)
	if err != nil {
		return p, err
	}
	next, err := board.ParseID(answer)
	if err != nil {
		return p, fmt.Errorf("answer %.60q to %q: %w", answer, request, err)
	}
	result := next.Swap()
	plays := board.AppendPlays(nil, p, d)
	for i := range plays {
		if plays[i].Result == result {
			return result, nil
		}
	}
	if len(plays) == 0 && result == p {
		return p, nil
	}
	return p, fmt.Errorf("answer %s to %q is not a legal play", answer, request)
}

// Double reports whether the program doubles.
func (x *Client) Double(p board.Position, st match.State) (bool, error) {
	answer, err := x.Ask("cube " + p.ID() + " " + contextText(st))
	if err == nil && answer != "double" && answer != "roll" {
		err = fmt.Errorf("answer %.60q to cube", answer)
	}
	return answer == "double", err
}

// Take reports whether the program takes; p and st are the doubler's.
func (x *Client) Take(p board.Position, st match.State) (bool, error) {
	answer, err := x.Ask("take " + p.ID() + " " + contextText(st))
	switch {
	case err != nil:
		return false, err
	case answer == "take" || answer == "beaver":
		return true, nil
	case answer == "drop":
		return false, nil
	}
	return false, fmt.Errorf("answer %.60q to take", answer)
}

// Eval returns the program's chances of the player on roll at p.
func (x *Client) Eval(p board.Position) (eval.Probs, error) {
	var pr eval.Probs
	answer, err := x.Ask("eval " + p.ID())
	if err != nil {
		return pr, err
	}
	f := strings.Fields(answer)
	if len(f) < len(pr) {
		return pr, fmt.Errorf("answer %.60q to eval, want five chances", answer)
	}
	for j := range pr {
		v, err := strconv.ParseFloat(f[j], 32)
		if err != nil || !(v >= 0 && v <= 1) {
			return pr, fmt.Errorf("answer %.60q to eval, want five chances", answer)
		}
		pr[j] = float32(v)
	}
	return pr, nil
}

// patience is how long a program may take to end after quit.
const patience = 10 * time.Second

// Close asks the program to end and kills it after patience.
func (x *Client) Close() error {
	if x.in == nil {
		return nil
	}
	_, _ = io.WriteString(x.in, "quit\n")
	x.in.Close()
	kill := time.AfterFunc(patience, func() { _ = x.cmd.Cancel() })
	defer kill.Stop()
	return x.cmd.Wait()
}
