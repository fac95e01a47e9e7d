package human

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
)

// Model holds the coefficients that fibslab profile fit finds. Those that are pairs are a value at amount 0.1 and its
// change for each factor e of the amount.
type Model struct {
	Checker CheckerModel `json:"checker"`
	Cube    CubeModel    `json:"cube"`
}

// CheckerModel chooses plays. A play attracts by its equity and by what it shows; a person who
// overlooks hardly weighs the equity and goes by the looks.
type CheckerModel struct {
	// Sharp is the logarithm of the weight of a loss of one EMG.
	Sharp [2]float64 `json:"sharp"`
	// Plan is added to Sharp by plan, Plays for each factor e of the number of plays over ten.
	Plan  [NumPlans][2]float64 `json:"plan"`
	Plays float64              `json:"plays"`
	// Natural are the weights of the features.
	Natural [NumFeatures][2]float64 `json:"natural"`
	// Miss is the log odds of overlooking, MissPlan what is added by plan, MissPlays for each
	// factor e of the number of plays over ten.
	Miss      [2]float64        `json:"miss"`
	MissPlan  [NumPlans]float64 `json:"miss_plan"`
	MissPlays float64           `json:"miss_plays"`
	// Blunt is subtracted from Sharp when overlooking.
	Blunt [2]float64 `json:"blunt"`
	// Taste is the logarithm of the factor of the features' weights when overlooking: a player who
	// does not see the loss goes by the looks of a play.
	Taste float64 `json:"taste"`
}

// CubeModel makes cube decisions: the log odds of each are a sum of what is seen.
type CubeModel struct {
	Double CubeWeights `json:"double"`
	Take   CubeWeights `json:"take"`
}

// CubeWeights are the weights of one kind of cube decision.
type CubeWeights struct {
	// Gain and Loss are the logarithms of the weights of one EMG where acting is right and wrong.
	Gain [2]float64 `json:"gain"`
	Loss [2]float64 `json:"loss"`
	Bias [2]float64 `json:"bias"`
	// Seen are the weights of what else is seen: cubeSeen.
	Seen [NumCubeSeen][2]float64 `json:"seen"`
}

// cashed is by how much more than a pass a take must cost until everyone sees that the double
// cashes.
const cashed = 0.1

// At no-double equities above tooGood people think of playing on, below early hardly of doubling.
const tooGood, early = 0.9, 0.7

// NumCubeSeen is how many weights Seen has.
const NumCubeSeen = 7

//go:embed model.json
var modelJSON []byte

// fitted is the model in the program.
var fitted = func() *Model {
	var m Model
	if err := json.Unmarshal(modelJSON, &m); err != nil {
		panic("human: " + err.Error()) // part of the program
	}
	return &m
}()

// ModelVersion identifies the model of errors in the program.
func ModelVersion() string {
	h := fnv.New32a()
	h.Write(modelJSON)
	fmt.Fprint(h, leastDouble, mostLoss, mostPass, mostTake, perTake, cashed, tooGood, early, smallPower, largePower, mostReal, hesitation)
	return fmt.Sprintf("%08x", h.Sum32())
}

// usual is the amount at which coefficients are stated.
const usual = 0.1

// ScaleOf is the logarithm of an amount over the usual one.
func ScaleOf(amount float64) float64 { return math.Log(amount / usual) }

func at(c [2]float64, x float64) float64 { return c[0] + c[1]*x }

// Scene is a choice of play as the model sees it.
type Scene struct {
	// Losses are those of the plays against the best, in EMG, at least 0.
	Losses []float64
	// Shown are the features of each play.
	Shown []Features
	Plan  Plan
	// Plays is the logarithm of the number of plays over ten.
	Plays float64
}

// NewScene returns the scene of plays from p with these results, in the mover's view, and losses.
func NewScene(p *board.Position, results []*board.Position, losses []float64) *Scene {
	s := &Scene{Losses: losses, Plan: PlanOf(p), Plays: crowd(len(losses))}
	was := look(&p.Me, &p.Opp)
	for _, q := range results {
		s.Shown = append(s.Shown, featuresOf(p, q, &was))
	}
	return s
}

// crowd is the logarithm of a number of plays over ten.
func crowd(n int) float64 { return math.Log(float64(n) / 10) }

// sharpness is the logarithm of what a loss of one EMG weighs.
func (m *CheckerModel) sharpness(plan Plan, plays, amount float64, overlooks bool) float64 {
	x := ScaleOf(amount)
	v := at(m.Sharp, x) + at(m.Plan[plan], x) + m.Plays*plays
	if overlooks {
		v -= at(m.Blunt, x)
	}
	return v
}

