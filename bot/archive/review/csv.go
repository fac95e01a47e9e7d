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

// WriteCSV writes the matches that filter chooses as a table for spreadsheets, the newest
// first. The columns of figures are the statistics of a single match; an unknown one is
// empty. No cell is a formula, whatever a player's name is.
func WriteCSV(ctx context.Context, db *index.DB, filter index.Filter, w io.Writer) error {
	c := csv.NewWriter(w)
	head := []string{"id", "started", "account", "opponent", "length", "score", "opponent_score", "result", "rating", "opponent_rating",
		"rating_after", "preset", "tags", "depth"}
	var perMatch []*index.Statistic
	for i := range index.Statistics {
		if s := &index.Statistics[i]; s.PerMatch {
			perMatch = append(perMatch, s)
			head = append(head, s.Name)
		}
	}
	if err := c.Write(append(head, "file")); err != nil {
		return err
	}
	err := db.List(ctx, filter, func(m *index.Match) error {
		started := ""
		if !m.Started.IsZero() {
			started = m.Started.UTC().Format(time.RFC3339)
		}
		row := []string{m.ID, started, sanitize.Cell(m.Account), sanitize.Cell(m.Opponent), fmt.Sprint(m.Length), fmt.Sprint(m.Score[0]), fmt.Sprint(m.Score[1]), ResultWord(m.Result),
			cell(m.Rating[0], "%.2f"), cell(m.Rating[1], "%.2f"), cell(m.RatingAfter[0], "%.2f"), sanitize.Cell(m.Preset), sanitize.Cell(strings.Join(m.Tags, ",")), sanitize.Cell(m.Depth)}
		for _, s := range perMatch {
			row = append(row, cell(s.Match(m), "%.4f"))
		}
		return c.Write(append(row, sanitize.Cell(m.File)))
	})
	c.Flush()
	return errors.Join(err, c.Error())
}

// cell formats a figure; an unknown one is empty.
func cell(f index.Figure, format string) string {
	if !f.Known() {
		return ""
	}
	return f.Text(format)
}
