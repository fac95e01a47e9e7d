package bearoff

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"fibsbot/internal/ctxread"
	"fibsbot/internal/filename"
)

// Hugh Sconyers' two-sided database of 1 to 15 checkers a side on 6 points, 47 GB in 44
// files bg15_1.dat to bg15_44.dat (gnubg 0.14/0.15 bearoff.c, facts only):
//
// Placements have the numbers that Index gives them, and that of no checkers is left out on
// both sides, which leaves 54263. File n has the placements 1250*(n-1)+1 to 1250*n of the
// player on roll, each with all 54263 of the opponent. A pair is 16 bytes, four float32 in
// little endian order: equity without a cube, with the own cube, with the cube in the
// middle, with the opponent's, of the player on roll and in units of the cube. gnubg
// takes the file from the number divided by 1250, which is one placement off at the end of
// each file.
//
// There is neither head nor checksum, so the contents are what proves a file: see prove for
// its opening, and believed for each entry that is asked for.
//
// What the equities say where gammons are possible, with all 15 checkers on the board on
// either side, is not documented. Such pairs are never asked, and with them nothing
// of the files 33 to 44. Compressed forms of the files are not known.
const (
	sconyersFiles  = 44
	sconyersRows   = 1250
	sconyersPlaces = 54263 // Size(6, 15) - 1
	sconyersRecord = 16
	// sconyersAsked is the last placement of at most 14 checkers: Size(6, 14) - 1.
	sconyersAsked = 38759
)

// sconyersPlace says where the pair of the placements us, on roll, and them lies, neither
// of them 0.
func sconyersPlace(us, them uint32) (number int, offset int64) {
	row := int64(us - 1)
	return int(row/sconyersRows) + 1, (row%sconyersRows*sconyersPlaces + int64(them-1)) * sconyersRecord
}

// sconyersBytes is the length of a file.
func sconyersBytes(number int) int64 {
	rows := min(sconyersRows, sconyersPlaces-int64(number-1)*sconyersRows)
	return rows * sconyersPlaces * sconyersRecord
}

var sconyersName = regexp.MustCompile(`(?i)^bg15_([1-9][0-9]?)\.dat$`)

// sconyersNumber is the number of the file that has such a name, 0 for other names.
func sconyersNumber(path string) int {
	m := sconyersName.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return 0
	}
	if n, _ := strconv.Atoi(m[1]); n <= sconyersFiles { // one or two digits
		return n
	}
	return 0
}

// sconyers is one file of Sconyers' database. It is safe for concurrent use. Entries are
// read as they are asked for; the system keeps what was read.
type sconyers struct {
	number int
	path   string
	file   *os.File
}

// openSconyers opens a file and proves it by the small databases of s. The error wraps ErrDamaged where the length or the
// contents are not those of the file that bears the name.
func openSconyers(path string, s *Source) (*sconyers, error) {
	file, err := ctxread.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open bearoff database: %w", err)
	}
	f := &sconyers{number: sconyersNumber(path), path: path, file: file}
	if err := f.sound(s); err != nil {
		file.Close()
		return nil, fmt.Errorf("bearoff database %s: %w", path, err)
	}
	return f, nil
}

func (f *sconyers) sound(s *Source) error {
	st, err := f.file.Stat()
	if err != nil {
		return err
	}
	if f.number == 0 || !st.Mode().IsRegular() {
		return ErrForeign
	}
	if want := sconyersBytes(f.number); st.Size() != want {
		return fmt.Errorf("%w: %d bytes, file %d of Sconyers' has %d", ErrDamaged, st.Size(), f.number, want)
	}
	if err := f.prove(s); err != nil {
		return fmt.Errorf("%w: not the contents of Sconyers' file %d: %w", ErrDamaged, f.number, err)
	}
	return nil
}

// Close releases the file.
func (f *sconyers) Close() error { return f.file.Close() }

// String names the file.
func (f *sconyers) String() string { return "bearoff database " + f.path }

