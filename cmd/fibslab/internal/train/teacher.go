package train

import (
	"bufio"
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"

	"fibsbot/bearoff"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/nn"
	"fibsbot/engine/search"
	"fibsbot/internal/subprocess"
	"fibsbot/weights"
)

// Teacher labels positions: for each key the chances of its player on roll, at
// the given number of plies of search. out has the length of keys. Teachers are
// not safe for concurrent use.
type Teacher interface {
	Label(ctx context.Context, keys []board.Key, plies int, out []Label) error
}

// Gnubg is a GNU Backgammon process that labels batches (cmd/fibslab/internal/train/gnubg).
// Only training uses it; no program that plays needs it.
type Gnubg struct {
	cmd  *exec.Cmd
	to   *bufio.Writer
	raw  *os.File
	rd   *os.File
	in   *bufio.Reader
	buf  []byte
	made string // the folder of the script, removed at the end
}

// ErrTeacher means that an outside teacher failed or answered nonsense.
var ErrTeacher = errors.New("teacher failed")

// labelFiles are label.py and its helper.
//
//go:embed gnubg/label.py gnubg/fast.c
var labelFiles embed.FS

// debianGnubg is where Debian has gnubg, which need not be in PATH.
var debianGnubg = "/usr/games/gnubg"

// FindGnubg returns the path of gnubg. The error wraps [os.ErrNotExist].
func FindGnubg() (string, error) {
	path, err := exec.LookPath("gnubg")
	if err == nil {
		return path, nil
	}
	if _, err := exec.LookPath(debianGnubg); err != nil {
		return "", fmt.Errorf("gnubg is not installed: neither in PATH nor at %s: %w", debianGnubg, os.ErrNotExist)
	}
	return debianGnubg, nil
}

// unpackLabels writes the script to a new folder.
func unpackLabels() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "fibsbot-gnubg-"); err != nil {
		return "", fmt.Errorf("%w: label.py: %w", ErrTeacher, err)
	}
	for _, name := range []string{"label.py", "fast.c"} {
		data, err := labelFiles.ReadFile("gnubg/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
		}
		if err != nil {
			return "", errors.Join(fmt.Errorf("%w: label.py: %w", ErrTeacher, err), os.RemoveAll(dir))
		}
	}
	return dir, nil
}

// StartGnubg starts gnubg with the script label.py. It stops when ctx ends or Close is called. The
// error wraps [ErrTeacher], and [os.ErrNotExist] if gnubg is missing.
func StartGnubg(ctx context.Context) (*Gnubg, error) {
	path, err := FindGnubg()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTeacher, err)
	}
	dir, err := unpackLabels()
	if err != nil {
		return nil, err
	}
	g, err := startGnubg(ctx, path, dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	g.made = dir
	return g, nil
}

// startGnubg starts the program at path with the script in dir.
func startGnubg(ctx context.Context, path, dir string) (*Gnubg, error) {
	script := filepath.Join(dir, "label.py")
	reqR, reqW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	ansR, ansW, err := os.Pipe()
	if err != nil {
		reqR.Close()
		reqW.Close()
		return nil, err
	}
	cmd := subprocess.Command(ctx, path, "-t", "-q", "-r", "-p", script)
	cmd.Env = append(cmd.Env, "LABEL=serve", "LABEL_DIR="+dir)
	cmd.ExtraFiles = []*os.File{reqR, ansW}
	cmd.Stderr = os.Stderr
	err = cmd.Start()
	reqR.Close()
	ansW.Close()
	if err != nil {
		reqW.Close()
		ansR.Close()
		return nil, fmt.Errorf("%w: gnubg: %w", ErrTeacher, err)
	}
	return &Gnubg{cmd: cmd, to: bufio.NewWriterSize(reqW, 1<<16), raw: reqW, rd: ansR,
		in: bufio.NewReaderSize(ansR, 1<<16)}, nil
}

// Label implements Teacher.
func (g *Gnubg) Label(ctx context.Context, keys []board.Key, plies int, out []Label) error {
	const most = 1 << 16
	for len(keys) > most {
		if err := g.Label(ctx, keys[:most], plies, out[:most]); err != nil {
			return err
		}
		keys, out = keys[most:], out[most:]
	}
	if len(keys) == 0 {
		return nil
	}
	var head [8]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(keys)))
	binary.LittleEndian.PutUint32(head[4:], uint32(plies))
	g.to.Write(head[:])
	for i := range keys {
		g.to.Write(keys[i][:])
	}
	if err := g.to.Flush(); err != nil {
		return fmt.Errorf("%w: gnubg: %w", ErrTeacher, err)
	}
	if cap(g.buf) < 10*len(keys) {
		g.buf = make([]byte, 10*len(keys))
	}
	b := g.buf[:10*len(keys)]
	if _, err := io.ReadFull(g.in, b); err != nil {
		return fmt.Errorf("%w: gnubg: %w", ErrTeacher, err)
	}
	for i := range out[:len(keys)] {
		for j := range out[i] {
			out[i][j] = binary.LittleEndian.Uint16(b[10*i+2*j:])
		}
	}
	return nil
}

