package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fibsbot/internal/livetext"
)

// barOf is the progress of a long command on stderr when that is a terminal, nil otherwise.
func barOf(cmd *cobra.Command) *livetext.Bar {
	if w := cmd.ErrOrStderr(); isTerminal(w) {
		return livetext.NewBar(w)
	}
	return nil
}

// meter is the bar of work of one kind. report is nil where there is no terminal; done
// takes the line away and may be called twice.
func meter(cmd *cobra.Command, what string) (report func(done, total uint64), done func()) {
	bar := barOf(cmd)
	if bar == nil {
		return nil, bar.Clear
	}
	return func(done, total uint64) { bar.Show64(what, int64(done), int64(total)) }, bar.Clear
}

// liveText draws changing text on stderr when that is a terminal; show makes the text
// only when it is drawn. done takes it away and may be called twice.
func liveText(cmd *cobra.Command) (show func(text func() string), done func()) {
	f, ok := cmd.ErrOrStderr().(*os.File)
	if !ok || !isTerminal(f) || os.Getenv("TERM") == "dumb" {
		return func(func() string) {}, func() {}
	}
	b := livetext.New(f, func() (int, int) {
		columns, rows, _ := term.GetSize(int(f.Fd())) // 0 where it does not know
		return columns, rows
	})
	cmd.SetErr(b.Above(f)) // what is said meanwhile
	return b.Draw, b.Clear
}

// progress is the bar of commands that run for hours: where there is no terminal it writes
// a line at each report, for the log.
func progress(w io.Writer) func(what string, done, total int) {
	if isTerminal(w) {
		return livetext.NewBar(w).Show
	}
	return livetext.Log(w)
}
