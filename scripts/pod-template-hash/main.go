// Prints what packages/controllers/src/common/hashes knows of upstream's Go types:
//
//	go run . types      the structs below PodTemplateSpec: names, fields, types
//	go run . templates  templates with every field, and the hashes that kube-controller-manager gives them, a line each
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

func main() {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "types":
		print(describeTypes(reflect.TypeFor[corev1.PodTemplateSpec]()))
	case len(os.Args) == 2 && os.Args[1] == "templates":
		for _, each := range hashedTemplates() {
			print(each)
		}
	default:
		fmt.Fprintln(os.Stderr, "usage: go run . types|templates")
		os.Exit(2)
	}
}

func print(value any) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
}

// Types is the table: structs by their Go name, with a line "GoName jsonName type" for each field, and the types below other names.
type Types struct {
	Structs map[string][]string `json:"structs"`
	Named   map[string]string   `json:"named"`
}

func describeTypes(root reflect.Type) Types {
	types := Types{Structs: map[string][]string{}, Named: map[string]string{}}
	known := map[string]reflect.Type{}
	types.add(root, known)
	return types
}

func (types Types) add(each reflect.Type, known map[string]reflect.Type) {
	switch each.Kind() {
	case reflect.Pointer, reflect.Slice:
		types.add(each.Elem(), known)
		return
	case reflect.Map:
		if each.Name() != "" {
			types.Named[each.String()] = "map[" + each.Key().String() + "]" + each.Elem().String()
		}
		types.add(each.Key(), known)
		types.add(each.Elem(), known)
		return
	}
	name := each.String()
	if other, found := known[name]; found {
		// The dump names packages by their last part only.
		if other != each {
			panic("two types have the name " + name)
		}
		return
	}
	known[name] = each
	if each.Kind() != reflect.Struct {
		if name != each.Kind().String() {
			types.Named[name] = each.Kind().String()
		}
		return
	}
	if isLeaf(name) {
		return
	}
	fields := []string{}
	for index := range each.NumField() {
		field := each.Field(index)
		tag := strings.Split(field.Tag.Get("json"), ",")
		json := tag[0]
		if json == "" {
			json = "."
		}
		fields = append(fields, field.Name+" "+json+" "+field.Type.String())
		types.add(field.Type, known)
	}
	types.Structs[name] = fields
}

// isLeaf tells the types whose JSON is a text or a number, which the hash prints in its own way.
func isLeaf(name string) bool {
	leaves := []string{"intstr.IntOrString", "resource.Quantity", "v1.FieldsV1", "v1.Time"}
	at := sort.SearchStrings(leaves, name)
	return at < len(leaves) && leaves[at] == name
}
