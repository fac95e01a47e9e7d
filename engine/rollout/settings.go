package rollout

import (
	"fmt"

	throw "fibsbot/engine/dice"
	"fibsbot/engine/search"
)

// Settings say how a rollout is played. Start from Default.
type Settings struct {
	// Trials is how many games each arm is played, 1 to 2^30.
	Trials int
	// Seed makes the dice, the same for all arms.
	Seed uint64
	// Dice is the generator that throws them.
	Dice throw.Generator `json:",omitempty"`
	// Cubeful lets both sides use the cube during the trials.
	Cubeful bool
	// VarianceReduction subtracts the luck of the dice.
	VarianceReduction bool
	// PlainDice turns the balancing of the first rolls off.
	PlainDice bool
	// InitialPosition never rolls a double first, as at the start of a game. It is for
	// AddPosition: the roll after a play, or after a double, may be any.
	InitialPosition bool
	// Truncate ends a trial after that many plies with the value of Leaf; 0 plays
	// to the end.
	Truncate int
	// Leaf is how the position is judged where Truncate ends a trial; at 0 plies
	// without noise it has its static value. Only the chances are the search's, the
	// cube is counted as everywhere.
	Leaf search.Settings
	// TruncateTwoSided ends trials in the two-sided databases (exact for money,
	// where it alone applies, and for cubeless chances), TruncateOneSided cubeless
	// trials in the one-sided ones.
	TruncateTwoSided, TruncateOneSided bool
	// Checker and Cube say how plays and cube decisions are made; 0 plies without
	// noise is the fast way. From ply LatePly on (0: never) LateChecker and
	// LateCube hold.
	Checker, Cube         search.Settings
	LatePly               int
	LateChecker, LateCube search.Settings
	// Opponent is how the opponent of the player to decide plays, doubles and
	// answers doubles; nil stands for the same as that player, the settings above.
	Opponent *Side
	// MinTrials is the least number before a stop rule may end the rollout.
	MinTrials int
	// StopStdErr ends it when the standard error of every arm's equity (EMG) is at
	// most that; 0 is off.
	StopStdErr float64
	// StopJSD gives an arm up when it is that many joint standard deviations worse
	// than the best, and ends the rollout when one is left; 0 is off. The two arms of
	// AddCube go on together until both whether to double and whether to take are that
	// clear.
	StopJSD float64
	// Look is the number of trials between looks at the stop rules, 1 to 144; 0 is 144.
	Look int `json:",omitempty"`
	// Threads is how many to use; 0 is one per CPU. It changes no result.
	Threads int `json:"-"`
}

// Side is how one side decides: its plays and its cube, and both from
// Settings.LatePly on.
type Side struct {
	Checker, Cube         search.Settings
	LateChecker, LateCube search.Settings
}

// side is the player to decide.
func (s *Settings) side() Side {
	return Side{Checker: s.Checker, Cube: s.Cube, LateChecker: s.LateChecker, LateCube: s.LateCube}
}

// at returns what holds from the start on or late.
func (s *Side) at(late bool) (checker, cube *search.Settings) {
	if late {
		return &s.LateChecker, &s.LateCube
	}
	return &s.Checker, &s.Cube
}

// even is within how many trials every first roll comes equally often, 0 when it
// does not.
func (s *Settings) even() int {
	switch {
	case s.PlainDice:
		return 0
	case s.InitialPosition:
		return faces - 6
	}
	return faces
}

// Default is 1296 cubeful static trials to the end, with variance reduction.
func Default() Settings {
	return Settings{Trials: 1296, Seed: 1, Cubeful: true, VarianceReduction: true,
		TruncateTwoSided: true, TruncateOneSided: true, MinTrials: 144,
		Checker: search.Settings{Cubeful: true}, Cube: search.Settings{Cubeful: true}}
}

// Validate reports the first field that makes no sense; the error wraps
// ErrSettings.
func (s *Settings) Validate() error {
	switch {
	case s.Trials < 1 || s.Trials > 1<<30:
		return fmt.Errorf("%w: %d trials, want 1 to %d", ErrSettings, s.Trials, 1<<30)
	case s.Truncate < 0 || s.LatePly < 0 || s.MinTrials < 0:
		return fmt.Errorf("%w: a number of plies or trials is negative", ErrSettings)
	case s.Look < 0 || s.Look > batch:
		return fmt.Errorf("%w: %d trials between looks at the stop rules, want 1 to %d, or 0", ErrSettings, s.Look, batch)
	case !(s.StopStdErr >= 0) || !(s.StopJSD >= 0):
		return fmt.Errorf("%w: a stop rule is negative", ErrSettings)
	}
	if err := s.Dice.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrSettings, err)
	}
	if err := s.Leaf.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrSettings, err)
	}
	sides := []Side{s.side()}
	if s.Opponent != nil {
		sides = append(sides, *s.Opponent)
	}
	for i := range sides {
		d := &sides[i]
		for _, c := range []*search.Settings{&d.Checker, &d.Cube, &d.LateChecker, &d.LateCube} {
			if err := c.Validate(); err != nil {
				return fmt.Errorf("%w: %w", ErrSettings, err)
			}
		}
	}
	return nil
}
