package ratings

import (
	"testing"

	"fibsbot/engine/tune/human"
	"fibsbot/internal/testsize"
)

// TestSignature_ofTheModel: results with another model of human errors are not mixed.
func TestSignature_ofTheModel(t *testing.T) {
	testsize.Medium(t)
	b := testBrain(t)
	var sigs []string
	for _, version := range []string{human.ModelVersion(), human.ModelVersion(), "another"} {
		s, err := signature(t.Context(), b, version)
		if err != nil {
			t.Fatal(err)
		}
		sigs = append(sigs, s)
	}
	now, err := Signature(t.Context(), b)
	if err != nil || sigs[0] != now || sigs[1] != now || sigs[2] == now {
		t.Errorf("%s, %v", now, sigs)
	}
}
