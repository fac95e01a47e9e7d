package bearoff

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"time"
	"unsafe"

	"fibsbot/internal/atomicfile"
	"fibsbot/internal/lockfile"
)

// BuildOptions say which database to make and where.
type BuildOptions struct {
	Kind     Kind
	Points   int // of all but hypergammon
	Checkers int
	Path     string // the finished file; unfinished work is kept in Path + ".part"
	Threads  int    // 0: all cores
	// Memory is how many bytes of the unfinished work may stay in memory, 0 for no
	// limit. The rest waits on disk; a small limit makes the build slower.
	Memory   uint64
	Progress Progress
	Note     func(text string) // told about resuming and starting over; may be nil

	every time.Duration // between checkpoints
}

// checkpointEvery bounds the work lost in a power cut.
const checkpointEvery = 10 * time.Second

// FileName is the usual name of a database of this shape.
func FileName(kind Kind, points, checkers int) string {
	switch kind {
	case KindOneSided:
		return fmt.Sprintf("one-%dx%d.bearoff", checkers, points)
	case KindNormal:
		return fmt.Sprintf("approx-%dx%d.bearoff", checkers, points)
	case KindTwoSided:
		return fmt.Sprintf("two-%dx%d.bearoff", checkers, points)
	}
	return fmt.Sprintf("hyper-%d.bearoff", checkers)
}

// state is what a checkpoint remembers besides the arrays of a builder.
type state struct {
	Layer  int     `json:"layer"`           // the next one
	Used   uint64  `json:"used,omitempty"`  // values of a one-sided database
	Round  int     `json:"round,omitempty"` // of hypergammon, and the largest change so far in it
	Change float32 `json:"change,omitempty"`
}

// builder is what the builders have in common.
type builder interface {
	run(ctx context.Context, threads int, report Progress) error
	restore(s state) error
	sections() [][][]byte
}

// Build makes a database file. When ctx ends it returns ctx's error with the
// work so far kept beside Path; calling it again goes on from there. A file
// that exists is replaced only by a finished one.
func Build(ctx context.Context, o BuildOptions) (Info, error) {
	info := Info{Kind: o.Kind, Version: o.Kind.version(), Points: o.Points, Checkers: o.Checkers, Path: o.Path}
	if o.Kind == KindHyper {
		info.Points = hyperPoints
	}
	if err := CheckShape(o.Kind, o.Points, o.Checkers); err != nil {
		return info, err
	}
	if err := atomicfile.Check(o.Path); err != nil {
		return info, err
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	o.every = cmp.Or(o.every, checkpointEvery)
	if work, file := needs(o.Kind, o.Points, o.Checkers); work+file > noteworthy {
		o.Note(fmt.Sprintf("disk needed in %s: %.1f GB for the unfinished work, then %.1f GB for the database",
			filepath.Dir(o.Path), float64(work)/1e9, float64(file)/1e9))
	}
	work, begun, err := openScratch(info, o)
	if err != nil {
		return info, err
	}
	defer work.release()
	var b builder
	switch o.Kind {
	case KindOneSided:
		b, err = newBuilder1(o.Points, o.Checkers, work)
	case KindNormal:
		b, err = newBuilderN(o.Points, o.Checkers, work)
	case KindTwoSided:
		b, err = newBuilder2(o.Points, o.Checkers, work)
	default:
		b, err = newBuilder3(o.Checkers, work)
	}
	if err == nil && begun != nil {
		err = b.restore(*begun)
	}
	if err != nil {
		return info, err
	}
	if err := b.run(ctx, o.Threads, o.Progress); err != nil {
		return info, errors.Join(err, work.flush())
	}
	if err := writeFile(o.Path, info, b.sections()...); err != nil {
		return info, errors.Join(err, work.flush())
	}
	if err := work.remove(); err != nil {
		return info, err
	}
	return ReadInfo(o.Path)
}

// noteworthy is from how many bytes on a builder says what it needs.
const noteworthy = 1 << 28

// needs returns the bytes that pairs of placements take while they are made and
// when they are finished, and what approximate one-sided databases do; 0 for
// one-sided ones, whose size shows only then.
func needs(kind Kind, points, checkers int) (work, file uint64) {
	switch kind {
	case KindTwoSided:
		n := Size(points, checkers)
		return n * n * (16 + twoRecord), n * n * twoRecord
	case KindNormal:
		n, first := Size(points, checkers), uint64(0)
		if checkers == MaxCheckers {
			first = n - Size(points, checkers-1)
		}
		// Means, mean squares and best moves of both goals, order and entries.
		return (n+first)*(8+8+72) + n*(4+normalRecord), n * normalRecord
	case KindHyper:
		n := Size(hyperPoints, checkers)
		return n * n * hyperRecord, n * n * hyperRecord
	}
	return 0, 0
}

// CheckShape reports, in one line, a database that cannot be built.
func CheckShape(kind Kind, points, checkers int) error {
	switch kind {
	case KindOneSided, KindNormal:
		return checkSize(points, checkers, MaxPoints)
	case KindTwoSided:
		return checkSize(points, checkers, 6)
	case KindHyper:
		return checkHyper(checkers)
	}
	return fmt.Errorf("bearoff database of unknown %v", kind)
}

// saved is the file that makes scratch arrays worth something.
type saved struct {
	Format   int             `json:"format"`
	Kind     Kind            `json:"kind"`
	Points   int             `json:"points"`
	Checkers int             `json:"checkers"`
	State    json.RawMessage `json:"state"`
	Sum      uint32          `json:"sum"` // CRC-32C of State
}

const scratchFormat = 1

// scratch is a workspace in a folder of files.
type scratch struct {
	dir     string
	info    Info
	fresh   bool
	memory  uint64
	every   time.Duration
	last    time.Time
	took    time.Duration // the last time: big arrays are not written all the time
	pending *state
	used    uint64
	arrays  []array
	unlock  func()
}

type array struct {
	data          []byte
	sync, release func() error
	file          *os.File
}

// openScratch opens the folder of unfinished work; the state is nil when there is
// none that can be used.
func openScratch(info Info, o BuildOptions) (*scratch, *state, error) {
	s := &scratch{dir: o.Path + ".part", info: info, memory: o.Memory, every: o.every, last: time.Now()}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return nil, nil, fmt.Errorf("unfinished bearoff database: %w", err)
	}
	unlock, err := lockfile.Take(filepath.Join(s.dir, "lock"), 0o644)
	if err != nil {
		return nil, nil, fmt.Errorf("unfinished bearoff database %s is in use by another build: %w", s.dir, err)
	}
	s.unlock = func() { _ = unlock() }
	text, err := os.ReadFile(filepath.Join(s.dir, "state.json"))
	if errors.Is(err, os.ErrNotExist) {
		s.fresh = true
		return s, nil, nil
	}
	var v saved
	var begun state
	if err != nil || json.Unmarshal(text, &v) != nil || v.Format != scratchFormat || v.Kind != info.Kind ||
		v.Points != info.Points || v.Checkers != info.Checkers || crc32.Checksum(v.State, castagnoli) != v.Sum || json.Unmarshal(v.State, &begun) != nil {
		o.Note("unfinished work in " + s.dir + " does not fit, starting over")
		s.fresh = true
		return s, nil, nil
	}
	o.Note("resuming the unfinished work in " + s.dir)
	return s, &begun, nil
}

