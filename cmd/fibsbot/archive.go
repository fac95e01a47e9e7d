package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/config"
	"fibsbot/engine/board"
	"fibsbot/engine/rating"
)

// archiveFlags say which archive and which of its matches.
type archiveFlags struct {
	dir, dsn   string
	configFile string
	account    string
	opponent   string
	preset     string
	length     int
	unlimited  bool
	from, to   string
	result     string
	limit      int
	asJSON     bool
}

func newArchiveCmd() *cobra.Command {
	var f archiveFlags
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "The archive: matches, opponents, results, rating history",
		Long: `Lists, shows and sums up the matches in an archive folder. The match files are the
truth: "archive rebuild" makes the index from them again, "archive import" takes in
match files from elsewhere without counting one twice.

Which archive: --dir, else archive.dir of -c FILE, else logs/archive.`,
		Example: `  fibsbot archive list --opponent bob --result won
  fibsbot archive show 3f2a91
  fibsbot archive stats --by opponent
  fibsbot archive stats --rating --chart rating.svg
  fibsbot archive export --format csv -o matches.csv
  fibsbot archive rebuild`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	pf := cmd.PersistentFlags()
	pf.StringVar(&f.dir, "dir", "", "archive folder (default archive.dir of the configuration, or logs/archive)")
	pf.StringVar(&f.dsn, "dsn", "", "PostgreSQL index instead of SQLite in the folder")
	pf.StringVarP(&f.configFile, "config", "c", "", "take folder and DSN from this configuration")
	pf.BoolVar(&f.asJSON, "json", false, "print JSON, one object a line where there are several")
	cmd.AddCommand(newArchiveListCmd(&f), newArchiveShowCmd(&f), newArchiveStatsCmd(&f), newArchiveExportCmd(&f),
		newArchiveRebuildCmd(&f), newArchiveImportCmd(&f))
	return cmd
}

// addFilter adds the flags that choose matches.
func (f *archiveFlags) addFilter(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.account, "account", "", "only matches of this account (* for anything)")
	fl.StringVar(&f.opponent, "opponent", "", "only matches against this opponent (* for anything)")
	fl.StringVar(&f.preset, "preset", "", "only matches played with this preset")
	fl.IntVar(&f.length, "length", 0, "only matches of this many points")
	fl.BoolVar(&f.unlimited, "unlimited", false, "only unlimited matches")
	fl.StringVar(&f.from, "from", "", "from this day (UTC) on, as 2026-01-31")
	fl.StringVar(&f.to, "to", "", "up to and including this day")
	fl.StringVar(&f.result, "result", "", "won, lost or unfinished")
	fl.IntVar(&f.limit, "limit", 0, "at most this many, newest first")
}

func (f *archiveFlags) filter() (index.Filter, error) {
	out := index.Filter{Account: f.account, Opponent: f.opponent, Preset: f.preset, Length: f.length, Unlimited: f.unlimited, Result: f.result, Limit: f.limit}
	if f.length < 0 || f.limit < 0 {
		return out, usagef("--length and --limit must not be negative")
	}
	for _, d := range []struct {
		flag, text string
		into       *time.Time
		plus       int
	}{{"--from", f.from, &out.From, 0}, {"--to", f.to, &out.To, 1}} {
		if d.text == "" {
			continue
		}
		// Match files hold the day of UTC, most without a time.
		day, err := time.Parse(time.DateOnly, d.text)
		if err != nil {
			return out, usagef("%s: %q is no day, write 2026-01-31", d.flag, d.text)
		}
		*d.into = day.AddDate(0, 0, d.plus)
	}
	return out, nil
}

