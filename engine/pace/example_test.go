package pace_test

import (
	"fmt"
	"time"

	"fibsbot/engine/pace"
)

// Two plays are about equally good; then one is obvious.
func ExampleOfPlays() {
	for _, equities := range [][]float64{{0.10, 0.09, -0.40}, {0.10, -0.40}} {
		fmt.Println(pace.OfPlays(equities).Time(time.Second, 10*time.Second, 0.5).Round(time.Second / 2))
	}
	// Output:
	// 4s
	// 1.5s
}
