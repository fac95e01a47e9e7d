package bearoff

import (
	"encoding/binary"
	"fmt"
	"math"
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
