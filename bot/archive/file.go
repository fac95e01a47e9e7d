package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/record"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/panics"
)

// Filed is a match that was just filed.
type Filed struct {
	// Files are the files written; none for a match without any action.
	Files []string
	// Match is what was written. The receiver may change it.
	Match *record.Match
	// Sheet is the source of Match.
	Sheet *sheet.Sheet
	// Gone reports that the match is unfinished and no longer on the server.
	Gone bool
}

// file writes the files of a match whose journal is complete and moves the journal. Every
// step can be repeated after a crash or a full disk.
func (j *Journal) file(b *book) (filed Filed, err error) {
	defer panics.Recover(&err) // the journal is kept, so a fixed program can file it later
	ctx, cancel := context.WithTimeout(context.Background(), fileWithin)
	defer cancel()
	path, done := b.path, false
	if b.tried { // the change that failed counts if the journal has moved
		if err := j.finish(ctx); err != nil {
			return filed, err
		}
		moved := filepath.Join(j.opt.Dir, journalDir, b.stem+suffix)
		if _, err := os.Lstat(moved); err == nil {
			path, done = moved, true
		}
	}
	if !done {
		if err := j.flush(b); err != nil {
			return filed, err
		}
		if err := j.closeBook(b); err != nil {
			return filed, err
		}
		path = b.path // of a new file
	}
	entries, _, err := readJournal(path)
	if err != nil {
		return filed, err
	}
	if len(entries) == 0 {
		return filed, fmt.Errorf("file %s: the journal is empty", b.stem)
	}
	sh, err := readAgain(j.opt.Protocol, entries, path)
	if err != nil {
		return filed, err
	}
	m := recordOf(sh, entries, j.opt.Protocol.Rules())
	if !done && entries[len(entries)-1].Kind != kindFiled {
		if err := j.append(b, entry{Kind: kindFiled, At: j.opt.Now()}); err != nil {
			return Filed{}, err
		}
	}
	if err := j.closeBook(b); err != nil {
		return Filed{}, err
	}
	played := hasPlay(m, hasKind(entries, kindOver))
	if !done {
		b.tried = true
		if err := j.commit(ctx, b, m, played); err != nil {
			return Filed{}, err
		}
	}
	filed = Filed{Match: m, Sheet: sh, Gone: hasKind(entries, kindGone)}
	if played {
		filed.Files = []string{filepath.Join(j.opt.Dir, b.stem+".sgf"), filepath.Join(j.opt.Dir, b.stem+".fibs")}
	}
	return filed, nil
}

// recordOf returns the match of a sheet as its files have it.
func recordOf(sh *sheet.Sheet, entries []entry, rules protocol.Rules) *record.Match {
	m := sh.Record(aboutOf(entries, rules))
	thoughts(m, entries)
	if hasKind(entries, kindOver) || hasKind(entries, kindGone) {
		unfinished(m)
	}
	return m
}

// unfinished marks the last game of an ended match if its end was not seen.
func unfinished(m *record.Match) {
	if n := len(m.Games); n > 0 && !m.Games[n-1].Result.Finished() && m.Games[n-1].Comment == "" {
		m.Games[n-1].Comment = sheet.Incomplete
	}
}

// hasPlay reports whether a match has actions worth filing. An abandoned invitation and a
// board that was only shown do not, unless the match is over.
func hasPlay(m *record.Match, over bool) bool {
	return slices.ContainsFunc(m.Games, func(g record.Game) bool {
		return g.Result.Finished() || slices.ContainsFunc(g.Actions, func(a record.Action) bool {
			return over || a.Kind != record.Roll && a.Kind != record.SetUp
		})
	})
}

// fileWithin is how long filing waits for another program's change: the account cannot play
// meanwhile, and Retry files the match later.
const fileWithin = 2 * time.Second

// commit moves the journal of an ended match, and writes its files if it was played. The
// index gets its row with the next change, or when it is opened.
func (j *Journal) commit(ctx context.Context, b *book, m *record.Match, played bool) (err error) {
	c, err := j.log.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if played {
		for _, f := range []struct {
			ext   string
			write func(io.Writer, *record.Match) error
		}{{".sgf", sgf.Write}, {".fibs", oldmoves.Write}} {
			if err := c.Write(b.stem+f.ext, 0o600, func(w io.Writer) error { return f.write(w, m) }); err != nil {
				return err
			}
		}
		c.Rows(b.stem + ".sgf")
	}
	c.Move(openDir+"/"+b.stem+suffix, journalDir+"/"+b.stem+suffix)
	_, err = c.Commit()
	return err
}
