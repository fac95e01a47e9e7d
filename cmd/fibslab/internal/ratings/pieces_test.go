package ratings

import (
	"errors"
	"strings"
	"testing"

	"fibsbot/engine/dice"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/israce"
	"fibsbot/internal/shard"
)

// TestDuel_madeAgain has blocks of a duel played by the runners of its specification, several in
// a piece: verdict and totals are those of this process.
func TestDuel_madeAgain(t *testing.T) {
	_, b := testBrain(t)
	sig, err := Signature(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	d := Duel{Engines: [2]*Engine{b, b}, Settings: [2]tune.Setting{tune.Expert, {Style: tune.Noise, Checker: 0.08, Cube: 0.08}}, Length: 1, Seed: 3, Dice: dice.ChaCha8, BlockSize: 5,
		Signature: sig + "/" + sig}
	test := Sprt{Low: 0, High: 300, Alpha: 0.1, Beta: 0.1, Length: 1, Least: 10}
	play := func(d Duel, earlier []DuelBlock) (file string) {
		verdict, total, err := d.Test(t.Context(), &test, 60, earlier, func(b DuelBlock) error { file += string(b.Line()); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return file + string(verdict) + " " + strings.Repeat("x", total.Pairs)
	}
	want := play(d, nil)
	spec, err := d.Spec()
	if err != nil {
		t.Fatal(err)
	}
	makeRunner, err := DuelFromSpec(t.Context(), d.Engines, spec)
	if err != nil {
		t.Fatal(err)
	}
	d.Crew, d.Size = &shard.Local{Threads: 2, New: makeRunner}, 3
	if got := play(d, nil); got != want {
		t.Errorf("%s\n%s", got, want)
	}
	if _, err := DuelFromSpec(t.Context(), d.Engines, []byte(strings.ReplaceAll(string(spec), sig, "0123"))); !errors.Is(err, ErrOtherVersion) {
		t.Error(err)
	}
}

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
