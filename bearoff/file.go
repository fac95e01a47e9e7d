package bearoff

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"fibsbot/internal/atomicfile"
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

//go:generate go run golang.org/x/tools/cmd/stringer@v0.52.0 -linecomment -output=string.go -type=Kind

// Kind is the kind of a database.
type Kind uint32

// The kinds of databases.
const (
	KindOneSided Kind = 1 + iota // one-sided
	KindTwoSided                 // two-sided
	KindHyper                    // hypergammon
	KindNormal                   // approximate one-sided
)

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
	// ErrForeign is wrapped by every error about a file that is no database of
	// this program, or one of a newer version.
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
	SHA256   [32]byte // of the payload
	Path     string
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

// payload is the checked part of an open file. Blocks are proved on first
// touch; several goroutines may prove the same block, which does no harm.
type payload struct {
	data   []byte      // mapped, or nil
	file   io.ReaderAt // used when data is nil
	size   int64
	sums   []byte
	proved []atomic.Uint32
	bad    atomic.Bool

	mu    sync.Mutex
	cache map[int64][]byte // blocks read when the file is not mapped
	most  int              // how many of them are kept
}

// cachedBlocks bounds the memory of files read block by block: 32 MiB.
const cachedBlocks = 512

func newPayload(data []byte, file io.ReaderAt, size int64, sums []byte) *payload {
	return &payload{data: data, file: file, size: size, sums: sums,
		proved: make([]atomic.Uint32, (size/blockSize)/32+1), cache: map[int64][]byte{}, most: cachedBlocks}
}

// at returns n bytes of the payload from off on, nil when they are damaged.
func (p *payload) at(off int64, n int) []byte {
	if n == 0 {
		return []byte{}
	}
	if p.data == nil {
		return p.read(off, n)
	}
	if !p.present(off, n) {
		return nil
	}
	return p.data[off : off+int64(n) : off+int64(n)]
}

// pageSize is the least distance between two bytes of a mapped file that can be
// gone independently.
const pageSize = 4096

// present proves the blocks of mapped bytes and touches their pages. A file that is
// cut short while it is mapped has none where its end was, and reading there ends
// the process (SIGBUS), with all accounts in it; here it is damage like any other.
func (p *payload) present(off int64, n int) (ok bool) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if recover() != nil {
			p.bad.Store(true)
			ok = false
		}
	}()
	last := off + int64(n) - 1
	for b := off >> blockBits; b <= last>>blockBits; b++ {
		if p.proved[b>>5].Load()&(1<<(b&31)) == 0 && !p.prove(b, p.data[b<<blockBits:min((b+1)<<blockBits, p.size)]) {
			return false
		}
	}
	sum := p.data[last]
	for at := off; at < last; at += pageSize {
		sum ^= p.data[at]
	}
	// The sum is used, or the reading would be left out; it is never above a byte.
	return int(sum) < 1<<8+n
}

func (p *payload) prove(b int64, block []byte) bool {
	if crc32.Checksum(block, castagnoli) != binary.LittleEndian.Uint32(p.sums[4*b:]) {
		p.bad.Store(true)
		return false
	}
	p.proved[b>>5].Or(1 << (b & 31))
	return true
}

// read is at for files that are not mapped.
func (p *payload) read(off int64, n int) []byte {
	out := make([]byte, 0, n)
	p.mu.Lock()
	defer p.mu.Unlock()
	for b := off >> blockBits; n > 0; b++ {
		block, ok := p.cache[b]
		if !ok {
			block = make([]byte, min((b+1)<<blockBits, p.size)-b<<blockBits)
			if _, err := p.file.ReadAt(block, headerSize+b<<blockBits); err != nil || !p.prove(b, block) {
				p.bad.Store(true)
				return nil
			}
			for k := range p.cache {
				if len(p.cache) < p.most {
					break
				}
				delete(p.cache, k)
			}
			p.cache[b] = block
		}
		part := block[off-b<<blockBits:]
		part = part[:min(len(part), n)]
		out = append(out, part...)
		off += int64(len(part))
		n -= len(part)
	}
	return out
}

// section is one part of a database: bytes made by this process, or a part of
// the payload of a file.
type section struct {
	data []byte
	p    *payload
	base int64
	size int64
}

// trusted wraps bytes made by this process.
func trusted(b []byte) *section { return &section{data: b, size: int64(len(b))} }

// at returns n bytes from off on, or nil when the section ends before or the
// bytes are damaged.
func (s *section) at(off int64, n int) []byte {
	if off < 0 || off+int64(n) > s.size {
		return nil
	}
	if s.p == nil {
		return s.data[off : off+int64(n) : off+int64(n)]
	}
	return s.p.at(s.base+off, n)
}

// damaged tells whether a look-up has met damaged bytes.
func (s *section) damaged() bool { return s.p != nil && s.p.bad.Load() }

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

// summer computes the checksums of a payload while it is written.
type summer struct {
	w     io.Writer
	n     int64
	crc   uint32
	sums  []byte
	total interface {
		io.Writer
		Sum([]byte) []byte
	}
}

func (s *summer) Write(b []byte) (int, error) {
	whole := len(b)
	s.total.Write(b)
	if _, err := s.w.Write(b); err != nil {
		return 0, err
	}
	for len(b) > 0 {
		k := min(int64(len(b)), blockSize-s.n%blockSize)
		s.crc = crc32.Update(s.crc, castagnoli, b[:k])
		s.n += k
		b = b[k:]
		if s.n%blockSize == 0 {
			s.end()
		}
	}
	return whole, nil
}

func (s *summer) end() {
	s.sums = binary.LittleEndian.AppendUint32(s.sums, s.crc)
	s.crc = 0
}

// writeFile writes a database, whole or not at all. Each section is given as
// pieces that follow each other.
func writeFile(path string, info Info, sections ...[][]byte) error {
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = atomicfile.Write(path, 0o644, func(f *os.File) error { return fill(f, info, sections) })
	}
	if err != nil {
		return fmt.Errorf("bearoff database: %w", err)
	}
	return nil
}

// fill writes the content of a database into an empty file: room for the header,
// the sections with their sums, the table of sums, and at last the header.
func fill(f *os.File, info Info, sections [][][]byte) error {
	h := header{Info: info}
	if _, err := f.Write(make([]byte, headerSize)); err != nil {
		return err
	}
	s := summer{w: f, total: sha256.New()}
	for _, pieces := range sections {
		from := headerSize + s.n
		for _, b := range pieces {
			if _, err := s.Write(b); err != nil {
				return err
			}
		}
		h.sections = append(h.sections, [2]int64{from, headerSize + s.n - from})
	}
	if s.n%blockSize != 0 {
		s.end()
	}
	if _, err := f.Write(s.sums); err != nil {
		return err
	}
	h.table = headerSize + s.n
	h.Bytes = h.table + int64(len(s.sums))
	copy(h.SHA256[:], s.total.Sum(nil))
	h.tableSum = sha256.Sum256(s.sums)
	_, err := f.WriteAt(h.encode(), 0)
	return err
}
