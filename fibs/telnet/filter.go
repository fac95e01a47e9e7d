package telnet

import (
	"errors"
	"net"
	"time"
)

// Telnet commands (RFC 854).
const (
	cmdSE   = 240
	cmdSB   = 250
	cmdWILL = 251
	cmdDONT = 254
	cmdIAC  = 255
)

// maxNegotiation bounds a telnet sub-negotiation. FIBS sends none; the
// longest in use elsewhere (terminal types, environments) are some hundred
// bytes.
const maxNegotiation = 4096

// ErrNegotiation means that the peer sent a telnet sub-negotiation without
// end.
var ErrNegotiation = errors.New("telnet sub-negotiation without end")

// Places inside a telnet command.
type place uint8

const (
	inText     place = iota
	afterIAC         // IAC seen
	afterVerb        // IAC WILL, WONT, DO or DONT seen, the option is missing
	inSub            // inside IAC SB ...
	inSubAfter       // IAC seen inside IAC SB ...
)

// filter is a connection whose Read drops the telnet commands of two bytes
// (NOP, GA, AYT, IP and so on) and sub-negotiations, and sets the idle
// deadline. What go-telnet understands passes: options and the doubled IAC.
type filter struct {
	net.Conn
	idle  time.Duration
	place place
	sub   int
	raw   [2048]byte // what was read last
	kept  []byte     // what is left of it to hand on
	space [2 * 2048]byte
	err   error // met together with kept
}

// Read fills p with bytes that go-telnet can read.
func (f *filter) Read(p []byte) (int, error) {
	for len(f.kept) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		if f.idle > 0 {
			// It fails only on a closed connection, and then so does Read.
			_ = f.SetReadDeadline(time.Now().Add(f.idle))
		}
		n, err := f.Conn.Read(f.raw[:])
		f.err = err
		if err := f.strip(f.raw[:n]); err != nil {
			f.err = err
		}
	}
	n := copy(p, f.kept)
	f.kept = f.kept[n:]
	return n, nil
}

// strip removes commands from in and leaves the rest in f.kept. An IAC is
// held back until the byte after it is known.
func (f *filter) strip(in []byte) error {
	f.kept = f.space[:0]
	put := func(b byte) { f.kept = append(f.kept, b) }
	for _, b := range in {
		switch f.place {
		case inText:
			if b == cmdIAC {
				f.place = afterIAC
			} else {
				put(b)
			}
		case afterIAC:
			switch {
			case b == cmdIAC:
				f.place = inText
				put(cmdIAC)
				put(cmdIAC)
			case b >= cmdWILL && b <= cmdDONT:
				f.place = afterVerb
				put(cmdIAC)
				put(b)
			case b == cmdSB:
				f.place, f.sub = inSub, 0
			default:
				f.place = inText
			}
		case afterVerb:
			f.place = inText
			put(b)
		case inSub, inSubAfter:
			if f.sub++; f.sub > maxNegotiation {
				return ErrNegotiation
			}
			switch {
			case f.place == inSub && b == cmdIAC:
				f.place = inSubAfter
			case f.place == inSubAfter && b == cmdSE:
				f.place = inText
			default:
				f.place = inSub
			}
		}
	}
	return nil
}
