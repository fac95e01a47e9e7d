package bearoff

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"fibsbot/internal/ctxread"
)

// The file format. All numbers are little endian.
//
//	  0  16 bytes  "fibsbot bearoff\n"
//	 16  uint32    format version: 2 for kind 4, 1 for the others
//	 20  uint32    kind: 1 one-sided, 2 two-sided, 3 hypergammon, 4 approximate one-sided
//	 24  uint32    points
//	 28  uint32    checkers
//	 32  uint32    bytes a block, 65536
//	 36  uint32    number of sections, at most 4
//	 40  4 times   uint64 offset, uint64 length of a section
//	104  uint64    offset of the checksum table, which ends the file
//	112  uint64    length of the file
//	120  8 bytes   zero
//	128  32 bytes  sha-256 of the payload: everything from byte 512 to the table
//	160  32 bytes  sha-256 of the checksum table
//	192  32 bytes  sha-256 of the 192 bytes before
//	224            zero up to byte 512
//
// The payload is cut in blocks of 64 KiB, the last one shorter; the table holds
// the CRC-32C of each. One-sided: section 0 is the index (see recordSize),
// section 1 the values. Two-sided: section 0 holds, for each pair (number of the
// player on roll * placements + number of the opponent), four 16-bit equities.
// Hypergammon: see hyperRecord. Approximate: see normalRecord; builds that know
// version 1 alone refuse such files.
const (
	fileMagic   = "fibsbot bearoff\n"
	fileVersion = 2
	headerSize  = 512
	blockBits   = 16
	blockSize   = 1 << blockBits
	maxSections = 4
)

// Kind is the kind of a database.
type Kind uint32

// The kinds of databases.
const (
	KindOneSided Kind = 1 + iota
	KindTwoSided
	KindHyper
	KindNormal
)

// String is the kind in words.
func (k Kind) String() string {
	if k < KindOneSided || k > KindNormal {
		return fmt.Sprintf("Kind(%d)", uint32(k))
	}
	return [...]string{"one-sided", "two-sided", "hypergammon", "approximate one-sided"}[k-KindOneSided]
}

// version is the first format version that has the kind, and the one its files
// are of.
func (k Kind) version() int {
	if k == KindNormal {
		return 2
	}
	return 1
}

