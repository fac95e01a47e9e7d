package pwhash

import "testing"

func TestSecret_textAndBack(t *testing.T) {
	for _, cheap := range []bool{true, false} {
		k, err := New("pass word", cheap)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(k.Text())
		if err != nil || again.Text() != k.Text() || !again.Is("pass word") || again.Is("password") {
			t.Errorf("%s: %v", k.Text(), err)
		}
	}
	for _, bad := range []string{"", "secret", "$argon2id$v=19$m=4294967295,t=1,p=1$YWFh$YWFh", "$pbkdf2-sha256$i=0$YQ$YQ", "$pbkdf2-sha256$i=9$YQ$Y"} {
		if _, err := Read(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
