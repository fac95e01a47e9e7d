package ratings

import (
	"errors"
	"fmt"
	"strings"

	"fibsbot/engine/duel"
	"fibsbot/engine/tune"
)

// Duel is the log of a duel by differences in matches, ready for
// [Store.AddDifferences].
type Duel struct {
	Header      duel.Header
	Cell        Cell
	Differences Differences
	Presets     Fingerprints // empty in an older log
	Pairs       map[int]Valued
}

// OpenDuel reads the log in the file at path. The error does not name the file.
func OpenDuel(path string) (*Duel, error) {
	l, err := duel.OpenLog(path)
	if err != nil {
		return nil, err
	}
	return valuedDuel(l)
}

// valuedDuel returns what a log says about the strength of settings. The error says why it says
// nothing, such as that of a duel with other engines or without differences.
func valuedDuel(l *duel.Log) (*Duel, error) {
	d := &Duel{Header: l.Header, Pairs: map[int]Valued{}}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	for k, p := range l.Pairs {
		// Half of the mean: edges are on the scale of results, from -1 to 1.
		d.Pairs[k] = Valued{Edge: (p.Edge[0] + p.Edge[1]) / 4, Games: p.Games}
	}
	return d, nil
}

// check reads the header.
func (d *Duel) check() error {
	h := &d.Header
	switch {
	case h.Version == 0:
		return errors.New("not the log of a duel")
	case h.Trials < 1:
		return errors.New("a duel without --differences")
	case h.Length == 0:
		return errors.New("a duel of money games (ratings need matches)")
	case h.Overrides != "":
		return fmt.Errorf("%.40q played with %.60q", h.A, h.Overrides)
	case h.Table != "":
		return fmt.Errorf("a duel by the match equity table %.60q", h.Table)
	case h.Cubeless:
		return errors.New("a duel without the cube")
	}
	for _, side := range [...]struct {
		name string
		to   *tune.Setting
	}{{h.A, &d.Cell.A}, {h.B, &d.Cell.B}} {
		if strings.HasPrefix(side.name, "cmd:") {
			return fmt.Errorf("%.60q is another engine", side.name)
		}
		var err error
		if *side.to, err = tune.ParseSetting(side.name); err != nil {
			return err
		}
	}
	if h.Settings != ([2]string{}) {
		for i, side := range [...]tune.Setting{d.Cell.A, d.Cell.B} {
			if now, err := side.Fingerprint(); err != nil || now != h.Settings[i] {
				return fmt.Errorf("%.40q was redefined since: it played with settings %.16q and has %q now", [...]string{h.A, h.B}[i], h.Settings[i], now)
			}
		}
		d.Presets = d.Cell.Fingerprints()
	}
	d.Cell.Length = h.Length
	d.Differences = Differences{Seed: h.Seed, Trials: h.Trials}
	// Validate the cell in its stored form.
	return NewCell(d.Cell.A, d.Cell.B, d.Cell.Length).Validate()
}

// Take adds the duels to the store and, if all of them are accepted, their blocks to the file in
// one write. paths name the duels in errors.
func (f *File) Take(paths []string, duels []*Duel) (took []Import, err error) {
	var text []byte
	for i, d := range duels {
		in, err := f.Store.AddDifferences(d.Cell, d.Differences, d.Presets, d.Pairs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", paths[i], err)
		}
		for _, b := range in.Added {
			line, err := Line(b)
			if err != nil {
				return nil, fmt.Errorf("keep results: %w", err)
			}
			text = append(text, line...)
		}
		took = append(took, in)
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return nil, fmt.Errorf("keep results: %w", err)
	}
	return took, nil
}
