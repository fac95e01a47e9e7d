package review

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"fibsbot/bot/archive/index"
)

// Day writes when a match began. Midnight in UTC is a day without a time, which
// is another day in half of the world's time zones.
func Day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	if u := t.UTC(); u.Equal(u.Truncate(24 * time.Hour)) {
		return u.Format(time.DateOnly)
	}
	return t.Local().Format("2006-01-02 15:04")
}

// Length writes the length of a match.
func Length(n int) string {
	if n == 0 {
		return "unlimited"
	}
	return fmt.Sprint(n)
}

// points writes the length of a match in a sentence.
func points(n int) string {
	switch n {
	case 0:
		return "unlimited"
	case 1:
		return "1 point"
	}
	return fmt.Sprint(n) + " points"
}

// Result writes the account's result.
func Result(r int) string {
	switch r {
	case 1:
		return "won"
	case -1:
		return "lost"
	}
	return "open"
}

// OrNone is s, or - when there is nothing.
func OrNone(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// ErrorRate is both sides' millipoints a decision, or - without an analysis.
func ErrorRate(m *index.Match) string {
	if m.Plies < 0 {
		return "-"
	}
	return m.Rate(0).Text("%.1f") + "/" + m.Rate(1).Text("%.1f")
}

// PR is both sides' performance rating, or - where the index does not have it.
func PR(m *index.Match) string {
	if m.Plies < 0 {
		return "-"
	}
	return m.PR(0).Text("%.2f") + "/" + m.PR(1).Text("%.2f")
}

// Line is a match with its performance ratings in one line.
func Line(m *index.Match) string {
	return fmt.Sprintf("%.8s  %s  %s-%s, %s: PR %s", m.ID, Day(m.Started), m.Account, m.Opponent, points(m.Length), PR(m))
}

// Show writes one match with its games, its marked errors and its comments.
func Show(w io.Writer, m *index.Match, errs []*Found, said []Said) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s against %s, %s, %s: %s %d-%d\n", m.ID, m.Account, m.Opponent, points(m.Length),
		Day(m.Started), Result(m.Result), m.Score[0], m.Score[1])
	fmt.Fprintf(&b, "file     %s\n", m.File)
	if m.Pruned {
		fmt.Fprintf(&b, "pruned   its files are gone, this is what is kept\n")
	}
	if m.Preset != "" {
		fmt.Fprintf(&b, "preset   %s\n", m.Preset)
	}
	if m.Rating[0] != 0 {
		fmt.Fprintf(&b, "ratings  %.2f against %.2f", m.Rating[0], m.Rating[1])
		if m.RatingAfter[0] != 0 {
			fmt.Fprintf(&b, ", after the match %.2f and %.2f", m.RatingAfter[0], m.RatingAfter[1])
		}
		fmt.Fprintln(&b)
	}
	if m.Plies >= 0 {
		fmt.Fprintf(&b, "errors   PR %s, %s millipoints a decision, luck %s/%s, luck-adjusted result %s\n", PR(m), ErrorRate(m),
			m.Luck[0].Text("%+.2f"), m.Luck[1].Text("%+.2f"), m.Adjusted.Text("%+.3f"))
		fmt.Fprintf(&b, "judge    %s\n", m.Judge)
	}
	for _, g := range m.Rows {
		note := ""
		if g.Crawford {
			note = ", Crawford game"
		}
		if g.Resigned {
			note += ", resignation"
		}
		fmt.Fprintf(&b, "game %-3d at %d-%d: %s %d%s\n", g.Number, g.Score[0], g.Score[1], Result(g.Result), g.Points, note)
	}
	tw := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	for n, x := range errs {
		if n == maxShown {
			fmt.Fprintf(tw, "and %d more\n", len(errs)-n)
			break
		}
		dice := ""
		if len(x.Dice) == 2 {
			dice = fmt.Sprintf("%d%d: ", x.Dice[0], x.Dice[1])
		}
		fmt.Fprintf(tw, "%d.%d\t%s\t%s%s\tbetter %s\t-%.3f\t%s\n", x.Game, x.Number, x.Name, dice, x.Played, x.Best, x.Loss(), strings.ReplaceAll(x.Mark, "_", " "))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	left := maxShown
	for _, c := range said {
		for line := range strings.Lines(c.Text) {
			if left--; left >= 0 {
				fmt.Fprintf(&b, "%d.%d  %s\n", c.Game, c.Number, strings.TrimRight(line, "\n"))
			}
		}
	}
	if left < 0 {
		fmt.Fprintf(&b, "and %d more lines of comments\n", -left)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// StatsTable writes the sums over matches: in all, or by what by names.
func StatsTable(w io.Writer, by string, list []index.Stats) error {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintf(tw, "%s\tMATCHES\tWON\tLOST\tOPEN\tWON %%\tPOINTS\tANALYSED\tPR\tOPP. PR\tERROR (MP)\tOPP. ERROR\tLUCK\tOPP. LUCK\n", strings.ToUpper(OrNone(by)))
	for _, s := range list {
		share := "-"
		if n := s.Won + s.Lost; n > 0 {
			share = fmt.Sprintf("%.1f", 100*float64(s.Won)/float64(n))
		}
		judged := fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", s.PR.Text("%.2f"), s.OpponentPR.Text("%.2f"), s.Error.Text("%.2f"), s.OpponentError.Text("%.2f"),
			s.Luck.Text("%+.2f"), s.OpponentLuck.Text("%+.2f"))
		key := s.Key
		if by == "" {
			key = "all"
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t%s\t%d-%d\t%d\t%s\n", OrNone(key), s.Matches, s.Won, s.Lost, s.Unfinished, share,
			s.PointsFor, s.PointsAgn, s.Analysed, judged)
	}
	return tw.Flush()
}

// SplitTable writes sums by phase, plan or category of cube error.
func SplitTable(w io.Writer, by string, list []index.SplitStats) error {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	what, pr := "DECISIONS", "PR"
	if by == "cube" {
		what, pr = "ERRORS", "MEAN LOSS"
	}
	fmt.Fprintf(tw, "SIDE\t%s\tMATCHES\t%s\t%s\tLOST\tLUCK\n", strings.ToUpper(by), what, pr)
	for _, s := range list {
		value, luck := s.PR.Text("%.2f"), s.Luck.Text("%+.2f")
		if by == "cube" {
			value = (s.PR / 500).Text("%.3f")
		}
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%s\t%.3f\t%s\n", s.Side, s.Name, s.Matches, s.Decisions, value, s.Error, luck)
	}
	return tw.Flush()
}

// List writes the decisions that fit as a table and returns how many. An error before the
// first leaves w untouched.
func List(ctx context.Context, db *index.DB, f index.Filter, q Query, w io.Writer, bad func(error)) (n int, err error) {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	err = Errors(ctx, db, f, q, func(x *Found) error {
		if n++; n == 1 {
			fmt.Fprintln(tw, "MATCH\tDAY\tGAME\tPLAYER\tDECISION\tBETTER\tLOST\tWHAT\tXGID")
		}
		dice, what := "", x.Phase+", "+x.Plan
		if len(x.Dice) == 2 {
			dice = fmt.Sprintf("%d%d: ", x.Dice[0], x.Dice[1])
		}
		if x.Fault != "" {
			what = x.Fault + ", " + what
		}
		_, err := fmt.Fprintf(tw, "%.8s\t%s\t%d.%d\t%s\t%s%s\t%s\t%.3f\t%s\t%s\n", x.Match, Day(x.Started), x.Game, x.Number, x.Name, dice, x.Played, x.Best, x.Loss(), what, x.XGID)
		return err
	}, bad)
	if err != nil {
		return n, err
	}
	return n, tw.Flush()
}
