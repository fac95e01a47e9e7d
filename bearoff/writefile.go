package bearoff

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"fibsbot/internal/atomicfile"
)

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
