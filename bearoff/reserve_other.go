//go:build !linux

package bearoff

import "os"

// reserve makes f exactly size bytes long.
func reserve(f *os.File, size uint64) error { return f.Truncate(int64(size)) }
