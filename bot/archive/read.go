package archive

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"fibsbot/internal/ctxread"
)

// ErrDamaged means that the content of a journal is invalid.
var ErrDamaged = errors.New("damaged journal")

// ErrFormat means that another version of the program wrote a journal.
var ErrFormat = errors.New("journal of another version")

// readJournal returns the entries of a journal and the length of its whole lines. It ignores
// an incomplete or unreadable last line, which a crash leaves; earlier ones are damage.
func readJournal(path string) ([]entry, int64, error) {
	f, err := ctxread.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	return readEntries(f, filepath.Base(path))
}

func readEntries(r io.Reader, name string) ([]entry, int64, error) {
	br := bufio.NewReaderSize(r, maxEntry)
	var entries []entry
	var good int64
	for n := 1; ; n++ {
		line, err := br.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return entries, good, nil // incomplete or empty last line
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, 0, fmt.Errorf("%w %s:%d: a line of more than %d bytes", ErrDamaged, name, n, maxEntry)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("journal %s:%d: %w", name, n, err)
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			if _, peek := br.Peek(1); errors.Is(peek, io.EOF) {
				return entries, good, nil
			}
			return nil, 0, fmt.Errorf("%w %s:%d: %w", ErrDamaged, name, n, err)
		}
		if n == 1 && (e.Kind != kindHead || e.Account == "" || e.Opponent == "") {
			return nil, 0, fmt.Errorf("%w %s:1: no names of the players", ErrDamaged, name)
		}
		if n == 1 && e.Format != journalFormat {
			return nil, 0, fmt.Errorf("%w: %s has format %d, this fibsbot reads %d (move the file away; fibsbot archive rebuild lists the matches that were filed)", ErrFormat, name, e.Format, journalFormat)
		}
		entries = append(entries, e)
		good += int64(len(line))
	}
}
