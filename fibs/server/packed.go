package server

// packed is the settings of an account between logins, without a map: a hundred thousand maps
// would take more memory than the rest of the accounts.
type packed struct {
	on         uint32 // one bit for each of toggles
	boardStyle uint8
	lineLength uint16
	pageLength uint16
	redoubles  int8
	sortWho    string
	timezone   string
}

func (s settings) pack() packed {
	s = s.clone()
	p := packed{boardStyle: uint8(s.BoardStyle), lineLength: uint16(s.LineLength), pageLength: uint16(s.PageLength),
		redoubles: int8(s.Redoubles), sortWho: s.SortWho, timezone: s.Timezone}
	for i, t := range toggles {
		if s.Toggles[t.name] {
			p.on |= 1 << i
		}
	}
	return p
}

func (p packed) unpack() settings {
	s := settings{Toggles: make(map[string]bool, len(toggles)), BoardStyle: int(p.boardStyle), LineLength: int(p.lineLength),
		PageLength: int(p.pageLength), Redoubles: int(p.redoubles), SortWho: p.sortWho, Timezone: p.timezone}
	for i, t := range toggles {
		s.Toggles[t.name] = p.on&(1<<i) != 0
	}
	return s
}
