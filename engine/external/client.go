package external

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

var errNotStarted = fmt.Errorf("%w: a Client that Start has not made", ErrStart)

// Client asks another program that speaks the line protocol. It is an [Asked].
type Client struct {
	p    *process
	cube bool
}

// Start starts the program: words are its name and arguments, ctx ends it, and stderr
// receives its standard error. The error wraps [ErrStart] if there is no such program.
func Start(ctx context.Context, words []string, stderr io.Writer) (*Client, error) {
	p, err := startProcess(ctx, words, stderr)
	if err != nil {
		return nil, err
	}
	x := &Client{p: p}
	hello, err := x.Ask(ctx, "hello 1")
	f := strings.Fields(hello)
	if err == nil && (len(f) < 2 || f[0] != "ok") {
		err = p.failed("answered %.60q to hello", hello)
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

// Cube implements [Asked].
func (x *Client) Cube() bool { return x.cube }

// Ask sends a request, without its end of line, and returns the answer.
func (x *Client) Ask(ctx context.Context, request string) (string, error) {
	if x.p == nil {
		return "", errNotStarted
	}
	return x.p.ask(ctx, request)
}

// contextText is the CTX of a request.
func contextText(st match.State) string {
	owner := map[match.Owner]int{match.Centred: -1, match.Mine: 0, match.Theirs: 1}[st.Owner]
	flag := map[bool]int{true: 1}
	return fmt.Sprintf("%d %d %d %d %d %d %d", st.Cube, owner, st.Length, st.Score[0], st.Score[1], flag[st.Crawford], flag[st.Jacoby])
}

// Decide implements [Asked].
func (x *Client) Decide(ctx context.Context, q Board, cubeless bool) (a Answer, err error) {
	id, d := q.Position.ID(), q.Dice.Sorted()
	var request string
	switch {
	case q.Doubled:
		request = "take " + id + " " + contextText(q.State)
	case !d.Valid():
		request = "cube " + id + " " + contextText(q.State)
	case cubeless:
		request = fmt.Sprintf("pos %s %d %d", id, d.A, d.B)
	default:
		request = fmt.Sprintf("move %s %d %d %s", id, d.A, d.B, contextText(q.State))
	}
	answer, err := x.Ask(ctx, request)
	if err != nil {
		return a, err
	}
	if !d.Valid() {
		a, ok := readWord(answer, q.Doubled)
		if !ok {
			return a, x.p.failed("answer %.60q to %q (want %s)", answer, request, question(&q))
		}
		return a, nil
	}
	next, err := board.ParseID(answer)
	if err != nil {
		return a, x.p.failed("answer %.60q to %q: %w", answer, request, err)
	}
	var ok bool
	if a.Play, ok = legal(q.Position, d, next.Swap()); !ok {
		return a, x.p.failed("answer %s to %q is not a legal play", answer, request)
	}
	return a, nil
}

// Eval implements [Evaluator].
func (x *Client) Eval(ctx context.Context, p board.Position) (eval.Probs, error) {
	answer, err := x.Ask(ctx, "eval "+p.ID())
	if err != nil {
		return eval.Probs{}, err
	}
	return readChances(answer)
}

// readChances reads the five chances at the beginning of an answer.
func readChances(answer string) (pr eval.Probs, err error) {
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

// Close asks the program to end and kills it after patience.
func (x *Client) Close() error {
	if x.p == nil {
		return nil
	}
	return x.p.Close()
}
