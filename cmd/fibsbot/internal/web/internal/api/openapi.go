package api

import (
	"cmp"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/internal/figure"
	"fibsbot/internal/http"
)

// object is a JSON object.
type object map[string]any

var pathParam = regexp.MustCompile(`\{(\w+)\}`)

// describe writes the OpenAPI 3.0 description of routes. Schemas are those of the Go
// types, as encoding/json writes them.
func describe(routes []route, version string) []byte {
	version = cmp.Or(version, "dev")
	s := schemas{named: object{}}
	paths := object{}
	problem := object{"description": "what is wrong, and the field", "content": object{"application/json": object{"schema": s.of(reflect.TypeFor[Problem]())}}}
	for _, r := range routes {
		params := []object{}
		for _, m := range pathParam.FindAllStringSubmatch(r.path, -1) {
			params = append(params, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
		}
		for _, q := range r.query {
			params = append(params, object{"name": q.name, "in": "query", "description": q.about, "schema": object{"type": "string"}})
		}
		content := object{}
		switch {
		case r.out != nil:
			content["application/json"] = object{"schema": s.of(reflect.TypeOf(r.out))}
		case r.kind != "":
			content[r.kind] = object{"schema": object{"type": "string"}}
		}
		status := strconv.Itoa(cmp.Or(r.status, http.StatusOK))
		op := object{
			"summary": r.summary, "operationId": operation(r), "parameters": params,
			"responses": object{status: object{"description": "done", "content": content}, "default": problem},
		}
		switch {
		case r.in != nil:
			op["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": s.of(reflect.TypeOf(r.in))}}}
		case r.file:
			content := object{"application/octet-stream": object{"schema": object{"type": "string", "format": "binary"}}}
			if r.form {
				content[formType] = object{"schema": object{"type": "object", "additionalProperties": object{"type": "string", "format": "binary"}}}
			}
			op["requestBody"] = object{"required": true, "content": content}
		}
		path, ok := paths["/api/v1"+r.path].(object)
		if !ok {
			path = object{}
			paths["/api/v1"+r.path] = path
		}
		path[strings.ToLower(r.method)] = op
	}
	data, err := json.MarshalIndent(object{
		"openapi": "3.0.3",
		"info": object{"title": "fibsbot", "version": version,
			"description": "Backgammon: evaluation, plays, the cube, rollouts, analysis, the archive, matches against the engine. " +
				"Equities are normalised (EMG) and those of the player on roll; chances are between 0 and 1."},
		"paths": paths, "components": object{"schemas": s.named},
	}, "", " ")
	if err != nil {
		panic(err) // maps of strings always encode
	}
	return data
}

// operation is the operationId of a route, such as getGamesHint.
func operation(r route) string {
	name := strings.ToLower(r.method)
	for _, part := range strings.Split(strings.Trim(r.path, "/"), "/") {
		if m := pathParam.FindStringSubmatch(part); m != nil {
			part = "by_" + m[1]
		}
		for _, word := range strings.Split(part, "_") {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return name
}

// statsSchema has the statistics of the archive, which are a list and not fields of a type.
func (s *schemas) stats() object {
	fields := object{"key": object{"type": "string"}}
	for i := range index.Statistics {
		field := object{"type": "number", "nullable": true}
		if index.Statistics[i].Print.Time {
			field = object{"type": "string", "format": "date-time", "nullable": true}
		}
		fields[index.Statistics[i].Name] = field
		if index.Statistics[i].Interval != nil {
			fields[index.Statistics[i].Name+"_interval"] = s.of(reflect.TypeFor[*figure.Interval]())
		}
	}
	return object{"type": "object", "properties": fields}
}

// schemas collects the schemas of named types.
type schemas struct{ named object }

func (s *schemas) of(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[figure.Figure]():
		return object{"type": "number", "nullable": true}
	case t == reflect.TypeFor[index.Stats]():
		return s.stats()
	case t.Kind() == reflect.Pointer:
		in := s.of(t.Elem())
		if ref, ok := in["$ref"]; ok {
			return object{"nullable": true, "allOf": []object{{"$ref": ref}}}
		}
		in["nullable"] = true
		return in
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer"}
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem()), "nullable": true}
	case reflect.Array:
		return object{"type": "array", "items": s.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		if t.Name() == "" {
			return s.fields(t)
		}
		name := t.Name()
		if pkg := t.PkgPath(); !strings.HasSuffix(pkg, "/api") {
			name = pkg[strings.LastIndex(pkg, "/")+1:] + "." + name
		}
		if _, ok := s.named[name]; !ok {
			s.named[name] = object{} // a type may contain itself
			s.named[name] = s.fields(t)
		}
		return object{"$ref": "#/components/schemas/" + name}
	}
	return object{}
}

// fields is the schema of a struct, with the fields of embedded structs.
func (s *schemas) fields(t reflect.Type) object {
	props, required := object{}, []string{}
	depth := map[string]int{} // as in encoding/json, an outer field hides one of an embedded struct
	var add func(t reflect.Type, level int)
	add = func(t reflect.Type, level int) {
		for i := range t.NumField() {
			f := t.Field(i)
			name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous && name == "" {
				add(f.Type, level+1)
				continue
			}
			if !f.IsExported() || name == "-" {
				continue
			}
			name = cmp.Or(name, f.Name)
			if had, ok := depth[name]; ok && had <= level {
				continue
			}
			depth[name] = level
			props[name] = s.of(f.Type)
			required = slices.DeleteFunc(required, func(other string) bool { return other == name })
			if !strings.Contains(opts, "omit") {
				required = append(required, name)
			}
		}
	}
	add(t, 0)
	out := object{"type": "object", "properties": props, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}
