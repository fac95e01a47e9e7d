package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/config"
	"fibsbot/internal/atomicfile"
)

// archiveFlags say which archive and which of its matches.
type archiveFlags struct {
	dir, dsn   string
	configFile string
	account    string
	opponent   string
	preset     string
	tag        string
	length     int
	unlimited  bool
	since      string
	until      string
	result     string
	limit      int
	asJSON     bool
	create     bool // make the archive where it is not there
	aboutMe    bool // without --account only the user's own matches, where names are set
}

func newArchiveCmd() *cobra.Command {
	var f archiveFlags
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "The archive: matches, opponents, results, rating history",
		Long: `Lists, shows and sums up the matches in an archive folder. The match files are the
truth: "archive rebuild" makes the index from them again, "archive import" takes in
match files from elsewhere without counting one twice. "archive backup", "restore",
"verify" and "prune" take care of it; a bot may run meanwhile.

Which archive: --archive, else archive.dir of -c FILE, else logs/archive.`,
		Example: `  fibsbot archive list --opponent bob --result won
  fibsbot archive show 3f2a91
  fibsbot archive stats --by opponent
  fibsbot archive stats --rating --chart rating.svg
  fibsbot archive export --format csv -o matches.csv
  fibsbot archive rebuild`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	pf := cmd.PersistentFlags()
	pf.StringVar(&f.dir, "archive", "", "archive folder (default archive.dir of the configuration, or logs/archive)")
	pf.StringVar(&f.dsn, "dsn", "", "PostgreSQL index instead of SQLite in the folder")
	pf.StringVarP(&f.configFile, "config", "c", "", "take folder and DSN from this configuration")
	pf.BoolVar(&f.asJSON, "json", false, "print JSON, one object a line where there are several")
	cmd.AddCommand(newArchiveListCmd(&f), newArchiveShowCmd(&f), newArchiveStatsCmd(&f), newArchiveExportCmd(&f),
		newArchiveRebuildCmd(&f), newArchiveImportCmd(&f), newArchiveAnalyseCmd(&f), newArchiveErrorsCmd(&f),
		newArchiveBackupCmd(&f), newArchiveRestoreCmd(&f), newArchiveVerifyCmd(&f), newArchivePruneCmd(&f), newArchiveAccountCmd(&f),
		newArchiveEditCmd(&f), newArchiveDeleteCmd(&f), newArchiveUndeleteCmd(&f))
	return cmd
}

// addFilter adds the flags that choose matches.
// without is a flag of theirs that the command gives another meaning.
func (f *archiveFlags) addFilter(cmd *cobra.Command, without ...string) {
	fl := cmd.Flags()
	fl.StringVar(&f.account, "account", "", "only matches of this account (* for any)")
	fl.StringVar(&f.opponent, "opponent", "", "only matches against this opponent (* for anything)")
	if !slices.Contains(without, "preset") {
		fl.StringVar(&f.preset, "preset", "", "only matches played with this preset")
	}
	fl.StringVar(&f.tag, "tag", "", "only matches with this tag of yours (* for anything)")
	fl.IntVar(&f.length, "length", 0, "only matches of this many points")
	fl.BoolVar(&f.unlimited, "unlimited", false, "only unlimited matches")
	fl.StringVar(&f.since, "since", "", "first day of play (UTC), YYYY-MM-DD")
	fl.StringVar(&f.until, "until", "", "last day of play (UTC), YYYY-MM-DD")
	fl.StringVar(&f.result, "result", "", "won, lost or unfinished")
	fl.IntVar(&f.limit, "limit", 0, "at most this many, newest first")
}

func (f *archiveFlags) filter() (index.Filter, error) {
	out := index.Filter{Account: f.account, Opponent: f.opponent, Preset: f.preset, Tag: f.tag, Length: f.length, Unlimited: f.unlimited, Result: f.result, Limit: f.limit}
	if f.length < 0 || f.limit < 0 {
		return out, usagef("--length and --limit must not be negative")
	}
	if err := out.Days(f.since, f.until); err != nil {
		return out, usagef("--%w", err)
	}
	return out, nil
}

