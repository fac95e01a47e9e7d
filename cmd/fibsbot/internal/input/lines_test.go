package input

import (
	"strings"
	"testing"

	"fibsbot/engine/board"

	"github.com/google/go-cmp/cmp"
)

// TestLines_jsonOfOtherKinds: a value of another kind is refused by its field in words of
// JSON, and a score has two numbers.
func TestLines_jsonOfOtherKinds(t *testing.T) {
	for text, want := range map[string]string{
		`{"position": 3}`: "position: got a number, want text",
		`{"position": "4HPwATDgc/ABMA", "length": "7"}`:                  "length: got a string, want a whole number",
		`{"position": "4HPwATDgc/ABMA", "crawford": 1}`:                  "crawford: got a number, want true or false",
		`{"position": "4HPwATDgc/ABMA", "dice": "31"}`:                   "dice: want two numbers from 1 to 6",
		`{"position": "4HPwATDgc/ABMA", "length": 7, "score": [1]}`:      "score: want two whole numbers",
		`{"position": "4HPwATDgc/ABMA", "length": 7, "score": [1,2,3]}`:  "score: want two whole numbers",
		`{"position": "4HPwATDgc/ABMA", "length": 7, "score": ["1",2]}`:  "score: want two whole numbers",
		`{"position": "4HPwATDgc/ABMA", "length": 7, "score": null}`:     "",
		`{"position": "4HPwATDgc/ABMA", "length": 7, "score": [1, 6.5]}`: "score: want two whole numbers",
	} {
		for l := range Lines(strings.NewReader(text), Position{}) {
			if (l.Err == nil) != (want == "") || l.Err != nil && !strings.HasPrefix(l.Err.Error(), want) {
				t.Errorf("%s: %v", text, l.Err)
			}
		}
	}
}

// A byte order mark, with which some Windows editors begin a file, is skipped.
func TestLines_byteOrderMark(t *testing.T) {
	for _, text := range []string{"4HPwATDgc/ABMA", `{"position": "4HPwATDgc/ABMA"}`, "# a comment\n4HPwATDgc/ABMA"} {
		for l := range Lines(strings.NewReader("\ufeff"+text+"\r\n"), Position{}) {
			if l.Err != nil || l.Question.Position != board.Start {
				t.Errorf("%q: %+v", text, l)
			}
		}
	}
}

// A line's object never changes what the next line takes from the defaults, and each line
// may name its game and its roll.
func TestLines_defaultsStay(t *testing.T) {
	five, me := 5, "me"
	d := Position{Dice: Roll{3, 1}}
	d.Length, d.Owner = &five, &me
	var got []string
	const in = `{"position": "4HPwATDgc/ABMA", "length": 7, "owner": "opponent", "cube": 2, "dice": []}
{"position": "4HPwATDgc/ABMA", "cube": 2}
{"variation": "hypergammon2", "dice": [6, 6], "length": 0, "owner": "centre"}
4HPwATDgc/ABMA 22`
	for l := range Lines(strings.NewReader(in), d) {
		if l.Err != nil {
			t.Error(l.Number, l.Err)
			continue
		}
		got = append(got, l.Question.XGID())
	}
	want := []string{
		"XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:7:10",
		"XGID=-b----E-C---eE---c-e----B-:1:1:1:31:0:0:0:5:10",
		"XGID=-aa--------------------AA-:0:0:1:66:0:0:3:0:10",
		"XGID=-b----E-C---eE---c-e----B-:0:1:1:22:0:0:0:5:10",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLines_idsWithPlus: a Position ID may begin with + and a digit, as the edges of a drawn board
// do.
func TestLines_idsWithPlus(t *testing.T) {
	n := 0
	for l := range Lines(strings.NewReader("+84sAADvewAIBA\n +13-14-15-16-17-18------19-20-21-22-23-24-+\n+-1--2--3-+\n"), Position{}) {
		if n++; l.Err != nil || l.Number != 1 || l.Question.Position.ID() != "+84sAADvewAIBA" {
			t.Errorf("%+v", l)
		}
	}
	if n != 1 {
		t.Errorf("%d positions of 1", n)
	}
}
