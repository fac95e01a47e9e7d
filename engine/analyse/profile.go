package analyse

import "fibsbot/engine/record"

// Lost is what decisions that count for PR gave up.
type Lost struct {
	Decisions int     `json:"n"`
	EMG       float64 `json:"emg"`
}

// PR is the performance rating of these decisions, NaN without any.
func (l Lost) PR() float64 { return PR(l.EMG, float64(l.Decisions)) }

// add counts a decision.
func (l *Lost) add(emg float64) { l.Decisions, l.EMG = l.Decisions+1, l.EMG+emg }

// Kind is a kind of decision.
type Kind uint8

// The kinds.
const (
	PlayKind   Kind = iota
	DoubleKind      // doubling, or not
	TakeKind        // taking or passing
	Kinds      = 3  // how many there are
)

var kindNames = [Kinds]string{"plays", "doubles", "takes"}

// String is the kind in a word, lower case.
func (k Kind) String() string { return kindNames[k%Kinds] }

// Profile is what a player's decisions gave up, by kind and phase.
type Profile [Kinds][Phases]Lost

// Add adds the decisions of q.
func (p *Profile) Add(q *Profile) {
	for kind := range p {
		for phase := range p[kind] {
			to, more := &p[kind][phase], &q[kind][phase]
			to.Decisions, to.EMG = to.Decisions+more.Decisions, to.EMG+more.EMG
		}
	}
}

// Sum adds up the decisions that want selects.
func (p *Profile) Sum(want func(Kind, Phase) bool) (out Lost) {
	for kind := range p {
		for phase, l := range p[kind] {
			if want(Kind(kind), Phase(phase)) {
				out.Decisions, out.EMG = out.Decisions+l.Decisions, out.EMG+l.EMG
			}
		}
	}
	return out
}

// Profiles are those of both players.
func (s *Summary) Profiles() (out [2]Profile) {
	s.each(func(j *Judged) {
		p, kind := &out[j.Turn.Player], PlayKind
		switch j.Turn.Action.Kind {
		case record.Double:
			kind = DoubleKind
		case record.Take, record.Drop:
			kind = TakeKind
		}
		if j.Counts {
			p[kind][j.Phase].add(j.Loss)
		}
		if j.CubeCounts {
			p[DoubleKind][j.Phase].add(j.CubeLoss)
		}
	})
	return out
}
