package cube

import (
	_ "embed"
	"sync"
)

//go:embed efficiency.bin
var efficiencyFile []byte

// UsualEfficiencyNet returns the net in the program, made by
//
//	fibslab train cube cube.jsonl
//	fibslab train cube cube.jsonl --fit engine/cube/efficiency.bin
var UsualEfficiencyNet = sync.OnceValue(func() *EfficiencyNet {
	n, err := ParseEfficiencyNet(efficiencyFile)
	if err != nil {
		panic(err) // the file in the program is sound
	}
	return n
})
