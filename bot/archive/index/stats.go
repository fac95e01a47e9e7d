package index

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

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
	// Errors in millipoints a decision over the analysed matches, null without any, as are
	// the performance ratings and the luck.
	Error         Figure    `json:"error_per_decision"`
	OpponentError Figure    `json:"opponent_error_per_decision"`
	PR            Figure    `json:"pr"`
	OpponentPR    Figure    `json:"opponent_pr"`
	Luck          Figure    `json:"luck"`
	OpponentLuck  Figure    `json:"opponent_luck"`
	Last          time.Time `json:"last"`
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
		return nil, fmt.Errorf("%w: statistics by %q; there are %s", ErrFilter, by, strings.Join(slices.Concat(Groups, SplitBy), ", "))
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
	// What was not measured is NULL, which sums leave out. The sums of results,
	// 1, -1 and 0, and of their squares tell those won and lost; they are quicker than CASE.
	// A constant to group by would have all matches sorted by it first.
	group := ` GROUP BY 1`
	if by == "" {
		group = ` HAVING COUNT(*) > 0`
	}
	q := `SELECT ` + column + `, COUNT(*), SUM(result), SUM(result * result), SUM(score_me), SUM(score_opp),
		SUM(analysed), SUM(error_me), SUM(decisions_me), SUM(error_opp), SUM(decisions_opp), SUM(luck_me), SUM(luck_opp), MAX(started),
		SUM(counted_me), SUM(counted_opp)
		FROM matches` + where + group + ` ORDER BY ` + order
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
		to := []any{&s.Key, &s.Matches, &balance, &decided, &s.PointsFor, &s.PointsAgn, &s.Analysed,
			&s.Error, &mine, &s.OpponentError, &theirs, &s.Luck, &s.OpponentLuck, &last,
			&counted[0], &counted[1]}
		if err := rows.Scan(to...); err != nil {
			return nil, fmt.Errorf("statistics: %w: %w", ErrRow, err)
		}
		s.Won, s.Lost = int((decided+balance)/2), int((decided-balance)/2)
		s.Unfinished = s.Matches - s.Won - s.Lost
		s.PR, s.OpponentPR = per(s.Error, counted[0])/2, per(s.OpponentError, counted[1])/2
		s.Error, s.OpponentError = per(s.Error, mine), per(s.OpponentError, theirs)
		s.Last = moment(last)
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	return out, nil
}
