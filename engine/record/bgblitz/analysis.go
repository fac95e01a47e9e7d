package bgblitz

import (
	"fmt"
	"math"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// unanalysed is the larger of the two values, -99 and -999, that stand where BGBlitz has
// computed nothing.
const unanalysed = -98

// said reads a number that may be such a value, or absent.
func (o object) said(key string) (float64, bool) {
	v, ok := number(o[key])
	return v, ok && v > unanalysed
}

// level is how BGBlitz names a depth.
func level(ply int) record.Settings {
	ply = min(max(ply, 0), 99)
	return record.Settings{Level: fmt.Sprintf("BGBlitz %d-ply", ply), Plies: ply, Cubeful: true, Deterministic: true}
}

// chances reads the five chances of the mover; false where none are given.
func (o object) chances() (out record.Outcome, ok bool) {
	for i, key := range []string{"myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon"} {
		v, is := o.said(key)
		if is && (v < 0 || v > 1) {
			return out, false
		}
		ok = ok || is && i == 0
		out.Probs[i] = max(v, 0)
		if !is {
			out.Probs[i] = 0
		}
	}
	out.SumUp()
	return out, ok
}

// frame turns the equities of a cube decision, match winning chances in a match, into
// normalised ones. BGBlitz states one position both ways, which with the pass, worth 1,
// fixes the line between the two; money equities are as they should be.
func frame(eq, c object) (func(float64) float64, bool) {
	pass, ok := c.said("eqDoublePass")
	if !ok {
		return nil, false
	}
	emg, hasEMG := eq.said("emg")
	mwc, hasMWC := eq.said("matchEquity")
	if !hasEMG || !hasMWC {
		return func(v float64) float64 { return v }, math.Abs(pass-1) < 1e-3
	}
	if math.Abs(1-emg) < 1e-6 || math.Abs(pass-mwc) < 1e-9 {
		return nil, false
	}
	half := (pass - mwc) / (1 - emg)
	return func(v float64) float64 { return 1 + (v-pass)/half }, true
}

// judgeCube puts the cube decision of a record at an action, whose doubler is in state st.
func (r *reader) judgeCube(a *record.Action, o object, st match.State) {
	eq := o.obj("equity")
	c := eq.obj("cubeDecision")
	nd, ok := c.said("eqNoDouble")
	dt, ok2 := c.said("eqDoubleTake")
	normal, ok3 := frame(eq, c)
	out, ok4 := eq.chances()
	if !ok || !ok2 || !ok3 || !ok4 {
		return
	}
	equities := [3]float64{normal(nd), normal(dt), 1}
	for _, v := range equities {
		if math.Abs(v) > 100 {
			return
		}
	}
	ply := o.int("ply")
	if v, is := c.said("ply"); is {
		ply = int(v)
	}
	found := &record.CubeAnalysis{Settings: level(ply), NoDouble: out, DoubleTake: out}
	found.Value(st, equities)
	a.Judged().Cube = found
	if v, ok := o.obj("pr").said("cubeError"); ok && a.Kind != record.Take && a.Kind != record.Drop && math.Abs(v) < 100 {
		v = math.Abs(v)
		a.Judged().Errors().Double = &v
	}
}

// maxCandidates bounds the plays of a record; BGBlitz writes eight.
const maxCandidates = 64

// judgeMove puts candidates and luck of a record at the roll that it holds.
func (r *reader) judgeMove(a *record.Action, o object, before board.Position, d board.Dice) {
	if v, ok := o.obj("luck").said("luckWeighted"); ok && math.Abs(v) < 100 {
		// That is in equity; luckPlain is in winning chances in a match.
		a.Judged().Luck = &v
	}
	if v, ok := o.obj("pr").said("checkerError"); ok && math.Abs(v) < 100 {
		v = math.Abs(v)
		a.Judged().Errors().Play = &v
	}
	list := o.list("moveAnalysis")
	for _, v := range list[:min(len(list), maxCandidates)] {
		m, _ := v.(map[string]any)
		x, eq := object(m), object(m).obj("eq")
		made, err := board.ParsePlay(before, d, points(x.obj("move").list("from"), x.obj("move").list("to")))
		out, ok := eq.chances()
		if err != nil || !ok || made.N == 0 {
			continue
		}
		emg, ok := eq.said("emg")
		if has, is := eq["hasEMG"].(bool); is && !has || !ok {
			if emg, ok = eq.obj("cubeDecision").said("eqCubeFul"); !ok {
				emg, ok = eq.said("equity")
			}
		}
		if !ok || math.Abs(emg) > 100 {
			continue
		}
		out.Cubeful = emg
		c := record.Candidate{Settings: level(x.int("ply")), Outcome: out, Steps: append([]board.Step(nil), made.Steps[:made.N]...)}
		an := a.Judged()
		if x.flag("played") && an.Played < 0 {
			an.Played = len(an.Candidates)
			if len(a.Steps) > 0 {
				c.Steps = a.Steps
			}
		}
		an.Candidates = append(an.Candidates, c)
	}
}

// points writes the pairs of a play as text.
func points(from, to []any) string {
	var parts []string
	for k := range min(len(from), len(to), 4) {
		a, _ := number(from[k])
		b, _ := number(to[k])
		if a < 0 {
			break
		}
		parts = append(parts, fmt.Sprintf("%d/%d", int(a), max(int(b), 0)))
	}
	return strings.Join(parts, " ")
}
