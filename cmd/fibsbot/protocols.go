package main

import (
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
)

// protocols are the kinds of servers that server.protocol can name.
var protocols = []protocol.Protocol{fibs.Protocol{}}

// protocolOf is the protocol that a configuration names, which was checked.
func protocolOf(name string) protocol.Protocol {
	for _, p := range protocols {
		if p.Name() == name {
			return p
		}
	}
	return protocols[0]
}
