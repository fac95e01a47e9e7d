package pipeline

import (
	"fmt"
	"os"
	"path/filepath"

	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/board"
)

// readAll reads a whole record file. A record that is not of a position is the user's mistake
// and named by file and record.
func readAll(path string) ([]train.Record, error) {
	if err := train.CheckRecords(path); err != nil {
		return nil, cmdline.AsUsage(err)
	}
	recs, err := train.ReadRecords(nil, path)
	if err != nil {
		return nil, cmdline.AsUsage(err)
	}
	for i := range recs {
		if _, err := board.FromKey(recs[i].Key); err != nil {
			return nil, cmdline.Usagef("records %s, record %d: %w: %w", path, i, train.ErrBadRecord, err)
		}
	}
	return recs, nil
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
