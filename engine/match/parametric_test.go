package match

import (
	"errors"
	"strings"
	"testing"
)

func TestReadXML_refusesFormulas(t *testing.T) {
	for _, kind := range []string{"zadeh", "mec"} {
		_, err := ReadXML(strings.NewReader(`<met><info><name>N. Zadeh</name><length>-1</length></info><pre-crawford-table type="` + kind + `">` +
			`<parameters><parameter name="gammon-rate">0.26</parameter></parameters></pre-crawford-table></met>`))
		if !errors.Is(err, ErrTable) || !strings.Contains(err.Error(), "parameters of a formula") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
