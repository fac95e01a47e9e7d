package review

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"fibsbot/bot/archive/owner"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
	"fibsbot/internal/fileerr"
	"fibsbot/internal/sanitize"
)

// Importer imports match files into an archive and counts them. After the last file, Settle
// decides the accounts that are still open.
type Importer struct {
	owner.Filing
	// Read reads the matches of a file.
	Read func(path string) ([]*record.Match, error)

	// Positions, if set, keeps the positions of a file that are not of a match.
	Positions Keeper

	Files int // files read
	// Kept has a line for each file whose positions were kept, Positioned counts them.
	Kept       []string
	Positioned int
	// Unread counts the unreadable files; Bad has the errors of the first maxBad.
	Bad    []error
	Unread int

	done map[string]bool // files that were read as pieces of an earlier file's match
}

// Keeper keeps the positions of a file and returns the name of their collection.
type Keeper interface {
	Import(path string, positions []*record.Match, now time.Time) (name string, err error)
}

// maxBad bounds the errors kept of unreadable files.
const maxBad = 1000

// Walk imports a file, or all files of a folder and its subfolders except names that begin
// with a dot. Unreadable files go to Bad; an error is of the archive or of ctx.
func (im *Importer) Walk(ctx context.Context, root string) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			im.Files++
			im.bad(err) // a missing file, or an unreadable folder
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case e.IsDir() || path != root && strings.HasPrefix(e.Name(), "."):
			return nil
		}
		return im.file(ctx, path)
	})
}

func (im *Importer) bad(err error) {
	if im.Unread++; len(im.Bad) < maxBad {
		im.Bad = append(im.Bad, err)
	}
}

// file imports a file together with those beside it that have further games of its match.
func (im *Importer) file(ctx context.Context, path string) error {
	if im.done[filepath.Clean(path)] {
		return nil
	}
	var open *record.Match // the match that the next file may continue
	at := path             // its first file
	files := pieces(path)
	for _, piece := range files {
		if len(files) > 1 {
			if im.done == nil {
				im.done = map[string]bool{}
			}
			im.done[filepath.Clean(piece)] = true
		}
		im.Files++
		matches, err := im.Read(piece)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			im.bad(err)
			continue
		}
		if matches, err = im.positions(piece, matches); err != nil {
			return err
		}
		for _, m := range matches {
			if goesOn(open, m) {
				open.Games = append(open.Games, m.Games...)
				continue
			}
			if err := im.match(ctx, at, open); err != nil {
				return err
			}
			open, at = m, piece
		}
	}
	return im.match(ctx, at, open)
}

// positions keeps the positions of a file and returns its matches.
func (im *Importer) positions(path string, all []*record.Match) (matches []*record.Match, err error) {
	var list []*record.Match
	for _, m := range all {
		if im.Positions != nil && m.OnlyPosition() {
			list = append(list, m)
		} else {
			matches = append(matches, m)
		}
	}
	if len(list) == 0 {
		return matches, nil
	}
	name, err := im.Positions.Import(path, list, time.Now())
	if err != nil {
		im.bad(fmt.Errorf("%s: %w", path, err))
		return matches, nil
	}
	im.Positioned += len(list)
	if len(im.Kept) < maxBad {
		im.Kept = append(im.Kept, fmt.Sprintf("%s: %s kept in the collection %q", path, figure.Count(len(list), "position"), name))
	}
	return matches, nil
}

// match imports m of the file path, unless it is nil.
func (im *Importer) match(ctx context.Context, path string, m *record.Match) error {
	if m == nil {
		return nil
	}
	if err := im.Take(ctx, m); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Print writes the counts to w, then the errors of unreadable files to errs, last, where they
// are seen.
func (im *Importer) Print(w, errs io.Writer) {
	merged := ""
	if im.Merged > 0 {
		merged = fmt.Sprintf(", %d completed", im.Merged)
	}
	if im.Corrected > 0 {
		merged += fmt.Sprintf(", %d filed under another account", im.Corrected)
	}
	fmt.Fprintf(w, "%s imported, %d already in the archive%s, %s\n", figure.Count(im.Added, "match"), im.Had, merged, figure.Count(im.Unread, "unreadable file"))
	for _, line := range im.Kept {
		fmt.Fprintln(w, sanitize.Text(line))
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
	New        int           `json:"new"`
	Merged     int           `json:"merged"` // known and completed
	Known      int           `json:"known"`
	Corrected  int           `json:"corrected"` // filed under another account
	Unreadable int           `json:"unreadable"`
	Positions  int           `json:"positions"` // kept in collections
	Guessed    []owner.Count `json:"guessed"`
	// Analysis counts the new matches that were analysed; null without an analysis.
	Analysis *Sum `json:"analysis"`
}

// Counts returns the counts of the import and of the analysis after it.
func (im *Importer) Counts(analysis *Sum) Counts {
	return Counts{im.Added, im.Merged, im.Had, im.Corrected, im.Unread, im.Positioned, append([]owner.Count{}, im.Guessed...), analysis}
}
