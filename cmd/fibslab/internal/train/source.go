package train

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
)

// span is a group of records, from and to.
type span struct{ from, to int }

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

// drawGroup returns the records of the next decision, shuffling the decisions at the end of
// each pass. A record without a group comes alone.
func (s *Source) drawGroup() []Record {
	if s.groups == nil {
		// A source from which single records were drawn is shuffled: bring siblings together.
		slices.SortStableFunc(s.Records, func(a, b Record) int { return cmp.Compare(a.Group, b.Group) })
		for i := 0; i < len(s.Records); {
			j := i + 1
			for j < len(s.Records) && s.Records[i].Group != 0 && s.Records[j].Group == s.Records[i].Group {
				j++
			}
			s.groups = append(s.groups, span{i, j})
			i = j
		}
		s.next = 0
	}
	if s.next == len(s.groups) {
		s.next = 0
	}
	if s.next == 0 {
		s.rng.Shuffle(len(s.groups), func(i, j int) { s.groups[i], s.groups[j] = s.groups[j], s.groups[i] })
	}
	s.next++
	g := s.groups[s.next-1]
	return s.Records[g.from:g.to]
}

// fill draws the samples of a round from the sources by their shares. Records drawn together
// have their own group number in work, records drawn singly 0.
func (f *Fit) fill(work []Record, pick *rand.Rand, total float64, together bool) {
	for i, group := 0, uint32(1); i < len(work); group++ {
		x := pick.Float64() * total
		k := 0
		for k < len(f.Sources)-1 && x >= f.Sources[k].Share {
			x -= f.Sources[k].Share
			k++
		}
		if !together {
			work[i] = *f.Sources[k].draw()
			work[i].Group = 0
			i++
			continue
		}
		n := copy(work[i:], f.Sources[k].drawGroup())
		for j := range work[i : i+n] {
			work[i+j].Group = group
		}
		i += n
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

// SplitClasses splits records by class, without those whose keys are damaged. It adds base to
// their groups to keep those of different calls apart, and returns the base for the next call.
func SplitClasses(into map[string][]Record, recs []Record, base uint32) (next uint32) {
	next = base
	for _, r := range recs {
		p, err := board.FromKey(r.Key)
		if err != nil {
			continue
		}
		if r.Group != 0 {
			r.Group += base
			next = max(next, r.Group)
		}
		if c := ClassOf(&p); c != "" {
			into[c] = append(into[c], r)
		}
	}
	return next
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
