package chaos

import (
	"bytes"
	"context"
	"math/rand/v2"
	"net"
	"time"
)

// direction carries one way of one connection.
type direction struct {
	proxy    *Proxy
	link     *link
	from, to net.Conn
	faults   Faults
	rng      *rand.Rand
	spare    int // lines that still pass unharmed
	lines    int // lines that passed the faults
	cutAfter int // break the connection after so many; 0 never
	held     []byte
}

// run copies until an end, an error or a cut. A prompt, which has no line end,
// passes at once; any other part of a line waits for its rest, so that the
// faults do not depend on how the network cut the stream.
func (d *direction) run(ctx context.Context) {
	buf := make([]byte, 4096)
	var part []byte
	for {
		n, err := d.from.Read(buf)
		part = append(part, buf[:n]...)
		for {
			i := bytes.IndexByte(part, '\n')
			if i < 0 {
				break
			}
			if !d.pass(ctx, part[:i+1]) {
				return
			}
			part = part[i+1:]
		}
		if isPrompt(part) || len(part) > maxHeld || err != nil {
			d.held = append(d.held, part...)
			part = part[:0]
		}
		// What a peer waits for must not be kept until it speaks again.
		if !d.send(d.held) || err != nil {
			return
		}
		d.held = d.held[:0]
	}
}

// isPrompt reports whether the bytes look like a server's question.
func isPrompt(part []byte) bool {
	return bytes.HasSuffix(part, []byte(": ")) || bytes.HasSuffix(part, []byte("> "))
}

// pass sends one line with whatever befalls it and reports whether the
// connection goes on.
func (d *direction) pass(ctx context.Context, line []byte) bool {
	st := &d.proxy.stats
	st.lines.Add(1)
	if d.spare > 0 {
		d.spare--
		return d.send(line)
	}
	d.lines++
	f := &d.faults
	// All chances are drawn for every line, whichever come true, so that one
	// setting does not shift the fate of the lines after it.
	var c [8]float64
	for i := range c {
		c[i] = d.rng.Float64()
	}
	amount := d.rng.Float64()
	noise := d.rng.Uint64()

	if c[0] < f.Delay {
		st.delayed.Add(1)
		d.proxy.opts.Sleep(ctx, time.Duration(amount*float64(f.MaxDelay)))
	}
	if c[1] < f.Cut || (d.cutAfter > 0 && d.lines > d.cutAfter) {
		st.cut.Add(1)
		d.link.cut()
		return false
	}
	if c[2] < f.CutHalf {
		st.halved.Add(1)
		d.send(append(d.held, line[:int(amount*float64(len(line)))]...))
		// Half a line must arrive before the end does; a hard cut would
		// throw it away.
		d.link.client.Close()
		d.link.server.Close()
		return false
	}
	out := make([]byte, 0, 2*len(line)+80)
	out = append(out, d.held...)
	d.held = d.held[:0]
	if c[3] < f.Garbage {
		st.garbage.Add(1)
		out = append(out, garbage(noise)...)
	}
	if c[4] < f.Drop {
		st.dropped.Add(1)
		line = nil
	}
	out = append(out, line...)
	if c[5] < f.Duplicate {
		st.duplicated.Add(1)
		out = append(out, line...)
	}
	switch {
	case c[6] < f.Merge && len(out) < maxHeld:
		st.merged.Add(1)
		d.held = append(d.held, out...)
		return true
	case c[7] < f.Split && len(out) > 1:
		st.split.Add(1)
		at := 1 + int(amount*float64(len(out)-1))
		return d.send(out[:at]) && d.send(out[at:])
	}
	return d.send(out)
}

func (d *direction) send(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	d.to.SetWriteDeadline(time.Now().Add(30 * time.Second))
	_, err := d.to.Write(b)
	return err == nil
}

// garbage is a line of noise: printable or not, a false number, a damaged
// board, telnet negotiation.
func garbage(noise uint64) []byte {
	r := rand.New(rand.NewPCG(noise, 7))
	switch r.IntN(4) {
	case 0:
		b := make([]byte, 1+r.IntN(60))
		for i := range b {
			b[i] = byte(1 + r.IntN(255))
			if b[i] == '\n' {
				b[i] = '?'
			}
		}
		return append(b, '\r', '\n')
	case 1:
		return []byte("board:You:nobody:5:0:0:0:40:0:-99:1:2:3\r\n")
	case 2:
		return []byte{255, 251, 1, 255, 252, 1, '\r', '\n'}
	}
	return []byte("99 noise on the line\r\n")
}
