// Command gen writes the amd64 matrix products of cmd/fibslab/internal/kernel with avo.
// It is a module of its own so that the product does not depend on avo. Run it by
//
//	go generate ./cmd/fibslab/internal/kernel
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// isa is one register width and how many registers a row of the block has.
type isa struct {
	suffix string
	lanes  int
	wide   int // registers a row in the main block
	narrow int // registers a row for what is left of the columns: 32 floats at least
	vec    func() VecVirtual
	zero   func(r Op)
}

func main() {
	ConstraintExpr("amd64,!purego")
	for _, v := range []isa{
		{"AVX512", 16, 4, 2, ZMM, func(r Op) { VPXORD(r, r, r) }},
		{"AVX2", 8, 2, 2, YMM, func(r Op) { VXORPS(r, r, r) }},
	} {
		for _, rows := range []int{6, 2, 1} {
			v.product(rows)
		}
	}
	Generate()
}

// product adds a block of rows of A times B to C. The block's sums stay in
// registers while k runs; A is read through two strides, so that the same code
// multiplies with a matrix and with its transpose.
func (v isa) product(rows int) {
	name := fmt.Sprintf("product%d%s", rows, v.suffix)
	TEXT(name, NOSPLIT, "func(c *float32, ldc uintptr, a *float32, rowStep, kStep uintptr, b *float32, ldb uintptr, k, n int)")
	Doc(fmt.Sprintf("%s adds %d rows of the product to c, n columns; steps are in bytes.", name, rows))
	c, ldc := Load(Param("c"), GP64()), Load(Param("ldc"), GP64())
	a, rowStep, kStep := Load(Param("a"), GP64()), Load(Param("rowStep"), GP64()), Load(Param("kStep"), GP64())
	b, ldb := Load(Param("b"), GP64()), Load(Param("ldb"), GP64())
	n := Load(Param("n"), GP64())
	widths := []int{v.wide}
	if v.narrow != v.wide {
		widths = append(widths, v.narrow)
	}
	// The same registers serve both widths.
	sum, line, x := make([][]VecVirtual, rows), v.regs(v.wide), v.vec()
	for i := range sum {
		sum[i] = v.regs(v.wide)
	}
	at, low, high, left := GP64(), GP64(), GP64(), GP64()
	for _, cols := range widths {
		label, bytes := fmt.Sprintf("cols%d", cols), 4*v.lanes*cols
		Label(label)
		CMPQ(n, small(v.lanes*cols))
		JLT(LabelRef(label + "done"))
		for i := range sum {
			for _, s := range sum[i][:cols] {
				v.zero(s)
			}
		}
		MOVQ(b, at)
		MOVQ(a, low)
		if rows > 3 {
			LEAQ(Mem{Base: a, Index: rowStep, Scale: 2}, high)
			ADDQ(rowStep, high)
		}
		Load(Param("k"), left)
		Label(label + "k")
		for j := range cols {
			VMOVUPS(Mem{Base: at, Disp: 4 * v.lanes * j}, line[j])
		}
		for i := range sum {
			m := Mem{Base: low}
			if i >= 3 {
				m = Mem{Base: high}
			}
			if i%3 > 0 {
				m.Index, m.Scale = rowStep, uint8(i%3)
			}
			VBROADCASTSS(m, x)
			for j := range cols {
				VFMADD231PS(line[j], x, sum[i][j])
			}
		}
		ADDQ(ldb, at)
		ADDQ(kStep, low)
		if rows > 3 {
			ADDQ(kStep, high)
		}
		DECQ(left)
		JNZ(LabelRef(label + "k"))
		MOVQ(c, low)
		for i := range sum {
			for j, s := range sum[i][:cols] {
				m := Mem{Base: low, Disp: 4 * v.lanes * j}
				VADDPS(m, s, s)
				VMOVUPS(s, m)
			}
			if i < rows-1 {
				ADDQ(ldc, low)
			}
		}
		ADDQ(small(bytes), c)
		ADDQ(small(bytes), b)
		SUBQ(small(v.lanes*cols), n)
		JMP(LabelRef(label))
		Label(label + "done")
	}
	VZEROUPPER()
	RET()
}

// regs makes n registers.
func (v isa) regs(n int) []VecVirtual {
	r := make([]VecVirtual, n)
	for i := range r {
		r[i] = v.vec()
	}
	return r
}

// small is an immediate in the form that ADDQ, SUBQ and CMPQ take.
func small(n int) Op {
	if n < 128 {
		return U8(n)
	}
	return U32(n)
}
