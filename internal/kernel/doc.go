// Package kernel is the arithmetic under a net's evaluation and its training:
// sums of weight rows, values of units, dot products, gradient rows and Adam steps,
// on float32; and evaluation in whole numbers (Layer, Hidden, Dots5, Sigmoids, Second).
//
// Every exported function checks its lengths once and then runs the variant the
// processor supports: AVX-512, AVX2 with FMA, or plain Go, chosen when the
// program starts. The build tag purego leaves the plain Go only. On float32 the
// variants add in different orders, so results agree to about 1e-6 of the largest
// term, not to the bit. On whole numbers they agree to the bit; there AVX-512 needs
// VNNI, else AVX2 serves, arm64 has NEON, and browsers have the WebAssembly of simd.wat,
// which a program built for GOOS=js imports from what runs it. Without vectors it works in plain Go.
//
// Rows are addressed in units of floats from the start of the weight slice, so
// that the caller may lay rows out one after another or in column blocks. Widths
// are multiples of 32 (Width); the amd64 code for float32
// is written by ./gen with avo, that for whole numbers by hand. NEON and WebAssembly have kernels for
// whole numbers alone; the rest is plain Go there.
package kernel

//go:generate go run -C gen . -out ../kernel_amd64.s -stubs ../kernel_amd64.go -pkg kernel