func (s *scratch) alloc(name string, size uint64) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	flags := os.O_RDWR | os.O_CREATE
	if s.fresh {
		flags |= os.O_TRUNC
	}
	f, err := os.OpenFile(filepath.Join(s.dir, name), flags, 0o644)
	if err != nil {
		return nil, err
	}
	if err := reserve(f, size); err != nil {
		f.Close()
		return nil, fmt.Errorf("room for %d bytes in %s: %w", size, f.Name(), err)
	}
	a := array{file: f}
	if a.data, a.sync, a.release, err = mapScratch(f, size); err != nil {
		f.Close()
		return nil, fmt.Errorf("map %s: %w", f.Name(), err)
	}
	s.arrays = append(s.arrays, a)
	s.used += size
	return a.data, nil
}

func (s *scratch) checkpoint(now state) error {
	s.pending = &now
	if s.memory > 0 && s.used > s.memory {
		for _, a := range s.arrays {
			dropPages(a.data)
		}
	}
	if time.Since(s.last) < max(s.every, 10*s.took) {
		return nil
	}
	return s.flush()
}

// flush writes the arrays, then the state that vouches for them.
func (s *scratch) flush() error {
	if s.pending == nil {
		return nil
	}
	start := time.Now()
	for _, a := range s.arrays {
		if err := a.sync(); err != nil {
			return fmt.Errorf("save unfinished bearoff database: %w", err)
		}
	}
	state, err := json.Marshal(s.pending)
	if err != nil {
		return err
	}
	text, err := json.Marshal(saved{Format: scratchFormat, Kind: s.info.Kind, Points: s.info.Points,
		Checkers: s.info.Checkers, State: state, Sum: crc32.Checksum(state, castagnoli)})
	if err != nil {
		return err
	}
	s.last = time.Now()
	s.took = s.last.Sub(start)
	return atomicfile.WriteBytes(filepath.Join(s.dir, "state.json"), 0o644, text)
}

func (s *scratch) release() {
	for _, a := range s.arrays {
		_ = a.release()
		_ = a.file.Close()
	}
	s.arrays = nil
	if s.unlock != nil {
		s.unlock()
		s.unlock = nil
	}
}

func (s *scratch) remove() error {
	s.release()
	return os.RemoveAll(s.dir)
}

func (b *builder1) sections() [][][]byte {
	var vals [][]byte
	left := 2 * b.used
	for _, s := range b.segs {
		n := min(left, uint64(len(s)))
		vals = append(vals, s[:n])
		left -= n
	}
	return [][][]byte{{b.recs}, vals}
}

func (b *builder2) restore(s state) error { b.layer = s.Layer; return nil }

func (b *builder2) sections() [][][]byte { return [][][]byte{{b.table}} }

// workspace is where a builder keeps its arrays: on the heap, or in files that
// survive an interruption.
type workspace interface {
	// alloc returns zeroed memory of the given size, or, after an interruption,
	// what it held at the last checkpoint.
	alloc(name string, size uint64) ([]byte, error)
	// checkpoint remembers a state as belonging to the arrays as they are now.
	checkpoint(now state) error
}

type heap struct{}

func (heap) alloc(_ string, size uint64) ([]byte, error) {
	// As 64-bit words, so that cast finds every type aligned.
	w := make([]uint64, (size+7)/8)
	if size == 0 {
		return nil, nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), size), nil
}

func (heap) checkpoint(state) error { return nil }

// cast sees aligned bytes as values of T, in the byte order of this machine.
// It serves arrays that live and die with one build on one machine, never the
// finished files.
func cast[T any](p []byte) []T {
	if len(p) == 0 {
		return nil
	}
	var t T
	return unsafe.Slice((*T)(unsafe.Pointer(&p[0])), len(p)/int(unsafe.Sizeof(t)))
}

func segmentName(k int) string { return fmt.Sprintf("values-%03d", k) }
