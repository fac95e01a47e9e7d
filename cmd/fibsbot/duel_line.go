package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// linePlayer is another program that speaks the line protocol.
type linePlayer struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	cube bool
}

func startLinePlayer(ctx context.Context, words []string, stderr io.Writer) (player, error) {
	c := exec.CommandContext(ctx, words[0], words[1:]...)
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
		return nil, usagef("cmd: %v", err)
	}
	x := &linePlayer{cmd: c, in: in, out: bufio.NewReaderSize(out, maxRequest)}
	hello, err := x.ask("hello 1")
	f := strings.Fields(hello)
	if err == nil && (len(f) < 2 || f[0] != "ok") {
		err = fmt.Errorf("%s answered %.60q to hello", words[0], hello)
	}
	if err != nil {
		x.close()
		return nil, err
	}
	for _, w := range f[2:] {
		x.cube = x.cube || w == "cube"
	}
	return x, nil
}

func (x *linePlayer) ask(request string) (string, error) {
	if _, err := io.WriteString(x.in, request+"\n"); err != nil {
		return "", fmt.Errorf("engine %s: %w", x.cmd.Path, err)
	}
	line, err := x.out.ReadSlice('\n')
	if err != nil {
		return "", fmt.Errorf("engine %s: no answer to %q: %w", x.cmd.Path, request, err)
	}
	return strings.TrimSpace(string(line)), nil
}

func contextText(st match.State) string {
	owner := map[match.Owner]int{match.Centred: -1, match.Mine: 0, match.Theirs: 1}[st.Owner]
	flag := map[bool]int{true: 1}
	return fmt.Sprintf("%d %d %d %d %d %d %d", st.Cube, owner, st.Length, st.Score[0], st.Score[1], flag[st.Crawford], flag[st.Jacoby])
}

func (x *linePlayer) move(_ context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, _ uint64) (board.Position, error) {
	d = d.Sorted()
	request := fmt.Sprintf("pos %s %d %d", p.ID(), d.A, d.B)
	if x.cube && !cubeless {
		request = fmt.Sprintf("move %s %d %d %s", p.ID(), d.A, d.B, contextText(st))
	}
	answer, err := x.ask(request)
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
	return p, fmt.Errorf("answer %s to %q is no legal play", answer, request)
}

func (x *linePlayer) double(_ context.Context, p board.Position, st match.State, _ uint64) (bool, error) {
	if !x.cube {
		return false, nil
	}
	answer, err := x.ask("cube " + p.ID() + " " + contextText(st))
	if err == nil && answer != "double" && answer != "roll" {
		err = fmt.Errorf("answer %.60q to cube", answer)
	}
	return answer == "double", err
}

func (x *linePlayer) take(_ context.Context, p board.Position, st match.State, _ uint64) (bool, error) {
	if !x.cube {
		return true, nil
	}
	answer, err := x.ask("take " + p.ID() + " " + contextText(st))
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

func (x *linePlayer) close() {
	_, _ = io.WriteString(x.in, "quit\n")
	x.in.Close()
	_ = x.cmd.Wait()
}
