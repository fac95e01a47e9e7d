package backup

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/internal/changes"
)

// Options of Write.
type Options struct {
	// Program is the version of fibsbot, for the manifest.
	Program string
	// Progress, if set, is called after each file with the number of files copied.
	Progress func(done int)

	listed func()            // before each listing, for tests
	copied func(name string) // after each file, for tests
}

// maxRounds bounds how often the folder is listed. Bots file a match every few minutes, a
// round takes much less.
const maxRounds = 100

// settling is how long a new match file may lack its Meta file.
const settling = 2 * time.Second

// ErrRestless means that matches are filed faster than the folder can be listed.
var ErrRestless = errors.New("the archive changes too fast for a backup (try again later)")

// Write writes a backup of the archive in dir to w. Bots may write to the archive meanwhile.
func Write(ctx context.Context, dir string, w io.Writer, opt Options) (*Manifest, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	release, err := archive.Care(real)
	switch {
	case err == nil:
		defer release()
	case !errors.Is(err, fs.ErrPermission): // a read-only folder is not pruned meanwhile
		return nil, fmt.Errorf("backup: %w", err)
	}
	sealed := newSealer(w)
	c := &copier{dir: real, zip: zip.NewWriter(sealed), have: map[string]Member{}, opt: &opt}
	defer c.drop()
	list, err := c.files(ctx)
	if err = errors.Join(err, c.release()); err != nil {
		return nil, fmt.Errorf("backup %s: %w", dir, err)
	}
	m, err := c.finish(list)
	if err == nil {
		err = sealed.seal()
	}
	if err != nil {
		return nil, fmt.Errorf("backup %s: %w", dir, err)
	}
	return m, nil
}

// copier copies an archive into a zip file.
type copier struct {
	dir     string
	zip     *zip.Writer
	have    map[string]Member // copied
	running []running
	leftOut []string
	change  *changes.Change // held while the files of a match are copied, or nil
	opt     *Options
}

// running is the journal of a match in progress at one moment: its first size bytes, in
// memory, or if there are many in the open file, which only grows and may be renamed.
type running struct {
	name string
	data []byte
	file *os.File
	size int64
	info fs.FileInfo
}

// inMemory is the largest running journal kept in memory.
const inMemory = 1 << 20

// files copies every file and reads the running journals until the folder's listing is the
// same before and after. It returns that listing.
func (c *copier) files(ctx context.Context) ([]string, error) {
	before, _, err := c.list()
	if err != nil {
		return nil, err
	}
	for range maxRounds {
		c.drop()
		gone, of := false, ""
		// The files of a match follow each other, and no change falls between them.
		order := slices.Clone(before)
		slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(stem(a), stem(b)) })
		for _, name := range order {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if of != stem(name) {
				of = stem(name)
				if err := c.still(ctx); err != nil {
					return nil, err
				}
			}
			if _, ok := c.have[name]; ok && !isRunning(name) {
				continue
			}
			do := c.copyFile
			if isRunning(name) {
				do = c.take
			}
			err := do(name)
			if c.opt.copied != nil {
				c.opt.copied(name)
			}
			if errors.Is(err, fs.ErrNotExist) {
				gone = true // moved since it was listed
			} else if err != nil {
				return nil, err
			}
		}
		if err := c.release(); err != nil {
			return nil, err
		}
		after, young, err := c.list()
		if err != nil {
			return nil, err
		}
		if !gone && !young && slices.Equal(before, after) {
			return after, nil
		}
		if young && slices.Equal(before, after) {
			select {
			case <-ctx.Done():
			case <-time.After(settling / 10):
			}
		}
		before = after
	}
	return nil, ErrRestless
}

// stem is what the names of a match's files have in common.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// still lets other programs change the archive, and then keeps them from it until release. A folder
// where nothing can be written does not change.
func (c *copier) still(ctx context.Context) error {
	if err := c.release(); err != nil {
		return err
	}
	change, err := (&changes.Log{Dir: c.dir}).Begin(ctx)
	switch {
	case err == nil:
		c.change = change
	case errors.Is(err, changes.ErrBusy), ctx.Err() != nil:
		return err
	}
	return nil
}

