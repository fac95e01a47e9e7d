package owner

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"fibsbot/bot/archive/index"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
)

// Names are names and patterns with * and ?; case is ignored.
type Names []string

// Has reports whether name is one of the names or matches a pattern.
func (n Names) Has(name string) bool {
	name = strings.ToLower(name)
	for _, p := range n {
		p = strings.ToLower(p)
		if ok, err := path.Match(p, name); p == name || ok && err == nil {
			return true
		}
	}
	return false
}

// of returns the player who is in n; ok is false if neither or both are.
func (n Names) of(players [2]string) (name string, ok bool) {
	first, second := n.Has(players[0]), n.Has(players[1])
	switch {
	case first == second:
		return "", false
	case first:
		return players[0], true
	}
	return players[1], true
}

// Seat returns the number of the player who is in n, or otherwise if neither or both are.
func (n Names) Seat(players [2]string, otherwise int) int {
	switch name, ok := n.of(players); {
	case !ok:
		return otherwise
	case name == players[0]:
		return 0
	}
	return 1
}

// Filter restricts f to the accounts of the archive that are in n. It leaves f unchanged,
// and restricted is false, if no account is in n or f has an account.
func (n Names) Filter(ctx context.Context, db *index.DB, f *index.Filter) (restricted bool, err error) {
	if len(n) == 0 || f.Account != "" {
		return false, nil
	}
	known, err := db.Accounts(ctx)
	if err != nil {
		return false, err
	}
	for name := range known {
		if n.Has(name) {
			f.Accounts = append(f.Accounts, name)
		}
	}
	return len(f.Accounts) > 0, nil
}

// Bounds of Names.
const (
	maxNames = 100
	maxName  = 100 // bytes
)

// ErrName means that a string is not a name or pattern.
var ErrName = errors.New("not a name or pattern with * and ?")

// Check returns an error that wraps ErrName for the first invalid name.
func (n Names) Check() error {
	if len(n) > maxNames {
		return fmt.Errorf("%w: more than %d names", ErrName, maxNames)
	}
	for _, p := range n {
		if _, err := path.Match(p, ""); err != nil || strings.TrimSpace(p) == "" || len(p) > maxName {
			return fmt.Errorf("%w: %.40q", ErrName, p)
		}
	}
	return nil
}

// file has the names entered in the web page, relative to the archive's folder.
const file = "state/me.json"

// stored is the content of that file.
type stored struct {
	Names Names `json:"names"`
}

// Load reads the names that Save wrote to the archive in dir.
func Load(dir string) (Names, error) {
	var s stored
	if err := load(dir, file, &s); err != nil {
		return nil, err
	}
	if err := s.Names.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, filepath.FromSlash(file)), err)
	}
	return s.Names, nil
}

// Save replaces the names of the archive in dir.
func Save(dir string, n Names) error {
	if err := n.Check(); err != nil {
		return err
	}
	return save(dir, file, stored{n})
}

// load reads a file of the archive in dir, which may be missing.
func load(dir, file string, to any) error {
	err := atomicfile.ReadJSON(filepath.Join(dir, filepath.FromSlash(file)), 64<<10, to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func save(dir, file string, v any) error {
	return atomicfile.WriteJSON(filepath.Join(dir, filepath.FromSlash(file)), v)
}

// maxAsked is how many names a question offers.
const maxAsked = 9

// Ask asks on a terminal which of the players the user is. It returns "" for an empty
// answer, which leaves the choice open.
func Ask(in *bufio.Reader, terminal io.Writer, list []Count) (string, error) {
	out := sanitize.Writer(terminal)
	list = list[:min(len(list), maxAsked)]
	fmt.Fprintln(out, "Which of these players are you?")
	for i, c := range list {
		fmt.Fprintf(out, "%2d  %s (%s)\n", i+1, c.Name, figure.Count(c.Matches, "match"))
	}
	for {
		fmt.Fprintf(out, "Number or name (Enter for %s): ", list[0].Name)
		line, err := in.ReadString('\n')
		answer := strings.TrimSpace(line)
		if n, bad := strconv.Atoi(answer); bad == nil && n >= 1 && n <= len(list) {
			return list[n-1].Name, nil
		}
		for _, c := range list {
			if strings.EqualFold(c.Name, answer) {
				return c.Name, nil
			}
		}
		switch {
		case answer == "" && (err == nil || errors.Is(err, io.EOF)):
			return "", nil
		case err != nil:
			return "", err
		}
		fmt.Fprintf(out, "%.40q is not one of these players.\n", answer)
	}
}
