package binnacletest

import "strconv"

type options struct {
	binary      string
	flags       []string
	definitions []string
}

// Option changes a server that [Start] or [New] starts.
type Option func(*options)

// WithBinary sets the program, or its file binnacle.js. It takes precedence over BINNACLE_PATH and the PATH.
func WithBinary(path string) Option {
	return func(o *options) { o.binary = path }
}

// WithCRDs installs the CustomResourceDefinitions of files, and of the YAML and JSON files of folders. The server is ready when they are
// established.
func WithCRDs(paths ...string) Option {
	return func(o *options) { o.definitions = append(o.definitions, paths...) }
}

// WithControllers turns control loops on: "*", or names separated by commas. Without it there are none, as with envtest.
func WithControllers(list string) Option { return WithFlags("--controllers=" + list) }

// WithNodes adds simulated nodes, and a scheduler. With [WithControllers] a Deployment gets pods, and they run.
func WithNodes(count int) Option {
	return WithFlags("--nodes="+strconv.Itoa(count), "--scheduler")
}

// WithFlags passes flags of "binnacle serve", such as --feature-gates=NAME=true. Flags about files, ports and stores do not apply to a server
// in memory, and are refused.
func WithFlags(flags ...string) Option {
	return func(o *options) { o.flags = append(o.flags, flags...) }
}
