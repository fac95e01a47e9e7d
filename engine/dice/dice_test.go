package dice

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// Every generator throws each roll equally often and repeats itself for the same seed and
// stream only.
func TestGenerator(t *testing.T) {
	first := map[uint64]string{}
	for _, name := range Names() {
		g, err := Parse(strings.ToUpper(name))
		if err != nil || g.Check() != nil {
			t.Fatalf("Parse(%q) = %q, %v", name, g, err)
		}
		n := 36 * 200
		if g == BBS && testsize.Brief() { // a bit at a time
			n /= 5
		}
		var seen, thrown [6][6]int
		r := g.New(1, 2)
		for range n {
			seen[r.IntN(6)][r.IntN(6)]++
			d := Throw(r)
			thrown[d[0]-1][d[1]-1]++
		}
		for _, table := range [][6][6]int{seen, thrown} {
			chi := 0.0
			for _, row := range table {
				for _, k := range row {
					chi += math.Pow(float64(k-n/36), 2) / float64(n/36)
				}
			}
			if chi > 70 { // 35 degrees of freedom: one in 2,000 seeds, and this seed is fixed
				t.Errorf("%q: chi square %.1f of 36 throws", name, chi)
			}
		}
		a, b, c, d, e := g.New(7, 1).Uint64(), g.New(7, 1).Uint64(), g.New(7, 2).Uint64(), g.New(8, 1).Uint64(), g.New(7, 0).Uint64()
		if a != b || a == c || a == d || a == e || c == e {
			t.Errorf("%q: streams %x %x %x %x %x", name, a, b, c, d, e)
		}
		if other := first[a]; other != "" {
			t.Errorf("%s and %s throw the same", name, other)
		}
		first[a] = name
	}
	if g, err := Parse(""); g != PCG || err != nil {
		t.Errorf("no name: %q, %v", g, err)
	}
	if _, err := Parse("dev-random"); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "(use pcg, chacha8, mersenne, isaac, md5, bbs)") {
		t.Errorf("an unknown name: %v", err)
	}
	if err := Generator("dev-random").Check(); !errors.Is(err, ErrUnknown) {
		t.Errorf("an unknown name: %v", err)
	}
}

// The published results of the generators: Jenkins' randvect.txt (the words after the
// first 256, in the order of the array), MT19937 of seed 5489, MD5 of four bytes.
func TestGenerator_published(t *testing.T) {
	r := &isaac{}
	r.start()
	r.fill()
	want := []uint32{0xf650e4c8, 0xe448e96d, 0x98db2fb4, 0xf5fad54f, 0x433f1afb, 0xedec154a, 0xd8370487, 0x46ca4f9a}
	if got := r.result[:len(want)]; !slices.Equal(got, want) {
		t.Errorf("ISAAC: %08x, want %08x", got, want)
	}
	if got := Mersenne.Source(5489, 0).Uint64(); got != 3499211612<<32|581869302 {
		t.Errorf("Mersenne Twister: %d", got)
	}
	if got := MD5.Source(0, 0).Uint64(); got != 0x84ffd3f1_32772943 { // the MD5 of four zero bytes begins f1d3ff8443297732
		t.Errorf("MD5: %016x", got)
	}
	// 2 squared 8 times passes the modulus for the first time: all bits before are 0.
	b := &bbs{}
	b.x.SetUint64(2)
	for i := range 8 {
		if b.bit() != 0 {
			t.Errorf("bit %d of BBS is 1", i)
		}
	}
	if want := new(big.Int).Mod(new(big.Int).Lsh(big.NewInt(1), 256), bbsModulus); b.x.Cmp(want) != 0 {
		t.Errorf("BBS is at %v, want %v", &b.x, want)
	}
}

// gnubg throws the same dice from the same seed.
func TestGenerator_gnubg(t *testing.T) {
	testsize.Medium(t)
	gnubg, err := exec.LookPath("gnubg")
	if err != nil {
		gnubg = "/usr/games/gnubg"
		if _, err := os.Stat(gnubg); err != nil {
			t.Skip("gnubg is not installed")
		}
	}
	const games = 40
	for _, name := range []string{"md5", "bbs"} { // its Mersenne Twister is another one (SFMT), its ISAAC is seeded otherwise
		for _, seed := range []uint64{7, 123456789} {
			script := fmt.Sprintf("set player 0 human\nset player 1 human\nset confirm new off\nset automatic game off\nset rng %s\nset seed %d\n%s",
				name, seed, strings.Repeat("new game\n", games))
			cmd := exec.Command(gnubg, "-t", "-q", "-r")
			cmd.Stdin = strings.NewReader(script)
			cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "LC_ALL=C")
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			var got [][2]uint8
			for _, m := range regexp.MustCompile(`rolls ([1-6]), \S+ rolls ([1-6])\.`).FindAllStringSubmatch(string(out), -1) {
				got = append(got, [2]uint8{m[1][0] - '0', m[2][0] - '0'})
			}
			if len(got) < games {
				t.Fatalf("%s: %d rolls in\n%s", name, len(got), out)
			}
			b := &bbs{}
			b.x.SetUint64(seed)
			next := func() [2]uint8 { return [2]uint8{bitDie(b), bitDie(b)} }
			if name != "bbs" {
				src := Generator(name).Source(seed, 0)
				next = func() [2]uint8 { return Throw(src) }
			}
			for i, g := range got {
				if d := next(); d != g {
					t.Fatalf("%s, seed %d: roll %d is %d, gnubg threw %d", name, seed, i, d, g)
				}
			}
		}
	}
}

// bitDie makes a die as gnubg does: a third of a binary fraction, read bit by bit until it
// is determined, then a bit for the upper half.
func bitDie(b *bbs) uint8 {
	at, size := uint64(0), uint64(1)
	for 3*at/size != (3*at+2)/size {
		at, size = at<<1|b.bit(), size<<1
	}
	return uint8(3*at/size+3*b.bit()) + 1
}

func TestRead(t *testing.T) {
	for _, tt := range []struct{ in, want, fault string }{
		{"31", "31", ""},
		{"3-1, 4 2\n# a comment: 66\n55:6\t6\r\n", "31425566", ""},
		{"3142 # 7 rolls\n66", "314266", ""},
		{"", "", "no roll in it"},
		{"# nothing\n", "", "no roll in it"},
		{"314", "", "3 dice, an odd number"},
		{"31\n47\n", "", "line 2: '7'"},
		{"31\n\n0", "", "line 3: '0'"},
		{strings.Repeat("1", 2*MaxRolls+2), "", "more than 100000 rolls"},
	} {
		got, err := Read(strings.NewReader(tt.in))
		if tt.fault != "" {
			if !errors.Is(err, ErrRolls) || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%.30q: %v, want %s", tt.in, err, tt.fault)
			}
			continue
		}
		if err != nil || got != tt.want {
			t.Errorf("%.30q: %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
	if d, ok := At("3142", 1); !ok || d != [2]uint8{4, 2} {
		t.Errorf("roll 1: %v %v", d, ok)
	}
	if _, ok := At("3142", 2); ok {
		t.Error("there is a roll after the last")
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"31 42", "3-1,4:2 # x\n66", "314", "7"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		digits, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if err := Check(digits); err != nil {
			t.Fatal(err)
		}
		if again, err := Read(strings.NewReader(digits)); err != nil || again != digits {
			t.Fatalf("%q read again: %q, %v", digits, again, err)
		}
	})
}
