package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/subprocess"
)

// gnubgBatch is how many matches one gnubg process reads; starting it takes a second.
const gnubgBatch = 40

// gnubgLimit bounds the time of one batch.
const gnubgLimit = 5 * time.Minute

// ErrGnubg means that gnubg cannot be run.
var ErrGnubg = errors.New("gnubg cannot be run")

// FindGnubg returns the path of gnubg, or "".
func FindGnubg() string {
	for _, p := range []string{"gnubg", "/usr/games/gnubg", "gnubg-cli"} {
		if full, err := exec.LookPath(p); err == nil {
			return full
		}
	}
	return ""
}

// gnubg has gnubg read match files and compares what it exports.
func (c *checker) gnubg(ctx context.Context, files []string) error {
	for len(files) > 0 {
		n := min(gnubgBatch, len(files))
		said, err := c.load(ctx, files[:n], true)
		if err == nil && complaint(said) != "" {
			// To find which one, read each alone.
			for _, f := range files[:n] {
				alone, err := c.load(ctx, []string{f}, false)
				if err != nil {
					return err
				}
				if line := complaint(alone); line != "" {
					c.wrong(c.rel(f), "gnubg: %s", line)
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

// load has one gnubg read some files and returns its output. With compare it compares what
// gnubg exports.
func (c *checker) load(ctx context.Context, files []string, compare bool) (string, error) {
	dir, err := os.MkdirTemp("", "fibsbot-verify-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	var in strings.Builder
	in.WriteString("set confirm new off\nset confirm save off\n")
	for i, f := range files {
		// Copies, since gnubg does not accept every file name.
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

// exported compares a match with gnubg's export of it.
func (c *checker) exported(file, out string) {
	c.found.Gnubg++
	want, _, err := sgf.ReadFile(file)
	if err != nil {
		return // reported already, or moved
	}
	got, err := readFile(out, mat.ReadAll)
	if err != nil {
		c.wrong(c.rel(file), "gnubg cannot load it")
	} else if diff := samePlays(want, got, true); diff != "" {
		c.wrong(c.rel(file), "gnubg reads it differently: %s", diff)
	}
}

func copyTo(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// edited is in gnubg's warning about a set-up position, such as behind a hole, that its .mat
// export cannot hold. It is not a fault of the file read.
const edited = "this game was edited during play"

// complaint returns the first warning or error in gnubg's output, or "".
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
