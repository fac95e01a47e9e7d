package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/backup"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/prune"
	"fibsbot/bot/archive/verify"
	"fibsbot/bot/protocol"
	"fibsbot/internal/sanitize"
)

// careError marks a wrong file, folder or flag, and an interruption.
func careError(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	if cmd.Context().Err() != nil {
		return errInterrupted
	}
	for _, his := range []error{backup.ErrNoBackup, backup.ErrVersion, backup.ErrDamaged, backup.ErrInside, backup.ErrOther, backup.ErrNotEmpty,
		backup.ErrRunning, backup.ErrTarget, prune.ErrAge, archive.ErrCare, fs.ErrNotExist, fs.ErrPermission, syscall.EROFS} {
		if errors.Is(err, his) {
			return asUsage(err)
		}
	}
	return err
}

// bytesMeter shows how many of total bytes are done, on a terminal.
func bytesMeter(cmd *cobra.Command, total int64) (report func(int64), done func()) {
	bar := barOf(cmd)
	return func(n int64) { bar.Show64("bytes", n, total) }, bar.Clear
}

func newArchiveBackupCmd(f *archiveFlags) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Write the archive into one file, also while a bot runs",
		Long: `Writes match files, journals, those of running matches too, and what is remembered
of opponents into one zip file with a checksum of each and of the whole, and reads it
back before it takes FILE's place. The index is left out: "archive restore" makes it.`,
		Example: "  fibsbot archive backup /backup/fibsbot-$(date +%F).zip\n  fibsbot archive verify /backup/fibsbot-2026-11-22.zip",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, _, err := f.where()
			if err == nil {
				err = wantParent("FILE", args[0])
			}
			if err != nil {
				return err
			}
			bar := barOf(cmd)
			m, err := backup.File(cmd.Context(), dir, args[0], force, backup.Options{Program: buildVersion().Version, Progress: func(n int) { bar.Show("files", n, 0) }})
			bar.Clear()
			if err != nil {
				return careError(cmd, err)
			}
			if n := len(m.LeftOut); n > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: not in the backup, for they do not belong to an archive: %d files, the first is %s\n", n, sanitize.Text(m.LeftOut[0]))
			}
			st, err := os.Stat(args[0])
			if err != nil {
				return err
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), map[string]any{"file": args[0], "bytes": st.Size(), "files": len(m.Members), "matches": m.Matches, "running": m.Running})
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d matches, %d of them running or saved, in %d files, %s\n", args[0], m.Matches+m.Running, m.Running, len(m.Members), size(st.Size()))
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace FILE also when it is no backup")
	return cmd
}

func newArchiveRestoreCmd(f *archiveFlags) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "restore FILE [DIR]",
		Short: "Make an archive folder of a backup",
		Long: `Makes the folder DIR (or --archive) of a backup, with its index. A folder that is not
empty is refused; --force sets what is there aside under another name. The work is done
in DIR.restoring, which becomes DIR when all of it is there and checked: whatever
interrupts it leaves DIR as it was. -c FILE stands for its archive.dir; an index of that
archive in PostgreSQL, or the one that --dsn names, is made anew too.`,
		Example: "  fibsbot archive restore /backup/fibsbot-2026-11-22.zip logs/archive\n  fibsbot archive restore /backup/fibsbot-2026-11-22.zip -c bot.yaml --force",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 && f.dir != "" {
				return usagef("DIR and --archive are the same thing; give one of them")
			}
			dir := f.dir
			if len(args) == 2 {
				dir = args[1]
			}
			dir, dsn, err := f.restored(dir)
			if err != nil {
				return err
			}
			b, err := backup.Open(cmd.Context(), args[0], nil)
			if err != nil {
				return careError(cmd, err)
			}
			defer b.Close()
			report, done := bytesMeter(cmd, b.Bytes())
			r, err := b.Restore(cmd.Context(), backup.Target{Dir: dir, Force: force, DSN: dsn, Progress: report})
			done()
			if err != nil {
				return careError(cmd, err)
			}
			r.Index.Complain(cmd.ErrOrStderr())
			if r.IndexError != nil {
				err = fmt.Errorf("the archive is restored, its index in PostgreSQL is not; archive rebuild makes it: %w", r.IndexError)
			}
			if f.asJSON {
				return errors.Join(err, printJSON(cmd.OutOrStdout(), map[string]any{"dir": dir, "made": b.Made, "files": len(b.Members), "matches": r.Index.Added, "running": b.Running, "pruned": r.Index.Pruned, "aside": r.Aside}))
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d matches and %d running or saved ones of %s, in %d files\n", dir, r.Index.Added+r.Index.Pruned, b.Running, moment(b.Made), len(b.Members))
			if r.Aside != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "what was there is in %s\n", r.Aside)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "set what is in the folder aside")
	return cmd
}

