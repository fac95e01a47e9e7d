package profile

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// leastDecisions is how many decisions a player must have made in a match to be counted.
const leastDecisions = 25

// limits are the performance ratings between bands.
var limits = []float64{0, 5, 9, 14, 22, 32}

// ErrBands means a file of bands that cannot be used.
var ErrBands = errors.New("bad bands of players")

//go:embed bands
var bandFiles embed.FS

// Parts names the bands of real players in the program: of all 132 matches, of the 88 to which the
// model of errors is fitted, and of the other 44.
func Parts() []string { return []string{"all", "fit", "test"} }

// Real returns the bands of real players in the program, of one of Parts. The error wraps ErrBands.
func Real(part string) ([]Band, error) {
	if !slices.Contains(Parts(), part) {
		return nil, fmt.Errorf("%w: no part %q (use %s)", ErrBands, part, strings.Join(Parts(), ", "))
	}
	data, err := bandFiles.ReadFile("bands/" + part + ".json")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBands, err)
	}
	return ReadBands(data)
}

// ReadBands reads bands as JSON. The error wraps ErrBands.
func ReadBands(data []byte) (out []Band, err error) {
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBands, err)
	}
	for i, b := range out {
		if !(b.Low >= 0 && b.High > b.Low) || b.Figures == nil || i > 0 && b.Low < out[i-1].High {
			return nil, fmt.Errorf("%w: band %d from %v to %v", ErrBands, i+1, b.Low, b.High)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: no band", ErrBands)
	}
	return out, nil
}

// Bands sorts players into bands by their own performance rating, in each match apart. Bands
// without players are left out, and so is a player with few decisions.
func Bands(players []Counts) (out []Band) {
	groups := make([][]Counts, len(limits)-1)
	for _, c := range players {
		if c.Counted < leastDecisions {
			continue
		}
		for i := range groups {
			if pr := c.PR(); pr >= limits[i] && pr < limits[i+1] {
				groups[i] = append(groups[i], c)
			}
		}
	}
	for i, g := range groups {
		if len(g) == 0 {
			continue
		}
		b := Band{Low: limits[i], High: limits[i+1], Players: len(g), Figures: values(g)}
		for k := range g {
			b.Decisions += int(g[k].Counted)
		}
		out = append(out, b)
	}
	return out
}

// nearest returns the band that holds a performance rating, else the nearest one.
func nearest(bands []Band, pr float64) *Band {
	best := &bands[0]
	for i := range bands {
		if pr >= bands[i].Low {
			best = &bands[i]
		}
	}
	return best
}
