import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DaemonSet } from '../../generated/types/apps-v1.js';
import { template, texts } from '../rules.testing.js';
import { validateDaemonSetUpdate } from './daemon-set.js';

const daemonSet = (label: string): DaemonSet => ({
  spec: {
    selector: { matchLabels: { a: label } },
    template: template(),
    updateStrategy: { type: 'OnDelete' },
  },
});

test('the error for a changed selector comes first', () => {
  assert.deepEqual(texts(validateDaemonSetUpdate(daemonSet('b'), daemonSet('b'))), []);
  assert.deepEqual(texts(validateDaemonSetUpdate(daemonSet('c'), daemonSet('b'))), [
    'spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable',
    'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
  ]);
});
