package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/board"
)

// Length formats the length of a match.
func Length(n int) string {
	if n == 0 {
		return "unlimited"
	}
	return fmt.Sprint(n)
}

// points formats the length of a match for a sentence.
func points(n int) string {
	switch n {
	case 0:
		return "unlimited"
	case 1:
		return "1 point"
	}
	return fmt.Sprint(n) + " points"
}

// ResultWord is the account's result in a word.
func ResultWord(r int) string {
	switch r {
	case 1:
		return "won"
	case -1:
		return "lost"
	}
	return "open"
}

// orNone returns s, or "-" if it is empty.
func orNone(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// ErrorRate formats both sides' millipoints a decision, or "-" without an analysis.
func ErrorRate(m *index.Match) string { return bothSides(m, "error_per_decision", "%.1f") }

// PR formats both sides' performance ratings, or "-" without an analysis.
func PR(m *index.Match) string { return bothSides(m, "pr", "%.2f") }

// bothSides formats a statistic of both sides, marked where it says little.
func bothSides(m *index.Match, name, format string) string {
	if !m.Plies.Known() {
		return "-"
	}
	var out [2]string
	for k, name := range [2]string{name, "opponent_" + name} {
		out[k] = index.StatisticOf(name).Match(m).Text(format) + index.Star(m.Shallow[k])
	}
	return out[0] + "/" + out[1]
}

// Matches writes the matches that fit as a table, newest first.
func Matches(ctx context.Context, db *index.DB, f index.Filter, w io.Writer) error {
	tw, marks := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0), ""
	fmt.Fprintln(tw, "ID\tSTARTED\tACCOUNT\tOPPONENT\tLENGTH\tSCORE\tRESULT\tPRESET\tERROR\tPR")
	err := db.List(ctx, f, func(m *index.Match) error {
		if m.Shallow != [2]bool{} {
			marks = index.ShallowNote + "\n"
		}
		_, err := fmt.Fprintf(tw, "%.8s\t%s\t%s\t%s\t%s\t%d-%d\t%s\t%s\t%s\t%s\n", m.ID, index.Day(m.Started), m.Account, m.Opponent,
			Length(m.Length), m.Score[0], m.Score[1], ResultWord(m.Result), orNone(m.Preset), ErrorRate(m), PR(m))
		return err
	})
	if errors.Is(err, index.ErrFilter) {
		return err // without a header
	}
	fmt.Fprint(tw, marks)
	return errors.Join(err, tw.Flush())
}

// Line describes a match with its performance ratings in one line.
func Line(m *index.Match) string {
	return fmt.Sprintf("%.8s  %s  %s-%s, %s: PR %s", m.ID, index.Day(m.Started), m.Account, m.Opponent, points(m.Length), PR(m))
}

// Show writes one match with its games, its marked errors and its comments.
func Show(w io.Writer, m *index.Match, d Details) error {
	var b strings.Builder
	showHead(&b, m, &d)
	for _, g := range m.Rows {
		note := ""
		if g.Crawford {
			note = ", Crawford game"
		}
		if g.Resigned {
			note += ", resignation"
		} else if g.EndUnknown {
			note += ", not played to the end"
		}
		fmt.Fprintf(&b, "game %-3d at %d-%d: %s %d%s\n", g.Number, g.Score[0], g.Score[1], ResultWord(g.Result), g.Points, note)
	}
	if err := showErrors(&b, d.Errors); err != nil {
		return err
	}
	showComments(&b, d.Comments)
	_, err := io.WriteString(w, b.String())
	return err
}

// showHead writes who played, when and how well.
func showHead(b *strings.Builder, m *index.Match, d *Details) {
	fmt.Fprintf(b, "%s  %s against %s, %s, %s: %s %d-%d\n", m.ID, m.Account, m.Opponent, points(m.Length),
		index.Day(m.Started), ResultWord(m.Result), m.Score[0], m.Score[1])
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(b, "%-8s %s\n", name, text)
		}
	}
	line("file", m.File)
	if m.Pruned {
		line("pruned", "the files were deleted; the results are kept")
	}
	line("event", joined(m.Event, d.Round))
	if d.Place != m.Server { // a bot's file has the server there
		line("place", d.Place)
	}
	line("annotator", d.Annotator)
	line("tags", strings.Join(m.Tags, ", "))
	line("preset", m.Preset)
	pair := func(of [2]index.Figure, between string) string {
		if !of[0].Known() && !of[1].Known() {
			return ""
		}
		return of[0].Text("%.2f") + between + of[1].Text("%.2f")
	}
	after := pair(m.RatingAfter, " and ")
	if after != "" {
		after = "after the match " + after
	}
	line("ratings", joined(pair(m.Rating, " against "), after))
	if m.Plies.Known() {
		line("errors", fmt.Sprintf("PR %s, %s millipoints a decision, luck %s/%s, luck-adjusted result %s", PR(m), ErrorRate(m),
			m.Luck[0].Text("%+.2f"), m.Luck[1].Text("%+.2f"), m.Adjusted.Text("%+.3f")))
		line("judge", m.Judge)
		if m.Shallow != [2]bool{} {
			line("", index.ShallowNote)
		}
	}
	if d.Comment != "" {
		fmt.Fprintln(b, strings.TrimRight(d.Comment, "\n"))
	}
}

// joined joins the parts that are not empty with commas.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

