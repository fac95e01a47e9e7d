//go:build !js

package ops

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

// Supervisor tells systemd how the service is doing, by the datagrams that
// sd_notify(3) describes. Without systemd it does nothing.
type Supervisor struct {
	address string
	ticker  *time.Ticker
}

// NewSupervisor returns the supervisor that the environment names.
func NewSupervisor() *Supervisor {
	n := &Supervisor{address: os.Getenv("NOTIFY_SOCKET")}
	if us, err := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64); err == nil && us > 0 && n.address != "" {
		n.ticker = time.NewTicker(time.Duration(us) * time.Microsecond / 2)
	}
	return n
}

// send is best effort: a service manager that has gone must not stop the bot.
func (n *Supervisor) send(state string) {
	if n.address == "" {
		return
	}
	c, err := net.Dial("unixgram", n.address)
	if err != nil {
		return
	}
	defer c.Close()
	fmt.Fprint(c, state)
}

// Ready, Reloading, Stopping and Alive tell the state of the process.
func (n *Supervisor) Ready()     { n.send("READY=1") }
func (n *Supervisor) Reloading() { n.send("RELOADING=1") }
func (n *Supervisor) Stopping()  { n.send("STOPPING=1") }
func (n *Supervisor) Alive()     { n.send("WATCHDOG=1") }

// Watchdog ticks when the service manager wants to hear that we are alive.
func (n *Supervisor) Watchdog() <-chan time.Time {
	if n.ticker == nil {
		return nil
	}
	return n.ticker.C
}
