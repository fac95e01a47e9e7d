package input

import (
	"strings"
	"testing"

	"fibsbot/engine/advice"
	"fibsbot/engine/board"
)

// TestLines_jsonOfOtherKinds: a value of another kind is told of by its field in words of
// JSON, and a score has two numbers; one was taken for 1-0, three for the first two.
func TestLines_jsonOfOtherKinds(t *testing.T) {
	for text, want := range map[string]string{
		`{"position": 3}`: "position: a number stands where text is wanted",
		`{"position": "4HPwATDgc/ABMA", "length": "7"}`:                  "length: a string stands where a whole number is wanted",
		`{"position": "4HPwATDgc/ABMA", "crawford": 1}`:                  "crawford: a number stands where true or false is wanted",
		`{"position": "4HPwATDgc/ABMA", "dice": "31"}`:                   "dice: a string stands where a list is wanted",
		`{"position": "4HPwATDgc/ABMA", "length": 7, "score": [1]}`:      "score: want two whole numbers",
		`{"position": "4HPwATDgc/ABMA", "length": 7, "score": [1,2,3]}`:  "score: want two whole numbers",
		`{"position": "4HPwATDgc/ABMA", "length": 7, "score": ["1",2]}`:  "score: want two whole numbers",
		`{"position": "4HPwATDgc/ABMA", "length": 7, "score": null}`:     "",
		`{"position": "4HPwATDgc/ABMA", "length": 7, "score": [1, 6.5]}`: "score: want two whole numbers",
	} {
		for l := range Lines(strings.NewReader(text), advice.Overrides{}, board.Dice{}) {
			if (l.Err == nil) != (want == "") || l.Err != nil && !strings.HasPrefix(l.Err.Error(), want) {
				t.Errorf("%s: %v", text, l.Err)
			}
		}
	}
}

// The byte order mark with which some Windows editors begin a file belongs to no position.
func TestLines_byteOrderMark(t *testing.T) {
	for _, text := range []string{"4HPwATDgc/ABMA", `{"position": "4HPwATDgc/ABMA"}`, "# a comment\n4HPwATDgc/ABMA"} {
		for l := range Lines(strings.NewReader("\ufeff"+text+"\r\n"), advice.Overrides{}, board.Dice{}) {
			if l.Err != nil || l.Question.Position != board.Start {
				t.Errorf("%q: %+v", text, l)
			}
		}
	}
}
