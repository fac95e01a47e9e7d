package nice

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

const child = "FIBSBOT_TEST_NICE"

// TestLower looks at every thread of a process that lowered itself, also those that it had
// before.
func TestLower(t *testing.T) {
	if os.Getenv(child) != "" {
		for range 20 {
			go time.Sleep(time.Millisecond) // threads that are there already
		}
		time.Sleep(time.Millisecond)
		nices := func() (all []int) {
			tasks, err := os.ReadDir("/proc/self/task")
			if err != nil {
				t.Skip(err)
			}
			for _, task := range tasks {
				id, err := strconv.Atoi(task.Name())
				if err != nil {
					t.Fatal(err)
				}
				if got, err := syscall.Getpriority(syscall.PRIO_PROCESS, id); err == nil { // a thread can end
					all = append(all, 20-got)
				}
			}
			return all
		}
		before := slices.Max(nices())
		Off()
		Lower()
		if got := nices(); slices.Max(got) != before {
			t.Errorf("switched off, %v, before %d", got, before)
		}
		off.Store(false)
		Lower()
		if got := nices(); slices.Min(got) != max(low, before) {
			t.Errorf("threads have %v, before %d", got, before)
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestLower$")
	cmd.Env = append(os.Environ(), child+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
