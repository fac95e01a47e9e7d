package review

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record/sgf"
)

// Row finds a match of the archive by a prefix of its ID, a part of its file name, or a file:
// one of the archive, or another .sgf of the same match.
func Row(ctx context.Context, db *index.DB, what string) (*index.Match, error) {
	st, err := os.Stat(what)
	if err != nil || !st.Mode().IsRegular() {
		return db.Show(ctx, what)
	}
	if full, err := filepath.Abs(what); err == nil {
		if dir, err := filepath.Abs(db.Dir()); err == nil {
			if rel, err := filepath.Rel(dir, full); err == nil && filepath.IsLocal(rel) {
				if row, err := db.Show(ctx, filepath.ToSlash(rel)); err == nil {
					return row, nil
				}
			}
		}
	}
	m, _, err := sgf.ReadFile(what)
	if err != nil {
		return nil, fmt.Errorf("%w: %s is neither in the archive nor an .sgf: %w", index.ErrNotFound, what, err)
	}
	return db.Find(ctx, m)
}

// Details are what the file of a match has beyond its row.
type Details struct {
	Round     string `json:"round,omitempty"`
	Place     string `json:"place,omitempty"`
	Annotator string `json:"annotator,omitempty"`
	Comment   string `json:"comment,omitempty"` // on the whole match
	// Errors are the marked decisions in match order, Comments the texts beside decisions.
	Errors   []*Found `json:"errors,omitempty"`
	Comments []Said   `json:"comments,omitempty"`
}

// Said is a comment beside a decision, or what the players said there.
type Said struct {
	Game   int    `json:"game"`
	Number int    `json:"number"`
	Text   string `json:"text"`
}

// DetailsOf reads the details of a match from its file; without a file they are empty.
func DetailsOf(db *index.DB, row *index.Match) (Details, error) {
	if row.Pruned {
		return Details{}, nil
	}
	e, err := db.Edit(row)
	if err != nil {
		return Details{}, err
	}
	m := e.Match
	d := Details{Round: m.Round, Place: m.Place, Annotator: m.Annotator, Comment: m.Comment}
	s := analyse.Summarise(m, nil, analyse.DefaultLimits)
	for i := range m.Games {
		for _, r := range report.Rows(m, s, i, nil) {
			if r.Mark != "" {
				d.Errors = append(d.Errors, foundIn(row, m, i, &r))
			}
			if r.Comment != "" {
				d.Comments = append(d.Comments, Said{Game: i + 1, Number: r.Number, Text: r.Comment})
			}
		}
	}
	return d, nil
}

// maxShown bounds the errors and the lines of comments that Show lists.
const maxShown = 200

// Suggest returns IDs of the newest matches with a prefix, each with a description, for the
// shell's completion. Without an index it returns none.
func Suggest(ctx context.Context, dir, begin string) (out []string) {
	const most = 50
	if _, err := os.Stat(filepath.Join(dir, index.FileName)); err != nil {
		return nil
	}
	db, err := index.Open(ctx, dir, "")
	if err != nil {
		return nil
	}
	defer db.Close()
	_ = db.List(ctx, index.Filter{Limit: 1000}, func(m *index.Match) error { // an error suggests nothing
		if len(out) < most && len(m.ID) >= 8 && len(begin) <= 8 && m.ID[:len(begin)] == begin {
			out = append(out, fmt.Sprintf("%.8s\t%s %s-%s, %s", m.ID, index.Day(m.Started), m.Account, m.Opponent, points(m.Length)))
		}
		return nil
	})
	return out
}
