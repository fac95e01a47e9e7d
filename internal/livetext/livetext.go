// Package livetext draws a few lines of text over themselves on a terminal: figures that
// change while a command works.
package livetext

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// every is how often the block is drawn at most.
const every = 100 * time.Millisecond

// Block is what stands on the terminal now. Draw is for one goroutine at a time; others
// may write above it meanwhile.
type Block struct {
	w    io.Writer
	size func() (columns, rows int)
	last time.Time

	mu   sync.Mutex
	rows int // on the terminal
}

// New makes a block for w, a terminal, which is size columns wide and rows high; a size
// of 0 is taken for 80 by 24.
func New(w io.Writer, size func() (columns, rows int)) *Block { return &Block{w: w, size: size} }

// Draw puts text, lines ended by a line end, in the place of the text before, but not
// more often than every tenth of a second. Lines are cut where the terminal ends, and
// so is the block: what scrolled away could not be drawn over.
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

// Clear takes the block away; it may be called twice.
func (b *Block) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, _ = io.WriteString(b.w, b.back())
	b.rows = 0
}

// Above returns a writer to w, the same terminal, that takes the block away before every
// write. What it gets are whole lines; the next Draw comes below them.
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

// back goes to the first line of the block and erases from there on.
func (b *Block) back() string {
	if b.rows == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\r\x1b[J", b.rows)
}
