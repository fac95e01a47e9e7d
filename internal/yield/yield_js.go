package yield

import (
	"syscall/js"
	"time"
)

// slice is how long a computation keeps the thread.
const slice = 20 * time.Millisecond

var (
	last = time.Now()
	// turn is a message port whose messages queue behind those that arrived before.
	turn    js.Value
	resumed = make(chan struct{}, 64)
)

func init() {
	channel := js.Global().Get("MessageChannel")
	if channel.IsUndefined() {
		return // computations keep the thread
	}
	c := channel.New()
	turn = c.Get("port2")
	in := c.Get("port1")
	in.Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		resumed <- struct{}{} // one for each message sent
		return nil
	}))
}

// Now lets the browser work if the caller has kept the thread for a while.
func Now() {
	if time.Since(last) < slice || turn.IsUndefined() {
		return
	}
	last = time.Now()
	turn.Call("postMessage", js.Null())
	<-resumed
	last = time.Now()
}
