package splitmix_test

import (
	"testing"

	"fibsbot/internal/splitmix"
)

// The first numbers from seed 1234567 are those of the authors' Java program.
func TestAt(t *testing.T) {
	for n, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431} {
		if got := splitmix.At(1234567, uint64(n)); got != want {
			t.Errorf("number %d: %d, want %d", n, got, want)
		}
	}
}
