package owner

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
)

// maxAsked is how many names a question offers.
const maxAsked = 9

// Ask asks on a terminal which of the players the user is. It returns "" for an empty
// answer, which leaves the choice open.
func Ask(in *bufio.Reader, terminal io.Writer, list []Count) (string, error) {
	out := sanitize.Writer(terminal)
	list = list[:min(len(list), maxAsked)]
	fmt.Fprintln(out, "Which of these players are you?")
	for i, c := range list {
		fmt.Fprintf(out, "%2d  %s (%s)\n", i+1, c.Name, figure.Count(c.Matches, "match"))
	}
	for {
		fmt.Fprintf(out, "Number or name (Enter for %s): ", list[0].Name)
		line, err := in.ReadString('\n')
		answer := strings.TrimSpace(line)
		if n, bad := strconv.Atoi(answer); bad == nil && n >= 1 && n <= len(list) {
			return list[n-1].Name, nil
		}
		for _, c := range list {
			if strings.EqualFold(c.Name, answer) {
				return c.Name, nil
			}
		}
		switch {
		case answer == "" && (err == nil || errors.Is(err, io.EOF)):
			return "", nil
		case err != nil:
			return "", err
		}
		fmt.Fprintf(out, "%.40q is not one of these players.\n", answer)
	}
}
