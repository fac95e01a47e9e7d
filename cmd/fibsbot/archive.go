package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/figure"
)

// archiveFlags choose an archive and some of its matches.
type archiveFlags struct {
	dir, dsn   string
	configFile string
	index.Filter
	since, until string
	create       bool // create a missing archive
	aboutMe      bool // without --account only the user's own matches, if names are set
}

func newArchiveCmd() *cobra.Command {
	var f archiveFlags
	cmd := &cobra.Command{Use: "archive"}
	pf := cmd.PersistentFlags()
	f.addFolder(pf)
	pf.Bool("json", false, "print JSON, one object per line for lists")
	cmd.AddCommand(newArchiveListCmd(&f), newArchiveShowCmd(&f), newArchiveStatsCmd(&f), newArchiveExportCmd(&f),
		newArchiveRebuildCmd(&f), newArchiveImportCmd(&f), newArchiveAnalyseCmd(&f), newArchiveErrorsCmd(&f), newArchiveSearchCmd(&f),
		newArchiveBackupCmd(&f), newArchiveRestoreCmd(&f), newArchiveVerifyCmd(&f), newArchivePruneCmd(&f), newArchiveAccountCmd(&f),
		newArchiveEditCmd(&f), newArchiveRenameCmd(&f), newArchiveMergeCmd(&f), newArchiveDeleteCmd(&f), newArchiveUndeleteCmd(&f))
	return cmd
}

// addFolder adds the flags that say where the archive is.
func (f *archiveFlags) addFolder(fl *pflag.FlagSet) {
	fl.StringVar(&f.dir, "archive", "", "archive folder (default archive.dir of -c FILE, or logs/archive)")
	fl.StringVar(&f.dsn, "dsn", "", "PostgreSQL index instead of SQLite in the folder")
	fl.StringVarP(&f.configFile, "config", "c", "", "configuration with the folder, DSN and your names")
}

// opened opens the index, runs do, and closes it.
func (f *archiveFlags) opened(cmd *cobra.Command, do func(*index.DB) error) error {
	db, err := f.open(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer db.Close()
	return do(db)
}

// on is what a command does with the opened index, see with.
func (f *archiveFlags) on(do func(cmd *cobra.Command, args []string, db *index.DB, filter index.Filter) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return f.with(cmd, func(db *index.DB, filter index.Filter) error { return do(cmd, args, db, filter) })
	}
}

// addFilter adds the flags that choose matches, but for those named in without, to which
// the command gives another meaning.
func (f *archiveFlags) addFilter(cmd *cobra.Command, without ...string) {
	fl := cmd.Flags()
	fl.StringVar(&f.Account, "account", "", "only matches of this account (* matches anything)")
	fl.StringVar(&f.Opponent, "opponent", "", "only matches against this opponent (* matches anything)")
	if !slices.Contains(without, "preset") {
		fl.StringVar(&f.Preset, "preset", "", "only matches played with this preset")
	}
	fl.StringVar(&f.Tag, "tag", "", "only matches with this tag (* matches anything)")
	fl.StringVar(&f.Event, "event", "", "only matches of this event (* matches anything)")
	fl.IntVar(&f.Length, "length", 0, "only matches of this length in points")
	fl.BoolVar(&f.Unlimited, "unlimited", false, "only unlimited matches")
	fl.StringVar(&f.since, "since", "", "first day of play (UTC), YYYY-MM-DD")
	fl.StringVar(&f.until, "until", "", "last day of play (UTC), YYYY-MM-DD")
	fl.StringVar(&f.Result, "result", "", "only matches won, lost or unfinished")
	fl.IntVar(&f.Limit, "limit", 0, "number of matches, newest first (default all)")
}

func (f *archiveFlags) filter() (out index.Filter, err error) {
	switch out = f.Filter; {
	case f.Length < 0:
		return out, cmdline.Usagef("--length: %d is negative (0 for all)", f.Length)
	case f.Limit < 0:
		return out, cmdline.Usagef("--limit: %d is negative (0 for all)", f.Limit)
	}
	return out, filterError(out.Days(f.since, f.until))
}

// restored returns the folder for a restored backup, and the DSN of -c FILE if the folder is
// the one configured there.
func (f *archiveFlags) restored(dir string) (string, string, error) {
	own, dsn, err := (&archiveFlags{configFile: f.configFile}).named()
	dir = cmp.Or(dir, own)
	switch {
	case err != nil:
		return "", "", err
	case dir == "":
		return "", "", cmdline.Usagef("archive restore: no folder given (archive restore FILE DIR)")
	case f.dsn != "" || filepath.Clean(dir) != filepath.Clean(own):
		dsn = f.dsn
	}
	return dir, dsn, nil
}

