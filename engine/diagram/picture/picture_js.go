package picture

import (
	"errors"
	"io"

	"fibsbot/engine/diagram"
)

// PNG returns an error: the fonts would make the program of the browser edition larger.
func PNG(io.Writer, diagram.Diagram) error {
	return errors.New("no PNG in a browser (use SVG)")
}
