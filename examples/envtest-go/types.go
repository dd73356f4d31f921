package lighthouse

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}

// Lighthouse is the kind that the definition in crds describes.
type Lighthouse struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              LighthouseSpec   `json:"spec"`
	Status            LighthouseStatus `json:"status,omitempty"`
}

type LighthouseSpec struct {
	Lamps int `json:"lamps"`
}

type LighthouseStatus struct {
	Lit bool `json:"lit,omitempty"`
}

type LighthouseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Lighthouse `json:"items"`
}

func (l *Lighthouse) DeepCopyObject() runtime.Object {
	out := *l
	l.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

func (l *LighthouseList) DeepCopyObject() runtime.Object {
	out := LighthouseList{TypeMeta: l.TypeMeta}
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Lighthouse))
	}
	return &out
}

// AddToScheme registers the kinds.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Lighthouse{}, &LighthouseList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}
