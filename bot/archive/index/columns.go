package index

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"time"

	"fibsbot/internal/figure"
)

// column is a column of the table matches. Its SQL type is understood by SQLite and
// PostgreSQL alike.
type column struct {
	name string
	kind string
	// field returns a pointer into the row that can be written and scanned. Where derive
	// is set, it returns a value that is written for queries and never read back.
	field  func(*Match) any
	derive func(*Match) any
	// mirrored is the column's value in the view of the opponent, as SQL. By default it is
	// the column with _me and _opp exchanged.
	mirrored string
	// said is the column's name in the reports of Differs, "" if a file may differ there.
	said string
	// judged: the column is of the analysis.
	judged bool
}

// The kinds of column. A figure is NULL if it is unknown.
const (
	text   = "TEXT NOT NULL"
	whole  = "INTEGER NOT NULL"
	second = "BIGINT NOT NULL" // Unix time, 0 unknown
	maybe  = "DOUBLE PRECISION"
)

// columns are all columns of matches: the table, inserts and reads follow from them.
var columns = []column{
	{name: "id", kind: "TEXT PRIMARY KEY", field: func(m *Match) any { return &m.ID }, said: "identity"},
	{name: "file", kind: text, field: func(m *Match) any { return &m.File }},
	{name: "server", kind: text, field: func(m *Match) any { return &m.Server }, said: "server"},
	{name: "account", kind: text, field: func(m *Match) any { return &m.Account }, mirrored: "opponent", said: "account"},
	{name: "opponent", kind: text, field: func(m *Match) any { return &m.Opponent }, mirrored: "account", said: "opponent"},
	{name: "me", kind: whole, field: func(m *Match) any { return &m.Me }, mirrored: "1 - me"},
	{name: "length", kind: whole, field: func(m *Match) any { return &m.Length }, said: "length"},
	{name: "started", kind: second, field: func(m *Match) any { return (*unixTime)(&m.Started) }, said: "started"},
	{name: "clock", kind: whole, field: func(m *Match) any { return &m.Clock }},
	{name: "finished", kind: second, field: func(m *Match) any { return (*unixTime)(&m.Finished) }, said: "finished"},
	{name: "result", kind: whole, field: func(m *Match) any { return &m.Result }, mirrored: "-result", said: "result"},
	{name: "score_me", kind: whole, field: func(m *Match) any { return &m.Score[0] }, said: "score"},
	{name: "score_opp", kind: whole, field: func(m *Match) any { return &m.Score[1] }, said: "opponent's score"},
	{name: "rating_me", kind: maybe, field: func(m *Match) any { return &m.Rating[0] }, said: "rating"},
	{name: "rating_opp", kind: maybe, field: func(m *Match) any { return &m.Rating[1] }, said: "opponent's rating"},
	{name: "rating_me_after", kind: maybe, field: func(m *Match) any { return &m.RatingAfter[0] }, said: "rating after"},
	{name: "rating_opp_after", kind: maybe, field: func(m *Match) any { return &m.RatingAfter[1] }, said: "opponent's rating after"},
	{name: "preset", kind: text, field: func(m *Match) any { return &m.Preset }, said: "preset"},
	{name: "games", kind: whole, field: func(m *Match) any { return &m.Games }, said: "games"},
	{name: "moves", kind: whole, field: func(m *Match) any { return &m.Moves }, said: "moves"},
	{name: "plies", kind: maybe, field: func(m *Match) any { return &m.Plies }, judged: true, said: "plies"},
	{name: "depth", kind: text, field: func(m *Match) any { return &m.Depth }, judged: true, said: "depth"},
	{name: "judge", kind: text, field: func(m *Match) any { return &m.Judge }, judged: true, said: "judge"},
	{name: "error_me", kind: maybe, field: func(m *Match) any { return &m.Error[0] }, judged: true, said: "error"},
	{name: "error_opp", kind: maybe, field: func(m *Match) any { return &m.Error[1] }, judged: true, said: "opponent's error"},
	{name: "checker_me", kind: maybe, field: func(m *Match) any { return &m.Checker[0] }, judged: true},
	{name: "checker_opp", kind: maybe, field: func(m *Match) any { return &m.Checker[1] }, judged: true},
	{name: "cube_me", kind: maybe, field: func(m *Match) any { return &m.Cube[0] }, judged: true},
	{name: "cube_opp", kind: maybe, field: func(m *Match) any { return &m.Cube[1] }, judged: true},
	{name: "unforced_me", kind: maybe, field: func(m *Match) any { return &m.Unforced[0] }, judged: true},
	{name: "unforced_opp", kind: maybe, field: func(m *Match) any { return &m.Unforced[1] }, judged: true},
	{name: "close_me", kind: maybe, field: func(m *Match) any { return &m.Close[0] }, judged: true},
	{name: "close_opp", kind: maybe, field: func(m *Match) any { return &m.Close[1] }, judged: true},
	{name: "counted_me", kind: maybe, field: func(m *Match) any { return &m.Counted[0] }, judged: true},
	{name: "counted_opp", kind: maybe, field: func(m *Match) any { return &m.Counted[1] }, judged: true},
	{name: "pr_me", kind: maybe, field: func(m *Match) any { return &m.PR[0] }, judged: true},
	{name: "pr_opp", kind: maybe, field: func(m *Match) any { return &m.PR[1] }, judged: true},
	{name: "shallow_me", kind: whole, field: func(m *Match) any { return (*yesNo)(&m.Shallow[0]) }, judged: true},
	{name: "shallow_opp", kind: whole, field: func(m *Match) any { return (*yesNo)(&m.Shallow[1]) }, judged: true},
	{name: "luck_me", kind: maybe, field: func(m *Match) any { return &m.Luck[0] }, judged: true, said: "luck"},
	{name: "luck_opp", kind: maybe, field: func(m *Match) any { return &m.Luck[1] }, judged: true, said: "opponent's luck"},
	{name: "adjusted", kind: maybe, field: func(m *Match) any { return &m.Adjusted }, mirrored: "-adjusted", judged: true},
	{name: "dice", kind: text, field: func(m *Match) any { return &m.Dice }, said: "dice"},
	{name: "splits", kind: text, field: func(m *Match) any { return (*splitList)(&m.Splits) }, judged: true},
	{name: "event", kind: text, field: func(m *Match) any { return &m.Event }, said: "event"},
	{name: "tags", kind: text, field: func(m *Match) any { return (*tagList)(&m.Tags) }, said: "tags"},
	{name: "pruned", kind: whole, field: func(m *Match) any { return (*keptFlags)(m) }},
	{name: "analysed", kind: whole, derive: func(m *Match) any { return oneIf(m.Plies.Known()) }},
	{name: "decisions_me", kind: maybe, derive: func(m *Match) any { return m.Unforced[0] + m.Close[0] }},
	{name: "decisions_opp", kind: maybe, derive: func(m *Match) any { return m.Unforced[1] + m.Close[1] }},
	// The luck-adjusted result and the length of a match; unknown for unlimited play.
	{name: "chance", kind: maybe, derive: func(m *Match) any { return figure.If(m.Length > 0, float64(m.Adjusted)) }, mirrored: "-chance"},
	{name: "chance_length", kind: maybe, derive: func(m *Match) any { return figure.If(m.Length > 0 && m.Adjusted.Known(), float64(m.Length)) }},
	{name: "rolls", kind: text, field: func(m *Match) any { return &m.Rolls }},
	{name: "pair", kind: text, derive: func(m *Match) any { return pairOf(m.Account, m.Opponent) }},
	{name: "same", kind: text, derive: func(m *Match) any { return sameOf(m.ID) }},
}

