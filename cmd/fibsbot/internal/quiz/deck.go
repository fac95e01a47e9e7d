package quiz

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/internal/atomicfile"
)

// Kind is the decision that a question asks for.
type Kind string

// The kinds: a play of the dice, to double or roll, to take or drop.
const (
	Play   Kind = "play"
	Double Kind = "double"
	Take   Kind = "take"
)

// Question is a decision that a player got wrong, or one of a collection or a ready set.
type Question struct {
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	// Situation is that of the player to move, or of the doubler.
	Situation match.Situation `json:"-"`
	// Rules of the game.
	Rules board.Rules `json:"-"`
	// From is errors, a collection as "collection:NAME", or a set as "set:NAME".
	From string `json:"source"`
	// Name is what the user or the set calls the position.
	Name string `json:"name,omitempty"`
	// Phase and Plan are the words of analyse.Phase and analyse.Plan.
	Phase string `json:"phase"`
	Plan  string `json:"plan"`
	// Known are the values of the choices of a set, or of the analysis in the match.
	Known *Known `json:"-"`
	// Player got it wrong, against Opponent, in match Match on Date; empty for other sources.
	Player string `json:"player"`
	// Mine reports whether Player is the account of the match.
	Mine     bool   `json:"mine"`
	Opponent string `json:"opponent"`
	Match    string `json:"match"`
	Date     string `json:"date"`
	// Loss in EMG by the analysis in the archive.
	Loss float64 `json:"loss"`
}

// Card is the record of one question.
type Card struct {
	Box   int       `json:"box"` // correct answers in a row, at most the number of waits
	Due   time.Time `json:"due"`
	Asked int       `json:"asked"`
	Right int       `json:"right"`
}

// waits is the pause before a question returns, by the correct answers in a row.
var waits = [...]time.Duration{10 * time.Minute, 24 * time.Hour, 3 * 24 * time.Hour, 8 * 24 * time.Hour, 21 * 24 * time.Hour, 60 * 24 * time.Hour}

// Bounds of a deck.
const (
	// MinLoss is the least loss of an error that is asked unless a filter says otherwise: a bad
	// play by the usual limits. LeastLoss is that of the errors that are read: a doubtful one.
	MinLoss    = 0.08
	LeastLoss  = 0.02
	maxMatches = 300 // the newest analysed ones
	maxFile    = 8 << 20
)

// Errors of a Deck.
var (
	ErrUnknown = errors.New("no such question")
	ErrFile    = errors.New("damaged quiz record")
)

// Deck holds the questions of an archive and the record of answers. It is safe for
// concurrent use in one process.
type Deck struct {
	db   *index.DB
	file string
	now  func() time.Time

	reading sync.Mutex // one refresh at a time, so each match is read once
	writing sync.Mutex // one answer at a time, so the file keeps their order

	mu    sync.Mutex        // not held during disk access
	seen  map[string]string // by match, the state in which it was read
	byID  map[string]Question
	cards map[string]Card
	days  map[string]Day
	row   int                  // correct answers in a row
	later map[string]time.Time // skipped questions come last until then

	// Collections are further sources of questions; nil for none.
	Collections *collection.Store
}

// Of opens the deck of an archive, with its collections. The error is that of Open.
func Of(db *index.DB) (*Deck, error) {
	d, err := Open(db, filepath.Join(db.Dir(), "quiz.json"), nil)
	if err == nil {
		d.Collections = collection.In(db.Dir())
	}
	return d, err
}

// Open reads the record in file, which may not exist yet. now is the clock, nil for
// time.Now. The error wraps ErrFile for a damaged file, which stays unchanged.
func Open(db *index.DB, file string, now func() time.Time) (*Deck, error) {
	if now == nil {
		now = time.Now
	}
	d := &Deck{db: db, file: file, now: now, seen: map[string]string{}, byID: map[string]Question{}, cards: map[string]Card{}, days: map[string]Day{}, later: map[string]time.Time{}}
	if err := collection.ReadFile(d.daysFile(), maxFile, ErrFile, &d.days); err != nil {
		return nil, err
	}
	if err := collection.ReadFile(file, maxFile, ErrFile, &d.cards); err != nil {
		return nil, err
	}
	if d.cards == nil {
		d.cards = map[string]Card{}
	}
	if d.days == nil {
		d.days = map[string]Day{}
	}
	for id, c := range d.cards {
		c.Box = min(max(c.Box, 0), len(waits)-1)
		d.cards[id] = c
	}
	return d, nil
}

