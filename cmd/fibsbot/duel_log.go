package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// duelHeader is the first line of the log of a duel: everything that decides
// what a pair's result is, but how many pairs there are.
type duelHeader struct {
	Version   int    `json:"fibsbot_duel"`
	A         string `json:"a"`
	B         string `json:"b"`
	Overrides string `json:"overrides,omitempty"` // flags that change A
	Nets      string `json:"nets"`
	Signature string `json:"signature"` // of the engine's play, as in bench
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
}

// duelLogVersion is the version of the format.
const duelLogVersion = 1

// maxDuelLog bounds what is read: some million pairs.
const maxDuelLog = 1 << 28

// duelLine is one pair in the log.
type duelLine struct {
	Pair int `json:"pair"`
	pairResult
}

// duelLog is the file that a duel goes on from.
type duelLog struct {
	file    *os.File
	earlier map[int]pairResult
}

// openDuelLog opens the log at path, making it when it is not there. A log with
// another header, or one that another program writes to, is the user's mistake.
// A line that was cut off when a duel was killed is removed.
func openDuelLog(path string, h duelHeader) (*duelLog, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, asUsage(fmt.Errorf("--log: %w", err))
	}
	l := &duelLog{file: f, earlier: map[int]pairResult{}}
	if err := l.read(h); err != nil {
		f.Close()
		return nil, asUsage(fmt.Errorf("--log: %s: %w", path, err))
	}
	return l, nil
}

// read locks the file, reads it and leaves it ready for more lines.
func (l *duelLog) read(want duelHeader) error {
	if err := lockResults(l.file); err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(l.file, maxDuelLog+1))
	if err != nil {
		return err
	}
	if len(data) > maxDuelLog {
		return fmt.Errorf("longer than %d MiB", maxDuelLog>>20)
	}
	size := 0
	for n := 1; ; n++ {
		end := bytes.IndexByte(data[size:], '\n')
		if end < 0 {
			break
		}
		line := data[size : size+end]
		size += end + 1
		if n == 1 {
			var have duelHeader
			if err := json.Unmarshal(line, &have); err != nil || have.Version == 0 {
				return fmt.Errorf("line 1: no log of a duel")
			}
			if have.Settings == ([2]string{}) {
				have.Settings = want.Settings // an older log: nothing to compare
			}
			if have != want {
				return fmt.Errorf("a log of another duel or engine: it has %s", line)
			}
			continue
		}
		p := duelLine{Pair: -1}
		if err := json.Unmarshal(line, &p); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if _, twice := l.earlier[p.Pair]; twice || p.Pair < 0 || p.Games < 2 {
			return fmt.Errorf("line %d: pair %d a second time, or none", n, p.Pair)
		}
		l.earlier[p.Pair] = p.pairResult
	}
	if err := l.file.Truncate(int64(size)); err != nil {
		return err
	}
	if _, err := l.file.Seek(int64(size), io.SeekStart); err != nil {
		return err
	}
	if size == 0 {
		return l.write(want)
	}
	return nil
}

// keep appends the result of pair k.
func (l *duelLog) keep(k int, r pairResult) error { return l.write(duelLine{k, r}) }

// write appends v as one line in one write, so that a kill cuts at most one.
func (l *duelLog) write(v any) error {
	var b bytes.Buffer
	if err := printJSONLine(&b, v); err != nil {
		return fmt.Errorf("log of the duel: %w", err)
	}
	if _, err := l.file.Write(b.Bytes()); err != nil {
		return fmt.Errorf("log of the duel: %w", err)
	}
	return nil
}

func (l *duelLog) close() error { return l.file.Close() }
