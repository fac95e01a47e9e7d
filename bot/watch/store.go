package watch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/protocol"
	"fibsbot/engine/record"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/filename"
)

// Dir returns the folder for watched matches of an archive. It is next to the archive,
// because matches in the archive count as played by the bot.
func Dir(archive string) string {
	return filepath.Join(filepath.Dir(filepath.Clean(archive)), "watched")
}

// maxSame bounds the search for a free file name.
const maxSame = 1000

// file is the file of one watched match. The journal reserves its name: it is created with
// the match and removed after the last write, so that a match without moves leaves nothing.
type file struct {
	dir, stem string
	lines     *archive.Lines // the journal; nil if it could not be created, or after a restart
	wrote     time.Time
}

// newFile finds a free name and creates the journal.
func newFile(dir, account, server, kind string, m *record.Match, at time.Time) (*file, error) {
	length := "unlimited"
	if m.Length > 0 {
		length = fmt.Sprintf("%dpt", m.Length)
	}
	f := &file{dir: dir}
	stem := fmt.Sprintf("%s_watched_%s_%s_%s", at.UTC().Format("20060102-150405"), safe(m.Players[1].Name), safe(m.Players[0].Name), length)
	for i := 1; i <= maxSame; i++ {
		f.stem = stem
		if i > 1 {
			f.stem = fmt.Sprintf("%s-%d", stem, i)
		}
		if _, err := os.Lstat(f.path(".sgf")); err == nil {
			continue
		}
		// Creating the journal reserves the name, so that two watchers never write to the
		// same files.
		var err error
		f.lines, err = archive.CreateLines(dir, f.stem, archive.Watched{Account: account, Server: server, Protocol: kind,
			Player: m.Players[1].Name, Opponent: m.Players[0].Name, At: at})
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("archive watched match: %w", err)
		}
		return f, nil
	}
	return nil, fmt.Errorf("archive watched match: %d files named %s exist already", maxSame, stem)
}

// end removes the journal once the files are written.
func (f *file) end() error {
	if f.lines == nil {
		return nil
	}
	l := f.lines
	f.lines = nil
	return l.Remove()
}

// recoverLeft files the matches that a killed process of this account was watching on this
// server, with the analyses written so far, and returns their files.
func recoverLeft(dir, account, server string, proto protocol.Protocol) ([]string, error) {
	list, err := archive.LeftLines(dir, account, server)
	errs := []error{err}
	var files []string
	for i := range list {
		left := &list[i]
		if left.Protocol != proto.Name() {
			continue
		}
		m := replayLeft(proto, left)
		if m != nil && WorthKeeping(m) {
			f := file{dir: dir, stem: left.Stem}
			f.keepAnalyses(m)
			paths, err := f.write(m)
			if files = append(files, paths...); err != nil {
				errs = append(errs, err)
				continue // keep the journal for another try
			}
		}
		errs = append(errs, left.Remove())
	}
	return files, errors.Join(errs...)
}

// replayLeft rebuilds the match from its journal.
func replayLeft(proto protocol.Protocol, left *archive.Left) (m *record.Match) {
	o := newObserver(left.Player, left.Server, proto.Rules())
	r := proto.Reader()
	for _, raw := range left.Lines {
		for _, ev := range r.FromServer(raw) {
			for _, n := range o.Event(ev) {
				if n.Topic == Began {
					m = n.Match
				}
			}
		}
	}
	o.Leave()
	if m != nil {
		m.Date = left.At.UTC().Format("2006-01-02")
	}
	return m
}

// keepAnalyses copies ratings and analyses from an earlier file of the same match.
func (f *file) keepAnalyses(m *record.Match) {
	old, _, err := sgf.ReadFile(f.path(".sgf"))
	if err != nil {
		return // not written yet, or changed since
	}
	for i := range m.Players {
		m.Players[i].Rating = old.Players[i].Rating
	}
	for g := range min(len(m.Games), len(old.Games)) {
		a, b := m.Games[g].Actions, old.Games[g].Actions
		for k := range min(len(a), len(b)) {
			if a[k].Kind != b[k].Kind || a[k].Player != b[k].Player || a[k].Dice.Sorted() != b[k].Dice.Sorted() {
				break
			}
			a[k].Analysis, a[k].Marks = b[k].Analysis, b[k].Marks
		}
	}
}

// safe returns a name from the network as a part of a file name.
func safe(name string) string { return filename.Part(name, "-", '-') }

func (f *file) path(ext string) string { return filepath.Join(f.dir, f.stem+ext) }

// write writes the match with its analyses as .sgf, and its complete games as .fibs. It
// returns the files written.
func (f *file) write(m *record.Match) ([]string, error) {
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		return nil, fmt.Errorf("archive watched match: %w", err)
	}
	if err := atomicfile.MkdirPrivate(f.dir); err != nil {
		return nil, fmt.Errorf("archive watched match: %w", err)
	}
	paths := []string{f.path(".sgf")}
	if err := atomicfile.WriteBytes(paths[0], 0o600, b.Bytes()); err != nil {
		return nil, err
	}
	whole := wholeGames(m)
	if len(whole.Games) == 0 {
		return paths, nil
	}
	b.Reset()
	if err := oldmoves.Write(&b, whole); err != nil {
		return paths, fmt.Errorf("archive watched match: %w", err)
	}
	p := f.path(".fibs")
	if err := atomicfile.WriteBytes(p, 0o600, b.Bytes()); err != nil {
		return paths, err
	}
	return append(paths, p), nil
}

// wholeGames leaves out games with a position set up, which a list of moves cannot hold.
func wholeGames(m *record.Match) *record.Match {
	out := *m
	out.Games = nil
	for _, g := range m.Games {
		if len(g.Actions) > 0 && !slices.ContainsFunc(g.Actions, func(a record.Action) bool { return a.Kind == record.SetUp }) {
			out.Games = append(out.Games, g)
		}
	}
	return &out
}

// WorthKeeping reports whether a match has a move.
func WorthKeeping(m *record.Match) bool {
	return slices.ContainsFunc(m.Games, func(g record.Game) bool {
		return slices.ContainsFunc(g.Actions, func(a record.Action) bool { return a.Kind == record.Move })
	})
}
