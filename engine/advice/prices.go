package advice

import (
	"fmt"
	"strings"

	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// Prices are the take points and gammon prices of the player on roll at every score of a
// match, before a game begins, with the cube at 1: the document of `fibsbot met prices`.
type Prices struct {
	Table  string `json:"table"`
	Length int    `json:"length"`
	// TakePoints are the chances needed to take a first double with a dead cube and no
	// gammons, GammonPrices what a gammon won is worth beside a single game, both by
	// [needs of the player - 1][needs of the opponent - 1].
	TakePoints   [][]float64 `json:"take_points"`
	GammonPrices [][]float64 `json:"gammon_prices"`
}

// PricesOf returns the prices in matches of length points by table t.
func PricesOf(t *match.Table, length int) *Prices {
	p := &Prices{Table: t.Name, Length: length}
	for me := range length {
		take, price := make([]float64, length), make([]float64, length)
		for opp := range length {
			s := match.State{Length: length, Score: [2]int{length - me - 1, length - opp - 1}, Cube: 1}
			s.Crawford = match.AtCrawford(length, s.Score)
			take[opp], price[opp] = t.TakePoint(s), t.GammonPrice(s).WinGammon
		}
		p.TakePoints, p.GammonPrices = append(p.TakePoints, take), append(p.GammonPrices, price)
	}
	return p
}

// Text returns two tables: the points that the player needs down, the opponent's across.
func (p *Prices) Text() string {
	var b strings.Builder
	square := func(title, format string, scale float64, rows [][]float64) {
		fmt.Fprintf(&b, "%s (%s)\nneeds  ", title, p.Table)
		for opp := range rows {
			fmt.Fprintf(&b, "%7d", opp+1)
		}
		b.WriteByte('\n')
		for me, row := range rows {
			fmt.Fprintf(&b, "%5d  ", me+1)
			for _, v := range row {
				fmt.Fprintf(&b, format, scale*v)
			}
			b.WriteByte('\n')
		}
	}
	square("take points in percent, first double, dead cube, no gammons", "%7.2f", 100, p.TakePoints)
	square("price of a gammon won, cube at 1", "%7.3f", 1, p.GammonPrices)
	return b.String()
}

// Rates are gammon rates in percent: gammons and backgammons, the latter among the former,
// of the games won and of those lost. The error is a *FieldError that names the rate as
// `fibsbot met prices` does.
func Rates(won, lost [2]float64) (eval.Probs, error) {
	for i, side := range [][2]float64{won, lost} {
		against, games := [2]string{"", "-against"}[i], [2]string{"won", "lost"}[i]
		for k, kind := range [2]string{"gammons", "backgammons"} {
			if !(side[k] >= 0 && side[k] <= 100) {
				return eval.Probs{}, &FieldError{kind + against, fmt.Sprintf("%v is not a percentage of the games %s (0 to 100)", side[k], games)}
			}
		}
		if side[1] > side[0] {
			return eval.Probs{}, &FieldError{"backgammons" + against, fmt.Sprintf("%v: backgammons are among the gammons, of which there are %v percent", side[1], side[0])}
		}
	}
	return shares([2]float64{won[0] / 100, won[1] / 100}, [2]float64{lost[0] / 100, lost[1] / 100}), nil
}

// shares returns chances with these gammon rates: the shares of gammons and backgammons among
// the games won and among those lost, 0 to 1.
func shares(won, lost [2]float64) eval.Probs {
	return eval.Probs{0.5, float32(won[0] / 2), float32(won[1] / 2), float32(lost[0] / 2), float32(lost[1] / 2)}
}
