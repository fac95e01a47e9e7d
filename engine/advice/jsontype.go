package advice

import (
	"encoding/json"
	"reflect"
)

// JSONScore is a score in a request: two numbers, that of the player on roll first. As an
// array of Go it would take one number or three.
type JSONScore [2]int

// UnmarshalJSON implements [json.Unmarshaler]; its error is a [FieldError].
func (s *JSONScore) UnmarshalJSON(text []byte) error {
	var list []int
	if err := json.Unmarshal(text, &list); err != nil || len(list) != 2 {
		return &FieldError{Field: "score", Problem: "want two whole numbers, that of the player on roll first"}
	}
	*s = JSONScore(list)
	return nil
}

// JSONType names the JSON type of a value of type t, in the words of JSON.
func JSONType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
