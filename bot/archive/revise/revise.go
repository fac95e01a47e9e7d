// Package revise changes match files that other processes change too: an analysis that takes
// minutes, a comment, a rollout and an import may change the same .sgf. Files are locked only
// for writing. If a file has changed since it was read, the change is made to its new
// content, so nothing is lost.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package revise

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"fibsbot/bot/internal/changes"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/ctxread"
	"fibsbot/internal/lockfile"
)

// patience is how long a writer waits for another one.
const patience = 10 * time.Second

// File is a match file with the hash of the content that was read.
type File struct {
	path string
	was  [sha256.Size]byte
}

// maxFile bounds a match file in bytes, as in sgf.ReadFile.
const maxFile = 64 << 20

// read reads a match file. It does not wait for a pipe.
func read(path string) ([]byte, error) {
	f, err := ctxread.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s: more than %d MiB", path, maxFile>>20)
	}
	return data, err
}

// Open reads the match in the file at path, with the errors of sgf.ReadFile.
func Open(path string) (*File, *record.Match, []record.Warning, error) {
	data, err := read(path)
	if err != nil {
		return nil, nil, nil, err
	}
	m, ws, err := sgf.Read(bytes.NewReader(data))
	if err != nil {
		return nil, nil, ws, record.InFile(path, err)
	}
	return &File{path, sha256.Sum256(data)}, m, ws, nil
}

// Written returns the File of m, which was just written to path.
func Written(path string, m *record.Match) (*File, error) {
	data, err := text(m)
	if err != nil {
		return nil, err
	}
	return &File{path, sha256.Sum256(data)}, nil
}

func text(m *record.Match) ([]byte, error) {
	var b bytes.Buffer
	err := sgf.Write(&b, m)
	return b.Bytes(), err
}

// Store writes m, the match that was read and then changed. If another process has written
// the file since, it applies again to the new content and writes that. It returns the match
// as written. In an archive it is a change of the archive's log; the index gets the row with the
// next change, or when it is opened.
func (f *File) Store(ctx context.Context, m *record.Match, again func(now *record.Match) error) (*record.Match, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if log, name := changes.Of(f.path); log != nil {
		c, err := log.Begin(ctx)
		if err != nil {
			return nil, err
		}
		m, err = f.StoreBy(m, again, func(perm os.FileMode, data []byte) error { c.Rows(name); return c.WriteBytes(name, perm, data) })
		if err == nil {
			_, err = c.Commit()
		}
		return m, errors.Join(err, c.Close())
	}
	release, err := lockfile.TakeReplaced(ctx, f.path)
	if err != nil {
		return nil, err // names the file
	}
	m, err = f.StoreBy(m, again, func(perm os.FileMode, data []byte) error { return atomicfile.WriteBytes(f.path, perm, data) })
	return m, errors.Join(err, release())
}

// StoreBy is Store for a caller that holds a lock and writes the file itself.
func (f *File) StoreBy(m *record.Match, again func(now *record.Match) error, write func(perm os.FileMode, data []byte) error) (*record.Match, error) {
	data, err := read(f.path)
	if err != nil {
		return nil, err
	}
	if sha256.Sum256(data) != f.was {
		now, _, err := sgf.Read(bytes.NewReader(data))
		if err != nil {
			return nil, record.InFile(f.path, err)
		}
		if err := again(now); err != nil {
			return nil, fmt.Errorf("%s was changed meanwhile: %w", f.path, err)
		}
		m = now
	}
	if data, err = text(m); err != nil {
		return nil, err
	}
	st, err := os.Stat(f.path)
	if err != nil {
		return nil, err
	}
	if err := write(st.Mode().Perm(), data); err != nil {
		return nil, err
	}
	f.was = sha256.Sum256(data)
	return m, nil
}

// Judge changes only the analysis: in a file that has changed since, a deeper analysis wins.
func Judge(m *record.Match) (again func(now *record.Match) error) {
	return func(now *record.Match) error {
		analyse.MergeAnalysis(now, m, nil, analyse.DefaultLimits)
		return nil
	}
}
