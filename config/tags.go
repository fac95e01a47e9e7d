package config

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// checked is a part of the configuration with more rules than the tags of its keys say.
type checked interface {
	check(k *checker, field string)
}

// visit calls see for v and every value below it, parts first, with its path as errors write it
// and the tag of its key.
func visit(v reflect.Value, field string, tag reflect.StructTag, see func(reflect.Value, string, reflect.StructTag)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			visit(v.Field(i), join(field, f.Tag.Get("yaml")), f.Tag, see)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v.Elem(), field, tag, see)
		}
		return
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), fmt.Sprintf("%s[%d]", field, i), tag, see)
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		for _, key := range keys {
			visit(v.MapIndex(key), join(field, key.String()), tag, see)
		}
	}
	see(v, field, tag)
}

// value checks one value by the tags of its key:
//
//	must, is     bounds of a number or a time, see bounds
//	least, most  bounds of a time
//	form         hours, a language, or a pattern for names
//	web          an address, and the example that the message has
//	text         a template, with the placeholders that textPlaceholders has by this name
func (k *checker) value(v reflect.Value, field string, tag reflect.StructTag) {
	switch v.Kind() {
	case reflect.String:
		k.form(v.String(), field, tag)
	case reflect.Int64:
		t := Duration(v.Int())
		least, _ := time.ParseDuration(tag.Get("least"))
		k.want(t.Std() >= least, field, "%v is too short (minimum %s)", t, tag.Get("least"))
		most, err := time.ParseDuration(tag.Get("most"))
		k.want(err != nil || t.Std() <= most, field, "%v is too long (maximum %s)", t, tag.Get("most"))
		k.bounds(t, float64(t), field, tag)
	case reflect.Int:
		k.bounds(v.Int(), float64(v.Int()), field, tag)
	case reflect.Float64:
		k.bounds(v.Float(), v.Float(), field, tag)
	}
	if c, ok := v.Interface().(checked); ok {
		c.check(k, field)
	}
}

var number = regexp.MustCompile(`[0-9.]+`)

// bounds checks x, which is written as shown. The tags must and is end the message for what is
// out of bounds, and the numbers in them are the bounds: the lowest value, 0 by default, and the
// highest if there are two.
func (k *checker) bounds(shown any, x float64, field string, tag reflect.StructTag) {
	must, is := tag.Get("must"), tag.Get("is")
	if must+is == "" {
		return
	}
	limits := [2]float64{0, math.Inf(1)}
	for i, text := range number.FindAllString(must+is, 2) {
		limits[i], _ = strconv.ParseFloat(text, 64)
	}
	switch {
	case x >= limits[0] && x <= limits[1] && (x > limits[0] || !strings.Contains(must, "above")):
	case must != "":
		k.fail(field, "must %s", must)
	default:
		k.fail(field, "%v is not %s", shown, is)
	}
}

// form checks the form of a text.
func (k *checker) form(text, field string, tag reflect.StructTag) {
	switch tag.Get("form") {
	case "language":
		k.language(text, field)
	case "hours":
		if _, err := ParseHours(text); err != nil {
			k.fail(field, "%v", err)
		}
	case "pattern":
		_, err := path.Match(text, "x")
		k.want(err == nil && (text != "" || !strings.HasSuffix(field, "]")), field, "%q is not a name or pattern with * and ?", text)
	}
	if example, ok := tag.Lookup("web"); ok && text != "" {
		u, err := url.Parse(text)
		k.want(err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "", field, "not a web address (as %s)", example)
	}
	if set, ok := tag.Lookup("text"); ok {
		k.text(field, text, textPlaceholders[set]...)
	}
}

// check implements checked.
func (r RatingGap) check(k *checker, field string) {
	k.want(r.Max == 0 || r.Max >= r.Min, field, "max %v is below min %v", r.Max, r.Min)
}

// check implements checked.
func (r IntRange) check(k *checker, field string) {
	k.want(r.Min >= 0 && r.Max >= 0, field, "must not be negative")
	k.want(r.Max == 0 || r.Max >= r.Min, field, "max %d is below min %d", r.Max, r.Min)
}

// Default returns the configuration that holds where a file says nothing: the tag default of
// each key. It has no accounts.
func Default() *Config {
	c := &Config{}
	setDefaults(reflect.ValueOf(c).Elem())
	return c
}

// setDefaults reads the tags of the fields of v: text as it is, other values as in a file.
func setDefaults(v reflect.Value) {
	d := decoder{src: &Source{places: map[string]place{}}}
	for i := range v.NumField() {
		sf, f := v.Type().Field(i), v.Field(i)
		text, ok := sf.Tag.Lookup("default")
		switch {
		case f.Kind() == reflect.Struct:
			setDefaults(f)
		case ok && f.Kind() == reflect.String:
			f.SetString(text)
		case ok && f.Kind() != reflect.Slice && f.Kind() != reflect.Map:
			n := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
			n.Tag = n.ShortTag()
			d.value(n, f, sf.Name, "")
		case ok:
			var n yaml.Node
			if err := yaml.Unmarshal([]byte(text), &n); err != nil {
				panic(fmt.Sprintf("config: default of %s: %v", sf.Name, err))
			}
			d.value(n.Content[0], f, sf.Name, "")
		}
	}
	if len(d.errs) > 0 {
		panic(d.errs)
	}
}
