package cmdline

import (
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fibsbot/internal/livetext"
)

// Bar returns the progress bar of a long command on stderr, or nil if that is not a
// terminal. A nil bar draws nothing.
func Bar(cmd *cobra.Command) *livetext.Bar {
	if w := cmd.ErrOrStderr(); IsTerminal(w) {
		return livetext.NewBar(w)
	}
	return nil
}

// Meter is the bar of one kind of work. report is nil without a terminal; done removes
// the bar and may be called twice.
func Meter(cmd *cobra.Command, what string) (report func(done, total uint64), done func()) {
	bar := Bar(cmd)
	if bar == nil {
		return nil, bar.Clear
	}
	return func(done, total uint64) { bar.Show64(what, int64(done), int64(total)) }, bar.Clear
}

// LiveText draws changing text on stderr if that is a terminal; show makes the text
// only when it is drawn. done removes it and may be called twice.
func LiveText(cmd *cobra.Command) (show func(text func() string), done func()) {
	f, ok := cmd.ErrOrStderr().(*os.File)
	if !ok || !IsTerminal(f) || os.Getenv("TERM") == "dumb" {
		return func(func() string) {}, func() {}
	}
	b := livetext.New(f, func() (int, int) {
		columns, rows, _ := term.GetSize(int(f.Fd())) // 0 if the size is unknown
		return columns, rows
	})
	cmd.SetErr(b.Above(f)) // what the command prints meanwhile
	return b.Draw, b.Clear
}

// Progress is the bar of commands that run for hours: without a terminal it writes a line
// for each report, for the log.
func Progress(w io.Writer) func(what string, done, total int) {
	if IsTerminal(w) {
		return livetext.NewBar(w).Show
	}
	return livetext.Log(w)
}
