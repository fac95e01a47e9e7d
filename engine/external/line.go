package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
	"fibsbot/internal/splitmix"
)

// errNoEngine means that the Engine of a Server or Player was not set.
var errNoEngine = errors.New("external: no Engine")

// Server answers the line protocol or, if the first line is "ubgi", UBGI. It is not safe for
// concurrent use.
type Server struct {
	Engine *engine.Engine // must be set
	Preset preset.Preset
	Seed   uint64 // of everything drawn at random
	// Find finds the preset that "set preset" names; nil knows the built-in ones.
	Find func(name string) (preset.Preset, error)
	// Filter finds the move filter that "set filter" names; nil knows the built-in ones and
	// those written out as their cuts.
	Filter func(name string) (search.Filter, error)
	// Version is the program's name and version, told to those who speak UBGI.
	Version string
	// Warn is called with a line for each question of UBGI that cannot be answered. May be nil.
	Warn func(string)

	asked uint64 // decisions since the seed was set
}

// Serve answers until quit, the end of input or ctx's end.
func (l *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if l.Engine == nil {
		return errNoEngine
	}
	r := bufio.NewReaderSize(in, maxRequest)
	w := bufio.NewWriter(out)
	respond := l.respond
	for first := true; ctx.Err() == nil; {
		line, err := readRequest(r)
		text := strings.TrimSpace(line)
		if text == "quit" {
			return nil
		}
		if text != "" && text[0] != '#' {
			if first && text == ubgiHello {
				respond = l.ubgi
			}
			first = false
			answer, speak := respond(ctx, text)
			if ctx.Err() != nil && !speak {
				return ctx.Err()
			}
			if speak {
				if _, err := w.WriteString(answer + "\n"); err != nil {
					return err
				}
			}
			if err := w.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return nil // between two requests a signal is as good as the end of input
		}
		if err != nil {
			return fmt.Errorf("read requests: %w", err)
		}
	}
	return nil
}

// respond answers one line of the line protocol; ok is false when ctx ended first.
func (l *Server) respond(ctx context.Context, line string) (answer string, ok bool) {
	answer, err := l.answer(ctx, strings.Fields(line))
	if err != nil {
		return "error " + oneLine(err), ctx.Err() == nil
	}
	return answer, true
}

// readRequest reads a line; of one longer than the reader's buffer only the word
// that makes it an unknown request is kept.
func readRequest(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return string(line), err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.ReadSlice('\n')
	}
	return "line-too-long", err
}

func oneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

// strength returns the preset for the next decision, with its own seed.
func (l *Server) strength() preset.Preset {
	l.asked++
	return l.Preset.WithSeed(l.Seed*splitmix.Gamma + l.asked)
}

// answer handles one request.
func (l *Server) answer(ctx context.Context, f []string) (string, error) {
	want := map[string]int{"hello": 2, "pos": 4, "move": 11, "cube": 9, "take": 9, "eval": 2, "cubeinfo": 9, "set": 3}
	n, known := want[f[0]]
	if !known {
		return "", fmt.Errorf("unknown request %.40q", f[0])
	}
	if len(f) != n {
		return "", fmt.Errorf("%s takes %d words, got %d", f[0], n-1, len(f)-1)
	}
	switch f[0] {
	case "hello":
		if f[1] != "1" {
			return "", fmt.Errorf("protocol version %.20q, this is 1", f[1])
		}
		return "ok fibsbot cube", nil
	case "set":
		return "ok", l.set(f[1], f[2])
	}
	p, err := board.ParseID(f[1])
	if err != nil {
		return "", err
	}
	if f[0] != "eval" && p.Result() != 0 {
		return "", errors.New("the game is over")
	}
	// Cubeless money play ignores Jacoby: gammons always count.
	st := match.Money(false, 0)
	if n >= 9 {
		if st, err = ParseContext(f[len(f)-7:]); err != nil {
			return "", err
		}
	}
	return l.decide(ctx, f, p, st)
}

// decide answers a request about position p in state st.
func (l *Server) decide(ctx context.Context, f []string, p board.Position, st match.State) (string, error) {
	pr := l.strength()
	switch f[0] {
	case "pos", "move":
		d, err := ParseDice(f[2], f[3])
		if err != nil {
			return "", err
		}
		if f[0] == "pos" {
			pr.Checker.Cubeful = false
		}
		return l.play(ctx, p, d, st, pr)
	case "cube":
		double, _, err := l.Engine.Double(ctx, p, st, pr)
		return either(double, "double", "roll", err)
	case "take":
		a, err := l.Engine.TakeDecision(ctx, p, st, pr)
		return either(a.Take, "take", "drop", err)
	case "eval":
		pr.Cube.Cubeful = false
		v, err := l.Engine.Evaluate(ctx, p, st, pr)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%.6f %.6f %.6f %.6f %.6f %.6f", v.Probs[0], v.Probs[1], v.Probs[2], v.Probs[3], v.Probs[4], v.Cubeless), nil
	}
	d, err := l.Engine.CubeDecision(ctx, p, st, pr)
	if err != nil {
		return "", err
	}
	if !d.Available() {
		return "", errors.New("the player on roll may not turn the cube")
	}
	return fmt.Sprintf("%s %.6f %.6f %.6f", d.Action, d.NoDouble, d.DoubleTake, d.DoublePass), nil
}

