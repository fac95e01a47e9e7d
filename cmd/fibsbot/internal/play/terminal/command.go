package terminal

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"fibsbot/cmd/fibsbot/internal/play"
)

// Verb is what a command asks for besides acts of the game.
type Verb string

// The verbs. Do carries an act.
const (
	Do    Verb = "do"
	Hint  Verb = "hint"
	Undo  Verb = "undo"
	Board Verb = "board"
	Plays Verb = "plays"
	Help  Verb = "help"
	End   Verb = "end" // of money play
	Quit  Verb = "quit"
	Yes   Verb = "yes"
	No    Verb = "no"
	Nth   Verb = "nth"    // plays the N-th hint
	Tutor Verb = "tutor"  // sets the tutor to Word
	Hands Verb = "engine" // lets the engine decide N times
	Fix   Verb = "fix"    // corrects the last play of two people
)

// Command is a typed line.
type Command struct {
	Verb Verb
	Act  play.Act
	N    int
	Word string
}

// acts are the words of the game, verbs those of the other commands.
var (
	acts = map[string]play.Kind{
		"roll": play.Roll, "r": play.Roll, "double": play.Double, "redouble": play.Double, "d": play.Double,
		"take": play.Take, "t": play.Take, "drop": play.Drop, "pass": play.Drop, "beaver": play.Beaver, "raccoon": play.Raccoon,
		"accept": play.Accept, "a": play.Accept, "reject": play.Reject, "decline": play.Reject, "next": play.Next, "n": play.Next,
	}
	verbs = map[string]Verb{
		"hint": Hint, "h": Hint, "undo": Undo, "u": Undo, "board": Board, "b": Board, "plays": Plays, "p": Plays, "help": Help, "?": Help,
		"end": End, "quit": Quit, "q": Quit, "exit": Quit, "save": Quit, "yes": Yes, "y": Yes, "no": No,
	}
	// answers are what some of them mean while a double waits for its answer.
	answers = map[play.Kind]play.Kind{play.Accept: play.Take, play.Reject: play.Drop}
	// levels are the words for the level of a resignation.
	levels = map[string]int{"": 1, "1": 1, "single": 1, "s": 1, "2": 2, "gammon": 2, "g": 2, "3": 3, "backgammon": 3, "b": 3}
)

// helpText lists the commands.
const helpText = `  8/5 6/5      move checkers (also 13/7/4, bar/22, 6/off, 8/5(2), 8/5*)
  roll  r      roll the dice            hint  h     show the engine's choice
  31           enter dice thrown by hand
  double  d    offer the cube           undo  u     take back your last decision
  take  t      accept a double          plays  p    list the legal plays
  pass         refuse a double          board  b    show the board again
  beaver, raccoon  take and redouble    next  n     start the next game
  resign [2|3] resign (gammon, backgammon)
  accept, reject   answer a resignation
  =N           play the N-th hint       tutor on|off|plays|cube
  engine [game]    let the engine decide for you, once or to the end of the game
  swap         take the other side      again     begin the position once more
  illegal 24/18 8/4   record a play against the rules (two people)
  fix 31: 8/5 6/5     correct the last play (two people)
  end          end money play, or games from a position; it is archived and analysed
  help  ?      list the commands        quit  q     save and leave`

// thrown reads dice as people type them, 31, 3-1 or "3 1", in their order.
func thrown(line string) (d [2]uint8, ok bool) {
	n := 0
	for _, c := range line {
		switch {
		case c == ' ' || c == '-' || c == ',':
		case c < '1' || c > '6' || n == len(d):
			return d, false
		default:
			d[n] = uint8(c - '0')
			n++
		}
	}
	return d, n == len(d)
}

// do is the command that carries out an act.
func do(a play.Act) Command { return Command{Verb: Do, Act: a} }

