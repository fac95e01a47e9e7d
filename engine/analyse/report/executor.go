package report

import (
	"fmt"
	"html/template"
	"io"
	"reflect"
	"strings"
	"text/template/parse"

	"fibsbot/internal/texts"
)

// fill writes a page in the language of c as html/template would, byte for byte. Package
// html/template calls methods by their names, so the linker of the browser edition would keep
// every method of the program: 7.7 MB more to load, 1.6 MB of them compressed. fill knows what
// page.html uses of templates: fields, index, not, if, range, with and template. Fields of the
// types of html/template are markup; all others are escaped, as text and quoted attributes
// need it.
func fill(w io.Writer, p *htmlPage, c *texts.Catalogue) (err error) {
	trees, err := parse.Parse("report", translated(pageSource, c, templateText), "", "", map[string]any{"index": true, "not": true})
	if err != nil {
		return err
	}
	x := executor{root: reflect.ValueOf(p).Elem(), trees: trees}
	defer func() {
		if bad, ok := recover().(badTemplate); ok {
			err = fmt.Errorf("page.html: %s", string(bad))
		}
	}()
	x.walk(x.trees["report"].Root, x.root, nil)
	_, err = io.WriteString(w, x.out.String())
	return err
}

// badTemplate says what fill does not know.
type badTemplate string

type executor struct {
	out   strings.Builder
	root  reflect.Value // what $ is
	trees map[string]*parse.Tree
}

// variables are those in scope, the innermost last.
type variables []struct {
	name  string
	value reflect.Value
}

func (x *executor) walk(node parse.Node, dot reflect.Value, vars variables) {
	switch n := node.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, sub := range n.Nodes {
				x.walk(sub, dot, vars)
			}
		}
	case *parse.TextNode:
		x.out.Write(n.Text)
	case *parse.ActionNode:
		x.print(x.pipe(n.Pipe, dot, vars))
	case *parse.IfNode:
		if truth(x.pipe(n.Pipe, dot, vars)) {
			x.walk(n.List, dot, vars)
		} else {
			x.walk(n.ElseList, dot, vars)
		}
	case *parse.WithNode:
		if v := x.pipe(n.Pipe, dot, vars); truth(v) {
			x.walk(n.List, v, vars)
		} else {
			x.walk(n.ElseList, dot, vars)
		}
	case *parse.RangeNode:
		x.loop(n, dot, vars)
	case *parse.TemplateNode:
		v := x.pipe(n.Pipe, dot, vars)
		sub := executor{root: v, trees: x.trees}
		sub.walk(x.trees[n.Name].Root, v, nil)
		x.out.WriteString(sub.out.String())
	default:
		panic(badTemplate(node.String()))
	}
}

func (x *executor) loop(n *parse.RangeNode, dot reflect.Value, vars variables) {
	list := x.pipe(n.Pipe, dot, vars)
	for i := range list.Len() {
		scope := vars
		if d := n.Pipe.Decl; len(d) > 0 {
			scope = append(vars[:len(vars):len(vars)], variables{{d[len(d)-1].Ident[0], list.Index(i)}}...)
			if len(d) == 2 {
				scope = append(scope, variables{{d[0].Ident[0], reflect.ValueOf(i)}}...)
			}
		}
		x.walk(n.List, list.Index(i), scope)
	}
	if list.Len() == 0 {
		x.walk(n.ElseList, dot, vars)
	}
}

func (x *executor) pipe(p *parse.PipeNode, dot reflect.Value, vars variables) reflect.Value {
	if len(p.Cmds) != 1 {
		panic(badTemplate(p.String()))
	}
	args := p.Cmds[0].Args
	name, call := args[0].(*parse.IdentifierNode)
	switch {
	case !call && len(args) == 1:
		return x.value(args[0], dot, vars)
	case call && name.Ident == "not" && len(args) == 2:
		return reflect.ValueOf(!truth(x.value(args[1], dot, vars)))
	case call && name.Ident == "index" && len(args) == 3:
		return x.value(args[1], dot, vars).Index(int(x.value(args[2], dot, vars).Int()))
	}
	panic(badTemplate(p.String()))
}

func (x *executor) value(node parse.Node, dot reflect.Value, vars variables) reflect.Value {
	switch n := node.(type) {
	case *parse.DotNode:
		return dot
	case *parse.NumberNode:
		return reflect.ValueOf(n.Int64)
	case *parse.FieldNode:
		return fieldOf(dot, n.Ident)
	case *parse.VariableNode:
		if n.Ident[0] == "$" {
			return fieldOf(x.root, n.Ident[1:])
		}
		for i := len(vars) - 1; i >= 0; i-- {
			if vars[i].name == n.Ident[0] {
				return fieldOf(vars[i].value, n.Ident[1:])
			}
		}
	case *parse.PipeNode:
		return x.pipe(n, dot, vars)
	case *parse.ChainNode:
		return fieldOf(x.value(n.Node, dot, vars), n.Field)
	}
	panic(badTemplate(node.String()))
}

func fieldOf(v reflect.Value, names []string) reflect.Value {
	for _, name := range names {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v = v.FieldByName(name); !v.IsValid() {
			panic(badTemplate("no field " + name))
		}
	}
	return v
}

// truth reports whether a value counts as true: it is neither zero nor empty.
func truth(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() > 0
	case reflect.Struct:
		return true
	}
	return !v.IsZero()
}

var escapes = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;")

func (x *executor) print(v reflect.Value) {
	switch text := v.Interface().(type) {
	case template.HTML:
		x.out.WriteString(string(text))
	case template.CSS:
		x.out.WriteString(string(text))
	case template.JS:
		x.out.WriteString(string(text))
	default:
		x.out.WriteString(escapes.Replace(fmt.Sprint(text)))
	}
}