// Weight is what a loss of one EMG weighs.
func (m *CheckerModel) Weight(s *Scene, amount float64, overlooks bool) float64 {
	return math.Exp(m.sharpness(s.Plan, s.Plays, amount, overlooks))
}

// natural are the weights of the features to a player of that amount of error, with what the
// character adds, or nil.
func (m *CheckerModel) natural(amount float64, lean *Features, overlooks bool) (w Features) {
	x, factor := ScaleOf(amount), 1.0
	if overlooks {
		factor = math.Exp(m.Taste)
	}
	for k := range w {
		w[k] = factor * at(m.Natural[k], x)
		if lean != nil {
			w[k] += lean[k]
		}
	}
	return w
}

// attraction is how much a play attracts that loses so much and shows f.
func attraction(weight, loss float64, w, f *Features) float64 {
	v := -weight * loss
	for k := range w {
		v += w[k] * f[k]
	}
	return v
}

// Utilities returns how much each play attracts a player of that amount of error, who overlooks
// or does not.
func (m *CheckerModel) Utilities(s *Scene, amount float64, overlooks bool) []float64 {
	weight, w := math.Exp(m.sharpness(s.Plan, s.Plays, amount, overlooks)), m.natural(amount, nil, overlooks)
	u := make([]float64, len(s.Losses))
	for i, loss := range s.Losses {
		u[i] = attraction(weight, loss, &w, &s.Shown[i])
	}
	return u
}

// Overlooking is the chance of overlooking.
func (m *CheckerModel) Overlooking(s *Scene, amount float64) float64 {
	return m.overlooking(s.Plan, s.Plays, amount)
}

func (m *CheckerModel) overlooking(plan Plan, plays, amount float64) float64 {
	return logistic(at(m.Miss, ScaleOf(amount)) + m.MissPlan[plan] + m.MissPlays*plays)
}

// Softmax turns utilities into chances, in place.
func Softmax(u []float64) []float64 {
	top, sum := math.Inf(-1), 0.0
	for _, v := range u {
		top = max(top, v)
	}
	for i := range u {
		u[i] = math.Exp(u[i] - top)
		sum += u[i]
	}
	for i := range u {
		u[i] /= sum
	}
	return u
}

func logistic(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

// CubeView is a cube decision as the doubler sees it, without error: equities in EMG.
type CubeView struct {
	NoDouble, DoubleTake, DoublePass float64
	Win, WinGammon, LoseGammon       float64
	// Redouble: the doubler owns the cube. Free: a double risks nothing.
	Redouble, Free bool
}

// Gain is what doubling gains over rolling.
func (v *CubeView) Gain() float64 { return min(v.DoubleTake, v.DoublePass) - v.NoDouble }

// gain is what acting gains: doubling, or to the other player taking.
func (v *CubeView) gain(doubling bool) float64 {
	if doubling {
		return v.Gain()
	}
	return v.DoublePass - v.DoubleTake
}

// Seen is what the two players see besides the equities.
func (v *CubeView) Seen(doubling bool) (s [NumCubeSeen]float64) {
	if v.Redouble {
		s[0] = 1
	}
	s[1] = v.WinGammon
	if !doubling {
		s[2] = v.Win - 0.75
		return s
	}
	s[2] = v.Win - 0.7
	s[3] = min(1, max(0, v.DoubleTake-v.DoublePass)/cashed)
	s[4], s[5] = max(0, v.NoDouble-tooGood), max(0, early-v.NoDouble)
	if v.Free {
		s[6] = 1
	}
	return s
}

// ViewOf returns a decision as the doubler sees it.
func ViewOf(d *cube.Decision) CubeView {
	return CubeView{
		NoDouble: d.NoDouble, DoubleTake: d.DoubleTake, DoublePass: d.DoublePass, Redouble: d.Redouble, Free: d.Free,
		Win: float64(d.Probs[eval.Win]), WinGammon: float64(d.Probs[eval.WinGammon]), LoseGammon: float64(d.Probs[eval.LoseGammon]),
	}
}

// Chance is the chance that a player of that amount of error acts: doubles, or takes.
func (v *CubeView) Chance(m *CubeWeights, doubling bool, amount float64) float64 {
	x := ScaleOf(amount)
	gain := v.gain(doubling)
	weight := m.Gain
	if gain < 0 {
		weight = m.Loss
	}
	u := at(m.Bias, x) + math.Exp(at(weight, x))*gain
	for i, s := range v.Seen(doubling) {
		u += at(m.Seen[i], x) * s
	}
	return logistic(u)
}
