package pipeline

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/nn"
	"fibsbot/internal/shard"
)

// Labels says who labels and how.
type Labels struct {
	Teacher train.Teacher // nil if Crew labels
	Plies   int
	// Threads is how many goroutines label, if the teacher is a Forker; 0 is one for each
	// processor.
	Threads int
	// Crew labels, up to Size positions in a piece; nil is this process. The labels do not depend
	// on it.
	Crew shard.Crew
	Size int
	// By, unless nil, is stored beside the labels; labels of another By are not added to.
	By *By
	// Show, unless nil, is called every ten seconds with how many of the missing labels are done.
	Show func(what string, done, total int)
	// Say, unless nil, is called with a line about the labels that exist already.
	Say func(line string)
}

// Label labels the positions of the record file from, appending to the file to, which it
// resumes. The error wraps [teacher.ErrOptions] if from is not a record file, or to has labels
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
		return wrong("OUT: %w", err)
	}
	defer f.Close()
	size := train.SizeOf(to)
	done, err := labelled(f, size, recs)
	if err != nil {
		return err
	}
	if err := l.By.goOn(to, done); err != nil {
		return err
	}
	if l.tellOf(to, done, len(recs)); done == len(recs) {
		return nil
	}
	if err := f.Truncate(int64(done * size)); err != nil {
		return err
	}
	if _, err := f.Seek(int64(done*size), io.SeekStart); err != nil {
		return err
	}
	return l.add(ctx, f, size, recs, done)
}

// tellOf says that the file has done of total labels.
func (l *Labels) tellOf(file string, done, total int) {
	whose := ""
	if _, err := os.Stat(beside(file)); l.By != nil && err == nil {
		whose = " by " + l.By.String()
	}
	switch {
	case l.Say == nil || done == 0 && total > 0:
	case done == total:
		l.Say(fmt.Sprintf("%s has all %d labels%s: nothing to do", file, total, whose))
	default:
		l.Say(fmt.Sprintf("%s has %d of %d labels%s: adding the others", file, done, total, whose))
	}
}

