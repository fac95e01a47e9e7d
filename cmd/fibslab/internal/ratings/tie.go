package ratings

import (
	"maps"
	"math"
	"slices"

	"fibsbot/engine/tune"
)

// How near losses are to a straight line over the logarithm of the match length,
// from 3 points on: within bendBase points and bendShare of the loss (standard
// deviation). Matches of one point have no cube and go their own way, but what
// looking ahead gains there is about what it gains at 3 points.
const (
	bendBase, bendShare = 3, 0.01
	stepBase, stepShare = 5, 0.2
)

// ties lists the priors on the change of losses from one match length to the next: those of one amount, or one preset, at several lengths. For presets
// that look ahead it ties the steps from one to the next, not their whole gains: that would count
// the belief about the first preset once for every preset, as if it were so much evidence.
func (f *Fitted) ties() (out []prior) {
	type line struct {
		kind   tune.Kind
		at     float64
		preset string
	}
	var order []line
	at := map[line][]int{} // parameters by rising length
	for i, p := range f.Params {
		if p.Kind == judgedLoss {
			continue
		}
		key := line{p.Kind, p.At, p.Preset}
		if at[key] == nil {
			order = append(order, key)
		}
		at[key] = append(at[key], i)
	}
	for _, key := range order {
		list := at[key]
		length := func(k int) float64 { return float64(f.Params[list[k]].Length) }
		// add ties list[k], at the given factors, less the nearest weaker preset with all of these
		// lengths; the sd is a share of list[of].
		add := func(factors map[int]float64, of int, base, share float64) {
			t := prior{base: base, share: share}
			below := f.below(key.preset, slices.Collect(maps.Keys(factors)), list)
			for _, k := range slices.Sorted(maps.Keys(factors)) {
				step := f.step(list[k], below)
				if k == of {
					t.of = step
				}
				for _, s := range step {
					t.terms = append(t.terms, term{s.param, s.sign * factors[k]})
				}
			}
			out = append(out, t)
		}
		if key.kind == tune.DeepPreset && len(list) > 1 && length(0) == 1 {
			add(map[int]float64{0: 1, 1: -1}, 1, stepBase, stepShare)
		}
		for k := 1; k+1 < len(list); k++ {
			if length(k-1) == 1 {
				continue
			}
			s := math.Log(length(k)/length(k-1)) / math.Log(length(k+1)/length(k-1))
			add(map[int]float64{k: 1, k - 1: s - 1, k + 1: -s}, k, bendBase, bendShare)
		}
	}
	return append(out, f.humanTies()...)
}

// How near losses of the style human are, at one length, to a straight line over the logarithm
// of the amount between its neighbours: they are measured with fewer matches than noise.
const amountBase, amountShare = 12, 0.03

// humanTies lists the priors on losses of amounts of the style human, for checker play and cube
// together.
func (f *Fitted) humanTies() (out []prior) {
	for _, n := range Lengths {
		loss := func(k int) (terms []term, ok bool) {
			for _, p := range paramsOf(tune.Setting{Style: tune.Human, Checker: humanSteps[k], Cube: humanSteps[k]}, n) {
				i, has := f.index[p.Param]
				if !has {
					return nil, false
				}
				terms = append(terms, term{i, p.share})
			}
			return terms, true
		}
		for k := 2; k+1 < len(humanSteps); k++ {
			before, ok1 := loss(k - 1)
			here, ok2 := loss(k)
			after, ok3 := loss(k + 1)
			if !ok1 || !ok2 || !ok3 {
				continue
			}
			s := math.Log(humanSteps[k]/humanSteps[k-1]) / math.Log(humanSteps[k+1]/humanSteps[k-1])
			t := prior{base: amountBase, share: amountShare, of: here}
			for _, x := range []struct {
				terms  []term
				factor float64
			}{{before, s - 1}, {here, 1}, {after, -s}} {
				for _, w := range x.terms {
					t.terms = append(t.terms, term{w.param, x.factor * w.sign})
				}
			}
			out = append(out, t)
		}
	}
	return out
}

// below returns the strongest weaker preset that has parameters at the lengths of the given
// members of list, or "" for expert, which loses nothing at any length.
func (f *Fitted) below(preset string, members, list []int) string {
	for i := slices.Index(tune.DeepPresets, preset) - 1; i >= 0; i-- {
		has := func(k int) bool {
			_, ok := f.index[tune.Param{Kind: tune.DeepPreset, Preset: tune.DeepPresets[i], Length: f.Params[list[k]].Length}]
			return ok
		}
		if !slices.ContainsFunc(members, func(k int) bool { return !has(k) }) {
			return tune.DeepPresets[i]
		}
	}
	return ""
}

// step is the loss of a parameter less that of a preset at its length.
func (f *Fitted) step(param int, preset string) []term {
	out := []term{{param, 1}}
	if preset != "" {
		out = append(out, term{f.index[tune.Param{Kind: tune.DeepPreset, Preset: preset, Length: f.Params[param].Length}], -1})
	}
	return out
}
