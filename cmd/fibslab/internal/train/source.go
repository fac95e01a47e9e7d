package train

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
)

// draw returns the next record, shuffling at the end of each pass.
func (s *Source) draw() *Record {
	if s.next == len(s.Records) {
		s.next = 0
	}
	if s.next == 0 {
		s.rng.Shuffle(len(s.Records), func(i, j int) {
			s.Records[i], s.Records[j] = s.Records[j], s.Records[i]
		})
	}
	s.next++
	return &s.Records[s.next-1]
}

// fill draws the samples of a round from the sources by their shares.
func (f *Fit) fill(work []Record, pick *rand.Rand, total float64) {
	for i := range work {
		x := pick.Float64() * total
		k := 0
		for k < len(f.Sources)-1 && x >= f.Sources[k].Share {
			x -= f.Sources[k].Share
			k++
		}
		work[i] = *f.Sources[k].draw()
	}
}

// Keep returns the records of the net's kind: races for a race net, contact for
// a contact net. Damaged keys and finished games are dropped.
func (k Kind) Keep(recs []Record) []Record {
	return filter(recs, func(p *board.Position) bool { return p.Result() == 0 && p.Contact() == (k == KindContact) })
}

// ClassOf returns the class, as in nn.Classes, of the net that judges a position where every
// plan has a net; "" when the game is over.
func ClassOf(p *board.Position) string {
	switch eval.ClassOf(p) {
	case eval.Over:
		return ""
	case eval.Contact:
		return nn.ClassOfPlan(nn.PlanOf(p))
	case eval.Crashed:
		if eval.CrashedTheirs(p) {
			return nn.ClassCrashedTheirs
		}
		return nn.ClassCrashed
	}
	return nn.ClassRace
}

// KeepClass returns the records whose positions the net of a class judges: contact means all
// of contact that are not crashed, others are as in nn.Classes.
func KeepClass(recs []Record, class string) ([]Record, error) {
	switch {
	case class == nn.ClassContact:
		return filter(recs, func(p *board.Position) bool { return eval.ClassOf(p) == eval.Contact }), nil
	case class == nn.ClassRace || !slices.Contains(nn.Classes(), class):
		return nil, fmt.Errorf("unknown class of contact nets %q", class)
	}
	return filter(recs, func(p *board.Position) bool { return ClassOf(p) == class }), nil
}

// filter keeps, in place, the records with sound keys for whose positions keep returns true.
func filter(recs []Record, keep func(p *board.Position) bool) []Record {
	out := recs[:0]
	for _, r := range recs {
		if p, err := board.FromKey(r.Key); err == nil && keep(&p) {
			out = append(out, r)
		}
	}
	return out
}
