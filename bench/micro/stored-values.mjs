/**
 * A stored object in JSON and in protobuf: its bytes, and the CPU of encoding and decoding it, without HTTP and store. The object is a Deployment with
 * two containers, defaults, and the fields of one manager. `node bench/micro/stored-values.mjs [--seconds 1]`
 */
import { parseArgs } from 'node:util';
import { kindSchema } from '@binnacle/api/table';
import { applyConfiguration } from '@binnacle/apimachinery/managedfields';
import { BuiltInCodec, VersionSet } from '../../packages/apiserver/dist/codec/index.js';
import { print, toDigits } from '../support/figures.mjs';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '1' } } });
const milliseconds = Number(values.seconds) * 1000;
const ROUNDS = 50;
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
const codec = new BuiltInCodec(kind, kindSchema(kind));
const versionsOf = (mediaType) =>
  new VersionSet({
    storage: codec,
    versions: new Map([[codec.apiVersion, codec]]),
    selectableFields: () => ({}),
    mediaType,
  });

const container = (name) => ({
  name,
  image: `registry.example/${name}:1`,
  ports: [{ name: 'http', containerPort: 8080 }],
  env: Array.from({ length: 12 }, (_, index) => ({ name: `VARIABLE_${index}`, value: `value of ${index}` })),
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
  readinessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 5 },
});
const labels = { app: 'web', 'app.kubernetes.io/part-of': 'shop' };
const template = {
  metadata: { labels },
  spec: { containers: [container('web'), container('proxy')], volumes: [{ name: 'data', emptyDir: {} }] },
};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default', labels },
  spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template },
};
const applied = applyConfiguration({
  live: undefined,
  configuration: deployment,
  kind,
  schema: codec.schema,
  manager: 'owner',
  subresource: '',
  force: false,
  now: '2026-01-01T00:00:00Z',
  convert: () => undefined,
});
const { object } = codec.decode(applied.document);
codec.applyDefaults(object);
object.metadata.uid = '4f0b6c1e-8a55-4c2f-9c43-0d5b5f0f9a11';
object.metadata.creationTimestamp = '2026-01-01T00:00:00Z';
object.metadata.managedFields = applied.managedFields;

const canonical = Buffer.from(versionsOf('application/json').encode(object));
for (const [encoding, versions] of [
  ['json', versionsOf('application/json')],
  ['protobuf', versionsOf(PROTOBUF)],
]) {
  await versions.beforeWriting();
  const stored = Buffer.from(versions.toStored(canonical));
  print({
    encoding,
    bytes: stored.length,
    // For a write, in addition to the served bytes.
    writeMicroseconds: microsecondsOf(() => versions.toStored(versions.encode(object))),
    // Into the served bytes.
    readMicroseconds: microsecondsOf(() => versions.canonicalize(stored)),
  });
}

/** CPU of one call. */
function microsecondsOf(run) {
  const go = (until) => {
    let calls = 0;
    const before = process.cpuUsage();
    const start = performance.now();
    while (performance.now() - start < until) {
      for (let round = 0; round < ROUNDS; round++) run();
      calls += ROUNDS;
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / calls;
  };
  go(milliseconds / 2);
  return toDigits(go(milliseconds), 1);
}
