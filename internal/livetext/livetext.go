// Package livetext redraws a few lines of text in place on a terminal, such as figures that
// change while a command works.
package livetext

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
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
