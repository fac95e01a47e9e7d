package external

import (
	"context"
	"fmt"
	"io"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// The words of UBGI, the Universal Backgammon Interface (draft 0.01, 2025): "ubgi" is answered by
// lines of id and readyok, a position (a board line of FIBS or an XGID) by one line with a play,
// double, roll, take or drop, or by an empty line where no play is legal.
const (
	ubgiHello = "ubgi"
	ubgiReady = "readyok"
	ubgiSorry = "sorry"
)

// ubgi answers one line of UBGI. ok is false where nothing is to be said.
func (l *Server) ubgi(ctx context.Context, line string) (answer string, ok bool) {
	switch line {
	case ubgiHello:
		return "id name fibsbot\nid author the fibsbot authors\nid version " + l.version() + "\n" + ubgiReady, true
	case "stop": // an answer is said before the next line is read
		return "", false
	}
	q, err := ubgiPosition(line)
	if err == nil {
		answer, err = Player{Engine: l.Engine, Preset: l.strength()}.decide(ctx, q)
	}
	if err == nil {
		if answer == "beaver" {
			answer = "take" // the only word for it
		}
		return answer, true
	}
	if ctx.Err() != nil {
		return "", false
	}
	if l.Warn != nil {
		l.Warn(fmt.Sprintf("ubgi: %s: %.200q", oneLine(err), line))
	}
	return ubgiSorry, true
}

func (l *Server) version() string {
	if _, number, ok := strings.Cut(l.Version, " "); ok {
		return number
	}
	return "0"
}

// ubgiPosition reads the position of a question.
func ubgiPosition(line string) (q Board, err error) {
	if strings.HasPrefix(line, "board:") {
		q, err = parseBoard(line, true)
	} else {
		q, err = match.ParseSituation(line)
	}
	if err != nil {
		return q, err
	}
	return q, q.Validate()
}

// ubgiClient asks a started program that speaks UBGI.
type ubgiClient struct{ *process }

// maxBanner bounds what a program says before it is ready.
const maxBanner = 200

// StartUBGI starts a program that speaks UBGI: words are its name and arguments, ctx ends it, and
// stderr receives its standard error. The error wraps [ErrStart] if there is no such program.
func StartUBGI(ctx context.Context, words []string, stderr io.Writer) (Asked, error) {
	p, err := startProcess(ctx, words, stderr)
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(p.in, ubgiHello+"\n")
	for n := 0; err == nil; n++ {
		var line string
		line, err = p.next(ctx)
		switch {
		case err != nil:
		case line == ubgiReady:
			return ubgiClient{p}, nil
		case line == ubgiSorry:
			err = fmt.Errorf("it is %s", ubgiSorry)
		case n == maxBanner:
			err = fmt.Errorf("no %s in %d lines", ubgiReady, n)
		}
	}
	err = p.late(ctx, ubgiHello, err)
	_ = p.Close() // killed
	return nil, err
}

// Cube implements [Asked].
func (ubgiClient) Cube() bool { return true }

// Decide implements [Asked]. A cubeless play is asked for as money play without the Jacoby rule.
func (x ubgiClient) Decide(ctx context.Context, q Board, cubeless bool) (a Answer, err error) {
	if cubeless {
		q.State = cubelessState
	}
	request := q.XGID()
	answer, err := x.ask(ctx, request)
	if err != nil {
		return a, err
	}
	if q.Dice.Valid() {
		if a.Play, err = board.ParsePlay(q.Position, q.Dice, ubgiPlay(answer)); err != nil {
			return a, x.failed("answer %.60q to %s: %w", answer, request, err)
		}
		return a, nil
	}
	a, ok := readWord(answer, q.Doubled)
	if !ok {
		return a, x.failed("answer %.60q to %s (want %s)", answer, request, question(&q))
	}
	return a, nil
}

// ubgiPlay writes the pairs of a play, which may be divided by a blank, with strokes. Other text
// stays as it is.
func ubgiPlay(text string) string {
	f := strings.Fields(text)
	if strings.ContainsAny(text, "/-") || len(f)%2 != 0 {
		return text
	}
	var pairs []string
	for i := 0; i < len(f); i += 2 {
		pairs = append(pairs, f[i]+"/"+f[i+1])
	}
	return strings.Join(pairs, " ")
}
