package duel

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"

	"fibsbot/engine/dice"
	"fibsbot/engine/record"
	"fibsbot/internal/jsonlines"
)

// LogVersion is the version of the format of logs.
const LogVersion = 1

// Header is the first line of the log of a duel: everything that decides what a
// pair's result is, but how many pairs there are.
type Header struct {
	Version   int    `json:"fibsbot_duel"` // LogVersion
	A         string `json:"a"`            // what plays, in words: a preset's name, a command
	B         string `json:"b"`
	Overrides string `json:"overrides,omitempty"` // flags that change A
	Nets      string `json:"nets"`                // the name of the engine's
	Signature string `json:"signature"`           // of the engine's play, as in bench
	// Length to LuckPlies are as in Plan.
	Length    int    `json:"length"`
	Cubeless  bool   `json:"cubeless"`
	Jacoby    bool   `json:"jacoby"`
	Seed      uint64 `json:"seed"`
	Luck      bool   `json:"vr"`
	LuckPlies int    `json:"vr_plies"`
	Trials    int    `json:"trials"` // for each difference, 0 without them
	// Settings are the fingerprints of A's and B's presets as they played
	// (preset.Preset.Fingerprint), empty for other engines; logs from before they were
	// written have none.
	Settings [2]string `json:"settings,omitzero"`
	// Variation, AutoDoubles and Dice are as in Settings; zeros in logs from before.
	Variation   record.Variation `json:"variation,omitempty"`
	Egyptian    bool             `json:"egyptian,omitempty"`
	AutoDoubles int              `json:"auto_doubles,omitempty"`
	Dice        dice.Generator   `json:"dice,omitempty"`
	// Table names the match equity table as engine.TableName does, empty for the usual one.
	Table string `json:"table,omitempty"`
}

// differs says in which fields h is another duel than want.
func (h Header) differs(want Header) string {
	var said []string
	have, wanted := reflect.ValueOf(h), reflect.ValueOf(want)
	for i := range have.NumField() {
		a, b := have.Field(i).Interface(), wanted.Field(i).Interface()
		if a == b {
			continue
		}
		name, _, _ := strings.Cut(have.Type().Field(i).Tag.Get("json"), ",")
		said = append(said, fmt.Sprintf("%s is %v there, %v here", name, worded(a), worded(b)))
	}
	return strings.Join(said, "; ")
}

// worded is a value of a header as it is told: nothing has a word of its own.
func worded(v any) any {
	if text := fmt.Sprint(v); text != "" {
		return text
	}
	return "none"
}

// ErrLog is wrapped by errors about a file that is not a log, is damaged, or belongs to another duel.
var ErrLog = errors.New("no log of this duel")

// logError is a fault of a log with its own words, which errors.Is finds as ErrLog.
type logError struct{ error }

// Is implements the interface of errors.Is.
func (logError) Is(target error) bool { return target == ErrLog }

// Unwrap gives the cause.
func (e logError) Unwrap() error { return e.error }

// numbered is one pair as it is written.
type numbered struct {
	Number int `json:"pair"`
	result
}

// result has the fields of Pair under another name than the number's.
type result Pair

// logLine is one pair as it is read. What must be there is a pointer or a slice, which
// tells a zero from nothing.
type logLine struct {
	Pair   *int      `json:"pair"`
	Result []float64 `json:"result"`
	Luck   []float64 `json:"luck"`
	Games  int       `json:"games"`
	Edge   []float64 `json:"edge"`
	Differ *int      `json:"differ"`
}

// maxEdge bounds what one match's differences add up to, in matches: far above
// anything real, and far below damage.
const maxEdge = 10

// Log is what the log of a duel holds.
type Log struct {
	Header Header
	Pairs  map[int]Pair // by number
	// Size is how many bytes the whole lines have. A last line without its end is
	// that of a duel which is still being played, or was killed, and is passed over.
	Size int
}

// ReadLog reads a log. The error names the line and wraps [ErrLog].
func ReadLog(data []byte) (*Log, error) {
	l := &Log{Pairs: map[int]Pair{}}
	size, _, err := jsonlines.Each(bytes.NewReader(data), ErrLog, l.readLine)
	l.Size = int(size)
	return l, err
}

