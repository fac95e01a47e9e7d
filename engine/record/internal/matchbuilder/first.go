package matchbuilder

import (
	"strconv"

	"fibsbot/engine/record"
)

// First returns the first of all matches of a file, with a warning if there are more.
func First(all []*record.Match, ws []record.Warning, err error) (*record.Match, []record.Warning, error) {
	if err != nil {
		return nil, ws, err
	}
	if len(all) > 1 {
		ws = append(ws, record.Warning{Text: strconv.Itoa(len(all)) + " matches in the file: this is the first"})
	}
	return all[0], ws, nil
}
