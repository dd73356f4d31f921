/**
 * What ValidatingAdmissionPolicies cost a write, over the memory store: creates with 0, 1, 10 and 100 policies of two
 * validations that match, and with 100 that do not. Figures: creates a second, and microseconds of server CPU per create.
 */
import { parseArgs } from 'node:util';
import { measureCreates } from '../support/creates.mjs';
import { Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({ options: { creates: { type: 'string', default: '2000' } } });
const creates = Number(options.creates);
const GROUP = '/apis/admissionregistration.k8s.io/v1';
const apiVersion = 'admissionregistration.k8s.io/v1';

const store = await Store.open('memory');
const server = await Server.start(store);
const client = server.connect();
try {
  await measure('warm-up', 0);
  await measure('warm-up with a policy', 1);
  await measure('no policy', 0);
  for (const count of [1, 10, 100]) await measure(`policies: ${count}`, count);
  await measure('policies: 100 that exclude the request', 100, 'secrets');
} finally {
  client.close();
  await server.stop();
  await store.close();
}

async function measure(figure, count, resource = 'configmaps') {
  const objects = Array.from({ length: count }, (_, index) => policy(`bench-${index}`, resource));
  for (const [plural, object] of objects.flat()) {
    await client.send('POST', `${GROUP}/${plural}`, JSON.stringify({ apiVersion, ...object }));
  }
  await measureCreates({ server, client, figure, creates });
  for (const [plural, { metadata }] of objects.flat()) {
    await client.send('DELETE', `${GROUP}/${plural}/${metadata.name}`);
  }
}

/** A policy and its binding. */
function policy(name, resource) {
  const rule = { operations: ['CREATE'], apiGroups: ['*'], apiVersions: ['*'], resources: [resource] };
  const validations = [
    { expression: 'object.metadata.name != "b" && has(object.data)' },
    { expression: 'object.data.size() < 100 && object.data.all(key, key.size() < 64)' },
  ];
  const metadata = { name };
  return [
    [
      'validatingadmissionpolicies',
      {
        kind: 'ValidatingAdmissionPolicy',
        metadata,
        spec: { matchConstraints: { resourceRules: [rule] }, validations },
      },
    ],
    [
      'validatingadmissionpolicybindings',
      { kind: 'ValidatingAdmissionPolicyBinding', metadata, spec: { policyName: name, validationActions: ['Deny'] } },
    ],
  ];
}
