package filename

import "fmt"

// Taken holds the names, without extension, that a run has used.
type Taken map[string]bool

// Free returns name, or name-2 and so on if an earlier match of the run has it: files of one
// name may come from several folders and in several formats.
func (t Taken) Free(name string) string {
	free := name
	for n := 2; t[free]; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	t[free] = true
	return free
}