// readLine reads the header or a pair.
func (l *Log) readLine(n int, line []byte) error {
	read := l.readPair
	if n == 1 {
		read = l.readHeader
	}
	if err := read(line); err != nil {
		return logError{err}
	}
	return nil
}

// OpenLog reads the log in the file at path, of a finished or an unfinished duel.
func OpenLog(path string) (*Log, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l, err := ReadLog(data)
	if err == nil && l.Size == 0 {
		return nil, logError{errors.New("line 1: no log of a duel")}
	}
	return l, err
}

func (l *Log) readHeader(line []byte) error {
	err := decodeLine(line, &l.Header)
	switch {
	case l.Header.Version == 0:
		return errors.New("no log of a duel")
	case l.Header.Version != LogVersion:
		return fmt.Errorf("log of format %d, this program reads %d", l.Header.Version, LogVersion)
	}
	return err
}

func (l *Log) readPair(line []byte) error {
	var p logLine
	if err := decodeLine(line, &p); err != nil {
		return err
	}
	differences := l.Header.Trials > 0
	if p.Pair == nil || len(p.Result) != 2 || len(p.Luck) != 2 || differences && (p.Differ == nil || len(p.Edge) != 2) {
		return errors.New("not all of a pair")
	}
	if *p.Pair < 0 || *p.Pair > 1<<30 {
		return fmt.Errorf("pair %d", *p.Pair)
	}
	if _, twice := l.Pairs[*p.Pair]; twice {
		return fmt.Errorf("pair %d a second time", *p.Pair)
	}
	out := Pair{Result: [2]float64(p.Result), Luck: [2]float64(p.Luck), Games: p.Games}
	if p.Differ != nil && len(p.Edge) == 2 {
		out.Differ, out.Edge = *p.Differ, [2]float64(p.Edge)
	}
	if p.Games < 2 || p.Games > 1<<20 || out.Differ < 0 {
		return fmt.Errorf("%d games and %d differences", p.Games, out.Differ)
	}
	for i, edge := range out.Edge {
		if l.Header.Length > 0 && math.Abs(out.Result[i]) != 1 {
			return fmt.Errorf("%v is not the result of a match", out.Result[i])
		}
		if l.Header.Length > 0 && math.Abs(edge) > maxEdge || out.Differ == 0 && edge != 0 {
			return fmt.Errorf("an edge of %v by %d differences", edge, out.Differ)
		}
	}
	l.Pairs[*p.Pair] = out
	return nil
}

func decodeLine(line []byte, v any) error {
	if err := jsonlines.Decode(line, v); err != nil {
		return fmt.Errorf("damaged: %w", err)
	}
	return nil
}

// LogFile is the log of a running duel, locked against other writers until it is closed.
type LogFile struct {
	file *jsonlines.File
	// Earlier holds the pairs that were there when the file was opened.
	Earlier map[int]Pair
}

// ResumeLog opens the log at path for the duel with header h, making it when it is
// not there. A line that was cut off when a duel was killed is removed. The error
// wraps [ErrLog] where the file holds something else than this duel, and
// [lockfile.ErrLocked] where another program writes to it; the file is not changed
// then.
func ResumeLog(path string, h Header) (*LogFile, error) {
	l := &Log{Pairs: map[int]Pair{}}
	file, err := jsonlines.Open(path, ErrLog, l.readLine, func() error { return l.Header.resumes(h) })
	if err != nil {
		return nil, err
	}
	f := &LogFile{file: file, Earlier: l.Pairs}
	if l.Header.Version > 0 {
		return f, nil
	}
	if err := file.Append(h); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// resumes returns an error unless h, if there is one, begins the log of the duel with header want.
func (h Header) resumes(want Header) error {
	if h.Version == 0 {
		return nil
	}
	if h.Settings == ([2]string{}) {
		h.Settings = want.Settings // an older log: nothing to compare
	}
	if h != want {
		return logError{fmt.Errorf("a log of another duel or engine: %s", h.differs(want))}
	}
	return nil
}

// Keep appends the result of a pair.
func (f *LogFile) Keep(pair int, r Pair) error {
	if f.file == nil {
		return fmt.Errorf("%w: it was not opened", ErrLog)
	}
	if err := f.file.Append(numbered{pair, result(r)}); err != nil {
		return fmt.Errorf("log of the duel: %w", err)
	}
	return nil
}

// Close ends the writing; the lock goes with it.
func (f *LogFile) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
