package detect

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"fibsbot/engine/record"
)

// maxUnpacked bounds what Read makes of a packed file; every reader has a bound of its
// own of that size.
const maxUnpacked = 64 << 20

// unpacked returns r, unpacked once if it is packed with gzip: a packed file inside a packed
// file is not a match.
func unpacked(r *bufio.Reader, most int) (*bufio.Reader, error) {
	if head, err := r.Peek(2); err != nil || head[0] != 0x1f || head[1] != 0x8b {
		return r, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, &record.SyntaxError{Line: 1, Column: 1, Problem: fmt.Sprintf("packed with gzip, and damaged: %v", err)}
	}
	return bufio.NewReaderSize(&bounded{r: z, most: most, left: most}, looked), nil
}

// bounded ends a file that is larger unpacked than it may be with an error, and says
// of one that is cut or damaged what it is.
type bounded struct {
	r          io.Reader
	most, left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, &record.SyntaxError{Line: 1, Column: 1, Problem: fmt.Sprintf("packed with gzip, and longer than %d megabytes unpacked", b.most>>20)}
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	if err != nil && err != io.EOF {
		return n, &record.SyntaxError{Line: 1, Column: 1, Problem: fmt.Sprintf("packed with gzip, and cut or damaged: %v", err)}
	}
	return n, err
}

// foreign names a kind of file that is not a match by its first bytes, or returns "".
func foreign(head []byte) string {
	for _, f := range []struct{ magic, what string }{
		{"PK\x03\x04", "a zip archive: unpack it first"},
		{"Rar!", "a rar archive: unpack it first"},
		{"7z\xbc\xaf", "a 7z archive: unpack it first"},
		{"BZh", "packed with bzip2: unpack it first"},
		{"\xfd7zXZ", "packed with xz: unpack it first"},
		{"\x1f\x8b", "packed with gzip twice: unpack it first"},
		{"%PDF", "a PDF: it holds no match that can be read"},
		{"\x89PNG", "a picture (PNG)"},
		{"\xff\xd8\xff", "a picture (JPEG)"},
		{"SQLite format 3", "an SQLite database"},
		{"<!DOCTYPE html", "a web page: save the match itself, not the page that shows it"},
		{"<html", "a web page: save the match itself, not the page that shows it"},
	} {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.what
		}
	}
	return ""
}
