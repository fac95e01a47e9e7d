package subprocess

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// Descendants are the processes that pid started, and theirs, whatever group they are in. One whose
// parent has ended is not found: it belongs to no one.
func Descendants(pid int) (out []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	children := map[int][]int{}
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		// The name, in parentheses, may hold anything; state and parent follow it.
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		child, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || len(f) < 2 {
			continue
		}
		if parent, err := strconv.Atoi(string(f[1])); err == nil {
			children[parent] = append(children[parent], child)
		}
	}
	for next := []int{pid}; len(next) > 0; next = next[1:] {
		out, next = append(out, children[next[0]]...), append(next, children[next[0]]...)
	}
	return out
}
