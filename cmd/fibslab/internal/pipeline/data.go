package pipeline

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/board"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/shard"
	"fibsbot/weights"
)

// Labels says who labels and how.
type Labels struct {
	Plies int
	// Crew labels, up to Size positions in a piece; 0 is so many as take some seconds. The labels do not
	// depend on it.
	Crew shard.Crew
	Size int
	// By, unless empty, is stored beside the labels; labels of another one are not added to.
	By string
	// Show, unless nil, is called every ten seconds with how many of the missing labels are done.
	Show func(what string, done, total int)
	// Say, unless nil, is called with a line about the labels that exist already.
	Say func(line string)
}

// Label labels the positions of the record file from, appending to the file to, which it
// resumes. The error is a [cmdline.UsageError] if from is not a record file, or to has labels
// of other positions or another teacher.
func (l *Labels) Label(ctx context.Context, from, to string) error {
	if err := apart(from, to); err != nil {
		return err
	}
	recs, err := readAll(from)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return cmdline.Usagef("OUT: %w", err)
	}
	defer f.Close()
	done, err := labelled(f, recs)
	if err != nil {
		return err
	}
	if err := goOn(l.By, to, done); err != nil {
		return err
	}
	if l.tellOf(to, done, len(recs)); done == len(recs) {
		return nil
	}
	if err := f.Truncate(int64(done * train.RecordSize)); err != nil {
		return err
	}
	if _, err := f.Seek(int64(done*train.RecordSize), io.SeekStart); err != nil {
		return err
	}
	return l.add(ctx, f, recs, done)
}

// tellOf says that the file has done of total labels.
func (l *Labels) tellOf(file string, done, total int) {
	whose := ""
	if _, err := os.Stat(beside(file)); l.By != "" && err == nil {
		whose = " by " + l.By
	}
	switch {
	case l.Say == nil || done == 0 && total > 0:
	case done == total:
		l.Say(fmt.Sprintf("%s has all %d labels%s: nothing to do", file, total, whose))
	default:
		l.Say(fmt.Sprintf("%s has %d of %d labels%s: adding the others", file, done, total, whose))
	}
}

