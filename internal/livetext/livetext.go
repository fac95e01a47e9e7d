// Package livetext redraws a few lines of text in place on a terminal, such as figures that
// change while a command works.
package livetext

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// every is the shortest time between two drawings.
const every = 100 * time.Millisecond

// Block is the text on the terminal. Draw is for one goroutine at a time; others may write
// above it meanwhile.
type Block struct {
	w    io.Writer
	size func() (columns, rows int)
	last time.Time

	mu   sync.Mutex
	rows int // on the terminal
}

// New returns a block for the terminal w of that many columns and rows; 0 means 80 by 24.
func New(w io.Writer, size func() (columns, rows int)) *Block { return &Block{w: w, size: size} }

// Draw replaces the block by text, whose lines all have a line end, at most ten times a second.
// Lines and block are cut to the terminal's size, since text that scrolled away cannot be
// redrawn.
func (b *Block) Draw(text func() string) {
	now := time.Now()
	if now.Sub(b.last) < every {
		return
	}
	b.last = now
	columns, rows := b.size()
	if columns <= 0 || rows <= 0 {
		columns, rows = 80, 24
	}
	lines := strings.Split(strings.TrimRight(text(), "\n"), "\n")
	lines = lines[:min(len(lines), max(1, rows-1))]
	b.mu.Lock()
	defer b.mu.Unlock()
	var out strings.Builder
	out.WriteString(b.back())
	for _, line := range lines {
		if cut := []rune(line); len(cut) >= columns { // every rune is one column wide here
			line = string(cut[:columns-1])
		}
		out.WriteString(line + "\n")
	}
	b.rows = len(lines)
	_, _ = io.WriteString(b.w, out.String())
}

// Clear removes the block. It may be called twice.
func (b *Block) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, _ = io.WriteString(b.w, b.back())
	b.rows = 0
}

// Above returns a writer to the same terminal w that removes the block before every write. It
// must get whole lines; the next Draw comes below them.
func (b *Block) Above(w io.Writer) io.Writer { return over{b, w} }

type over struct {
	block *Block
	w     io.Writer
}

// Write implements io.Writer.
func (o over) Write(p []byte) (int, error) {
	o.block.mu.Lock()
	defer o.block.mu.Unlock()
	_, _ = io.WriteString(o.block.w, o.block.back())
	o.block.rows = 0
	return o.w.Write(p)
}

// back moves to the first line of the block and erases from there.
func (b *Block) back() string {
	if b.rows == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\r\x1b[J", b.rows)
}

// Bar shows the progress of a long command: one line on a terminal with the time left, redrawn
// at most ten times a second. The methods of a nil Bar do nothing. Goroutines may share a Bar.
type Bar struct {
	mu   sync.Mutex
	w    io.Writer
	what string
	line *progressbar.ProgressBar // nil until the first Show
}

// NewBar returns a bar on the terminal w. It draws nothing before Show.
func NewBar(w io.Writer) *Bar { return &Bar{w: w} }

// Show draws how much of what is done; a total of 0 means unknown. A new what is a new part of
// the work, whose line replaces the one before.
func (b *Bar) Show(what string, done, total int) { b.Show64(what, int64(done), int64(total)) }

// Show64 is Show for counts of bytes.
func (b *Bar) Show64(what string, done, total int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	most := total
	if total == 0 {
		most = -1 // a count without an end
	}
	if b.line == nil || b.what != what {
		b.clear()
		b.what = what
		b.line = progressbar.NewOptions64(most, progressbar.OptionSetWriter(b.w),
			progressbar.OptionSetDescription(what), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
	}
	if total > 0 {
		b.line.ChangeMax64(most)
	}
	_ = b.line.Set64(done)
}

// Clear removes the line until the next Show. It may be called again.
func (b *Bar) Clear() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
}

func (b *Bar) clear() {
	if b.line != nil {
		_ = b.line.Clear()
	}
}

// Above returns a writer to w that removes the line before every write, for other output to
// the same terminal.
func (b *Bar) Above(w io.Writer) io.Writer {
	if b == nil {
		return w
	}
	return above{b, w}
}

type above struct {
	bar *Bar
	io.Writer
}

// Write implements io.Writer.
func (a above) Write(p []byte) (int, error) {
	a.bar.Clear()
	return a.Writer.Write(p)
}

// Log returns a function that writes a line to w at each call, with the rate and the time left:
// the progress of a long command without a terminal. The rate of a part of the work counts from
// the last line of the part before.
func Log(w io.Writer) func(what string, done, total int) {
	var of string
	begun := time.Now()
	last := begun
	return func(what string, done, total int) {
		if what != of {
			of, begun = what, last
		}
		last = time.Now()
		rate := float64(done) / max(last.Sub(begun).Seconds(), 1e-3)
		left := time.Duration(float64(total-done)/max(rate, 1e-9)) * time.Second
		speed := fmt.Sprintf("%.0f", rate)
		if rate < 10 {
			speed = fmt.Sprintf("%.2g", rate)
		}
		fmt.Fprintf(w, "%s %d of %d, %s a second, %s left\n", what, done, total, speed, left.Round(time.Second))
	}
}
