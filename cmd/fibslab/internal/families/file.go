package families

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
)

// ErrFile means a file of positions that cannot be used.
var ErrFile = errors.New("bad file of rolled out positions")

// Position is a position with the result of its rollout, for the player on roll.
type Position struct {
	Family   string     `json:"family"`
	ID       string     `json:"position"` // position ID
	Chances  [5]float64 `json:"chances"`  // in the order of eval.Probs
	Equity   float64    `json:"equity"`   // cubeless
	Error    float64    `json:"se"`       // standard error of Equity
	WinError float64    `json:"win_se"`
	Trials   int        `json:"trials"`
	Plies    int        `json:"plies,omitempty"` // depth of the plays in the trials
}

// check refuses an impossible position.
func (r *Position) check() error {
	if !slices.Contains(All, r.Family) {
		return fmt.Errorf("unknown family %q", r.Family)
	}
	p, err := board.ParseID(r.ID)
	if err != nil {
		return err
	}
	if p.Result() != 0 {
		return fmt.Errorf("the game of %s is over", r.ID)
	}
	if !(math.Abs(r.Equity) <= 4) || !(r.Error >= 0 && r.WinError >= 0) || r.Trials < 1 {
		return fmt.Errorf("equity %v with error %v in %d trials", r.Equity, r.Error, r.Trials)
	}
	return nil
}

//go:embed testdata/families.jsonl.gz
var file []byte

// Embedded returns the positions in the program.
func Embedded() ([]Position, error) {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("embedded families: %w: %w", ErrFile, err)
	}
	ps, rest, err := parse(z)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%w: cut off", ErrFile)
	}
	return ps, err
}

// Load reads a file, or the positions in the program when path is empty.
func Load(path string) ([]Position, error) {
	if path == "" {
		return Embedded()
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ps, rest, err := parse(f)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("line %d: %w: cut off", len(ps)+1, ErrFile)
	}
	if err != nil {
		return nil, fmt.Errorf("%s, %w", path, err)
	}
	return ps, nil
}

// Hide adds to s the positions by which bench nets and bench families measure, so that no net is trained
// on them.
func Hide(s train.KeySet) error {
	if err := train.HideBench(s); err != nil {
		return err
	}
	ps, err := Embedded()
	if err != nil {
		return err
	}
	for i := range ps {
		p, err := board.ParseID(ps[i].ID)
		if err != nil {
			return err
		}
		s.Add(p.Key())
	}
	return nil
}

// parse reads positions, and returns what follows the last whole line.
func parse(r io.Reader) (ps []Position, rest []byte, err error) {
	in := bufio.NewReaderSize(io.LimitReader(r, 64<<20), 1<<12)
	known := map[string]bool{}
	for line := 1; ; line++ {
		text, err := in.ReadSlice('\n')
		if err == io.EOF {
			return ps, text, nil
		}
		var p Position
		if err == nil {
			err = json.Unmarshal(text, &p)
		}
		if err == nil {
			err = p.check()
		}
		if key := p.Family + " " + p.ID; err == nil && known[key] {
			err = errors.New("a position again")
		} else {
			known[key] = true
		}
		if err != nil {
			return ps, nil, fmt.Errorf("line %d: %w: %w", line, ErrFile, err)
		}
		ps = append(ps, p)
	}
}