// open opens the index; an archive without one is indexed first.
func (f *archiveFlags) open(ctx context.Context, errOut io.Writer) (*index.DB, error) {
	dir, dsn := f.dir, f.dsn
	if f.configFile != "" {
		c, _, err := config.Load(f.configFile)
		if err != nil {
			return nil, asUsage(err)
		}
		if dir == "" {
			dir = c.Archive.Dir
		}
		if dsn == "" {
			dsn = c.Archive.DSN
		}
	}
	if dir == "" {
		dir = config.Default().Archive.Dir
	}
	st, err := os.Stat(dir)
	if err != nil {
		return nil, asUsage(fmt.Errorf("archive: %w", err))
	}
	if !st.IsDir() {
		return nil, usagef("archive: %s is not a folder", dir)
	}
	_, err = os.Stat(filepath.Join(dir, index.FileName))
	fresh := dsn == "" && errors.Is(err, os.ErrNotExist)
	db, err := index.Open(ctx, dir, dsn)
	if err != nil {
		return nil, fmt.Errorf("%w (fibsbot archive rebuild makes it again after the file is moved away)", err)
	}
	if fresh {
		r, err := db.Rebuild(ctx, nil)
		if err != nil {
			db.Close()
			return nil, err
		}
		reportBad(errOut, r)
	}
	return db, nil
}

func reportBad(w io.Writer, r *index.Report) {
	for _, err := range r.Bad {
		fmt.Fprintf(w, "fibsbot: %v\n", err)
	}
	if r.More > 0 {
		fmt.Fprintf(w, "fibsbot: and %d more files that cannot be read\n", r.More)
	}
}

// filterError makes a nonsense filter the user's mistake.
func filterError(err error) error {
	if errors.Is(err, index.ErrFilter) || errors.Is(err, index.ErrNotFound) {
		return asUsage(err)
	}
	return err
}

// with opens the index, runs do, and closes it.
func (f *archiveFlags) with(cmd *cobra.Command, do func(*index.DB, index.Filter) error) error {
	filter, err := f.filter()
	if err != nil {
		return err
	}
	db, err := f.open(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer db.Close()
	return filterError(do(db, filter))
}

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

func newArchiveStatsCmd(f *archiveFlags) *cobra.Command {
	var by, chart string
	var ratings, dice bool
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Sum up results, errors and luck; rating history; dice",
		Long: `Without more flags the sums over all matches that fit; --by sums up apart. --rating
lists the rating after each match with two estimates of the strength shown: from the
results and from the errors; --chart draws it. --dice counts the rolls and tests them.`,
		Example: `  fibsbot archive stats --by opponent
  fibsbot archive stats --by preset --from 2026-01-01
  fibsbot archive stats --rating --chart rating.svg
  fibsbot archive stats --dice`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd, func(db *index.DB, filter index.Filter) error {
				switch {
				case dice:
					return printDice(cmd, db, filter, f.asJSON)
				case ratings || chart != "":
					return printRatings(cmd, db, filter, chart, f.asJSON)
				}
				return printStats(cmd, db, filter, by, f.asJSON)
			})
		},
	}
	cmd.Flags().StringVar(&by, "by", "", "sum up by opponent, preset, account or length")
	cmd.Flags().BoolVar(&ratings, "rating", false, "rating history and estimates")
	cmd.Flags().StringVar(&chart, "chart", "", "draw the rating history into this .svg or .png file")
	cmd.Flags().BoolVar(&dice, "dice", false, "count the rolls of both sides and test them")
	f.addFilter(cmd)
	return cmd
}

func printStats(cmd *cobra.Command, db *index.DB, filter index.Filter, by string, asJSON bool) error {
	list, err := db.Stats(cmd.Context(), filter, by)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if asJSON {
		for i := range list {
			if err := printJSONLine(w, &list[i]); err != nil {
				return err
			}
		}
		return nil
	}
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintf(tw, "%s\tMATCHES\tWON\tLOST\tOPEN\tWON %%\tPOINTS\tANALYSED\tERROR\tTHEIRS\tLUCK\tTHEIRS\n", strings.ToUpper(orNone(by)))
	for _, s := range list {
		share := "-"
		if n := s.Won + s.Lost; n > 0 {
			share = fmt.Sprintf("%.1f", 100*float64(s.Won)/float64(n))
		}
		judged := "-\t-\t-\t-" // no error is not an error of 0
		if s.Analysed > 0 {
			judged = fmt.Sprintf("%.2f\t%.2f\t%+.2f\t%+.2f", s.Error, s.OpponentError, s.Luck, s.OpponentLuck)
		}
		key := s.Key
		if by == "" {
			key = "all"
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t%s\t%d-%d\t%d\t%s\n", orNone(key), s.Matches, s.Won, s.Lost, s.Unfinished, share,
			s.PointsFor, s.PointsAgn, s.Analysed, judged)
	}
	return tw.Flush()
}

