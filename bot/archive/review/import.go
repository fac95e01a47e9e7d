package review

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"fibsbot/bot/archive/owner"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
	"fibsbot/internal/fileerr"
	"fibsbot/internal/sanitize"
)

// Importer imports match files into an archive as one set and counts them.
type Importer struct {
	owner.Filing
	// Read reads the matches of a file.
	Read func(path string) ([]*record.Match, error)

	// Positions keeps the positions of a file that are not of a match.
	Positions Keeper

	Looked int // files, readable or not
	// Unread counts the unreadable files; Bad has the errors of the first maxBad.
	Bad    []error
	Unread int

	set  []string      // of walk
	open *record.Match // may go on in the next file
	at   *owner.Filed  // its first file
}

// Keeper keeps the positions of a file and returns the name of their collection.
type Keeper interface {
	Import(path string, positions []*record.Match, now time.Time) (name string, err error)
}

// maxBad bounds the errors kept of unreadable files.
const maxBad = 1000

// Import imports files and folders as one set.
func (im *Importer) Import(ctx context.Context, paths ...string) error {
	for _, path := range paths {
		if err := im.walk(ctx, path); err != nil {
			return err
		}
	}
	return im.Settle(ctx)
}

// walk takes a file, or all files of a folder and its subfolders except names that begin with a
// dot, into the set that Settle imports.
func (im *Importer) walk(ctx context.Context, root string) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			im.Looked++
			im.bad(err) // a missing file, or an unreadable folder
		case ctx.Err() != nil:
			return ctx.Err()
		case !e.IsDir() && (path == root || !strings.HasPrefix(e.Name(), ".")):
			im.set = append(im.set, path)
		}
		return nil
	})
}

// Settle imports the files of the set and decides their accounts. Unreadable files go to Bad; an
// error is of the archive or of ctx.
func (im *Importer) Settle(ctx context.Context) error {
	slices.SortFunc(im.set, func(a, b string) int { return cmp.Or(cmp.Compare(inOrder(a), inOrder(b)), cmp.Compare(a, b)) })
	for _, path := range slices.Compact(im.set) {
		im.Looked++
		matches, err := im.Read(path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			im.bad(err)
			continue
		}
		if err := im.Add(ctx, path, matches); err != nil {
			return err
		}
	}
	im.set = nil
	if err := im.flush(ctx); err != nil {
		return err
	}
	return im.Filing.Settle(ctx)
}

// piece matches the end of a name that gnubg gives to the file of a later game of a match:
// match.txt, match_002.txt, match_003.txt. number matches a number in a name.
var (
	piece  = regexp.MustCompile(`_(\d{3})$`)
	number = regexp.MustCompile(`\d+`)
)

// inOrder is a path by which files are sorted: the pieces of a match follow each other, and 2
// comes before 10.
func inOrder(path string) string {
	stem := piece.ReplaceAllString(strings.TrimSuffix(path, filepath.Ext(path)), "\x00$1")
	return number.ReplaceAllStringFunc(stem, func(n string) string { return fmt.Sprintf("%020s", n) })
}

// Add imports the matches of a file. Files of one game each are of one match where each goes on
// with what the last one left.
func (im *Importer) Add(ctx context.Context, path string, matches []*record.Match) error {
	file := im.Into(path)
	matches, err := im.positions(file, matches)
	if err != nil {
		return err
	}
	for _, m := range matches {
		if im.open != nil && im.open.GoesOn(m) {
			im.open.Join(m)
			im.Sum.Joined, file.Joined = im.Sum.Joined+1, file.Joined+1
			continue
		}
		if err := im.flush(ctx); err != nil {
			return err
		}
		im.open, im.at = m, file
	}
	return nil
}

func (im *Importer) bad(err error) {
	if im.Unread++; len(im.Bad) < maxBad {
		im.Bad = append(im.Bad, err)
	}
}

// positions keeps the positions of a file and returns its matches.
func (im *Importer) positions(file *owner.Filed, all []*record.Match) (matches []*record.Match, err error) {
	var list []*record.Match
	for _, m := range all {
		if m.OnlyPosition() {
			list = append(list, m)
		} else {
			matches = append(matches, m)
		}
	}
	if len(list) == 0 {
		return matches, nil
	}
	name, err := im.Positions.Import(file.Name, list, time.Now())
	if err != nil {
		file.Problem = err.Error()
		im.bad(fmt.Errorf("%s: %w", file.Name, err))
		return matches, nil
	}
	file.Positions, file.Collection = len(list), name
	return matches, nil
}

// flush imports the open match.
func (im *Importer) flush(ctx context.Context) error {
	m := im.open
	if im.open = nil; m == nil {
		return nil
	}
	if err := im.Take(ctx, im.at, m); err != nil {
		return fmt.Errorf("%s: %w", im.at.Name, err)
	}
	return nil
}

// Print writes the counts to w, then the errors of unreadable files to errs, last, where they
// are seen.
func (im *Importer) Print(w, errs io.Writer) {
	parts := []string{figure.Count(im.Sum.New, "new match")}
	for _, p := range []struct {
		n    int
		what string
	}{{im.Sum.Joined, "joined"}, {im.Sum.Merged, "completed"}, {im.Sum.Known, "already in the archive"}, {im.Corrected, "filed under another account"}, {im.Undated, "without a date"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if im.Unread > 0 {
		parts = append(parts, figure.Count(im.Unread, "unreadable file"))
	}
	fmt.Fprintln(w, strings.Join(parts, ", "))
	for _, p := range im.Perhaps {
		fmt.Fprintf(w, "%.8s and %.8s may be one match: fibsbot archive merge %.8[1]s %.8[2]s\n", p[0], p[1])
	}
	for _, f := range im.Filing.Files {
		if f.Positions > 0 {
			fmt.Fprintln(w, sanitize.Text(fmt.Sprintf("%s: %s kept in the collection %q", f.Name, figure.Count(f.Positions, "position"), f.Collection)))
		}
	}
	for _, g := range im.Guessed {
		fmt.Fprintf(w, "%s filed under %s, the most frequent name (if this is not you, import again with --account NAME)\n", figure.Count(g.Matches, "match"), sanitize.Text(g.Name))
	}
	for _, err := range im.Bad {
		fmt.Fprintf(errs, "fibsbot: %s\n", fileerr.Text(err))
	}
	if more := im.Unread - len(im.Bad); more > 0 {
		fmt.Fprintf(errs, "fibsbot: and %d more\n", more)
	}
}

// Counts is the result of an import as JSON.
type Counts struct {
	owner.Tally
	Corrected  int           `json:"corrected"` // filed under another account
	Undated    int           `json:"undated"`   // new ones without a date
	Unreadable int           `json:"unreadable"`
	Positions  int           `json:"positions"` // kept in collections
	Guessed    []owner.Count `json:"guessed"`
	Perhaps    [][2]string   `json:"perhaps"` // pairs of IDs that may be one match
	// Analysis counts the new matches that were analysed; null without an analysis.
	Analysis *Sum `json:"analysis"`
}

// Counts returns the counts of the import and of the analysis after it.
func (im *Importer) Counts(analysis *Sum) Counts {
	positions := 0
	for _, f := range im.Filing.Files {
		positions += f.Positions
	}
	return Counts{im.Sum, im.Corrected, im.Undated, im.Unread, positions, append([]owner.Count{}, im.Guessed...), append([][2]string{}, im.Perhaps...), analysis}
}
