package bench

import (
	"syscall/js"
	"time"
)

// CPUTime is the processor time of the process in Node, and the elapsed time in a browser, which
// does not tell.
func CPUTime() time.Duration {
	p := js.Global().Get("process")
	if p.IsUndefined() || p.Get("cpuUsage").IsUndefined() {
		return time.Duration(time.Now().UnixNano())
	}
	u := p.Call("cpuUsage")
	return time.Duration(u.Get("user").Int()+u.Get("system").Int()) * time.Microsecond
}
