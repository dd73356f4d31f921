import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { AGGREGATOR } from './availability-check.js';
import { messageOf } from '../testing/index.js';
import { FakeBackends, serviceOf } from './backend.testing.js';
import { BackendDocuments } from './backend-documents.js';

test('a backend that switches protocols sends an empty document, and its connection is closed', async () => {
  // As Node.js reads it, the head of such an answer has no body and no end.
  const upgraded = messageOf({ status: 101, body: [new Error('read')] });
  const backends = new FakeBackends(() => ({ upgraded }));
  const documents = new BackendDocuments({ backends, clock: new VirtualClock(), timeoutMs: 1000, maximumBytes: 10 });
  const service = serviceOf();
  assert.ok(service.backend);
  const { status, body } = await documents.fetch(service, service.backend, {
    path: '/x',
    accept: '',
    user: AGGREGATOR,
  });
  assert.deepEqual([status, body.length], [101, 0]);
  assert.deepEqual(
    backends.upgraded.map(({ destroyed }) => destroyed),
    [true],
  );
  upgraded.on('error', () => undefined);
});
