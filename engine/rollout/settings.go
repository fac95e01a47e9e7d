package rollout

import (
	"fmt"

	throw "fibsbot/engine/dice"
	"fibsbot/engine/search"
)

// Settings say how a rollout is played. Start from Default.
type Settings struct {
	// Trials is the number of games of each arm, 1 to 2^30.
	Trials int
	// Seed makes the dice, the same for all arms.
	Seed uint64
	// Dice is their generator.
	Dice throw.Generator `json:",omitempty"`
	// Cubeful lets both sides use the cube during the trials.
	Cubeful bool
	// VarianceReduction subtracts the luck of the dice.
	VarianceReduction bool
	// PlainDice does not balance the first rolls.
	PlainDice bool
	// InitialPosition never rolls a double first, as at the start of a game; for AddPosition
	// only.
	InitialPosition bool
	// Truncate ends a trial after that many plies with the value of Leaf; 0 plays
	// to the end.
	Truncate int
	// Leaf judges the position at which Truncate ends a trial; at 0 plies without noise by
	// static evaluation. The search gives the chances only; the cube is valued as everywhere.
	Leaf search.Settings
	// TruncateTwoSided ends trials in the two-sided databases (exact for money,
	// where it alone applies, and for cubeless chances), TruncateOneSided cubeless
	// trials in the one-sided ones.
	TruncateTwoSided, TruncateOneSided bool
	// Checker and Cube make plays and cube decisions; fastest at 0 plies without noise. From
	// ply LatePly on (0: never) LateChecker and LateCube do.
	Checker, Cube         search.Settings
	LatePly               int
	LateChecker, LateCube search.Settings
	// Opponent has the settings of the opponent of the player to decide; nil means the same as
	// that player's, above.
	Opponent *Side
	// MinTrials is the number of trials before which no stop rule ends the rollout.
	MinTrials int
	// StopStdErr ends the rollout when no arm's equity (EMG) has a larger standard error; 0 is
	// off.
	StopStdErr float64
	// StopJSD gives up an arm that is that many joint standard deviations worse than the best,
	// and ends the rollout when one is left; 0 is off. The two arms of AddCube end together,
	// when both whether to double and whether to take are that clear.
	StopJSD float64
	// Look is the number of trials between checks of the stop rules, 1 to 144; 0 is 144.
	Look int `json:",omitempty"`
	// Threads is the number to use; 0 is one per CPU. It changes no result.
	Threads int `json:"-"`
}

// Side has the settings of one side: plays and cube, and both from Settings.LatePly on.
type Side struct {
	Checker, Cube         search.Settings
	LateChecker, LateCube search.Settings
}

// side returns the settings of the player to decide.
func (s *Settings) side() Side {
	return Side{Checker: s.Checker, Cube: s.Cube, LateChecker: s.LateChecker, LateCube: s.LateCube}
}

// at returns the early or the late settings.
func (s *Side) at(late bool) (checker, cube *search.Settings) {
	if late {
		return &s.LateChecker, &s.LateCube
	}
	return &s.Checker, &s.Cube
}

// even returns the number of trials in which every first roll comes equally often, or 0.
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

// Validate reports the first field outside its range; the error wraps ErrSettings.
func (s *Settings) Validate() error {
	switch {
	case s.Trials < 1 || s.Trials > 1<<30:
		return fmt.Errorf("%w: %d trials (use 1 to %d)", ErrSettings, s.Trials, 1<<30)
	case s.Truncate < 0 || s.LatePly < 0 || s.MinTrials < 0:
		return fmt.Errorf("%w: plies and trials must not be negative", ErrSettings)
	case s.Look < 0 || s.Look > batch:
		return fmt.Errorf("%w: check the stop rules every %d trials (use 1 to %d, or 0)", ErrSettings, s.Look, batch)
	case !(s.StopStdErr >= 0) || !(s.StopJSD >= 0):
		return fmt.Errorf("%w: a stop rule is negative (0 is off)", ErrSettings)
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
