package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fibsbot/internal/livetext"
)

// meter draws the progress of a long command on stderr when that is a terminal, at
// most ten times a second: a bar with the time left, or a count where total is 0. report
// is nil on anything else; done takes the line away and may be called twice.
func meter(cmd *cobra.Command, what string) (report func(done, total uint64), done func()) {
	w := cmd.ErrOrStderr()
	if !isTerminal(w) {
		return nil, func() {}
	}
	line := progressBar{w: w, what: what}
	return line.report, line.clear
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
	return b.Draw, b.Clear
}

// progressBar is the line of a meter; it is drawn from the first report on.
type progressBar struct {
	w    io.Writer
	what string
	bar  *progressbar.ProgressBar
}

func (p *progressBar) report(n, total uint64) {
	most := int64(total)
	if total == 0 {
		most = -1 // unknown
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(most, progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetDescription(p.what), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
	}
	if total > 0 {
		p.bar.ChangeMax64(most)
	}
	_ = p.bar.Set64(int64(n))
}

func (p *progressBar) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// steps is the report of a meter for work of a known size that counts in int; it may be
// called where there is no meter.
func steps(report func(done, total uint64), total int) func(done int) {
	return func(n int) {
		if report != nil {
			report(uint64(n), uint64(total))
		}
	}
}

// progressLine is the meter of commands that run for hours: where there is no terminal
// it writes a line with the rate and the time left at each report, for the log.
func progressLine(w io.Writer, what string, total int) func(done int) {
	if isTerminal(w) {
		line := progressBar{w: w, what: what}
		return steps(line.report, total)
	}
	start := time.Now()
	return func(n int) {
		rate := float64(n) / max(time.Since(start).Seconds(), 1e-3)
		left := time.Duration(float64(total-n)/max(rate, 1e-9)) * time.Second
		fmt.Fprintf(w, "%s %d of %d, %.0f a second, %s left\n", what, n, total, rate, left.Round(time.Second))
	}
}
