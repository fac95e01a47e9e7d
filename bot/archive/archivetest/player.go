package archivetest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/fibs"
	"fibsbot/bot/internal/linestest"
	"fibsbot/bot/table"
)

// Lines are the server's lines of a one-point match that ends with a resignation.
var Lines = linestest.OnePoint

// Player plays the match of Lines against different opponents with its own journals, and
// files it as a host does.
type Player struct {
	tb      testing.TB
	account string
	Journal *archive.Journal
	// Now is a minute before the next match.
	Now time.Time
	n   int
}

// NewPlayer opens the journals of an account in an archive's folder.
func NewPlayer(tb testing.TB, dir, account string) *Player {
	tb.Helper()
	p := &Player{tb: tb, account: account, Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	var err error
	if p.Journal, err = archive.Open(archive.Options{Protocol: fibs.Protocol{}, Dir: dir, Account: account, Server: "host:4321", Now: func() time.Time { return p.Now }, NoSync: true}); err != nil {
		tb.Fatal(err)
	}
	return p
}

// Close closes the journals.
func (p *Player) Close() {
	if err := p.Journal.Close(); err != nil {
		p.tb.Error(err)
	}
}

// Play plays a match up to line end, and files it when that is the last one.
func (p *Player) Play(end int) {
	p.n++
	p.Now = p.Now.Add(time.Minute)
	name := "bob" + strings.Repeat("x", p.n%7)
	notes := []table.Note{{Kind: table.NoteOpen, Opponent: name, Length: 1}}
	for _, l := range Lines[:end] {
		kind := table.NoteLine
		if l[0] == '>' {
			kind = table.NoteSent
		}
		notes = append(notes, table.Note{Kind: kind, Opponent: name, Raw: strings.ReplaceAll(l[2:], "bob", name)})
	}
	last := table.NoteSaved
	if end == len(Lines) {
		last = table.NoteOver
	}
	filed, err := p.Journal.Write(append(notes, table.Note{Kind: last, Opponent: name}), p.Now)
	if err != nil {
		p.tb.Error(err)
	}
	for _, f := range filed { // as the host does it
		for _, path := range f.Files {
			if filepath.Ext(path) == ".sgf" {
				if err := index.WriteMeta(path, index.Meta{Account: p.account, Finished: p.Now, Beside: ".journal .fibs"}); err != nil {
					p.tb.Error(err)
				}
			}
		}
	}
}
