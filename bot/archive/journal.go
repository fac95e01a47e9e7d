package archive

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"fibsbot/bot/table"
	"fibsbot/internal/atomicfile"
)

// MaxJournal bounds the journal of one match: a hundred times what the longest
// match seen on FIBS needs. Lines beyond it are dropped, the match goes on.
const MaxJournal = 32 << 20

// maxEntry bounds one line of a journal when it is read back.
const maxEntry = 64 << 10

const (
	openDir    = "open"
	journalDir = "journal"
	suffix     = ".journal"
)

// entry is one line of a journal.
type entry struct {
	Kind string    `json:"k"`
	At   time.Time `json:"t"`
	Raw  string    `json:"raw,omitempty"`
	// The rest belongs to the first entry and to those that open a sitting.
	Account  string    `json:"account,omitempty"`
	Opponent string    `json:"opponent,omitempty"`
	Server   string    `json:"server,omitempty"`
	Length   *int      `json:"length,omitempty"`
	Resumed  bool      `json:"resumed,omitempty"`
	Ratings  [2]string `json:"ratings,omitzero"`
}

// The kinds of entry.
const (
	kindHead  = "match" // first line: who, where
	kindOpen  = "open"  // a sitting begins
	kindLine  = "<"     // the server said
	kindSent  = ">"     // we said
	kindSaved = "saved" // interrupted
	kindOver  = "over"  // has a winner
	kindGone  = "gone"  // the server has it no more
	kindFiled = "filed" // the files are written
)

// Journal writes down the matches of one account. It is not safe for concurrent
// use; accounts may share a directory.
type Journal struct {
	dir, account, server string
	open                 map[string]*book // by opponent
	current              *book
	now                  func() time.Time
	noSync               bool
}

// book is the journal of one match.
type book struct {
	path  string // of the file in the open directory
	stem  string
	file  *os.File // nil while nobody sits at that match
	size  int64
	dirty bool // written since the last sync
}

// Options configure a Journal.
type Options struct {
	// Dir is the archive's directory; it is made when missing.
	Dir string
	// Account is the bot's name, Server the address it plays on.
	Account, Server string
	// Now is the clock for file names; time.Now by default.
	Now func() time.Time
	// NoSync leaves the disk to the operating system: kill -9 still loses
	// nothing, a power failure may. For tests that write a great deal.
	NoSync bool
}

// Open prepares the journal of an account and finds its interrupted matches.
func Open(opt Options) (*Journal, error) {
	if opt.Account == "" {
		return nil, errors.New("open archive: no account name")
	}
	j := &Journal{dir: opt.Dir, account: opt.Account, server: opt.Server, now: opt.Now, noSync: opt.NoSync, open: map[string]*book{}}
	if j.now == nil {
		j.now = time.Now
	}
	for _, d := range []string{opt.Dir, filepath.Join(opt.Dir, openDir), filepath.Join(opt.Dir, journalDir)} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, fmt.Errorf("open archive: %w", err)
		}
	}
	return j, nil
}

// Recovered is what a restart finds of a match.
type Recovered struct {
	Sheet *table.Sheet
	// Filed holds the files written just now, when the match had ended but its
	// files were not there yet.
	Filed []string
}