// restored is the folder that a backup goes to and, when it is that of -c FILE, the DSN there.
func (f *archiveFlags) restored(dir string) (string, string, error) {
	own, dsn, err := (&archiveFlags{configFile: f.configFile}).named()
	if dir == "" {
		dir = own
	}
	switch {
	case err != nil:
		return "", "", err
	case dir == "":
		return "", "", usagef("which folder is to be made? archive restore FILE DIR")
	case f.dsn != "" || filepath.Clean(dir) != filepath.Clean(own):
		dsn = f.dsn
	}
	return dir, dsn, nil
}

// named is what flags and -c FILE say of folder and DSN.
func (f *archiveFlags) named() (dir, dsn string, err error) {
	dir, dsn = f.dir, f.dsn
	if f.configFile == "" {
		return dir, dsn, nil
	}
	c, _, err := config.Load(f.configFile)
	if err != nil {
		return "", "", asUsage(err)
	}
	if dsn == "" {
		if dsn, err = c.Archive.ResolveDSN(); err != nil {
			return "", "", usagef("%s: archive: %w", f.configFile, err)
		}
	}
	return cmp.Or(dir, c.Archive.Dir), dsn, nil
}

// where is the archive's folder, which is there, and the DSN of its index.
func (f *archiveFlags) where() (dir, dsn string, err error) {
	if dir, dsn, err = f.named(); err != nil {
		return "", "", err
	}
	if dir == "" {
		dir = config.Default().Archive.Dir
	}
	if f.create {
		if err := atomicfile.MkdirPrivate(dir); err != nil {
			return "", "", usagef("archive: %w", err)
		}
		if err := makeFolder("archive", dir); err != nil {
			return "", "", err
		}
	}
	st, err := os.Stat(dir)
	if err != nil {
		return "", "", asUsage(fmt.Errorf("archive: %w", err))
	}
	if !st.IsDir() {
		return "", "", usagef("archive: %s is not a folder", dir)
	}
	return dir, dsn, nil
}

// open opens the index; an archive without one is indexed first.
func (f *archiveFlags) open(ctx context.Context, errOut io.Writer) (*index.DB, error) {
	dir, dsn, err := f.where()
	if err != nil {
		return nil, err
	}
	db, aside, err := index.OpenSound(ctx, dir, dsn)
	if err != nil {
		if dsn != "" {
			return nil, err
		}
		// SQLite writes beside the index even where it is only read.
		if perm := wantParent("archive", filepath.Join(dir, index.FileName)); perm != nil {
			return nil, fmt.Errorf("%w, where the index is kept (a copy of the folder can be listed)", perm)
		}
		return nil, fmt.Errorf("%w (fibsbot archive rebuild makes it again after the file is moved away)", err)
	}
	if aside != "" {
		fmt.Fprintf(errOut, "fibsbot: the index was damaged; it is set aside as %s and made again from the match files\n", aside)
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

// filterError makes a nonsense filter the user's mistake.
func filterError(err error) error {
	if errors.Is(err, index.ErrFilter) || errors.Is(err, index.ErrNotFound) {
		return asUsage(err)
	}
	return err
}

// with opens the index, runs do, and closes it.
func (f *archiveFlags) with(cmd *cobra.Command, do func(*index.DB, index.Filter) error) error {
	filter, err := f.filter()
	if err != nil {
		return err
	}
	db, err := f.open(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer db.Close()
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
}

func newArchiveRebuildCmd(f *archiveFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "rebuild",
		Short:   "Make the index again from the match files",
		Example: "  fibsbot archive rebuild --archive logs/archive",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd, func(db *index.DB, _ index.Filter) error {
				bar := barOf(cmd)
				r, err := db.Rebuild(cmd.Context(), func(n int) { bar.Show("matches", n, 0) })
				bar.Clear()
				if err != nil {
					if cmd.Context().Err() != nil {
						return errInterrupted
					}
					return err
				}
				r.Complain(cmd.ErrOrStderr())
				if f.asJSON {
					return printJSON(cmd.OutOrStdout(), map[string]int{"matches": r.Added + r.Pruned, "pruned": r.Pruned, "duplicates": r.Duplicates, "unreadable": len(r.Bad) + r.More})
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%d matches indexed, %d duplicates left out, %d files unreadable\n", r.Added+r.Pruned, r.Duplicates, len(r.Bad)+r.More)
				return nil
			})
		},
	}
}
