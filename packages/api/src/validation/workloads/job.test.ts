import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job, JobSpec } from '../../generated/types/batch-v1.js';
import type { PodSpec } from '../../generated/types/core-v1.js';
import { GENERATED_LABELS, validateJob, validateJobUpdate } from './job.js';
import { container, template, texts } from '../rules.testing.js';

const generated = Object.fromEntries(GENERATED_LABELS.map(([label, source]) => [label, source === 'uid' ? 'u' : 'j']));

const job = (fields: Partial<JobSpec> = {}, labels: Record<string, string> = generated): Job => ({
  metadata: { name: 'j', namespace: 'n', uid: 'u', resourceVersion: '1' },
  spec: {
    completionMode: 'NonIndexed',
    podReplacementPolicy: 'Failed',
    selector: { matchLabels: { 'controller-uid': 'u' } },
    template: { ...template({ restartPolicy: 'Never' }), metadata: { labels } },
    ...fields,
  },
});

const onExitCodes = { operator: 'In', values: [3] };
const failurePolicy = { podFailurePolicy: { rules: [{ action: 'Ignore', onExitCodes }] } };

test('an update without changes is valid, with and without the prefixed labels', () => {
  assert.deepEqual(texts(validateJob(job())), []);
  assert.deepEqual(texts(validateJobUpdate(job(), job())), []);
  const legacy = job({}, { 'controller-uid': 'u', 'job-name': 'j' });
  assert.deepEqual(texts(validateJobUpdate(legacy, legacy)), []);
});

test('an update must keep the generated selector', () => {
  const changed = job({ selector: { matchLabels: { 'controller-uid': 'u', q: 'r' } } });
  assert.deepEqual(
    texts(validateJobUpdate(changed, job())).map((text) => text.replace(/^([^:]+): .*: ([^:]+)$/, '$1: $2')),
    [
      'spec.selector: `selector` not auto-generated',
      'spec.template.metadata.labels: `selector` does not match template `labels`',
      'spec.template.metadata.labels: `selector` does not match template `labels`',
      'spec.selector: field is immutable',
    ],
  );
});

test('only a Job that its controller has suspended may change its template', () => {
  const suspended = (fields: Partial<PodSpec>, status?: Job['status']): Job => {
    const spec = {
      suspend: true,
      template: { ...template({ restartPolicy: 'Never', ...fields }), metadata: { labels: generated } },
    };
    return { ...job(spec), ...(status === undefined ? {} : { status }) };
  };
  const update = (fields: Partial<PodSpec>, status?: Job['status']) =>
    validateJobUpdate(suspended(fields, status), suspended({}, status)).map(({ field }) => field);
  const confirmed = { conditions: [{ type: 'Suspended', status: 'True' }] };
  const resources = { containers: [container({ resources: { limits: { cpu: '2' } } })] };
  for (const fields of [resources, { nodeSelector: { a: 'b' } }]) {
    assert.deepEqual(update(fields), ['spec.template']);
    assert.deepEqual(update(fields, { conditions: [{ type: 'Suspended', status: 'False' }] }), ['spec.template']);
    assert.deepEqual(update(fields, { ...confirmed, active: 1 }), ['spec.template']);
    assert.deepEqual(update(fields, confirmed), []);
  }
});

test("policies are shown in upstream's internal form", () => {
  assert.deepEqual(texts(validateJobUpdate(job(failurePolicy), job())), [
    'spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"Ignore","OnExitCodes":{"ContainerName":null,"Operator":"In","Values":[3]},"OnPodConditions":null}]}: field is immutable',
  ]);
  assert.deepEqual(texts(validateJobUpdate(job(), job(failurePolicy))), [
    'spec.podFailurePolicy: Invalid value: null: field is immutable',
  ]);
  assert.deepEqual(texts(validateJob(job({ successPolicy: { rules: [{}] } }))), [
    'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":null}]}: requires indexed completion mode',
  ]);
});
