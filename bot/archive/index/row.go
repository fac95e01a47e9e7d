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
	rating_me, rating_opp, rating_me_after, rating_opp_after, preset, games, moves, plies, judge,
	error_me, error_opp, checker_me, checker_opp, cube_me, cube_opp, unforced_me, unforced_opp, close_me, close_opp,
	luck_me, luck_opp, adjusted, analysed, decisions_me, decisions_opp, dice, counted_me, counted_opp, splits, pruned, same`

func (m *Match) values() []any {
	return []any{
		m.ID, m.File, m.Server, m.Account, m.Opponent, m.Me, m.Length, unix(m.Started), unix(m.Finished), m.Result,
		m.Score[0], m.Score[1], m.Rating[0], m.Rating[1], m.RatingAfter[0], m.RatingAfter[1], m.Preset, m.Games, m.Moves, m.Plies, m.Judge,
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
		&m.Score[0], &m.Score[1], &m.Rating[0], &m.Rating[1], &m.RatingAfter[0], &m.RatingAfter[1], &m.Preset, &m.Games, &m.Moves, &m.Plies, &m.Judge,
		&m.Error[0], &m.Error[1], &m.Checker[0], &m.Checker[1], &m.Cube[0], &m.Cube[1], &m.Unforced[0], &m.Unforced[1], &m.Close[0], &m.Close[1],
		&m.Luck[0], &m.Luck[1], &m.Adjusted, &analysed, &mine, &theirs, &dice, &m.Counted[0], &m.Counted[1], &split, &pruned, &same)
	if err != nil {
		return fmt.Errorf("%w: match %s: %w", ErrRow, m.ID, err)
	}
	m.Started, m.Finished, m.Pruned = moment(started), moment(finished), pruned == 1
	m.Kept = pruned > 1
	if m.Splits, err = parseSplits(split); err == nil {
		err = m.Dice.parse(dice)
	}
	if err != nil {
		return fmt.Errorf("%w: match %s: %w", ErrRow, m.ID, err)
	}
	return nil
}

// ErrRow is returned for a row of the index that does not hold what it should.
var ErrRow = errors.New("a row of the index cannot be read (fibsbot archive rebuild makes the index again)")

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