// ratingPoint is one match of the rating history.
type ratingPoint struct {
	At       time.Time `json:"at"`
	Opponent string    `json:"opponent"`
	Length   int       `json:"length"`
	Result   int       `json:"result"`
	Rating   float64   `json:"rating"` // after the match, or before it where only that is known
	ErrorEst *float64  `json:"rating_by_errors"`
}

type ratingReport struct {
	Matches int          `json:"matches"`
	Results *ratingRange `json:"strength_by_results"`
	Errors  *float64     `json:"strength_by_errors"`
}

type ratingRange struct {
	Estimate float64 `json:"estimate"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

func printRatings(cmd *cobra.Command, db *index.DB, filter index.Filter, chart string, asJSON bool) error {
	var points []ratingPoint
	var results []rating.Result
	var sum struct{ checker, cube, unforced, close, weight, length float64 }
	err := db.List(cmd.Context(), filter, func(m *index.Match) error {
		p := ratingPoint{At: m.Started, Opponent: m.Opponent, Length: m.Length, Result: m.Result, Rating: m.RatingAfter[0]}
		if p.Rating == 0 {
			p.Rating = m.Rating[0]
		}
		if m.Plies >= 0 && m.Unforced[0]+m.Close[0] > 0 && m.Length > 0 {
			e := rating.Estimate(rating.ErrorRates{
				Checker: m.Checker[0] / float64(max(1, m.Unforced[0])), Cube: m.Cube[0] / float64(max(1, m.Close[0])),
			}, m.Length)
			p.ErrorEst = &e
			sum.checker += m.Checker[0]
			sum.cube += m.Cube[0]
			sum.unforced += float64(m.Unforced[0])
			sum.close += float64(m.Close[0])
			sum.length += float64(m.Length)
			sum.weight++
		}
		if m.Result != 0 && m.Length > 0 && m.Rating[1] > 0 {
			results = append(results, rating.Result{Opponent: m.Rating[1], Length: m.Length, Won: m.Result > 0})
		}
		points = append(points, p)
		return nil
	})
	if err != nil {
		return err
	}
	// Oldest first, as a history is read.
	for i, j := 0, len(points)-1; i < j; i, j = i+1, j-1 {
		points[i], points[j] = points[j], points[i]
	}
	rep := ratingReport{Matches: len(points)}
	if iv, err := rating.FromResults(results); err == nil {
		rep.Results = &ratingRange{iv.Estimate, iv.Low, iv.High}
	}
	if sum.weight > 0 {
		e := rating.Estimate(rating.ErrorRates{Checker: sum.checker / math.Max(1, sum.unforced), Cube: sum.cube / math.Max(1, sum.close)},
			int(math.Round(sum.length/sum.weight)))
		rep.Errors = &e
	}
	if chart != "" {
		if err := drawRatings(chart, points); err != nil {
			return err
		}
	}
	w := cmd.OutOrStdout()
	if asJSON {
		for i := range points {
			if err := printJSONLine(w, &points[i]); err != nil {
				return err
			}
		}
		return printJSONLine(w, rep)
	}
	for _, p := range points {
		est := ""
		if p.ErrorEst != nil {
			est = fmt.Sprintf("  by errors %.0f", *p.ErrorEst)
		}
		fmt.Fprintf(w, "%-16s  %-20s %9s  %-4s  %8s%s\n", day(p.At), p.Opponent, lengthText(p.Length), resultText(p.Result), orNone(number2(p.Rating)), est)
	}
	if rep.Results != nil {
		fmt.Fprintf(w, "strength by results: %.0f (90%% between %.0f and %.0f)\n", rep.Results.Estimate, rep.Results.Low, rep.Results.High)
	}
	if rep.Errors != nil {
		fmt.Fprintf(w, "strength by errors: %.0f\n", *rep.Errors)
	}
	return nil
}

// diceJSON is the count of one side's rolls with its test.
type diceJSON struct {
	Side    string         `json:"side"`
	Rolls   int            `json:"rolls"`
	Counts  map[string]int `json:"counts"`
	Doubles float64        `json:"doubles"` // share
	Fair    float64        `json:"doubles_expected"`
	ChiSq   float64        `json:"chi_squared"`
	P       float64        `json:"p_value"` // chance of a worse fit with fair dice
}

func printDice(cmd *cobra.Command, db *index.DB, filter index.Filter, asJSON bool) error {
	total, err := db.DiceCount(cmd.Context(), filter)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	for side, name := range []string{"account", "opponents"} {
		test := total.Test(side)
		d := diceJSON{Side: name, Rolls: test.Rolls, Counts: map[string]int{}, Doubles: test.Doubles, Fair: test.Fair, ChiSq: test.ChiSq, P: test.P}
		for i, r := range board.Rolls {
			d.Counts[fmt.Sprintf("%d%d", r.Dice.A, r.Dice.B)] = total.Dice[side][i]
		}
		if asJSON {
			if err := printJSONLine(w, d); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(w, "%s: %d rolls, %.2f%% doubles (%.2f%% expected), chi-squared %.1f with 20 degrees of freedom, p = %.3f\n",
			name, d.Rolls, 100*d.Doubles, 100*d.Fair, d.ChiSq, d.P)
		for i, r := range board.Rolls {
			sep := "  "
			if i%7 == 6 {
				sep = "\n"
			}
			fmt.Fprintf(w, "%d%d %5d%s", r.Dice.A, r.Dice.B, total.Dice[side][i], sep)
		}
	}
	if !asJSON {
		fmt.Fprintln(w, "Opening rolls are never doubles; the test and the share expected allow for them.")
	}
	return nil
}

func newArchiveRebuildCmd(f *archiveFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "rebuild",
		Short:   "Make the index again from the match files",
		Example: "  fibsbot archive rebuild --dir logs/archive",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd, func(db *index.DB, _ index.Filter) error {
				r, err := db.Rebuild(cmd.Context(), func(n int) {
					if isTerminal(cmd.ErrOrStderr()) {
						fmt.Fprintf(cmd.ErrOrStderr(), "\r%d matches", n)
					}
				})
				if err != nil {
					if cmd.Context().Err() != nil {
						return errInterrupted
					}
					return err
				}
				reportBad(cmd.ErrOrStderr(), r)
				if f.asJSON {
					return printJSON(cmd.OutOrStdout(), map[string]int{"matches": r.Added, "duplicates": r.Duplicates, "unreadable": len(r.Bad) + r.More})
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%d matches indexed, %d duplicates left out, %d files unreadable\n", r.Added, r.Duplicates, len(r.Bad)+r.More)
				return nil
			})
		},
	}
}

func newArchiveImportCmd(f *archiveFlags) *cobra.Command {
	var account string
	cmd := &cobra.Command{
		Use:   "import FILE|FOLDER...",
		Short: "Take match files from elsewhere into the archive, none twice",
		Long: `Reads match files of any format, whole folders too, and keeps each match that the
archive does not have yet as an .sgf under imported/. Files that cannot be read are
named and left out.`,
		Example: "  fibsbot archive import ~/old-matches\n  fibsbot archive import --account MyName games/*.mat",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd, func(db *index.DB, _ index.Filter) error {
				added, twice, bad := 0, 0, 0
				take := func(file string) error {
					matches, err := readMatches(cmd.InOrStdin(), io.Discard, file)
					if err != nil {
						fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: %v\n", err)
						bad++
						return nil
					}
					for _, m := range matches {
						isNew, err := db.Import(cmd.Context(), m, index.Meta{Account: account})
						if err != nil {
							return fmt.Errorf("%s: %w", file, err)
						}
						if isNew {
							added++
						} else {
							twice++
						}
					}
					return nil
				}
				for _, arg := range args {
					err := filepath.WalkDir(arg, func(path string, e fs.DirEntry, err error) error {
						switch {
						case err != nil:
							return asUsage(err)
						case cmd.Context().Err() != nil:
							return errInterrupted
						case e.IsDir() || strings.HasPrefix(e.Name(), "."):
							return nil
						}
						return take(path)
					})
					if err != nil {
						return err
					}
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%d matches imported, %d known already, %d files unreadable\n", added, twice, bad)
				if bad > 0 && added+twice == 0 {
					return usagef("nothing could be read")
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&account, "account", "", "which player is us, for results and statistics")
	return cmd
}
