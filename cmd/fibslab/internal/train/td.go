package train

import (
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
	"fibsbot/internal/atomicfile"
)

// TD learns from nothing by temporal differences: it plays games against itself with the
// present nets, then moves every judgement of a game towards a mix of the later judgements and
// the result (Sutton's TD(lambda), forward view; Tesauro's way to learn backgammon in 1992).
// Contact positions and races have a net each.
type TD struct {
	Contact, Race Shape
	Games         int     // length of the run
	Batch         int     // games played with the same weights; 32 when zero
	Lambda        float64 // 0 learns from the next judgement only, 1 from results only
	Rate          float64 // learning rate of Adam, falling to a tenth at the end
	Explore       float64 // share of plays chosen at random
	Seed          uint64

	// Checkpoint, unless empty, is saved every SaveEvery games and resumed from.
	Checkpoint string
	SaveEvery  int
	// Report is called every ReportEvery games with the nets.
	Report      func(games int, contact, race *Probe) error
	ReportEvery int
	// Progress, unless nil, is called after each batch with the number of games played.
	Progress func(games int)

	state tdState
}

type tdState struct {
	Shapes       [2]Shape
	Weights      [2][]float32
	Mean, Square [2][]float32
	Steps        [2]int
	Done         int
}

// seen is one position of a game with its judgement then.
type seen struct {
	pos   board.Position
	value eval.Probs
}

// Run plays and learns until Games are done or ctx ends. It returns the nets,
// contact first.
func (t *TD) Run(ctx context.Context) (contact, race Params, err error) {
	work, opt, err := t.start()
	if err != nil {
		return contact, race, err
	}
	st := &t.state
	probe := &Probe{w: newWorker(t.Contact), Race: &Probe{w: newWorker(t.Race)}}
	probe.w.p, probe.Race.w.p = work[0].p, work[1].p
	me := NetPlayer{Net: probe}
	batch := cmp.Or(t.Batch, 32)
	var lessons [2][]Record
	for st.Done < t.Games && ctx.Err() == nil {
		lessons[0], lessons[1] = lessons[0][:0], lessons[1][:0]
		for k := range batch {
			rng := rand.New(rand.NewPCG(t.Seed, uint64(st.Done+k)+1000))
			history, result := t.play(&me, probe, rng)
			t.teach(&lessons, history, result)
		}
		st.Done += batch
		if t.Progress != nil {
			t.Progress(min(st.Done, t.Games))
		}
		rate := t.Rate * (1 - 0.9*float64(st.Done)/float64(max(t.Games, 1)))
		for i, w := range work {
			if err := w.study(opt[i], lessons[i], rate); err != nil {
				return contact, race, err
			}
			st.Steps[i] = opt[i].step
		}
		last := st.Done >= t.Games
		if t.Report != nil && t.ReportEvery > 0 && (last || st.Done/t.ReportEvery != (st.Done-batch)/t.ReportEvery) {
			if err := t.Report(st.Done, probe, probe.Race); err != nil {
				return contact, race, err
			}
		}
		if t.Checkpoint != "" && (last || t.SaveEvery > 0 && st.Done/t.SaveEvery != (st.Done-batch)/t.SaveEvery) {
			if err := t.save(); err != nil {
				return contact, race, err
			}
		}
	}
	if t.Checkpoint != "" && ctx.Err() != nil {
		if err := t.save(); err != nil {
			return contact, race, err
		}
	}
	return work[0].p, work[1].p, ctx.Err()
}

// start makes the nets, from the checkpoint if there is one, and returns a state that shares
// their weights.
func (t *TD) start() (work [2]*worker, opt [2]*optimiser, err error) {
	shapes := [2]Shape{t.Contact, t.Race}
	for _, s := range shapes {
		if err := s.Validate(); err != nil {
			return work, opt, err
		}
	}
	if t.Contact.Kind != KindContact || t.Race.Kind != KindRace {
		return work, opt, errors.New("td: want a contact and a race net")
	}
	if t.Checkpoint != "" {
		if err := t.load(shapes); err != nil {
			return work, opt, err
		}
	}
	st := &t.state
	st.Shapes = shapes
	for i, s := range shapes {
		w := newWorker(s)
		w.p, w.g = NewParams(s), NewParams(s)
		if st.Weights[i] == nil {
			w.p.Randomise(s, rand.New(rand.NewPCG(t.Seed, uint64(i))))
			// Outputs start near even chances and few gammons.
			for j := range w.p.Out {
				w.p.Out[j] *= 0.1
			}
			copy(w.p.OutB, []float32{0, -1.2, -4, -1.2, -4})
			n := len(w.p.All)
			st.Mean[i], st.Square[i] = make([]float32, n), make([]float32, n)
		} else {
			copy(w.p.All, st.Weights[i])
		}
		st.Weights[i] = w.p.All
		work[i] = w
		opt[i] = &optimiser{mean: st.Mean[i], square: st.Square[i], step: st.Steps[i]}
	}
	return work, opt, nil
}

