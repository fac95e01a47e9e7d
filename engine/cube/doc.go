// Package cube knows when to double, take, drop, beaver and resign.
//
// It turns the chances of the outcomes (eval.Probs) into equities that count
// the cube. The picture has three parts. A Ladder is one side's view of what
// winning and losing is worth at the present cube and at every cube above it,
// up to the one that decides the match; it is made once per decision. A Spot is
// a rung of that ladder with an owner: the states of the cube that a decision
// and the search below it need. Ladder.Values then gives the equity of any
// number of spots for one set of chances, by Rick Janowski's mixture of the dead
// and the live cube ("Take-Points in Money Games", 1993), for money, and for
// matches by the same mixture of match winning chances, whose live part is
// piecewise linear between the points where each side cashes (Joern Thyssen's
// generalisation in the gnubg manual, section "Cubeful equities").
//
// Utility is the common unit: in money play points per present cube, in a match
// twice the match winning chance minus one. Both sides' utilities add up to 0,
// so the search need not know which one it carries. Settle turns utilities into
// a Decision with normalised equities (EMG).
//
// The package does not search: depth is engine/search's business.
package cube