// add appends the labels of recs[done:] to f.
func (l *Labels) add(ctx context.Context, f *os.File, recs []train.Record, done int) error {
	parts := shard.Each{From: done, To: len(recs), Size: l.chunk(), Piece: func(r shard.Range) shard.Piece {
		return shard.Piece{Key: r.Key(), Ask: train.AskLabels(keysOf(recs[r.From:r.To]))}
	}}
	first, last := done, time.Now()
	err := parts.Do(ctx, l.Crew, func(r shard.Range, res shard.Result) error {
		labels, err := train.ReadLabels(res.Data, r.To-r.From)
		if err != nil {
			return err
		}
		var b []byte
		for i, rec := range recs[r.From:r.To] {
			b = (&train.Record{Key: rec.Key, Label: labels[i], Group: rec.Group}).Append(b)
		}
		if _, err := f.Write(b); err != nil {
			return err
		}
		if l.Show != nil && time.Since(last) > showEvery {
			last = time.Now()
			l.Show("labels", r.To-first, len(recs)-first)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return f.Sync()
}

// chunk is how many labels are written at a time, some seconds' worth at most: unwritten ones
// are lost when the process is killed.
func (l *Labels) chunk() int {
	switch {
	case l.Size > 0:
		return l.Size
	case l.Plies > 2:
		return 4
	case l.Plies > 0:
		return 100
	}
	return 4096
}

// showEvery is the time between two reports of progress.
var showEvery = 10 * time.Second

// labelled returns how many of recs are labelled in f. A
// file that holds anything but the first of them, and perhaps part of the next, belongs to
// other positions and is left unchanged.
func labelled(f *os.File, recs []train.Record) (done int, err error) {
	b, r := make([]byte, train.RecordSize), bufio.NewReaderSize(f, 1<<16)
	for ; ; done++ {
		switch _, err := io.ReadFull(r, b); {
		case err == io.EOF || err == io.ErrUnexpectedEOF && done < len(recs):
			return done, nil
		case err != nil && err != io.ErrUnexpectedEOF:
			return 0, err
		case done == len(recs):
			return 0, cmdline.Usagef("OUT: %s has more than the %d positions of IN: it was made from another file", f.Name(), len(recs))
		}
		var have train.Record
		if have.Parse(b); have.Key != recs[done].Key {
			return 0, cmdline.Usagef("OUT: %s, record %d is another position than in IN: it was made from another file", f.Name(), done)
		}
	}
}

// Positions identifies the positions of a record file by a checksum, and asks for position k
// alone, to time labels.
func Positions(path string) (sum string, ask func(k int) []byte, err error) {
	recs, err := readAll(path)
	if err != nil {
		return "", nil, err
	}
	h := sha256.New()
	for i := range recs {
		h.Write(recs[i].Key[:])
	}
	few := keysOf(recs[:min(len(recs), 100)])
	if len(few) == 0 {
		few = []board.Key{board.Start.Key()}
	}
	return hex.EncodeToString(h.Sum(nil)), func(k int) []byte {
		return train.AskLabels(few[len(few)*(k%3)/3:][:1])
	}, nil
}

func keysOf(recs []train.Record) []board.Key {
	keys := make([]board.Key, len(recs))
	for i := range recs {
		keys[i] = recs[i].Key
	}
	return keys
}

// ByOf tells all on which labels depend besides the positions. It is stored beside a file of
// labels, FILE.by, so that no other nets add to the file: labels do not show who made them, and
// a mix silently corrupts a net. The error, of an unusable weights file, is
// a [cmdline.UsageError].
func ByOf(o train.Options, plies int) (string, error) {
	set, err := weights.Load(o.Weights)
	if err != nil {
		return "", cmdline.AsUsage(err)
	}
	data := weights.File()
	if o.Weights != "" {
		if data, err = os.ReadFile(o.Weights); err != nil {
			return "", cmdline.AsUsage(err)
		}
	}
	by := fmt.Sprintf("%s (%x), --plies %d", set.Manifest.Name, sha256.Sum256(data), plies)
	if o.BearoffDir != "" {
		by += ", --bearoff-dir " + filepath.Clean(o.BearoffDir)
	}
	return by, nil
}

// beside returns the name of the file that says who made a file of labels.
func beside(labels string) string { return labels + ".by" }

// goOn refuses to add labels of by to the file of that name, which has done labels. A file
// without a .by and an empty by are not checked. A file without labels becomes by's.
func goOn(by, labels string, done int) error {
	if by == "" {
		return nil
	}
	if done == 0 {
		return atomicfile.WriteBytes(beside(labels), 0o644, []byte(by+"\n"))
	}
	had, err := os.ReadFile(beside(labels))
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && string(had) == by+"\n":
		return nil
	case err != nil:
		return cmdline.Usagef("OUT: read who made the labels: %w", err)
	}
	return cmdline.Usagef("OUT: %s has labels of %.200q, not of %q (use another OUT, or the same settings)", labels, bytes.TrimSpace(had), by)
}

// readAll reads a whole record file. A record that is not of a position is the user's mistake
// and named by file and record.
func readAll(path string) ([]train.Record, error) {
	recs, err := train.ReadRecords(nil, path)
	return recs, cmdline.AsUsage(err)
}

// apart refuses to write over the input.
func apart(from, to string) error {
	a, err := os.Stat(from)
	if err != nil {
		return nil // reading it reports the error
	}
	if b, err := os.Stat(to); err == nil && os.SameFile(a, b) {
		return cmdline.Usagef("IN and OUT are the same file: %s", to)
	}
	return nil
}

// Games prepares self-play for n positions: it checks the settings, hides the positions in
// DIR/PREFIX-*.grp and in the files to avoid, calling tell for each, and returns the games as
// [train.SelfPlay.Spec] writes them.
func Games(sp *train.SelfPlay, dir, prefix, mix string, avoid []string, n int, tell func(path string, n int)) ([]byte, error) {
	if err := train.ParseMix(mix, &sp.Weights); err != nil {
		return nil, cmdline.Usagef("--mix: %w", err)
	}
	switch {
	case (sp.Trace > 0) != (sp.Siblings > 0):
		return nil, cmdline.Usagef("--trace and --siblings go together")
	case sp.Siblings == 1:
		return nil, cmdline.Usagef("--siblings: 1 is not 2 to %d", train.MaxSiblings)
	case sp.Horizon > 0 && sp.Siblings == 0:
		return nil, cmdline.Usagef("--horizon: needs --siblings")
	case sp.Horizon == 1:
		return nil, cmdline.Usagef("--horizon: 1 is not 2 to %d", train.MaxHorizon)
	case prefix != filepath.Base(prefix):
		return nil, cmdline.Usagef("--prefix: %q is not the beginning of a file name", prefix)
	}
	if info, err := os.Stat(dir); dir == "" || err == nil && !info.IsDir() {
		return nil, cmdline.Usagef("--out: %q is not a folder", dir)
	}
	of, err := sp.Spec()
	if err != nil {
		return nil, cmdline.AsUsage(fmt.Errorf("--mix: %w", err))
	}
	sp.Seen = train.KeySet{}
	if err := families.Hide(sp.Seen); err != nil {
		return nil, err
	}
	for _, path := range avoid {
		recs, err := readAll(path)
		if err != nil {
			return nil, fmt.Errorf("--avoid: %w", err)
		}
		for i := range recs {
			sp.Seen.Add(recs[i].Key)
			sp.Group = max(sp.Group, recs[i].Group)
		}
		tell(path, len(recs))
	}
	if err := sp.KnowAll(dir, prefix, tell); err != nil {
		return nil, cmdline.AsUsage(err)
	}
	return of, nil
}

// check refuses a net that cannot be made, before data are read.
func (f *FitRun) check() error {
	if err := f.Shape.Validate(); err != nil {
		return cmdline.AsUsage(err)
	}
	if f.Checkpoint == "" {
		return nil
	}
	return cmdline.WantParent("CHECKPOINT", f.Checkpoint)
}
