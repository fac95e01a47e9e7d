package index

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"fibsbot/bot/internal/changes"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/figure"
)

// Match is one row of the index. In a match between strangers the account is player 1 of
// the file.
type Match struct {
	ID       string `json:"id"`
	File     string `json:"file"` // relative to the archive's folder, with slashes
	Server   string `json:"server,omitempty"`
	Account  string `json:"account"`
	Opponent string `json:"opponent"`
	Me       int    `json:"-"` // the account's player number in the file
	Length   int    `json:"length"`
	// Started is zero if the day is unknown.
	Started  time.Time `json:"started,omitzero"`
	Finished time.Time `json:"finished,omitzero"`
	// Clock orders matches of the same start.
	Clock int `json:"-"`
	// Result is 1 won, -1 lost, 0 unfinished or level.
	Result int `json:"result"`
	// Score and the pairs below are the account's, then the opponent's.
	Score       [2]int    `json:"score"`
	Rating      [2]Figure `json:"rating"`
	RatingAfter [2]Figure `json:"rating_after"`
	Preset      string    `json:"preset,omitempty"`
	// Event is that of the file: a tournament, a club night.
	Event string   `json:"event,omitempty"`
	Tags  []string `json:"tags,omitempty"` // the user's
	Games int      `json:"games"`
	Moves int      `json:"moves"`
	// Plies orders analyses by their depth, unknown without one. Depth names it (analyse.Depth),
	// Judge also who made it (analyse.By). The errors are sums of normalised equity over Unforced
	// and Close decisions.
	Plies    Figure    `json:"plies"`
	Depth    string    `json:"depth,omitempty"`
	Judge    string    `json:"judge,omitempty"`
	Error    [2]Figure `json:"error"`
	Checker  [2]Figure `json:"checker_error"`
	Cube     [2]Figure `json:"cube_error"`
	Unforced [2]Figure `json:"unforced_moves"`
	Close    [2]Figure `json:"close_cube_decisions"`
	// Counted are the decisions that count for PR.
	Counted [2]Figure `json:"counted_decisions"`
	PR      [2]Figure `json:"pr"`
	Luck    [2]Figure `json:"luck"`
	// LuckPlies is the fewest plies at which the luck of a roll was judged, unknown where no
	// source states it.
	LuckPlies Figure `json:"luck_plies"`
	// Shallow marks whose errors come from an analysis no deeper than the player's own search
	// while playing (record.Provenance.SameDepth).
	Shallow [2]bool `json:"shallow"`
	// Splits are the sums by phase, plan and category of cube error.
	Splits []Split `json:"splits,omitempty"`
	// Adjusted is the account's luck-adjusted result.
	Adjusted Figure `json:"luck_adjusted_result"`
	Dice     Dice   `json:"-"`
	// Rolls are for mayMeet.
	Rolls string `json:"-"`
	Rows  []Game `json:"game_list,omitempty"`
	// Pruned reports that the files were deleted and only the row is kept.
	Pruned bool `json:"pruned,omitempty"`
	// Kept reports that the analysis is from before the files were pruned: the file was
	// imported again without one.
	Kept bool `json:"kept,omitempty"`
}

// Game is one game of a match; Result as in Match.
type Game struct {
	Number   int    `json:"number"`
	Score    [2]int `json:"score"`
	Result   int    `json:"result"`
	Points   int    `json:"points"`
	Resigned bool   `json:"resigned"`
	// EndUnknown is that of record.Game: whether the game was resigned is not known.
	EndUnknown bool `json:"end_unknown,omitempty"`
	Crawford   bool `json:"crawford"`
}

// Meta is what a match file cannot hold, stored beside it as NAME.json.
type Meta struct {
	Account     string     `json:"account,omitempty"`
	Server      string     `json:"server,omitempty"`
	Started     time.Time  `json:"started,omitzero"`
	Finished    time.Time  `json:"finished,omitzero"`
	Preset      string     `json:"preset,omitempty"`
	RatingAfter [2]float64 `json:"rating_after,omitzero"` // of player 0 and player 1
	// Identity is that before the players were renamed or swapped; Swapped reports whether
	// they are swapped now.
	Identity string `json:"identity,omitempty"`
	Swapped  bool   `json:"swapped,omitempty"`
	// Renamed are the names of player 0 and player 1 in the file since they were changed.
	Renamed [2]string `json:"renamed,omitzero"`
	// Tags are the user's, separated by commas.
	Tags string `json:"tags,omitempty"`
	// Order is the place of a match among those of its day in the import.
	Order int `json:"order,omitempty"`
	// Beside are the extensions of the files that the bot filed with the match, separated by
	// spaces.
	Beside string `json:"beside,omitempty"`
	// Partly reports that the first analysis of the match was stopped: the index ignores it.
	Partly bool `json:"partly_analysed,omitempty"`
}

