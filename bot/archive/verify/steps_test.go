package verify_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/bot/archive/prune"
	"fibsbot/bot/internal/changes"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/internal/testsize"
)

// short is a match of one play; copies with the same dice are the same match.
func short(a, b string, d board.Dice) *record.Match {
	p := board.AppendPlays(nil, board.Start, d)[0]
	return &record.Match{Players: [2]record.Player{{Name: a}, {Name: b}}, Length: 3, Date: "2026-02-01", Games: []record.Game{{Cube: 1,
		Actions: []record.Action{{Kind: record.Move, Dice: d, Steps: p.Steps[:p.N]}}, Result: record.Result{Winner: 1, Points: 3, Resigned: true}}}}
}

// opened opens the index of an archive as a program does: on disk, or in memory as a browser.
func opened(t *testing.T, dir string, memory bool) *index.DB {
	t.Helper()
	if !memory {
		db, err := index.OpenComplete(t.Context(), dir, "")
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	db := index.OpenMemory(dir)
	_, err := db.Complete(t.Context())
	if err = errors.Join(db.Finish(t.Context()), err); err != nil {
		t.Fatal(err)
	}
	return db
}

// stateOf is all that a reader finds in an archive: its rows and files.
func stateOf(t *testing.T, db *index.DB) map[string]string {
	t.Helper()
	out := map[string]string{}
	if err := db.List(t.Context(), index.Filter{}, func(m *index.Match) error {
		whole, err := db.Show(t.Context(), m.ID)
		data, _ := json.Marshal(whole)
		out["row "+m.ID] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := filepath.WalkDir(db.Dir(), func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(db.Dir(), path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil || e.IsDir() || strings.HasPrefix(name, index.FileName) || strings.HasSuffix(name, ".lock"):
			return err
		case strings.HasPrefix(name, index.TrashDir+"/"): // has the time
			out[name] = ""
			return nil
		case name == index.PrunedName: // its rows count when the files are gone
			return nil
		}
		data, err := os.ReadFile(path)
		out[name] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

var errKilled = errors.New("killed")

// Every command that changes an archive is stopped after each operation on a file, or the disk is
// full for a moment then: the archive has the old or the new state, and is sound.
func TestSteps(t *testing.T) {
	t.Parallel()
	every := 1
	if testsize.Brief() {
		every = 8
	}
	from, _, db := filled(t)
	begun, rest := short("gina", "hugo", board.Dice{A: 3, B: 1}), short("gina", "hugo", board.Dice{A: 4, B: 2})
	begun.Games[0].Result.Points = 1
	rest.Games[0].Number, rest.Games[0].Score = 1, [2]int{0, 1}
	both := *begun
	both.Games = append(begun.Games[:1:1], rest.Games...)
	for _, m := range []*record.Match{short("anna", "bert", board.Dice{A: 3, B: 1}), short("anna", "bert", board.Dice{A: 4, B: 2}), begun, rest} {
		if _, err := db.Import(t.Context(), m, index.Meta{Account: "anna"}); err != nil {
			t.Fatal(err)
		}
	}
	deleted := short("carl", "dora", board.Dice{A: 6, B: 1})
	if _, err := db.Import(t.Context(), deleted, index.Meta{Account: "dora"}); err != nil {
		t.Fatal(err)
	}
	gone, err := db.Find(t.Context(), deleted)
	if err == nil {
		err = errors.Join(db.Delete(t.Context(), gone), db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	of := func(ctx context.Context, db *index.DB, opponent string, do func(*index.Match) error) error {
		var row *index.Match
		err := db.List(ctx, index.Filter{Opponent: opponent, Limit: 1}, func(m *index.Match) error { row = m; return nil })
		if err == nil && row != nil {
			err = do(row)
		}
		return err
	}
	change := func(c index.Change) func(context.Context, *index.DB) error {
		return func(ctx context.Context, db *index.DB) error {
			return of(ctx, db, "bob*", func(m *index.Match) error { _, err := db.Change(ctx, m, c); return err })
		}
	}
	edit := func(do func(*index.Edition) error) func(context.Context, *index.DB) error {
		return func(ctx context.Context, db *index.DB) error {
			return of(ctx, db, "bert", func(m *index.Match) error {
				e, err := db.Edit(m)
				if err != nil {
					return err
				}
				luck := 0.5
				e.Match.Games[0].Actions[0].Analysis, e.Match.Games[0].Actions[0].Comment = &record.Analysis{Played: -1, Luck: &luck}, "Good."
				return do(e)
			})
		}
	}
	text := func(s string) *string { return &s }
	take := func(m *record.Match, names ...string) func(context.Context, *index.DB) error {
		return func(ctx context.Context, db *index.DB) error {
			f := owner.Filing{DB: db, Account: names}
			return errors.Join(f.Take(ctx, f.Into(""), m), f.Settle(ctx))
		}
	}
	said := short("anna", "bert", board.Dice{A: 3, B: 1})
	said.Games[0].Actions[0].Comment = "Said."
	for name, do := range map[string]func(context.Context, *index.DB) error{
		"import":           take(short("anna", "carl", board.Dice{A: 5, B: 2}), "carl"),
		"import undecided": take(short("emil", "finn", board.Dice{A: 5, B: 2})),
		"import known":     take(said),
		"import a joint":   take(&both),
		"merge": func(ctx context.Context, db *index.DB) error {
			_, err := db.Merge(ctx, index.Identity(begun), index.Identity(rest))
			return err
		},
		"import corrected": take(short("anna", "bert", board.Dice{A: 4, B: 2}), "bert"),
		"tags":             change(index.Change{Tags: &[]string{"study"}}),
		"names":            change(index.Change{Players: &[2]string{"Robo", "Bob"}}),
		"account":          change(index.Change{Account: text("bobxx")}),
		"head":             change(index.Change{Event: text("Open"), Date: text("2026-03-04")}),
		"rename":           func(ctx context.Context, db *index.DB) error { _, err := db.Rename(ctx, "bert", "Albert"); return err },
		"swap": func(ctx context.Context, db *index.DB) error {
			return of(ctx, db, "bert", func(m *index.Match) error { _, err := db.Change(ctx, m, index.Change{Swap: true}); return err })
		},
		"analysis":         edit(func(e *index.Edition) error { e.Judged(); _, err := e.Store(t.Context()); return err }),
		"stopped analysis": edit(func(e *index.Edition) error { e.Judged(); return e.StorePartly(t.Context()) }),
		"delete": func(ctx context.Context, db *index.DB) error {
			return of(ctx, db, "bob*", func(m *index.Match) error { return db.Delete(ctx, m) })
		},
		"undelete": func(ctx context.Context, db *index.DB) error { _, err := db.Undelete(ctx, gone.ID); return err },
		"prune": func(ctx context.Context, db *index.DB) error {
			_, err := prune.Run(ctx, db, prune.Options{Before: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)})
			return err
		},
		"prune journals": func(ctx context.Context, db *index.DB) error {
			_, err := prune.Run(ctx, db, prune.Options{Before: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), Journals: true})
			return err
		},
	} {
		for _, memory := range []bool{false, true} {
			kind := map[bool]string{false: " on disk", true: " in a browser"}[memory]
			t.Run(name+kind, func(t *testing.T) {
				if name != "merge" {
					testsize.Sample(t)
				}
				t.Parallel()
				db := opened(t, copied(t, from), memory)
				before := stateOf(t, db)
				if err := do(t.Context(), db); err != nil {
					t.Fatal(err)
				}
				after := stateOf(t, db)
				sound(t, db)
				db.Close()
				if cmp.Equal(before, after) {
					t.Fatal("the command changes nothing")
				}
				for try := 0; ; try++ {
					full, steps := try%2 == 1, try/2*every
					if full && memory { // the steps are the same
						continue
					}
					dir := copied(t, from)
					db := opened(t, dir, memory)
					db.Log().NoSync = true
					n, last := 0, ""
					db.Log().Before = func(step string) error {
						switch n++; {
						case n <= steps, full && last != "": // there is room again
							return nil
						case last == "":
							last = step
						}
						if full {
							return syscall.ENOSPC
						}
						return errKilled
					}
					err := do(t.Context(), db)
					if n <= steps {
						db.Close()
						if err != nil || n < 3 {
							t.Fatalf("after %d steps: %v", n, err)
						}
						return
					}
					if err == nil {
						t.Errorf("stopped before %q: success", last)
					}
					if full {
						err = db.Finish(t.Context())
					} else {
						db.Close()
						db, err = opened(t, dir, memory), nil
					}
					if err != nil {
						t.Error(err)
					}
					state := stateOf(t, db)
					if was, is := cmp.Diff(before, state), cmp.Diff(after, state); was != "" && is != "" {
						t.Errorf("stopped before %q: not the old state\n%s\nand not the new\n%s", last, was, is)
					}
					sound(t, db)
					if left, _ := filepath.Glob(filepath.Join(dir, changes.Dir, "*", "*")); len(left) > 0 {
						t.Errorf("stopped before %q: left %v", last, left)
					}
					db.Close()
				}
			})
		}
	}
}

func sound(t *testing.T, db *index.DB) {
	t.Helper()
	if r := run(t, db); len(r.Wrong) > 0 {
		t.Errorf("verify: %+v", r.Wrong)
	}
}

// copied copies an archive.
func copied(t *testing.T, from string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "archive")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return dir
}
