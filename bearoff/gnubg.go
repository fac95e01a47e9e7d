package bearoff

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"

	"fibsbot/internal/ctxread"
)

// gnubg's database files, found out by looking at what its makebearoff writes and by
// comparing with databases of our own:
//
//	0  40 bytes  "gnubg-OS-PP-CC-G-C-N", or "gnubg-TS-PP-CC-K", filled up with x, and a
//	             line feed: PP points, CC checkers; G 1 with the distributions of the
//	             first checker, C 1 compressed, N 1 means and variances instead of
//	             distributions; K 1 with equities with the cube
//
// Placements have the numbers that Index gives them. Two-sided files continue with four 16-bit
// numbers a pair, in the order and scale of this package (one number where K is 0).
// Compressed one-sided ones have 8 bytes a placement, a 32-bit offset in 16-bit values, how
// many values there are, the number of rolls of the first, and the same two for the first
// checker off; then the values, those of the first checker after the others. Files that
// are not compressed have 32 values a distribution. All is little endian; nothing guards
// the bytes, so distributions that do not add up are how damage shows.
const gnubgHeader = 40

var (
	gnubgOne = regexp.MustCompile(`^gnubg-OS-(\d\d)-(\d\d)-([01])-([01])-([01])x*\n$`)
	gnubgTwo = regexp.MustCompile(`^gnubg-TS-(\d\d)-(\d\d)-([01])x*\n$`)
)

// maxGnubg bounds a file of gnubg's, which is read whole.
const maxGnubg = 1 << 31

// OpenGnubg reads a bearoff database that gnubg's makebearoff has written; one of the two
// is nil. The error wraps ErrForeign if the file is not such a database or lacks what is
// needed here (distributions of both kinds, equities with the cube), ErrDamaged if it does
// not fit its own head.
func OpenGnubg(path string) (*OneSided, *TwoSided, error) {
	fail := func(err error) (*OneSided, *TwoSided, error) {
		return nil, nil, fmt.Errorf("bearoff database %s: %w", path, err)
	}
	f, err := ctxread.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("open bearoff database: %w", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return fail(err)
	}
	head := make([]byte, gnubgHeader)
	if _, err := io.ReadFull(f, head); err != nil || !st.Mode().IsRegular() {
		return fail(ErrForeign)
	}
	if st.Size() > maxGnubg {
		return fail(fmt.Errorf("%w: %d bytes, at most %d are read of gnubg's files", ErrForeign, st.Size(), int64(maxGnubg)))
	}
	one, two := gnubgOne.FindSubmatch(head), gnubgTwo.FindSubmatch(head)
	if one == nil && two == nil {
		return fail(ErrForeign)
	}
	body := make([]byte, st.Size()-gnubgHeader)
	if _, err := io.ReadFull(f, body); err != nil {
		return fail(err)
	}
	if two != nil {
		t, err := gnubgTwoSided(two, body)
		if err != nil {
			return fail(err)
		}
		return nil, t, nil
	}
	o, err := gnubgOneSided(one, body)
	if err != nil {
		return fail(err)
	}
	return o, nil, nil
}

// IsGnubg reports whether the file begins as gnubg's databases do.
func IsGnubg(path string) bool {
	f, err := ctxread.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, gnubgHeader)
	_, err = io.ReadFull(f, head)
	return err == nil && (gnubgOne.Match(head) || gnubgTwo.Match(head))
}

// gnubgInfo is ReadInfo of a database of gnubg's; the sum is that of what follows its head.
func gnubgInfo(path string) (Info, error) {
	o, t, err := OpenGnubg(path)
	if err != nil {
		return Info{}, err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return Info{}, fmt.Errorf("read bearoff database: %w", err)
	}
	i := Info{Kind: KindTwoSided, Bytes: int64(len(raw)), SHA256: sha256.Sum256(raw[min(gnubgHeader, len(raw)):]), Path: path}
	if o != nil {
		i.Kind, i.Points, i.Checkers = KindOneSided, o.points, o.checkers
	} else {
		i.Points, i.Checkers = t.points, t.checkers
	}
	return i, nil
}

// gnubgAgain is what derives a random entry of one of gnubg's databases again, to the
// precision that it is kept with.
func gnubgAgain(path string, r *rand.Rand) (func() error, error) {
	o, t, err := OpenGnubg(path)
	if err != nil {
		return nil, err
	}
	if o != nil {
		return func() error { return o.deriveBy(r.Uint32N(o.Len()), gnubgSlack) }, nil
	}
	return func() error { return t.deriveBy(r.Uint32N(t.n), r.Uint32N(t.n), gnubgUnits) }, nil
}

