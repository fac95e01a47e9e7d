package rollout

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/internal/shard"
	"fibsbot/internal/yield"
)

// MaxPiece is the largest number of trials in a piece: those between two checks of the stop
// rules.
const MaxPiece = batch

// ErrPiece is wrapped by errors about pieces, results or specifications that are not of this
// rollout.
var ErrPiece = errors.New("not of this rollout")

// ask is a piece of a rollout: the trials From to To-1 of an arm.
type ask struct {
	Arm  int `json:"arm"`
	From int `json:"from"`
	To   int `json:"to"`
}

func (a ask) piece() shard.Piece {
	text, err := json.Marshal(a)
	if err != nil {
		panic(err) // three whole numbers
	}
	return shard.Piece{Key: fmt.Sprintf("%d-%d-%d", a.Arm, a.From, a.To), Ask: text}
}

// row is the trials from..to-1 of all open arms, a piece for each arm.
type row struct{ from, to int }

// rows splits the trials from..to-1 into at most most rows, which end at multiples of size and
// at the checks of the stop rules, every look trials.
func rows(from, to, size, look, most int) (out []row) {
	for from < to && len(out) < most {
		end := min(to, (from/size+1)*size, (from/look+1)*look)
		out = append(out, row{from, end})
		from = end
	}
	return out
}

func pieces(open []*Arm, list []row) (out []shard.Piece) {
	for _, r := range list {
		for _, a := range open {
			out = append(out, ask{a.number, r.from, r.to}.piece())
		}
	}
	return out
}

// RunOn is Run with the trials played by crew, in pieces of up to size trials of an arm. The
// totals are those of Run to the bit, whatever the crew and the size. The crew may play
// trials ahead that a stop rule then discards.
func (j *Job) RunOn(ctx context.Context, crew shard.Crew, size int, report func(done, total int)) error {
	switch {
	case j.options.Evaluator == nil:
		return errNotNew
	case len(j.arms) == 0:
		return fmt.Errorf("%w: nothing to roll out", ErrSettings)
	case size < 1 || size > MaxPiece:
		return fmt.Errorf("%w: pieces of %d trials", ErrSettings, size)
	}
	for i, a := range j.arms {
		a.number = i
	}
	d := newDice(&j.settings)
	for {
		open, from, to := j.next()
		if len(open) == 0 || j.stop(from) {
			return nil
		}
		if err := j.round(ctx, crew, d, open, rows(from, to, size, j.look(), math.MaxInt), size); err != nil {
			return err
		}
		if report != nil {
			report(to, j.settings.Trials)
		}
	}
}

// round has the rows of the open arms played and adds them up in the order of the trials. If
// it is interrupted, the rows before the first missing one count.
func (j *Job) round(ctx context.Context, crew shard.Crew, d *dice, open []*Arm, now []row, size int) error {
	last := now[len(now)-1].to
	ahead := pieces(open, rows(last, j.settings.Trials, size, j.look(), crew.Ahead()/len(open)))
	got := make([][]sample, len(open)) // of the row being taken
	return crew.Do(ctx, pieces(open, now), ahead, func(k int, r shard.Result) error {
		w, arm := now[k/len(open)], k%len(open)
		var err error
		if got[arm], err = decode(r.Data, w.to-w.from, j.bounds(open[arm])); err != nil {
			return fmt.Errorf("trials %d to %d of %q: %w", w.from, w.to-1, open[arm].Name, err)
		}
		if arm == len(open)-1 {
			j.add(open, got, d, w)
		}
		return nil
	})
}

// add adds a row to the totals.
func (j *Job) add(open []*Arm, got [][]sample, d *dice, w row) {
	for i := range w.to - w.from {
		first := int(d.deal(uint64(w.from + i)).first[0])
		for k, a := range open {
			a.sums.add(&got[k][i], first)
		}
		for k := range open {
			for m := k + 1; m < len(open); m++ {
				key := [2]int{open[k].number, open[m].number}
				p := j.pairs[key]
				if p == nil {
					p = &Pair{Arms: key}
					j.pairs[key] = p
				}
				p.add(got[k][i][outCubeful]-got[m][i][outCubeful], first)
			}
		}
	}
}

// Share returns what the result of a piece adds to its arm: the means of the outputs and of
// their squares. A result that is not of the piece has none.
func Share(text, data []byte) (s shard.Share) {
	var a ask
	if json.Unmarshal(text, &a) != nil || a.To <= a.From || a.To-a.From > MaxPiece {
		return s
	}
	var loose sample
	for o := range loose {
		loose[o] = most
	}
	list, err := decode(data, a.To-a.From, loose)
	if err != nil {
		return s
	}
	s = shard.Share{Of: fmt.Sprint(a.Arm), Parts: len(list), Means: make([]float64, 2*outputs)}
	for i := range list {
		for o, v := range list[i] {
			s.Means[o] += v / float64(len(list))
			s.Means[outputs+o] += v * v / float64(len(list))
		}
	}
	return s
}

