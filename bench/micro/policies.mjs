/**
 * CPU of a request in ValidatingAdmissionPolicy alone, in microseconds, with 0, 1, 10 and 100 policies that match or do not. The object is a ConfigMap
 * of 1 KB, which the first policy that matches encodes for all. `node bench/micro/policies.mjs [--rounds 5] [--milliseconds 300]`
 */
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { print, toDigits } from '../support/figures.mjs';

const dist = (room) => pathToFileURL(resolve(`packages/apiserver/dist/${room}/index.js`)).href;
const { anonymousUser } = await import(dist('authentication'));
const { Reinvocation } = await import(dist('admission'));
const { validatingPolicies } = await import(dist('policies'));

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, milliseconds: { type: 'string', default: '300' } },
});
const rounds = Number(values.rounds);
const milliseconds = Number(values.milliseconds);

const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const resource = { group: '', version: 'v1', resource: 'configmaps' };
const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', labels: { app: 'web' } },
  data: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key-${index}`, 'x'.repeat(40)])),
};
const attributes = () => ({
  operation: 'CREATE',
  kind,
  resource,
  subresource: '',
  namespace: 'default',
  name: 'a',
  object,
  oldObject: undefined,
  options: undefined,
  versions: { equivalents: () => [{ kind, resource }], encode: (shown) => Buffer.from(JSON.stringify(shown)) },
  reinvocation: new Reinvocation(),
  dryRun: false,
  user: anonymousUser,
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  warn: () => undefined,
  annotate: () => undefined,
});

function plugin(count, matching) {
  const names = Array.from({ length: count }, (_, index) => `policy-${index}`);
  const rule = {
    apiGroups: ['*'],
    apiVersions: ['*'],
    operations: ['*'],
    resources: [matching ? 'configmaps' : 'pods'],
  };
  const matchConstraints = {
    resourceRules: [rule],
    namespaceSelector: {},
    objectSelector: {},
    matchPolicy: 'Equivalent',
  };
  const validations = [
    { expression: 'object.metadata.name != "b" && has(object.data)' },
    { expression: 'object.data.size() < 100 && "app" in object.metadata.labels' },
  ];
  const policies = names.map((name) => ({
    metadata: { name },
    spec: { failurePolicy: 'Fail', matchConstraints, validations },
  }));
  const bindings = names.map((name) => ({
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  }));
  return validatingPolicies({
    validatingPolicies: async () => policies,
    validatingBindings: async () => bindings,
    namespace: async () => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }),
    parameters: () => undefined,
    authorize: () => ({ allowed: true, reason: '' }),
  });
}

async function microseconds(subject) {
  let calls = 0;
  const before = process.cpuUsage();
  const start = performance.now();
  while (performance.now() - start < milliseconds) {
    for (let call = 0; call < 20; call++) await subject.validate(attributes());
    calls += 20;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

const variants = [
  { policies: 0, matching: false },
  ...[1, 10, 100].flatMap((policies) => [true, false].map((matching) => ({ policies, matching }))),
].map((variant) => ({ ...variant, subject: plugin(variant.policies, variant.matching), times: [] }));
for (const { subject } of variants) await microseconds(subject);
for (let round = 0; round < rounds; round++) {
  for (const { subject, times } of variants) times.push(await microseconds(subject));
}
const median = (times) => times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0;
const [none] = variants;
for (const { policies, matching, times } of variants) {
  const each = policies === 0 ? 0 : (median(times) - median(none.times)) / policies;
  print({ policies, matching, microseconds: toDigits(median(times), 1), perPolicy: toDigits(each, 2) });
}