// columnOf finds a column by its name; an unknown name is a fault of the program.
func columnOf(name string) *column {
	for i := range columns {
		if columns[i].name == name {
			return &columns[i]
		}
	}
	panic("index: no column " + name)
}

// value is what the row has in the column.
func (c *column) value(m *Match) any {
	if c.derive != nil {
		return c.derive(m)
	}
	return c.field(m)
}

// columnNames joins the results of name for each column.
func columnNames(name func(*column) string) string {
	var out []string
	for i := range columns {
		out = append(out, name(&columns[i]))
	}
	return strings.Join(out, ", ")
}

var (
	// allColumns are the names in the order of insert and scan.
	allColumns  = columnNames(func(c *column) string { return c.name })
	definitions = columnNames(func(c *column) string { return c.name + " " + c.kind })
	// allMirrored select the same columns in the view of the opponent.
	allMirrored = columnNames(func(c *column) string {
		if c.mirrored != "" {
			return c.mirrored + " AS " + c.name
		}
		return swapSides(c.name) + " AS " + c.name
	})
	insertMatch = `INSERT INTO matches (` + allColumns + `) VALUES (?` + strings.Repeat(`, ?`, len(columns)-1) + `)`
)

// swapSides exchanges the account and the opponent in the name of a column.
func swapSides(name string) string {
	return strings.NewReplacer("_me", "_opp", "_opp", "_me").Replace(name)
}

