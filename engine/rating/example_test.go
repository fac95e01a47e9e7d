package rating_test

import (
	"fmt"

	"fibsbot/engine/rating"
)

// A newcomer beats an old hand in a match to five.
func ExampleUpdate() {
	anna, bert := rating.Account{Rating: rating.StartRating}, rating.Account{Rating: 1700, Experience: 2000}
	fmt.Printf("anna wins with chance %.2f\n", rating.WinChance(anna.Rating-bert.Rating, 5))
	anna, bert = rating.Update(anna, bert, 5)
	fmt.Printf("anna %.2f %d, bert %.2f %d\n", anna.Rating, anna.Experience, bert.Rating, bert.Experience)
	// Output:
	// anna wins with chance 0.37
	// anna 1527.99 5, bert 1694.40 2005
}