// Parse reads one line. Short forms depend on the phase; while moving, a line that begins
// with a digit or "bar" is a play. The error is one line for the player.
func Parse(line string, phase play.Phase) (Command, error) {
	words := strings.Fields(strings.ToLower(line))
	if len(words) == 0 {
		switch phase {
		case play.ToRoll:
			return do(play.Act{Kind: play.Roll}), nil
		case play.GameOver:
			return do(play.Act{Kind: play.Next}), nil
		}
		return Command{Verb: Board}, nil
	}
	first, rest := words[0], strings.Join(words[1:], " ")
	digit := first[0] >= '0' && first[0] <= '9'
	if phase == play.ToRoll || phase == play.ToThrow {
		if d, ok := thrown(line); ok {
			return do(play.Act{Kind: play.Roll, Dice: d}), nil
		}
		if digit && !strings.Contains(line, "/") {
			return Command{}, fmt.Errorf("%.20q is not a roll (type two numbers from 1 to 6, as 31)", strings.TrimSpace(line))
		}
	}
	kind, isAct := acts[first]
	verb, isVerb := verbs[first]
	switch {
	case first == "n" && phase != play.GameOver:
		return Command{Verb: No}, nil
	case isAct && rest != "":
		return Command{}, fmt.Errorf("%s takes no argument", first)
	case isAct && phase == play.ToAnswer:
		return do(play.Act{Kind: cmp.Or(answers[kind], kind)}), nil
	case isAct:
		return do(play.Act{Kind: kind}), nil
	case isVerb && rest == "":
		return Command{Verb: verb}, nil
	case first == "move" || first == "m":
		return do(play.Act{Kind: play.Move, Play: rest}), nil
	case digit || strings.HasPrefix(first, "bar") || strings.HasPrefix(first, "off"):
		return do(play.Act{Kind: play.Move, Play: line}), nil
	}
	return longer(first, rest, line)
}

// handsOfAGame is more decisions than a game has.
const handsOfAGame = 10000

// longer reads the commands with an argument.
func longer(first, rest, line string) (c Command, err error) {
	if hint, ok := strings.CutPrefix(strings.TrimSpace(first+" "+rest), "="); ok {
		c = Command{Verb: Nth, N: 1}
		if hint = strings.TrimSpace(hint); hint != "" {
			if c.N, err = strconv.Atoi(hint); err != nil {
				return Command{}, fmt.Errorf("%.20q: not the number of a hint (=2 plays the second one)", line)
			}
		}
		return c, nil
	}
	switch first {
	case "resign":
		level, ok := levels[rest]
		if !ok {
			return c, fmt.Errorf("resign %s: want 2 for a gammon, 3 for a backgammon, or nothing for a single game", rest)
		}
		return do(play.Act{Kind: play.Resign, Level: level}), nil
	case "again":
		return do(play.Act{Kind: play.Again}), nil
	case "swap":
		return do(play.Act{Kind: play.Swap}), nil
	case "tutor":
		switch rest {
		case "", "on", "off", "plays", "cube":
			return Command{Verb: Tutor, Word: cmp.Or(rest, "on")}, nil
		}
		return c, fmt.Errorf("tutor %s: want on, off, plays or cube", rest)
	case "engine":
		decisions, ok := map[string]int{"": 1, "game": handsOfAGame}[rest]
		if !ok {
			return c, fmt.Errorf("engine %s: want game, or nothing for one decision", rest)
		}
		return Command{Verb: Hands, N: decisions}, nil
	case "illegal":
		return do(play.Act{Kind: play.Move, Play: rest, Illegal: true}), nil
	case "fix":
		c = Command{Verb: Fix, Act: play.Act{Kind: play.Move, Play: rest}}
		if roll, text, cut := strings.Cut(rest, ":"); cut {
			d, ok := thrown(roll)
			if !ok {
				return c, fmt.Errorf("%.20q is not a roll (type two numbers from 1 to 6, as 31)", roll)
			}
			c.Act.Dice, c.Act.Play = d, strings.TrimSpace(text)
		}
		return c, nil
	}
	return c, fmt.Errorf("unknown command %q (type help for the list)", first)
}
