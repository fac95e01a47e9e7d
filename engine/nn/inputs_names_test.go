package nn

import "fmt"

// inputName says in words what first-layer row of a contact or crashed net it
// is: "me 8 point, 3 checkers", "opponent shots". Rows are 0 to NumInputs-1.
func inputName(row int) string {
	if row < NumSparse {
		return who(row/SideSparse) + sparseName(row%SideSparse, PointKinds, OffRow)
	}
	d := row - NumSparse
	return who(d/SideDense) + denseNames[d%SideDense]
}

// raceInputName is inputName for the rows of a race net, 0 to NumRaceInputs-1.
func raceInputName(row int) string {
	if row < NumRaceSparse {
		return who(row/RaceSideSparse) + sparseName(row%RaceSideSparse, RacePointKinds, RaceOffRow)
	}
	d := row - NumRaceSparse
	return who(d/SideRaceDense) + raceNames[d%SideRaceDense]
}

// denseNames are the computed inputs in words, in the order of a net's rows.
var denseNames = [SideDense]string{
	"pips", "lead", "contact pips", "free pips", "home pips", "back pips", "off", "rear",
	"rear anchor", "forward anchor", "men back", "shots", "double shots", "pip loss", "sting",
	"targets", "rear escapes", "rear leaps", "contain", "contain squared", "contain bar",
	"contain bar squared", "contain leaps", "mobility", "spread", "enter fail", "bar loss",
	"timing", "backbone", "back game", "ace game", "prime", "trapped", "home blots", "builders",
	"dead", "stack",
}

// raceNames are those of a race net.
var raceNames = [SideRaceDense]string{
	"pips", "effective pips", "lead", "chance", "checkers", "home pips", "save", "gammon chance",
	"back pips", "gaps", "low", "stack", "crossings",
}

func who(side int) string { return [...]string{"me ", "opponent "}[side] }

func sparseName(row, kinds, offRow int) string {
	if row >= offRow {
		return fmt.Sprintf("%d off", row-offRow+1)
	}
	point := fmt.Sprintf("%d point", row/kinds+1)
	if row/kinds == 24 {
		point = "bar"
	}
	n, more := row%kinds+1, ""
	if n == kinds {
		more = " or more"
	}
	return fmt.Sprintf("%s, %d%s checkers", point, n, more)
}
