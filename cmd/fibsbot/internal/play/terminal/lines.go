package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/internal/figure"
)

// longestLine bounds a command in bytes.
const longestLine = 4096

// Lines plays in plain lines: it reads commands from in, one per line, and prints what
// happens to out. It returns nil when the match is over or the player leaves, also at the
// end of in; the match is saved then.
func Lines(ctx context.Context, t *Table, in io.Reader, out io.Writer) error {
	l := &plain{t: t, out: out, shown: map[int]int{}}
	s := bufio.NewScanner(in)
	s.Buffer(nil, longestLine)
	v := t.View()
	l.printf("%s. Type help for the commands.\n", opening(&v))
	for {
		over, err := l.untilOurs(ctx)
		if err != nil || over {
			return err
		}
		l.printf("%s> ", l.ask())
		if !s.Scan() {
			if err := s.Err(); err != nil {
				return fmt.Errorf("read a command: %w", err)
			}
			l.printf("\n")
			return l.left()
		}
		quit, err := l.obey(ctx, s.Text())
		if err != nil {
			return err
		}
		switch {
		case l.ended:
			return l.over(ctx)
		case quit:
			return l.left()
		}
	}
}

// plain is the state of Lines.
type plain struct {
	t      *Table
	out    io.Writer
	err    error       // the first of writing
	shown  map[int]int // acts printed, by game
	drawn  int         // version of the board shown last
	warned *play.Act   // what the tutor warned of
	ended  bool        // money play, by the person
}

func (l *plain) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(l.out, format, args...); err != nil && l.err == nil {
		l.err = err
	}
}

// opening is the line about game and opponent.
func opening(v *Faced) string {
	text := "Money play"
	if v.Length > 0 {
		text = "A match of " + figure.Count(v.Length, "point")
	}
	if g := game(v); g != "" {
		text += ", " + g + ","
	}
	text += " against " + v.Names[play.Opponent]
	if o := v.Opponent.String(); o != "" {
		text += " (" + o + ")"
	}
	return text
}

func (l *plain) ask() string {
	v := l.t.View()
	return PromptOf(&v)
}

// untilOurs lets the opponent act and prints it until it is the person's turn.
func (l *plain) untilOurs(ctx context.Context) (over bool, err error) {
	for {
		done, err := l.t.Think(ctx)
		if err != nil {
			return false, err
		}
		v := l.t.View()
		l.tell(&v)
		if l.err != nil {
			return false, l.err
		}
		if v.Phase == play.MatchOver {
			return true, l.over(ctx)
		}
		if !done {
			if l.drawn != v.Version {
				l.drawn = v.Version
				l.printf("%s", Pictured(&v))
			}
			return false, nil
		}
	}
}

// tell prints the acts that were not printed yet.
func (l *plain) tell(v *Faced) {
	if n := l.shown[v.Game]; n > len(v.Acts) {
		l.shown[v.Game] = len(v.Acts) // some were taken back
	}
	for _, e := range v.Acts[l.shown[v.Game]:] {
		if text := Say(v, e); text != "" {
			l.printf("%s.\n", text)
		}
	}
	if v.Result != nil && l.shown[v.Game] < len(v.Acts) {
		l.printf("%s\n", Outcome(v))
	}
	l.shown[v.Game] = len(v.Acts)
}

// obey carries out one command.
func (l *plain) obey(ctx context.Context, line string) (quit bool, err error) {
	v := l.t.View()
	c, err := Parse(line, v.Phase)
	if err != nil {
		l.printf("%v\n", err)
		return false, nil
	}
	warned := l.warned
	l.warned = nil
	switch c.Verb {
	case Quit:
		return true, nil
	case End:
		if err := mayEnd(&v); err != nil {
			l.printf("%v\n", err)
			return false, nil
		}
		l.ended = true
		l.printf("%s\n", Ended(&v))
	case Help:
		l.printf("%s\n", helpText)
	case Board:
		l.printf("%s", Pictured(&v))
	case Plays:
		l.printf("%s\n", strings.Join(LegalPlays(&v), "\n"))
	case Hint:
		hint, err := l.t.Hint(ctx, 0)
		if err != nil {
			if ctx.Err() != nil {
				return false, err
			}
			l.printf("%v\n", err)
			return false, nil
		}
		l.printf("%s\n", strings.Join(hint, "\n"))
	case Tutor, Hands, Fix, Undo:
		if note := l.t.carryOut(c); note != "" {
			l.printf("%s\n", note)
		}
	case Nth:
		a, err := l.t.Nth(ctx, c.N)
		if err != nil {
			l.printf("%v\n", err)
			return false, ctx.Err()
		}
		return false, l.do(a)
	case Yes:
		if warned == nil {
			l.printf("there is nothing to confirm\n")
			return false, nil
		}
		return false, l.do(*warned)
	case No:
		if warned == nil {
			l.printf("there is nothing to confirm\n")
		}
	case Do:
		if j, bad := l.t.Weigh(ctx, c.Act); bad {
			l.warned = &c.Act
			l.printf("Tutor: %s loses %.3f. Do it anyway? yes or no (hint shows the best).\n", j.Act, j.Loss)
			return false, nil
		}
		return false, l.do(c.Act)
	}
	return false, nil
}

// do carries out an act, or prints why the rules do not allow it.
func (l *plain) do(a play.Act) error {
	err := l.t.Do(a)
	if err != nil && !errors.Is(err, ErrSave) {
		l.printf("%v\n", err)
		return nil
	}
	return err
}

// over archives and analyses a finished match and prints the review.
func (l *plain) over(ctx context.Context) error {
	shown := -1
	err := l.t.File(ctx, func(done, total int) {
		if shown < 0 {
			l.printf("Analysing the match (Ctrl-C leaves it for later).\n")
		}
		if quarter := 4 * done / max(1, total); quarter > shown {
			if shown = quarter; done > 0 {
				l.printf("%d of %d decisions\n", done, total)
			}
		}
	})
	for _, line := range l.t.Filed.Review {
		l.printf("%s\n", line)
	}
	return errors.Join(err, l.err)
}

// left prints how to resume the match.
func (l *plain) left() error {
	if l.t.Store != nil {
		l.printf("The match is saved (fibsbot play --resume resumes it).\n")
	}
	return l.err
}
