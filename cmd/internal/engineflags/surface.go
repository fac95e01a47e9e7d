package engineflags

import (
	"fmt"
	"os"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/tune"
)

// ReadSurface reads the table of strength that --table names; "" means the one in the program.
func ReadSurface(path string) (*tune.Surface, error) {
	if path == "" {
		return tune.Measured()
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, cmdline.AsUsage(fmt.Errorf("--table: %w", err))
	}
	s, err := tune.ReadSurface(data)
	if err != nil {
		return nil, cmdline.AsUsage(fmt.Errorf("--table: %s: %w", path, err))
	}
	return s, nil
}
