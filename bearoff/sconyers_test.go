package bearoff

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSconyersPlace_fillsEveryFile: pairs follow one another without gaps through the files.
func TestSconyersPlace_fillsEveryFile(t *testing.T) {
	var before [sconyersFiles + 2]int64 // bytes of the files before each
	for n := 1; n <= sconyersFiles; n++ {
		before[n+1] = before[n] + sconyersBytes(n)
	}
	if all := int64(54263 * 54263 * 16); before[sconyersFiles+1] != all {
		t.Errorf("all files have %d bytes, must have %d", before[sconyersFiles+1], all)
	}
	rapid.Check(t, func(t *rapid.T) {
		us := rapid.Uint32Range(1, sconyersPlaces).Draw(t, "us")
		them := rapid.Uint32Range(1, sconyersPlaces).Draw(t, "them")
		n, off := sconyersPlace(us, them)
		if n < 1 || n > sconyersFiles || off < 0 || off+sconyersRecord > sconyersBytes(n) {
			t.Fatalf("pair %d, %d: offset %d of file %d is out of range", us, them, off, n)
		}
		if got, want := before[n]+off, 16*(54263*int64(us-1)+int64(them-1)); got != want {
			t.Fatalf("pair %d, %d is number %d, must be %d", us, them, got/16, want/16)
		}
	})
}

func TestSconyersPlace_boundaries(t *testing.T) {
	if Size(6, 15)-1 != sconyersPlaces || Size(6, 14)-1 != sconyersAsked || Size(6, 6) != sixCheckers {
		t.Error("the numbers of placements are others")
	}
	for _, c := range []struct {
		us, them uint32
		file     int
		off      int64
	}{
		{1, 1, 1, 0},
		{1, 2, 1, 16},
		{2, 1, 1, 54263 * 16},
		{1250, 54263, 1, 1250*54263*16 - 16},
		{1251, 1, 2, 0},
		{2500, 1, 2, 1249 * 54263 * 16},
		{2501, 1, 3, 0},
		{38759, 1, 32, 8 * 54263 * 16},
		{53750, 54263, 43, 1250*54263*16 - 16},
		{53751, 1, 44, 0},
		{54263, 54263, 44, 513*54263*16 - 16},
	} {
		if n, off := sconyersPlace(c.us, c.them); n != c.file || off != c.off {
			t.Errorf("pair %d, %d: offset %d of file %d, want %d of file %d", c.us, c.them, off, n, c.off, c.file)
		}
	}
	if n := sconyersBytes(43); n != 1250*54263*16 {
		t.Errorf("file 43 has %d bytes", n)
	}
	if n := sconyersBytes(44); n != 513*54263*16 {
		t.Errorf("file 44 has %d bytes", n)
	}
}

func TestSconyersNumber(t *testing.T) {
	for name, want := range map[string]int{
		"bg15_1.dat": 1, "/cd/BG15_44.DAT": 44, "bg15_9.DAT": 9, "bg15_45.dat": 0, "bg15_0.dat": 0, "bg15_01.dat": 0,
		"bg15_100.dat": 0, "bg15_.dat": 0, "bg15_1.dat.zip": 0, "abg15_1.dat": 0, "bg15_1xdat": 0,
	} {
		if got := sconyersNumber(name); got != want {
			t.Errorf("%s: file %d, must be %d", name, got, want)
		}
	}
}

// TestEquities_exactOnesArePossible: what is asked of an entry of Sconyers' holds for exact
// ones, with room.
func TestEquities_exactOnesArePossible(t *testing.T) {
	needsStandard(t)
	two, one := home6(), home15()
	for x := uint32(1); x < two.n; x += 3 {
		a, _ := one.entry(x)
		for y := uint32(1); y < two.n; y += 2 {
			raw, _ := two.Raw(x, y)
			e := equitiesOf(raw)
			b, _ := one.entry(y)
			if d := noLater(a.off, b.off, 0) - (e.Cubeless+1)/2; !e.possible() || d > sconyersNear/2 || d < -sconyersNear/2 {
				t.Fatalf("pair %d, %d: %+v, off by %v", x, y, e, d)
			}
		}
	}
}
