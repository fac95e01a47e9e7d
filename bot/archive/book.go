package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fibsbot/internal/atomicfile"
)

// MaxJournal bounds what a journal holds beside the lines of the game: our own
// questions for the board, and ratings. Beyond it they are left out, which the
// journal says. The lines of the game are never left out for their number.
const MaxJournal = 32 << 20

// endOfJournal is where a journal takes nothing at all any more, and the sitting
// ends: no match is so long, and a server that fills the disk must be stopped.
const endOfJournal = 1 << 30

// ErrFull is returned when a match has more lines than any match can have.
var ErrFull = errors.New("the journal of the match has a gigabyte")

// book is the journal of one match. What cannot be written waits in memory, so a
// full disk costs the sitting and not a line.
type book struct {
	base  string // the name of the match, before it is made unique
	stem  string // empty until there is a file
	path  string
	head  entry    // the first entry
	file  *os.File // nil while nobody sits at that match
	size  int64    // whole entries in the file
	torn  bool     // the file may hold a part of an entry behind size
	waits []byte   // entries that are not in the file yet
	dirty bool     // written since the last sync
	fresh bool     // the folder has not been synced since the file was made
	full  bool     // marked
	left  bool     // had ended before a restart
	talk  talk     // what was said
}

// append writes an entry, or keeps it for later and says why.
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

// flush brings the entries that wait to the file, which is made when there is
// none. After a failure the file is opened anew the next time, and a part of an
// entry that was left in it is cut off.
func (j *Journal) flush(b *book) error {
	if err := j.openBook(b); err != nil {
		return err // what is open stays so: it may be all there is of a file that was removed
	}
	err := j.put(b)
	if err != nil {
		b.file.Close() // it has failed already
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
		if err := j.syncDir(filepath.Join(j.dir, openDir)); err != nil {
			return err
		}
		b.fresh = false
	}
	return nil
}

// openBook opens the file of a book for more entries. One that was removed meanwhile is made
// again: with all it had while it is open, otherwise for what is still to come.
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
		err = fmt.Errorf("%s is not a regular file any more", b.path)
	}
	if err != nil {
		b.file.Close() // it has failed already
		b.file, b.torn = nil, true
		return err
	}
	if now, err := os.Lstat(b.path); err == nil && os.SameFile(open, now) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	old := b.file
	err = j.putBack(b, io.NewSectionReader(old, 0, b.size), b.size)
	if err == nil {
		_ = old.Close() // of what was removed
	}
	return err
}

// putBack makes the file of a book that was removed, with size bytes of text, and opens it.
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
	if j.removed != nil {
		j.removed(b.head.Opponent, b.size == size)
	}
	b.file, b.size, b.torn, b.dirty = f, size, false, true
	return nil
}

// create makes the file of a new book under a stem nobody has used.
func (j *Journal) create(b *book) error {
	for i := 1; i < 10000; i++ {
		stem := b.base
		if i > 1 {
			stem = fmt.Sprintf("%s_%d", b.base, i)
		}
		if j.taken(stem) {
			continue
		}
		path := filepath.Join(j.dir, openDir, stem+suffix)
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		if j.taken(stem) {
			// Another account has filed a match of this name since we looked.
			if err := errors.Join(f.Close(), os.Remove(path)); err != nil {
				return err
			}
			continue
		}
		b.stem, b.path, b.file, b.fresh = stem, path, f, true
		return nil
	}
	return fmt.Errorf("no free name for %s", b.base)
}

// taken tells whether files of that stem exist.
func (j *Journal) taken(stem string) bool {
	for _, p := range []string{stem + ".sgf", stem + ".fibs", filepath.Join(journalDir, stem+suffix)} {
		if _, err := os.Lstat(filepath.Join(j.dir, p)); err == nil {
			return true
		}
	}
	return false
}

func (j *Journal) syncBook(b *book) error {
	if !b.dirty || b.file == nil || j.noSync {
		b.dirty = false
		return nil
	}
	if err := b.file.Sync(); err != nil {
		return err
	}
	b.dirty = false
	return nil
}

// closeBook gives back the file of a book nobody sits at.
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
	if j.noSync {
		return nil
	}
	return atomicfile.SyncDir(dir)
}
