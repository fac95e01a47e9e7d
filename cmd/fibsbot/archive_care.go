package main

import (
	"errors"
	"fmt"
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
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
)

// careError turns a wrong file, folder or flag into a usage error, and reports an interruption.
func careError(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	if cmd.Context().Err() != nil {
		return cmdline.ErrInterrupted
	}
	for _, usage := range []error{backup.ErrNoBackup, backup.ErrVersion, backup.ErrDamaged, backup.ErrInside, backup.ErrOther, backup.ErrNotEmpty,
		backup.ErrRunning, backup.ErrTarget, prune.ErrAge, archive.ErrCare, fs.ErrNotExist, fs.ErrPermission, syscall.EROFS} {
		if errors.Is(err, usage) {
			return cmdline.AsUsage(err)
		}
	}
	return err
}

// bytesMeter shows progress in bytes on a terminal.
func bytesMeter(cmd *cobra.Command, total int64) (report func(int64), done func()) {
	bar := cmdline.Bar(cmd)
	return func(n int64) { bar.Show64("bytes", n, total) }, bar.Clear
}

func newArchiveBackupCmd(f *archiveFlags) *cobra.Command {
	var force bool
	cmd := cmdline.New("backup FILE", func(cmd *cobra.Command, args []string) error {
		dir, _, err := f.where()
		if err == nil {
			err = cmdline.WantParent("FILE", args[0])
		}
		if err != nil {
			return err
		}
		bar := cmdline.Bar(cmd)
		m, err := backup.File(cmd.Context(), dir, args[0], force, backup.Options{Program: buildVersion().Version, Progress: func(n int) { bar.Show("files", n, 0) }})
		bar.Clear()
		if err != nil {
			return careError(cmd, err)
		}
		if n := len(m.LeftOut); n > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: not in the backup: %s foreign to the archive, such as %s\n", figure.Count(n, "file"), sanitize.Text(m.LeftOut[0]))
		}
		st, err := os.Stat(args[0])
		if err != nil {
			return err
		}
		return cmdline.Answer(cmd, map[string]any{"file": args[0], "bytes": st.Size(), "files": len(m.Members), "matches": m.Matches, "running": m.Running},
			fmt.Sprintf("%s: %s (%d in progress), %s, %s\n", args[0], figure.Count(m.Matches+m.Running, "match"), m.Running, figure.Count(len(m.Members), "file"), size(st.Size())))
	})
	cmd.Flags().BoolVar(&force, "force", false, "replace FILE even if it is not a backup")
	return cmd
}

func newArchiveRestoreCmd(f *archiveFlags) *cobra.Command {
	var force bool
	cmd := cmdline.New("restore FILE [DIR]", func(cmd *cobra.Command, args []string) error {
		if len(args) == 2 && f.dir != "" {
			return cmdline.Usagef("DIR and --archive mean the same folder (give one of them)")
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
			err = fmt.Errorf("the archive is restored without its index in PostgreSQL (run fibsbot archive rebuild): %w", r.IndexError)
		}
		text := fmt.Sprintf("%s: restored %s and %d in progress from the backup of %s, %s\n", dir, figure.Count(r.Index.Added+r.Index.Pruned, "match"), b.Running, moment(b.Made), figure.Count(len(b.Members), "file"))
		if r.Aside != "" {
			text += fmt.Sprintf("the old folder is now %s\n", r.Aside)
		}
		return errors.Join(err, cmdline.Answer(cmd, map[string]any{"dir": dir, "made": b.Made, "files": len(b.Members), "matches": r.Index.Added, "running": b.Running, "pruned": r.Index.Pruned, "aside": r.Aside}, text))
	})
	cmd.Flags().BoolVar(&force, "force", false, "rename a folder that has files, and restore")
	return cmd
}

