package reference

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/jsonlines"
	"fibsbot/internal/lockfile"
)

// File is a set of decisions being worked on, by no other program until Close.
type File struct {
	path    string
	have    []Reference
	file    *os.File // positioned after the last whole line
	release func() error
}

// Open opens a file to work on, cutting off an incomplete last line of a killed run. With create
// a missing file is begun. The error wraps [lockfile.ErrLocked] if another program works on the
// file, and ErrBadTruth, with the file unchanged, if it holds anything but decisions.
func Open(path string, create bool) (*File, error) {
	how := os.O_RDWR
	if create {
		how |= os.O_CREATE
	} else if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("truth: %w", err) // and leave no lock file
	}
	release, err := lock(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, release: release}
	if f.file, err = os.OpenFile(path, how, 0o644); err != nil {
		return nil, errors.Join(fmt.Errorf("truth: %w", err), release())
	}
	if err := f.read(); err != nil {
		return nil, errors.Join(fmt.Errorf("truth %s, %w", path, err), f.Close())
	}
	return f, nil
}

// lock keeps other programs from working on the file at path. rewrite replaces that file, so the
// lock is a file beside it.
func lock(path string) (release func() error, err error) {
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("truth %s: %w", path, err) // and not of the lock
	}
	if release, err = lockfile.TakeBeside(path+".lock", 0o644); err != nil {
		return nil, fmt.Errorf("truth %s: %w", path, err)
	}
	return release, nil
}

// read reads the file and cuts off a line without its end.
func (f *File) read() error {
	ds, size, rest, err := parse(f.file)
	if err != nil {
		return err
	}
	// A file that no run of ours began is not cut.
	if begin := []byte(`{"tag":"`); !bytes.HasPrefix(rest, begin[:min(len(begin), len(rest))]) {
		return fmt.Errorf("line %d: %w: not a line of decisions", len(ds)+1, ErrBadTruth)
	}
	f.have = ds
	if err := f.file.Truncate(size); err != nil {
		return err
	}
	_, err = f.file.Seek(size, io.SeekStart)
	return err
}

// Close lets other programs work on the file.
func (f *File) Close() error {
	err := f.file.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil // by rewrite
	}
	return errors.Join(err, f.release())
}

// progress is called with how far a change of decisions has come.
type progress = func(what string, done, total int)

// rewrite has change work on the decisions of f and writes them at every report of change,
// which show receives too, and at its end or failure. So a kill loses little. It returns what change does.
func (f *File) rewrite(show progress, change func(ds []Reference, show progress) (int, error)) (int, error) {
	if err := f.file.Close(); err != nil { // another takes its place
		return 0, err
	}
	save := func() error {
		var b []byte
		for i := range f.have {
			line, err := jsonlines.Line(&f.have[i])
			if err != nil {
				return err
			}
			b = append(b, line...)
		}
		return atomicfile.WriteBytes(f.path, 0o644, b)
	}
	n, failed := change(f.have, func(what string, done, total int) {
		_ = save() // what cannot be written may be later, and is tried again at the end
		show(what, done, total)
	})
	return n, cmp.Or(failed, save())
}

// Ask says what to do with a file of decisions: Extend or, without that, make the missing decisions.
type Ask struct {
	// Lists TAG=NUMBER,... of decisions to have: checker play, the cube in money play and matches, the
	// centred cube in money play with the Jacoby rule.
	Counts, Cubes, Jacoby string
	Extend                string     // players with commas, as parsePlayers takes them
	Disputed              string     // the same: make only decisions on which they differ
	Others                []Panelist // with Extend or Disputed: more players
}

// Job is a parsed Ask with its file open.
type Job struct {
	Ask
	*File
	list    []wanted
	players []player
}

// Start parses the Ask and then opens the file at path. The error wraps ErrCounts or ErrPlayers
// if parsing fails, [os.ErrNotExist] if gnubg is needed and missing, and is that of Open
// otherwise.
func (a Ask) Start(path string) (j *Job, err error) {
	j = &Job{Ask: a}
	if j.list, err = parseCounts(a.Counts, a.Cubes, a.Jacoby); err != nil {
		return nil, err
	}
	for _, of := range []struct{ flag, names string }{{"--extend", a.Extend}, {"--disputed", a.Disputed}} {
		if of.names == "" {
			continue
		}
		if j.players, err = parsePlayers(of.names); err != nil {
			return nil, fmt.Errorf("%s: %w", of.flag, err)
		}
		if slices.ContainsFunc(j.players, func(p player) bool { return p.gnubg >= 0 }) {
			if _, err := train.FindGnubg(); err != nil {
				return nil, err
			}
		}
	}
	if a.Disputed != "" && len(j.players)+len(a.Others) < 2 {
		return nil, fmt.Errorf("--disputed: %w: one player differs from no one (name two)", ErrPlayers)
	}
	if j.File, err = Open(path, a.Extend == ""); err != nil {
		return nil, err
	}
	return j, nil
}

// Run has m do the job and returns how many decisions it made or choices it rolled out. They stay in the
// file even after an error.
func (j *Job) Run(ctx context.Context, m *Maker, show func(what string, done, total int)) (int, error) {
	by, done, err := panel(ctx, m.Engine, j.players)
	if err != nil {
		return 0, err
	}
	defer done()
	by = append(by, j.Others...)
	if j.Extend == "" {
		m.Panel = by
		return m.make(ctx, j.File, j.list, show)
	}
	return j.rewrite(show, func(ds []Reference, show progress) (int, error) { return m.Extend(ctx, ds, by, show) })
}
