package server

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// calculation is one use of FIBS's rating formula. Source: FIBS help on
// "formula": with D the difference of ratings and N the length,
//
//	Pu = 1/(10^(D*sqrt(N)/2000)+1)       the underdog's chance
//	P  = 1-Pu if the underdog won, Pu if the favourite won
//	K  = max(1, 5-experience/100)        each player's own
//
// and the winner gains, the loser loses, 4*K*sqrt(N)*P points.
type calculation struct {
	d, pu, p   float64
	kWin, kLos float64
	gain, loss float64 // both positive, in rating points
}

// rateMatch computes what a match of n points between these ratings and
// experiences (before the match) changes.
func rateMatch(winner, loser float64, expWinner, expLoser, n int) calculation {
	root := math.Sqrt(float64(n))
	c := calculation{d: math.Abs(winner - loser)}
	c.pu = 1 / (math.Pow(10, c.d*root/2000) + 1)
	c.p = c.pu
	if winner < loser {
		c.p = 1 - c.pu
	}
	c.kWin = math.Max(1, 5-float64(expWinner)/100)
	c.kLos = math.Max(1, 5-float64(expLoser)/100)
	c.gain = 4 * c.kWin * root * c.p
	c.loss = 4 * c.kLos * root * c.p
	return c
}

// lines is the calculation as FIBS shows it to those who toggled ratings.
func (c calculation) lines(players [2]*account, winner, n int) []string {
	out := []string{
		"rating calculation:",
		fmt.Sprintf("rating difference D=%f", c.d),
		fmt.Sprintf("match length      N=%d", n),
		fmt.Sprintf("Experience: %s %d - %s %d", players[0].Name, players[0].Experience, players[1].Name, players[1].Experience),
		fmt.Sprintf("Probability that underdog wins: Pu=1/(10^(D*sqrt(N)/2000)+1)=%f", c.pu),
		fmt.Sprintf("P=%f is 1-Pu if underdog wins and Pu if favorite wins", c.p),
	}
	for i, a := range players {
		k, change, sign := c.kWin, c.gain, ""
		if i != winner {
			k, change, sign = c.kLos, -c.loss, "-"
		}
		out = append(out,
			fmt.Sprintf("K=max(1 , -Experience/100+5) for %s: %f", a.Name, k),
			fmt.Sprintf("change for %s: %s4*K*sqrt(N)*P=%f", a.Name, sign, change))
	}
	return out
}

// ranking holds the rated accounts, best first. It is kept in order: sorting a hundred thousand
// accounts for each question would delay all users.
type ranking []*account

func ahead(a, b *account) bool {
	if a.Rating != b.Rating {
		return a.Rating > b.Rating
	}
	return a.Name < b.Name
}

// place returns the index of an account, or where it would be inserted.
func (r ranking) place(a *account) int {
	return sort.Search(len(r), func(i int) bool { return !ahead(r[i], a) })
}

// rank returns the rank of an account, from 1, or 0 if it has none.
func (r ranking) rank(a *account) int {
	if i := r.place(a); i < len(r) && r[i] == a {
		return i + 1
	}
	return 0
}

// add inserts an account that has played enough.
func (r *ranking) add(a *account) {
	if a.Experience > experienceMark {
		*r = slices.Insert(*r, r.place(a), a)
	}
}

// remove removes an account, before its rating changes.
func (r *ranking) remove(a *account) {
	if i := r.rank(a); i > 0 {
		*r = slices.Delete(*r, i-1, i)
	}
}
