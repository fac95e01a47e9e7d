package match

// Owner says who may turn the cube next, seen from the player on roll.
type Owner int8

// The three places the cube can be in.
const (
	Centred Owner = iota // either player may turn it
	Mine                 // the player on roll
	Theirs               // the opponent
)

// State is everything besides the checkers that a decision depends on, seen
// from the player on roll. The zero value is a money game before any double: package
// engine, rollouts and package luck read a Cube of 0 as 1 (see Normal). Packages below them
// and Validate need the value written out.
type State struct {
	// Length is the match length in points; 0 is money play.
	Length int
	// Score holds the points of the player on roll and of the opponent before
	// this game. Unused in money play.
	Score [2]int
	// Cube is the cube's value, a power of two; Owner who holds it.
	Cube  int
	Owner Owner
	// Crawford marks the Crawford game: the cube may not be turned. A match with a player
	// 1-away and Crawford false is post-Crawford.
	Crawford bool
	// Jacoby and Beavers apply to money play only. Beavers is how many instant
	// redoubles are allowed (0 none, 1 beaver, 2 raccoon, 3 and so on).
	Jacoby  bool
	Beavers int
	// Drops says what giving up costs; the zero value is backgammon's own rule.
	Drops DropRule
}

// Money returns the state of a money game before any double.
func Money(jacoby bool, beavers int) State {
	return State{Cube: 1, Jacoby: jacoby, Beavers: beavers}
}

// Normal returns the state with a Cube of 0, an unturned cube, written as 1.
func (s State) Normal() State {
	if s.Cube == 0 {
		s.Cube = 1
	}
	return s
}

// Swap returns the state as the other player sees it.
func (s State) Swap() State {
	s.Score[0], s.Score[1] = s.Score[1], s.Score[0]
	switch s.Owner {
	case Mine:
		s.Owner = Theirs
	case Theirs:
		s.Owner = Mine
	}
	return s
}

// Away returns how many points the player on roll and the opponent need.
func (s State) Away() (me, opp int) { return s.Length - s.Score[0], s.Length - s.Score[1] }

// AtCrawford reports whether exactly one player is 1-away: the first game that begins at such a
// score is the Crawford game, where the rule is in force.
func AtCrawford(length int, score [2]int) bool {
	return length > 1 && (length-score[0] == 1) != (length-score[1] == 1)
}
