//go:build tools

// Names the suite, so that its module and all that it needs stand in go.mod; it is built by `go test -c`.
package conformance

import _ "k8s.io/kubernetes/test/e2e"
