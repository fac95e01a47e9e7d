package quiz

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/preset"
	"fibsbot/internal/figure"
)

// Terminal asks questions on a terminal.
type Terminal struct {
	Deck   *Deck
	Engine *engine.Engine
	Preset preset.Preset
	Filter Filter
	// Most is the number of questions, 0 for all that are due.
	Most int
	In   io.Reader
	Out  io.Writer
}

// Run asks until no question is due, Most were answered, or the input ends.
func (t *Terminal) Run(ctx context.Context) error {
	lines := bufio.NewScanner(t.In)
	asked, right := 0, 0
	for t.Most == 0 || asked < t.Most {
		q, tally, err := t.Deck.Next(ctx, t.Filter)
		if err != nil {
			return err
		}
		if q == nil {
			text := "No question is due now."
			if tally.Questions == 0 {
				text = "No question fits (analyse matches, or use --source set:openings)."
			}
			fmt.Fprintln(t.Out, text)
			break
		}
		fmt.Fprintf(t.Out, "\n%s%s  [%d of %d due]\n", advice.Drawing(q.Rules, q.Situation), prompt(q), tally.Due, tally.Questions)
		v, skipped, ok, err := t.ask(ctx, lines, q)
		switch {
		case err != nil:
			return err
		case !ok:
			return t.sum(asked, right)
		case skipped:
			continue
		}
		asked++
		if v.Right {
			right++
		}
		card, err := t.Deck.Answered(q.ID, v.Right)
		if err != nil {
			return err
		}
		t.tell(q, &v)
		fmt.Fprintf(t.Out, "Asked again on %s.\n", card.Due.Local().Format("2006-01-02 15:04"))
	}
	return t.sum(asked, right)
}

func (t *Terminal) sum(asked, right int) error {
	p := t.Deck.Progress()
	_, err := fmt.Fprintf(t.Out, "%d answered, %d correct. Today %d of %d correct, %s with answers in a row.\n", asked, right, p.Today.Right, p.Today.Asked, figure.Count(p.Streak, "day"))
	return err
}

// prompt is the question with its keys.
func prompt(q *Question) string {
	text := asked(q, nil)
	switch q.Kind {
	case Play:
		return text + " (s skips, q ends, ? lists plays)"
	case Take:
		return text + " (r no double, take; t double, take; p double, pass; g too good, pass; s skips, q ends)"
	}
	return text + " (r rolls; t double and take, p double and pass; s skips, q ends)"
}

// keys are the short answers to each kind of question.
var keys = map[Kind]map[string]string{
	Double: {"r": roll, "d": double, "t": doubleTake, "p": doublePass},
	Take:   {"r": rollTake, "t": doubleTake, "p": doublePass, "g": rollPass, "pass": drop},
}

// ask reads lines until one answers the question; ok is false at the end of the input.
func (t *Terminal) ask(ctx context.Context, lines *bufio.Scanner, q *Question) (v Assessment, skipped, ok bool, err error) {
	e, err := t.Engine.With(ctx, q.Rules)
	if err != nil {
		return v, false, false, err
	}
	var options []string
	for {
		fmt.Fprint(t.Out, "> ")
		if !lines.Scan() {
			fmt.Fprintln(t.Out)
			return v, false, false, lines.Err()
		}
		text := strings.TrimSpace(lines.Text())
		switch word := strings.ToLower(text); word {
		case "q", "quit":
			return v, false, false, nil
		case "s", "skip":
			return v, true, true, t.Deck.Skip(ctx, q.ID)
		case "?":
			if options, err = Options(ctx, e, t.Preset, q); err != nil {
				return v, false, false, err
			}
			for i, o := range options {
				fmt.Fprintf(t.Out, "%d. %s\n", i+1, answer(o))
			}
			continue
		default:
			if full, found := keys[q.Kind][word]; found {
				text = full
			}
			for i, o := range options {
				if text == fmt.Sprint(i+1) {
					text = o
				}
			}
		}
		v, err = Judge(ctx, e, t.Preset, q, text)
		if errors.Is(err, ErrAnswer) || errors.Is(err, board.ErrBadPlay) {
			fmt.Fprintln(t.Out, err)
			continue
		}
		return v, false, true, err
	}
}

// tell prints the values of the choices.
func (t *Terminal) tell(q *Question, v *Assessment) {
	text := "Correct."
	if !v.Right {
		text = fmt.Sprintf("Wrong: loses %.3f.", v.Loss)
	}
	fmt.Fprintf(t.Out, "%s Best: %s%s\n", text, answerWords[v.Best], v.words(nil))
	for i, c := range v.Choices {
		line := fmt.Sprintf("  %d. %-22s %+.3f", i+1, answer(c.Answer), c.Equity)
		if c.StdErr > 0 {
			line += fmt.Sprintf(" ± %.3f", c.StdErr)
		}
		if i > 0 {
			line += fmt.Sprintf("  (%+.3f)", -c.Loss)
		}
		if c.Searched {
			line += "  searched by " + t.Preset.Name
		}
		fmt.Fprintln(t.Out, line)
	}
	if q.Player != "" {
		fmt.Fprintf(t.Out, "  %s, match %.8s\n", q.origin(nil), q.Match)
	}
}
