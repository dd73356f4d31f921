// Package binnacletest starts Kubernetes API servers for tests.
//
//	func TestReconciler(t *testing.T) {
//		server := binnacletest.Start(t, binnacletest.WithCRDs("config/crd/bases"))
//		c, err := client.New(server.Config, client.Options{})
//		...
//	}
//
// The servers of a test binary share one process, binnacle test-servers, which starts with the first of them. Each has its own port, objects
// and log. They keep everything in memory. A server ends with its test, and the process ends with the test binary, also when that is killed.
//
// The package finds Binnacle in this order: [WithBinary]; the environment variable BINNACLE_PATH; the command binnacle on the PATH; the npm
// package in node_modules of the working directory or a folder above it, run with node. It downloads nothing.
//
// Package binnacle.dev/binnacletest/envtest has the Environment of controller-runtime's envtest.
package binnacletest
