package duel

import (
	"context"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// otherPlay asks the player who is not on turn what he would have played, and
// values the difference where it is not after.
func (t *table) otherPlay(ctx context.Context, p board.Position, d board.Dice, st match.State, turn int, seed uint64, after board.Position) error {
	other, err := t.side[1-turn].Move(ctx, p, d, st, t.set.Cubeless, seed)
	if err != nil || other == after {
		return err
	}
	gain, err := t.set.Differences.Play(ctx, p, st, after, other, seed)
	t.add(turn, unit(st)*gain)
	return err
}

// otherCube asks each player what he would have done with the cube in the place
// of the other, and values the differences. yes and take are what happened.
func (t *table) otherCube(ctx context.Context, p board.Position, st match.State, turn int, seed uint64, yes, take bool) error {
	other, err := t.side[1-turn].Double(ctx, p, st, seed)
	if err != nil {
		return err
	}
	otherTake := take
	if yes {
		otherTake, err = t.side[turn].Take(ctx, p, st, seed)
	} else if other {
		// No one was asked: the double would have been the other player's to answer.
		take, err = t.side[1-turn].Take(ctx, p, st, seed)
		otherTake = take
	}
	if err != nil || yes == other && take == otherTake {
		return err
	}
	v, err := t.set.Differences.Cube(ctx, p, st, seed)
	if err != nil {
		return err
	}
	if yes != other {
		gain := v.Pass - v.Roll
		if take {
			gain = v.Take - v.Roll
		}
		if other {
			gain = -gain
		}
		t.add(turn, unit(st)*gain)
	}
	if take != otherTake {
		gain := v.Pass - v.Take // of taking, to him who takes
		if otherTake {
			gain = -gain
		}
		t.add(1-turn, unit(st)*gain)
	}
	return nil
}

// add counts a decision at which the choice of the player in seat is worth gain
// above the other's. All decisions of both sides are looked at, hence the half
// (see the package).
func (t *table) add(seat int, gain float64) {
	t.differ++
	t.edge += float64(1-2*seat) * gain / 2
}
