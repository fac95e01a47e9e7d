package reference

import (
	"slices"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Panelist is a player whose choices matter to a set of decisions.
type Panelist struct {
	Play Chooser
	Cube CubeChooser // nil for one that knows no cube
	Host bool        // quick enough to play whole games
}

// hosts are the panelists that play games.
func (m *Maker) hosts() (list []Chooser) {
	for _, p := range m.Panel {
		if p.Host {
			list = append(list, p.Play)
		}
	}
	return list
}

// chosen lists the plays of d that panelists choose, each once.
func (m *Maker) chosen(d *train.Drawn) (list []int, err error) {
	for _, p := range m.Panel {
		play, _, err := p.Play(d.Position, d.Dice)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(d.Plays, func(q board.Play) bool { return q.Result == play.Result })
		if at >= 0 && !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	return list, nil
}

// differ reports whether panelists differ about doubling or taking; without a panel every decision
// counts as disputed.
func (m *Maker) differ(p board.Position, st match.State) (bool, error) {
	type answer struct{ double, take bool }
	var said []answer
	for _, who := range m.Panel {
		if who.Cube == nil {
			continue
		}
		double, take, err := who.Cube(p, st)
		if err != nil {
			return false, err
		}
		said = append(said, answer{double, take})
	}
	return len(m.Panel) == 0 || len(said) > 0 && slices.ContainsFunc(said, func(a answer) bool { return a != said[0] }), nil
}

// cubeByTeacher decides as gnubg does at a depth.
func cubeByTeacher(t *train.Gnubg, plies int) CubeChooser {
	return func(p board.Position, st match.State) (double, take bool, err error) {
		v, err := t.Cube(train.CubeQuestion{Key: p.Key(), State: st}, plies)
		if err != nil {
			return false, false, err
		}
		return min(v[1], v[2]) > v[0], v[1] <= v[2], nil
	}
}
