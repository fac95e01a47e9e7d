package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

// maxRequest bounds a request line; the longest real one has under 100 bytes.
const maxRequest = 4096

func newEngineCmd() *cobra.Command {
	var strength strengthFlags
	var parts engineFlags
	var listen string
	var jacoby bool
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Answer move and cube requests on stdin, or to gnubg over a socket",
		Long: `Without --listen: the line protocol, one request a line on stdin, one answer a line
on stdout. Requests:
  hello 1                ok NAME cube
  pos ID D1 D2           the Position ID after the best cubeless money play
  move ID D1 D2 CTX      the same with the cube and match context
  cube ID CTX            double or roll
  take ID CTX            take or drop; ID and CTX are the doubler's
  eval ID                win wg wbg lg lbg equity
  cubeinfo ID CTX        ACTION no_double double_take double_pass
  set KEY VALUE          ok; keys preset, plies, noise, filter, cubeful, threads, seed
  quit
CTX is CUBE OWNER LENGTH MYSCORE OPPSCORE CRAWFORD JACOBY of the player on roll, OWNER
-1 centred, 0 his, 1 the opponent's. A request that is not understood is answered
"error REASON" and changes nothing.

With --listen: gnubg's external-player protocol; in gnubg say
"set player 1 external HOST:PORT".`,
		Example: `  echo 'pos 4HPwATDgc/ABMA 3 1' | fibsbot engine --preset expert
  fibsbot engine --plies 0 --cubeless
  fibsbot engine --listen 127.0.0.1:7781 --preset worldclass`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := strength.resolve(cmd)
			if err != nil {
				return err
			}
			e, err := parts.open(cmd, strength.seed)
			if err != nil {
				return err
			}
			defer e.Close()
			if listen != "" {
				return listenExternal(cmd, listen, e, p, jacoby)
			}
			l := lineEngine{engine: e, preset: p, seed: strength.seed, config: strength.config}
			return l.serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	addStrengthFlags(cmd, &strength, "expert")
	addPresetsFlag(cmd, &strength.config)
	addEngineFlags(cmd, &parts)
	cmd.Flags().StringVar(&listen, "listen", "", "serve gnubg's external-player protocol on HOST:PORT")
	cmd.Flags().BoolVar(&jacoby, "jacoby", true, "with --listen: the Jacoby rule holds in money sessions")
	return cmd
}

// lineEngine answers the line protocol.
type lineEngine struct {
	engine *engine.Engine
	preset preset.Preset
	seed   uint64
	asked  uint64
	config string // file with own presets
}