// named returns the folder and DSN of the flags, else those of -c FILE.
func (f *archiveFlags) named() (dir, dsn string, err error) {
	dir, dsn = f.dir, f.dsn
	if f.configFile == "" {
		return dir, dsn, nil
	}
	c, _, err := config.Load(f.configFile)
	if err != nil {
		return "", "", cmdline.AsUsage(err)
	}
	if dsn == "" {
		if dsn, err = c.Archive.ResolveDSN(); err != nil {
			return "", "", cmdline.Usagef("%s: archive: %w", f.configFile, err)
		}
	}
	return cmp.Or(dir, c.Archive.Dir), dsn, nil
}

// where returns the archive's folder, which exists, and the DSN of its index.
func (f *archiveFlags) where() (dir, dsn string, err error) {
	if dir, dsn, err = f.named(); err != nil {
		return "", "", err
	}
	if dir == "" {
		dir = config.Default().Archive.Dir
	}
	if f.create {
		if err := atomicfile.MkdirPrivate(dir); err != nil {
			return "", "", cmdline.Usagef("archive: %w", err)
		}
		if err := makeFolder("archive", dir); err != nil {
			return "", "", err
		}
	}
	st, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", cmdline.Usagef("no archive in %s (play or import a match first, or give --archive DIR)", dir)
	}
	if err != nil {
		return "", "", cmdline.AsUsage(fmt.Errorf("archive: %w", err))
	}
	if !st.IsDir() {
		return "", "", cmdline.Usagef("archive: %s is not a folder", dir)
	}
	return dir, dsn, nil
}

// open opens the index, and builds it first if the archive has none.
func (f *archiveFlags) open(ctx context.Context, errOut io.Writer) (*index.DB, error) {
	dir, dsn, err := f.where()
	if err != nil {
		return nil, err
	}
	db, aside, err := index.OpenReadable(ctx, dir, dsn)
	if err != nil {
		if dsn != "" {
			return nil, err
		}
		// SQLite writes beside the index even to read it.
		if perm := cmdline.WantParent("archive", filepath.Join(dir, index.FileName)); perm != nil {
			return nil, fmt.Errorf("%w, where the index is kept (make it writable, or list a copy of the folder)", perm)
		}
		return nil, err
	}
	if aside != "" {
		fmt.Fprintf(errOut, "fibsbot: the index was damaged: moved to %s and rebuilt from the match files\n", aside)
	}
	r, err := db.Complete(ctx)
	if err != nil {
		db.Close()
		return nil, err
	}
	if r != nil {
		r.Complain(errOut)
	}
	return db, nil
}

// filterError turns an invalid filter into a usage error.
func filterError(err error) error {
	if field := (*index.FieldError)(nil); errors.As(err, &field) {
		name := cmp.Or(map[string]string{"players": "names", "tags": "tag"}[field.Field], field.Field)
		return cmdline.Usagef("--%s: %s", name, field.Problem)
	}
	if errors.Is(err, index.ErrFilter) || errors.Is(err, index.ErrNotFound) {
		return cmdline.AsUsage(err)
	}
	return err
}

// with opens the index, runs do, and closes it.
func (f *archiveFlags) with(cmd *cobra.Command, do func(*index.DB, index.Filter) error) error {
	filter, err := f.filter()
	if err != nil {
		return err
	}
	return f.opened(cmd, func(db *index.DB) error {
		if f.aboutMe {
			me, err := f.me(db)
			if err != nil {
				return err
			}
			if _, err := me.Filter(cmd.Context(), db, &filter); err != nil {
				return err
			}
		}
		return filterError(do(db, filter))
	})
}

func newArchiveRebuildCmd(f *archiveFlags) *cobra.Command {
	return cmdline.New("rebuild", f.on(func(cmd *cobra.Command, _ []string, db *index.DB, _ index.Filter) error {
		bar := cmdline.Bar(cmd)
		r, err := db.Rebuild(cmd.Context(), func(n int) { bar.Show("matches", n, 0) })
		bar.Clear()
		if err != nil {
			if cmd.Context().Err() != nil {
				return cmdline.ErrInterrupted
			}
			return err
		}
		r.Complain(cmd.ErrOrStderr())
		unreadable := len(r.Bad) + r.More
		return cmdline.Answer(cmd, map[string]int{"matches": r.Added + r.Pruned, "pruned": r.Pruned, "duplicates": r.Duplicates, "unreadable": unreadable},
			fmt.Sprintf("%s indexed, %s skipped, %s\n", figure.Count(r.Added+r.Pruned, "match"), figure.Count(r.Duplicates, "duplicate"), figure.Count(unreadable, "unreadable file")))
	}))
}
