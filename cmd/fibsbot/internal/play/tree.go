package play

import "fibsbot/engine/board"

// Tree is every way to play a roll checker by checker, in any order, for displays that know
// no rules. Node 0 is the position before the first step.
type Tree []Node

// Node is a position on the way.
type Node struct {
	// End reports that the play may end here: the usable part of the roll is used.
	End bool `json:"end"`
	// Play is the notation of the whole play if End is true; it is empty where no play is legal.
	Play string `json:"play"`
	Next []Edge `json:"next,omitempty"`
}

// Edge is one step. Points are the mover's own, 1 to 24, 25 the bar and 0 off.
type Edge struct {
	From int  `json:"from"`
	To   int  `json:"to"`
	Die  int  `json:"die"`
	Hit  bool `json:"hit,omitempty"`
	Node int  `json:"node"`
}

// Steps returns the tree of roll d for the player on roll of p in a game by rules r. It
// has one node if no play is legal. Steps that lead to no legal play are omitted.
func Steps(r board.Rules, p board.Position, d board.Dice) Tree {
	t := treeMaker{goal: map[board.Position]string{}, seen: map[treeKey]int{}}
	for _, pl := range r.AppendPlays(nil, p, d) {
		t.goal[pl.Result] = board.FormatPlay(p, pl)
	}
	if len(t.goal) == 0 {
		return Tree{{End: true}}
	}
	left := [2]uint8{1, 1}
	if d.Double() {
		left = [2]uint8{4, 0}
	}
	t.dice = [2]int{int(d.A), int(d.B)}
	t.visit(treeKey{p, left})
	return t.tree
}

type treeKey struct {
	p    board.Position
	left [2]uint8 // uses left of each die
}

type treeMaker struct {
	dice [2]int
	goal map[board.Position]string
	seen map[treeKey]int
	tree Tree
}

// visit returns the node of k, or -1 if it leads to no legal play.
func (t *treeMaker) visit(k treeKey) int {
	if n, ok := t.seen[k]; ok {
		return n
	}
	n := len(t.tree)
	text, end := t.goal[k.p]
	t.tree = append(t.tree, Node{End: end, Play: text})
	var next []Edge
	for i, die := range t.dice {
		if k.left[i] == 0 {
			continue
		}
		left := k.left
		left[i]--
		for from := board.Bar; from >= 0; from-- {
			if k.p.Me[from] == 0 || from != board.Bar && k.p.Me[board.Bar] > 0 {
				continue
			}
			q, to, hit, ok := step(k.p, from, die)
			if !ok {
				continue
			}
			if m := t.visit(treeKey{q, left}); m >= 0 {
				next = append(next, Edge{From: from + 1, To: to + 1, Die: die, Hit: hit, Node: m})
			}
		}
	}
	if !end && len(next) == 0 {
		t.tree = t.tree[:n] // nodes below it are gone too
		n = -1
	} else {
		t.tree[n].Next = next
	}
	t.seen[k] = n
	return n
}

// step moves one checker by one die if that is legal.
func step(p board.Position, from, die int) (q board.Position, to int, hit, ok bool) {
	to = from - die
	if to < 0 {
		rear := p.Me.Rearmost()
		if rear > 5 || to < -1 && from != rear {
			return p, 0, false, false
		}
		p.Me[from]--
		return p, board.Off, false, true
	}
	if p.Opp[23-to] > 1 {
		return p, 0, false, false
	}
	p.Me[from]--
	p.Me[to]++
	if p.Opp[23-to] == 1 {
		p.Opp[23-to] = 0
		p.Opp[board.Bar]++
		hit = true
	}
	return p, to, hit, true
}

// Easy is a play that needs no thought, for displays that make it automatically.
type Easy struct {
	Play string `json:"play"`
	// Why is "forced" for the only legal play, "bearoff" for the only play that takes the
	// most checkers off in a race with all checkers home.
	Why string `json:"why"`
}

// EasyPlay is the Easy play of a roll, or nil.
func EasyPlay(r board.Rules, p board.Position, d board.Dice) *Easy {
	plays := r.AppendPlays(nil, p, d)
	text := func(pl *board.Play) string { return board.FormatPlay(p, *pl) }
	switch {
	case len(plays) == 0:
		return nil
	case len(plays) == 1:
		return &Easy{text(&plays[0]), "forced"}
	case p.Contact() || p.Me.Rearmost() > 5:
		return nil
	}
	best, left, ties := 0, board.MaxCheckers+1, 0
	for i := range plays {
		switch n := plays[i].Result.Me.Count(); {
		case n < left:
			best, left, ties = i, n, 0
		case n == left:
			ties++
		}
	}
	if ties > 0 || left == p.Me.Count() {
		return nil
	}
	return &Easy{text(&plays[best]), "bearoff"}
}
