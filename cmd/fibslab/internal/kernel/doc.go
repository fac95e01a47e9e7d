// Package kernel multiplies the small matrices of training on one processor
// core: a batch of positions times a layer of weights, and the same transposed
// for the gradient. Six rows by 64 columns (AVX-512) or 16 (AVX2) are summed in
// registers, so that one loaded weight serves six positions.
//
// The sparse inputs, activations and the optimiser use internal/kernel. The
// code for amd64 is written by ./gen with avo; elsewhere, and with the build tag
// purego, plain Go does the same.
package kernel

//go:generate go run -C gen . -out ../kernel_amd64.s -stubs ../kernel_amd64.go -pkg kernel
