package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strings"
)

// comment is the comment of the zip file up to the digest, which ends the file.
const comment = "fibsbot archive backup; SHA-256 of all bytes before this sum: "

// digestLength is the length of the digest in hexadecimal.
const digestLength = 2 * sha256.Size

// sealer passes on what is written to it, except the last digestLength bytes, which seal
// replaces by the digest of all other bytes.
type sealer struct {
	w    io.Writer
	sum  hash.Hash
	tail []byte
}

func newSealer(w io.Writer) *sealer { return &sealer{w: w, sum: sha256.New()} }

func (s *sealer) Write(p []byte) (int, error) {
	s.tail = append(s.tail, p...)
	if n := len(s.tail) - digestLength; n > 0 {
		s.sum.Write(s.tail[:n])
		if _, err := s.w.Write(s.tail[:n]); err != nil {
			return 0, err
		}
		s.tail = append(s.tail[:0], s.tail[n:]...)
	}
	return len(p), nil
}

// seal ends the file. The bytes held back must be noDigest.
func (s *sealer) seal() error {
	if string(s.tail) != noDigest {
		return fmt.Errorf("backup: the zip file does not end in its comment")
	}
	_, err := io.WriteString(s.w, hex.EncodeToString(s.sum.Sum(nil)))
	return err
}

// noDigest is the placeholder for the digest in the comment.
var noDigest = strings.Repeat("0", digestLength)

// checkSeal compares the digest at the end of a file with its bytes.
func checkSeal(ctx context.Context, r io.ReaderAt, size int64, progress func(int64)) error {
	if size < digestLength {
		return fmt.Errorf("%w: only %d bytes", ErrDamaged, size)
	}
	want := make([]byte, digestLength)
	if _, err := r.ReadAt(want, size-digestLength); err != nil {
		return err
	}
	sum := sha256.New()
	in := io.NewSectionReader(r, 0, size-digestLength)
	for done := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.CopyN(sum, in, 4<<20)
		if done += n; progress != nil {
			progress(done)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if hex.EncodeToString(sum.Sum(nil)) != string(want) {
		return fmt.Errorf("%w: wrong checksum, the file was changed or truncated", ErrDamaged)
	}
	return nil
}
