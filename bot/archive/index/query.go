package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// columns are all columns of matches in the order of values and scan.
const columns = `id, file, server, account, opponent, me, length, started, finished, result, score_me, score_opp,
	rating_me, rating_opp, rating_me_after, rating_opp_after, preset, games, moves, plies,
	error_me, error_opp, checker_me, checker_opp, cube_me, cube_opp, unforced_me, unforced_opp, close_me, close_opp,
	luck_me, luck_opp, adjusted, analysed, decisions_me, decisions_opp, dice, counted_me, counted_opp, splits, pruned, same`

func (m *Match) values() []any {
	return []any{
		m.ID, m.File, m.Server, m.Account, m.Opponent, m.Me, m.Length, unix(m.Started), unix(m.Finished), m.Result,
		m.Score[0], m.Score[1], m.Rating[0], m.Rating[1], m.RatingAfter[0], m.RatingAfter[1], m.Preset, m.Games, m.Moves, m.Plies,
		m.Error[0], m.Error[1], m.Checker[0], m.Checker[1], m.Cube[0], m.Cube[1], m.Unforced[0], m.Unforced[1], m.Close[0], m.Close[1],
		m.Luck[0], m.Luck[1], m.Adjusted, flag(m.Plies >= 0), m.decisions(0), m.decisions(1), m.Dice.text(), m.Counted[0], m.Counted[1], splitText(m.Splits), flag(m.Pruned) + 2*flag(m.Kept), sameOf(m.ID),
	}
}

// decisions is what an error rate is taken over, 0 without an analysis.
func (m *Match) decisions(side int) int {
	if m.Plies < 0 {
		return 0
	}
	return m.Unforced[side] + m.Close[side]
}

type scanner interface{ Scan(...any) error }

func (m *Match) scan(s scanner) error {
	var started, finished int64
	var analysed, mine, theirs int // derived, for statistics only
	var pruned int
	var dice, split, same string
	err := s.Scan(&m.ID, &m.File, &m.Server, &m.Account, &m.Opponent, &m.Me, &m.Length, &started, &finished, &m.Result,
		&m.Score[0], &m.Score[1], &m.Rating[0], &m.Rating[1], &m.RatingAfter[0], &m.RatingAfter[1], &m.Preset, &m.Games, &m.Moves, &m.Plies,
		&m.Error[0], &m.Error[1], &m.Checker[0], &m.Checker[1], &m.Cube[0], &m.Cube[1], &m.Unforced[0], &m.Unforced[1], &m.Close[0], &m.Close[1],
		&m.Luck[0], &m.Luck[1], &m.Adjusted, &analysed, &mine, &theirs, &dice, &m.Counted[0], &m.Counted[1], &split, &pruned, &same)
	if err != nil {
		return err
	}
	m.Started, m.Finished, m.Pruned = moment(started), moment(finished), pruned == 1
	m.Kept = pruned > 1
	if m.Splits, err = parseSplits(split); err != nil {
		return err
	}
	return m.Dice.parse(dice)
}

// unix is 0 for the zero time, which moment gives back.
func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

func moment(sec int64) time.Time {
	if sec == 0 {
		return time.Time{}
	}
	return time.Unix(sec, 0).UTC()
}

func (d *Dice) text() string {
	var b strings.Builder
	for p := range d {
		for i, n := range d[p] {
			if p+i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.Itoa(n))
		}
	}
	return b.String()
}

func (d *Dice) parse(s string) error {
	f := strings.Fields(s)
	if len(f) != 42 {
		return fmt.Errorf("index: dice column with %d numbers", len(f))
	}
	for i, w := range f {
		n, err := strconv.Atoi(w)
		if err != nil {
			return fmt.Errorf("index: dice column: %w", err)
		}
		d[i/21][i%21] = n
	}
	return nil
}

// Add puts a match into the index, replacing an earlier row of the same match. A copy from
// elsewhere of a match that the bot has filed itself is left out.
func (d *DB) Add(ctx context.Context, m *Match) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("index %s: %w", m.File, err)
	}
	defer tx.Rollback()
	if err := d.add(ctx, tx, m); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("index %s: %w", m.File, err)
	}
	return nil
}

