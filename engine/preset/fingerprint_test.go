package preset

import (
	"reflect"
	"testing"

	"fibsbot/engine/cube"
	"fibsbot/engine/search"
)

// The fingerprints of the presets. If one differs, docs/strength.md has to say that the figures are those of
// another preset, and old duel logs describe another one; if no preset was redefined, Fingerprint no longer
// fits existing files.
func TestFingerprint_asDocumented(t *testing.T) {
	for name, want := range map[string]string{
		"beginner": "01bb7d5770d23241", "casual": "c1738ef658bf96d1", "intermediate": "9c98130d6b12b045", "advanced": "fc4c1db1d3901c11", "expert": "fe593d6955534811", "worldclass": "88ab05c65ab6085f", "supremo": "47d661f3310c7a62", "champion": "725e0def75cbeff2", "grandmaster": "80ba32ca0a1f8fc5", "legend": "cca0b5320806216a",
	} {
		p, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Fingerprint(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Every field that changes decisions is in the fingerprint, including fields added later.
// Names, seeds and resignations are not, and equivalent settings share a fingerprint.
func TestFingerprint_seesEveryField(t *testing.T) {
	base, err := ByName("grandmaster")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{base.Fingerprint(): "grandmaster"}
	changed := func(what string, p Preset) {
		t.Helper()
		f := p.Fingerprint()
		if other, there := seen[f]; there {
			t.Errorf("%s changed, and the fingerprint is that of %s", what, other)
		}
		seen[f] = what
	}
	same := func(what string, p Preset) {
		t.Helper()
		if p.Fingerprint() != base.Fingerprint() {
			t.Errorf("%s changed the fingerprint", what)
		}
	}
	for _, part := range []string{"", "Checker", "Cube", "Close", "Human"} {
		of := func(p *Preset) reflect.Value {
			v := reflect.ValueOf(p).Elem()
			if part != "" {
				v = v.FieldByName(part)
			}
			return v
		}
		for i := range of(&base).NumField() {
			p := base
			f := of(&p).Field(i)
			name := part + "." + of(&p).Type().Field(i).Name
			switch f.Kind() {
			case reflect.Bool:
				f.SetBool(!f.Bool())
			case reflect.Int, reflect.Int64:
				f.SetInt(f.Int() + 1)
			case reflect.Uint64:
				f.SetUint(7)
			case reflect.Float64:
				f.SetFloat(f.Float() + 0.5)
			case reflect.String:
				f.SetString("x")
			case reflect.Pointer:
				x := 0.5
				f.Set(reflect.ValueOf(&x))
			case reflect.Struct:
				switch x := f.Addr().Interface().(type) {
				case *search.Filter:
					*x = search.Huge
				case *cube.ResignStyle:
					*x = cube.ResignStyle{Never: true}
				default:
					if part == "" {
						continue // a part, whose fields follow
					}
					t.Fatalf("%s is of a new kind", name)
				}
			default:
				t.Fatalf("%s is of a new kind", name)
			}
			switch name {
			case ".Name", ".Summary", ".Resign", "Checker.Seed", "Cube.Seed":
				same(name, p)
			default:
				changed(name, p)
			}
		}
	}
	all := base
	all.Checker.Share, all.Cube.Share = 1, 1
	same("a share that is all", all)
	other := base
	other.Checker.Filter.Name, other.Checker.Filter.Cuts[0] = "x", nil
	same("what the depth does not use of the filter", other)
}
