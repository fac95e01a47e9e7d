package watch

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fibsbot/engine/record"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/atomicfile"
)

// Dir is the folder of watched matches that belongs to an archive. It lies beside
// the archive, for what is in the archive counts as played by the bot.
func Dir(archive string) string {
	return filepath.Join(filepath.Dir(filepath.Clean(archive)), "watched")
}

// maxSame bounds the search for a free file name.
const maxSame = 1000

// file is where one watched match is kept. Its name is taken when it is first
// written, so that nothing is left of a match in which nothing happened.
type file struct {
	dir, stem string
	at        time.Time // when the match was first seen
}

// claim finds a free name.
func (f *file) claim(m *record.Match) error {
	if f.stem != "" {
		return nil
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return fmt.Errorf("archive watched match: %w", err)
	}
	length := "unlimited"
	if m.Length > 0 {
		length = fmt.Sprintf("%dpt", m.Length)
	}
	stem := fmt.Sprintf("%s_watched_%s_%s_%s", f.at.UTC().Format("20060102-150405"), safe(m.Players[1].Name), safe(m.Players[0].Name), length)
	for i := 1; i <= maxSame; i++ {
		f.stem = stem
		if i > 1 {
			f.stem = fmt.Sprintf("%s-%d", stem, i)
		}
		// The name is taken by making the file, so that two watchers never
		// write into the same one.
		h, err := os.OpenFile(f.path(".sgf"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err == nil {
			return h.Close()
		}
		if !os.IsExist(err) {
			f.stem = ""
			return fmt.Errorf("archive watched match: %w", err)
		}
	}
	f.stem = ""
	return fmt.Errorf("archive watched match: %d files %s exist", maxSame, stem)
}

// safe keeps a name from the network from being a path.
func safe(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, name)
}

func (f *file) path(ext string) string { return filepath.Join(f.dir, f.stem+ext) }

// write writes the match as .sgf, with whatever analysis it holds, and the games
// that were seen whole as FIBS prints them. It returns the files written.
func (f *file) write(m *record.Match) ([]string, error) {
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		return nil, fmt.Errorf("archive watched match: %w", err)
	}
	if err := f.claim(m); err != nil {
		return nil, err
	}
	paths := []string{f.path(".sgf")}
	if err := atomicfile.WriteBytes(paths[0], 0o644, b.Bytes()); err != nil {
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
	if err := atomicfile.WriteBytes(p, 0o644, b.Bytes()); err != nil {
		return paths, err
	}
	return append(paths, p), nil
}

// wholeGames leaves out what a list of moves cannot hold: games with a position
// set up.
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

// worthKeeping tells whether anything happened in a match.
func worthKeeping(m *record.Match) bool {
	return slices.ContainsFunc(m.Games, func(g record.Game) bool {
		return slices.ContainsFunc(g.Actions, func(a record.Action) bool { return a.Kind == record.Move })
	})
}
