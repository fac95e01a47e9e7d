//go:build (amd64 || arm64 || js) && !purego

package kernel

import "unsafe"

// hiddenArgs is what the assembly of Hidden takes; it says where each field lies.
type hiddenArgs struct {
	sparse, dense           *int16
	sums                    *int16
	computed                *int32
	changes                 *Change
	count                   int
	one, gain, h            *int16
	hBytes                  int
	sparseBytes, denseBytes int
	blocks, shift           int
}

func argsOf(l *Layer, base *Sums, changes []Change, h []int16) hiddenArgs {
	return hiddenArgs{
		sparse: &l.Sparse[0], dense: &l.Dense[0], sums: &base.Sparse[0], computed: &base.Dense[0],
		changes: &changes[0], count: len(changes), one: &l.One[0], gain: &l.Gain[0], h: &h[0], hBytes: 2 * l.Units,
		sparseBytes: 2 * l.SparseRows * l.BlockUnits, denseBytes: 4 * l.Pairs * l.BlockUnits, blocks: l.Blocks(), shift: l.Shift,
	}
}

// The sizes that the assembly counts on.
var (
	_ [920 - unsafe.Sizeof(Change{})]struct{}
	_ [unsafe.Sizeof(Change{}) - 920]struct{}
)
