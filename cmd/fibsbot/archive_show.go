package main

import (
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
)

func newArchiveListCmd(f *archiveFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List matches, newest first",
		Example: "  fibsbot archive list --limit 20\n  fibsbot archive list --opponent 'b*' --from 2026-01-01 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd, func(db *index.DB, filter index.Filter) error {
				w := cmd.OutOrStdout()
				if f.asJSON {
					return db.List(cmd.Context(), filter, func(m *index.Match) error { return printJSONLine(w, m) })
				}
				tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
				fmt.Fprintln(tw, "ID\tSTARTED\tACCOUNT\tOPPONENT\tLENGTH\tSCORE\tRESULT\tPRESET\tERROR")
				err := db.List(cmd.Context(), filter, func(m *index.Match) error {
					_, err := fmt.Fprintf(tw, "%.8s\t%s\t%s\t%s\t%s\t%d-%d\t%s\t%s\t%s\n", m.ID, day(m.Started), m.Account, m.Opponent,
						lengthText(m.Length), m.Score[0], m.Score[1], resultText(m.Result), orNone(m.Preset), errorText(m))
					return err
				})
				if errors.Is(err, index.ErrFilter) {
					return err // without a header on stdout
				}
				return errors.Join(err, tw.Flush())
			})
		},
	}
	f.addFilter(cmd)
	return cmd
}

// day writes when a match began. Midnight in UTC is a day without a time, which
// is another day in half of the world's time zones.
func day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	if u := t.UTC(); u.Equal(u.Truncate(24 * time.Hour)) {
		return u.Format(time.DateOnly)
	}
	return t.Local().Format("2006-01-02 15:04")
}

func lengthText(n int) string {
	if n == 0 {
		return "unlimited"
	}
	return fmt.Sprint(n)
}

func resultText(r int) string {
	switch r {
	case 1:
		return "won"
	case -1:
		return "lost"
	}
	return "open"
}

func orNone(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// errorText is both sides' millipoints a decision, or - without an analysis.
func errorText(m *index.Match) string {
	if m.Plies < 0 {
		return "-"
	}
	rate := func(p int) float64 { return 1000 * m.Error[p] / float64(max(1, m.Unforced[p]+m.Close[p])) }
	return fmt.Sprintf("%.1f/%.1f", rate(0), rate(1))
}

func newArchiveShowCmd(f *archiveFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "show ID|FILE",
		Short:   "Show one match with its games",
		Example: "  fibsbot archive show 3f2a91\n  fibsbot archive show 3f2a91 --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd, func(db *index.DB, _ index.Filter) error {
				m, err := db.Show(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				w := cmd.OutOrStdout()
				if f.asJSON {
					return printJSON(w, m)
				}
				fmt.Fprintf(w, "%s  %s against %s, %s points, %s: %s %d-%d\n", m.ID, m.Account, m.Opponent, lengthText(m.Length),
					day(m.Started), resultText(m.Result), m.Score[0], m.Score[1])
				fmt.Fprintf(w, "file     %s\n", m.File)
				if m.Preset != "" {
					fmt.Fprintf(w, "preset   %s\n", m.Preset)
				}
				if m.Rating[0] != 0 {
					fmt.Fprintf(w, "ratings  %.2f against %.2f", m.Rating[0], m.Rating[1])
					if m.RatingAfter[0] != 0 {
						fmt.Fprintf(w, ", after the match %.2f and %.2f", m.RatingAfter[0], m.RatingAfter[1])
					}
					fmt.Fprintln(w)
				}
				if m.Plies >= 0 {
					fmt.Fprintf(w, "errors   %s millipoints a decision at %d plies, luck %+.2f/%+.2f, luck-adjusted result %+.3f\n", errorText(m), m.Plies, m.Luck[0], m.Luck[1], m.Adjusted)
				}
				for _, g := range m.Rows {
					note := ""
					if g.Crawford {
						note = ", Crawford game"
					}
					if g.Resigned {
						note += ", resignation"
					}
					fmt.Fprintf(w, "game %-3d at %d-%d: %s %d%s\n", g.Number, g.Score[0], g.Score[1], resultText(g.Result), g.Points, note)
				}
				return nil
			})
		},
	}
}
