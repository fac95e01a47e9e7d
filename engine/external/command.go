package external

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// session is one connection: board lines of a gnubg that plays, and the commands that
// gnubg's own "external" answers.
type session struct {
	Player
	debug   bool
	over    bool   // the guest has said goodbye
	game    string // names, length and score of the last game
	offered int    // the highest resignation offered in that game, 0 for none
}

// options follow a board.
type options struct {
	jacoby, crawford, beavers *bool
	resignation               int // 0 none
	// Of evaluations alone.
	plies                int
	cubeful, prune       bool
	noise                float64
	deterministic, given bool // given: one of these was
}

// errSyntax means a command that is not understood.
var errSyntax = errors.New("syntax error")

// command answers one line.
func (s *session) command(ctx context.Context, line string) (string, error) {
	words, err := split(line)
	if err != nil {
		return "", err
	}
	if len(words) == 0 {
		return "", errors.New("no command given")
	}
	switch verb := strings.ToLower(words[0]); verb {
	case "exit", "quit":
		s.over = true
		return "", nil
	case "version":
		return fmt.Sprintf("Interface: 2\nRFBF: 0\nEngine: %s\nSoftware: %s", s.Engine.Manifest().Name, s.Version), nil
	case "help":
		return "\tversion, help, exit, set debug on|off, set interface new|old, BOARD [options], evaluation fibsboard BOARD [options]", nil
	case "set":
		return s.set(words[1:])
	case "evaluation":
		if len(words) < 3 || strings.ToLower(words[1]) != "fibsboard" {
			return "", fmt.Errorf("%w: want evaluation fibsboard BOARD", errSyntax)
		}
		return s.evaluation(ctx, words[2], words[3:])
	case "fibsboard":
		words = words[1:]
	}
	if len(words) == 0 || !strings.HasPrefix(words[0], "board:") {
		return "", fmt.Errorf("%w, unexpected %.40q", errSyntax, strings.Join(words, " "))
	}
	if len(words) == 1 {
		return s.answer(ctx, words[0])
	}
	return s.withOptions(ctx, words[0], words[1:])
}

// split divides a line at its blanks, but for those of names in double quotes.
func split(line string) (words []string, err error) {
	quoted := false
	words = strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && (r == ' ' || r == '\t')
	})
	if quoted {
		return nil, fmt.Errorf("%w: a quotation mark is not closed", errSyntax)
	}
	return words, nil
}

// set changes how the session answers.
func (s *session) set(words []string) (string, error) {
	if len(words) == 2 {
		switch key := strings.ToLower(words[0]); key {
		case "debug":
			on, err := readSwitch(words[1])
			if err != nil {
				return "", fmt.Errorf("set debug: %w", err)
			}
			if s.debug = on; on {
				return "Debug output ON", nil
			}
			return "Debug output OFF", nil
		case "interface":
			switch strings.ToLower(words[1]) {
			case "new":
				return "New interface ON", nil // there is one interface only
			case "old":
				return "New interface OFF", nil
			}
		}
	}
	return "", fmt.Errorf("%w: want set debug on|off or set interface new|old", errSyntax)
}

func readSwitch(word string) (bool, error) {
	switch strings.ToLower(word) {
	case "on", "yes", "true":
		return true, nil
	case "off", "no", "false":
		return false, nil
	}
	return false, fmt.Errorf("%w: %.20q is not on or off", errSyntax, word)
}

