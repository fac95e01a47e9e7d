// Random is a small backgammon engine that speaks UBGI: random legal plays, the cube by the pip count.
package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

func answer(xgid string) string {
	q, err := match.ParseSituation(xgid)
	if err != nil {
		return "sorry"
	}
	mine, his := q.Position.Me.Pips(), q.Position.Opp.Pips()
	switch {
	case q.Doubled && 100*his <= 112*mine: // the position is the doubler's
		return "take"
	case q.Doubled:
		return "drop"
	case q.Dice.Valid():
		return play(q.Position, q.Dice)
	case 10*his >= 11*mine:
		return "double"
	}
	return "roll"
}

func play(p board.Position, d board.Dice) string {
	plays := board.AppendPlays(nil, p, d)
	if len(plays) == 0 {
		return ""
	}
	chosen := plays[rand.IntN(len(plays))]
	var words []string
	for _, s := range chosen.Steps[:chosen.N] {
		words = append(words, fmt.Sprintf("%d/%d", s.From+1, s.To+1)) // points from 0, off -1
	}
	return strings.Join(words, " ")
}

func main() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch line := strings.TrimSpace(in.Text()); line {
		case "ubgi":
			fmt.Println("id name random-go\nreadyok")
		case "quit":
			return
		default:
			fmt.Println(answer(line))
		}
	}
}
