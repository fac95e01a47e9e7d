package train

import (
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// Mix moves labels towards the mean judgement of nets: share 0 leaves them, 1 replaces them.
// The errors of a quick teacher and of a net fitted to the few labels of a slow one have
// little in common, so their mean is nearer to the slow teacher than either.
func Mix(recs []Record, nets []Many, share float64) {
	out := make([]eval.Probs, tile)
	pos := make([]board.Position, tile)
	var mean [tile][5]float64
	for len(recs) > 0 && len(nets) > 0 {
		part := recs[:min(tile, len(recs))]
		recs = recs[len(part):]
		for i := range part {
			p, err := board.FromKey(part[i].Key)
			if err != nil {
				p = board.Start // such a record is never drawn: Keep drops it
			}
			pos[i] = p
			mean[i] = [5]float64{}
		}
		for _, n := range nets {
			n.EvalMany(pos[:len(part)], out)
			for i := range part {
				for j, v := range out[i] {
					mean[i][j] += float64(v) / float64(len(nets))
				}
			}
		}
		for i := range part {
			for j, v := range part[i].Label {
				if v == 0 || v == 65535 {
					continue // the teacher knows that this is impossible or certain
				}
				x := (1-share)*float64(v) + share*mean[i][j]*65535
				part[i].Label[j] = uint16(math.Round(min(max(x, 0), 65535)))
			}
		}
	}
}

// Many judges up to 64 positions at once: the chances of the players on roll.
type Many interface {
	EvalMany(pos []board.Position, out []eval.Probs)
}

// StaticMany is Many by any static evaluator, such as that of a weights file.
type StaticMany struct{ Static }

// EvalMany implements Many.
func (s StaticMany) EvalMany(pos []board.Position, out []eval.Probs) {
	for i := range pos {
		out[i] = s.Eval(&pos[i])
	}
}

// EvalMany is Eval for up to 64 positions at once, several times as fast.
func (b *Probe) EvalMany(pos []board.Position, out []eval.Probs) {
	for i := range pos {
		b.w.encode(i, &pos[i])
	}
	b.w.forward(len(pos))
	for i := range pos {
		out[i] = eval.Probs(b.w.out[i])
	}
}
