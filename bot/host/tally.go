package host

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
)

// tally counts on one day what no match file has.
type tally struct {
	Day      string                 `json:"day"` // in UTC, as the archive's statistics
	Accepted int                    `json:"accepted,omitempty"`
	Refused  map[string]int         `json:"refused,omitempty"` // invitations, by the key of bot.yaml
	Lost     map[protocol.Cause]int `json:"lost,omitempty"`    // connections
}

// tally edits the tally of the day and forgets those older than ops.RecordDays.
func (m *memory) tally(now time.Time, edit func(*tally)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	day, list := now.UTC().Format(time.DateOnly), &m.content.Days
	if n := len(*list); n == 0 || (*list)[n-1].Day != day {
		*list = append(slices.Clone(*list), tally{Day: day})
		*list = (*list)[max(0, len(*list)-ops.RecordDays):]
	}
	t := &(*list)[len(*list)-1]
	if t.Refused == nil {
		t.Refused, t.Lost = map[string]int{}, map[protocol.Cause]int{}
	}
	edit(t)
	m.dirty = true
}

// answered counts an invitation.
func (m *memory) answered(rule string, accepted bool, now time.Time) {
	m.tally(now, func(t *tally) {
		if accepted {
			t.Accepted++
		} else {
			t.Refused[rule]++
		}
	})
}

// disconnected counts a lost connection.
func (m *memory) disconnected(cause protocol.Cause, now time.Time) {
	m.tally(now, func(t *tally) { t.Lost[cause]++ })
}

// firstDay is the first of the last ops.RecordDays.
func firstDay(now time.Time) time.Time {
	return now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-ops.RecordDays)
}

// addTo adds up the tallies of the last ops.RecordDays.
func (m *memory) addTo(r *ops.Record, now time.Time) {
	refused, lost, first := map[string]int{}, map[string]int{}, firstDay(now).Format(time.DateOnly)
	m.mu.Lock()
	for _, t := range m.content.Days {
		if t.Day < first {
			continue
		}
		r.Accepted += t.Accepted
		for rule, n := range t.Refused {
			refused[rule] += n
		}
		for cause, n := range t.Lost {
			lost[string(cause)] += n
		}
	}
	m.mu.Unlock()
	r.Refused, r.Lost = counts(refused), counts(lost)
}

// counts lists the highest number first.
func counts(of map[string]int) []ops.Count {
	list := []ops.Count{}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		list = append(list, ops.Count{Name: name, N: of[name]})
	}
	slices.SortStableFunc(list, func(a, b ops.Count) int { return cmp.Compare(b.N, a.N) })
	return list
}

// maxOpponents is how many opponents a record has.
const maxOpponents = 20

// tallies are statistics of the archive.
func tallies(ctx context.Context, d *index.DB, f index.Filter, by string) ([]ops.Tally, error) {
	stats, err := d.Stats(ctx, f, by)
	list := []ops.Tally{}
	for i := range stats {
		s := &stats[i]
		n := func(name string) int { return int(s.Get(name).Or(0)) }
		list = append(list, ops.Tally{Name: s.Key, Matches: n("matches"), Won: n("won"), Lost: n("lost"), Unfinished: n("unfinished"),
			WinRate: s.Get("win_rate"), Interval: s.Interval("win_rate")})
	}
	return list, err
}

// recordOf is what the archive knows about an account.
func recordOf(ctx context.Context, d *index.DB, account, server string, now time.Time) (*ops.Record, error) {
	f := index.Filter{Account: account, Server: server}
	all, err := tallies(ctx, d, f, "")
	if err != nil {
		return nil, err
	}
	r := &ops.Record{}
	if len(all) > 0 {
		r.All = all[0]
	}
	if r.Opponents, err = tallies(ctx, d, f, "opponent"); err != nil {
		return nil, err
	}
	r.Opponents = r.Opponents[:min(len(r.Opponents), maxOpponents)]
	f.From = firstDay(now)
	r.Daily, err = tallies(ctx, d, f, "day")
	return r, err
}
