package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const floatOne = 0x3f800000

// each walks n floats one register at a time over the pointers.
func (v isa) each(label string, n Register, pointers []Register, body func()) {
	Label(label)
	CMPQ(n, small(uint64(v.lanes)))
	JLT(LabelRef(label + "Done"))
	body()
	for _, p := range pointers {
		ADDQ(small(uint64(v.bytes())), p)
	}
	SUBQ(small(uint64(v.lanes)), n)
	JMP(LabelRef(label))
	Label(label + "Done")
	VZEROUPPER()
	RET()
}

func (v isa) adam() {
	v.function("adam", "func(w, m, v, grad *float32, n int, p *float32)")
	w, m, s, g := Load(Param("w"), GP64()), Load(Param("m"), GP64()), Load(Param("v"), GP64()), Load(Param("grad"), GP64())
	n, p := Load(Param("n"), GP64()), Load(Param("p"), GP64())
	field := make([]VecVirtual, 6)
	for i := range field {
		field[i] = v.vec()
		VBROADCASTSS(Mem{Base: p, Disp: 4 * i}, field[i])
	}
	rate, b1, b2, eps, keep, scale := field[0], field[1], field[2], field[3], field[4], field[5]
	v.each("adam", n, []Register{w, m, s, g}, func() {
		grad, mean, square, weight, t := v.vec(), v.vec(), v.vec(), v.vec(), v.vec()
		VMULPS(Mem{Base: g}, scale, grad)
		// mean += b1 * (grad - mean): b1 and b2 are the shares of the new value.
		VMOVUPS(Mem{Base: m}, mean)
		VSUBPS(mean, grad, t)
		VFMADD231PS(b1, t, mean)
		VMOVUPS(mean, Mem{Base: m})
		VMULPS(grad, grad, grad)
		VMOVUPS(Mem{Base: s}, square)
		VSUBPS(square, grad, t)
		VFMADD231PS(b2, t, square)
		VMOVUPS(square, Mem{Base: s})
		VSQRTPS(square, square)
		VADDPS(eps, square, square)
		VMULPS(rate, mean, mean)
		VDIVPS(square, mean, mean)
		VMULPS(Mem{Base: w}, keep, weight)
		VSUBPS(mean, weight, weight)
		VMOVUPS(weight, Mem{Base: w})
		z := v.vec()
		v.zero(z)
		VMOVUPS(z, Mem{Base: g})
	})
}

func (v isa) activate() {
	v.function("activate", "func(dst, src *float32, n int)")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	zero := v.vec()
	v.zero(zero)
	one := v.constant("oneactivate"+v.suffix, floatOne)
	v.each("act", n, []Register{dst, src}, func() {
		x := v.vec()
		VMOVUPS(Mem{Base: src}, x)
		VMAXPS(zero, x, x)
		VMINPS(one, x, x)
		VMULPS(x, x, x)
		VMOVUPS(x, Mem{Base: dst})
	})
}

func (v isa) slope() {
	v.function("slope", "func(grad, pre *float32, n int)")
	g, pre, n := Load(Param("grad"), GP64()), Load(Param("pre"), GP64()), Load(Param("n"), GP64())
	zero := v.vec()
	v.zero(zero)
	one := v.constant("oneslope"+v.suffix, floatOne)
	v.each("slope", n, []Register{g, pre}, func() {
		x, grad := v.vec(), v.vec()
		VMOVUPS(Mem{Base: pre}, x)
		VMOVUPS(Mem{Base: g}, grad)
		VMULPS(x, grad, grad)
		VADDPS(grad, grad, grad)
		// Outside (0,1) the slope is 0: clear those lanes.
		if v.wide {
			above, inside := K(), K()
			VCMPPS(Imm(30), zero, x, above) // x > 0, false for NaN
			VCMPPS(Imm(17), one, x, inside) // x < 1
			KANDW(above, inside, inside)
			VMOVUPS_Z(grad, inside, grad)
		} else {
			above, inside := v.vec(), v.vec()
			VCMPPS(Imm(30), zero, x, above)
			VCMPPS(Imm(17), one, x, inside)
			VANDPS(above, inside, inside)
			VANDPS(inside, grad, grad)
		}
		VMOVUPS(grad, Mem{Base: g})
	})
}