// Tally counts the questions that fit a filter, and their answers.
type Tally struct {
	Questions int `json:"questions"`
	Due       int `json:"due"`
	Asked     int `json:"asked"`
	Right     int `json:"right"`
	// Boxes are the questions by their correct answers in a row, those never asked in New.
	New   int             `json:"new"`
	Boxes [len(waits)]int `json:"boxes"`
}

// Next returns the question to ask now: the one overdue longest of those answered before,
// else the costliest that was never asked; skipped ones come last. q is nil if no question
// that fits f is due. The error wraps ErrFilter if f is invalid.
func (d *Deck) Next(ctx context.Context, f Filter) (q *Question, t Tally, err error) {
	all, err := d.Pool(ctx, f)
	if err != nil {
		return nil, t, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	var due []Question
	for _, x := range all {
		c := d.cards[x.ID]
		t.Questions++
		t.Asked += c.Asked
		t.Right += c.Right
		if c.Asked == 0 {
			t.New++
		} else {
			t.Boxes[c.Box]++
		}
		if !c.Due.After(now) {
			due = append(due, x)
		}
	}
	t.Due = len(due)
	if len(due) == 0 {
		return nil, t, nil
	}
	best := slices.MinFunc(due, func(x, y Question) int {
		a, b := d.cards[x.ID], d.cards[y.ID]
		x1, y1 := d.later[x.ID], d.later[y.ID]
		switch {
		case x1.After(now) != y1.After(now):
			return x1.Compare(y1)
		case x1.After(now) && !x1.Equal(y1):
			return x1.Compare(y1)
		case (a.Asked > 0) != (b.Asked > 0):
			return cmp.Compare(b.Asked, a.Asked)
		case a.Asked > 0 && !a.Due.Equal(b.Due):
			return a.Due.Compare(b.Due)
		case x.Loss != y.Loss:
			return cmp.Compare(y.Loss, x.Loss)
		}
		return strings.Compare(x.ID, y.ID)
	})
	return &best, t, nil
}

// skipFor is how long a skipped question comes last.
const skipFor = 30 * time.Minute

// Skip lets a question come last for a while; the error wraps ErrUnknown.
func (d *Deck) Skip(ctx context.Context, id string) error {
	if _, err := d.Find(ctx, id); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.later[id] = d.now().Add(skipFor)
	return nil
}

// Find returns a question by its ID; the error wraps ErrUnknown.
func (d *Deck) Find(ctx context.Context, id string) (Question, error) {
	if err := d.refresh(ctx); err != nil {
		return Question{}, err
	}
	d.mu.Lock()
	q, ok := d.byID[id]
	d.mu.Unlock()
	if ok {
		return q, nil
	}
	if q, ok = setByID()[id]; ok {
		return q, nil
	}
	list, err := d.collected("")
	if err != nil {
		return q, err
	}
	if i := slices.IndexFunc(list, func(q Question) bool { return q.ID == id }); i >= 0 {
		return list[i], nil
	}
	return q, fmt.Errorf("%w: %.40q", ErrUnknown, id)
}

// Answered records an answer and returns when the question returns.
func (d *Deck) Answered(id string, right bool) (Card, error) {
	d.writing.Lock()
	defer d.writing.Unlock()
	d.mu.Lock()
	before, had := d.cards[id]
	c := before
	c.Asked++
	if right {
		c.Right++
		c.Box = min(c.Box+1, len(waits)-1)
	} else {
		c.Box = 0
	}
	c.Due = d.now().Add(waits[c.Box]).UTC().Truncate(time.Second)
	d.cards[id] = c
	delete(d.later, id)
	data, err := json.Marshal(d.cards)
	d.mu.Unlock()
	if err == nil {
		err = atomicfile.WriteBytes(d.file, 0o600, data)
	}
	if err != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.cards, id)
		if had {
			d.cards[id] = before
		}
		return before, fmt.Errorf("quiz: %w", err)
	}
	return c, d.count(right)
}

