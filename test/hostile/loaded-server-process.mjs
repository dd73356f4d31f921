/** Fills a store, then serves it and measures itself. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { start } from 'binnacle';
import { openEmbeddedKV } from '@binnacle/kv/embedded';
import { SilenceMeter } from './silence-meter.mjs';

const { dataDirectory, pods, bytes } = JSON.parse(process.argv[2]);
const SAVED_AT_ONCE = 1000;

mkdirSync(dataDirectory, { recursive: true });
await fill();
const server = await start({ dataDirectory, controllers: '', featureGates: 'CBORServingAndStorage=true' });

const meter = new SilenceMeter();

process.on('message', async (request) => {
  if (request === 'silence') {
    process.send(Math.round(meter.longest));
    return;
  }
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await pause(100);
  }
  meter.reset();
  process.send('settled');
});
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.send(server.clientConfig);

/** Pods, and objects of a kind that the test defines. As they would be stored by an older server: the first list brings them into form. */
async function fill() {
  const kv = await openEmbeddedKV({ directory: join(dataDirectory, 'store') });
  for (let from = 0; from < pods; from += SAVED_AT_ONCE) {
    const saved = Array.from({ length: Math.min(SAVED_AT_ONCE, pods - from) }, (_, index) => {
      const name = `p${String(from + index).padStart(7, '0')}`;
      return [
        put(kv, `/registry/pods/default/${name}`, podOf(name, from + index)),
        ...(from < pods / 10 ? [put(kv, `/registry/hostile.example.com/widgets/default/${name}`, widgetOf(name))] : []),
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

function podOf(name, index) {
  const padding = { notes: 'two words '.repeat(Math.max(0, bytes - 700) / 10) };
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