// gnubgWhole derives every entry of one of gnubg's databases again: no checksum guards them,
// and a random sample is unlikely to meet the few that a bad sector or a copy has changed.
// Errors wrap ErrDamaged, or are ctx's and those of OpenGnubg.
func gnubgWhole(ctx context.Context, path string, report Progress) error {
	o, t, err := OpenGnubg(path)
	if err != nil {
		return err
	}
	if t != nil {
		err = t.deriveAll(ctx, gnubgUnits, report)
	} else {
		for x := uint32(0); x < o.Len() && err == nil; x++ {
			if err = o.deriveBy(x, gnubgSlack); err == nil {
				err = ctx.Err()
			}
			if report != nil && x%1024 == 0 {
				report(uint64(x), uint64(o.Len()))
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("bearoff database %s: %w: %w", path, ErrDamaged, err)
	}
	return err
}

// gnubgSlack and gnubgUnits are how far what follows from entries of gnubg's may be from
// what is kept: means are those of chances of 16 bits, of which each may be rounded by
// half a unit; equities are rounded at every step.
const (
	gnubgSlack = 0.004
	gnubgUnits = 5
)

// shape reads points and checkers out of a head.
func shape(m [][]byte) (points, checkers int) {
	points, _ = strconv.Atoi(string(m[1])) // two digits
	checkers, _ = strconv.Atoi(string(m[2]))
	return points, checkers
}

func gnubgTwoSided(m [][]byte, body []byte) (*TwoSided, error) {
	points, checkers := shape(m)
	if err := checkSize(points, checkers, 6); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForeign, err)
	}
	n := Size(points, checkers)
	switch {
	case string(m[3]) != "1":
		return nil, fmt.Errorf("%w: it has no equities with the cube", ErrForeign)
	case uint64(len(body)) != n*n*twoRecord:
		return nil, fmt.Errorf("%w: %d bytes for %d placements", ErrDamaged, len(body), n)
	}
	return &TwoSided{extent: extent{points: points, checkers: checkers}, n: uint32(n), table: trusted(body)}, nil
}

func gnubgOneSided(m [][]byte, body []byte) (*OneSided, error) {
	points, checkers := shape(m)
	if err := checkSize(points, checkers, MaxPoints); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForeign, err)
	}
	if string(m[3]) != "1" || string(m[5]) != "0" {
		return nil, fmt.Errorf("%w: it has no distributions of all checkers and of the first", ErrForeign)
	}
	n := int64(Size(points, checkers))
	read := unpackPlain
	least := n * plainRecord
	if string(m[4]) == "1" {
		read, least = unpackPacked, n*packedRecord
	}
	if int64(len(body)) < least {
		return nil, fmt.Errorf("%w: %d bytes for %d placements", ErrDamaged, len(body), n)
	}
	recs := make([]byte, n*recordSize)
	vals := make([]byte, 0, len(body)-int(min(least, int64(len(body)))))
	le := binary.LittleEndian
	for i := range n {
		off, first, err := read(body, i, n)
		if err != nil {
			return nil, fmt.Errorf("%w: placement %d: %w", ErrDamaged, i, err)
		}
		r, at := recs[i*recordSize:], uint64(len(vals)/2)
		le.PutUint32(r, uint32(at))
		r[4], r[5], r[6], r[7], r[8] = byte(at>>32), byte(off.start), byte(len(off.vals)/2), byte(first.start), byte(len(first.vals)/2)
		le.PutUint32(r[12:], math.Float32bits(float32(off.Mean())))
		vals = append(append(vals, off.vals...), first.vals...)
	}
	return &OneSided{extent: extent{points: points, checkers: checkers}, recs: trusted(recs), vals: trusted(vals)}, nil
}

// Sizes of gnubg's one-sided records.
const (
	packedRecord = 8
	plainRolls   = 32
	plainRecord  = 2 * plainRolls * 2 // two distributions of 16-bit values
)

var (
	errOutside = errors.New("its values lie outside the file")
	errSum     = errors.New("its chances do not add up to 1")
)

func unpackPacked(body []byte, i, n int64) (off, first Dist, err error) {
	r := body[i*packedRecord:][:packedRecord]
	a, b := 2*int64(r[4]), 2*int64(r[6])
	at := n*packedRecord + 2*int64(binary.LittleEndian.Uint32(r))
	if at+a+b > int64(len(body)) {
		return off, first, errOutside
	}
	off = Dist{start: int(r[5]), vals: body[at : at+a]}
	first = Dist{start: int(r[7]), vals: body[at+a : at+a+b]}
	return off, first, cmp.Or(off.sound(), first.sound())
}

func unpackPlain(body []byte, i, _ int64) (off, first Dist, err error) {
	r := body[i*plainRecord:][:plainRecord]
	off, first = Dist{vals: r[:plainRecord/2]}.trimmed(), Dist{vals: r[plainRecord/2:]}.trimmed()
	return off, first, cmp.Or(off.sound(), first.sound())
}

// trimmed leaves out the zeros at both ends.
func (d Dist) trimmed() Dist {
	zero := func(at int) bool { return d.vals[at] == 0 && d.vals[at+1] == 0 }
	for len(d.vals) > 0 && zero(0) {
		d.start, d.vals = d.start+1, d.vals[2:]
	}
	for len(d.vals) > 0 && zero(len(d.vals)-2) {
		d.vals = d.vals[:len(d.vals)-2]
	}
	return d
}

// sound reports whether chances add up, but for the rounding of each.
func (d Dist) sound() error {
	sum := 0
	for i := 0; i+1 < len(d.vals); i += 2 {
		sum += int(binary.LittleEndian.Uint16(d.vals[i:]))
	}
	if sum < full-plainRolls || sum > full+plainRolls || d.Len() > maxRolls {
		return errSum
	}
	return nil
}
