package terminal

import (
	"fmt"
	"strconv"
	"strings"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/advice"
	"fibsbot/internal/figure"
)

// Say is one act in words, for both displays.
func Say(v *Faced, e play.Entry) string {
	who := v.Names[e.Side]
	verb := func(you, other string) string {
		if e.Side == play.You && !v.Two {
			return "You " + you
		}
		return who + " " + other
	}
	text := ""
	if v := said[e.Kind]; v.you != "" {
		text = verb(v.you, v.other)
	}
	switch e.Kind {
	case play.Start:
		return fmt.Sprintf("%s the opening roll, %d-%d", text, e.Dice[0], e.Dice[1])
	case play.Tie:
		text = fmt.Sprintf("Both roll %d", e.Dice[0])
		if e.Cube > 1 {
			text += fmt.Sprintf(", the cube is at %d", e.Cube)
		}
	case play.Roll:
		if e.Dice == [2]uint8{} { // dice thrown by hand follow
			return ""
		}
		return fmt.Sprintf("%s %d-%d", text, e.Dice[0], e.Dice[1])
	case play.Move:
		if e.Play == "" {
			return verb("cannot move", "cannot move")
		}
		if text += " " + e.Play; e.Illegal {
			text += " (illegal)"
		}
	case play.Double, play.Beaver, play.Raccoon:
		return fmt.Sprintf("%s to %d", text, e.Cube)
	case play.Resign:
		return text + " " + stakes[min(max(e.Level, 0), 3)]
	case play.Swap:
		return "The sides are swapped"
	}
	return text
}

// said are the verbs of acts, of the person and of others.
var said = map[play.Kind]struct{ you, other string }{
	play.Start: {"win", "wins"}, play.Roll: {"roll", "rolls"}, play.Move: {"play", "plays"}, play.Double: {"double", "doubles"},
	play.Beaver: {"beaver", "beavers"}, play.Raccoon: {"raccoon", "raccoons"}, play.Take: {"take", "takes"}, play.Drop: {"pass", "passes"},
	play.Resign: {"offer to resign", "offers to resign"}, play.Accept: {"accept", "accepts"}, play.Reject: {"play on", "plays on"},
	play.Flag: {"run out of time", "runs out of time"},
}

// stakes are what is resigned, by level.
var stakes = []string{"", "the game", "a gammon", "a backgammon"}

// Outcome is the line about the end of a game or match.
func Outcome(v *Faced) string {
	r := v.Result
	if r == nil {
		return ""
	}
	what := []string{"", "a single game", "a gammon", "a backgammon"}[min(max(r.Level, 0), 3)]
	who, verb := v.Names[r.Winner], "wins"
	if r.Winner == play.You && !v.Two {
		who, verb = "You", "win"
	}
	text := fmt.Sprintf("%s %s %s, %s.", who, verb, what, figure.Count(r.Points, "point"))
	if r.How == "time" {
		text = fmt.Sprintf("%s %s on time, %s.", who, verb, figure.Count(r.Points, "point"))
	}
	if v.Tally != nil {
		text += " " + tally(v)
	}
	if v.Phase == play.MatchOver {
		mine, theirs := v.Score[play.You], v.Score[play.Opponent]
		text += fmt.Sprintf(" The match is over: %s %d, %s %d.", you(v), mine, v.Names[play.Opponent], theirs)
	}
	return text
}

// PromptOf names what the match waits for.
func PromptOf(v *Faced) string {
	if v.Two && v.Result == nil && !v.Opening {
		return v.Names[v.Turn] + ": " + prompt(v)
	}
	return prompt(v)
}

func prompt(v *Faced) string {
	switch v.Phase {
	case play.ToRoll:
		if v.ByHand && v.Two {
			return map[bool]string{true: "dice, as 31, or double", false: "dice, as 31"}[v.MayDouble]
		}
		if v.MayDouble {
			return "roll or double"
		}
		return "roll"
	case play.ToThrow:
		switch {
		case v.Opening && v.Two:
			return fmt.Sprintf("opening roll: the die of %s, then that of %s, as 31", v.Names[play.You], v.Names[play.Opponent])
		case v.Opening:
			return fmt.Sprintf("opening roll: your die and %s's, as 31", v.Names[play.Opponent])
		case v.Turn == play.You && !v.Two:
			return "your dice, as 31"
		case v.Two:
			return "dice, as 31"
		}
		return fmt.Sprintf("%s's dice, as 31", v.Names[play.Opponent])
	case play.ToMove:
		return fmt.Sprintf("play %d-%d", v.Dice[0], v.Dice[1])
	case play.ToAnswer:
		did, may := map[int]string{2: "doubles", 4: "beavers", 8: "raccoons"}[v.Offered/v.Cube], "take or pass"
		if v.MayBeaver {
			may = "take, pass or beaver"
		} else if v.MayRaccoon {
			may = "take, pass or raccoon"
		}
		return fmt.Sprintf("%s %s to %d: %s", v.Names[play.Opponent], did, v.Offered, may)
	case play.ToAnswerResign:
		return fmt.Sprintf("%s offers to resign %s: accept or reject", v.Names[play.Opponent],
			stakes[min(max(v.Resign, 0), 3)])
	case play.GameOver:
		if v.Posed && v.MayNext {
			return "again, next game or end"
		}
		if v.Posed {
			return "again or end"
		}
		if v.Length == 0 {
			return "next game or end"
		}
		return "next game"
	}
	return "over"
}

// hintPlays is how many plays a hint lists.
const hintPlays = 5

// ranked lists plays with their chances in percent, in named columns. A narrow panel has two
// lines for each play, a very narrow one has three and no decimals.
func ranked(moves []advice.Play, width int) []string {
	const wide, middle = 72, 37
	digits, cell := 1, 5
	if width > 0 && width < middle {
		digits, cell = 0, 4
	}
	chances := func(win, g, bg, lose, lg, lbg string) string {
		return fmt.Sprintf("%*s%*s%*s  %*s%*s%*s", cell, win, cell, g, cell, bg, cell, lose, cell, lg, cell, lbg)
	}
	percent := func(v float32) string { return figure.Text("%."+strconv.Itoa(digits)+"f", 100*float64(v)) }
	// add puts the parts of a play into as many lines as the width needs.
	var out []string
	add := func(rank, play, equity, diff, chances string) {
		head, worth := fmt.Sprintf("%2s %-16s", rank, play), fmt.Sprintf("%8s %8s", equity, diff)
		switch {
		case width <= 0 || width >= wide:
			out = append(out, head+" "+worth+"  "+chances)
		case width >= middle:
			out = append(out, head+" "+worth, "  "+chances)
		default:
			out = append(out, strings.TrimRight(head, " "), worth, chances)
		}
	}
	add("#", "play", "equity", "diff", chances("win", "g", "bg", "lose", "g", "bg"))
	for i := range moves {
		if i == hintPlays {
			break
		}
		m, diff := &moves[i], ""
		if i > 0 {
			diff = figure.Text("%+.3f", m.Diff)
		}
		p := m.Probs
		add(strconv.Itoa(i+1), m.Move, figure.Text("%+.3f", m.Equity), diff,
			chances(percent(p[0]), percent(p[1]), percent(p[2]), percent(1-p[0]), percent(p[3]), percent(p[4])))
	}
	return out
}
