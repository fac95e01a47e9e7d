//go:build !js

package kernel

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// wat2wasm is of the npm package wabt; Debian has a package of that name, too.
func TestSIMD_isMadeOfItsText(t *testing.T) {
	tool, err := exec.LookPath("wat2wasm")
	if err != nil {
		t.Skip("no wat2wasm installed (npm install -g wabt)")
	}
	file := filepath.Join(t.TempDir(), "simd.wasm")
	if out, err := exec.Command(tool, "simd.wat", "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if made, err := os.ReadFile(file); err != nil || !bytes.Equal(made, SIMD) {
		t.Errorf("simd.wasm is not what wat2wasm makes of simd.wat (%v): run wat2wasm simd.wat -o simd.wasm", err)
	}
}