var (
	// ErrDamaged is wrapped by every error about a database whose checksums or
	// sizes do not fit.
	ErrDamaged = errors.New("damaged bearoff database")
	// ErrForeign is wrapped by every error about a file that is not a database of this
	// program, or is of a newer version.
	ErrForeign = errors.New("not a bearoff database of this version of fibsbot")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Info is what the header of a database says.
type Info struct {
	Kind     Kind
	Version  int
	Points   int
	Checkers int
	Bytes    int64
	SHA256   [32]byte // of the payload; nothing for Sconyers' files, which are long and name none
	Path     string
	// Part is the number of a file of Sconyers' database, 1 to 44; 0 for whole databases.
	Part int
}

// header is the decoded first part of a file.
type header struct {
	Info
	sections [][2]int64 // offset and length
	table    int64      // offset of the checksum table
	tableSum [32]byte
}

func (h *header) encode() []byte {
	b := make([]byte, headerSize)
	le := binary.LittleEndian
	copy(b, fileMagic)
	le.PutUint32(b[16:], uint32(h.Kind.version()))
	le.PutUint32(b[20:], uint32(h.Kind))
	le.PutUint32(b[24:], uint32(h.Points))
	le.PutUint32(b[28:], uint32(h.Checkers))
	le.PutUint32(b[32:], blockSize)
	le.PutUint32(b[36:], uint32(len(h.sections)))
	for i, s := range h.sections {
		le.PutUint64(b[40+16*i:], uint64(s[0]))
		le.PutUint64(b[48+16*i:], uint64(s[1]))
	}
	le.PutUint64(b[104:], uint64(h.table))
	le.PutUint64(b[112:], uint64(h.Bytes))
	copy(b[128:], h.SHA256[:])
	copy(b[160:], h.tableSum[:])
	sum := sha256.Sum256(b[:192])
	copy(b[192:], sum[:])
	return b
}

// decode reads a header and checks it against the real length of the file.
func (h *header) decode(b []byte, length int64) error {
	le := binary.LittleEndian
	if len(b) < headerSize || string(b[:16]) != fileMagic {
		return ErrForeign
	}
	if v := le.Uint32(b[16:]); v < 1 || v > fileVersion {
		return fmt.Errorf("%w: format version %d, this build reads 1 to %d", ErrForeign, v, fileVersion)
	}
	if sum := sha256.Sum256(b[:192]); !bytes.Equal(sum[:], b[192:224]) {
		return fmt.Errorf("%w: header checksum", ErrDamaged)
	}
	h.Version = int(le.Uint32(b[16:]))
	h.Kind = Kind(le.Uint32(b[20:]))
	if h.Version != h.Kind.version() {
		return fmt.Errorf("%w: %v in format version %d", ErrDamaged, h.Kind, h.Version)
	}
	h.Points, h.Checkers = int(le.Uint32(b[24:])), int(le.Uint32(b[28:]))
	h.table, h.Bytes = int64(le.Uint64(b[104:])), int64(le.Uint64(b[112:]))
	copy(h.SHA256[:], b[128:])
	copy(h.tableSum[:], b[160:])
	if h.Bytes != length {
		return fmt.Errorf("%w: %d bytes, its header says %d", ErrDamaged, length, h.Bytes)
	}
	n := le.Uint32(b[36:])
	if n > maxSections || le.Uint32(b[32:]) != blockSize || h.table < headerSize || h.table > length ||
		length-h.table != 4*((h.table-headerSize+blockSize-1)/blockSize) {
		return fmt.Errorf("%w: impossible layout", ErrDamaged)
	}
	for i := range int(n) {
		off, size := int64(le.Uint64(b[40+16*i:])), int64(le.Uint64(b[48+16*i:]))
		if off < headerSize || size < 0 || off > h.table || size > h.table-off {
			return fmt.Errorf("%w: impossible layout", ErrDamaged)
		}
		h.sections = append(h.sections, [2]int64{off, size})
	}
	return nil
}

// cachedBlocks bounds the memory of files read block by block: 32 MiB.
const cachedBlocks = 512

// pageSize is the least distance between two bytes of a mapped file that can be
// gone independently.
const pageSize = 4096

// openFile opens and maps a database, proving its header and checksum table.
func openFile(path string) (h header, parts []*section, closer func() error, err error) {
	fail := func(err error) (header, []*section, func() error, error) {
		return header{}, nil, nil, fmt.Errorf("bearoff database %s: %w", path, err)
	}
	f, err := ctxread.Open(path)
	if err != nil {
		return header{}, nil, nil, fmt.Errorf("open bearoff database: %w", err)
	}
	ok := false
	defer func() {
		if !ok {
			f.Close()
		}
	}()
	st, err := f.Stat()
	if err != nil {
		return fail(err)
	}
	if !st.Mode().IsRegular() {
		return fail(ErrForeign)
	}
	b := make([]byte, headerSize)
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, headerSize), b); err != nil {
		return fail(ErrForeign)
	}
	if err := h.decode(b, st.Size()); err != nil {
		return fail(err)
	}
	h.Path = path
	sums := make([]byte, h.Bytes-h.table)
	if _, err := f.ReadAt(sums, h.table); err != nil && len(sums) > 0 {
		return fail(err)
	}
	if sha256.Sum256(sums) != h.tableSum {
		return fail(fmt.Errorf("%w: checksum table", ErrDamaged))
	}
	size := h.table - headerSize
	mapped, unmap, err := mapFile(f, h.table)
	if err != nil {
		mapped, unmap = nil, func() error { return nil }
	}
	var data []byte
	if mapped != nil {
		data = mapped[headerSize:]
	}
	p := newPayload(data, f, size, sums)
	for _, s := range h.sections {
		parts = append(parts, &section{p: p, base: s[0] - headerSize, size: s[1]})
	}
	ok = true
	return h, parts, func() error { return errors.Join(unmap(), f.Close()) }, nil
}

// checkPayload reads a whole file and proves the sha-256 of its payload.
func checkPayload(path string) error {
	f, err := ctxread.Open(path)
	if err != nil {
		return fmt.Errorf("open bearoff database: %w", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	var h header
	b := make([]byte, headerSize)
	if _, err := io.ReadFull(f, b); err != nil {
		return fmt.Errorf("bearoff database %s: %w", path, ErrForeign)
	}
	if err := h.decode(b, st.Size()); err != nil {
		return fmt.Errorf("bearoff database %s: %w", path, err)
	}
	sum := sha256.New()
	if _, err := io.CopyN(sum, f, h.table-headerSize); err != nil {
		return fmt.Errorf("read bearoff database %s: %w", path, err)
	}
	if !bytes.Equal(sum.Sum(nil), h.SHA256[:]) {
		return fmt.Errorf("bearoff database %s: %w: sha-256 of the contents", path, ErrDamaged)
	}
	return nil
}
