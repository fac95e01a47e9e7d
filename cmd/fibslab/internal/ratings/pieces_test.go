package ratings

import (
	"testing"

	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/israce"
	"fibsbot/internal/shard"
)

// TestAchieve_madeAgain does the same for the blocks of a check.
func TestAchieve_madeAgain(t *testing.T) {
	israce.Slow(t)
	if testing.Short() {
		t.Skip("plays some hundred matches")
	}
	_, b := testBrain(t)
	s, err := tune.Measured()
	if err != nil {
		t.Fatal(err)
	}
	o := Trials{Seed: 5, Interval: 1, MaxPairs: trialBlock}
	want, err := Achieve(t.Context(), s, b, Trial{Rating: 1600, Length: 1, Style: tune.Noise}, o)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := o.Spec(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	makeRunner, err := FromSpec(t.Context(), b, spec)
	if err != nil {
		t.Fatal(err)
	}
	o.Crew = &shard.Local{Threads: 2, New: makeRunner}
	if got, err := Achieve(t.Context(), s, b, Trial{Rating: 1600, Length: 1, Style: tune.Noise}, o); err != nil || got.Rating != want.Rating || got.Pairs != want.Pairs {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

// TestSignature_ofTheModel: results with another model of human errors are not mixed.
func TestSignature_ofTheModel(t *testing.T) {
	_, b := testBrain(t)
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
