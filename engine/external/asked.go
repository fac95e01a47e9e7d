package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// Asked is another engine that is asked for decisions. It is not safe for concurrent use.
// After an error close it: what it says next may answer the question before.
type Asked interface {
	// Decide asks for the play of q.Dice, for the answer to a double if q.Doubled, else for
	// double or roll. A cubeless play ignores cube and score. An answer that is not legal is an
	// error. When ctx ends, a started program is killed.
	Decide(ctx context.Context, q Board, cubeless bool) (Answer, error)
	// Cube reports whether the engine knows the cube and match scores. Without them it is
	// asked for cubeless plays only.
	Cube() bool
	Close() error
}

// Evaluator is an Asked that tells chances too.
type Evaluator interface {
	// Eval returns the chances of the player on roll at p, cubeless.
	Eval(ctx context.Context, p board.Position) (eval.Probs, error)
}

// ErrNoFigures means that an engine tells no chances.
var ErrNoFigures = errors.New("the engine tells no chances")

// Answer is a decision of another engine.
type Answer struct {
	Play   board.Play // of no steps where no play is legal
	Double bool
	Take   bool // true for a beaver too
	Beaver bool
}

// After is the position after the play, seen by the player on roll at p.
func (a *Answer) After(p board.Position) board.Position {
	if a.Play.N == 0 {
		return p
	}
	return a.Play.Result
}

// Protocol is how another engine is asked.
type Protocol string

// The protocols.
const (
	Line   Protocol = "line"   // the line protocol of a started program
	UBGI   Protocol = "ubgi"   // the Universal Backgammon Interface, draft 0.01, of a started program
	Gnubg  Protocol = "gnubg"  // gnubg's external player, at an address or as a started gnubg
	Nodots Protocol = "nodots" // the Nodots engine protocol, version 1, over HTTP
	Wildbg Protocol = "wildbg" // wildbg's HTTP interface
)

// Protocols are all of them, in the order of help texts.
var Protocols = []Protocol{Line, UBGI, Gnubg, Nodots, Wildbg}

// ErrSpec is wrapped by errors of [Spec.Check].
var ErrSpec = errors.New("engine")

// Spec says which engine to ask.
type Spec struct {
	Protocol Protocol
	Command  []string // the program to start and its arguments
	Address  string   // where it is served: HOST:PORT, or an http or https URL
}

// prefixes are how a text names an engine: what stands before the command or the address.
var prefixes = []struct {
	text     string
	protocol Protocol
	command  bool
}{
	{"cmd:", Line, true}, {"ubgi:", UBGI, true}, {"gnubg:", Gnubg, true},
	{"external:", Gnubg, false}, {"nodots:", Nodots, false}, {"wildbg:", Wildbg, false},
}

// SpecForms are the forms of [ParseSpec], for errors and help texts.
const SpecForms = "cmd:COMMAND, ubgi:COMMAND, gnubg:COMMAND, external:HOST:PORT, nodots:ADDRESS, wildbg:ADDRESS"

// ParseSpec reads one of [SpecForms]; ok is false for a text that begins otherwise. A command is
// divided at its blanks. Errors are those of [Spec.Check].
func ParseSpec(text string) (s Spec, ok bool, err error) {
	for _, p := range prefixes {
		rest, is := strings.CutPrefix(text, p.text)
		if !is {
			continue
		}
		if s.Protocol = p.protocol; p.command {
			s.Command = strings.Fields(rest)
		} else {
			s.Address = rest
		}
		return s, true, s.Check()
	}
	return s, false, nil
}