func (l *Server) play(ctx context.Context, p board.Position, d board.Dice, st match.State, pr preset.Preset) (string, error) {
	c, ok, err := l.Engine.BestPlay(ctx, p, d, st, pr)
	if err != nil {
		return "", err
	}
	if !ok {
		return p.Swap().ID(), nil
	}
	return c.Play.Result.Swap().ID(), nil
}

// set changes one setting; a bad value changes none.
func (l *Server) set(key, value string) error {
	p := l.Preset
	switch key {
	case "preset":
		find := l.Find
		if find == nil {
			find = preset.ByName
		}
		var err error
		if p, err = find(value); err != nil {
			return err
		}
	case "plies":
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("plies %.20q is not a whole number", value)
		}
		p.Checker.Plies, p.Cube.Plies, p.Close = n, n, preset.Close{}
	case "noise":
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("noise %.20q is not a number", value)
		}
		p.Checker.Noise, p.Cube.Noise, p.Close = x, x, preset.Close{}
	case "filter":
		find := l.Filter
		if find == nil {
			find = builtInFilter
		}
		var err error
		if p.Checker.Filter, err = find(value); err != nil {
			return err
		}
	case "cubeful":
		if value != "0" && value != "1" {
			return fmt.Errorf("cubeful is 0 or 1, not %.20q", value)
		}
		p.Checker.Cubeful, p.Cube.Cubeful = value == "1", value == "1"
	case "threads":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > 1024 {
			return fmt.Errorf("threads %.20q is not 0 to 1024", value)
		}
		l.Engine.Search().SetThreads(n)
	case "seed":
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return fmt.Errorf("seed %.20q is not a number", value)
		}
		l.Seed, l.asked = n, 0
	default:
		return fmt.Errorf("unknown setting %.40q (use preset, plies, noise, filter, cubeful, threads, seed)", key)
	}
	for _, s := range [...]search.Settings{p.Checker, p.Cube} {
		if err := s.Validate(); err != nil {
			return err
		}
	}
	l.Preset = p
	return nil
}

// builtInFilter finds a filter without a configuration.
func builtInFilter(name string) (search.Filter, error) {
	if strings.Contains(name, ":") {
		return search.ParseFilter(name)
	}
	return search.FilterByName(name)
}

// ParseDice reads the two dice of a request, each a digit from 1 to 6.
func ParseDice(a, b string) (board.Dice, error) {
	if len(a) == 1 && len(b) == 1 {
		if d := (board.Dice{A: a[0] - '0', B: b[0] - '0'}); d.Valid() {
			return d.Sorted(), nil
		}
	}
	return board.Dice{}, fmt.Errorf("dice %.10q %.10q are not 1 to 6", a, b)
}

// ParseContext reads the seven words of a request CUBE OWNER LENGTH MYSCORE OPPSCORE
// CRAWFORD JACOBY. The error is about a word out of range or an impossible state.
func ParseContext(f []string) (match.State, error) {
	var v [7]int
	for i := range v {
		n, err := strconv.Atoi(f[i])
		if err != nil || n < -1 || n > 1<<20 {
			return match.State{}, fmt.Errorf("context field %d: %.20q is not a whole number from -1 to 1048576", i+1, f[i])
		}
		v[i] = n
	}
	owners := map[int]match.Owner{-1: match.Centred, 0: match.Mine, 1: match.Theirs}
	owner, ok := owners[v[1]]
	if !ok || v[5] < 0 || v[5] > 1 || v[6] < 0 || v[6] > 1 {
		return match.State{}, errors.New("context: owner is -1, 0 or 1, Crawford and Jacoby 0 or 1")
	}
	st := match.State{
		Cube: v[0], Owner: owner, Length: v[2], Crawford: v[5] == 1,
		Jacoby: v[6] == 1 && v[2] == 0,
	}
	if st.Length > 0 {
		st.Score = [2]int{v[3], v[4]}
	}
	return st, match.Situation{State: st}.Validate()
}
