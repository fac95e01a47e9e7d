// Package revise changes a match file that others change too: an analysis that takes
// minutes, a comment, a rollout and an import may meet in one .sgf. Nobody waits for
// another's thinking, and nothing that one of them wrote is lost: what came in between
// is read again, and the change is made on that.
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

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/ctxread"
	"fibsbot/internal/lockfile"
)

// patience is how long a writer waits for others that write at this moment.
const patience = 10 * time.Second

// File is a match file as it was read.
type File struct {
	path string
	was  [sha256.Size]byte
}

// maxFile bounds a match file, as sgf.ReadFile does.
const maxFile = 64 << 20

// read reads a match file, which is not waited for where it is a pipe.
func read(path string) ([]byte, error) {
	f, err := ctxread.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s: longer than %d megabytes", path, maxFile>>20)
	}
	return data, err
}

// Open reads the match in the file at path. Errors are those of sgf.ReadFile.
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

// Written is the File of a match that was just written to path as m is now.
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

// Store writes m, the match that was read and then changed. Where somebody else has
// written the file since, again makes the change on what stands there now, and that is
// written. It returns the match as it is in the file. f goes on from there.
func (f *File) Store(ctx context.Context, m *record.Match, again func(now *record.Match) error) (*record.Match, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	release, err := lockfile.TakeReplaced(ctx, f.path)
	if err != nil {
		return nil, err // names the file
	}
	stored, err := f.store(m, again)
	return stored, errors.Join(err, release())
}

func (f *File) store(m *record.Match, again func(now *record.Match) error) (*record.Match, error) {
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
			return nil, fmt.Errorf("%s, which was changed meanwhile: %w", f.path, err)
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
	if err := atomicfile.WriteBytes(f.path, st.Mode().Perm(), data); err != nil {
		return nil, err
	}
	f.was = sha256.Sum256(data)
	return m, nil
}

// Analysis stores m, in which only the analysis was changed: it goes into what somebody
// else has made of the file meanwhile, where it is the deeper one.
func (f *File) Analysis(ctx context.Context, m *record.Match) (*record.Match, error) {
	return f.Store(ctx, m, func(now *record.Match) error {
		analyse.MergeAnalysis(now, m, nil, analyse.DefaultLimits)
		return nil
	})
}