// add appends the labels of recs[done:] to f, whose records have that size.
func (l *Labels) add(ctx context.Context, f *os.File, size int, recs []train.Record, done int) error {
	crew, chunk := l.Crew, l.Size
	if crew == nil {
		chunk = l.chunk()
		crew = train.Crew(l.Teacher, l.Threads, func(t train.Teacher) shard.Runner { return train.Labeller(t, l.Plies) })
	}
	parts := shard.Each{From: done, To: len(recs), Size: chunk, Piece: func(r shard.Range) shard.Piece {
		return shard.Piece{Key: r.Key(), Ask: train.AskLabels(keysOf(recs[r.From:r.To]))}
	}}
	first, last := done, time.Now()
	err := parts.Do(ctx, crew, func(r shard.Range, res shard.Result) error {
		labels, err := train.ReadLabels(res.Data, r.To-r.From)
		if err != nil {
			return err
		}
		var b []byte
		for i, rec := range recs[r.From:r.To] {
			b = (&train.Record{Key: rec.Key, Label: labels[i], Group: rec.Group}).AppendSized(b, size)
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
		return teacher.Stopped(ctx, err)
	}
	return f.Sync()
}

// chunk is how many labels are written at a time, some seconds' worth at most: unwritten ones
// are lost when the process is killed.
func (l *Labels) chunk() int {
	switch {
	case l.By != nil && strings.HasPrefix(l.By.Teacher, "rollout:"):
		return 1
	case l.By != nil && strings.HasPrefix(l.By.Teacher, "exec:") || l.Plies > 2:
		return 4
	case l.Plies > 0:
		return 100
	}
	return 4096
}

// showEvery is the time between two reports of progress.
var showEvery = 10 * time.Second

// labelled returns how many of recs are labelled in f, a file with records of that size. A
// file that holds anything but the first of them, and perhaps part of the next, belongs to
// other positions and is left unchanged.
func labelled(f *os.File, size int, recs []train.Record) (done int, err error) {
	b, r := make([]byte, size), bufio.NewReaderSize(f, 1<<16)
	for ; ; done++ {
		switch _, err := io.ReadFull(r, b); {
		case err == io.EOF || err == io.ErrUnexpectedEOF && done < len(recs):
			return done, nil
		case err != nil && err != io.ErrUnexpectedEOF:
			return 0, err
		case done == len(recs):
			return 0, wrong("OUT: %s has more than the %d positions of IN: it was made from another file", f.Name(), len(recs))
		}
		var have train.Record
		if have.Parse(b); have.Key != recs[done].Key {
			return 0, wrong("OUT: %s, record %d is another position than in IN: it was made from another file", f.Name(), done)
		}
	}
}

// LabelExactly labels by the bearoff databases, including those in dir, and writes the few
// positions that they know to the file to.
func LabelExactly(from, to, dir string, tell func(known, of int)) error {
	if err := apart(from, to); err != nil {
		return err
	}
	recs, err := readAll(from)
	if err != nil {
		return err
	}
	if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
		return wrong("--bearoff-dir: %s is not a folder", dir)
	}
	known := teacher.FromBearoff(recs, dir)
	tell(len(known), len(recs))
	if err := train.WriteRecords(to, known); err != nil {
		return err
	}
	if err := os.Remove(beside(to)); !errors.Is(err, fs.ErrNotExist) {
		return err // of the earlier labels
	}
	return nil
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

// Panel holds the nets towards whose mean judgement Mix moves labels: checkpoints of one kind,
// and static evaluations of weights files ("" is the embedded one).
type Panel struct{ Nets, Weights []string }

// Mix writes those positions of from that the judges can judge to the file to, with labels
// moved by share towards the judges' mean, and returns their number and how many of from were
// left out.
func Mix(from, to string, j Panel, share float64, crowd int) (kept, left int, err error) {
	if err := inRange(number{flag: "share", value: share, high: 1}, threads(crowd)); err != nil {
		return 0, 0, err
	}
	if len(j.Nets)+len(j.Weights) == 0 {
		return 0, 0, wrong("give at least one --net or --weights")
	}
	if err := apart(from, to); err != nil {
		return 0, 0, err
	}
	recs, err := readAll(from)
	if err != nil {
		return 0, 0, err
	}
	all, n := len(recs), max(crowd, 1)
	judges := make([][]train.Many, n)
	kind := train.Kind("")
	for _, file := range j.Weights {
		for i := range judges {
			judge, _, err := teacher.Static(file)
			if err != nil {
				return 0, 0, err
			}
			judges[i] = append(judges[i], train.StaticMany{Static: judge})
		}
	}
	for _, file := range j.Nets {
		shape, p, err := train.LoadStart(file)
		if err != nil {
			return 0, 0, mistake{err}
		}
		if kind != "" && shape.Kind != kind {
			return 0, 0, wrong("%s is a %s net, the others are %s nets", file, shape.Kind, kind)
		}
		kind = shape.Kind
		for i := range judges {
			judges[i] = append(judges[i], train.NewProbe(shape, p))
		}
	}
	if kind == "" {
		kind = train.KindContact
	}
	recs = kind.Keep(recs)
	var wg sync.WaitGroup
	for i := range n {
		part := recs[len(recs)*i/n : len(recs)*(i+1)/n]
		wg.Go(func() { train.Mix(part, judges[i], share) })
	}
	wg.Wait()
	return len(recs), all - len(recs), train.WriteRecords(to, recs)
}

// ClassFile is the name of the file with the positions of a class of net.
func ClassFile(class string) string { return strings.ReplaceAll(class, "/", "-") + ".grp" }

// Split writes the positions of files to folder/ClassFile and calls show with each class and
// its number of positions.
func Split(folder string, files []string, show func(class string, n int) error) error {
	into, base := map[string][]train.Record{}, uint32(0)
	for _, file := range files {
		recs, err := readAll(file)
		if err != nil {
			return err
		}
		base = train.SplitClasses(into, recs, base)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return wrong("FOLDER: %w", err)
	}
	for _, class := range nn.Classes() {
		if len(into[class]) == 0 {
			continue
		}
		if err := train.WriteRecords(filepath.Join(folder, ClassFile(class)), into[class]); err != nil {
			return err
		}
		if err := show(class, len(into[class])); err != nil {
			return err
		}
	}
	return nil
}

// Sample writes n positions or a few more of from to the file to: whole decisions of at least
// two siblings, in an order drawn by seed. It writes fewer if from has no more.
func Sample(from, to string, n int, seed uint64) (int, error) {
	if err := apart(from, to); err != nil {
		return 0, err
	}
	recs, err := readAll(from)
	if err != nil {
		return 0, err
	}
	var groups [][]train.Record
	for i := 0; i < len(recs); {
		j := i + 1
		for j < len(recs) && recs[i].Group != 0 && recs[j].Group == recs[i].Group {
			j++
		}
		if j-i > 1 {
			groups = append(groups, recs[i:j])
		}
		i = j
	}
	rng := rand.New(rand.NewPCG(seed, 0x5a3))
	rng.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	var out []train.Record
	for _, g := range groups {
		if len(out) >= n {
			break
		}
		out = append(out, g...)
	}
	return len(out), train.WriteRecords(to, out)
}