// CubeQuestion is a cube decision of the player on roll, who has access to the cube.
type CubeQuestion struct {
	Key   board.Key
	State match.State
}

// askCubes marks a request for cube decisions.
const askCubes = 1 << 31

// Cube answers a cube question at a depth with the cubeful equities of no double, double and
// take, double and pass, normalised to the cube.
func (g *Gnubg) Cube(q CubeQuestion, plies int) (equities [3]float32, err error) {
	st := q.State
	if st.Owner == match.Theirs || st.Crawford || st.Length > 255 || st.Cube > 255 {
		return equities, fmt.Errorf("%w: gnubg cannot judge this cube", ErrTeacher)
	}
	b := binary.LittleEndian.AppendUint32(nil, 1)
	b = binary.LittleEndian.AppendUint32(b, askCubes|uint32(plies))
	b = append(b, q.Key[:]...)
	jacoby := byte(0)
	if st.Jacoby {
		jacoby = 1
	}
	b = append(b, byte(st.Length), byte(st.Score[0]), byte(st.Score[1]), byte(st.Cube), byte(st.Owner), jacoby)
	g.to.Write(b)
	if err := g.to.Flush(); err != nil {
		return equities, fmt.Errorf("%w: gnubg: %w", ErrTeacher, err)
	}
	var answer [12]byte
	if _, err := io.ReadFull(g.in, answer[:]); err != nil {
		return equities, fmt.Errorf("%w: gnubg: %w", ErrTeacher, err)
	}
	for i := range equities {
		equities[i] = math.Float32frombits(binary.LittleEndian.Uint32(answer[4*i:]))
	}
	return equities, nil
}

// Close ends the process.
func (g *Gnubg) Close() error {
	g.raw.Close()
	g.rd.Close()
	_ = g.cmd.Cancel()
	_ = g.cmd.Wait()
	return os.RemoveAll(g.made)
}

// Options say how a teacher is made.
type Options struct {
	Weights    string // weights file, "" for the embedded one
	BearoffDir string // folder of bigger databases, "" for none
	Threads    int    // for callers: teachers at a time
}

// Open opens the engine of the options. The error is a [cmdline.UsageError].
func (o Options) Open() (*engine.Engine, error) {
	e, err := engine.Open(engine.Options{Weights: o.Weights, BearoffDir: o.BearoffDir, Threads: 1})
	if err != nil {
		return nil, cmdline.AsUsage(err)
	}
	return e, nil
}

// Own labels by the search of an engine.
func Own(e *engine.Engine) Teacher { return &own{e: e, static: e.Model().Evaluator()} }

type own struct {
	e      *engine.Engine
	static eval.Evaluator
}

// Label implements Teacher.
func (t *own) Label(ctx context.Context, keys []board.Key, plies int, out []Label) error {
	st := match.Money(false, 0)
	for i, k := range keys {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := board.FromKey(k)
		if err != nil {
			return err
		}
		if p.Result() != 0 || plies == 0 {
			out[i] = LabelOf(t.static.Eval(&p))
			continue
		}
		// One ply is searched in full: replies that the small net leaves out cost a side 0.0001 to
		// 0.0015 points a ply, which add up to 0.02 in the labels of long games.
		v, err := t.e.Search().Evaluate(ctx, p, st, search.Settings{Plies: plies, Prune: plies > 1})
		if err != nil {
			return err
		}
		out[i] = LabelOf(v.Probs)
	}
	return nil
}

// OpenStatic opens a weights file, "" being the embedded one, with the small databases that the
// engine always has, as gnubg has its own, and returns its static evaluation. The error is a
// [cmdline.UsageError] if the file cannot be used.
func OpenStatic(path string) (eval.Evaluator, *nn.Set, error) {
	set, err := weights.Load(path)
	if err != nil {
		return nil, nil, cmdline.AsUsage(err)
	}
	m, err := eval.NewModel(set, bearoff.NewSource(bearoff.Options{}))
	if err != nil {
		return nil, nil, err
	}
	return m.Evaluator(), set, nil
}
