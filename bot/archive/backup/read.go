package backup

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"

	"fibsbot/internal/ctxread"
)

// Bounds of what is read from a backup.
const (
	maxManifest = 512 << 20
	maxMembers  = 10_000_000
)

// Backup is an open backup.
type Backup struct {
	Manifest
	name  string
	files map[string]*zip.File
	close func() error
}

// Open opens a backup and checks the checksum of the whole file; the error wraps
// ErrDamaged if a byte has changed. progress, which may be nil, is called with the number
// of bytes read.
func Open(ctx context.Context, name string, progress func(int64)) (*Backup, error) {
	f, err := ctxread.Open(name)
	if err != nil {
		return nil, err
	}
	b, err := open(ctx, f, progress)
	if err != nil {
		_ = f.Close() // only read
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	b.name, b.close = name, f.Close
	return b, nil
}

func open(ctx context.Context, f *os.File, progress func(int64)) (*Backup, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: not a regular file", ErrNoBackup)
	}
	b, err := read(f, st.Size())
	if errors.Is(err, ErrVersion) || errors.Is(err, ErrNoBackup) {
		return nil, err
	}
	// For a damaged file the error of the checksum is clearer.
	if broken := checkSeal(ctx, f, st.Size(), progress); broken != nil {
		return nil, broken
	}
	return b, err
}

// read reads the manifest and finds the members.
func read(r io.ReaderAt, size int64) (*Backup, error) {
	z, err := zip.NewReader(r, size)
	switch {
	case err != nil && begins(r):
		return nil, fmt.Errorf("%w: the end is missing or changed", ErrDamaged)
	case err != nil:
		return nil, fmt.Errorf("%w: not a zip file", ErrNoBackup)
	case !strings.HasPrefix(z.Comment, comment) || len(z.Comment) != len(comment)+digestLength:
		return nil, fmt.Errorf("%w: another kind of zip file", ErrNoBackup)
	case len(z.File) > maxMembers:
		return nil, fmt.Errorf("%w: %d members", ErrDamaged, len(z.File))
	}
	b := &Backup{files: make(map[string]*zip.File, len(z.File))}
	for _, f := range z.File {
		if b.files[f.Name] != nil {
			return nil, fmt.Errorf("%w: two members named %.200q", ErrDamaged, f.Name)
		}
		b.files[f.Name] = f
	}
	m, err := b.manifest()
	if err != nil {
		return nil, err
	}
	b.Manifest = *m
	return b, b.complete()
}

// begins reports whether a file begins like a zip file.
func begins(r io.ReaderAt) bool {
	var magic [4]byte
	n, _ := r.ReadAt(magic[:], 0)
	return n == 4 && string(magic[:]) == "PK\x03\x04"
}

func (b *Backup) manifest() (*Manifest, error) {
	f := b.files[manifestName]
	if f == nil || f.UncompressedSize64 > maxManifest {
		return nil, fmt.Errorf("%w: without a manifest", ErrNoBackup)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, manifestName, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxManifest))
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, manifestName, err)
	}
	return parseManifest(data)
}

// complete compares the manifest with the members.
func (b *Backup) complete() error {
	known := map[string]bool{manifestName: true}
	for _, name := range b.Superseded {
		known[name] = true
	}
	for i := range b.Members {
		m := &b.Members[i]
		known[m.Name] = true
		f := b.files[m.Name]
		if f == nil || f.UncompressedSize64 != uint64(m.Size) {
			return fmt.Errorf("%w: %.200q is missing, or has another size", ErrDamaged, m.Name)
		}
	}
	for name := range b.files {
		if !known[name] {
			return fmt.Errorf("%w: %.200q is not in the manifest", ErrDamaged, name)
		}
	}
	return nil
}

// Close closes the file.
func (b *Backup) Close() error { return b.close() }

// Check reads every member and compares it with its checksum. progress, which may be
// nil, is called with the number of bytes checked.
func (b *Backup) Check(ctx context.Context, progress func(int64)) error {
	done := int64(0)
	for i := range b.Members {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.copy(&b.Members[i], io.Discard); err != nil {
			return err
		}
		if done += b.Members[i].Size; progress != nil {
			progress(done)
		}
	}
	return nil
}

// copy writes the content of a member to w and compares it with the manifest. It writes at
// most the size in the manifest.
func (b *Backup) copy(m *Member, w io.Writer) error {
	r, err := b.files[m.Name].Open()
	if err != nil {
		return fmt.Errorf("%s: %w: %s: %w", b.name, ErrDamaged, m.Name, err)
	}
	defer r.Close()
	sum := sha256.New()
	bad := &failing{r: r}
	n, err := io.Copy(io.MultiWriter(sum, w), io.LimitReader(bad, m.Size+1))
	switch {
	case bad.err != nil:
		return fmt.Errorf("%s: %w: %s: %w", b.name, ErrDamaged, m.Name, bad.err)
	case err != nil:
		return err
	case n != m.Size || hex.EncodeToString(sum.Sum(nil)) != m.SHA256:
		return fmt.Errorf("%s: %w: wrong checksum of %s", b.name, ErrDamaged, m.Name)
	}
	return nil
}

// failing separates errors of reading from errors of writing.
type failing struct {
	r   io.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}

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
