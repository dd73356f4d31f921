package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	safe "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/utils/dump"
)

const templates = 180

// HashedTemplate is a template as a server answers it, and its pod-template-hash.
type HashedTemplate struct {
	Template       json.RawMessage `json:"template"`
	CollisionCount *int32          `json:"collisionCount,omitempty"`
	Hash           string          `json:"hash"`
}

func hashedTemplates() []HashedTemplate {
	var all []HashedTemplate
	known := map[string]int{}
	for seed := range int64(templates) {
		filler := filler{rand.New(rand.NewSource(seed)), known}
		var filled corev1.PodTemplateSpec
		filler.fill(reflect.ValueOf(&filled).Elem(), 0)
		// Controllers read protobuf, which has no empty lists.
		bytes, err := filled.Marshal()
		check(err)
		var template corev1.PodTemplateSpec
		check(template.Unmarshal(bytes))
		text, err := json.Marshal(template)
		check(err)
		var collisions *int32
		if seed%4 == 1 {
			count := int32(seed * 1000003)
			collisions = &count
		}
		all = append(all, HashedTemplate{text, collisions, hashOf(template, collisions)})
	}
	return all
}

// hashOf is upstream's ComputeHash, of kubernetes pkg/controller/controller_utils.go.
func hashOf(template corev1.PodTemplateSpec, collisions *int32) string {
	hasher := fnv.New32a()
	fmt.Fprintf(hasher, "%v", dump.ForHash(template))
	if collisions != nil {
		bytes := make([]byte, 8)
		binary.LittleEndian.PutUint32(bytes, uint32(*collisions))
		hasher.Write(bytes)
	}
	return safe.SafeEncodeString(fmt.Sprint(hasher.Sum32()))
}

// filler sets random fields to random values, and prefers fields that few templates have.
type filler struct {
	random *rand.Rand
	known  map[string]int
}

var quantities = []string{
	"0", "1", "8", "100m", "1500m", "2", "250M", "1Gi", "8Gi", "3Mi", "100Ki", "1e3", "12e6", "0.5", "1.5Gi", "123n", "5u",
	"9223372036854775807", "-5", "-100m", "-3Gi", "1Ei", "7Ei", "4E", "1000", "1000000", "10", "2k", "100", "0.001", "1e-3", "3e2",
	"1536Mi", "0.1Gi", "12345678901234567890", "99999999999999999999", "123456789012345678901234567890", "1k", "5P", "1Pi", "16Ei",
}

var words = []string{"web", "a b", "Zürich", "<x&y>", "日本", "long-enough-text", "ends\n", "0", "true"}

func (f filler) fill(value reflect.Value, depth int) {
	switch pointer := value.Addr().Interface().(type) {
	case *resource.Quantity:
		*pointer = resource.MustParse(quantities[f.random.Intn(len(quantities))])
		// As the server stores and answers it.
		*pointer = resource.MustParse(pointer.String())
		return
	case *intstr.IntOrString:
		*pointer = []intstr.IntOrString{intstr.FromInt32(8080), intstr.FromInt32(0), intstr.FromString("http"), intstr.FromString("25%")}[f.random.Intn(4)]
		return
	case *metav1.Time, **metav1.Time:
		// Go prints them with the machine's time zone.
		return
	case *metav1.FieldsV1:
		pointer.Raw = []byte(`{"f:spec":{}}`)
		return
	}
	switch value.Kind() {
	case reflect.Struct:
		for index := range value.NumField() {
			name := value.Type().String() + "." + value.Type().Field(index).Name
			if depth < 2 || f.chooses(name) {
				f.known[name]++
				f.fill(value.Field(index), depth+1)
			}
		}
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		f.fill(value.Elem(), depth)
	case reflect.Slice:
		length := 1 + f.random.Intn(2)
		value.Set(reflect.MakeSlice(value.Type(), length, length))
		for index := range length {
			f.fill(value.Index(index), depth+1)
		}
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		for range 1 + f.random.Intn(3) {
			key := reflect.New(value.Type().Key()).Elem()
			element := reflect.New(value.Type().Elem()).Elem()
			f.fill(key, depth)
			f.fill(element, depth)
			value.SetMapIndex(key, element)
		}
	case reflect.String:
		value.SetString(words[f.random.Intn(len(words))])
	case reflect.Bool:
		value.SetBool(f.random.Intn(4) > 0)
	case reflect.Int32:
		value.SetInt(int64(f.random.Int31n(7) - 3))
	case reflect.Int64:
		value.SetInt([]int64{0, 1, -1, 30, 9007199254740993, -9223372036854775808}[f.random.Intn(6)])
	case reflect.Uint8:
		value.SetUint(uint64(f.random.Intn(256)))
	default:
		panic("no value for " + value.Type().String())
	}
}

func (f filler) chooses(name string) bool {
	switch f.known[name] {
	case 0, 1, 2:
		return f.random.Float64() < 0.8
	case 3, 4:
		return f.random.Float64() < 0.2
	}
	return f.random.Float64() < 0.09
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
