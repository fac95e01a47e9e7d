package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/subprocess"
)

// gnubgBatch is how many matches one gnubg reads: starting it takes a second.
const gnubgBatch = 40

// gnubgLimit bounds the time of one batch.
const gnubgLimit = 5 * time.Minute

// ErrGnubg is returned when gnubg cannot be run.
var ErrGnubg = errors.New("gnubg does not run")

// FindGnubg returns where gnubg is, empty where it is not installed.
func FindGnubg() string {
	for _, p := range []string{"gnubg", "/usr/games/gnubg", "gnubg-cli"} {
		if full, err := exec.LookPath(p); err == nil {
			return full
		}
	}
	return ""
}

// gnubg lets gnubg read match files, and compares what it then exports.
func (c *checker) gnubg(ctx context.Context, files []string) error {
	for len(files) > 0 {
		n := min(gnubgBatch, len(files))
		said, err := c.load(ctx, files[:n], true)
		if err == nil && complaint(said) != "" {
			// One of them: which one is seen when each is read alone.
			for _, f := range files[:n] {
				alone, err := c.load(ctx, []string{f}, false)
				if err != nil {
					return err
				}
				if line := complaint(alone); line != "" {
					c.wrong(c.rel(f), "gnubg says: %s", line)
				}
			}
		}
		if err != nil {
			return err
		}
		files = files[n:]
	}
	return nil
}

// load lets one gnubg read some files and returns what it says. What it exports is
// compared where compare is set.
func (c *checker) load(ctx context.Context, files []string, compare bool) (string, error) {
	dir, err := os.MkdirTemp("", "fibsbot-verify-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	var in strings.Builder
	in.WriteString("set confirm new off\nset confirm save off\n")
	for i, f := range files {
		// Under a name of ours: gnubg reads names with quotes in its own way.
		if err := copyTo(filepath.Join(dir, fmt.Sprintf("%d.sgf", i)), f); err != nil {
			return "", err
		}
		fmt.Fprintf(&in, "load match %d.sgf\nexport match mat %d.mat\n", i, i)
	}
	in.WriteString("quit\ny\n")
	ctx, cancel := context.WithTimeout(ctx, gnubgLimit)
	defer cancel()
	cmd := subprocess.Command(ctx, c.opt.Gnubg, "-t", "-q", "-r")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(in.String())
	said, err := cmd.CombinedOutput()
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%w: %s: %w", ErrGnubg, c.opt.Gnubg, err)
	}
	for i, f := range files {
		if compare {
			c.exported(f, filepath.Join(dir, fmt.Sprintf("%d.mat", i)))
		}
	}
	return string(said), nil
}

// exported compares a match with what gnubg made of it.
func (c *checker) exported(file, out string) {
	c.report.Gnubg++
	want, _, err := sgf.ReadFile(file)
	if err != nil {
		return // told, or moved since
	}
	got, err := readFile(out, mat.Read)
	switch {
	case err != nil:
		c.wrong(c.rel(file), "gnubg does not load it")
	default:
		if diff := samePlays(want, got, true); diff != "" {
			c.wrong(c.rel(file), "gnubg reads another match: %s", diff)
		}
	}
}

func copyTo(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// edited is what gnubg says when it exports a game with a position that was set up, as behind
// a hole: the .mat cannot hold it. The file it has read is all right.
const edited = "this game was edited during play"

// complaint returns the first line in which gnubg complains, or "".
func complaint(said string) string {
	for line := range strings.SplitSeq(said, "\n") {
		low := strings.ToLower(line)
		if strings.Contains(low, edited) {
			continue
		}
		for _, bad := range []string{"warning", "illegal", "unrecogni", "invalid", "not a valid", "error"} {
			if strings.Contains(low, bad) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}
