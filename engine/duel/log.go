package duel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strings"

	"fibsbot/engine/dice"
	"fibsbot/engine/record"
	"fibsbot/internal/lockfile"
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

// maxLog bounds what is read: some million pairs.
const maxLog = 1 << 28

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
	for n := 1; ; n++ {
		line, _, whole := bytes.Cut(data[l.Size:], []byte("\n"))
		if !whole {
			return l, nil
		}
		var err error
		if n == 1 {
			err = l.readHeader(line)
		} else {
			err = l.readPair(line)
		}
		if err != nil {
			return nil, logError{fmt.Errorf("line %d: %w", n, err)}
		}
		l.Size += len(line) + 1
	}
}

// OpenLog reads the log in the file at path, of a finished or an unfinished duel.
func OpenLog(path string) (*Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := readBounded(f)
	if err != nil {
		return nil, err
	}
	l, err := ReadLog(data)
	if err == nil && l.Size == 0 {
		return nil, logError{errors.New("line 1: no log of a duel")}
	}
	return l, err
}

func readBounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxLog+1))
	if err == nil && len(data) > maxLog {
		err = logError{fmt.Errorf("longer than %d MiB", maxLog>>20)}
	}
	return data, err
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

// decodeLine reads one line of JSON, which holds nothing else.
func decodeLine(line []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("damaged: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("damaged: more than one value")
	}
	return nil
}

// LogFile is the log of a running duel, locked against other writers until it is closed.
type LogFile struct {
	lock *lockfile.File
	// Earlier holds the pairs that were there when the file was opened.
	Earlier map[int]Pair
}

// ResumeLog opens the log at path for the duel with header h, making it when it is
// not there. A line that was cut off when a duel was killed is removed. The error
// wraps [ErrLog] where the file holds something else than this duel, and
// [lockfile.ErrLocked] where another program writes to it; the file is not changed
// then.
func ResumeLog(path string, h Header) (*LogFile, error) {
	lock, err := lockfile.Open(path)
	if err != nil {
		return nil, err
	}
	f := &LogFile{lock: lock}
	if err := f.read(h); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// read reads the file and leaves it ready for more lines.
func (f *LogFile) read(want Header) error {
	data, err := readBounded(f.lock)
	if err != nil {
		return err
	}
	l, err := ReadLog(data)
	if err != nil {
		return err
	}
	f.Earlier = l.Pairs
	if l.Size > 0 {
		have := l.Header
		if have.Settings == ([2]string{}) {
			have.Settings = want.Settings // an older log: nothing to compare
		}
		if have != want {
			return logError{fmt.Errorf("a log of another duel or engine: %s", have.differs(want))}
		}
	}
	if err := f.lock.Truncate(int64(l.Size)); err != nil {
		return err
	}
	if _, err := f.lock.Seek(int64(l.Size), io.SeekStart); err != nil {
		return err
	}
	if l.Size == 0 {
		return f.write(want)
	}
	return nil
}

// Keep appends the result of a pair.
func (f *LogFile) Keep(pair int, r Pair) error {
	return f.write(numbered{pair, result(r)})
}

// write appends v as one line in one write, so that a kill cuts at most one.
func (f *LogFile) write(v any) error {
	if f.lock == nil {
		return fmt.Errorf("%w: it was not opened", ErrLog)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("log of the duel: %w", err)
	}
	if _, err := f.lock.Write(b.Bytes()); err != nil {
		return fmt.Errorf("log of the duel: %w", err)
	}
	return nil
}

// Close ends the writing; the lock goes with it.
func (f *LogFile) Close() error {
	if f.lock == nil {
		return nil
	}
	return f.lock.Close()
}
