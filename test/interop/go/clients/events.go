package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

// walkEvents records what happens twice, with the recorder of each of the two kinds of events: it becomes one event.
func walkEvents(ctx context.Context, w *world) {
	subject := must(w.typed.CoreV1().ConfigMaps(w.namespace).Create(ctx, configMap("subject", nil), metav1.CreateOptions{}))
	of := func(component string) (found *corev1.Event) {
		list := must(w.typed.CoreV1().Events(w.namespace).List(ctx, metav1.ListOptions{
			FieldSelector: "involvedObject.name=subject,reason=" + component,
		}))
		if len(list.Items) > 1 {
			fail("%d events", len(list.Items))
		}
		if len(list.Items) == 1 {
			found = &list.Items[0]
		}
		return found
	}

	older := record.NewBroadcaster(record.WithContext(ctx))
	older.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: w.typed.CoreV1().Events("")})
	recorder := older.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "walk"})
	recorder.Event(subject, corev1.EventTypeNormal, "Older", "it happened")
	recorder.Event(subject, corev1.EventTypeNormal, "Older", "it happened")
	eventually(ctx, "one event that counts two", func() bool {
		event := of("Older")
		return event != nil && event.Count == 2 && event.Source.Component == "walk"
	})
	older.Shutdown()

	newer := events.NewBroadcaster(&events.EventSinkImpl{Interface: w.typed.EventsV1()})
	recording, stop := context.WithCancel(ctx)
	check(newer.StartRecordingToSinkWithContext(recording))
	newerRecorder := newer.NewRecorder(scheme.Scheme, "walk.example.com/walk")
	newerRecorder.Eventf(subject, nil, corev1.EventTypeNormal, "Newer", "Walking", "it happened %s", "again")
	eventually(ctx, "an event", func() bool { return of("Newer") != nil })
	newerRecorder.Eventf(subject, nil, corev1.EventTypeNormal, "Newer", "Walking", "it happened %s", "again")
	eventually(ctx, "a series", func() bool {
		event := of("Newer")
		return event.Series != nil && event.Series.Count == 2 && event.ReportingController == "walk.example.com/walk"
	})
	stop()
	newer.Shutdown()
}
