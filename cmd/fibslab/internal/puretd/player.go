package puretd

import (
	"cmp"
	"errors"
	"slices"

	"fibsbot/cmd/fibslab/internal/layered"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// Player decides by a net. It is not safe for concurrent use.
type Player struct {
	Net *Net
	// Plies is 0 for the net's values, 1 for their means over the 21 rolls that follow.
	Plies int

	scratch   layered.Scratch
	inputs    [][]layered.Input
	questions []question
	out       []float32
	plays     []board.Play
	replies   []board.Play
}

// The plays to evaluate a ply deeper: at most so many, within so many points of the best. The others
// were never best in a thousand decisions of varied games.
const (
	mostDeeper   = 12
	deeperMargin = 0.2
)

// errMatch is the answer to a match score: the cubeful net knows money games only.
var errMatch = errors.New("money games only")

// rules is the part of a match's state that the net asks about.
type rules struct {
	owner  match.Owner
	jacoby bool
	// cube: the wanted value counts it; otherwise gammons count and neither side may double.
	cube bool
}

func (p *Player) rules(st match.State) rules {
	return rules{owner: st.Owner, jacoby: st.Jacoby, cube: p.Net.cubeful}
}

// turned is r as the other player sees it.
func (r rules) turned() rules {
	switch r.owner {
	case match.Mine:
		r.owner = match.Theirs
	case match.Theirs:
		r.owner = match.Mine
	}
	return r
}

// mayDouble reports whether the player on roll may.
func (r rules) mayDouble() bool { return r.cube && r.owner != match.Theirs }

// over is the value of a finished game to the player on roll.
func (r rules) over(level int) float64 {
	if r.cube && r.jacoby && r.owner == match.Centred {
		level = max(-1, min(1, level))
	}
	return float64(level)
}

// values appends the net's value of each question to its player on roll. Finished games have their
// result.
func (p *Player) values(dst []float64, r rules, qs []question) []float64 {
	at := len(dst)
	p.inputs = slices.Grow(p.inputs[:0], len(qs))[:len(qs)]
	for i := range qs {
		p.inputs[i] = p.Net.inputs(p.inputs[i][:0], &qs[i])
	}
	width := p.Net.layers.Outputs()
	p.out = slices.Grow(p.out[:0], len(qs)*width)[:len(qs)*width]
	p.Net.layers.Evaluate(&p.scratch, p.inputs, p.out)
	for i := range qs {
		switch level := qs[i].position.Result(); {
		case level != 0:
			dst = append(dst, r.over(level))
		case p.Net.cubeful:
			dst = append(dst, float64(p.out[i]))
		default:
			dst = append(dst, float64(chances(p.out[5*i:]).Money()))
		}
	}
	return dst[:at+len(qs)]
}

// after are the opponent's questions after plays, whose player had r.
func (p *Player) after(r rules, plays []board.Play) []question {
	them := r.turned()
	p.questions = p.questions[:0]
	for i := range plays {
		p.questions = append(p.questions, question{plays[i].Result.Swap(), them.owner, them.mayDouble()})
	}
	return p.questions
}

// Play returns the best play of a roll; ok is false without a legal one.
func (p *Player) Play(pos board.Position, d board.Dice, st match.State) (play board.Play, ok bool) {
	r := p.rules(st)
	p.plays = board.AppendPlays(p.plays[:0], pos, d)
	if len(p.plays) == 0 {
		return play, false
	}
	type rated struct {
		play  board.Play
		value float64
	}
	list := make([]rated, len(p.plays))
	for i, v := range p.values(nil, r.turned(), p.after(r, p.plays)) {
		list[i] = rated{p.plays[i], -v}
	}
	best := func(a, b rated) int { return cmp.Compare(b.value, a.value) }
	slices.SortStableFunc(list, best)
	if p.Plies > 0 {
		list = list[:min(len(list), mostDeeper)]
		for list[len(list)-1].value < list[0].value-deeperMargin {
			list = list[:len(list)-1]
		}
		for i := range list {
			list[i].value = -p.decided(list[i].play.Result.Swap(), r.turned())
		}
		slices.SortStableFunc(list, best)
	}
	return list[0].play, true
}

// rolled is the value to the player on roll before the roll: the net's, or at 1 ply the mean of the
// best plays.
func (p *Player) rolled(pos board.Position, r rules) float64 {
	if level := pos.Result(); level != 0 {
		return r.over(level)
	}
	if p.Plies == 0 {
		return p.values(nil, r, []question{{pos, r.owner, false}})[0]
	}
	sum := 0.0
	var values []float64
	for _, roll := range board.Rolls {
		p.replies = board.AppendPlays(p.replies[:0], pos, roll.Dice)
		if len(p.replies) == 0 {
			p.replies = append(p.replies, board.Play{Result: pos})
		}
		values = p.values(values[:0], r.turned(), p.after(r, p.replies))
		sum -= slices.Min(values) * float64(roll.Weight)
	}
	return sum / 36
}

// decided is the value to the player on roll, who may double first if allowed.
func (p *Player) decided(pos board.Position, r rules) float64 {
	if pos.Result() != 0 || !r.mayDouble() {
		return p.rolled(pos, r)
	}
	hold, taken := p.cube(pos, r)
	return max(hold, min(taken, 1))
}

// cube returns the values of rolling and of a taken double to the player on roll, in points at the
// present cube.
func (p *Player) cube(pos board.Position, r rules) (hold, taken float64) {
	hold = p.rolled(pos, r)
	r.owner = match.Theirs
	return hold, 2 * p.rolled(pos, r)
}

// Double reports whether the player on roll doubles.
func (p *Player) Double(pos board.Position, st match.State) (bool, error) {
	if st.Length > 0 {
		return false, errMatch
	}
	r := p.rules(st)
	if !r.mayDouble() {
		return false, nil
	}
	hold, taken := p.cube(pos, r)
	if r.jacoby && r.owner == match.Centred && taken >= 1 {
		return true, nil // nothing is too good to double where gammons do not count
	}
	return min(taken, 1) > hold, nil
}

// Take reports whether a double is taken; pos and st are the doubler's.
func (p *Player) Take(pos board.Position, st match.State) (bool, error) {
	if st.Length > 0 {
		return false, errMatch
	}
	if !p.Net.cubeful {
		return true, nil
	}
	_, taken := p.cube(pos, p.rules(st))
	return taken <= 1, nil
}

// Chances returns the five chances of a cubeless net.
func (p *Player) Chances(pos board.Position) eval.Probs {
	p.values(nil, rules{}, []question{{position: pos}})
	return chances(p.out)
}