// refresh reads the analysed matches that were not read yet.
func (d *Deck) refresh(ctx context.Context) error {
	var rows []index.Match
	err := d.db.List(ctx, index.Filter{Limit: maxMatches}, func(m *index.Match) error {
		if m.Plies.Known() && !m.Pruned {
			rows = append(rows, *m)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("quiz: %w", err)
	}
	d.reading.Lock()
	defer d.reading.Unlock()
	for _, row := range rows {
		// Another analysis finds other errors; whose they are may be said later.
		state := fmt.Sprintf("%v %v %s %v %v", row.Plies, row.Error, row.Judge, row.Started, row.Me)
		d.mu.Lock()
		had := d.seen[row.ID]
		d.mu.Unlock()
		if had == state {
			continue
		}
		e, err := d.db.Edit(&row)
		if err != nil {
			continue // the index may be older than the folder, or the file be changing: it is read next time
		}
		list := Questions(e.Match, row.ID, index.DayAlone(row.Started), row.Me)
		d.mu.Lock()
		d.seen[row.ID] = state
		maps.DeleteFunc(d.byID, func(_ string, q Question) bool { return q.Match == row.ID })
		for _, q := range list {
			d.byID[q.ID] = q
		}
		d.mu.Unlock()
	}
	return nil
}

// newQuestion names a question by its kind, situation and rules: however often it comes up,
// it is one question.
func newQuestion(from string, kind Kind, s match.Situation, rules board.Rules) Question {
	text := string(kind) + " " + s.String()
	if rules != (board.Rules{}) {
		text += fmt.Sprintf(" %v", rules) // the same checkers in another game are another question
	}
	key := sha256.Sum256([]byte(text))
	return Question{ID: hex.EncodeToString(key[:8]), From: from, Kind: kind, Situation: s, Rules: rules}
}

// Questions lists the errors of a match of LeastLoss or more, with the loss and the values of
// the analysis in it, as the review of the match shows them (report.Row). date is the day of the
// match, empty if unknown, me the number of the account.
func Questions(m *record.Match, id, date string, me int) (out []Question) {
	sum := analyse.Summarise(m, nil, analyse.DefaultLimits)
	for i := range m.Games {
		for _, row := range report.Rows(m, sum, i, nil) {
			if row.Loss() < LeastLoss {
				continue
			}
			kind, s, ok := asks(&row)
			if !ok {
				continue
			}
			q := newQuestion(FromErrors, kind, s, m.Rules.Board())
			q.Known = analysed(&row, &q)
			q.Loss, q.Match, q.Date, q.Phase, q.Plan = row.Loss(), id, date, row.Phase, row.Plan
			q.Player, q.Opponent, q.Mine = m.Players[row.Player].Name, m.Players[1-row.Player].Name, row.Player == me
			out = append(out, q)
		}
	}
	return out
}

// asks returns the question that a decision of a match makes; ok is false for beavers and
// resignations.
func asks(row *report.Row) (kind Kind, s match.Situation, ok bool) {
	t := row.Turn()
	switch s = (match.Situation{Position: t.Position, State: t.State}); row.Kind {
	case "checker":
		s.Dice = t.Action.Dice
		return Play, s, true
	case "double":
		return Double, s, t.Pending == 0
	case "take":
		// From the doubler's side, as cube decisions are.
		return Take, match.Situation{Position: t.Position.Swap(), State: t.State.Swap(), Doubled: true}, t.Pending == 1
	}
	return "", s, false
}

// analysed returns the values that the analysis of a match has for a question.
func analysed(row *report.Row, q *Question) *Known {
	k := &Known{Depth: row.Depth}
	if row.Cube != nil {
		k.Decision, k.Words = row.Cube.Decision(), row.Cube.Words()
	}
	for _, c := range row.Candidates {
		if pl, err := q.Rules.ParsePlay(q.Situation.Position, q.Situation.Dice, c.Play); err == nil {
			k.Plays = append(k.Plays, KnownPlay{board.FormatPlay(q.Situation.Position, pl), c.Equity, c.StdErr})
		}
	}
	if k.Decision == nil && len(k.Plays) < 2 {
		return nil
	}
	return k
}