// serve answers until quit, the end of input or ctx's end.
func (l *lineEngine) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	r := bufio.NewReaderSize(in, maxRequest)
	w := bufio.NewWriter(out)
	for ctx.Err() == nil {
		line, err := readRequest(r)
		text := strings.TrimSpace(line)
		if text == "quit" {
			return nil
		}
		if text != "" && text[0] != '#' {
			answer, fault := l.answer(ctx, strings.Fields(text))
			if fault != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				answer = "error " + oneLine(fault)
			}
			if _, err := w.WriteString(answer + "\n"); err != nil {
				return err
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
func (l *lineEngine) strength() preset.Preset {
	l.asked++
	return l.preset.WithSeed(l.seed*0x9e3779b97f4a7c15 + l.asked)
}

// answer handles one request.
func (l *lineEngine) answer(ctx context.Context, f []string) (string, error) {
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
	// Cubeless money play ignores Jacoby: gammons always count.
	st := match.Money(false, 0)
	if n >= 9 {
		if st, err = readContext(f[len(f)-7:]); err != nil {
			return "", err
		}
	}
	pr := l.strength()
	switch f[0] {
	case "pos", "move":
		d, err := board.Dice{}, error(nil)
		if d, err = readTwoDice(f[2], f[3]); err != nil {
			return "", err
		}
		if f[0] == "pos" {
			pr.Checker.Cubeful = false
		}
		return l.play(ctx, p, d, st, pr)
	case "cube":
		double, _, err := l.engine.Double(ctx, p, st, pr)
		if err != nil {
			return "", err
		}
		if double {
			return "double", nil
		}
		return "roll", nil
	case "take":
		a, err := l.engine.TakeDecision(ctx, p, st, pr)
		if err != nil {
			return "", err
		}
		if a.Take {
			return "take", nil
		}
		return "drop", nil
	case "eval":
		pr.Cube.Cubeful = false
		v, err := l.engine.Evaluate(ctx, p, st, pr)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%.6f %.6f %.6f %.6f %.6f %.6f", v.Probs[0], v.Probs[1], v.Probs[2], v.Probs[3], v.Probs[4], v.Cubeless), nil
	}
	d, err := l.engine.CubeDecision(ctx, p, st, pr)
	if err != nil {
		return "", err
	}
	if !d.Available() {
		return "", errors.New("the player on roll may not turn the cube")
	}
	return fmt.Sprintf("%s %.6f %.6f %.6f", d.Action, d.NoDouble, d.DoubleTake, d.DoublePass), nil
}

func (l *lineEngine) play(ctx context.Context, p board.Position, d board.Dice, st match.State, pr preset.Preset) (string, error) {
	c, ok, err := l.engine.BestPlay(ctx, p, d, st, pr)
	if err != nil {
		return "", err
	}
	if !ok {
		return p.Swap().ID(), nil
	}
	return c.Play.Result.Swap().ID(), nil
}

// set changes one setting, or none when the value is no good.
func (l *lineEngine) set(key, value string) error {
	p := l.preset
	switch key {
	case "preset":
		named, err := findPreset("preset", value, l.config)
		if err != nil {
			return err
		}
		p = named
	case "plies":
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("plies %.20q is no number", value)
		}
		p.Checker.Plies, p.Cube.Plies, p.Close = n, n, preset.Close{}
	case "noise":
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("noise %.20q is no number", value)
		}
		p.Checker.Noise, p.Cube.Noise, p.Close = x, x, preset.Close{}
	case "filter":
		f, err := search.FilterByName(value)
		if err != nil {
			return err
		}
		p.Checker.Filter = f
	case "cubeful":
		if value != "0" && value != "1" {
			return fmt.Errorf("cubeful is 0 or 1, not %.20q", value)
		}
		p.Checker.Cubeful = value == "1"
		p.Cube.Cubeful = value == "1"
	case "threads":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > 1024 {
			return fmt.Errorf("threads %.20q is not 0 to 1024", value)
		}
		l.engine.Search().SetThreads(n)
	case "seed":
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return fmt.Errorf("seed %.20q is no number", value)
		}
		l.seed, l.asked = n, 0
	default:
		return fmt.Errorf("no setting %.40q, there are preset, plies, noise, filter, cubeful, threads, seed", key)
	}
	for _, s := range [...]search.Settings{p.Checker, p.Cube} {
		if err := s.Validate(); err != nil {
			return err
		}
	}
	l.preset = p
	return nil
}

func readTwoDice(a, b string) (board.Dice, error) {
	if len(a) == 1 && len(b) == 1 {
		if d := (board.Dice{A: a[0] - '0', B: b[0] - '0'}); d.Valid() {
			return d.Sorted(), nil
		}
	}
	return board.Dice{}, fmt.Errorf("dice %.10q %.10q are not 1 to 6", a, b)
}

// readContext reads CUBE OWNER LENGTH MYSCORE OPPSCORE CRAWFORD JACOBY.
func readContext(f []string) (match.State, error) {
	var v [7]int
	for i := range v {
		n, err := strconv.Atoi(f[i])
		if err != nil || n < -1 || n > 1<<20 {
			return match.State{}, fmt.Errorf("context field %d, %.20q, is no number in range", i+1, f[i])
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
	return st, st.Validate()
}
