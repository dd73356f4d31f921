package binnacletest

import "testing"

// WebhookOptions names the webhooks to install.
type WebhookOptions struct {
	// Paths are files and folders with webhook configurations, and with CustomResourceDefinitions that convert by webhook.
	Paths []string
	// Host is where the webhook server listens. Default: 127.0.0.1.
	Host string
	// Port of the webhook server. Default: a free one.
	Port int
}

// Webhooks is what a webhook server needs to know.
type Webhooks struct {
	Host string
	Port int
	// CertDir holds tls.crt, tls.key and ca.crt. It is removed with the server.
	CertDir string `json:"directory"`
}

// InstallWebhooks applies the configurations, and points their webhooks at a server of the test's own process, which is to listen at once.
func (s *Server) InstallWebhooks(t testing.TB, options WebhookOptions) Webhooks {
	t.Helper()
	paths, err := absolute(options.Paths)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]any{"paths": paths}
	if options.Host != "" {
		fields["host"] = options.Host
	}
	if options.Port != 0 {
		fields["port"] = options.Port
	}
	var installed Webhooks
	s.must(t, "installWebhooks", fields, &installed)
	return installed
}
