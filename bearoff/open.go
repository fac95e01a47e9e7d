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
func open(path string, kind Kind) (extent, []*section, error) {
	h, parts, closer, err := openFile(path)
	if err != nil {
		return extent{}, nil, err
	}
	fail := func(err error) (extent, []*section, error) {
		closer()
		return extent{}, nil, fmt.Errorf("bearoff database %s: %w", path, err)
	}
	if h.Kind != kind {
		return fail(fmt.Errorf("%w: it is a %v one, a %v one is needed", ErrForeign, h.Kind, kind))
	}
	var want []int64
	if CheckShape(kind, h.Points, h.Checkers) == nil && (kind != KindHyper || h.Points == hyperPoints) {
		want = sectionSizes(kind, h.Points, h.Checkers)
	}
	if len(parts) != len(want) {
		return fail(fmt.Errorf("%w: %d sections", ErrDamaged, len(parts)))
	}
	for i, n := range want {
		if n >= 0 && parts[i].size != n {
			return fail(fmt.Errorf("%w: section of %d bytes, must be %d", ErrDamaged, parts[i].size, n))
		}
	}
	return extent{h.Points, h.Checkers, closer}, parts, nil
}

// sectionSizes returns the lengths of the sections of a database, -1 for one that the shape does not
// determine.
func sectionSizes(kind Kind, points, checkers int) []int64 {
	n := int64(Size(points, checkers))
	switch kind {
	case KindOneSided:
		return []int64{n * recordSize, -1}
	case KindNormal:
		return []int64{n * normalRecord}
	case KindTwoSided:
		return []int64{n * n * twoRecord}
	}
	return []int64{n * n * hyperRecord}
}

// OpenOneSided opens a one-sided database file for look-ups. Only what is asked
// for is read.
func OpenOneSided(path string) (*OneSided, error) {
	e, parts, err := open(path, KindOneSided)
	if err != nil {
		return nil, err
	}
	return &OneSided{extent: e, recs: parts[0], vals: parts[1]}, nil
}

// OpenNormal opens a database of means and variances for look-ups. Only what is
// asked for is read.
func OpenNormal(path string) (*Normal, error) {
	e, parts, err := open(path, KindNormal)
	if err != nil {
		return nil, err
	}
	return &Normal{extent: e, recs: parts[0]}, nil
}

// OpenTwoSided opens a two-sided database file for look-ups.
func OpenTwoSided(path string) (*TwoSided, error) {
	e, parts, err := open(path, KindTwoSided)
	if err != nil {
		return nil, err
	}
	return &TwoSided{extent: e, n: uint32(e.size()), table: parts[0]}, nil
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
