package review

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/internal/sanitize"
)

// WriteCSV writes the matches that filter chooses as a table for spreadsheets, the
// newest first. No cell of it is a formula, whatever somebody calls himself.
func WriteCSV(ctx context.Context, db *index.DB, filter index.Filter, w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"id", "started", "account", "opponent", "length", "score", "opponent_score", "result", "rating", "opponent_rating",
		"rating_after", "preset", "plies", "error_per_decision", "opponent_error_per_decision", "luck", "luck_adjusted_result", "file"}); err != nil {
		return err
	}
	err := db.List(ctx, filter, func(m *index.Match) error {
		started := ""
		if !m.Started.IsZero() {
			started = m.Started.UTC().Format(time.RFC3339)
		}
		// plies, both errors, luck and the result without it, empty without an analysis
		found := make([]string, 5)
		if m.Plies >= 0 {
			ours, theirs, _ := strings.Cut(ErrorRate(m), "/")
			found = []string{fmt.Sprint(m.Plies), ours, theirs, m.Luck[0].Text("%.4f"), m.Adjusted.Text("%.4f")}
			for i, v := range found {
				if v == "-" {
					found[i] = ""
				}
			}
		}
		row := append([]string{m.ID, started, sanitize.Cell(m.Account), sanitize.Cell(m.Opponent), fmt.Sprint(m.Length), fmt.Sprint(m.Score[0]), fmt.Sprint(m.Score[1]), Result(m.Result),
			Number(m.Rating[0]), Number(m.Rating[1]), Number(m.RatingAfter[0]), sanitize.Cell(m.Preset)}, found...)
		return c.Write(append(row, sanitize.Cell(m.File)))
	})
	c.Flush()
	return errors.Join(err, c.Error())
}

// Number writes a figure with two decimals, nothing for one that is not known.
func Number(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", x)
}
