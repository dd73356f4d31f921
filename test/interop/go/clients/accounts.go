package main

import (
	"context"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// walkAccounts works as a service account with a token, which may do what a role says.
func walkAccounts(ctx context.Context, w *world) {
	request := &authenticationv1.TokenRequest{}
	token := must(w.typed.CoreV1().ServiceAccounts(w.namespace).CreateToken(ctx, "default", request, metav1.CreateOptions{}))
	equal(token.Status.ExpirationTimestamp.After(time.Now()), true)
	user := "system:serviceaccount:" + w.namespace + ":default"
	review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token.Status.Token}}
	review = must(w.typed.AuthenticationV1().TokenReviews().Create(ctx, review, metav1.CreateOptions{}))
	equal(review.Status.User.Username, user)

	config := rest.AnonymousClientConfig(w.config)
	config.ContentConfig, config.BearerToken = w.config.ContentConfig, token.Status.Token
	account := must(kubernetes.NewForConfig(config))
	self := must(account.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{}))
	equal(self.Status.UserInfo.Username, user)
	refusal[*corev1.ConfigMapList](apierrors.IsForbidden)(account.CoreV1().ConfigMaps(w.namespace).List(ctx, metav1.ListOptions{}))

	reader := metav1.ObjectMeta{Name: "reader"}
	must(w.typed.RbacV1().Roles(w.namespace).Create(ctx, &rbacv1.Role{
		ObjectMeta: reader,
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"list"}}},
	}, metav1.CreateOptions{}))
	must(w.typed.RbacV1().RoleBindings(w.namespace).Create(ctx, &rbacv1.RoleBinding{
		ObjectMeta: reader,
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "reader"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: w.namespace, Name: "default"}},
	}, metav1.CreateOptions{}))
	eventually(ctx, "it may list", func() bool {
		_, err := account.CoreV1().ConfigMaps(w.namespace).List(ctx, metav1.ListOptions{})
		return err == nil
	})
	access := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: w.namespace, Verb: "delete", Resource: "configmaps"},
	}}
	access = must(account.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, access, metav1.CreateOptions{}))
	equal(access.Status.Allowed, false)
}
