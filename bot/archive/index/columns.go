package index

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
)

// column is a column of the table matches. Its SQL type is understood by SQLite and
// PostgreSQL alike.
type column struct {
	name string
	kind string
	// field returns a pointer into the row that can be written and scanned. Where derive
	// is set, it returns a value that is written for filters and never read back.
	field  func(*Match) any
	derive func(*Match) any
	// reportedAs is the column's name in the reports of Differs, "" if a file may differ there.
	reportedAs string
	// ofAnalysis: the column is of the analysis.
	ofAnalysis bool
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
	{name: "id", kind: "TEXT PRIMARY KEY", field: func(m *Match) any { return &m.ID }, reportedAs: "identity"},
	{name: "file", kind: text, field: func(m *Match) any { return &m.File }},
	{name: "server", kind: text, field: func(m *Match) any { return &m.Server }, reportedAs: "server"},
	{name: "account", kind: text, field: func(m *Match) any { return &m.Account }, reportedAs: "account"},
	{name: "opponent", kind: text, field: func(m *Match) any { return &m.Opponent }, reportedAs: "opponent"},
	{name: "me", kind: whole, field: func(m *Match) any { return &m.Me }},
	{name: "length", kind: whole, field: func(m *Match) any { return &m.Length }, reportedAs: "length"},
	{name: "started", kind: second, field: func(m *Match) any { return (*unixTime)(&m.Started) }, reportedAs: "started"},
	{name: "clock", kind: whole, field: func(m *Match) any { return &m.Clock }},
	{name: "finished", kind: second, field: func(m *Match) any { return (*unixTime)(&m.Finished) }, reportedAs: "finished"},
	{name: "result", kind: whole, field: func(m *Match) any { return &m.Result }, reportedAs: "result"},
	{name: "score_me", kind: whole, field: func(m *Match) any { return &m.Score[0] }, reportedAs: "score"},
	{name: "score_opp", kind: whole, field: func(m *Match) any { return &m.Score[1] }, reportedAs: "opponent's score"},
	{name: "rating_me", kind: maybe, field: func(m *Match) any { return &m.Rating[0] }, reportedAs: "rating"},
	{name: "rating_opp", kind: maybe, field: func(m *Match) any { return &m.Rating[1] }, reportedAs: "opponent's rating"},
	{name: "rating_me_after", kind: maybe, field: func(m *Match) any { return &m.RatingAfter[0] }, reportedAs: "rating after"},
	{name: "rating_opp_after", kind: maybe, field: func(m *Match) any { return &m.RatingAfter[1] }, reportedAs: "opponent's rating after"},
	{name: "preset", kind: text, field: func(m *Match) any { return &m.Preset }, reportedAs: "preset"},
	{name: "games", kind: whole, field: func(m *Match) any { return &m.Games }, reportedAs: "games"},
	{name: "moves", kind: whole, field: func(m *Match) any { return &m.Moves }, reportedAs: "moves"},
	{name: "plies", kind: maybe, field: func(m *Match) any { return &m.Plies }, ofAnalysis: true, reportedAs: "plies"},
	{name: "depth", kind: text, field: func(m *Match) any { return &m.Depth }, ofAnalysis: true, reportedAs: "depth"},
	{name: "judge", kind: text, field: func(m *Match) any { return &m.Judge }, ofAnalysis: true, reportedAs: "judge"},
	{name: "error_me", kind: maybe, field: func(m *Match) any { return &m.Error[0] }, ofAnalysis: true, reportedAs: "error"},
	{name: "error_opp", kind: maybe, field: func(m *Match) any { return &m.Error[1] }, ofAnalysis: true, reportedAs: "opponent's error"},
	{name: "checker_me", kind: maybe, field: func(m *Match) any { return &m.Checker[0] }, ofAnalysis: true},
	{name: "checker_opp", kind: maybe, field: func(m *Match) any { return &m.Checker[1] }, ofAnalysis: true},
	{name: "cube_me", kind: maybe, field: func(m *Match) any { return &m.Cube[0] }, ofAnalysis: true},
	{name: "cube_opp", kind: maybe, field: func(m *Match) any { return &m.Cube[1] }, ofAnalysis: true},
	{name: "unforced_me", kind: maybe, field: func(m *Match) any { return &m.Unforced[0] }, ofAnalysis: true},
	{name: "unforced_opp", kind: maybe, field: func(m *Match) any { return &m.Unforced[1] }, ofAnalysis: true},
	{name: "close_me", kind: maybe, field: func(m *Match) any { return &m.Close[0] }, ofAnalysis: true},
	{name: "close_opp", kind: maybe, field: func(m *Match) any { return &m.Close[1] }, ofAnalysis: true},
	{name: "counted_me", kind: maybe, field: func(m *Match) any { return &m.Counted[0] }, ofAnalysis: true},
	{name: "counted_opp", kind: maybe, field: func(m *Match) any { return &m.Counted[1] }, ofAnalysis: true},
	{name: "pr_me", kind: maybe, field: func(m *Match) any { return &m.PR[0] }, ofAnalysis: true},
	{name: "pr_opp", kind: maybe, field: func(m *Match) any { return &m.PR[1] }, ofAnalysis: true},
	{name: "shallow_me", kind: whole, field: func(m *Match) any { return (*yesNo)(&m.Shallow[0]) }, ofAnalysis: true},
	{name: "shallow_opp", kind: whole, field: func(m *Match) any { return (*yesNo)(&m.Shallow[1]) }, ofAnalysis: true},
	{name: "luck_me", kind: maybe, field: func(m *Match) any { return &m.Luck[0] }, ofAnalysis: true, reportedAs: "luck"},
	{name: "luck_opp", kind: maybe, field: func(m *Match) any { return &m.Luck[1] }, ofAnalysis: true, reportedAs: "opponent's luck"},
	{name: "luck_plies", kind: maybe, field: func(m *Match) any { return &m.LuckPlies }, ofAnalysis: true, reportedAs: "luck plies"},
	{name: "adjusted", kind: maybe, field: func(m *Match) any { return &m.Adjusted }, ofAnalysis: true},
	{name: "dice", kind: text, field: func(m *Match) any { return &m.Dice }, reportedAs: "dice"},
	{name: "splits", kind: text, field: func(m *Match) any { return (*splitList)(&m.Splits) }, ofAnalysis: true},
	{name: "event", kind: text, field: func(m *Match) any { return &m.Event }, reportedAs: "event"},
	{name: "tags", kind: text, field: func(m *Match) any { return (*tagList)(&m.Tags) }, reportedAs: "tags"},
	{name: "pruned", kind: whole, field: func(m *Match) any { return (*keptFlags)(m) }},
	{name: "rolls", kind: text, field: func(m *Match) any { return &m.Rolls }},
	{name: "game_list", kind: text, field: func(m *Match) any { return (*gameList)(&m.Rows) }},
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

// stored is what the table has in the column for a row: text, an int64, a float64, or nil for
// an unknown figure.
func (c *column) stored(m *Match) any {
	if c.derive != nil {
		return c.derive(m)
	}
	switch v := c.field(m).(type) {
	case *string:
		return *v
	case *int:
		return int64(*v)
	case driver.Valuer:
		out, err := v.Value()
		if err != nil {
			panic(err) // no value of a row fails
		}
		return out
	}
	panic("index: the column " + c.name + " has a field of another kind")
}

// columnNames lists the columns for which use is true.
func columnNames(use func(*column) bool) (out []string) {
	for i := range columns {
		if use(&columns[i]) {
			out = append(out, columns[i].name)
		}
	}
	return out
}

var (
	// listed are the columns of a list, which lacks the games; shown are those of one match.
	listed = columnNames(func(c *column) bool { return c.derive == nil && c.name != "game_list" })
	shown  = columnNames(func(c *column) bool { return c.derive == nil })
)

// swapSides exchanges the account and the opponent in the name of a column.
func swapSides(name string) string {
	return strings.NewReplacer("_me", "_opp", "_opp", "_me").Replace(name)
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

// gameList is stored as JSON.
type gameList []Game

// Value implements driver.Valuer.
func (l *gameList) Value() (driver.Value, error) {
	text, err := json.Marshal([]Game(*l))
	return string(text), err
}

// Scan implements sql.Scanner.
func (l *gameList) Scan(v any) error {
	return scanText(v, func(s string) error { return json.Unmarshal([]byte(s), (*[]Game)(l)) })
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

// tolerance is the allowed difference between sums of errors and luck: a file holds each
// decision with six digits, a bot indexes full precision.
const tolerance = 1e-3

// Differs describes the first difference between the row of a match and the one made from its
// file, or returns "". It ignores the analysis that a row has kept from before its file was
// pruned.
func (m *Match) Differs(file *Match) string {
	for i := range columns {
		c := &columns[i]
		if c.reportedAs == "" || m.Kept && c.ofAnalysis {
			continue
		}
		if have, want := c.stored(m), c.stored(file); !alike(have, want) {
			return fmt.Sprintf("%s %s, in the file %s", c.reportedAs, spelt(have), spelt(want))
		}
	}
	return ""
}

// alike reports whether two stored values of a column agree.
func alike(have, want any) bool {
	h, ok := have.(float64)
	w, both := want.(float64)
	return have == want || ok && both && math.Abs(h-w) <= tolerance*max(1, math.Abs(w))
}

// spelt writes a stored value for people.
func spelt(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case float64:
		return fmt.Sprintf("%.4f", v)
	}
	return fmt.Sprint(v)
}