// Recover reads the journals that were left open. Matches that had ended are
// filed; the others are returned for the table to go on with. A journal that
// cannot be read is set aside under the name *.damaged and reported in the error,
// which does not keep the others from being recovered.
func (j *Journal) Recover() ([]Recovered, error) {
	paths, err := filepath.Glob(filepath.Join(j.dir, openDir, "*"+suffix))
	if err != nil {
		return nil, fmt.Errorf("recover archive: %w", err)
	}
	sort.Strings(paths)
	var out []Recovered
	var errs []error
	for _, path := range paths {
		entries, good, err := readJournal(path)
		if err != nil {
			errs = append(errs, fmt.Errorf("recover archive: %w", err))
			if err := os.Rename(path, path+".damaged"); err != nil {
				errs = append(errs, err)
			}
			continue
		}
		if len(entries) == 0 {
			// Created, and not a byte of it survived: nothing had happened yet.
			if owned := strings.Contains(filepath.Base(path), "_"+j.account+"-"); owned {
				errs = append(errs, os.Remove(path))
			}
			continue
		}
		if entries[0].Account != j.account {
			continue
		}
		b := &book{path: path, stem: strings.TrimSuffix(filepath.Base(path), suffix), size: good}
		// A torn last line is cut off, or the next entry would be glued to it.
		if err := os.Truncate(path, good); err != nil {
			errs = append(errs, fmt.Errorf("recover archive: %w", err))
			continue
		}
		sheet := rebuild(entries)
		last := entries[len(entries)-1].Kind
		if last == kindOver || last == kindGone || last == kindFiled {
			files, err := j.file(b)
			if err != nil {
				errs = append(errs, err)
			}
			out = append(out, Recovered{Sheet: sheet, Filed: files})
			continue
		}
		if old := j.open[sheet.Opponent]; old != nil {
			// Two open journals with one opponent: the older match was replaced.
			if _, err := j.discard(old); err != nil {
				errs = append(errs, err)
			}
		}
		j.open[sheet.Opponent] = b
		out = append(out, Recovered{Sheet: sheet})
	}
	return out, errors.Join(errs...)
}

// Write takes the notes of one event in order. Everything is handed to the
// operating system before it returns, so that a killed process loses nothing;
// Sync brings it to the disk. It returns the files of matches that ended.
func (j *Journal) Write(notes []table.Note, at time.Time) (filed []string, err error) {
	for _, n := range notes {
		files, err := j.write(n, at)
		filed = append(filed, files...)
		if err != nil {
			return filed, fmt.Errorf("journal %s: %w", n.Opponent, err)
		}
	}
	return filed, nil
}

func (j *Journal) write(n table.Note, at time.Time) ([]string, error) {
	switch n.Kind {
	case table.NoteOpen:
		return j.begin(n, at)
	case table.NoteLine:
		return nil, j.append(j.current, entry{Kind: kindLine, At: at, Raw: n.Raw})
	case table.NoteSent:
		return nil, j.append(j.current, entry{Kind: kindSent, At: at, Raw: n.Raw})
	case table.NoteSaved:
		b := j.current
		j.current = nil
		if err := j.append(b, entry{Kind: kindSaved, At: at}); err != nil {
			return nil, err
		}
		return nil, j.closeBook(b)
	case table.NoteOver:
		b := j.current
		if b == nil {
			return nil, nil
		}
		j.current = nil
		delete(j.open, n.Opponent)
		if err := j.append(b, entry{Kind: kindOver, At: at}); err != nil {
			return nil, err
		}
		return j.file(b)
	case table.NoteDiscard:
		b := j.open[n.Opponent]
		if b == nil {
			return nil, nil
		}
		delete(j.open, n.Opponent)
		if b == j.current {
			j.current = nil
		}
		return j.discard(b)
	}
	return nil, nil
}

// begin opens the journal of a match, the old one when it is resumed.
func (j *Journal) begin(n table.Note, at time.Time) ([]string, error) {
	var filed []string
	b := j.open[n.Opponent]
	if b != nil && !n.Resumed {
		files, err := j.discard(b)
		if err != nil {
			return nil, err
		}
		filed, b = files, nil
	}
	if b == nil {
		var err error
		if b, err = j.create(n, at); err != nil {
			return filed, err
		}
		j.open[n.Opponent] = b
	} else if err := b.reopen(); err != nil {
		return filed, err
	}
	j.current = b
	length := n.Length
	return filed, j.append(b, entry{Kind: kindOpen, At: at, Length: &length, Resumed: n.Resumed, Ratings: n.Ratings})
}

