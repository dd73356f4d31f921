/**
 * CPU of one server-side apply of a Deployment of about 4 KB, without HTTP and store: decode the stored object, parse and apply the configuration,
 * decode and default the result, encode it. `node bench/micro/apply.mjs [--rounds 5000]`
 */
import { parseArgs } from 'node:util';
import { BuiltInCodec } from '../../packages/apiserver/dist/codec/index.js';
import { kindSchema } from '@binnacle/api/table';
import { parseJson } from '@binnacle/apimachinery/json';
import { applyConfiguration } from '@binnacle/apimachinery/managedfields';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5000' } } });
const rounds = Number(values.rounds);
const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
const schema = kindSchema(kind);
const codec = new BuiltInCodec(kind, schema);

const container = (name, round) => ({
  name,
  image: `registry.example/${name}:${round}`,
  ports: [{ name: 'http', containerPort: 8080 }],
  env: Array.from({ length: 12 }, (_, index) => ({ name: `VARIABLE_${index}`, value: `value of ${index}` })),
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
  readinessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 5 },
});
const labels = { 'app.kubernetes.io/name': 'web', 'app.kubernetes.io/part-of': 'shop' };
const configuration = (round) =>
  Buffer.from(
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default', labels },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web', ...labels } },
          spec: {
            containers: [container('web', round), container('proxy', 0)],
            volumes: [{ name: 'data', emptyDir: {} }],
          },
        },
      },
    }),
  );
const status = Buffer.from(
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', annotations: { 'deployment.kubernetes.io/revision': '1' } },
    status: { observedGeneration: 1, replicas: 3, readyReplicas: 3 },
  }),
);

function applyTo(stored, body, manager) {
  const live = stored === undefined ? undefined : JSON.parse(stored.toString());
  const applied = applyConfiguration({
    live,
    configuration: parseJson(body).value,
    kind,
    schema,
    manager,
    subresource: '',
    force: false,
    now: '2026-01-01T00:00:00Z',
    convert: () => undefined,
  });
  let object = live;
  if (applied.document !== undefined) {
    ({ object } = codec.decode(applied.document));
    codec.applyDefaults(object);
  }
  object.metadata.uid ??= 'u';
  object.metadata.managedFields = applied.managedFields;
  return Buffer.from(codec.encode(object));
}

const first = applyTo(applyTo(undefined, configuration(0), 'owner'), status, 'controller');
measure('apply that changes nothing', () => configuration(0));
measure('apply that changes an image', (round) => configuration(round));

function measure(name, bodyOf) {
  let stored = first;
  const bodies = Array.from({ length: 64 }, (_, index) => bodyOf(index));
  for (let round = 0; round < rounds / 5; round++) stored = applyTo(stored, bodies[round % bodies.length], 'owner');
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) stored = applyTo(stored, bodies[round % bodies.length], 'owner');
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ name, bytes: stored.length, microseconds: Math.round((user + system) / rounds) }));
}
