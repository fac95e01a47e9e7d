package xg

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strings"
	"unicode/utf16"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/charset"
)

// Magic are the first bytes of a file.
const Magic = "RGMH"

// Limits on what a file may ask for. A match of 25 points is below 10 megabytes.
const (
	maxFile    = 64 << 20
	maxMember  = 64 << 20
	maxMembers = 64

	headerSize  = 8232
	trailerSize = 36
	entrySize   = 532
	recordSize  = 2560
	rolloutSize = 2184
)

// blob reads numbers and strings at offsets. Bytes outside read as zero: offsets of a
// record are inside it, except in the last one of a cut file.
type blob []byte

func (b blob) at(i, n int) []byte {
	if i < 0 || i+n > len(b) {
		return make([]byte, n)
	}
	return b[i : i+n]
}

func (b blob) i8(i int) int    { return int(int8(b.at(i, 1)[0])) }
func (b blob) i16(i int) int   { return int(int16(binary.LittleEndian.Uint16(b.at(i, 2)))) }
func (b blob) i32(i int) int   { return int(int32(binary.LittleEndian.Uint32(b.at(i, 4)))) }
func (b blob) u32(i int) int   { return int(binary.LittleEndian.Uint32(b.at(i, 4))) }
func (b blob) flag(i int) bool { return b.at(i, 1)[0] != 0 }

// f32 and f64 return floating-point numbers, 0 for NaN and absurd ones.
func (b blob) f32(i int) float64 {
	return sane(float64(math.Float32frombits(binary.LittleEndian.Uint32(b.at(i, 4)))))
}

func (b blob) f64(i int) float64 {
	return sane(math.Float64frombits(binary.LittleEndian.Uint64(b.at(i, 8))))
}

func sane(v float64) float64 {
	if math.IsNaN(v) || math.Abs(v) > 1e9 {
		return 0
	}
	return v
}

// short is a string of the Windows code page with its length in front.
func (b blob) short(i, size int) string {
	n := min(int(b.at(i, 1)[0]), size)
	return charset.OneLine(charset.Windows1252(b.at(i+1, n)))
}

// wide is a string of 16-bit units up to the first 0.
func (b blob) wide(i, units int) string {
	var u []uint16
	for k := range units {
		c := binary.LittleEndian.Uint16(b.at(i+2*k, 2))
		if c == 0 {
			break
		}
		u = append(u, c)
	}
	return charset.OneLine(string(utf16.Decode(u)))
}

// bad is an error at a byte of the file.
func bad(at int, format string, args ...any) error {
	return &record.SyntaxError{Line: 1, Column: at + 1, Problem: fmt.Sprintf(format, args...)}
}

// damaged is bad for a file that is not whole.
func damaged(at int, format string, args ...any) error {
	return bad(at, "damaged .xg file: "+format, args...)
}

// members unpacks the archive of a file. Names are in small letters.
func members(b blob) (map[string]blob, []record.Warning, error) {
	if string(b.at(0, 4)) != Magic {
		return nil, nil, bad(0, "not a file of eXtreme Gammon")
	}
	if len(b) < headerSize+trailerSize {
		return nil, nil, damaged(len(b), "it ends inside its header")
	}
	header, picture := b.u32(8), b.u32(20)
	if header < headerSize || header+trailerSize > len(b) || picture > len(b)-header-trailerSize {
		return nil, nil, damaged(8, "a header of %d and a picture of %d bytes in a file of %d", header, picture, len(b))
	}
	end := len(b) - trailerSize
	sum, count, reg, arc, packed := b.u32(end), b.i32(end+4), b.i32(end+12), b.i32(end+16), b.i32(end+20)
	if count < 0 || count > maxMembers || reg < 0 || arc < 0 || reg > end || arc > end-reg {
		return nil, nil, damaged(end, "no archive at its end")
	}
	start := end - reg - arc
	if start != header+picture {
		return nil, nil, damaged(end, "the archive begins at byte %d, not %d", start, header+picture)
	}
	var ws []record.Warning
	intact := crc32.ChecksumIEEE(b[start:end]) == uint32(sum)
	if !intact {
		ws = append(ws, record.Warning{Text: "the check sum of the file is wrong: it was damaged or edited"})
	}
	index := b[end-reg : end]
	var err error
	if packed != 0 {
		if index, err = inflate(index, count*entrySize); err != nil {
			return nil, ws, damaged(end-reg, "its index %s", unpacking(err))
		}
	}
	if len(index) < count*entrySize {
		return nil, ws, damaged(end-reg, "an index of %d bytes for %d parts", len(index), count)
	}
	out := make(map[string]blob, count)
	for i := range count {
		e := index[i*entrySize:]
		part := strings.ToLower(e.short(0, 255))
		size, stored, at := e.i32(512), e.i32(516), e.i32(520)
		if size < 0 || size > maxMember || stored < 0 || at < 0 || at > arc || stored > arc-at {
			return nil, ws, damaged(start, "part %q has %d bytes at %d of an archive of %d", part, stored, at, arc)
		}
		data := b[start+at : start+at+stored]
		if e.at(528, 1)[0] == 0 {
			if data, err = inflate(data, size); intact && errors.Is(err, zlib.ErrHeader) {
				return nil, ws, bad(start+at, "encrypted .xg file (save the match without a password)")
			} else if err != nil {
				return nil, ws, damaged(start+at, "part %q %s", part, unpacking(err))
			}
		}
		if crc32.ChecksumIEEE(data) != uint32(e.u32(524)) {
			ws = append(ws, record.Warning{Text: fmt.Sprintf("the check sum of part %q is wrong", part)})
		}
		out[part] = data
	}
	return out, ws, nil
}

// unpacking says what is wrong with packed data.
func unpacking(err error) string {
	switch {
	case errors.Is(err, zlib.ErrChecksum):
		return "does not match its checksum"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "is cut"
	case errors.Is(err, errSize):
		return err.Error()
	}
	return fmt.Sprintf("cannot be unpacked (%v)", err)
}

// errSize is the error of inflate where the size is another.
var errSize = errors.New("has another size than the file says")

// inflate unpacks data that should have the given size.
func inflate(data blob, size int) (blob, error) {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(z, int64(min(size, maxMember))+1))
	switch {
	case err != nil:
		return nil, err
	case len(out) != size:
		return nil, errSize
	}
	return out, nil
}
