/**
 * What admission webhooks cost a write, over the memory store: creates with 0, 1 and 10 webhooks of each kind, and with
 * 10 that exclude the request. The webhooks answer at once, in this process.
 * Figures: creates a second, and microseconds of server CPU per create.
 */
import { once } from 'node:events';
import { createServer } from 'node:https';
import { parseArgs } from 'node:util';
import { makeTestCertificate } from '../../packages/apiserver/dist/testing/test-certificate.js';
import { measureCreates } from '../support/creates.mjs';
import { Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({ options: { creates: { type: 'string', default: '2000' } } });
const creates = Number(options.creates);
const GROUP = '/apis/admissionregistration.k8s.io/v1';

const { certificate, privateKey } = makeTestCertificate('/CN=webhook', { alternativeNames: 'IP:127.0.0.1' });
const webhook = createServer({ cert: certificate, key: privateKey }, async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const { apiVersion, kind, request: asked } = JSON.parse(Buffer.concat(pieces));
  response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, allowed: true } }));
});
webhook.listen(0, '127.0.0.1');
await once(webhook, 'listening');
const store = await Store.open('memory');
const server = await Server.start(store);
const client = server.connect();
try {
  await measure('warm-up', '', 0);
  await measure('no webhook', '', 0);
  for (const kind of ['Validating', 'Mutating']) {
    for (const count of [1, 10]) await measure(`${kind.toLowerCase()}: ${count}`, kind, count);
    await measure(`${kind.toLowerCase()}: 10 that exclude the request`, kind, 10, ['secrets']);
  }
} finally {
  client.close();
  await server.stop();
  await store.close();
  webhook.closeAllConnections();
  webhook.close();
}

async function measure(figure, kind, count, resources = ['configmaps']) {
  const path = `${GROUP}/${kind.toLowerCase()}webhookconfigurations`;
  if (count > 0) await client.send('POST', path, JSON.stringify(configuration(kind, count, resources)));
  await measureCreates({ server, client, figure, creates });
  if (count > 0) await client.send('DELETE', `${path}/bench`);
}

function configuration(kind, count, resources) {
  const url = `https://127.0.0.1:${webhook.address().port}/`;
  const caBundle = Buffer.from(certificate).toString('base64');
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: 'bench' },
    webhooks: Array.from({ length: count }, (_, index) => ({
      name: `hook-${index}.example.com`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url, caBundle },
      rules: [{ operations: ['CREATE'], apiGroups: ['*'], apiVersions: ['*'], resources }],
    })),
  };
}
