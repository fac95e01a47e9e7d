package review

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/diagram"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// Query chooses decisions; zero fields do not restrict.
type Query struct {
	Min, Max float64 // loss in EMG
	Kind     string  // checker, cube, or a category of cube errors such as "wrong take"
	Phase    string
	Plan     string
	// Verdict is the proper cube action in words, see Verdicts; "double" also finds redoubles.
	Verdict string
	// All includes the decisions that lost nothing.
	All    bool
	Player string      // me, opponent, or a name
	Me     owner.Names // the names of me; empty: the account of each match
	// Position is a pattern with * and ? for the Position ID or the 26 letters of the board
	// in the XGID.
	Position string
	Limit    int
}

// Kinds are the values that Query.Kind takes.
var Kinds = []string{"checker", "cube", "missed double", "missed cash", "wrong double", "doubled too good", "wrong take", "wrong pass"}

// Verdicts are the values that Query.Verdict takes, in any case.
var Verdicts = []string{"No double, take", "Double, take", "Double, pass", "No redouble, take", "Redouble, take", "Redouble, pass",
	"Too good, take", "Too good, pass", "No double, beaver", "Double, beaver", "Optional double, take", "Optional double, pass"}

// doubles names a redouble as the double that it is.
var doubles = strings.NewReplacer("redouble", "double")

// ErrQuery means that a query is invalid.
var ErrQuery = errors.New("invalid query")

// queryError is an invalid field of a query, by the name of its flag.
type queryError struct{ field, problem string }

// Error implements error.
func (e *queryError) Error() string { return e.field + ": " + e.problem }

// Unwrap returns ErrQuery.
func (e *queryError) Unwrap() error { return ErrQuery }

func badField(field, problem string, args ...any) error {
	return &queryError{field, fmt.Sprintf(problem, args...)}
}

func (q *Query) check() error {
	names := func(n int, name func(int) string) (out []string) {
		for i := range n {
			out = append(out, name(i))
		}
		return out
	}
	for _, c := range []struct {
		what, value string
		known       []string
	}{
		{"kind", q.Kind, Kinds},
		{"phase", q.Phase, names(analyse.Phases, func(i int) string { return analyse.Phase(i).String() })},
		{"plan", q.Plan, names(analyse.Plans, func(i int) string { return analyse.Plan(i).String() })},
	} {
		if c.value != "" && !slices.Contains(c.known, c.value) {
			return badField(c.what, "unknown value %.40q (use %s)", c.value, strings.Join(c.known, ", "))
		}
	}
	if q.Verdict != "" && !slices.ContainsFunc(Verdicts, func(v string) bool { return strings.EqualFold(v, q.Verdict) }) {
		return badField("verdict", "unknown value %.40q (use %s)", q.Verdict, strings.Join(Verdicts, "; "))
	}
	if _, err := path.Match(q.Position, ""); err != nil {
		return badField("position", "invalid pattern %.80q", q.Position)
	}
	switch {
	case q.Min < 0:
		return badField("min-loss", "must not be negative")
	case q.Max < 0 || q.Max > 0 && q.Max < q.Min:
		return badField("max-loss", "must not be below --min-loss %v", q.Min)
	case q.Limit < 0:
		return badField("limit", "must not be negative")
	}
	return nil
}

// Found is a decision of an archived match.
type Found struct {
	Match   string    `json:"match"` // identity
	File    string    `json:"file"`
	Started time.Time `json:"started,omitzero"`
	Name    string    `json:"name"`    // the player who decided
	Against string    `json:"against"` // the opponent
	Length  int       `json:"length"`
	Game    int       `json:"game"` // from 1
	report.Row

	drawn diagram.Diagram
}

// smallest is the least loss of an error.
const smallest = 1e-4

// Decisions yields the decisions of the analysed matches that fit f and q, newest match first:
// errors, unless q.All is set. It ends with the error of yield, which it returns. bad, which may be
// nil, is called for each unreadable file.
func Decisions(ctx context.Context, db *index.DB, f index.Filter, q Query, yield func(*Found) error, bad func(error)) error {
	if err := q.check(); err != nil {
		return err
	}
	var rows []*index.Match
	if err := db.List(ctx, f, func(m *index.Match) error {
		if m.Plies.Known() && !m.Pruned {
			rows = append(rows, m)
		}
		return nil
	}); err != nil {
		return err
	}
	n := 0
	for _, row := range rows {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e, err := db.Edit(row)
		if err != nil {
			if bad != nil {
				bad(err)
			}
			continue
		}
		m := e.Match
		s := analyse.Summarise(m, nil, analyse.DefaultLimits)
		for i := range m.Games {
			list := report.Rows(m, s, i, nil)
			for k := range list {
				d := &list[k]
				if !q.fits(d, row.Me, m.Players[d.Player].Name) {
					continue
				}
				if err := yield(foundIn(row, m, i, d)); err != nil {
					return err
				}
				if n++; q.Limit > 0 && n >= q.Limit {
					return nil
				}
			}
		}
	}
	return nil
}

// foundIn is decision d of game i of a row's match.
func foundIn(row *index.Match, m *record.Match, i int, d *report.Row) *Found {
	return &Found{Match: row.ID, File: row.File, Started: row.Started, Name: m.Players[d.Player].Name, Against: m.Players[1-d.Player].Name,
		Length: m.Length, Game: i + 1, Row: *d, drawn: d.Diagram(m, d.Player, nil)}
}

// by reports whether the player that q asks for made a decision; account reports whether he is the
// account.
func (q *Query) by(account bool, name string) bool {
	mine := account
	if len(q.Me) > 0 {
		mine = q.Me.Has(name)
	}
	switch q.Player {
	case "":
		return true
	case "me":
		return mine
	case "opponent":
		return !mine
	}
	return strings.EqualFold(name, q.Player)
}

// of reports whether a decision is of the kind that q asks for.
func (q *Query) of(d *report.Row) bool {
	switch q.Kind {
	case "", d.Fault:
		return true
	case "checker":
		return d.Kind == "checker"
	case "cube":
		return d.Kind != "checker"
	}
	return false
}

// proper reports whether the proper action of a cube decision is Verdict.
func (q *Query) proper(c *report.CubeChoice) bool {
	if c == nil {
		return false
	}
	words := strings.ToLower(c.Words())
	return words == strings.ToLower(q.Verdict) || doubles.Replace(words) == strings.ToLower(q.Verdict)
}

func (q *Query) fits(d *report.Row, me int, name string) bool {
	least := max(q.Min, smallest)
	if q.All {
		least = q.Min
	}
	if d.Error == nil || d.Loss() < least || q.Max > 0 && d.Loss() > q.Max || !q.of(d) || !q.by(d.Player == me, name) {
		return false
	}
	if q.Phase != "" && d.Phase != q.Phase || q.Plan != "" && d.Plan != q.Plan {
		return false
	}
	if q.Verdict != "" && !q.proper(d.Cube) {
		return false
	}
	if q.Position == "" {
		return true
	}
	// path.Match treats the slashes of Position IDs specially.
	plain := strings.NewReplacer("/", "_").Replace
	board, _, _ := strings.Cut(strings.TrimPrefix(d.XGID, "XGID="), ":")
	return slices.ContainsFunc([]string{plain(d.PositionID), board}, func(text string) bool {
		ok, _ := path.Match(plain(q.Position), text)
		return ok
	})
}

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
