/**
 * CPU of a request in ValidatingAdmissionPolicy alone, in microseconds, with 0, 1, 10 and 100 policies that match or do not. The object is a ConfigMap
 * of 1 KB. With `--against` in turns with another checkout.
 */
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { measureInTurns } from '../support/in-turns.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    requests: { type: 'string', default: '2000' },
    against: { type: 'string' },
  },
});
const requests = Number(values.requests);

const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const resource = { group: '', version: 'v1', resource: 'configmaps' };
const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', labels: { app: 'web' } },
  data: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key-${index}`, 'x'.repeat(40)])),
};
const { signal } = new AbortController();
const rule = (name) => ({ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [name] });
const validations = [
  { expression: 'object.metadata.name != "b" && has(object.data)' },
  { expression: 'object.data.size() < 100 && "app" in object.metadata.labels' },
];

function policiesFor(count, resourceName) {
  const matchConstraints = {
    resourceRules: [rule(resourceName)],
    namespaceSelector: {},
    objectSelector: {},
    matchPolicy: 'Equivalent',
  };
  const names = Array.from({ length: count }, (_, index) => `policy-${index}`);
  const policies = names.map((name) => ({
    metadata: { name },
    spec: { failurePolicy: 'Fail', matchConstraints, validations },
  }));
  const bindings = names.map((name) => ({
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  }));
  return {
    validatingPolicies: async () => policies,
    validatingBindings: async () => bindings,
    namespace: async () => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }),
    parameters: () => undefined,
    authorize: () => ({ allowed: true, reason: '' }),
  };
}

async function open(checkout) {
  const load = (file) => import(pathToFileURL(resolve(checkout, `packages/${file}.js`)).href);
  const { anonymousUser } = await load('apiserver/dist/authentication/index');
  const { Reinvocation } = await load('apiserver/dist/admission/index');
  const { BuiltInCodec } = await load('apiserver/dist/codec/index');
  const { soleVersion } = await load('apiserver/dist/endpoints/object-versions');
  const { validatingPolicies } = await load('apiserver/dist/policies/index');
  const { kindSchema } = await load('api/dist/table/index');
  const { WorkBudget } = await load('apimachinery/dist/work/index');
  const versions = soleVersion(resource, new BuiltInCodec(kind, kindSchema(kind)), new WorkBudget());
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
    versions,
    reinvocation: new Reinvocation(),
    dryRun: false,
    user: anonymousUser,
    signal,
    deadline: Number.POSITIVE_INFINITY,
    warn: () => undefined,
    annotate: () => undefined,
  });
  const work = (count, resourceName) => {
    const plugin = validatingPolicies(policiesFor(count, resourceName));
    return [Math.ceil(requests / Math.max(1, count / 10)), () => plugin.validate(attributes())];
  };
  const works = {
    none: work(0, ''),
    oneMatches: work(1, 'configmaps'),
    tenMatch: work(10, 'configmaps'),
    hundredMatch: work(100, 'configmaps'),
    oneDoesNot: work(1, 'pods'),
    tenDoNot: work(10, 'pods'),
    hundredDoNot: work(100, 'pods'),
  };
  return { works, close: () => undefined };
}

const checkouts = ['.', ...(values.against === undefined ? [] : [values.against])];
await measureInTurns(checkouts, Number(values.rounds), open);