func (d *DB) add(ctx context.Context, tx *sql.Tx, m *Match) error {
	leave, err := d.yield(ctx, tx, m)
	if err == nil && !leave {
		err = d.remove(ctx, tx, m.ID)
	}
	if err != nil || leave {
		return inFile(m, err)
	}
	v := m.values()
	q := `INSERT INTO matches (` + columns + `) VALUES (?` + strings.Repeat(`, ?`, len(v)-1) + `)`
	if _, err := tx.ExecContext(ctx, d.bind(q), v...); err != nil {
		return fmt.Errorf("index %s: %w", m.File, err)
	}
	for _, g := range m.Rows {
		if _, err := tx.ExecContext(ctx, d.bind(`INSERT INTO games (match_id, number, score_me, score_opp, result, points, resigned, crawford)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`), m.ID, g.Number, g.Score[0], g.Score[1], g.Result, g.Points, flag(g.Resigned), flag(g.Crawford)); err != nil {
			return fmt.Errorf("index %s, game %d: %w", m.File, g.Number, err)
		}
	}
	return nil
}

func inFile(m *Match, err error) error {
	if err != nil {
		return fmt.Errorf("index %s: %w", m.File, err)
	}
	return nil
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Filter chooses matches. Zero fields do not restrict.
type Filter struct {
	Account, Opponent string // without regard to case; * stands for anything
	Preset            string
	Server            string // where it was played; without regard to case
	Length            int
	Unlimited         bool // only unlimited matches, Length is ignored then
	From, To          time.Time
	Result            string // won, lost or unfinished
	Limit             int    // newest first; 0 is no limit
}

// ErrFilter is returned for a filter that makes no sense.
var ErrFilter = errors.New("bad filter")

func (f *Filter) where() (string, []any, error) {
	var cond []string
	var args []any
	add := func(c string, a ...any) {
		cond = append(cond, c)
		args = append(args, a...)
	}
	name := func(column, v string) {
		if v == "" {
			return
		}
		like := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`).Replace(strings.ToLower(v))
		add(`lower(`+column+`) LIKE ? ESCAPE '\'`, like)
	}
	name("account", f.Account)
	name("opponent", f.Opponent)
	name("preset", f.Preset)
	if f.Server != "" {
		// Files from elsewhere do not say where they were played.
		add(`(server = '' OR LOWER(server) = ?)`, strings.ToLower(f.Server))
	}
	switch {
	case f.Unlimited:
		add(`length = 0`)
	case f.Length > 0:
		add(`length = ?`, f.Length)
	}
	if !f.From.IsZero() {
		add(`started >= ?`, f.From.Unix())
	}
	if !f.To.IsZero() {
		add(`started < ?`, f.To.Unix())
	}
	switch f.Result {
	case "":
	case "won":
		add(`result = 1`)
	case "lost":
		add(`result = -1`)
	case "unfinished":
		add(`result = 0`)
	default:
		return "", nil, fmt.Errorf("%w: result %q is none of won, lost, unfinished", ErrFilter, f.Result)
	}
	if !f.From.IsZero() && !f.To.IsZero() && !f.From.Before(f.To) {
		return "", nil, fmt.Errorf("%w: the time ends before it begins", ErrFilter)
	}
	if len(cond) == 0 {
		return "", nil, nil
	}
	return ` WHERE ` + strings.Join(cond, ` AND `), args, nil
}

// List calls yield with each match that fits, newest first, until it returns an
// error, which List returns.
func (d *DB) List(ctx context.Context, f Filter, yield func(*Match) error) error {
	where, args, err := f.where()
	if err != nil {
		return err
	}
	q := `SELECT ` + columns + ` FROM matches` + where + ` ORDER BY started DESC, finished DESC, file DESC, id`
	if f.Limit > 0 {
		q += ` LIMIT ` + strconv.Itoa(f.Limit)
	}
	rows, err := d.db.QueryContext(ctx, d.bind(q), args...)
	if err != nil {
		return fmt.Errorf("list matches: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var m Match
		if err := m.scan(rows); err != nil {
			return fmt.Errorf("list matches: %w", err)
		}
		if err := yield(&m); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("list matches: %w", err)
	}
	return nil
}

// ErrNotFound is returned by Show for an identity that the index does not have.
var ErrNotFound = errors.New("no such match in the archive")

// Show returns one match with its games, by the beginning of its identity or a
// part of its file name that no other has.
func (d *DB) Show(ctx context.Context, id string) (*Match, error) {
	if id == "" {
		return nil, ErrNotFound
	}
	like := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(id)
	rows, err := d.db.QueryContext(ctx, d.bind(`SELECT `+columns+` FROM matches WHERE id LIKE ? ESCAPE '\' OR file LIKE ? ESCAPE '\' ORDER BY CASE WHEN id = ? THEN 0 ELSE 1 END, started DESC LIMIT 2`), like+`%`, `%`+like+`%`, id)
	if err != nil {
		return nil, fmt.Errorf("show %s: %w", id, err)
	}
	defer rows.Close()
	var found []*Match
	for rows.Next() {
		m := &Match{}
		if err := m.scan(rows); err != nil {
			return nil, fmt.Errorf("show %s: %w", id, err)
		}
		found = append(found, m)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("show %s: %w", id, err)
	}
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf("%w: %s", ErrNotFound, id)
	case len(found) == 2 && found[0].ID != id:
		return nil, fmt.Errorf("%w: %s fits %s and %s", ErrNotFound, id, found[0].named(), found[1].named())
	}
	m := found[0]
	games, err := d.db.QueryContext(ctx, d.bind(`SELECT number, score_me, score_opp, result, points, resigned, crawford FROM games WHERE match_id = ? ORDER BY number`), m.ID)
	if err != nil {
		return nil, fmt.Errorf("show %s: %w", id, err)
	}
	defer games.Close()
	for games.Next() {
		var g Game
		var resigned, crawford int
		if err := games.Scan(&g.Number, &g.Score[0], &g.Score[1], &g.Result, &g.Points, &resigned, &crawford); err != nil {
			return nil, fmt.Errorf("show %s: %w", id, err)
		}
		g.Resigned, g.Crawford = resigned != 0, crawford != 0
		m.Rows = append(m.Rows, g)
	}
	if err := games.Err(); err != nil {
		return nil, fmt.Errorf("show %s: %w", id, err)
	}
	return m, nil
}

// named is an ID with what tells it from another that begins like it.
func (m *Match) named() string { return m.ID + " (" + m.File + ")" }

// Stats are sums over matches, in the account's view.
type Stats struct {
	Key        string `json:"key"` // opponent, preset, length, account, month or year; empty for the total
	Matches    int    `json:"matches"`
	Won        int    `json:"won"`
	Lost       int    `json:"lost"`
	Unfinished int    `json:"unfinished"`
	PointsFor  int    `json:"points_for"`
	PointsAgn  int    `json:"points_against"`
	Analysed   int    `json:"analysed"`
	// Errors in millipoints a decision over the analysed matches.
	Error         float64 `json:"error_per_decision"`
	OpponentError float64 `json:"opponent_error_per_decision"`
	// PR is the performance rating over the analysed matches, nil without any.
	PR           *float64  `json:"pr"`
	OpponentPR   *float64  `json:"opponent_pr"`
	Luck         float64   `json:"luck"`
	OpponentLuck float64   `json:"opponent_luck"`
	Last         time.Time `json:"last"`
}

// Groups are the ways to sum up that DB.Stats knows, besides "" for the total.
var Groups = []string{"opponent", "preset", "account", "length", "month", "year"}

// groups are the same with their expressions. Month and year are those of the start, in UTC.
var groups = map[string]string{"": `''`, "opponent": "opponent", "preset": "preset", "account": "account", "length": "CAST(length AS TEXT)",
	"month": `strftime('%Y-%m', started, 'unixepoch')`, "year": `strftime('%Y', started, 'unixepoch')`}

// postgresGroups are those that PostgreSQL writes another way.
var postgresGroups = map[string]string{"month": `to_char(to_timestamp(started) AT TIME ZONE 'UTC', 'YYYY-MM')`,
	"year": `to_char(to_timestamp(started) AT TIME ZONE 'UTC', 'YYYY')`}

// Stats sums up the matches that fit, by opponent, preset, account, length, month or
// year, or all together for by "". Most matches first, periods in their order.
func (d *DB) Stats(ctx context.Context, f Filter, by string) ([]Stats, error) {
	column, ok := groups[by]
	if !ok {
		return nil, fmt.Errorf("%w: statistics by %q; there are %s", ErrFilter, by, strings.Join(Groups, ", "))
	}
	if other := postgresGroups[by]; other != "" && d.postgres {
		column = other
	}
	order := "2 DESC, 1"
	if by == "month" || by == "year" {
		order = "1"
	}
	where, args, err := f.where()
	if err != nil {
		return nil, err
	}
	// Errors, decisions and luck are 0 in matches without an analysis. The sums of results,
	// 1, -1 and 0, and of their squares tell those won and lost; they are quicker than CASE.
	old, err := d.uncounted(ctx)
	if err != nil {
		return nil, err
	}
	lost := ""
	if old {
		lost = `, SUM(CASE WHEN counted_me > 0 THEN error_me ELSE 0 END), SUM(CASE WHEN counted_opp > 0 THEN error_opp ELSE 0 END)`
	}
	q := `SELECT ` + column + `, COUNT(*), SUM(result), SUM(result * result), SUM(score_me), SUM(score_opp),
		SUM(analysed), SUM(error_me), SUM(decisions_me), SUM(error_opp), SUM(decisions_opp), SUM(luck_me), SUM(luck_opp), MAX(started),
		SUM(counted_me), SUM(counted_opp)` + lost + `
		FROM matches` + where + ` GROUP BY 1 ORDER BY ` + order
	rows, err := d.db.QueryContext(ctx, d.bind(q), args...)
	if err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	defer rows.Close()
	out := []Stats{}
	for rows.Next() {
		var s Stats
		var last, mine, theirs, balance, decided int64
		var counted [2]int64
		var given [2]float64
		to := []any{&s.Key, &s.Matches, &balance, &decided, &s.PointsFor, &s.PointsAgn, &s.Analysed,
			&s.Error, &mine, &s.OpponentError, &theirs, &s.Luck, &s.OpponentLuck, &last,
			&counted[0], &counted[1]}
		if old {
			to = append(to, &given[0], &given[1])
		}
		if err := rows.Scan(to...); err != nil {
			return nil, fmt.Errorf("statistics: %w", err)
		}
		if !old {
			given = [2]float64{s.Error, s.OpponentError}
		}
		s.Won, s.Lost = int((decided+balance)/2), int((decided-balance)/2)
		s.Unfinished = s.Matches - s.Won - s.Lost
		s.Error *= 1000 / float64(max(1, mine))
		s.OpponentError *= 1000 / float64(max(1, theirs))
		s.PR, s.OpponentPR = performance(given[0], counted[0]), performance(given[1], counted[1])
		s.Last = moment(last)
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	return out, nil
}

// uncounted tells whether there are rows in which nobody has counted the decisions that
// PR is taken over.
func (d *DB) uncounted(ctx context.Context) (found bool, err error) {
	err = d.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM matches WHERE `+uncounted+`)`).Scan(&found)
	if err != nil {
		return false, fmt.Errorf("statistics: %w", err)
	}
	return found, nil
}

// performance is the performance rating of n decisions that lost so much, nil without any.
func performance(lost float64, n int64) *float64 {
	if n == 0 {
		return nil
	}
	pr := 500 * lost / float64(n)
	return &pr
}
