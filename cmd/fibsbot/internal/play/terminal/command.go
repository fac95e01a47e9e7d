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

// levels are the words for the level of a resignation.
var levels = map[string]int{"": 1, "1": 1, "single": 1, "s": 1, "2": 2, "gammon": 2, "g": 2, "3": 3, "backgammon": 3, "b": 3}

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

// Parse reads one line. Short forms depend on the phase; while moving, a line that begins
// with a digit or "bar" is a play. The error is one line for the player.
func Parse(line string, phase play.Phase) (Command, error) {
	words := strings.Fields(strings.ToLower(line))
	act := func(k play.Kind) (Command, error) {
		if len(words) > 1 {
			return Command{}, fmt.Errorf("%s takes no argument", words[0])
		}
		return Command{Verb: Do, Act: play.Act{Kind: k}}, nil
	}
	if len(words) == 0 {
		switch phase {
		case play.ToRoll:
			return Command{Verb: Do, Act: play.Act{Kind: play.Roll}}, nil
		case play.GameOver:
			return Command{Verb: Do, Act: play.Act{Kind: play.Next}}, nil
		}
		return Command{Verb: Board}, nil
	}
	if phase == play.ToRoll || phase == play.ToThrow {
		if d, ok := thrown(line); ok {
			return Command{Verb: Do, Act: play.Act{Kind: play.Roll, Dice: d}}, nil
		}
		if c := words[0][0]; c >= '0' && c <= '9' && !strings.Contains(line, "/") {
			return Command{}, fmt.Errorf("%.20q is not a roll (type two numbers from 1 to 6, as 31)", strings.TrimSpace(line))
		}
	}
	switch words[0] {
	case "roll", "r":
		return act(play.Roll)
	case "double", "redouble", "d":
		return act(play.Double)
	case "take", "t":
		return act(play.Take)
	case "beaver":
		return act(play.Beaver)
	case "raccoon":
		return act(play.Raccoon)
	case "drop", "pass":
		return act(play.Drop)
	case "accept", "a":
		if phase == play.ToAnswer {
			return act(play.Take)
		}
		return act(play.Accept)
	case "reject", "decline":
		if phase == play.ToAnswer {
			return act(play.Drop)
		}
		return act(play.Reject)
	case "next", "n":
		if words[0] == "n" && phase != play.GameOver {
			return Command{Verb: No}, nil
		}
		return act(play.Next)
	case "resign":
		level, ok := levels[strings.Join(words[1:], " ")]
		if !ok {
			return Command{}, fmt.Errorf("resign %s: want 2 for a gammon, 3 for a backgammon, or nothing for a single game", strings.Join(words[1:], " "))
		}
		return Command{Verb: Do, Act: play.Act{Kind: play.Resign, Level: level}}, nil
	}
	if c, err, ok := longer(words, line); ok {
		return c, err
	}
	if len(words) == 1 {
		for verb, forms := range map[Verb][]string{
			Hint: {"hint", "h"}, Undo: {"undo", "u"}, Board: {"board", "b"}, Plays: {"plays", "p"}, Help: {"help", "?"}, End: {"end"},
			Quit: {"quit", "q", "exit", "save"}, Yes: {"yes", "y"}, No: {"no"},
		} {
			for _, f := range forms {
				if words[0] == f {
					return Command{Verb: verb}, nil
				}
			}
		}
	}
	if c := words[0][0]; c >= '0' && c <= '9' || strings.HasPrefix(words[0], "bar") || strings.HasPrefix(words[0], "off") {
		return Command{Verb: Do, Act: play.Act{Kind: play.Move, Play: strings.TrimPrefix(line, "move ")}}, nil
	}
	if words[0] == "move" || words[0] == "m" {
		return Command{Verb: Do, Act: play.Act{Kind: play.Move, Play: strings.Join(words[1:], " ")}}, nil
	}
	return Command{}, fmt.Errorf("unknown command %q (type help for the list)", words[0])
}

// handsOfAGame is more decisions than a game has.
const handsOfAGame = 10000

// longer reads the commands with an argument; ok is false for another line.
func longer(words []string, line string) (c Command, err error, ok bool) {
	rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(strings.ToLower(line)), words[0]))
	switch {
	case words[0][0] == '=':
		n, err := 1, error(nil)
		if text := strings.TrimSpace(strings.Join(words, " ")[1:]); text != "" {
			if n, err = strconv.Atoi(text); err != nil {
				return c, fmt.Errorf("%.20q: not the number of a hint (=2 plays the second one)", line), true
			}
		}
		return Command{Verb: Nth, N: n}, nil, true
	case words[0] == "again":
		return Command{Verb: Do, Act: play.Act{Kind: play.Again}}, nil, true
	case words[0] == "swap":
		return Command{Verb: Do, Act: play.Act{Kind: play.Swap}}, nil, true
	case words[0] == "tutor":
		switch rest {
		case "", "on", "off", "plays", "cube":
			return Command{Verb: Tutor, Word: cmp.Or(rest, "on")}, nil, true
		}
		return c, fmt.Errorf("tutor %s: want on, off, plays or cube", rest), true
	case words[0] == "engine":
		switch rest {
		case "":
			return Command{Verb: Hands, N: 1}, nil, true
		case "game":
			return Command{Verb: Hands, N: handsOfAGame}, nil, true
		}
		return c, fmt.Errorf("engine %s: want game, or nothing for one decision", rest), true
	case words[0] == "illegal":
		return Command{Verb: Do, Act: play.Act{Kind: play.Move, Play: rest, Illegal: true}}, nil, true
	case words[0] == "fix":
		c = Command{Verb: Fix, Act: play.Act{Kind: play.Move, Play: rest}}
		if roll, text, cut := strings.Cut(rest, ":"); cut {
			d, ok := thrown(roll)
			if !ok {
				return c, fmt.Errorf("%.20q is not a roll (type two numbers from 1 to 6, as 31)", roll), true
			}
			c.Act.Dice, c.Act.Play = d, strings.TrimSpace(text)
		}
		return c, nil, true
	}
	return c, nil, false
}
