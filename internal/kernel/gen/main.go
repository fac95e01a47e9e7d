// Command gen writes the amd64 kernels of internal/kernel with avo. It is a
// module of its own so that the product does not depend on avo. Run it by
//
//	go generate ./internal/kernel
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// isa is one register width: how many floats fit and how its registers are made.
type isa struct {
	suffix string
	lanes  int // floats a register
	block  int // registers held at once by the row kernels
	vec    func() VecVirtual
	wide   bool // AVX-512
}

var isas = []isa{
	{suffix: "AVX2", lanes: 8, block: 8, vec: YMM},
	{suffix: "AVX512", lanes: 16, block: 8, vec: ZMM, wide: true},
}

func main() {
	ConstraintExpr("amd64,!purego")
	for _, v := range isas {
		v.accumulate()
		v.addOuter()
		v.adam()
		v.activate()
		v.slope()
	}
	Generate()
}

func (v isa) bytes() int { return 4 * v.lanes }

func (v isa) regs(n int) []VecVirtual {
	r := make([]VecVirtual, n)
	for i := range r {
		r[i] = v.vec()
	}
	return r
}

// function begins the function of this name.
func (v isa) function(name, signature string) {
	TEXT(name+v.suffix, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + v.suffix + " is " + name + "Go with " + v.suffix + " registers.")
}

// zero clears a register.
func (v isa) zero(r VecVirtual) {
	if v.wide {
		VPXORD(r, r, r)
		return
	}
	VXORPS(r, r, r)
}

// constant loads a float that is the same in every lane.
func (v isa) constant(name string, bits uint32) VecVirtual {
	g := GLOBL(name, 8|16)
	DATA(0, U32(bits))
	r := v.vec()
	VBROADCASTSS(g, r)
	return r
}

// rowBlocks walks width floats in blocks of v.block registers, then one register
// at a time; body gets the number of registers of the block.
func (v isa) rowBlocks(name string, width Register, body func(label string, n int)) {
	for _, n := range []int{v.block, 1} {
		label, done := name+map[bool]string{true: "Wide", false: "Narrow"}[n > 1], name+map[bool]string{true: "WideDone", false: "NarrowDone"}[n > 1]
		Label(label)
		CMPQ(width, small(uint64(n*v.lanes)))
		JLT(LabelRef(done))
		body(label, n)
		SUBQ(small(uint64(n*v.lanes)), width)
		JMP(LabelRef(label))
		Label(done)
	}
	VZEROUPPER()
	RET()
}

// eachRow walks the list of n rows; body gets where a row begins, in floats, and its scale.
func (v isa) eachRow(label string, rows, n Register, body func(at Register, scale VecVirtual)) {
	row, left, at, scale := GP64(), GP64(), GP64(), v.vec()
	MOVQ(rows, row)
	MOVQ(n, left)
	TESTQ(left, left)
	JZ(LabelRef(label + "Rows"))
	Label(label + "Row")
	MOVL(Mem{Base: row}, at.As32())
	VBROADCASTSS(Mem{Base: row, Disp: 4}, scale)
	body(at, scale)
	ADDQ(small(8), row)
	DECQ(left)
	JNZ(LabelRef(label + "Row"))
	Label(label + "Rows")
}

func (v isa) accumulate() {
	v.function("accumulate", "func(dst, base, w *float32, rows *uint32, n, width int)")
	dst, base, w := Load(Param("dst"), GP64()), Load(Param("base"), GP64()), Load(Param("w"), GP64())
	rows, n, width := Load(Param("rows"), GP64()), Load(Param("n"), GP64()), Load(Param("width"), GP64())
	v.rowBlocks("acc", width, func(label string, k int) {
		acc := v.regs(k)
		for i, r := range acc {
			VMOVUPS(Mem{Base: base, Disp: i * v.bytes()}, r)
		}
		v.eachRow(label, rows, n, func(at Register, scale VecVirtual) {
			for i, r := range acc {
				VFMADD231PS(Mem{Base: w, Index: at, Scale: 4, Disp: i * v.bytes()}, scale, r)
			}
		})
		for i, r := range acc {
			VMOVUPS(r, Mem{Base: dst, Disp: i * v.bytes()})
		}
		for _, p := range []Register{dst, base, w} {
			ADDQ(small(uint64(k*v.bytes())), p)
		}
	})
}

func (v isa) addOuter() {
	v.function("addOuter", "func(w *float32, rows *uint32, n int, grad *float32, width int)")
	w, rows, n := Load(Param("w"), GP64()), Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	g, width := Load(Param("grad"), GP64()), Load(Param("width"), GP64())
	v.rowBlocks("outer", width, func(label string, k int) {
		grad := v.regs(k)
		for i, r := range grad {
			VMOVUPS(Mem{Base: g, Disp: i * v.bytes()}, r)
		}
		v.eachRow(label, rows, n, func(at Register, scale VecVirtual) {
			for i, r := range grad {
				m := Mem{Base: w, Index: at, Scale: 4, Disp: i * v.bytes()}
				t := v.vec()
				VMOVUPS(m, t)
				VFMADD231PS(r, scale, t)
				VMOVUPS(t, m)
			}
		})
		for _, p := range []Register{w, g} {
			ADDQ(small(uint64(k*v.bytes())), p)
		}
	})
}

// small is an immediate operand: avo takes eight bits or thirty-two, never sixteen.
func small(n uint64) Op {
	if n < 128 {
		return U8(uint8(n))
	}
	return U32(uint32(n))
}
