import { connect, DynamicClient, loadConfig } from '@binnacle/client';
import { serveWebhooks } from '@binnacle/client/webhook';
import { ferryWebhooks } from './ferry-webhooks.js';

// KUBECONFIG, ~/.kube/config, or the pod's service account, as in kubectl.
await using transport = connect(await loadConfig());
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());

await using server = await serveWebhooks({
  webhooks: ferryWebhooks,
  // The Service of the manifests. The server makes a certificate for it, and tells the API server to trust it.
  certificates: { hosts: ['ferry-webhooks.harbour.svc'] },
  caBundles: {
    client: new DynamicClient(transport),
    mutatingWebhookConfigurations: ['ferries'],
    validatingWebhookConfigurations: ['ferries'],
    customResourceDefinitions: ['ferries.example.com'],
  },
  signal: stop.signal,
});
await server.closed;
