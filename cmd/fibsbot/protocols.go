package main

import (
	"fibsbot/bot/bgammon"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/config"
)

// protocols are the kinds of servers that server.protocol can name.
var protocols = []protocol.Protocol{fibs.Protocol{}, bgammon.Protocol{}}

// protocolOf is the protocol that a configuration names, which was checked.
func protocolOf(name string) protocol.Protocol {
	for _, p := range protocols {
		if p.Name() == name {
			return p
		}
	}
	return protocols[0]
}

// describedProtocols are the protocols as the check of a configuration needs them.
func describedProtocols() (list []config.Protocol) {
	for _, p := range protocols {
		d := config.Protocol{Name: p.Name(), Opens: p.Rules().Opens, Watches: watches(p)}
		if c, ok := p.(interface {
			CheckName(name string) error
			CheckAddress(address string) error
		}); ok {
			d.CheckName, d.CheckAddress = c.CheckName, c.CheckAddress
		}
		list = append(list, d)
	}
	return list
}

// watches reports whether the matches of others can be watched on a server.
func watches(pr protocol.Protocol) bool {
	_, err := pr.Encode(protocol.Watch{Name: "player"})
	return err == nil
}