// create makes a new journal with a stem nobody has used.
func (j *Journal) create(n table.Note, at time.Time) (*book, error) {
	base := fmt.Sprintf("%s_%s-%s_%s", j.now().UTC().Format("2006-01-02_150405"), safe(j.account), safe(n.Opponent), lengthWord(n.Length))
	for i := 1; i < 10000; i++ {
		stem := base
		if i > 1 {
			stem = fmt.Sprintf("%s_%d", base, i)
		}
		if j.taken(stem) {
			continue
		}
		path := filepath.Join(j.dir, openDir, stem+suffix)
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		b := &book{path: path, stem: stem, file: f}
		length := n.Length
		err = j.append(b, entry{Kind: kindHead, At: at, Account: j.account, Opponent: n.Opponent, Server: j.server, Length: &length, Ratings: n.Ratings})
		if err != nil {
			return nil, err
		}
		return b, j.syncDir(filepath.Join(j.dir, openDir))
	}
	return nil, fmt.Errorf("no free name for %s", base)
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

func (j *Journal) append(b *book, e entry) error {
	if b == nil || b.size > MaxJournal && e.Kind == kindLine {
		return nil
	}
	if err := b.reopen(); err != nil {
		return err
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	n, err := b.file.Write(append(line, '\n'))
	b.size += int64(n)
	b.dirty = true
	return err
}

func (b *book) reopen() error {
	if b.file != nil {
		return nil
	}
	f, err := os.OpenFile(b.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	b.file = f
	return nil
}

// Sync brings everything written so far to the disk. The bot calls it before it
// acts on what was written.
func (j *Journal) Sync() error {
	if j.current == nil {
		return nil
	}
	return j.syncBook(j.current)
}

func (j *Journal) syncBook(b *book) error {
	if !b.dirty || b.file == nil {
		return nil
	}
	b.dirty = false
	if j.noSync {
		return nil
	}
	return b.file.Sync()
}

func (j *Journal) closeBook(b *book) error {
	if b == nil || b.file == nil {
		return nil
	}
	err := errors.Join(j.syncBook(b), b.file.Close())
	b.file = nil
	return err
}

// Close syncs and closes everything. Interrupted matches stay open on disk.
func (j *Journal) Close() error {
	var errs []error
	for _, b := range j.open {
		errs = append(errs, j.closeBook(b))
	}
	j.current = nil
	return errors.Join(errs...)
}

// discard files a match that will never be finished.
func (j *Journal) discard(b *book) ([]string, error) {
	if err := j.append(b, entry{Kind: kindGone, At: j.now()}); err != nil {
		return nil, err
	}
	return j.file(b)
}

func (j *Journal) syncDir(dir string) error {
	if j.noSync {
		return nil
	}
	return atomicfile.SyncDir(dir)
}

// readJournal reads a journal and returns its entries and the length of the part
// that is whole. A last line without its end, or not readable, is what a crash
// leaves behind; anything unreadable before it is damage.
func readJournal(path string) ([]entry, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	return readEntries(f, filepath.Base(path))
}

func readEntries(r io.Reader, name string) ([]entry, int64, error) {
	br := bufio.NewReaderSize(r, maxEntry)
	var entries []entry
	var good int64
	for n := 1; ; n++ {
		line, err := br.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return entries, good, nil // torn or empty last line
		}
		if err != nil {
			return nil, 0, fmt.Errorf("journal %s:%d: %w", name, n, err)
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			if _, peek := br.Peek(1); errors.Is(peek, io.EOF) {
				return entries, good, nil
			}
			return nil, 0, fmt.Errorf("journal %s:%d: %w", name, n, err)
		}
		if n == 1 && (e.Kind != kindHead || e.Account == "" || e.Opponent == "") {
			return nil, 0, fmt.Errorf("journal %s:1: does not begin with the names of the players", name)
		}
		entries = append(entries, e)
		good += int64(len(line))
	}
}

// safe keeps what is harmless in a file name: FIBS names are letters and
// underscores, but a hostile server may send anything.
func safe(name string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return '_'
	}, name)
	if len(s) > 32 {
		s = s[:32]
	}
	if s == "" {
		s = "_"
	}
	return s
}

func lengthWord(n int) string {
	switch {
	case n < 0:
		return "match"
	case n == 0:
		return "unlimited"
	}
	return fmt.Sprintf("%dpt", n)
}
