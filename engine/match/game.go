package match

// NoSide stands where no side is meant: it is the Owner of a centred cube.
const NoSide = -1

// Game is score and cube of a game in progress between the sides 0 and 1, with the doubles
// that wait for an answer.
type Game struct {
	Length   int // of the match, 0 for money play
	Score    [2]int
	Crawford bool
	// Cube is the value before the doubles that wait, Owner a side or NoSide.
	Cube, Owner int
	// Jacoby and Beavers hold in money play.
	Jacoby  bool
	Beavers int
	Drops   DropRule
	// Pending counts the doubles that wait: 1 a double, 2 a beaver, 3 a raccoon. First made the
	// first of them.
	Pending, First int
}

// Side returns which of the sides 0 and 1 the owner is for a side, NoSide for the centre.
func (o Owner) Side(side int) int {
	switch o {
	case Mine:
		return side
	case Theirs:
		return 1 - side
	}
	return NoSide
}

// State returns score and cube as a side sees them. Doubles that wait do not count.
func (g *Game) State(side int) State {
	s := State{Length: g.Length, Score: [2]int{g.Score[side], g.Score[1-side]}, Cube: g.Cube, Crawford: g.Crawford, Drops: g.Drops}
	if g.Length == 0 {
		s.Jacoby, s.Beavers = g.Jacoby, g.Beavers
	}
	switch g.Owner {
	case side:
		s.Owner = Mine
	case 1 - side:
		s.Owner = Theirs
	}
	return s
}

// Double adds a double of a side to those that wait.
func (g *Game) Double(side int) {
	if g.Pending == 0 {
		g.First = side
	}
	g.Pending++
}

// Offered is the value of the cube if the doubles that wait are taken.
func (g *Game) Offered() int { return g.Cube << g.Pending }

// Take takes the doubles. Who was doubled first holds the cube, also after beavers.
func (g *Game) Take() { g.Cube, g.Owner, g.Pending = g.Offered(), 1-g.First, 0 }

// Swap exchanges the sides.
func (g *Game) Swap() {
	g.Score[0], g.Score[1] = g.Score[1], g.Score[0]
	g.First = 1 - g.First
	if g.Owner != NoSide {
		g.Owner = 1 - g.Owner
	}
}

// Next returns the game after one that winner won with points, see State.NextGame.
func (g *Game) Next(winner, points int, crawfordRule bool) Game {
	s := g.State(0).NextGame(points*(1-2*winner), crawfordRule)
	next := *g
	next.Score, next.Crawford, next.Cube, next.Owner, next.Pending = s.Score, s.Crawford, 1, NoSide, 0
	return next
}