// release ends still.
func (c *copier) release() error {
	if c.change == nil {
		return nil
	}
	change := c.change
	c.change = nil
	return change.Close()
}

// list returns the names of the files for the backup, sorted. young reports whether a match
// file is so new that other files of its match may be missing.
func (c *copier) list() (names []string, young bool, err error) {
	if c.opt.listed != nil {
		c.opt.listed()
	}
	var matches []string
	c.leftOut = nil
	err = filepath.WalkDir(c.dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) && p != c.dir {
				return nil
			}
			return err
		}
		rel, err := filepath.Rel(c.dir, p)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if !e.Type().IsRegular() || made(name) {
			return nil
		}
		if !kept(name) {
			c.leftOut = append(c.leftOut, name)
			return nil
		}
		if !usable(name) {
			return fmt.Errorf("a backup cannot hold the file name %q", name)
		}
		names = append(names, name)
		if strings.HasSuffix(name, ".sgf") && !strings.HasPrefix(name, index.ImportDir+"/") {
			if st, err := e.Info(); err == nil && time.Since(st.ModTime()) < settling && time.Since(st.ModTime()) >= 0 {
				matches = append(matches, name)
			}
		}
		return nil
	})
	slices.Sort(names)
	for _, m := range matches {
		if _, ok := slices.BinarySearch(names, index.MetaFile(m)); !ok {
			young = true
		}
	}
	return names, young, err
}

// copyFile copies a file into the backup.
func (c *copier) copyFile(name string) error {
	f, err := os.Open(filepath.Join(c.dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	return c.add(name, f, st)
}

// take reads a running journal up to its last whole line.
func (c *copier) take(name string) error {
	f, err := os.Open(filepath.Join(c.dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	st, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	r := running{name: name, info: st, size: st.Size()}
	if r.size <= inMemory {
		r.data, err = io.ReadAll(io.LimitReader(f, r.size))
		r.data = r.data[:bytes.LastIndexByte(r.data, '\n')+1]
		r.size = int64(len(r.data))
		err = errors.Join(err, f.Close())
	} else {
		r.file = f // its reader cuts off an incomplete last line
	}
	if err == nil {
		c.running = append(c.running, r)
	}
	return err
}

// drop discards the running journals.
func (c *copier) drop() {
	for _, r := range c.running {
		if r.file != nil {
			r.file.Close() // was only read
		}
	}
	c.running = nil
}

// add writes one member.
func (c *copier) add(name string, in io.Reader, st fs.FileInfo) error {
	w, err := c.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: st.ModTime().UTC()})
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), in)
	if err != nil {
		return err
	}
	c.have[name] = Member{Name: name, Size: n, SHA256: hex.EncodeToString(sum.Sum(nil)), Mode: st.Mode().Perm(), Modified: st.ModTime().UTC()}
	if c.opt.Progress != nil {
		c.opt.Progress(len(c.have))
	}
	return nil
}

// finish adds the running journals and the manifest.
func (c *copier) finish(list []string) (*Manifest, error) {
	for _, r := range c.running {
		var in io.Reader = bytes.NewReader(r.data)
		if r.file != nil {
			in = io.NewSectionReader(r.file, 0, r.size)
		}
		if err := c.add(r.name, in, r.info); err != nil {
			return nil, err
		}
	}
	m := &Manifest{Format: format, Version: Version, Program: c.opt.Program, Made: time.Now().UTC().Truncate(time.Second), Running: len(c.running), LeftOut: c.leftOut}
	for _, name := range list {
		m.Members = append(m.Members, c.have[name])
		delete(c.have, name)
		if strings.EqualFold(filepath.Ext(name), ".sgf") {
			m.Matches++
		}
	}
	for name := range c.have {
		m.Superseded = append(m.Superseded, name)
	}
	slices.Sort(m.Superseded)
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, err
	}
	w, err := c.zip.CreateHeader(&zip.FileHeader{Name: manifestName, Method: zip.Deflate, Modified: m.Made})
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(append(data, '\n')); err != nil {
		return nil, err
	}
	if err := c.zip.SetComment(comment + noDigest); err != nil {
		return nil, err
	}
	return m, c.zip.Close()
}
