package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fibsbot/engine/record"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/atomicfile"
)

// file writes the files of a match whose journal is complete and puts the
// journal away. Every step may be repeated after a crash.
func (j *Journal) file(b *book) ([]string, error) {
	if err := j.closeBook(b); err != nil {
		return nil, err
	}
	entries, _, err := readJournal(b.path)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("file %s: the journal is empty", b.stem)
	}
	m := matchOf(rebuild(entries), headOf(entries))
	var paths []string
	if hasPlay(m) {
		for _, f := range []struct {
			ext   string
			write func(io.Writer, *record.Match) error
		}{{".sgf", sgf.Write}, {".fibs", oldmoves.Write}} {
			path := filepath.Join(j.dir, b.stem+f.ext)
			if err := j.writeFile(path, m, f.write); err != nil {
				return paths, err
			}
			paths = append(paths, path)
		}
	}
	if err := j.append(b, entry{Kind: kindFiled, At: j.now()}); err != nil {
		return paths, err
	}
	if err := j.closeBook(b); err != nil {
		return paths, err
	}
	if err := os.Rename(b.path, filepath.Join(j.dir, journalDir, b.stem+suffix)); err != nil {
		return paths, fmt.Errorf("put journal away: %w", err)
	}
	return paths, errors.Join(j.syncDir(filepath.Join(j.dir, journalDir)), j.syncDir(filepath.Join(j.dir, openDir)), j.syncDir(j.dir))
}

// hasPlay tells whether anything happened in the match; an invitation that was
// left at once is no match to file.
func hasPlay(m *record.Match) bool {
	for i := range m.Games {
		if len(m.Games[i].Actions) > 0 {
			return true
		}
	}
	return false
}

// writeFile writes a match to path so that a reader sees the old file or the
// whole new one, never a part.
func (j *Journal) writeFile(path string, m *record.Match, write func(io.Writer, *record.Match) error) error {
	var buf bytes.Buffer
	if err := write(&buf, m); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	if j.noSync {
		return atomicfile.WriteBytesUnsynced(path, 0o644, buf.Bytes())
	}
	return atomicfile.WriteBytes(path, 0o644, buf.Bytes())
}
