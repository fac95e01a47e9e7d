package verify_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/verify"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"
)

func protocols(name string) protocol.Protocol {
	if name == "fibs" {
		return fibs.Protocol{}
	}
	return nil
}

// filled is an archive of two filed matches and one in progress, with its index.
func filled(t *testing.T) (dir string, stems []string, db *index.DB) {
	t.Helper()
	dir = t.TempDir()
	p := archivetest.NewPlayer(t, dir, "bot")
	p.Play(len(archivetest.Lines))
	p.Play(len(archivetest.Lines))
	p.Play(9)
	p.Close()
	files, _ := filepath.Glob(filepath.Join(dir, "*.sgf"))
	for _, f := range files {
		stems = append(stems, strings.TrimSuffix(f, ".sgf"))
	}
	db, err := index.Open(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return dir, stems, db
}

func run(t *testing.T, db *index.DB) *verify.Findings {
	t.Helper()
	r, err := verify.Run(t.Context(), db, verify.Options{Protocols: protocols})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// change replaces a part of a file.
func change(t *testing.T, path, old, new string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), old) {
		t.Fatalf("%s: %v, no %q in\n%s", path, err, old, data)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), old, new, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// exchange lets two files change their names.
func exchange(t *testing.T, a, b string) {
	t.Helper()
	if err := errors.Join(os.Rename(a, a+"~"), os.Rename(b, a), os.Rename(a+"~", b)); err != nil {
		t.Fatal(err)
	}
}

// cut truncates a file to a half, or by another divisor; 0 leaves nothing.
func cut(t *testing.T, path string, divisor int64) {
	t.Helper()
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	if divisor > 0 {
		size = st.Size() / divisor
	}
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

func TestRun_sound(t *testing.T) {
	_, _, db := filled(t)
	r := run(t, db)
	if len(r.Wrong)+len(r.Notes) > 0 || r.Matches != 2 || r.Replayed != 2 || r.Running != 1 || r.Rows != 2 || r.Unlogged != 0 {
		t.Errorf("%+v", r)
	}
	var b strings.Builder
	if err := r.Print(&b); err != nil || !strings.HasSuffix(b.String(), ": sound\n") {
		t.Error(b.String(), err)
	}
}

// The Meta may be lost; the journal has the end of the match.
func TestRun_withoutMeta(t *testing.T) {
	_, stems, db := filled(t)
	for _, stem := range stems {
		if err := os.Remove(stem + ".json"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if r := run(t, db); len(r.Wrong)+len(r.Notes) > 0 {
		t.Errorf("%+v", r)
	}
}

// The index may have more digits than the file.
func TestRun_rounded(t *testing.T) {
	dir, stems, db := filled(t)
	m, err := index.Read(dir, stems[0]+".sgf")
	if err != nil {
		t.Fatal(err)
	}
	m.Error[0] += 2e-5
	if err := db.Add(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if r := run(t, db); len(r.Wrong) > 0 {
		t.Errorf("%+v", r.Wrong)
	}
}

// TestRun_finds damages an archive in one place and checks the finding and its file.
func TestRun_finds(t *testing.T) {
	testsize.Medium(t)
	for name, tt := range map[string]struct {
		damage func(t *testing.T, dir string, stems []string, db *index.DB)
		file   string // the end of its name
		says   string
	}{
		"a roll of the match file": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			change(t, stems[0]+".sgf", "62agln", "62agag")
		}, ".sgf", "differs from its journal"},
		"an illegal play": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			change(t, stems[0]+".sgf", "62agln", "62agaf")
		}, ".sgf", "legal"},
		"no match file at all": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			change(t, stems[0]+".sgf", "(;FF", "(FF")
		}, ".sgf", "unreadable"},
		"another play in the oldmoves": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			change(t, stems[0]+".fibs", "(6 2) 1-7 12-14", "(6 2) 1-7 1-3")
		}, ".fibs", "differs"},
		"another roll in the journal": {func(t *testing.T, dir string, stems []string, _ *index.DB) {
			change(t, archive.JournalOf(dir, stems[0]+".sgf"), "bob"+"x rolls 3 and 1", "bobx rolls 3 and 3")
		}, "", "differs from its journal"},
		"a damaged journal": {func(t *testing.T, dir string, stems []string, _ *index.DB) {
			change(t, archive.JournalOf(dir, stems[0]+".sgf"), `{"k":"open"`, `{"k":op`)
		}, ".journal", "damaged journal"},
		"an unknown protocol": {func(t *testing.T, dir string, stems []string, _ *index.DB) {
			change(t, archive.JournalOf(dir, stems[0]+".sgf"), `"server":"host:4321"`, `"server":"host:4321","protocol":"gnus"`)
		}, ".journal", "unknown protocol"},
		"a match file that is gone": {func(t *testing.T, dir string, stems []string, _ *index.DB) {
			if err := os.Remove(stems[1] + ".sgf"); err != nil {
				t.Fatal(err)
			}
		}, ".journal", "match file missing"},
		"a list of moves that is gone": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			if err := os.Remove(stems[0] + ".fibs"); err != nil {
				t.Fatal(err)
			}
		}, ".fibs", "missing"},
		"a lost journal": {func(t *testing.T, dir string, stems []string, _ *index.DB) {
			if err := os.Remove(archive.JournalOf(dir, stems[0]+".sgf")); err != nil {
				t.Fatal(err)
			}
		}, ".journal", "missing"},
		"a row without a file": {func(t *testing.T, dir string, stems []string, db *index.DB) {
			if err := db.Add(t.Context(), &index.Match{ID: "00ff", File: "gone.sgf", Account: "bot"}); err != nil {
				t.Fatal(err)
			}
		}, "gone.sgf", "file is missing"},
		"a row with another score": {func(t *testing.T, dir string, stems []string, db *index.DB) {
			m, err := index.Read(dir, stems[0]+".sgf")
			if err != nil {
				t.Fatal(err)
			}
			m.Score = [2]int{0, 1}
			if err := db.Add(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}, ".sgf", "score 0, in the file 1"},
		"a row with another error": {func(t *testing.T, dir string, stems []string, db *index.DB) {
			m, err := index.Read(dir, stems[0]+".sgf")
			if err != nil {
				t.Fatal(err)
			}
			m.Error[1] = 0.01
			if err := db.Add(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}, ".sgf", "opponent's error 0.0100, in the file -"},
		"a file without a row": {func(t *testing.T, dir string, stems []string, db *index.DB) {
			data, err := os.ReadFile(stems[0] + ".sgf")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "new.sgf"), []byte(strings.Replace(string(data), "31hefe", "21heeg", 1)), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "new.sgf", "missing in the index"},
		"a cut match file": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			cut(t, stems[0]+".sgf", 2)
		}, ".sgf", "the file ends inside"},
		"an empty match file": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			cut(t, stems[1]+".sgf", 0)
		}, ".sgf", "unreadable"},
		"a cut list of moves": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			cut(t, stems[0]+".fibs", 2)
		}, ".fibs", "differs"},
		"a lost line of the journal": {func(t *testing.T, dir string, stems []string, _ *index.DB) {
			change(t, archive.JournalOf(dir, stems[0]+".sgf"), `"bob`+`x moves 17-20 19-20 ."`, `""`)
		}, "", "differs from its journal"},
		"another result in the match file": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			change(t, stems[0]+".sgf", "RE[B+1R]", "RE[W+1R]")
		}, ".sgf", "differs from its journal"},
		"another score in the match file": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			change(t, stems[0]+".sgf", "[ws:0]", "[ws:1]")
		}, ".sgf", "game 1: at 1-0"},
		"another name in the match file": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			change(t, stems[0]+".sgf", "[bobx]", "[bill]")
		}, ".sgf", "the player bill instead of bobx"},
		"another length in the match file": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			change(t, stems[0]+".sgf", "[length:1]", "[length:3]")
		}, ".sgf", "a length of 3 instead of 1"},
		"two match files exchanged": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			exchange(t, stems[0]+".sgf", stems[1]+".sgf")
		}, ".sgf", "it has the match of 2026-11-21_120"},
		"two lists of moves exchanged": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			exchange(t, stems[0]+".fibs", stems[1]+".fibs")
		}, ".fibs", "the player bobxx instead of bobx"},
		"the analysis of another match": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			m, _, err := sgf.ReadFile(stems[0] + ".sgf")
			if err != nil {
				t.Fatal(err)
			}
			a, play := &m.Games[0].Actions[0], board.AppendPlays(nil, board.Start, board.Dice{A: 5, B: 5})[0]
			a.Analysis = &record.Analysis{Played: -1, Candidates: []record.Candidate{{Steps: play.Steps[:play.N]}}}
			var b strings.Builder
			if err := sgf.Write(&b, m); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(stems[0]+".sgf", []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}, ".sgf", "its analysis is of another position"},
		"a deleted match without its manifest": {func(t *testing.T, dir string, stems []string, db *index.DB) {
			row, err := index.Read(dir, stems[0]+".sgf")
			if err == nil {
				err = db.Delete(t.Context(), row)
			}
			if err != nil {
				t.Fatal(err)
			}
			change(t, filepath.Join(dir, index.TrashDir, row.ID+".zip"), `"id"`, `"no"`)
		}, ".zip", "does not say which match"},
		"no meta any more": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			cut(t, stems[0]+".json", 2)
		}, ".json", "unreadable"},
		"another account in the meta": {func(t *testing.T, _ string, stems []string, _ *index.DB) {
			change(t, stems[0]+".json", `"bot"`, `"bobx"`)
		}, ".sgf", "the index differs"},
		"a damaged line of what was pruned": {func(t *testing.T, dir string, _ []string, _ *index.DB) {
			if err := os.WriteFile(filepath.Join(dir, index.PrunedName), []byte("{\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, index.PrunedName, ""},
		"a damaged journal of a match that goes on": {func(t *testing.T, dir string, _ []string, _ *index.DB) {
			open, err := filepath.Glob(filepath.Join(dir, "open", "*.journal"))
			if err != nil || len(open) != 1 {
				t.Fatal(open, err)
			}
			change(t, open[0], `{"k":"open"`, `{"k":op`)
		}, ".journal", "damaged journal"},
		"a damaged journal set aside": {func(t *testing.T, dir string, _ []string, _ *index.DB) {
			if err := os.WriteFile(filepath.Join(dir, "open", "x.journal.damaged"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}, ".damaged", "damaged journal"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, stems, db := filled(t)
			tt.damage(t, dir, stems, db)
			r := run(t, db)
			if sorted := slices.SortedFunc(slices.Values(r.Wrong), func(a, b verify.Finding) int { return strings.Compare(a.File+a.Problem, b.File+b.Problem) }); len(slices.Compact(sorted)) < len(r.Wrong) {
				t.Errorf("a fault is reported twice: %+v", r.Wrong)
			}
			for _, f := range r.Wrong {
				if strings.HasSuffix(f.File, tt.file) && strings.Contains(f.Problem, tt.says) {
					return
				}
			}
			t.Errorf("want %q of *%s, got %+v", tt.says, tt.file, r.Wrong)
		})
	}
}

// The same match under two names is a note.
func TestRun_twice(t *testing.T) {
	dir, stems, db := filled(t)
	data, err := os.ReadFile(stems[0] + ".sgf")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "copy.sgf"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	if r := run(t, db); len(r.Wrong) > 0 || len(r.Notes) != 1 || r.Unlogged != 1 {
		t.Errorf("%+v", r)
	}
}

// A match filed during the verification is checked again.
func TestRun_whileFiling(t *testing.T) {
	dir, _, db := filled(t)
	p := archivetest.NewPlayer(t, dir, "bot2")
	defer p.Close()
	filed := false
	r, err := verify.Run(t.Context(), db, verify.Options{Protocols: protocols, Progress: func(i, n int) {
		if filed {
			return
		}
		filed = true
		p.Play(len(archivetest.Lines))
		files, _ := filepath.Glob(filepath.Join(dir, "*bot2*.sgf"))
		if _, err := db.AddFile(t.Context(), files[0]); err != nil {
			t.Error(err)
		}
	}})
	if err != nil || len(r.Wrong) > 0 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestRun_gnubg(t *testing.T) {
	testsize.Medium(t)
	gnubg := verify.FindGnubg()
	if gnubg == "" {
		t.Skip("skipped: gnubg is not installed")
	}
	dir, stems, db := filled(t)
	data, err := os.ReadFile(stems[0] + ".sgf")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "odd 'name\".sgf"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := verify.Run(t.Context(), db, verify.Options{Protocols: protocols, Gnubg: gnubg})
	if err != nil || len(r.Wrong) > 0 || r.Gnubg != 3 {
		t.Errorf("%+v %v", r, err)
	}
}

// An imported copy is a note, and another match with the same plays is a match of its own.
func TestRun_copies(t *testing.T) {
	dir, stems, db := filled(t)
	data, err := os.ReadFile(stems[0] + ".sgf")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"copy.sgf", "2026-11-23_070000_bot-bob_5pt.sgf"} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rebuilt, err := db.Rebuild(t.Context(), nil)
	if err != nil || rebuilt.Added != 3 || rebuilt.Duplicates != 1 {
		t.Fatalf("%+v, %v", rebuilt, err)
	}
	if r := run(t, db); len(r.Wrong) > 0 || len(r.Notes) != 1 || r.Notes[0].File != "copy.sgf" || r.Rows != 3 {
		t.Errorf("%+v", r)
	}
}

// Faults are reported in the same order every time.
func TestRun_sameOrder(t *testing.T) {
	_, stems, db := filled(t)
	for _, ext := range []string{".fibs", ".mat"} {
		if err := os.WriteFile(stems[0]+ext, []byte("nothing of a match\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		r := run(t, db)
		if len(r.Wrong) != 2 || !strings.HasSuffix(r.Wrong[0].File, ".fibs") || !strings.HasSuffix(r.Wrong[1].File, ".mat") {
			t.Fatalf("%+v", r.Wrong)
		}
	}
}