// MetaFile returns the name of the Meta file of a match file.
func MetaFile(matchFile string) string {
	return strings.TrimSuffix(matchFile, filepath.Ext(matchFile)) + ".json"
}

// maxMeta bounds a Meta file in bytes.
const maxMeta = 64 << 10

// ReadMeta reads the Meta of a match file; a missing one is the zero value.
func ReadMeta(matchFile string) (m Meta, err error) {
	var s storedMeta
	err = atomicfile.ReadJSON(MetaFile(matchFile), maxMeta, &s)
	if errors.Is(err, os.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if s.Format != metaFormat {
		return Meta{}, fmt.Errorf("%s: format %d, this fibsbot reads %d (delete the file and run fibsbot archive rebuild)", MetaFile(matchFile), s.Format, metaFormat)
	}
	return s.Meta, nil
}

// metaFormat is the version of the form of a Meta file.
const metaFormat = 1

// storedMeta is the form of a Meta file.
type storedMeta struct {
	Format int `json:"format"`
	Meta
}

// WriteMeta writes the Meta of a match file, whole or not at all.
func WriteMeta(matchFile string, m Meta) error {
	return atomicfile.WriteBytes(MetaFile(matchFile), 0o600, m.text())
}

// StageMeta makes a change write the Meta of a match file, whose name is as in its row.
func StageMeta(c *changes.Change, name string, m Meta) error {
	return c.WriteBytes(MetaFile(name), 0o600, m.text())
}

func (m *Meta) text() []byte {
	data, _ := json.MarshalIndent(storedMeta{metaFormat, *m}, "", "  ") // nothing in it can fail
	return append(data, '\n')
}

// LacksLuck reports whether a match has an analysis without luck, as another program may
// write it.
func (m *Match) LacksLuck() bool {
	return m.Plies.Known() && m.Moves > 0 && !m.Luck[0].Known() && !m.Luck[1].Known()
}

// Keep takes over the analysis of the pruned match old if m, the same match imported again,
// has none.
func (m *Match) Keep(old *Match) {
	if m.Plies.Known() || !old.Plies.Known() || !old.Pruned && !old.Kept || m.Me != old.Me {
		return
	}
	m.Kept = true
	for i := range columns {
		if c := &columns[i]; c.ofAnalysis {
			reflect.ValueOf(c.field(m)).Elem().Set(reflect.ValueOf(c.field(old)).Elem())
		}
	}
}

// Describe makes the row of a match. file is its path relative to the archive's folder. The
// account is meta.Account if that is one of the players, else player 1.
func Describe(m *record.Match, meta Meta, file string) Match {
	me := 1
	if meta.Account != "" && strings.EqualFold(meta.Account, m.Players[0].Name) {
		me = 0
	}
	if meta.Partly {
		m = analyse.Bare(m)
	}
	score := m.FinalScore()
	s := analyse.Summarise(m, nil, analyse.DefaultLimits)
	out := Match{
		ID: rowID(cmp.Or(meta.Identity, Identity(m)), file), File: filepath.ToSlash(file), Server: meta.Server, Me: me,
		Account: m.Players[me].Name, Opponent: m.Players[1-me].Name, Length: m.Length,
		Started: started(m, meta, file), Clock: clock(m, meta), Finished: meta.Finished, Preset: meta.Preset, Event: m.Event, Tags: splitTags(meta.Tags), Rolls: rollText(m),
		Games: len(m.Games), Plies: unknown, LuckPlies: unknown, Depth: analyse.Depth(m), Judge: analyse.By(m), Adjusted: Figure(s.LuckAdjusted[me])}
	if out.Server == "" {
		out.Server = m.Place
	}
	for k, p := range [2]int{me, 1 - me} {
		x := &s.Players[p]
		out.Score[k] = score[p]
		before, ok := m.Players[p].RatingValue()
		out.Rating[k], out.RatingAfter[k] = figure.If(ok, before), figure.If(meta.RatingAfter[p] > 0, meta.RatingAfter[p])
		out.Moves += x.Moves
		out.Error[k], out.Checker[k], out.Cube[k] = figure.If(x.Known(), x.Error().EMG), figure.If(x.PlaysKnown(), x.PlayError.EMG), figure.If(x.CubeKnown(), x.CubeError().EMG)
		out.Unforced[k], out.Close[k], out.Luck[k] = figure.If(x.Known(), float64(x.CountedPlays)), figure.If(x.Known(), float64(x.CloseJudged)), figure.If(x.LuckKnown(), x.Luck.EMG)
		out.Counted[k], out.PR[k], out.Shallow[k] = figure.If(x.Known(), float64(x.Counted)), Figure(x.PR()), m.Judge.SameDepth[p] && x.Known()
	}
	out.Splits = splits(s, me)
	switch {
	case m.Length > 0 && score[me] >= m.Length, m.Length == 0 && score[me] > score[1-me]:
		out.Result = 1
	case m.Length > 0 && score[1-me] >= m.Length, m.Length == 0 && score[me] < score[1-me]:
		out.Result = -1
	}
	for i := range m.Games {
		g := &m.Games[i]
		row := Game{Number: i + 1, Score: [2]int{g.Score[me], g.Score[1-me]}, Crawford: g.Crawford, Resigned: g.GivenUp(), EndUnknown: g.Result.Resigned && g.EndUnknown, Points: g.Result.Points}
		if g.Result.Finished() {
			row.Result = -1
			if g.Result.Winner == me {
				row.Result = 1
			}
		}
		out.Rows = append(out.Rows, row)
		for k := range g.Actions {
			out.count(&g.Actions[k])
		}
	}
	return out
}

// started returns when a match began: as meta says, else as the file's name or its date say, at
// the latest when it finished, if the clock was set back since.
func started(m *record.Match, meta Meta, file string) time.Time {
	at := meta.Started
	if named, ok := startOf(file); ok && at.IsZero() && named.Format(time.DateOnly) == m.Date {
		at = named
	}
	if at.IsZero() {
		if day, err := time.Parse(time.DateOnly, m.Date); err == nil {
			at = day
		}
	}
	if !meta.Finished.IsZero() && meta.Finished.Before(at) {
		return meta.Finished
	}
	return at
}

// clock orders the matches of one day whose start is not known to the second: by the time that
// their files state, or by their place in the import.
func clock(m *record.Match, meta Meta) int {
	if t, err := time.Parse("15:04", m.Time); err == nil {
		return 60 * (60*t.Hour() + t.Minute())
	}
	return meta.Order
}

// count adds the roll of an action to the dice, and the depth of its analysis.
func (m *Match) count(a *record.Action) {
	if a.Rolled() && (a.Player == 0 || a.Player == 1) {
		p := 0
		if a.Player != m.Me {
			p = 1
		}
		m.Dice[p][rollNumber(a.Dice)]++
	}
	if a.Analysis != nil && !a.Analysis.Own && len(a.Analysis.Candidates) > 0 {
		m.Plies = Figure(max(m.Plies.Or(0), float64(a.Analysis.Candidates[0].Settings.Plies)))
	}
	if a.Analysis != nil && a.Analysis.Luck != nil && a.Analysis.LuckPlies != nil {
		plies := float64(*a.Analysis.LuckPlies)
		m.LuckPlies = Figure(min(m.LuckPlies.Or(plies), plies))
	}
}

// tailOfJournal is more bytes than the last entries of a journal have.
const tailOfJournal = 16 << 10

// endOf returns when a match ended according to journal/NAME.journal, or the zero time. It is
// needed for a match without a Meta, whose process was killed while filing it.
func endOf(dir, matchFile string) (end time.Time) {
	name := strings.TrimSuffix(filepath.Base(matchFile), filepath.Ext(matchFile))
	f, err := os.Open(filepath.Join(dir, "journal", name+".journal"))
	if err != nil {
		return end
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return end
	}
	tail, err := io.ReadAll(io.NewSectionReader(f, max(0, st.Size()-tailOfJournal), tailOfJournal))
	if err != nil {
		return end
	}
	for line := range bytes.Lines(tail) {
		var e struct {
			Kind string    `json:"k"`
			At   time.Time `json:"t"`
		}
		// The first line may be incomplete.
		if json.Unmarshal(line, &e) == nil && (e.Kind == "over" || e.Kind == "gone") {
			end = e.At.UTC()
		}
	}
	return end
}

// Figure is a measured number, NULL in the database if it was not measured.
type Figure = figure.Figure

// unknown is the Figure of nothing measured.
var unknown = figure.Unknown
