package bearoff

import "fmt"

// ReadInfo reads and proves the header and the checksum table of a database.
// A database of gnubg's is read whole and has version 0; so has a file of Sconyers',
// known by its name, bg15_N.dat, and proved by samples. The error wraps ErrForeign or
// ErrDamaged.
func ReadInfo(path string) (Info, error) {
	if sconyersNumber(path) > 0 {
		return sconyersInfo(path)
	}
	if IsGnubg(path) {
		return gnubgInfo(path)
	}
	h, _, closer, err := openFile(path)
	if err != nil {
		return Info{}, err
	}
	return h.Info, closer()
}

// open opens a database of one kind with sections of the right sizes.
func open(path string, kind Kind, sizes func(h *header) []int64) (header, []*section, func() error, error) {
	h, parts, closer, err := openFile(path)
	if err != nil {
		return h, nil, nil, err
	}
	fail := func(err error) (header, []*section, func() error, error) {
		closer()
		return h, nil, nil, fmt.Errorf("bearoff database %s: %w", path, err)
	}
	if h.Kind != kind {
		return fail(fmt.Errorf("%w: it is a %v one, a %v one is needed", ErrForeign, h.Kind, kind))
	}
	want := sizes(&h)
	if len(parts) != len(want) {
		return fail(fmt.Errorf("%w: %d sections", ErrDamaged, len(parts)))
	}
	for i, n := range want {
		if n >= 0 && parts[i].size != n {
			return fail(fmt.Errorf("%w: section of %d bytes, must be %d", ErrDamaged, parts[i].size, n))
		}
	}
	return h, parts, closer, nil
}

// OpenOneSided opens a one-sided database file for look-ups. Only what is asked
// for is read.
func OpenOneSided(path string) (*OneSided, error) {
	h, parts, closer, err := open(path, KindOneSided, func(h *header) []int64 {
		if checkSize(h.Points, h.Checkers, MaxPoints) != nil {
			return nil
		}
		return []int64{int64(Size(h.Points, h.Checkers)) * recordSize, -1}
	})
	if err != nil {
		return nil, err
	}
	return &OneSided{extent: extent{h.Points, h.Checkers, closer}, recs: parts[0], vals: parts[1]}, nil
}

// OpenNormal opens a database of means and variances for look-ups. Only what is
// asked for is read.
func OpenNormal(path string) (*Normal, error) {
	h, parts, closer, err := open(path, KindNormal, func(h *header) []int64 {
		if checkSize(h.Points, h.Checkers, MaxPoints) != nil {
			return nil
		}
		return []int64{int64(Size(h.Points, h.Checkers)) * normalRecord}
	})
	if err != nil {
		return nil, err
	}
	return &Normal{extent: extent{h.Points, h.Checkers, closer}, recs: parts[0]}, nil
}

// OpenTwoSided opens a two-sided database file for look-ups.
func OpenTwoSided(path string) (*TwoSided, error) {
	h, parts, closer, err := open(path, KindTwoSided, func(h *header) []int64 {
		if checkSize(h.Points, h.Checkers, 6) != nil || Size(h.Points, h.Checkers) > maxTwoSided {
			return nil
		}
		n := int64(Size(h.Points, h.Checkers))
		return []int64{n * n * twoRecord}
	})
	if err != nil {
		return nil, err
	}
	return &TwoSided{extent: extent{h.Points, h.Checkers, closer}, n: uint32(Size(h.Points, h.Checkers)), table: parts[0]}, nil
}

// Save writes the database as a file.
func (o *OneSided) Save(path string) error {
	return writeFile(path, Info{Kind: KindOneSided, Points: o.points, Checkers: o.checkers},
		[][]byte{o.recs.data}, [][]byte{o.vals.data})
}

// Save writes the database as a file.
func (t *TwoSided) Save(path string) error {
	return writeFile(path, Info{Kind: KindTwoSided, Points: t.points, Checkers: t.checkers}, [][]byte{t.table.data})
}

// Damaged reports whether a look-up has met damaged bytes since opening.
func (o *OneSided) Damaged() bool { return o.recs.damaged() || o.vals.damaged() }

// Damaged reports whether a look-up has met damaged bytes since opening.
func (t *TwoSided) Damaged() bool { return t.table.damaged() }

// Unusable names in one line each what a Source cannot use of the folder dir.
func Unusable(dir string) (lines []string, err error) {
	s := NewSource(Options{Dir: dir, NoCache: true, Warn: func(text string) { lines = append(lines, text) }})
	return lines, s.Close()
}
