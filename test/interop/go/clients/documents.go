package main

import (
	"bytes"
	"context"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	openapi_v3 "github.com/google/gnostic-models/openapiv3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/openapi"
	"sigs.k8s.io/yaml"
)

const chartsDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: charts.documents.example.com }
spec:
  group: documents.example.com
  scope: Cluster
  names: { plural: charts, kind: Chart }
  versions:
    - name: v1
      served: true
      storage: true
      selectableFields: [{ jsonPath: .spec.scale }]
      schema:
        openAPIV3Schema:
          type: object
          description: "A chart: with 'quotes', # and\nlines"
          externalDocs: { description: More, url: https://example.com }
          required: [spec]
          properties:
            spec:
              type: object
              title: Spec
              minProperties: 0
              maxProperties: 9
              x-kubernetes-validations: [{ rule: "!has(self.scale) || self.scale != 'none'", message: 'yes: no' }]
              oneOf: [{ required: [scale] }, { required: [soundings] }]
              allOf: [{ not: { required: [lost] } }]
              properties:
                scale: { type: string, enum: [one, "2", none], minLength: 0, maxLength: 12, pattern: "^[a-z0-9]*$" }
                soundings:
                  type: array
                  minItems: 1
                  maxItems: 9007199254740993
                  example: [1, a, { b: null }]
                  items: { type: number, minimum: -0.5, maximum: 1e+21, exclusiveMaximum: true, multipleOf: 0.25, default: 0.5 }
                depth: { type: integer, format: int64, nullable: true, default: 12 }
                dry: { type: boolean, default: false }
                buoys: { type: object, additionalProperties: { x-kubernetes-int-or-string: true } }
                rest: { x-kubernetes-preserve-unknown-fields: true, default: [1] }
                view: { type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true }
                any: { type: object, additionalProperties: true }
                lost: { type: string, default: "" }
                found: { type: object, default: {} }
`

// walkDocuments compares each OpenAPI document in protobuf with what upstream makes of the same document in JSON.
func walkDocuments(ctx context.Context, w *world) {
	definitions := w.dynamic.Resource(definitionsResource)
	must(definitions.Create(ctx, object(chartsDefinition), metav1.CreateOptions{}))
	const custom = "apis/documents.example.com/v1"
	var paths map[string]openapi.GroupVersion
	eventually(ctx, "the kind has a document", func() bool {
		paths = must(w.typed.Discovery().OpenAPIV3().Paths())
		return paths[custom] != nil
	})
	for name, each := range paths {
		sent, parsed := &openapi_v3.Document{}, must(openapi_v3.ParseDocument(must(each.Schema("application/json"))))
		for _, contentType := range []string{openapi.ContentTypeOpenAPIV3PB, "application/com.github.proto-openapi.spec.v3.v1.0+protobuf"} {
			check(proto.Unmarshal(must(each.Schema(contentType)), sent))
			same(name, sent, parsed)
		}
	}
	equal(bytes.Contains(must(paths[custom].Schema("application/json")), []byte("soundings")), true)

	document := must(w.typed.Discovery().RESTClient().Get().AbsPath("/openapi/v2").SetHeader("Accept", "application/json").DoRaw(ctx))
	same("v2", must(w.typed.Discovery().OpenAPISchema()), must(openapi_v2.ParseDocument(document)))
	check(definitions.Delete(ctx, "charts.documents.example.com", metav1.DeleteOptions{}))
}

func same(name string, sent, parsed proto.Message) {
	withPlainValues(sent.ProtoReflect())
	withPlainValues(parsed.ProtoReflect())
	if !proto.Equal(sent, parsed) {
		fail("%s: in protobuf it says something else than in JSON", name)
	}
}

// withPlainValues writes values of any type in one form: messages have them as YAML, which has many.
func withPlainValues(message protoreflect.Message) {
	if message.Descriptor().Name() == "Any" {
		field := message.Descriptor().Fields().ByName("yaml")
		plain := must(yaml.YAMLToJSON([]byte(message.Get(field).String())))
		message.Set(field, protoreflect.ValueOfString(string(plain)))
		return
	}
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		if field.Message() == nil {
			return true
		}
		if !field.IsList() {
			withPlainValues(value.Message())
			return true
		}
		for index := range value.List().Len() {
			withPlainValues(value.List().Get(index).Message())
		}
		return true
	})
}
