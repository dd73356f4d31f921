package binnacletest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// errNotFound says where [findCommand] has looked.
var errNotFound = errors.New("binnacle was not found: set BINNACLE_PATH to the program, put binnacle on the PATH, " +
	"or run npm install binnacle in this folder or one above it")

// findCommand returns the program and its first arguments.
func findCommand(binary string) ([]string, error) {
	if binary == "" {
		binary = os.Getenv("BINNACLE_PATH")
	}
	if binary != "" {
		if _, err := os.Stat(binary); err != nil {
			return nil, fmt.Errorf("binnacle: %w", err)
		}
		return withInterpreter(binary)
	}
	if path, err := exec.LookPath("binnacle"); err == nil {
		return []string{path}, nil
	}
	directory, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for {
		script := filepath.Join(directory, "node_modules", "binnacle", "bin", "binnacle.js")
		if _, err := os.Stat(script); err == nil {
			return withInterpreter(script)
		}
		parent := filepath.Dir(directory)
		if parent == directory {
			return nil, errNotFound
		}
		directory = parent
	}
}

func withInterpreter(path string) ([]string, error) {
	if filepath.Ext(path) != ".js" {
		return []string{path}, nil
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("%s needs node: %w", path, err)
	}
	return []string{node, path}, nil
}
