//go:build !js

package kernel

import _ "embed"

// SIMD is the WebAssembly module of simd.wat, for what runs a program built for GOOS=js.
//
//go:embed simd.wasm
var SIMD []byte