// read returns an entry as it is; ok is false where it cannot be read or where no equities
// can be such.
func (f *sconyers) read(us, them uint32) (e Equities, ok bool) {
	b := make([]byte, sconyersRecord)
	_, off := sconyersPlace(us, them)
	if _, err := f.file.ReadAt(b, off); err != nil {
		return e, false
	}
	v := func(i int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	e = Equities{Cubeless: v(0), Owned: v(1), Centred: v(2), OppOwned: v(3)}
	return e, e.possible()
}

// possible reports whether equities can be those of a race without gammons: each within a
// point, since the trailer passes a double, and a nearer cube worth no less. Rounding
// allows a thousandth. NaN is not possible.
func (e Equities) possible() bool {
	const slack = 1e-3
	for _, v := range [4]float64{e.Cubeless, e.Owned, e.Centred, e.OppOwned} {
		if !(math.Abs(v) <= 1+1e-6) { // not v > 1: NaN is neither
			return false
		}
	}
	return e.OppOwned <= min(e.Cubeless, e.Centred)+slack && e.Owned >= max(e.Cubeless, e.Centred)-slack
}

// sconyersSet are the files that there are, by number; others are nil.
type sconyersSet [sconyersFiles + 1]*sconyers

// holding returns the file of the placement us of the player on roll, which is not 0.
func (s *sconyersSet) holding(us uint32) *sconyers {
	n, _ := sconyersPlace(us, 1)
	return s[n]
}

// scanSconyers opens Sconyers' files in a folder, in small or capital letters as CDs have
// them, and returns how many files are called so.
func (s *Source) scanSconyers(dir string) (called int) {
	files, err := filename.Match(dir, "[bB][gG]15_*.[dD][aA][tT]")
	if err != nil {
		return 0
	}
	for _, path := range files {
		n := sconyersNumber(path)
		if n == 0 {
			continue
		}
		called++
		if old := s.sconyers[n]; old != nil {
			s.without(fmt.Sprintf("bearoff database %s: the same file as %s; not used", path, old.path))
			continue
		}
		f, err := openSconyers(path, s)
		if err != nil {
			s.without(err.Error() + "; not used")
			continue
		}
		s.sconyers[n] = f
		s.keep(f.Close)
	}
	return called
}

// askSconyers returns the equities of x, on roll, against y, of so many checkers, from
// Sconyers' files. ok is false where gammons are possible, where the file is missing,
// and where the entry is not believed, of which the source warns.
func (s *Source) askSconyers(me, opp int, x, y uint32) (e Equities, ok bool) {
	if me >= MaxCheckers || opp >= MaxCheckers {
		return e, false
	}
	f := s.sconyers.holding(x)
	if f == nil {
		return e, false
	}
	if e, ok = f.believed(x, y, s.one()); !ok {
		s.bypass(f)
	}
	return e, ok
}

const (
	// sconyersNear is how far a chance to win may be from that of the one-sided
	// database, which plays for the fewest rolls. The furthest pair of up to 8 checkers is
	// off by 0.014.
	sconyersNear = 0.03
	// sconyersSlack is how far an equity may be from what the exact database has, or
	// from what follows from others.
	sconyersSlack = 1e-3
	// sixCheckers is how many placements the exact database of this program has.
	sixCheckers = 924
)

// believed returns an entry that can be right: possible as such, its chance to win near the
// one-sided database's, and no hole that a copy has left. As nothing guards the bytes of
// these files, every entry is looked at so; it takes a tenth of a microsecond.
func (f *sconyers) believed(us, them uint32, one *OneSided) (e Equities, ok bool) {
	e, ok = f.read(us, them)
	if !ok {
		return e, false
	}
	// Zeros are a hole: all four equities are 0 only where the next two rolls end
	// the game, with few checkers.
	if e == (Equities{}) && (us >= sixCheckers || them >= sixCheckers) {
		return e, false
	}
	a, ok1 := one.entry(us)
	b, ok2 := one.entry(them)
	return e, ok1 && ok2 && math.Abs(noLater(a.off, b.off, 0)-(e.Cubeless+1)/2) <= sconyersNear
}

// rows are the first and the last placement of the player on roll that the file is asked
// for; last is less than first where it is for none.
func (f *sconyers) rows() (first, last uint32) {
	first = uint32(f.number-1)*sconyersRows + 1
	return first, min(first+sconyersRows-1, sconyersAsked)
}

// pair names an entry: the placements of the player on roll and of the opponent.
type pair struct{ us, them uint32 }

// proofs are the entries that a file is proved by when it is opened, few and always the
// same ones: exact ones that the database of 6 checkers holds, near ones beside the
// one-sided database, derived ones that follow from others of the same file.
func (f *sconyers) proofs() (exact, near, derived []pair) {
	first, last := f.rows()
	if last < first {
		return nil, nil, nil
	}
	r := rand.New(rand.NewPCG(uint64(f.number), 0x62673135))
	draw := func(first, last uint32) uint32 { return first + r.Uint32N(last-first+1) }
	for range 16 {
		if first < sixCheckers {
			exact = append(exact, pair{draw(first, sixCheckers-1), draw(1, sixCheckers-1)})
		}
		near = append(near, pair{draw(first, last), draw(1, sconyersAsked)})
	}
	for range 2 {
		derived = append(derived, pair{draw(first, last), draw(first, last)})
	}
	return exact, near, derived
}

// prove compares entries with known values, so that a different file of the same name, numbers
// in another order or other equities never steer play. A file that is never asked is never
// proved.
func (f *sconyers) prove(s *Source) error {
	exact, near, derived := f.proofs()
	for _, p := range exact {
		got, ok := f.read(p.us, p.them)
		raw, known := s.two().Raw(p.us, p.them)
		if !ok || !known {
			return p.unbelieved()
		}
		if err := p.compare(got, equitiesOf(raw)); err != nil {
			return err
		}
	}
	for _, p := range near {
		if _, ok := f.believed(p.us, p.them, s.one()); !ok {
			return p.unbelieved()
		}
	}
	for _, p := range derived {
		if err := f.derive(p, f); err != nil {
			return err
		}
	}
	return nil
}

// derive compares an entry with its successors, which are in the file next.
func (f *sconyers) derive(p pair, next *sconyers) error {
	got, ok := f.read(p.us, p.them)
	if !ok {
		return p.unbelieved()
	}
	want, ok := lookAhead(p.us, p.them, 6, func(me, opp uint32) (Equities, bool) {
		if opp == 0 {
			return Equities{-1, -1, -1, -1}, true
		}
		return next.read(me, opp)
	})
	if !ok {
		return fmt.Errorf("pair %d, %d: a successor cannot be believed", p.us, p.them)
	}
	return p.compare(got, want)
}

func (p pair) unbelieved() error {
	return fmt.Errorf("pair %d, %d cannot be believed", p.us, p.them)
}

func (p pair) compare(got, want Equities) error {
	for _, v := range [4]struct {
		name      string
		got, want float64
	}{
		{"cubeless", got.Cubeless, want.Cubeless}, {"with the own cube", got.Owned, want.Owned},
		{"with the cube in the middle", got.Centred, want.Centred}, {"with the opponent's cube", got.OppOwned, want.OppOwned},
	} {
		if math.Abs(v.got-v.want) > sconyersSlack {
			return fmt.Errorf("pair %d, %d: equity %s %+.4f, must be %+.4f", p.us, p.them, v.name, v.got, v.want)
		}
	}
	return nil
}

// sconyersInfo is ReadInfo of a file of Sconyers', which is proved as for play.
func sconyersInfo(path string) (i Info, err error) {
	s := NewSource(Options{})
	defer func() { err = errors.Join(err, s.Close()) }()
	f, err := openSconyers(path, s)
	if err != nil {
		return i, err
	}
	return Info{Kind: KindTwoSided, Points: 6, Checkers: MaxCheckers, Bytes: sconyersBytes(f.number), Path: path, Part: f.number}, f.Close()
}

// sconyersAgain is what looks at a random entry of one of Sconyers' files and derives it
// again, from the other files of the folder where they hold what follows.
func sconyersAgain(path string, r *rand.Rand) (again, closer func() error, err error) {
	s := NewSource(Options{})
	f, err := openSconyers(path, s)
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	s.keep(f.Close)
	first, last := f.rows()
	if last < first {
		return nil, nil, errors.Join(fmt.Errorf("bearoff database %s: %w: placements of 15 checkers alone, where gammons are possible and nothing is asked",
			path, ErrForeign), s.Close())
	}
	s.sconyers[f.number] = f
	s.scanSconyers(filepath.Dir(path))
	return func() error {
		p := pair{first + r.Uint32N(last-first+1), 1 + r.Uint32N(sconyersAsked)}
		if _, ok := f.believed(p.us, p.them, s.one()); !ok {
			return p.unbelieved()
		}
		next := s.sconyers.holding(p.them)
		if next == nil {
			next, p.them = f, first+r.Uint32N(last-first+1)
		}
		return f.derive(p, next)
	}, s.Close, nil
}