func newArchiveVerifyCmd(f *archiveFlags) *cobra.Command {
	var gnubg bool
	opt := verify.Options{Protocols: protocolNamed}
	cmd := cmdline.New("verify [BACKUP]", func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return verifyBackup(cmd, args[0])
		}
		if gnubg {
			if opt.Gnubg = verify.FindGnubg(); opt.Gnubg == "" {
				return cmdline.Usagef("--gnubg: gnubg not found (install it)")
			}
		}
		var found *verify.Findings
		err := f.with(cmd, func(db *index.DB, _ index.Filter) (err error) {
			bar := cmdline.Bar(cmd)
			defer bar.Clear()
			opt.Progress = func(i, n int) { bar.Show("matches", i, n) }
			found, err = verify.Run(cmd.Context(), db, opt)
			return err
		})
		if err != nil {
			return careError(cmd, err)
		}
		if err = cmdline.AnswerBy(cmd, found, found.Print); err == nil && len(found.Wrong) > 0 {
			err = fmt.Errorf("the archive has faults: %d", len(found.Wrong))
		}
		return err
	})
	cmd.Flags().BoolVar(&gnubg, "gnubg", false, "also read every match with gnubg")
	cmd.Flags().BoolVar(&opt.Evidence, "evidence", false, "also compare all statements of each file")
	return cmd
}

func verifyBackup(cmd *cobra.Command, name string) error {
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
	return cmdline.Answer(cmd, map[string]any{"file": name, "made": b.Made, "program": b.Program, "files": len(b.Members), "bytes": b.Bytes(), "matches": b.Matches, "running": b.Running},
		fmt.Sprintf("%s is sound: %s and %d in progress, made %s by fibsbot %s\n", name, figure.Count(b.Matches, "match"), b.Running, moment(b.Made), sanitize.Text(b.Program)))
}

func newArchivePruneCmd(f *archiveFlags) *cobra.Command {
	var older string
	var opt prune.Options
	cmd := cmdline.New("prune --older-than AGE", func(cmd *cobra.Command, _ []string) (err error) {
		if older == "" {
			return cmdline.Usagef("archive prune: no age given (--older-than 365d)")
		}
		if opt.Before, err = prune.Before(time.Now(), older); err != nil {
			return cmdline.Usagef("--older-than: %w", err)
		}
		var sum prune.Sum
		err = f.with(cmd, func(db *index.DB, _ index.Filter) (err error) {
			bar := cmdline.Bar(cmd)
			defer bar.Clear()
			opt.Progress = func(i, n int) { bar.Show("matches", i, n) }
			sum, err = prune.Run(cmd.Context(), db, opt)
			return err
		})
		for _, e := range sum.Kept {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: not pruned: %s\n", sanitize.Text(e.Error()))
		}
		if err != nil {
			return careError(cmd, err)
		}
		return cmdline.Answer(cmd, sum, prunedText(sum, opt))
	})
	fl := cmd.Flags()
	fl.StringVar(&older, "older-than", "", "minimum age of the end of a match: 365d, 52w, 18m or 2y")
	fl.BoolVar(&opt.DryRun, "dry-run", false, "report without deleting")
	fl.BoolVar(&opt.Journals, "journals", false, "delete only journals and keep match files")
	return cmd
}

func prunedText(sum prune.Sum, opt prune.Options) string {
	verb, what := "freed", "results kept"
	if opt.DryRun {
		verb = "would be freed"
	}
	if opt.Journals {
		what = "match files kept"
	}
	return fmt.Sprintf("%s that ended before %s, %s: %s %s; %s\n", figure.Count(sum.Matches, "match"), opt.Before.Format(time.DateOnly), figure.Count(sum.Files, "file"), size(sum.Bytes), verb, what)
}

// protocolNamed returns a protocol by its name, or nil.
func protocolNamed(name string) protocol.Protocol {
	if p := protocolOf(name); p.Name() == name {
		return p
	}
	return nil
}

// moment formats a time as lists of the archive do.
func moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// size formats a number of bytes.
func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1e3)
}
