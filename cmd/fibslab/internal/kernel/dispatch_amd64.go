//go:build amd64 && !purego

package kernel

import "golang.org/x/sys/cpu"

type blockFunc func(c *float32, ldc uintptr, a *float32, rowStep, kStep uintptr, b *float32, ldb uintptr, k, n int)

// blocks are the widest variant this processor runs, by rows; nil for plain Go.
// Only tests change it.
var blocks = best()

func best() map[int]blockFunc {
	switch x := &cpu.X86; {
	case x.HasAVX512F && x.HasAVX512VL && x.HasFMA:
		return map[int]blockFunc{6: product6AVX512, 2: product2AVX512, 1: product1AVX512}
	case x.HasAVX2 && x.HasFMA:
		return map[int]blockFunc{6: product6AVX2, 2: product2AVX2, 1: product1AVX2}
	}
	return nil
}

func addProduct(c []float32, cStep int, a Matrix, b []float32, bStep, m, k, n int) {
	if blocks == nil {
		addProductGo(c, cStep, a, b, bStep, m, k, n)
		return
	}
	i := 0
	for _, rows := range [...]int{6, 2, 1} {
		f := blocks[rows]
		for ; m-i >= rows; i += rows {
			f(&c[i*cStep], uintptr(4*cStep), &a.Data[i*a.RowStep], uintptr(4*a.RowStep), uintptr(4*a.ColStep),
				&b[0], uintptr(4*bStep), k, n)
		}
	}
}
