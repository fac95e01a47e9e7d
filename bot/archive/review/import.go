package review

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/record"
)

// Importer takes match files into an archive and counts what became of them.
type Importer struct {
	DB      *index.DB
	Account string // which player is us, or empty
	// Read reads the matches of a file; Bad is told of one that cannot be read.
	Read func(path string) ([]*record.Match, error)
	Bad  func(error)

	Added, Known, Unread int // matches, matches, files
}

// Walk imports a file, or every file of a folder and the folders in it, but for those
// whose name begins with a dot. An error is one of the archive or of the folder.
func (im *Importer) Walk(ctx context.Context, root string) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return &SourceError{err}
		case ctx.Err() != nil:
			return ctx.Err()
		case e.IsDir() || path != root && strings.HasPrefix(e.Name(), "."):
			return nil
		}
		return im.file(ctx, path)
	})
}

func (im *Importer) file(ctx context.Context, path string) error {
	matches, err := im.Read(path)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		im.Unread++
		im.Bad(err)
		return nil
	}
	for _, m := range matches {
		isNew, err := im.DB.Import(ctx, m, index.Meta{Account: im.Account})
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if isNew {
			im.Added++
		} else {
			im.Known++
		}
	}
	return nil
}

// SourceError is the error of a file or folder to import that is not there or cannot be
// listed.
type SourceError struct{ Err error }

func (e *SourceError) Error() string { return e.Err.Error() }

// Unwrap returns what the file system said.
func (e *SourceError) Unwrap() error { return e.Err }
