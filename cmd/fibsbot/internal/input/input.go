package input

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/bot/fibs"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Question is a situation that is asked about.
type Question struct {
	match.Situation
	// Assumed are the rules that are a guess, see advice.Assumed.
	Assumed []string
}

// errOver refuses a position in which nobody has to decide anything.
var errOver = &advice.FieldError{Field: "position", Problem: "the game is over"}

// Read reads a position in any form, changes it by o and gives it the roll dice, unless
// that is zero. A roll behind the text ("4HPwATDgc/ABMA 31") counts before dice. Errors
// are *advice.FieldError; the field of the text is "position".
func Read(text string, o advice.Overrides, dice board.Dice) (Question, error) {
	var q Question
	var err error
	text, dice = behind(text, dice)
	switch {
	case advice.IsBoardLine(text):
		q.Situation, err = fibs.ReadBoard(text)
	case strings.TrimSpace(text) == "":
		err = errors.New("empty: want a Position ID, PositionID:MatchID, an XGID, an OGID or gnubg's text")
	default:
		q.Situation, err = advice.Read(text)
	}
	if err != nil {
		return q, &advice.FieldError{Field: "position", Problem: err.Error()}
	}
	if err := o.Apply(&q.Situation); err != nil {
		return q, err
	}
	if q.Position.Result() != 0 {
		return q, errOver
	}
	if dice.Valid() {
		q.Dice, q.Doubled = dice, false
	}
	q.Assumed = advice.Assumed(text, q.Situation, &o)
	return q, nil
}

// rollBehind is a roll after a position; no ID ends in a word as short.
var rollBehind = regexp.MustCompile(`^(?s:(.*\S))\s+([1-6])[-,:]?([1-6])\s*$`)

// behind takes a roll off the end of a position's text; without one it returns dice.
func behind(text string, dice board.Dice) (string, board.Dice) {
	if m := rollBehind.FindStringSubmatch(text); m != nil {
		return m[1], board.Dice{A: m[2][0] - '0', B: m[3][0] - '0'}.Sorted()
	}
	return text, dice
}

// Start puts the Position ID of its start in the place of the name of a game of fewer
// checkers, and makes it the game that is played: the ID alone does not tell the rules. The
// name of another game than the one that is played is refused.
// game, which another flag may have named, is nil for who plays none. Other text comes
// back as it is. Errors are *advice.FieldError of the field "position".
func Start(text string, game *record.Variation) (string, error) {
	name, roll, _ := strings.Cut(strings.TrimSpace(text), " ")
	v, known := record.ParseVariation(name)
	if !known || name == "" {
		return text, nil
	}
	if game != nil && *game != record.Backgammon && *game != v {
		return "", &advice.FieldError{Field: "position", Problem: fmt.Sprintf("%s is not the start of --variation %s", name, strings.ToLower(string(*game)))}
	}
	if v.Checkers() == board.MaxCheckers {
		return text, nil
	}
	if game != nil {
		*game = v
	}
	p := v.Start()
	return strings.TrimSpace(p.ID() + " " + roll), nil
}

// Dice reads a roll as people type it: 31, 3-1, 3,1 or "3 1".
func Dice(text string) (board.Dice, error) {
	digits := strings.NewReplacer("-", "", ",", "", " ", "", ":", "").Replace(text)
	n, err := strconv.Atoi(digits)
	if err == nil && len(digits) == 2 {
		if d := (board.Dice{A: uint8(n / 10), B: uint8(n % 10)}); d.Valid() {
			return d.Sorted(), nil
		}
	}
	return board.Dice{}, fmt.Errorf("%.20q is no roll, write 31 for a three and a one", text)
}

// Score reads a score A-B.
func Score(text string) (out [2]int, err error) {
	a, b, ok := strings.Cut(strings.NewReplacer(",", "-", ":", "-", " ", "").Replace(text), "-")
	if ok {
		if out[0], err = strconv.Atoi(a); err == nil {
			out[1], err = strconv.Atoi(b)
		}
	}
	if !ok || err != nil || out[0] < 0 || out[1] < 0 {
		return [2]int{}, fmt.Errorf("%.20q is no score, write 3-5 with the points of the player on roll first", text)
	}
	return out, nil
}