func showErrors(b *strings.Builder, list []*Found) error {
	tw := tabwriter.NewWriter(b, 0, 4, 2, ' ', 0)
	for n, x := range list {
		if n == maxShown {
			fmt.Fprintf(tw, "and %d more\n", len(list)-n)
			break
		}
		dice := ""
		if len(x.Dice) == 2 {
			dice = fmt.Sprintf("%d%d: ", x.Dice[0], x.Dice[1])
		}
		fmt.Fprintf(tw, "%d.%d\t%s\t%s%s\tbetter %s\tlost %.3f\t%s\n", x.Game, x.Number, x.Name, dice, x.Played, x.Best, x.Loss(), strings.ReplaceAll(x.Mark, "_", " "))
	}
	return tw.Flush()
}

func showComments(b *strings.Builder, list []Said) {
	left := maxShown
	for _, c := range list {
		for line := range strings.Lines(c.Text) {
			if left--; left >= 0 {
				fmt.Fprintf(b, "%d.%d  %s\n", c.Game, c.Number, strings.TrimRight(line, "\n"))
			}
		}
	}
	if left < 0 {
		fmt.Fprintf(b, "and %d more lines of comments\n", -left)
	}
}

// StatsTable writes the statistics of matches as a table; by is what they are summed up by,
// empty for all together.
func StatsTable(w io.Writer, by string, list []index.Stats) error {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprint(tw, strings.ToUpper(orNone(by)))
	for i := range index.Statistics {
		if s := &index.Statistics[i]; !s.Detail {
			fmt.Fprint(tw, "\t", s.Heading())
		}
	}
	marks := ""
	for _, row := range list {
		key := row.Key
		if by == "" {
			key = "all"
		}
		if row.Key == "" && (by == "day" || by == "month" || by == "year") {
			key = "unknown"
		}
		fmt.Fprint(tw, "\n", orNone(key))
		for i := range index.Statistics {
			if s := &index.Statistics[i]; !s.Detail {
				mark := index.Star(s.Marked != "" && row.Get(s.Marked) > 0)
				fmt.Fprint(tw, "\t", s.Print.WithInterval(row.Values[i], row.Intervals[i]), mark)
				if mark != "" {
					marks = index.ShallowNote + "\n"
				}
			}
		}
	}
	fmt.Fprint(tw, "\n", marks, luckNote(list))
	return tw.Flush()
}

// luckNote names the depth at which luck was judged in matches that state it.
func luckNote(list []index.Stats) string {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range list {
		if v := float64(list[i].Get("luck_plies")); !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	switch {
	case low > high:
		return ""
	case low == high:
		return fmt.Sprintf("luck is judged at %.2g-ply on average\n", low)
	}
	return fmt.Sprintf("luck is judged at %.2g-ply to %.2g-ply on average\n", low, high)
}

// SplitTable writes the sums by phase, plan or category of cube error.
func SplitTable(w io.Writer, by string, list []index.SplitStats) error {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	what, pr := "DECISIONS", "PR"
	if by == "cube" {
		what, pr = "ERRORS", "MEAN LOSS"
	}
	fmt.Fprintf(tw, "SIDE\t%s\tMATCHES\t%s\t%s\tLOST\tLUCK\n", strings.ToUpper(by), what, pr)
	marks := ""
	for _, s := range list {
		value, luck, mark := s.PR.Text("%.2f"), s.Luck.Text("%+.2f"), index.Star(s.Shallow > 0)
		if by == "cube" {
			value = fmt.Sprintf("%.3f", s.Error/float64(max(1, s.Decisions)))
		}
		if mark != "" {
			marks = index.ShallowNote + "\n"
		}
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%s%s\t%.3f%s\t%s\n", s.Side, s.Name, s.Matches, s.Decisions, value, mark, s.Error, mark, luck)
	}
	fmt.Fprint(tw, marks)
	return tw.Flush()
}

// List writes the errors that fit as a table and returns their number. If an error occurs
// before the first, nothing is written.
func List(ctx context.Context, db *index.DB, f index.Filter, q Query, w io.Writer, bad func(error)) (n int, err error) {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	err = Decisions(ctx, db, f, q, func(x *Found) error {
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
		_, err := fmt.Fprintf(tw, "%.8s\t%s\t%d.%d\t%s\t%s%s\t%s\t%.3f\t%s\t%s\n", x.Match, index.Day(x.Started), x.Game, x.Number, x.Name, dice, x.Played, x.Best, x.Loss(), what, x.XGID)
		return err
	}, bad)
	if err != nil {
		return n, err
	}
	return n, tw.Flush()
}

// DiceTable writes both sides' counts of rolls with their tests, as text or as one JSON object
// per side.
func DiceTable(w io.Writer, total index.DiceSum, asJSON bool) error {
	var text strings.Builder
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	for side := range 2 {
		d := total.Test(side)
		if asJSON {
			if err := lines.Encode(d); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(&text, "%s: %d rolls, %.2f%% doubles (%.2f%% expected), chi-squared %.1f with 20 degrees of freedom, p = %.3f\n",
			d.Side, d.Rolls, 100*d.Doubles, 100*d.Fair, d.ChiSq, d.P)
		for i, r := range board.Rolls {
			sep := "  "
			if i%7 == 6 {
				sep = "\n"
			}
			fmt.Fprintf(&text, "%d%d %5d%s", r.Dice.A, r.Dice.B, total.Dice[side][i], sep)
		}
	}
	if !asJSON {
		fmt.Fprintln(&text, "Opening rolls are never doubles; test and expected share take this into account.")
	}
	_, err := io.WriteString(w, text.String())
	return err
}
