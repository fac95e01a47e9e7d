package puretd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/external"
	"fibsbot/engine/match"
)

// maxRequest bounds a request line; the longest real one has under 100 bytes.
const maxRequest = 4096

// errOver is the answer to a decision in a finished game.
var errOver = errors.New("the game is over")

// Serve answers the line protocol of `fibsbot help engine` until quit, the end of input or ctx's end:
// hello, pos, eval of a cubeless net; hello, pos, move, cube, take of one that knows the cube.
func (p *Player) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, maxRequest), maxRequest)
	for ctx.Err() == nil && lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		if f[0] == "quit" {
			return nil
		}
		answer, err := p.answer(f)
		if err != nil {
			answer = "error " + strings.Join(strings.Fields(err.Error()), " ")
		}
		if _, err := io.WriteString(out, answer+"\n"); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("read requests: %w", err)
	}
	return nil
}

// answer handles one request.
func (p *Player) answer(f []string) (string, error) {
	n, known := map[string]int{"hello": 2, "pos": 4, "move": 11, "cube": 9, "take": 9, "eval": 2}[f[0]]
	switch {
	case !known:
		return "", fmt.Errorf("unknown request %.40q", f[0])
	case len(f) != n:
		return "", fmt.Errorf("%s takes %d words, got %d", f[0], n-1, len(f)-1)
	case f[0] == "hello" && f[1] != "1":
		return "", fmt.Errorf("protocol version %.20q, this is 1", f[1])
	case f[0] == "hello" && p.Net.cubeful:
		return "ok puretd cube", nil
	case f[0] == "hello":
		return "ok puretd", nil
	case n >= 9 && !p.Net.cubeful:
		return "", errors.New("this net does not know the cube")
	case f[0] == "eval" && p.Net.cubeful:
		return "", errors.New("this net does not know chances")
	}
	pos, err := board.ParseID(f[1])
	if err == nil {
		err = pos.Validate()
	}
	if err != nil {
		return "", err
	}
	if f[0] == "eval" {
		c := p.Chances(pos)
		return fmt.Sprintf("%.6f %.6f %.6f %.6f %.6f %.6f", c[0], c[1], c[2], c[3], c[4], c.Money()), nil
	}
	if pos.Result() != 0 {
		return "", errOver
	}
	st := match.Money(false, 0)
	if n >= 9 {
		if st, err = external.ParseContext(f[n-7:]); err != nil {
			return "", err
		}
	}
	return p.decide(f, pos, st)
}

// decide answers a play or a cube decision.
func (p *Player) decide(f []string, pos board.Position, st match.State) (string, error) {
	switch f[0] {
	case "cube":
		double, err := p.Double(pos, st)
		return map[bool]string{true: "double", false: "roll"}[double], err
	case "take":
		take, err := p.Take(pos, st)
		return map[bool]string{true: "take", false: "drop"}[take], err
	}
	d, err := external.ParseDice(f[2], f[3])
	if err != nil {
		return "", err
	}
	if st.Length > 0 {
		return "", errMatch
	}
	play, ok := p.Play(pos, d, st)
	if !ok {
		return pos.Swap().ID(), nil
	}
	return play.Result.Swap().ID(), nil
}