// teach adds the lessons of a game for the contact and the race net, from its end backwards.
func (t *TD) teach(lessons *[2][]Record, history []seen, result eval.Probs) {
	target := result
	for i := len(history) - 1; i >= 0; i-- {
		h := &history[i]
		which := 0
		if !h.pos.Contact() {
			which = 1
		}
		lessons[which] = append(lessons[which], Record{Key: h.pos.Key(), Label: LabelOf(target)})
		// The target of the position before, where the other player is on roll.
		for j := range target {
			target[j] = float32(t.Lambda)*target[j] + float32(1-t.Lambda)*h.value[j]
		}
		target = target.Invert()
	}
}

// study takes a step of opt for every tile of the lessons.
func (w *worker) study(opt *optimiser, lessons []Record, rate float64) error {
	for at := 0; at < len(lessons); at += tile {
		part := lessons[at:min(at+tile, len(lessons))]
		for k := range part {
			p, err := board.FromKey(part[k].Key)
			if err != nil {
				return err
			}
			w.encode(k, &p)
		}
		w.learn(part, 0)
		opt.apply(w.p.All, w.g.All, rate, len(part))
		w.midTFresh = false
	}
	return nil
}

// play plays one game and returns the positions before each roll, each with its judgement,
// and the result in the view of the player on roll at the last of them.
func (t *TD) play(me *NetPlayer, probe *Probe, rng *rand.Rand) (history []seen, result eval.Probs) {
	p := board.Start
	var plays []board.Play
	for range 2000 {
		value := probe.judge(&p)
		history = append(history, seen{p, value})
		d := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
		if rng.Float64() < t.Explore {
			plays = board.AppendPlays(plays[:0], p, d)
			if len(plays) > 0 {
				p = plays[rng.IntN(len(plays))].Result
			}
		} else if play, ok := me.Play(p, d); ok {
			p = play.Result
		}
		if r := p.Result(); r != 0 {
			return history, eval.Outcome(r)
		}
		p = p.Swap()
	}
	// A game without end teaches nothing.
	return nil, result
}

// judge returns the chances by the net of the position's kind.
func (b *Probe) judge(p *board.Position) eval.Probs {
	if b.Race != nil && !p.Contact() {
		return b.Race.Eval(p)
	}
	return b.Eval(p)
}

func (t *TD) load(shapes [2]Shape) error {
	f, err := os.Open(t.Checkpoint)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	var st tdState
	if err := gob.NewDecoder(io.LimitReader(f, 1<<30)).Decode(&st); err != nil {
		return fmt.Errorf("%w %s: %w", ErrBadCheckpoint, t.Checkpoint, err)
	}
	if st.Shapes != shapes {
		return fmt.Errorf("%w %s: nets of another shape", ErrBadCheckpoint, t.Checkpoint)
	}
	for i, s := range shapes {
		n := len(NewParams(s).All)
		if len(st.Weights[i]) != n || len(st.Mean[i]) != n || len(st.Square[i]) != n {
			return fmt.Errorf("%w %s: wrong number of weights", ErrBadCheckpoint, t.Checkpoint)
		}
	}
	t.state = st
	return nil
}

func (t *TD) save() error {
	return atomicfile.Write(t.Checkpoint, 0o644, func(f *os.File) error {
		return gob.NewEncoder(f).Encode(&t.state)
	})
}

// PackNets writes a weights file from weights in memory, contact and race.
func PackNets(path string, m nn.Manifest, contact Shape, cp Params, race Shape, rp Params) error {
	return packWeights(path, m, map[string]*nn.Weights{nn.ClassContact: cp.Weights(contact), nn.ClassRace: rp.Weights(race)})
}
