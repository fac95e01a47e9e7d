package nn

import "fmt"

// InputName says in words what first-layer row of a contact or crashed net it
// is: "me 8 point, 3 checkers", "opponent shots". Rows are 0 to NumInputs-1.
func InputName(row int) string {
	if row < NumSparse {
		return who(row/SideSparse) + sparseName(row%SideSparse, PointKinds, OffRow)
	}
	d := row - NumSparse
	return who(d/SideDense) + denseNames[d%SideDense]
}

// RaceInputName is InputName for the rows of a race net, 0 to NumRaceInputs-1.
func RaceInputName(row int) string {
	if row < NumRaceSparse {
		return who(row/RaceSideSparse) + sparseName(row%RaceSideSparse, RacePointKinds, RaceOffRow)
	}
	d := row - NumRaceSparse
	return who(d/SideRaceDense) + raceNames[d%SideRaceDense]
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
