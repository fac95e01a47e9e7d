package host

import (
	"bufio"
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// clockOf shifts the wall clock of one running process; the machine's clock is unchanged. Go
// reads the time through code that each process has mapped (vdso(7)). clockOf replaces that
// code in the process by instructions that ask the kernel and add an offset to CLOCK_REALTIME
// only. The monotonic clock keeps running, as when an operator or NTP sets the clock.
type clockOf struct {
	mem  *os.File
	plus int64 // address of the offset
}

// steppable returns why the clock of a process cannot be moved here, or "".
func steppable() string { return "" }

// newClock replaces the clock of a process; it shows the true time at first.
func newClock(t testing.TB, pid int) *clockOf {
	t.Helper()
	at, size := vdsoFunc(t, pid, "__vdso_clock_gettime")
	// The new code replaces a function that Go never calls.
	room, roomSize := vdsoFunc(t, pid, "__vdso_gettimeofday")
	code := []byte{
		0xB8, 228, 0, 0, 0, // mov eax, clock_gettime
		0x0F, 0x05, // syscall
		0x85, 0xFF, // test edi, edi: CLOCK_REALTIME?
		0x75, 0x0A, // jnz over the next two
		0x48, 0x8B, 0x0D, 0x04, 0, 0, 0, // mov rcx, [rip+4]
		0x48, 0x01, 0x0E, // add [rsi], rcx: the seconds
		0xC3,                   // ret
		0, 0, 0, 0, 0, 0, 0, 0, // what is added
	}
	if int(roomSize) < len(code) || size < 5 {
		t.Fatalf("no room for %d bytes in the vDSO", len(code))
	}
	mem, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	must(t, err)
	t.Cleanup(func() { mem.Close() })
	// No thread may be executing the code that is overwritten.
	must(t, syscall.Kill(pid, syscall.SIGSTOP))
	time.Sleep(50 * time.Millisecond)
	_, err = mem.WriteAt(code, room)
	must(t, err)
	jump := binary.LittleEndian.AppendUint32([]byte{0xE9}, uint32(room-(at+5)))
	_, err = mem.WriteAt(jump, at)
	must(t, err)
	must(t, syscall.Kill(pid, syscall.SIGCONT))
	return &clockOf{mem: mem, plus: room + int64(len(code)) - 8}
}

// set puts the clock ahead of the machine's by d, in whole seconds.
func (c *clockOf) set(t testing.TB, d time.Duration) {
	t.Helper()
	_, err := c.mem.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(d/time.Second)), c.plus)
	must(t, err)
}

// vdsoFunc finds a function of a process's vDSO.
func vdsoFunc(t testing.TB, pid int, name string) (at, size int64) {
	t.Helper()
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	must(t, err)
	lines := bufio.NewScanner(bytes.NewReader(maps))
	for lines.Scan() {
		var from, to int64
		if !strings.HasSuffix(lines.Text(), "[vdso]") {
			continue
		}
		_, err := fmt.Sscanf(lines.Text(), "%x-%x", &from, &to)
		must(t, err)
		mem, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
		must(t, err)
		defer mem.Close()
		image := make([]byte, to-from)
		_, err = mem.ReadAt(image, from)
		must(t, err)
		file, err := elf.NewFile(bytes.NewReader(image))
		must(t, err)
		list, err := file.DynamicSymbols()
		must(t, err)
		for _, s := range list {
			if s.Name == name {
				return from + int64(s.Value), int64(s.Size)
			}
		}
	}
	t.Fatalf("no %s in the vDSO of %d", name, pid)
	return 0, 0
}
