package tournament

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"fibsbot/engine/duel"
	"fibsbot/internal/jsonlines"
)

// MostPlayers bounds a field.
const MostPlayers = 64

// Header is the first line of a log: all that decides what a pair's result is.
type Header struct {
	Version   int      `json:"fibsbot_tournament"` // logVersion
	Players   []Player `json:"players"`
	Gauntlet  bool     `json:"gauntlet"`
	Length    int      `json:"length"`
	Cubeless  bool     `json:"cubeless"`
	Jacoby    bool     `json:"jacoby"`
	Seed      uint64   `json:"seed"`
	Judge     Player   `json:"judge"` // without a name: no judge
	Nets      string   `json:"nets"`
	Signature string   `json:"signature"` // of the engine's play, as in bench
	Table     string   `json:"table"`     // as engine.TableName says it
}

// Player takes part.
type Player struct {
	Name     string `json:"name"`
	Plays    string `json:"plays"`              // what plays: a preset, a program
	Settings string `json:"settings,omitempty"` // fingerprint of a preset; empty for other programs
}

const logVersion = 1

// ErrLog is wrapped by errors about a file that is not the log of this tournament.
var ErrLog = errors.New("no log of this tournament")

// Meeting is who plays against whom: numbers of players.
type Meeting struct{ A, B int }

// Meetings lists them: each player against each other, or the first against all others.
func (h *Header) Meetings() (out []Meeting) {
	for a := range h.Players {
		if h.Gauntlet && a > 0 {
			break
		}
		for b := a + 1; b < len(h.Players); b++ {
			out = append(out, Meeting{a, b})
		}
	}
	return out
}

// Tournament is one in progress.
type Tournament struct {
	Header Header
	Pairs  int        // of each meeting
	Test   *duel.Test // ends meetings that have shown a difference; may be nil
	// Run returns the duel of meeting k: all but Pairs, Earlier and Keep. Its seed must be SeedOf(k).
	Run func(k int) (duel.Run, error)
	// Duel plays a run of meeting k; nil plays it in this process.
	Duel func(ctx context.Context, k int, run *duel.Run) error
	// Turn is how many pairs a meeting plays at a time.
	Turn int
	// Progress, when not nil, is called after each pair.
	Progress func()

	meetings []Meeting
	played   [][]duel.Pair // of each meeting, from its first pair on
	tests    []duel.Sequence
	log      *jsonlines.File
}

// SeedOf is the seed of meeting k.
func (h *Header) SeedOf(k int) uint64 { return h.Seed + uint64(k) }

// line is a pair as it is written.
type line struct {
	Meeting int `json:"meeting"`
	Number  int `json:"pair"`
	duel.Pair
}

// Open prepares the tournament and continues its log at path, which is made if it is not
// there; without a path nothing is kept. Errors about the file wrap ErrLog, or
// lockfile.ErrLocked where another program writes to it.
func (t *Tournament) Open(path string) error {
	t.Header.Version = logVersion
	t.meetings = t.Header.Meetings()
	t.played, t.tests = make([][]duel.Pair, len(t.meetings)), make([]duel.Sequence, len(t.meetings))
	if path == "" {
		return nil
	}
	var had Header
	log, err := jsonlines.Open(path, ErrLog, func(n int, text []byte) error {
		if n == 1 {
			if err := jsonlines.Decode(text, &had); err != nil || had.Version != logVersion {
				return ErrLog
			}
			return t.Header.same(&had)
		}
		var l line
		if err := jsonlines.Decode(text, &l); err != nil {
			return fmt.Errorf("%w: %w", ErrLog, err)
		}
		if l.Meeting < 0 || l.Meeting >= len(t.meetings) || l.Pair.Games < 2 || l.Number != len(t.played[l.Meeting]) {
			return fmt.Errorf("%w: pair %d of meeting %d is out of place", ErrLog, l.Number, l.Meeting)
		}
		t.take(l.Meeting, l.Pair)
		return nil
	}, func() error { return nil })
	if err != nil {
		return err
	}
	if t.log = log; had.Version == 0 {
		if err := log.Append(&t.Header); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// same reports in which field had is another tournament.
func (h *Header) same(had *Header) error {
	is, was := reflect.ValueOf(h).Elem(), reflect.ValueOf(had).Elem()
	for i := range is.NumField() {
		if a, b := was.Field(i).Interface(), is.Field(i).Interface(); !reflect.DeepEqual(a, b) {
			return fmt.Errorf("%w: %s is %v there, %v here (use another --log)", ErrLog, is.Type().Field(i).Tag.Get("json"), a, b)
		}
	}
	return nil
}

// Close ends the log.
func (t *Tournament) Close() error {
	if t.log == nil {
		return nil
	}
	return t.log.Close()
}

// take adds the next pair of a meeting.
func (t *Tournament) take(k int, p duel.Pair) {
	t.played[k] = append(t.played[k], p)
	if t.Test != nil {
		t.tests[k].Test = *t.Test
		t.tests[k].Add(&p, t.Header.Judge.Name != "")
	}
}

// over reports whether meeting k needs no more pairs.
func (t *Tournament) over(k int) bool {
	return len(t.played[k]) >= t.Pairs || t.Test != nil && t.tests[k].Verdict() != ""
}

// Play plays what is missing.
func (t *Tournament) Play(ctx context.Context) error {
	for to := max(1, t.Turn); ; to += max(1, t.Turn) {
		open := false
		for k := range t.meetings {
			if !t.over(k) && len(t.played[k]) < to {
				if err := t.advance(ctx, k, min(to, t.Pairs)); err != nil {
					return fmt.Errorf("%s v %s: %w", t.Header.Players[t.meetings[k].A].Name, t.Header.Players[t.meetings[k].B].Name, err)
				}
			}
			open = open || !t.over(k)
		}
		if !open {
			return nil
		}
	}
}

// advance plays meeting k until it has so many pairs.
func (t *Tournament) advance(ctx context.Context, k, pairs int) error {
	run, err := t.Run(k)
	if err != nil {
		return err
	}
	run.Pairs, run.Earlier = pairs, map[int]duel.Pair{}
	for i, p := range t.played[k] {
		run.Earlier[i] = p
	}
	run.Keep = func(pair int, p duel.Pair) error {
		if t.log != nil {
			if err := t.log.Append(line{k, pair, p}); err != nil {
				return fmt.Errorf("log of the tournament: %w", err)
			}
		}
		if t.take(k, p); t.Progress != nil {
			t.Progress()
		}
		if t.over(k) {
			return duel.ErrEnough
		}
		return nil
	}
	if t.Duel != nil {
		return t.Duel(ctx, k, &run)
	}
	_, _, err = run.Play(ctx)
	return err
}
