// Command encryption stores and reads values as kube-apiserver does, with its own packages.
//
// It loads the EncryptionConfiguration that its argument names, and prints "ready". For each line of standard input, a JSON object,
// it prints one: "write" answers with the stored value, and "read" with the value, or with an error.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/server/options/encryptionconfig"
	"k8s.io/apiserver/pkg/storage/value"
)

type request struct {
	Operation string `json:"operation"`
	Resource  string `json:"resource"`
	Key       string `json:"key"`
	Value     []byte `json:"value"`
}

type answer struct {
	Value []byte `json:"value,omitempty"`
	Stale bool   `json:"stale,omitempty"`
	Error string `json:"error,omitempty"`
}

func main() {
	if err := serve(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(path string) error {
	ctx := context.Background()
	config, err := encryptionconfig.LoadEncryptionConfig(ctx, path, false, "interop")
	if err != nil {
		return err
	}
	transformers := encryptionconfig.StaticTransformers(config.Transformers)
	fmt.Println("ready")
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var asked request
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		given, err := json.Marshal(transform(ctx, transformers, asked))
		if err != nil {
			return err
		}
		fmt.Println(string(given))
	}
	return lines.Err()
}

func transform(ctx context.Context, transformers encryptionconfig.StaticTransformers, asked request) answer {
	transformer := transformers.TransformerForResource(schema.ParseGroupResource(asked.Resource))
	place := value.DefaultContext(asked.Key)
	var result answer
	var err error
	if asked.Operation == "write" {
		result.Value, err = transformer.TransformToStorage(ctx, asked.Value, place)
	} else {
		result.Value, result.Stale, err = transformer.TransformFromStorage(ctx, asked.Value, place)
	}
	if err != nil {
		return answer{Error: err.Error()}
	}
	return result
}