func newArchiveVerifyCmd(f *archiveFlags) *cobra.Command {
	var gnubg bool
	cmd := &cobra.Command{
		Use:   "verify [BACKUP]",
		Short: "Look whether the archive, or a backup, is sound",
		Long: `Reads every match file, replays its journal and compares, compares the files of
other formats and the row of the index, and tells what is wrong; with --gnubg, gnubg
reads them too. Exit status 1 when anything is wrong. Of a backup it checks every byte.`,
		Example: "  fibsbot archive verify\n  fibsbot archive verify --gnubg --json\n  fibsbot archive verify /backup/fibsbot-2026-11-22.zip",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return verifyBackup(cmd, args[0], f.asJSON)
			}
			opt := verify.Options{Protocols: protocolNamed}
			if gnubg {
				if opt.Gnubg = verify.FindGnubg(); opt.Gnubg == "" {
					return usagef("--gnubg: gnubg is not installed")
				}
			}
			var found *verify.Report
			err := f.with(cmd, func(db *index.DB, _ index.Filter) (err error) {
				bar := barOf(cmd)
				defer bar.Clear()
				opt.Told = func(i, n int) { bar.Show("matches", i, n) }
				found, err = verify.Run(cmd.Context(), db, opt)
				return err
			})
			if err != nil {
				return careError(cmd, err)
			}
			if f.asJSON {
				err = printJSON(cmd.OutOrStdout(), found)
			} else {
				err = found.Print(cmd.OutOrStdout())
			}
			if err == nil && len(found.Wrong) > 0 {
				err = fmt.Errorf("the archive is not sound, faults found: %d", len(found.Wrong))
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&gnubg, "gnubg", false, "let gnubg read every match too")
	return cmd
}

func verifyBackup(cmd *cobra.Command, name string, asJSON bool) error {
	b, err := backup.Open(cmd.Context(), name, nil)
	if err == nil {
		defer b.Close()
		report, done := bytesMeter(cmd, b.Bytes())
		err = b.Check(cmd.Context(), report)
		done()
	}
	if err != nil {
		return careError(cmd, err)
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), map[string]any{"file": name, "made": b.Made, "program": b.Program, "files": len(b.Members), "bytes": b.Bytes(), "matches": b.Matches, "running": b.Running})
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s is sound: %d matches and %d running or saved ones of %s, by fibsbot %s\n", name, b.Matches, b.Running, moment(b.Made), sanitize.Text(b.Program))
	return nil
}

func newArchivePruneCmd(f *archiveFlags) *cobra.Command {
	var older string
	var opt prune.Options
	cmd := &cobra.Command{
		Use:   "prune --older-than AGE",
		Short: "Delete the files of old matches and keep their results",
		Long: `Deletes match files and journals of matches that ended so long ago. Results,
ratings, error rates, luck and dice stay in the index and in pruned.jsonl, from which
"archive rebuild" takes them: lists and statistics do not change. What cannot be done
any more is to look at the moves; a backup keeps them.`,
		Example: "  fibsbot archive prune --older-than 365d --dry-run\n  fibsbot archive prune --older-than 2y\n  fibsbot archive prune --older-than 90d --journals",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if older == "" {
				return usagef("how old? --older-than 365d")
			}
			if opt.Before, err = prune.Before(time.Now(), older); err != nil {
				return usagef("--older-than: %w", err)
			}
			var sum prune.Sum
			err = f.with(cmd, func(db *index.DB, _ index.Filter) (err error) {
				bar := barOf(cmd)
				defer bar.Clear()
				opt.Told = func(i, n int) { bar.Show("matches", i, n) }
				sum, err = prune.Run(cmd.Context(), db, opt)
				return err
			})
			for _, e := range sum.Kept {
				fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: left as it is: %s\n", sanitize.Text(e.Error()))
			}
			if err != nil {
				return careError(cmd, err)
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), sum)
			}
			return tellPruned(cmd.OutOrStdout(), sum, opt)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&older, "older-than", "", "how long ago a match must have ended: 365d, 52w, 18m or 2y")
	fl.BoolVar(&opt.DryRun, "dry-run", false, "say what would go, and delete nothing")
	fl.BoolVar(&opt.Journals, "journals", false, "delete the journals only; match files stay")
	return cmd
}

func tellPruned(w io.Writer, sum prune.Sum, opt prune.Options) error {
	verb, what := "freed", "results are kept"
	if opt.DryRun {
		verb = "would be freed"
	}
	if opt.Journals {
		what = "match files are kept"
	}
	_, err := fmt.Fprintf(w, "%d matches that ended before %s, %d files: %s %s; %s\n", sum.Matches, opt.Before.Format(time.DateOnly), sum.Files, size(sum.Bytes), verb, what)
	return err
}

// protocolNamed finds a protocol by its name, nil where there is none.
func protocolNamed(name string) protocol.Protocol {
	if p := protocolOf(name); p.Name() == name {
		return p
	}
	return nil
}

// moment writes a time as lists of the archive do.
func moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// size writes a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1e3)
}
