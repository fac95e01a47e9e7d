package verify

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/engine/record"
)

// journal compares a match file with its journal.
func (c *checker) journal(path, name string, m *record.Match) {
	journal := archive.JournalOf(c.dir, path)
	r, err := archive.Replay(journal, c.opt.Protocols)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(filepath.Join(c.dir, "open", filepath.Base(journal))); err == nil {
			if !c.second && c.young(path) {
				c.again = append(c.again, path)
			} else {
				c.note(name, "its journal is not put away: the next start of the bot does that")
			}
		} else if !c.second {
			c.report.Unlogged++
		}
	case err != nil:
		c.wrong(c.rel(journal), "%v", err)
	default:
		if diff := difference(r.Match, m); diff != "" {
			c.wrong(name, "the journal has another match: %s", diff)
			return
		}
		c.replayed[name] = true
		c.report.Replayed = len(c.replayed)
	}
}

// difference describes what a match file has other than the match that its journal makes, or
// returns "".
func difference(journal, file *record.Match) string {
	if journal == nil {
		return "one that others played"
	}
	journal.Settle() // as reading the file did
	if diff := samePlays(journal, file, false); diff != "" {
		return diff
	}
	if index.Identity(journal) != index.Identity(file) {
		return "other players, another length or other plays in a game with a hole"
	}
	return ""
}

// filed tells whether there is a match file of that stem anywhere below the folder now.
func (c *checker) filed(stem string) bool {
	found := c.stems[stem] || c.pruned[stem]
	if !found {
		_ = filepath.WalkDir(c.dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Name() == stem+".sgf" {
				found = true
				return fs.SkipAll
			}
			return nil
		})
	}
	return found
}

// journals looks at the journals: those of filed matches that have no match file, and
// those of matches that go on. Those that may be filed just now are returned.
func (c *checker) journals(paths []string) (late []string) {
	for _, path := range paths {
		open := filepath.Base(filepath.Dir(path)) == "open"
		if !open && (c.stems[stem(path)] || c.pruned[stem(path)]) {
			continue // compared with its file, or its file was pruned and it was left over
		}
		r, err := archive.Replay(path, c.opt.Protocols)
		st, serr := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case open && serr == nil && st.Size() == 0: // a match that begins at this moment
		case err != nil:
			c.wrong(c.rel(path), "%v", err)
		case open:
			c.report.Running++
		case r.Played:
			late = append(late, path)
		}
	}
	return late
}
