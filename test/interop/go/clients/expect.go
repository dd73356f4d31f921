package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/watch"
)

// A failure ends the walk that it happens in.
type failure struct{ text string }

func fail(format string, values ...any) {
	_, file, line, _ := runtime.Caller(2)
	panic(failure{fmt.Sprintf("%s:%d: ", filepath.Base(file), line) + fmt.Sprintf(format, values...)})
}

// attempt runs a walk and answers what it failed with.
func attempt(walk func()) (err error) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case failure:
			err = fmt.Errorf("%s", reason.text)
		default:
			panic(reason)
		}
	}()
	walk()
	return nil
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		fail("%v", err)
	}
	return value
}

func equal[T comparable](is, wanted T) {
	if is != wanted {
		fail("%v, not %v", is, wanted)
	}
}

// refused expects an error of a kind: one of apierrors' predicates.
func refused(err error, kind func(error) bool) {
	if !kind(err) {
		fail("not refused as it should be: %v", err)
	}
}

// refusal is refused for calls that also answer something.
func refusal[T any](kind func(error) bool) func(T, error) {
	return func(_ T, err error) {
		if !kind(err) {
			fail("not refused as it should be: %v", err)
		}
	}
}

// eventually looks until something is so, or the time of the walk is up.
func eventually(ctx context.Context, what string, holds func() bool) {
	for !holds() {
		select {
		case <-ctx.Done():
			fail("still not so: %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// next is the next event of a watch that is not a bookmark; the watch must not end before.
func next(ctx context.Context, w watch.Interface) watch.Event {
	for {
		select {
		case event, isOpen := <-w.ResultChan():
			if !isOpen {
				fail("the watch has ended")
			}
			if event.Type != watch.Bookmark {
				return event
			}
		case <-ctx.Done():
			fail("no event")
		}
	}
}

// shows expects how values print, with spaces between them.
func shows(wanted string, values ...any) {
	if is := strings.TrimSpace(fmt.Sprintln(values...)); is != wanted {
		fail("%v, not %v", is, wanted)
	}
}
