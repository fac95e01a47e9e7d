package api

import (
	"net/http"
	"strconv"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/engine/advice"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
)

// maxValues bounds the values of a conversion.
const maxValues = 1000

// ConvertRequest asks to convert values at the state of a match: the position may be a
// Match ID alone, or be left out where the fields name the state.
type ConvertRequest struct {
	input.Position
	// Values are equities (EMG) for eq2mwc, chances between 0 and 1 for mwc2eq.
	Values []float64 `json:"values"`
	// StdErr is the standard error of the values, converted too.
	StdErr *float64 `json:"stderr,omitempty"`
}

// eq2mwc and mwc2eq answer as `fibsbot met eq2mwc --json` and `met mwc2eq --json`.
func (a *API) eq2mwc(_ *http.Request, in any) (any, error) { return a.convertValues(in, true) }
func (a *API) mwc2eq(_ *http.Request, in any) (any, error) { return a.convertValues(in, false) }

func (a *API) convertValues(in any, toMWC bool) (any, error) {
	q := in.(ConvertRequest)
	s, err := q.MatchState(false)
	switch {
	case err != nil:
		return nil, err
	case len(q.Values) == 0 || len(q.Values) > maxValues:
		return nil, bad("values", "%d values: want 1 to %d", len(q.Values), maxValues)
	case q.StdErr != nil && !(*q.StdErr >= 0):
		return nil, bad("stderr", "%v is negative", *q.StdErr)
	}
	out := advice.NewConversion(a.opt.Engine.Table(), s)
	for _, v := range q.Values {
		switch {
		case toMWC:
			out.AddEquity(v, q.StdErr)
		case v < 0 || v > 1:
			return nil, bad("values", "%v is not between 0 and 1", v)
		default:
			out.AddChance(v, q.StdErr)
		}
	}
	return out, nil
}

// WindowRequest asks for the market windows at a state without a position, of a match or
// of money play, for gammon rates in percent; backgammons are among the gammons.
type WindowRequest struct {
	input.Position
	Gammons            float64 `json:"gammons,omitempty"`
	Backgammons        float64 `json:"backgammons,omitempty"`
	GammonsAgainst     float64 `json:"gammons_against,omitempty"`
	BackgammonsAgainst float64 `json:"backgammons_against,omitempty"`
	// Efficiency of the cube from 0 (dead) to 1 (live); that of contact positions if absent.
	Efficiency *float64 `json:"efficiency,omitempty"`
}

// windows answers as `fibsbot met prices --score A-B --json`.
func (a *API) windows(_ *http.Request, in any) (any, error) {
	q := in.(WindowRequest)
	s, err := q.MatchState(true)
	if err != nil {
		return nil, err
	}
	rates, err := advice.Rates([2]float64{q.Gammons, q.Backgammons}, [2]float64{q.GammonsAgainst, q.BackgammonsAgainst})
	if err != nil {
		return nil, err
	}
	efficiency := cube.UsualEfficiency.Contact
	if q.Efficiency != nil {
		efficiency = *q.Efficiency
	}
	if !(efficiency >= 0 && efficiency <= 1) {
		return nil, bad("efficiency", "%v is not between 0 and 1", efficiency)
	}
	return advice.WindowsAt(a.opt.Engine.Table(), s, rates, efficiency)
}

// lengthOf reads the query's length, low to match.MaxLength; usual if absent.
func lengthOf(r *http.Request, low, usual int) (int, error) {
	text := r.URL.Query().Get("length")
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > match.MaxLength {
		return 0, bad("length", "%.20q: want %d to %d points", text, low, match.MaxLength)
	}
	return n, nil
}

// metTable answers as `fibsbot met show --json`.
func (a *API) metTable(r *http.Request, _ any) (any, error) {
	n, err := lengthOf(r, 1, 7)
	if err != nil {
		return nil, err
	}
	return advice.MatchTableOf(a.opt.Engine.Table(), n), nil
}

// prices answers as `fibsbot met prices --length N --json`.
func (a *API) prices(r *http.Request, _ any) (any, error) {
	n, err := lengthOf(r, 1, 7)
	if err != nil {
		return nil, err
	}
	return advice.PricesOf(a.opt.Engine.Table(), n), nil
}
