import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Collector } from './collector.mjs';
import { disposing } from './disposing.mjs';
import { authority, Cluster, Folder, Service } from './world.mjs';

const MAPS = '/api/v1/namespaces/default/configmaps';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };

async function tracedBy(use, fields) {
  const folder = await use(Folder.make());
  const tracingConfigFile = await folder.write('tracing.yaml', {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'TracingConfiguration',
    ...fields,
  });
  return Cluster.start({ tracingConfigFile });
}

const allowing = ({ body }) => ({ ...body, response: { uid: body.request.uid, allowed: true } });

function webhookConfiguration({ url }) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'maps.example.com',
        clientConfig: { url, caBundle: Buffer.from(authority).toString('base64') },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  };
}

describe('--tracing-config-file', () => {
  it('sends the spans of a request and of its webhook, and the webhook continues the trace', () =>
    disposing(async (use) => {
      const collector = await use(Collector.start());
      const webhook = await use(Service.start(allowing));
      const cluster = await tracedBy(use, { endpoint: `127.0.0.1:${collector.port}` });
      try {
        await cluster.create(
          '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
          webhookConfiguration(webhook),
        );
        const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
        assert.equal((await cluster.send('POST', MAPS, map, { headers })).status, 201);
      } finally {
        await cluster.server.stop();
      }
      const [call, create, request] = collector.spans;
      assert.deepEqual(
        collector.spans.map(({ name }) => name),
        ['Call validating webhook', 'Create', 'POST /api/v1/namespaces/{:namespace}/configmaps'],
      );
      assert.ok(collector.spans.every((span) => span.traceId === traceId));
      assert.deepEqual(
        [call.parentId, create.parentId, request.parentId],
        [create.spanId, request.spanId, '00f067aa0ba902b7'],
      );
      assert.equal(call.attributes.resource, '/v1, Resource=configmaps');
      assert.equal(request.attributes['http.response.status_code'], 201);
      assert.equal(webhook.requests[0].headers.traceparent, `00-${traceId}-${call.spanId}-01`);
    }));

  it('records the share of requests that the file asks for, and no trace that a caller without the right asks for', () =>
    disposing(async (use) => {
      const collector = await use(Collector.start());
      for (const [samplingRatePerMillion, expected] of [
        [0, 0],
        [1_000_000, 1],
      ]) {
        const cluster = await tracedBy(use, { endpoint: `127.0.0.1:${collector.port}`, samplingRatePerMillion });
        assert.equal((await cluster.send('GET', '/version?of=test', undefined, { token: null, headers })).status, 200);
        await cluster.server.stop();
        const seen = collector.spans.filter(({ attributes }) => attributes['http.target'] === '/version?of=test');
        assert.equal(seen.length, expected);
        assert.ok(seen.every((span) => span.traceId !== traceId));
      }
    }));

  it('costs a server whose collector is away nothing but its spans', () =>
    disposing(async (use) => {
      const cluster = await tracedBy(use, { endpoint: 'unix:///nowhere/collector', samplingRatePerMillion: 1_000_000 });
      assert.equal((await cluster.send('GET', '/version')).status, 200);
      await cluster.server.stop();
    }));
});
