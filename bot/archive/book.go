package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fibsbot/internal/atomicfile"
)

// MaxJournal is the size in bytes from which a journal takes only lines of the game, and no
// requests for the board, ratings or chat.
const MaxJournal = 32 << 20

// endOfJournal is the size in bytes at which a journal refuses every entry and the sitting
// ends. No match is so long, and a server must not fill the disk.
const endOfJournal = 1 << 30

// ErrFull means that a journal has reached endOfJournal.
var ErrFull = errors.New("the journal of the match has reached its limit of 1 GB")

// book is the journal of one match. Entries that cannot be written wait in memory, so a full
// disk loses no line.
type book struct {
	base  string // the stem before it is made unique
	stem  string // empty until there is a file
	path  string
	head  entry    // the first entry
	file  *os.File // nil between sittings
	size  int64    // whole entries in the file
	torn  bool     // the file may have an incomplete entry after size
	waits []byte   // entries not yet in the file
	dirty bool     // written since the last sync
	fresh bool     // the folder was not synced since the file was created
	full  bool     // has a kindFull
	left  bool     // ended before a restart
	tried bool     // its filing began
	talk  talk     // counts chat
}

// append writes an entry. After an error the entry waits in memory.
func (j *Journal) append(b *book, e entry) error {
	if b == nil {
		return nil
	}
	line, err := e.line()
	if err != nil {
		return err
	}
	if b.size+int64(len(b.waits)) > endOfJournal {
		return ErrFull
	}
	b.waits = append(b.waits, line...)
	return j.flush(b)
}

// flush writes the waiting entries to the file, which it creates if missing. After a failure
// the next call opens the file again and cuts off an incomplete entry.
func (j *Journal) flush(b *book) error {
	if err := j.openBook(b); err != nil {
		return err // an open file stays open: it may be all that is left of a removed one
	}
	err := j.put(b)
	if err != nil {
		b.file.Close() // the write error counts
		b.file, b.torn = nil, true
	}
	return err
}

func (j *Journal) put(b *book) error {
	if b.torn {
		if err := b.file.Truncate(b.size); err != nil {
			return err
		}
		b.torn = false
	}
	if len(b.waits) > 0 {
		if _, err := b.file.Write(b.waits); err != nil {
			return err
		}
		b.size += int64(len(b.waits))
		b.waits = b.waits[:0]
		b.dirty = true
	}
	if b.fresh {
		if err := j.syncDir(filepath.Join(j.opt.Dir, openDir)); err != nil {
			return err
		}
		b.fresh = false
	}
	return nil
}

// openBook opens the file of a book for appending. It writes a removed file again: whole if it
// is still open, otherwise with only its first entries.
func (j *Journal) openBook(b *book) (err error) {
	if b.stem == "" {
		return j.create(b)
	}
	if b.file == nil {
		b.file, err = os.OpenFile(b.path, os.O_RDWR|os.O_APPEND, 0)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		var text []byte
		for _, e := range []entry{b.head, {Kind: kindOpen, At: b.head.At, Length: b.head.Length, Resumed: true}} {
			line, err := e.line()
			if err != nil {
				return err
			}
			text = append(text, line...)
		}
		b.size, b.torn = 0, false
		return j.putBack(b, bytes.NewReader(text), int64(len(text)))
	}
	open, err := b.file.Stat()
	if err == nil && !open.Mode().IsRegular() {
		err = fmt.Errorf("%s is no longer a regular file", b.path)
	}
	if err != nil {
		b.file.Close() // the write error counts
		b.file, b.torn = nil, true
		return err
	}
	if now, err := os.Lstat(b.path); err == nil && os.SameFile(open, now) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	old := b.file
	err = j.putBack(b, io.NewSectionReader(old, 0, b.size), b.size)
	if err == nil {
		_ = old.Close() // the removed file
	}
	return err
}

// putBack writes a removed file again with size bytes of text, and opens it.
func (j *Journal) putBack(b *book, text io.Reader, size int64) error {
	if err := j.makeDirs(); err != nil {
		return err
	}
	err := atomicfile.Write(b.path, 0o600, func(f *os.File) error {
		_, err := io.Copy(f, text)
		return err
	})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(b.path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	if j.opt.Removed != nil {
		j.opt.Removed(b.head.Opponent, b.size == size)
	}
	b.file, b.size, b.torn, b.dirty = f, size, false, true
	return nil
}

// create creates the file of a new book under an unused stem.
func (j *Journal) create(b *book) error {
	for i := 1; i < 10000; i++ {
		stem := b.base
		if i > 1 {
			stem = fmt.Sprintf("%s_%d", b.base, i)
		}
		if j.taken(stem) {
			continue
		}
		path := filepath.Join(j.opt.Dir, openDir, stem+suffix)
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		if j.taken(stem) {
			// Another account has just filed a match with this stem.
			if err := errors.Join(f.Close(), os.Remove(path)); err != nil {
				return err
			}
			continue
		}
		b.stem, b.path, b.file, b.fresh = stem, path, f, true
		return nil
	}
	return fmt.Errorf("no free file name for %s", b.base)
}

// taken reports whether files with that stem exist.
func (j *Journal) taken(stem string) bool {
	return slices.ContainsFunc([]string{stem + ".sgf", stem + ".fibs", filepath.Join(journalDir, stem+suffix)}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(j.opt.Dir, name))
		return err == nil
	})
}

func (j *Journal) syncBook(b *book) error {
	if !b.dirty || b.file == nil || j.opt.NoSync {
		b.dirty = false
		return nil
	}
	if err := b.file.Sync(); err != nil {
		return err
	}
	b.dirty = false
	return nil
}

// closeBook writes what waits and closes the file.
func (j *Journal) closeBook(b *book) error {
	if b == nil {
		return nil
	}
	var err error
	if len(b.waits) > 0 || b.file != nil {
		err = j.flush(b)
	}
	if b.file == nil {
		return err
	}
	err = errors.Join(err, j.syncBook(b), b.file.Close())
	b.file = nil
	return err
}

func (j *Journal) syncDir(dir string) error {
	if j.opt.NoSync {
		return nil
	}
	return atomicfile.SyncDir(dir)
}
