package server

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The worked numbers of the protocol reference, from logged sessions, the
// CLIP specification and arithmetic.
func TestRate_workedNumbers(t *testing.T) {
	tests := []struct {
		winner, loser       float64
		expWinner, expLoser int
		n                   int
		gain, loss          float64
	}{
		{2033.88, 1723.63, 1200000, 10000, 5, 2.775, 2.775},
		{1498.92, 891.29, 9999, 9999, 1, 1.328, 1.328},
		{1655.634835, 1500, 2761, 187, 3, 2.930831, 9.173502},
		{1500, 1600, 0, 1000, 1, 10.575011, 2.115002},
		{1600, 1500, 1000, 0, 1, 1.884998, 9.424989},
		{1500, 1600, 0, 1000, 5, 25.223120, 5.044624},
		{1500, 1900, 200, 50000, 7, 24.503390, 8.167797},
		{1900, 1500, 50000, 200, 7, 2.415209, 7.245626},
		{1500, 1500, 450, 450, 1, 2, 2},
		{1800, 1800, 5000, 5000, 9, 6, 6},
	}
	for _, tt := range tests {
		c := rateMatch(tt.winner, tt.loser, tt.expWinner, tt.expLoser, tt.n)
		if math.Abs(c.gain-tt.gain) > 0.0006 || math.Abs(c.loss-tt.loss) > 0.0006 {
			t.Errorf("%.2f beats %.2f over %d: +%.6f -%.6f, want +%.6f -%.6f", tt.winner, tt.loser, tt.n, c.gain, c.loss, tt.gain, tt.loss)
		}
	}
}

func TestRate_linesReadLikeFIBS(t *testing.T) {
	c := rateMatch(1655.634835, 1500, 2761, 187, 3)
	players := [2]*account{{Name: "alice", Experience: 2761}, {Name: "bob", Experience: 187}}
	want := []string{
		"rating calculation:",
		"rating difference D=155.634835",
		"match length      N=3",
		"Experience: alice 2761 - bob 187",
		"Probability that underdog wins: Pu=1/(10^(D*sqrt(N)/2000)+1)=0.423029",
		"P=0.423029 is 1-Pu if underdog wins and Pu if favorite wins",
		"K=max(1 , -Experience/100+5) for alice: 1.000000",
		"change for alice: 4*K*sqrt(N)*P=2.930831",
		"K=max(1 , -Experience/100+5) for bob: 3.130000",
		"change for bob: -4*K*sqrt(N)*P=-9.173502",
	}
	if diff := cmp.Diff(want, c.lines(players, 0, 3)); diff != "" {
		t.Error(diff)
	}
}

func ExampleServer_AddAccount() {
	s, _ := New(Options{})
	fmt.Println(s.AddAccount("alice", "secret"))
	fmt.Println(s.AddAccount("Alice", "secret"))
	fmt.Println(s.AddAccount("bob:by", "secret"))
	// Output:
	// <nil>
	// add account "Alice": name is taken
	// add account "bob:by": a name has 1 to 20 letters or underscores
}
