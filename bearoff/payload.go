package bearoff

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"fibsbot/internal/atomicfile"
)

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

// damaged reports whether a look-up has met damaged bytes.
func (s *section) damaged() bool { return s.p != nil && s.p.bad.Load() }

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
