package filename

import "fmt"

// Taken are the names, without extension, that a run has written under.
type Taken map[string]bool

// Free returns name, or name-2 and so on where an earlier match of the run has it:
// files of one name come from several folders, and in several formats.
func (t Taken) Free(name string) string {
	free := name
	for n := 2; t[free]; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	t[free] = true
	return free
}
