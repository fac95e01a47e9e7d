package detect

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

const smallMat = " 3 point match\n\n Game 1\n Zoë 𝄞 : 0    Bob : 0\n  1) 31: 8/5 6/5    42: 8/4 6/4\n  2) 66: 24/18(2) 13/7(2)\n"

// inUTF16 writes text as UTF-16 with a byte order mark.
func inUTF16(order binary.ByteOrder, text string) []byte {
	var b bytes.Buffer
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		var unit [2]byte
		order.PutUint16(unit[:], u)
		b.Write(unit[:])
	}
	return b.Bytes()
}

func TestRead_utf16(t *testing.T) {
	want, _, _, err := Read(bytes.NewReader([]byte(smallMat)))
	if err != nil {
		t.Fatal(err)
	}
	if name := want[0].Players[0].Name; name != "Zoë 𝄞" {
		t.Fatalf("the name is %q", name)
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []int{0, 2} { // with the byte order mark and without
			got, f, _, err := Read(bytes.NewReader(inUTF16(order, smallMat)[mark:]))
			if err != nil || f != "mat" {
				t.Errorf("%v: %q %v", order, f, err)
				continue
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v:\n%s", order, diff)
			}
		}
	}
}

func TestDecoded_brokenPairs(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
	}{
		{"first half alone", "\xff\xfe\x34\xd8a\x00", "\ufeff\ufffda"},
		{"second half alone", "\xff\xfe\x1e\xdda\x00", "\ufeff\ufffda"},
		{"first half at the end", "\xff\xfe\x34\xd8", "\ufeff\ufffd"},
		{"half a unit at the end", "\xff\xfea\x00b", "\ufeffa\ufffd"},
		{"not UTF-16", "\xfeplain", "\xfeplain"},
		{"no mark", " \x001\x00 \x00p\x00\x34\xd8", " 1 p\ufffd"},
		{"numbers of four bytes", "7\x00\x00\x008\x00\x00\x00", "7\x00\x00\x008\x00\x00\x00"},
		{"numbers of two bytes", "\x01\x007\x008\x009\x00", "\x01\x007\x008\x009\x00"},
		{"nothing", "", ""},
	} {
		in, _, _ := decoded(bufio.NewReader(iotest.OneByteReader(bytes.NewReader([]byte(tt.in)))))
		got, err := io.ReadAll(in)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q %v, want %q", tt.name, got, err, tt.want)
		}
	}
}
