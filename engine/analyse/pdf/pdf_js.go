package pdf

import (
	"errors"
	"io"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
)

// Write returns an error: the fonts would make the program of the browser edition larger, and
// browsers print pages to PDF.
func Write(io.Writer, *record.Match, *analyse.Summary, Options) error {
	return errors.New("no PDF in a browser (open the page of the match and print it to a file)")
}