// decode reads the samples of n trials and refuses values beyond the bounds.
func decode(data []byte, n int, bounds sample) ([]sample, error) {
	if len(data) != n*outputs*8 {
		return nil, fmt.Errorf("%w: %d bytes for %d trials", ErrPiece, len(data), n)
	}
	out := make([]sample, n)
	for i := range out {
		for o := range out[i] {
			v := math.Float64frombits(binary.LittleEndian.Uint64(data[(i*outputs+o)*8:]))
			if !(math.Abs(v) <= bounds[o]) {
				return nil, fmt.Errorf("%w: an outcome of %v", ErrPiece, v)
			}
			out[i][o] = v
		}
	}
	return out, nil
}

// runner plays pieces of a job on one goroutine.
type runner struct {
	player *player
	dice   *dice
}

// Runner returns what plays pieces of the job on one goroutine. Arms must not be added
// afterwards.
func (j *Job) Runner() shard.Runner {
	if j.options.Evaluator == nil {
		return idle{}
	}
	return &runner{
		player: &player{job: j, eval: j.options.Evaluator(), ranker: search.NewRanker(search.SmallNet()), plays: make([]board.Play, 0, 128)},
		dice:   newDice(&j.settings),
	}
}

// idle is the runner of a Job that New has not made.
type idle struct{}

// Run implements shard.Runner.
func (idle) Run(context.Context, []byte) ([]byte, error) { return nil, errNotNew }

// Run implements shard.Runner: 7 numbers of 8 bytes a trial, lowest byte first.
func (r *runner) Run(ctx context.Context, text []byte) ([]byte, error) {
	var a ask
	j := r.player.job
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPiece, err)
	}
	if a.Arm < 0 || a.Arm >= len(j.arms) || a.From < 0 || a.To <= a.From || a.To > a.From+MaxPiece {
		return nil, fmt.Errorf("%w: trials %d to %d of arm %d", ErrPiece, a.From, a.To-1, a.Arm)
	}
	out := make([]byte, 0, (a.To-a.From)*outputs*8)
	for i := a.From; i < a.To; i++ {
		yield.Now()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v, err := r.player.play(ctx, j.arms[a.Arm], r.dice.deal(uint64(i)))
		if err != nil {
			return nil, err
		}
		for _, x := range v {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
		}
	}
	return out, nil
}

// spec describes a job for another process. The number of trials and the stop rules are left
// out: only the process that adds up needs them.
type spec struct {
	Engine      string      `json:"engine"`
	Fingerprint string      `json:"fingerprint"`
	Position    string      `json:"position"`
	State       match.State `json:"state"`
	Settings    Settings    `json:"settings"`
	Rules       board.Rules `json:"rules,omitzero"`
	Arms        []specArm   `json:"arms"`
}

type specArm struct {
	Name     string    `json:"name"`
	Start    string    `json:"start"`
	Spot     cube.Spot `json:"spot"`
	Turned   bool      `json:"turned"`
	NoDouble bool      `json:"no_double"`
}

// Spec describes the job for another process, where FromSpec makes it again. engine names the
// nets and databases that play the trials. The number of trials and the stop rules do not
// change it.
func (j *Job) Spec(engine string) ([]byte, error) {
	if j.options.Efficiency == nil {
		return nil, errNotNew
	}
	s := spec{Engine: engine, Fingerprint: j.fingerprint(engine), Position: j.position.ID(), State: j.state, Settings: j.settings, Rules: j.rules}
	s.Settings.Trials, s.Settings.MinTrials, s.Settings.StopStdErr, s.Settings.StopJSD, s.Settings.Look = 1, 0, 0, 0, 0
	for _, a := range j.arms {
		s.Arms = append(s.Arms, specArm{a.Name, a.start.ID(), a.spot, a.turned, a.noDouble})
	}
	return json.Marshal(s)
}

// FromSpec makes a job again, to play pieces of it. If this build or these nets would play
// other trials, the error wraps ErrPiece and names the difference.
func FromSpec(ctx context.Context, o Options, engine string, text []byte) (*Job, error) {
	var s spec
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPiece, err)
	}
	if s.Engine != engine {
		return nil, fmt.Errorf("%w: it is played with %.200q, these are %.200q", ErrPiece, s.Engine, engine)
	}
	p, err := board.ParseID(s.Position)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPiece, err)
	}
	if s.Rules != o.Search.Rules() {
		if o.With == nil {
			return nil, fmt.Errorf("%w: a game of other rules", ErrPiece)
		}
		if o, err = o.With(ctx, s.Rules); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPiece, err)
		}
	}
	j, err := New(ctx, o, p, s.State, s.Settings)
	if err != nil {
		return nil, err
	}
	for i, a := range s.Arms {
		start, err := board.ParseID(a.Start)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPiece, err)
		}
		most := j.rules.Each()
		if a.Spot.Rung >= cube.MaxRungs || a.Spot.Owner < match.Centred || a.Spot.Owner > match.Theirs ||
			start.Validate() != nil || start.Result() != 0 || start.Me.Count() > most || start.Opp.Count() > most {
			return nil, fmt.Errorf("%w: arm %.40q cannot be played", ErrPiece, a.Name)
		}
		j.arms = append(j.arms, &Arm{Name: a.Name, start: start, spot: a.Spot, turned: a.Turned, noDouble: a.NoDouble, number: i})
	}
	if len(j.arms) == 0 || j.fingerprint(engine) != s.Fingerprint {
		return nil, fmt.Errorf("%w: this build plays other trials", ErrPiece)
	}
	return j, nil
}
