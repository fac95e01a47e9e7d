package opening

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fibsbot/engine/board"
)

// Answer is what the table knows about a question: one opening roll, all of them, or
// replies.
type Answer struct {
	// Score is the opening player's.
	Score Score `json:"score"`
	// Decisions are the openings, or the replies to one roll after each opening play.
	Decisions []Entry `json:"decisions"`
}

// Look answers a question at the opening player's score: all openings without a roll, one
// opening with first alone, with reply the replies of that roll to each good opening play,
// or to play alone if that is not "". The error says which roll or play the table lacks.
func (t *Table) Look(s Score, first, play, reply string) (Answer, error) {
	a := Answer{Score: s}
	if first == "" {
		a.Decisions = t.Openings(s)
		if len(a.Decisions) == 0 {
			return a, fmt.Errorf("the table has no openings at %s yet (use %s)", s, known(t))
		}
		return a, nil
	}
	dice, err := parseRoll(first)
	if err != nil {
		return a, err
	}
	if dice.Double() {
		return a, fmt.Errorf("no game starts with %s (use a roll of two different dice)", first)
	}
	opening, ok := t.find(s, "", roll(dice))
	if !ok {
		return a, fmt.Errorf("the table has no %s at %s yet", roll(dice), s)
	}
	plays := opening.Plays
	if play != "" {
		pl, err := board.ParsePlay(Start, dice, play)
		if err != nil {
			return a, err
		}
		move := board.FormatPlay(Start, pl)
		plays = slices.DeleteFunc(slices.Clone(plays), func(p Play) bool { return p.Move != move })
		if len(plays) == 0 {
			return a, fmt.Errorf("%s %s was not rolled out (rolled out: %s)", roll(dice), move, moves(opening.Plays))
		}
	}
	if reply == "" {
		opening.Plays = plays
		a.Decisions = []Entry{opening}
		return a, nil
	}
	answer, err := parseRoll(reply)
	if err != nil {
		return a, err
	}
	for _, p := range plays {
		if d, ok := t.find(s.Swap(), roll(dice)+" "+p.Move, roll(answer)); ok {
			a.Decisions = append(a.Decisions, d)
		}
	}
	if len(a.Decisions) == 0 {
		return a, fmt.Errorf("the table has no replies to %s %s at %s yet", roll(dice), moves(plays), s)
	}
	return a, nil
}

// find returns a decision by its words.
func (t *Table) find(s Score, first, roll string) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(t.decisions, Entry{Score: s, First: first, Roll: roll}, func(a, b Entry) int { return a.compare(&b) })
	if !ok {
		return Entry{}, false
	}
	return t.decisions[i], true
}

// HasReplies reports whether the table has replies to an opening play at the opening
// player's score.
func (t *Table) HasReplies(s Score, roll, move string) bool {
	_, ok := t.find(s.Swap(), roll+" "+move, "11")
	return ok
}

func roll(d board.Dice) string { d = d.Sorted(); return fmt.Sprintf("%d%d", d.A, d.B) }

func moves(plays []Play) string {
	var names []string
	for _, p := range plays {
		names = append(names, p.Move)
	}
	return strings.Join(names, ", ")
}

// known lists the scores that have openings.
func known(t *Table) string {
	var names []string
	for _, s := range Scores {
		if len(t.Openings(s)) > 0 {
			names = append(names, string(s))
		}
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// Text writes an answer for a terminal. short lists the best play of each roll only.
func (a *Answer) Text(short bool) string {
	var b strings.Builder
	for i, d := range a.Decisions {
		if !short {
			if i > 0 {
				b.WriteString("\n")
			}
			if d.First != "" {
				fmt.Fprintf(&b, "%s, then %s", d.First, d.Roll)
			} else {
				fmt.Fprintf(&b, "%s to open", d.Roll)
			}
			fmt.Fprintf(&b, ", %s\n  play                    equity          loss            win    gammon lose g.  trials\n", d.Score.words())
		}
		for n, p := range d.Plays {
			loss := ""
			if n > 0 {
				loss = fmt.Sprintf("%.4f ± %.4f", p.Loss, p.LossErr)
			}
			if short {
				fmt.Fprintf(&b, "%s  %-20s %+.4f ± %.4f  %s\n", d.Roll, p.Move, p.Equity, p.StdErr, p.method())
				break
			}
			if p.Trials == 0 {
				fmt.Fprintf(&b, "  %s\n", p.Move)
				continue
			}
			fmt.Fprintf(&b, "  %-22s %+.4f ± %.4f  %-15s %5.1f%%  %5.1f%% %5.1f%%  %s\n", p.Move, p.Equity, p.StdErr, loss, 100*p.Probs[0], 100*p.Probs[1], 100*p.Probs[3], p.method())
		}
	}
	return b.String()
}

// method says how a play was rolled out.
func (p *Play) method() string {
	text := fmt.Sprint(p.Trials)
	if p.Plies > 0 {
		text += fmt.Sprintf(" of %d plies", p.Plies)
	}
	return text
}

// words describes the score to the player to decide.
func (s Score) words() string {
	switch s {
	case DMP:
		return "double match point"
	case GammonGo:
		return "gammon-go (2-away, 1-away Crawford)"
	case GammonSave:
		return "gammon-save (1-away Crawford, 2-away)"
	}
	return "money play"
}
