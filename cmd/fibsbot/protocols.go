package main

import (
	"fibsbot/bot/bgammon"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
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

// checkLogin reports what is wrong with an account's name and address on the servers of a
// protocol, where it has rules of its own; known is false where it has none.
func checkLogin(name, account, address string) (known bool, badName, badAddress error) {
	c, ok := protocolOf(name).(interface {
		CheckName(name string) error
		CheckAddress(address string) error
	})
	if !ok {
		return false, nil, nil
	}
	return true, c.CheckName(account), c.CheckAddress(address)
}
