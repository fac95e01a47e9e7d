package pipeline

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
)

// number is the value of a flag, with its bounds.
type number struct {
	flag      string
	value     float64
	low, high float64
	above     bool // low itself is out of bounds
}

// many bounds counts: larger ones are typing mistakes.
const many = 1 << 40

// inRange returns the error of the first number out of its bounds, as NaN is, or nil.
func inRange(numbers ...number) error {
	for _, n := range numbers {
		if n.value >= n.low && n.value <= n.high && !(n.above && n.value == n.low) {
			continue
		}
		want := fmt.Sprintf("between %v and %v", n.low, n.high)
		switch {
		case n.above && n.high >= many:
			want = fmt.Sprintf("above %v", n.low)
		case n.above:
			want = fmt.Sprintf("above %v and at most %v", n.low, n.high)
		case n.high >= many && (n.value < n.low || math.IsNaN(n.value)):
			want = fmt.Sprintf("at least %v", n.low)
		}
		return teacher.Wrong("--%s: %v is not %s", n.flag, n.value, want)
	}
	return nil
}

// count is a number of things, at least low.
func count(flag string, n, low int) number {
	return number{flag: flag, value: float64(n), low: float64(low), high: many}
}

// threads is a number of threads; 0 means one, or all.
func threads(n int) number { return number{flag: "threads", value: float64(n), high: 1024} }

// readAll reads a whole record file. A record that is not of a position is the user's mistake
// and named by file and record.
func readAll(path string) ([]train.Record, error) {
	if err := train.CheckRecords(path); err != nil {
		return nil, teacher.Mistake(err)
	}
	recs, err := train.ReadRecords(nil, path)
	if err != nil {
		return nil, teacher.Mistake(err)
	}
	for i := range recs {
		if _, err := board.FromKey(recs[i].Key); err != nil {
			return nil, teacher.Wrong("records %s, record %d: %w: %w", path, i, train.ErrBadRecord, err)
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
		return teacher.Wrong("IN and OUT are the same file: %s", to)
	}
	return nil
}

// wantParent refuses a file that could not be written at the end of the work.
func wantParent(what, file string) error {
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return teacher.Wrong("%s: %s: no folder %s", what, file, filepath.Dir(file))
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return teacher.Wrong("%s: %s is a folder", what, file)
	}
	return nil
}

// Games prepares self-play for n positions: it checks the settings, hides the positions in
// DIR/PREFIX-*.grp and in the files to avoid, calling tell for each, and returns the games as
// [train.SelfPlay.Spec] writes them.
func Games(sp *train.SelfPlay, dir, prefix, mix string, avoid []string, n int, tell func(path string, n int)) ([]byte, error) {
	err := inRange(count("positions", n, 1), number{flag: "games", value: float64(sp.Games), low: 1, high: 1 << 20},
		number{flag: "plies", value: float64(sp.Plies), high: 9}, number{flag: "trace", value: sp.Trace, high: 1})
	if err != nil {
		return nil, err
	}
	if err := train.ParseMix(mix, &sp.Weights); err != nil {
		return nil, teacher.Wrong("--mix: %w", err)
	}
	switch {
	case (sp.Trace > 0) != (sp.Siblings > 0):
		return nil, teacher.Wrong("--trace and --siblings go together")
	case sp.Siblings == 1:
		return nil, teacher.Wrong("--siblings: 1 is not 2 to %d", train.MaxSiblings)
	case sp.Horizon > 0 && sp.Siblings == 0:
		return nil, teacher.Wrong("--horizon: needs --siblings")
	case sp.Horizon == 1:
		return nil, teacher.Wrong("--horizon: 1 is not 2 to %d", train.MaxHorizon)
	case prefix != filepath.Base(prefix):
		return nil, teacher.Wrong("--prefix: %q is not the beginning of a file name", prefix)
	}
	if info, err := os.Stat(dir); dir == "" || err == nil && !info.IsDir() {
		return nil, teacher.Wrong("--out: %q is not a folder", dir)
	}
	of, err := sp.Spec()
	if err != nil {
		return nil, teacher.Mistake(fmt.Errorf("--mix: %w", err))
	}
	sp.Seen = train.NewKeySet(n)
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
		return nil, teacher.Mistake(err)
	}
	return of, nil
}

// check refuses settings that no fit can have, before data are read.
func (f *FitRun) check() error {
	if err := f.Shape.Validate(); err != nil {
		return teacher.Mistake(err)
	}
	if err := inRange(number{flag: "millions", value: f.Millions, high: 1e9, above: true}, number{flag: "report", value: f.Every, high: 1e9, above: true},
		number{flag: "batch", value: float64(f.Batch), low: 1, high: 1 << 20}, number{flag: "rate", value: f.Rate, high: 1, above: true},
		number{flag: "end-rate", value: f.EndRate, high: 1}, threads(f.Threads),
		number{flag: "sync", value: float64(f.Sync), low: 1, high: 1 << 20}); err != nil {
		return err
	}
	if f.Checkpoint == "" {
		return nil
	}
	return wantParent("CHECKPOINT", f.Checkpoint)
}
