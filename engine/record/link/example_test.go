package link_test

import (
	"bytes"
	"fmt"
	"strings"

	"fibsbot/engine/record/link"
	"fibsbot/engine/record/mat"
)

// A match goes into the address of a page and comes back from it.
func Example() {
	all, _, err := mat.ReadAll(strings.NewReader(" 3 point match\n\n Game 1\n Anna : 0      Bob : 0\n  1) 31: 8/5 6/5        64: 24/14\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	var b bytes.Buffer
	if err := link.Write(&b, all[0]); err != nil {
		fmt.Println(err)
		return
	}
	address := "https://example.org/matches#" + b.String()
	back, _, err := link.Read(strings.NewReader(address))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(back[0].Players[0].Name, back[0].Length, len(back[0].Games[0].Actions), len(address) < 600)
	// Output: Anna 3 2 true
}
