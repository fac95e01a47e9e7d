package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

// notifier tells systemd how the service is doing, by the datagrams that
// sd_notify(3) describes. Without systemd it does nothing.
type notifier struct {
	address string
	ticker  *time.Ticker
}

func newNotifier() *notifier {
	n := &notifier{address: os.Getenv("NOTIFY_SOCKET")}
	if us, err := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64); err == nil && us > 0 && n.address != "" {
		n.ticker = time.NewTicker(time.Duration(us) * time.Microsecond / 2)
	}
	return n
}

// send is best effort: a service manager that has gone must not stop the bot.
func (n *notifier) send(state string) {
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

func (n *notifier) ready()     { n.send("READY=1") }
func (n *notifier) reloading() { n.send("RELOADING=1") }
func (n *notifier) stopping()  { n.send("STOPPING=1") }
func (n *notifier) alive()     { n.send("WATCHDOG=1") }

// watchdog ticks when the service manager wants to hear that we are alive.
func (n *notifier) watchdog() <-chan time.Time {
	if n.ticker == nil {
		return nil
	}
	return n.ticker.C
}
