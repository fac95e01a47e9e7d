package review

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"fibsbot/bot/archive/owner"
	"fibsbot/engine/record"
	"fibsbot/internal/fileerr"
	"fibsbot/internal/sanitize"
)

// Importer takes match files into an archive and counts what became of them. After the
// last file Settle files the matches whose account nothing decided.
type Importer struct {
	owner.Filing
	// Read reads the matches of a file.
	Read func(path string) ([]*record.Match, error)

	Files int // looked at
	// Bad are the errors of the files that could not be read, Unread how many those are:
	// Bad holds the first maxBad.
	Bad    []error
	Unread int

	done map[string]bool // files that were read as pieces of a match before their turn
}

// maxBad bounds how many unreadable files are named.
const maxBad = 1000

// Walk imports a file, or every file of a folder and the folders in it, but for those
// whose name begins with a dot. What cannot be read is put into Bad; an error is one of the
// archive, or of ctx.
func (im *Importer) Walk(ctx context.Context, root string) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			im.Files++
			im.bad(err) // not there, or a folder that cannot be listed
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

// file imports a file, with those beside it that hold the further games of its match.
func (im *Importer) file(ctx context.Context, path string) error {
	if im.done[filepath.Clean(path)] {
		return nil
	}
	var open *record.Match // the match to which the next file may have more games
	at := path             // the file that it begins in
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

// match takes a match of the file path, which may be nil.
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
		merged = fmt.Sprintf(", %d known and completed", im.Merged)
	}
	if im.Corrected > 0 {
		merged += fmt.Sprintf(", %d filed under another account", im.Corrected)
	}
	fmt.Fprintf(w, "%d matches imported, %d known already%s, %d files unreadable\n", im.Added, im.Had, merged, im.Unread)
	for _, g := range im.Guessed {
		fmt.Fprintf(w, "%d matches filed as %s's, the most frequent name (not you? import again with --account NAME)\n", g.Matches, sanitize.Text(g.Name))
	}
	for _, err := range im.Bad {
		fmt.Fprintf(errs, "fibsbot: %s\n", fileerr.Text(err))
	}
	if more := im.Unread - len(im.Bad); more > 0 {
		fmt.Fprintf(errs, "fibsbot: and %d more\n", more)
	}
}
