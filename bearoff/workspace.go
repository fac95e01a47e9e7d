package bearoff

import (
	"fmt"
	"unsafe"
)

// workspace is where a builder keeps its arrays: on the heap, or in files that
// survive an interruption.
type workspace interface {
	// alloc returns zeroed memory of the given size, or, after an interruption,
	// what it held at the last checkpoint.
	alloc(name string, size uint64) ([]byte, error)
	// checkpoint remembers state as belonging to the arrays as they are now.
	checkpoint(state any) error
}

type heap struct{}

func (heap) alloc(_ string, size uint64) ([]byte, error) {
	// As 64-bit words, so that cast finds every type aligned.
	w := make([]uint64, (size+7)/8)
	if size == 0 {
		return nil, nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), size), nil
}

func (heap) checkpoint(any) error { return nil }

// cast sees aligned bytes as values of T, in the byte order of this machine.
// It serves arrays that live and die with one build on one machine, never the
// finished files.
func cast[T any](p []byte) []T {
	if len(p) == 0 {
		return nil
	}
	var t T
	return unsafe.Slice((*T)(unsafe.Pointer(&p[0])), len(p)/int(unsafe.Sizeof(t)))
}

func segmentName(k int) string { return fmt.Sprintf("values-%03d", k) }
