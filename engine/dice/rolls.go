package dice

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// MaxRolls is the most rolls that a file may hold.
const MaxRolls = 100_000

// ErrRolls is wrapped by errors about files of rolls.
var ErrRolls = errors.New("bad file of dice")

// Read reads written-down rolls: digits from 1 to 6, two for each roll. Blanks, commas,
// hyphens, colons and line ends may separate them anywhere; # starts a comment. It returns
// the digits in order. Errors name the line and wrap ErrRolls.
func Read(in io.Reader) (digits string, err error) {
	var out []byte
	r := bufio.NewReader(io.LimitReader(in, 16*MaxRolls))
	line, comment := 1, false
	for {
		c, err := r.ReadByte()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		switch {
		case c == '\n':
			line++
			comment = false
		case comment || c == ' ' || c == '\t' || c == '\r' || c == ',' || c == '-' || c == ':':
		case c == '#':
			comment = true
		case c >= '1' && c <= '6':
			out = append(out, c)
		default:
			return "", fmt.Errorf("%w: line %d: %q is not a die (use 1 to 6, with blanks, commas or hyphens between rolls, # before a comment)", ErrRolls, line, c)
		}
		if len(out) > 2*MaxRolls {
			return "", fmt.Errorf("%w: line %d: more than %d rolls", ErrRolls, line, MaxRolls)
		}
	}
	if err := Check(string(out)); err != nil {
		return "", err
	}
	return string(out), nil
}

// ReadFile is Read of the named file; its errors name the file.
func ReadFile(name string) (string, error) {
	in, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	digits, err := Read(in)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return digits, nil
}

// Check returns an error that wraps ErrRolls unless digits are rolls as Read returns them.
func Check(digits string) error {
	switch {
	case len(digits) == 0:
		return fmt.Errorf("%w: no roll in it", ErrRolls)
	case len(digits) > 2*MaxRolls:
		return fmt.Errorf("%w: more than %d rolls", ErrRolls, MaxRolls)
	case len(digits)%2 != 0:
		return fmt.Errorf("%w: %d dice, an odd number (each roll has two)", ErrRolls, len(digits))
	}
	for i := range len(digits) {
		if digits[i] < '1' || digits[i] > '6' {
			return fmt.Errorf("%w: %q is not a die from 1 to 6", ErrRolls, digits[i])
		}
	}
	return nil
}

// At returns roll n, counted from 0, of digits as Read returns them, or false after the
// last roll.
func At(digits string, n int) (d [2]uint8, ok bool) {
	if n < 0 || n >= len(digits)/2 {
		return d, false
	}
	return [2]uint8{digits[2*n] - '0', digits[2*n+1] - '0'}, true
}
