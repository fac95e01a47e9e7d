package detect

import (
	"bufio"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// decoded returns r as UTF-8 when it begins with the byte order mark of UTF-16, in
// which Windows programs save "Unicode" text, or with letters of it without the mark; any
// other text is left as it is.
func decoded(r *bufio.Reader) *bufio.Reader {
	mark, err := r.Peek(2)
	if err != nil {
		return r
	}
	var order binary.ByteOrder
	switch {
	case mark[0] == 0xff && mark[1] == 0xfe:
		order = binary.LittleEndian
	case mark[0] == 0xfe && mark[1] == 0xff:
		order = binary.BigEndian
	default:
		if order = unmarked(r); order == nil {
			return r
		}
	}
	return bufio.NewReaderSize(&utf16Reader{r: r, order: order, held: -1}, looked)
}

// unmarked tells which UTF-16 a text without a mark begins in: four letters, each beside a
// zero. Nil for any other.
func unmarked(r *bufio.Reader) binary.ByteOrder {
	head, err := r.Peek(8)
	if err != nil {
		return nil
	}
	for low, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		found := true
		for i := 0; i < len(head); i += 2 {
			c := head[i+low]
			found = found && head[i+1-low] == 0 && (c >= ' ' && c < 0x7f || c == '\t' || c == '\r' || c == '\n')
		}
		if found {
			return order
		}
	}
	return nil
}

// utf16Reader reads UTF-16 as UTF-8. Half a pair becomes U+FFFD.
type utf16Reader struct {
	r     io.Reader
	order binary.ByteOrder
	held  rune   // first half of a pair whose second one is to come, -1 without
	ready []byte // decoded and not yet handed out
	err   error
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.ready) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		u.fill()
	}
	n := copy(p, u.ready)
	u.ready = u.ready[n:]
	return n, nil
}

// fill decodes the next unit into ready.
func (u *utf16Reader) fill() {
	var unit [2]byte
	if _, err := io.ReadFull(u.r, unit[:]); err != nil {
		if err == io.ErrUnexpectedEOF {
			err = io.EOF // an odd byte at the end is no character
		}
		u.err = err
		if u.held >= 0 {
			u.ready, u.held = utf8.AppendRune(nil, utf8.RuneError), -1
		}
		return
	}
	c := rune(u.order.Uint16(unit[:]))
	out := u.ready[:0]
	if u.held >= 0 {
		first := u.held
		u.held = -1
		if pair := utf16.DecodeRune(first, c); pair != utf8.RuneError {
			u.ready = utf8.AppendRune(out, pair)
			return
		}
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	switch {
	case c >= 0xd800 && c < 0xdc00:
		u.held = c
	default: // a second half alone is U+FFFD, too
		out = utf8.AppendRune(out, c)
	}
	u.ready = out
}