// values are the row's values in the order of allColumns.
func (m *Match) values() []any {
	out := make([]any, len(columns))
	for i := range columns {
		out[i] = columns[i].value(m)
	}
	return out
}

type scanner interface{ Scan(...any) error }

func (m *Match) scan(s scanner) error {
	to := make([]any, len(columns))
	for i := range columns {
		if columns[i].derive != nil {
			to[i] = new(any)
			continue
		}
		to[i] = columns[i].field(m)
	}
	if err := s.Scan(to...); err != nil {
		return fmt.Errorf("%w: match %s: %w", ErrRow, m.ID, err)
	}
	return nil
}

// unixTime is a time stored in whole seconds; the zero time is 0.
type unixTime time.Time

// Value implements driver.Valuer.
func (t *unixTime) Value() (driver.Value, error) { return storedTime(time.Time(*t)), nil }

// Scan implements sql.Scanner.
func (t *unixTime) Scan(v any) error {
	sec, ok := v.(int64)
	if !ok {
		return fmt.Errorf("index: a %T where a time belongs", v)
	}
	*t = unixTime(moment(sec))
	return nil
}

func moment(sec int64) time.Time {
	if sec == 0 {
		return time.Time{}
	}
	return time.Unix(sec, 0).UTC()
}

// scanText passes a text column to parse.
func scanText(v any, parse func(string) error) error {
	switch v := v.(type) {
	case string:
		return parse(v)
	case []byte:
		return parse(string(v))
	}
	return fmt.Errorf("index: a %T where text belongs", v)
}

// tagList is stored with a comma around each tag, for which Filter.Tag looks.
type tagList []string

// Value implements driver.Valuer.
func (l *tagList) Value() (driver.Value, error) {
	if len(*l) == 0 {
		return "", nil
	}
	return "," + strings.Join(*l, ",") + ",", nil
}

// Scan implements sql.Scanner.
func (l *tagList) Scan(v any) error {
	return scanText(v, func(s string) error {
		*l = splitTags(strings.Trim(s, ","))
		return nil
	})
}

// splitTags reads the tags of a Meta.
func splitTags(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// keptFlags store Pruned and Kept in one number: 1 and 2.
type keptFlags Match

// Value implements driver.Valuer.
func (m *keptFlags) Value() (driver.Value, error) {
	return int64(oneIf(m.Pruned) + 2*oneIf(m.Kept)), nil
}

// Scan implements sql.Scanner.
func (m *keptFlags) Scan(v any) error {
	n, ok := v.(int64)
	if !ok {
		return fmt.Errorf("index: a %T where a flag belongs", v)
	}
	m.Pruned, m.Kept = n&1 != 0, n&2 != 0
	return nil
}

// yesNo is stored as 1 or 0.
type yesNo bool

// Value implements driver.Valuer.
func (b *yesNo) Value() (driver.Value, error) { return int64(oneIf(bool(*b))), nil }

// Scan implements sql.Scanner.
func (b *yesNo) Scan(v any) error {
	*b = v == int64(1)
	return nil
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}
