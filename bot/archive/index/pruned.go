package index

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fibsbot/engine/analyse"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/figure"
)

// PrunedName is the file in the archive's folder with the rows of pruned matches, one JSON
// object per line.
const PrunedName = "pruned.jsonl"

// maxPruned bounds a line in bytes; a row has about 100 for each game.
const maxPruned = 16 << 20

// ErrPruned means that an action needs the files of a pruned match.
var ErrPruned = errors.New("the files of this match were pruned (only its result is kept)")

// prunedRow is a line of PrunedName: a row with the fields that its JSON omits.
type prunedRow struct {
	Match
	Me    int    `json:"me"`
	Dice  string `json:"dice"`
	Rolls string `json:"rolls"`
}

// WritePruned appends rows to PrunedName of the archive in dir and syncs it. It first cuts
// off a line that a crash left incomplete.
func WritePruned(dir string, rows []*Match) (err error) {
	var b bytes.Buffer
	for _, m := range rows {
		row := prunedRow{Match: *m, Me: m.Me, Dice: m.Dice.text(), Rolls: m.Rolls}
		row.Pruned = true
		line, err := json.Marshal(row)
		if err != nil {
			return fmt.Errorf("keep %s: %w", m.File, err)
		}
		b.Write(append(line, '\n'))
	}
	path := filepath.Join(dir, PrunedName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	end, err := wholeLines(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if _, err = f.WriteAt(b.Bytes(), end); err == nil {
		err = f.Sync()
	}
	if err != nil {
		// The files are not deleted yet, so nothing is lost.
		return errors.Join(fmt.Errorf("%s: %w", path, err), f.Truncate(end))
	}
	return atomicfile.SyncDir(dir)
}

// wholeLines cuts f after its last whole line and returns the new size.
func wholeLines(f *os.File) (int64, error) {
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	end := st.Size()
	buf := make([]byte, 64<<10)
	for end > 0 {
		n := min(end, int64(len(buf)))
		if _, err := f.ReadAt(buf[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			end += int64(i) + 1 - n
			break
		}
		end -= n
	}
	if end == st.Size() {
		return end, nil
	}
	return end, f.Truncate(end)
}

// ReadPruned yields the rows of PrunedName of the archive in dir until yield returns an
// error, which it returns. bad has the errors of unreadable lines. It ignores an incomplete
// last line, whose match still has its files.
func ReadPruned(dir string, yield func(*Match) error) (bad []error, err error) {
	f, err := os.Open(filepath.Join(dir, PrunedName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readPruned(f, yield)
}

func readPruned(r io.Reader, yield func(*Match) error) (bad []error, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxPruned)
	lines.Split(endedLines)
	n := 0
	for lines.Scan() {
		n++
		m, err := parsePruned(lines.Bytes())
		if err != nil {
			if len(bad) < maxBad {
				bad = append(bad, fmt.Errorf("%s:%d: %w", PrunedName, n, err))
			}
			continue
		}
		if err := yield(m); err != nil {
			return bad, err
		}
	}
	if err := lines.Err(); err != nil {
		return append(bad, fmt.Errorf("%s:%d: %w", PrunedName, n+1, err)), nil
	}
	return bad, nil
}

func parsePruned(line []byte) (*Match, error) {
	row := prunedRow{Match: Match{LuckPlies: unknown}} // earlier lines lack it
	if err := json.Unmarshal(line, &row); err != nil {
		return nil, err
	}
	m := row.Match
	m.Me, m.Rolls, m.Pruned = row.Me, row.Rolls, true
	// Lines of earlier versions have 0 and -1 for what is unknown, and no PR.
	m.Plies = figure.If(m.Plies >= 0, float64(m.Plies))
	for k := range 2 {
		m.Rating[k], m.RatingAfter[k] = figure.If(m.Rating[k] > 0, float64(m.Rating[k])), figure.If(m.RatingAfter[k] > 0, float64(m.RatingAfter[k]))
		m.PR[k] = Figure(analyse.PR(float64(m.Error[k]), float64(m.Counted[k])))
	}
	if sameOf(m.ID) == "" || m.File == "" || m.Account == "" && m.Opponent == "" || m.Me != 0 && m.Me != 1 {
		return nil, errors.New("not a row of a match")
	}
	return &m, m.Dice.parse(row.Dice)
}

// endedLines is bufio.ScanLines without an incomplete last line.
func endedLines(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF {
		return len(data), nil, nil
	}
	return 0, nil, nil
}
