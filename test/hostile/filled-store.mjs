import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedKV } from '@binnacle/kv/embedded';

const SAVED_AT_ONCE = 1000;
/** The approximate size of a pod without padding. */
const LEAST_POD_BYTES = 650;

/**
 * Fills an embedded store with pods, and a tenth as many objects of a kind that the test defines. They are in an
 * older server's form, so the first list canonicalizes them.
 */
export async function fillStore(dataDirectory, pods, bytes) {
  mkdirSync(dataDirectory, { recursive: true });
  const kv = await openEmbeddedKV({ directory: join(dataDirectory, 'store') });
  for (let from = 0; from < pods; from += SAVED_AT_ONCE) {
    const saved = Array.from({ length: Math.min(SAVED_AT_ONCE, pods - from) }, (_, index) => {
      const name = `p${String(from + index).padStart(7, '0')}`;
      return [
        put(kv, `/registry/pods/default/${name}`, podOf(name, from + index, bytes)),
        ...(from + index < pods / 10
          ? [put(kv, `/registry/hostile.example.com/widgets/default/${name}`, widgetOf(name))]
          : []),
      ];
    });
    await Promise.all(saved.flat());
  }
  await kv.close();
}

function put(kv, key, object) {
  const value = Buffer.from(JSON.stringify(object));
  return kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value } });
}

function metadataOf(name) {
  return {
    name,
    namespace: 'default',
    uid: `00000000-0000-4000-8000-${name.slice(1).padStart(12, '0')}`,
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
}

function podOf(name, index, bytes) {
  const padding = { notes: 'two words '.repeat(Math.max(0, bytes - LEAST_POD_BYTES) / 10) };
  const labels = { app: `app-${index % 10}` };
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { ...metadataOf(name), labels, annotations: padding },
    spec: {
      containers: [
        {
          name: 'main',
          image: 'example.com/main:1',
          env: [{ name: 'A', value: 'b' }],
          resources: {},
          imagePullPolicy: 'Always',
        },
      ],
      restartPolicy: 'Always',
      nodeName: `node-${index % 100}`,
    },
    status: { phase: 'Running', podIP: '10.0.0.1', startTime: '2026-01-01T00:00:00Z' },
  };
}

function widgetOf(name) {
  const spec = { text: 'a line\n'.repeat(20), list: Array.from({ length: 20 }, (_, index) => ({ index, on: true })) };
  return { apiVersion: 'hostile.example.com/v1', kind: 'Widget', metadata: metadataOf(name), spec };
}