// readOptions reads the options after a board.
func readOptions(words []string) (o options, err error) {
	o.deterministic = true
	rules := map[string]**bool{"jacobyrule": &o.jacoby, "crawfordrule": &o.crawford, "beavers": &o.beavers}
	for len(words) > 0 && err == nil {
		key := strings.ToLower(words[0])
		words = words[1:]
		next := func() string {
			if len(words) == 0 {
				err = fmt.Errorf("%w: %s without a value", errSyntax, key)
				return ""
			}
			w := words[0]
			words = words[1:]
			return w
		}
		toggle := func() bool {
			w := next()
			if err != nil {
				return false
			}
			var on bool
			if on, err = readSwitch(w); err != nil {
				err = fmt.Errorf("%s: %w", key, err)
			}
			return on
		}
		o.given = o.given || strings.Contains(" plies cubeful cubeless cube prune noise deterministic ", " "+key+" ")
		switch key {
		case "jacobyrule", "crawfordrule", "beavers":
			on := toggle()
			*rules[key] = &on
		case "resignation":
			if o.resignation, err = strconv.Atoi(next()); err != nil || o.resignation < 1 || o.resignation > 3 {
				err = fmt.Errorf("%w: resignation needs 1, 2 or 3", errSyntax)
			}
		case "plies":
			if o.plies, err = strconv.Atoi(next()); err != nil {
				err = fmt.Errorf("%w: plies needs a whole number", errSyntax)
			}
		case "cubeful":
			o.cubeful = true
		case "cubeless":
			o.cubeful = false
		case "cube":
			o.cubeful = toggle()
		case "prune":
			o.prune = true
			if len(words) > 0 {
				if on, bad := readSwitch(words[0]); bad == nil {
					o.prune, words = on, words[1:]
				}
			}
		case "noise":
			if o.noise, err = strconv.ParseFloat(next(), 64); err != nil {
				err = fmt.Errorf("%w: noise needs a number", errSyntax)
			} else if o.noise >= 1 {
				o.noise /= 10000
			}
		case "deterministic":
			o.deterministic = toggle()
		default:
			err = fmt.Errorf("%w, unexpected %.40q", errSyntax, key)
		}
	}
	return o, err
}

// apply overrides the rules of the board with those of the options.
func (o *options) apply(st *match.State, jacoby bool) {
	if o.jacoby != nil {
		jacoby = *o.jacoby
	}
	st.Jacoby = jacoby && st.Length == 0
	if o.crawford != nil && !*o.crawford {
		st.Crawford = false
	}
	if o.beavers != nil && *o.beavers && st.Length == 0 {
		st.Beavers = match.DefaultBeavers
	}
}

// request reads a board with options.
func (s *session) request(line string, words []string) (q Board, o options, err error) {
	if q, err = ParseBoard(line); err == nil {
		o, err = readOptions(words)
	}
	if err != nil {
		return q, options{}, err
	}
	o.apply(&q.State, s.Jacoby)
	return q, o, q.Validate()
}

// withOptions answers a board with options: a play, a cube decision or the answer to a
// resignation of the side on roll.
func (s *session) withOptions(ctx context.Context, line string, words []string) (string, error) {
	q, o, err := s.request(line, words)
	if o.given {
		err = fmt.Errorf("%w: plies, cube, prune and noise are for evaluation", errSyntax)
	}
	if err != nil {
		return "", err
	}
	if o.resignation > 0 {
		yes, err := s.Engine.AcceptResignation(ctx, q, o.resignation, s.Preset)
		return either(yes, "accept", "reject", err)
	}
	return s.decide(ctx, q)
}

// evaluation answers with the five chances of the side on roll and its equity: in money
// play points at the present cube, in matches the match winning chance.
func (s *session) evaluation(ctx context.Context, line string, words []string) (string, error) {
	q, o, err := s.request(line, words)
	if err != nil {
		return "", err
	}
	var pr preset.Preset
	c := &pr.Cube
	c.Plies, c.Cubeful, c.Prune, c.Noise, c.Deterministic = o.plies, o.cubeful, o.prune, o.noise, o.deterministic
	c.Filter = s.Preset.Checker.Filter
	pr.Checker = *c
	v, err := s.Engine.Evaluate(ctx, q.Position, q.State, pr)
	if err != nil {
		return "", err
	}
	equity := v.Cubeless
	if o.cubeful {
		equity = v.Cubeful
	}
	if q.State.Length > 0 {
		equity = s.Engine.Table().MWC(q.State, equity)
	}
	p := [5]float32(v.Probs)
	return fmt.Sprintf("%f %f %f %f %f %f", p[eval.Win], p[eval.WinGammon], p[eval.WinBackgammon], p[eval.LoseGammon], p[eval.LoseBackgammon], equity), nil
}