// Check reports what is missing or does not go together. Errors wrap [ErrSpec] and fit in one line.
func (s *Spec) Check() error {
	started := s.Protocol == Line || s.Protocol == UBGI
	served := s.Protocol == Nodots || s.Protocol == Wildbg
	switch {
	case !started && !served && s.Protocol != Gnubg:
		return fmt.Errorf("%w: unknown protocol %.40q (use line, ubgi, gnubg, nodots, wildbg)", ErrSpec, string(s.Protocol))
	case len(s.Command) > 0 && s.Address != "":
		return fmt.Errorf("%w: a command and an address (use one of them)", ErrSpec)
	case started && len(s.Command) == 0:
		return fmt.Errorf("%w: protocol %s needs a command, as ./engine", ErrSpec, s.Protocol)
	case served && s.Address == "":
		return fmt.Errorf("%w: protocol %s needs an address", ErrSpec, s.Protocol)
	case len(s.Command) == 0 && s.Address == "":
		return fmt.Errorf("%w: neither a command nor an address (use HOST:PORT)", ErrSpec)
	}
	if s.Address == "" {
		return nil
	}
	if served {
		_, err := baseURL(s.Address)
		return err
	}
	if _, port, err := net.SplitHostPort(s.Address); err != nil || port == "" {
		return fmt.Errorf("%w: %.80q is no address (use HOST:PORT)", ErrSpec, s.Address)
	}
	return nil
}

// openLimit is how long an engine may take to start.
const openLimit = 30 * time.Second

// Open starts or reaches the engine; ctx ends it. Standard error of a started program goes to
// stderr. Errors wrap [ErrSpec], [ErrStart] or [ErrDial].
func (s *Spec) Open(ctx context.Context, stderr io.Writer) (Asked, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return inTime(ctx, openLimit, func(ctx context.Context) (Asked, error) { return s.open(ctx, stderr) })
}

// inTime opens an engine within limit; ctx ends the engine.
func inTime(ctx context.Context, limit time.Duration, open func(context.Context) (Asked, error)) (Asked, error) {
	ctx, end := context.WithCancelCause(ctx)
	late := time.AfterFunc(limit, func() { end(fmt.Errorf("%w (%v)", errLate, limit)) })
	x, err := open(ctx)
	if !late.Stop() && err == nil {
		err = errors.Join(context.Cause(ctx), x.Close())
	}
	if err != nil {
		end(nil)
		return nil, err
	}
	return x, nil
}

// open starts or reaches the engine.
func (s *Spec) open(ctx context.Context, stderr io.Writer) (Asked, error) {
	switch {
	case s.Protocol == Line:
		return asked(Start(ctx, s.Command, stderr))
	case s.Protocol == UBGI:
		return asked(StartUBGI(ctx, s.Command, stderr))
	case s.Protocol == Nodots:
		return asked(dialNodots(ctx, s.Address))
	case s.Protocol == Wildbg:
		return asked(dialWildbg(ctx, s.Address))
	case len(s.Command) > 0:
		return asked(startGnubg(ctx, s.Command, stderr))
	}
	return asked(Dial(ctx, s.Address))
}

// asked keeps the nil pointer of a failed start from becoming an Asked.
func asked[E Asked](x E, err error) (Asked, error) {
	if err != nil {
		return nil, err
	}
	return x, nil
}

// legal returns the play of d at p that leads to result, which the player on roll sees.
func legal(p board.Position, d board.Dice, result board.Position) (board.Play, bool) {
	plays := board.AppendPlays(nil, p, d)
	for i := range plays {
		if plays[i].Result == result {
			return plays[i], true
		}
	}
	return board.Play{}, len(plays) == 0 && result == p
}

// cubelessState is the money play that a cubeless decision stands for.
var cubelessState = match.Money(false, 0)

// readWord reads an answer about the cube, in the words of any protocol.
func readWord(answer string, doubled bool) (a Answer, ok bool) {
	word := strings.ToLower(strings.TrimSpace(answer))
	if doubled {
		switch word {
		case "beaver", "redouble":
			return Answer{Take: true, Beaver: true}, true
		case "take", "accept":
			return Answer{Take: true}, true
		case "drop", "pass", "reject":
			return Answer{}, true
		}
		return a, false
	}
	switch word {
	case "double", "redouble":
		return Answer{Double: true}, true
	case "roll", "no-double":
		return Answer{}, true
	}
	return a, false
}

// question names what is asked, for errors.
func question(q *Board) string {
	switch {
	case q.Doubled:
		return "take or drop"
	case q.Dice.Valid():
		return "a play"
	}
	return "double or roll"
}

// patience is how long a program may take to end after quit.
const patience = 10 * time.Second
