package browser

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"fibsbot/internal/subprocess"
)

// meter watches by how much the processes of a program grow, on systems with /proc; elsewhere it finds 0.
type meter struct {
	first, most int
	over, left  chan struct{}
}

func (m *meter) start(pid int) {
	m.first, m.over, m.left = held(pid), make(chan struct{}), make(chan struct{})
	m.most = m.first
	go func() {
		defer close(m.left)
		for tick := time.NewTicker(30 * time.Millisecond); ; {
			select {
			case <-m.over:
				tick.Stop()
				return
			case <-tick.C:
				m.most = max(m.most, held(pid))
			}
		}
	}()
}

// stop returns by how much they had grown at most.
func (m *meter) stop() int {
	close(m.over)
	<-m.left
	return m.most - m.first
}

// held is the memory of a process and all below it, in bytes, without that of files.
func held(pid int) (sum int) {
	for _, p := range append(subprocess.Descendants(pid), pid) {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p)) // it may have ended
		for line := range bytes.Lines(data) {
			if f := bytes.Fields(line); len(f) == 3 && (string(f[0]) == "RssAnon:" || string(f[0]) == "RssShmem:") {
				kib, _ := strconv.Atoi(string(f[1]))
				sum += kib << 10
			}
		}
	}
	return sum
}
