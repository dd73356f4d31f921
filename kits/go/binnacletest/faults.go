package binnacletest

import "testing"

// Fault makes requests fail, or slows them down.
type Fault struct {
	// Match selects requests; empty fields match everything.
	Match FaultMatch `json:"match"`
	// Times is how often the fault acts; 0: until it is removed.
	Times int `json:"times,omitempty"`
	// Action is what happens. Use [Answer], [Delay], [Drop], [CutWatch] or [HoldCache].
	Action FaultAction `json:"action"`
}

// FaultMatch names the requests that a fault acts on, by the parts of their path.
type FaultMatch struct {
	Verb        string `json:"verb,omitempty"`
	Group       string `json:"group,omitempty"`
	Version     string `json:"version,omitempty"`
	Resource    string `json:"resource,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
	User        string `json:"user,omitempty"`
}

// FaultAction is an action of a fault.
type FaultAction map[string]any

// Answer refuses the request with the Status of an HTTP code, such as 409, and does not carry it out.
func Answer(code int) FaultAction { return FaultAction{"type": "answer", "code": code} }

// Delay makes the request wait first.
func Delay(milliseconds int) FaultAction {
	return FaultAction{"type": "delay", "milliseconds": milliseconds}
}

// Drop closes the connection without an answer.
func Drop() FaultAction { return FaultAction{"type": "drop"} }

// WatchEnding is how a fault ends a watch.
type WatchEnding string

const (
	// End is an ordinary end, like a timeout.
	End WatchEnding = "end"
	// Break is a connection error.
	Break WatchEnding = "break"
	// Expire is an event with 410.
	Expire WatchEnding = "expire"
)

// CutWatch ends a watch after this many more events.
func CutWatch(afterEvents int, how WatchEnding) FaultAction {
	return FaultAction{"type": "cutWatch", "afterEvents": afterEvents, "how": how}
}

// HoldCache stops the cache of a resource until the fault is removed: watches are silent, and reads may be stale.
func HoldCache() FaultAction { return FaultAction{"type": "holdCache"} }

// ActiveFault is a fault of a server.
type ActiveFault struct {
	server *Server
	id     string
}

// InjectFault adds a fault, which is removed after the test.
func (s *Server) InjectFault(t testing.TB, fault Fault) *ActiveFault {
	t.Helper()
	var added struct{ Fault string }
	s.must(t, "addFault", map[string]any{"rule": fault}, &added)
	active := &ActiveFault{server: s, id: added.Fault}
	t.Cleanup(func() { active.Remove(t) })
	return active
}

// Hits is how often the fault has acted.
func (f *ActiveFault) Hits(t testing.TB) int {
	t.Helper()
	var counted struct{ Hits int }
	f.server.must(t, "faultHits", map[string]any{"fault": f.id}, &counted)
	return counted.Hits
}

// Remove ends the fault. It may be called again.
func (f *ActiveFault) Remove(t testing.TB) {
	t.Helper()
	f.server.must(t, "removeFault", map[string]any{"fault": f.id}, nil)
}
