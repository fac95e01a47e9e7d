package farm

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"strings"

	"fibsbot/internal/shard"
)

// proof is a taken result: what is needed to run its piece again and to compare it.
type proof struct {
	key string
	ask []byte
	outcome
	shard.Share
}

// Bounds of the audit at the end of a job, in standard errors of the result. A piece that moves
// a mean by more than mostShift runs again, and so do pieces of a key until the rest of its
// pieces together moves the mean by no more than one standard error, or what is usual for their
// number. Of fewer than fewPieces all run again.
const (
	mostShift = 0.5
	fewPieces = 4
)

// audit returns the pieces that run again before the results of a job count: those that decide
// the result, by their indices, and of each key a few at random, chosen after its results were
// stored. passed is the number of pieces of a key that were right in earlier checks.
func audit(list []proof, passed map[string]int, salt maphash.Seed) (due map[int]bool, deciding int) {
	due = map[int]bool{}
	groups, keys := map[string][]int{}, map[string][]int{}
	for i := range list {
		if p := &list[i]; len(p.Means) > 0 && p.Parts > 0 {
			groups[fmt.Sprint(p.Of, " ", len(p.Means))] = append(groups[fmt.Sprint(p.Of, " ", len(p.Means))], i)
		}
		if list[i].id != "" {
			keys[list[i].id] = append(keys[list[i].id], i)
		}
	}
	for _, group := range groups {
		for v := range list[group[0]].Means {
			decisive(list, group, v, due)
		}
	}
	maps.DeleteFunc(due, func(i int, _ bool) bool { return list[i].id == "" }) // they ran here
	deciding = len(due)
	for id, own := range keys {
		dice := func(i int) uint64 { return maphash.String(salt, "audit "+list[i].key) }
		slices.SortFunc(own, func(a, b int) int { return cmp.Compare(dice(a), dice(b)) })
		for _, i := range own[:min(len(own), max(1, 3-passed[id]/10)+len(own)/100)] {
			due[i] = true
		}
	}
	return due, deciding
}

// decisive adds the pieces of a group that decide its mean v.
func decisive(list []proof, group []int, v int, due map[int]bool) {
	parts := 0.0
	values := make([]float64, len(group))
	for k, i := range group {
		values[k] = list[i].Means[v]
		parts += float64(list[i].Parts)
	}
	centre := median(values)
	squares, mean := 0.0, 0.0
	for k, i := range group {
		w := float64(list[i].Parts) / parts
		squares += w * w
		values[k] = math.Abs(list[i].Means[v] - centre)
		mean += values[k] / float64(len(group))
	}
	// The spread of honest pieces, which false ones below half cannot move far.
	spread := 1.4826 * median(values)
	if spread == 0 {
		spread = 1.2533 * mean
	}
	stderr := spread * math.Sqrt(squares)
	shift := func(i int, from float64) float64 { return float64(list[i].Parts) / parts * (list[i].Means[v] - from) }
	for _, i := range group {
		if len(group) < fewPieces || math.Abs(shift(i, centre)) > mostShift*stderr {
			due[i] = true
		}
	}
	ids := map[string]bool{}
	for _, i := range group {
		ids[list[i].id] = true
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		var own []int
		rest, others := 0.0, 0.0
		for _, i := range group {
			switch {
			case due[i]:
			case list[i].id == id:
				own = append(own, i)
			default:
				rest, others = rest+float64(list[i].Parts)*list[i].Means[v], others+float64(list[i].Parts)
			}
		}
		if id == "" || others == 0 {
			continue // nothing to compare with: the pieces at random are all that there is
		}
		sum, share := 0.0, 0.0
		for _, i := range own {
			sum, share = sum+shift(i, rest/others), share+float64(list[i].Parts)
		}
		slices.SortFunc(own, func(a, b int) int {
			return cmp.Compare(math.Copysign(1, sum)*shift(b, rest/others), math.Copysign(1, sum)*shift(a, rest/others))
		})
		for _, i := range own {
			if math.Abs(sum) <= stderr*max(1, math.Sqrt(share/others)) {
				break
			}
			due[i] = true
			sum -= shift(i, rest/others)
		}
	}
}

// median returns the middle value of a list that it sorts.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return (sorted[len(sorted)/2] + sorted[(len(sorted)-1)/2]) / 2
}

// Audit says which share of a job ran again, and where.
type Audit struct {
	Pieces int `json:"pieces"` // taken
	// Again counts those that ran again with the same result, by the machine that ran them.
	Again map[string]int `json:"again,omitempty"`
	// Deciding is how many of them could have moved the result by more than its error, known at the end.
	Deciding int `json:"deciding"`
}

// String returns it in a line.
func (a *Audit) String() string {
	all := 0
	var by []string
	for _, name := range slices.Sorted(maps.Keys(a.Again)) {
		all += a.Again[name]
		by = append(by, fmt.Sprintf("%d by %s", a.Again[name], name))
	}
	if all == 0 {
		return fmt.Sprintf("none of %d pieces was run again", a.Pieces)
	}
	text := fmt.Sprintf("%d of %d pieces (%.0f%%) were run again with equal results: %s", all, a.Pieces, 100*float64(all)/float64(max(1, a.Pieces)), strings.Join(by, ", "))
	if a.Deciding > 0 {
		text += fmt.Sprintf("; %d of them decide the result", a.Deciding)
	}
	return text
}
