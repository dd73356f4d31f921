import { kindSchema, resources } from '@binnacle/api/table';
import { bodyOf, patchBodyOf } from './bodies.mjs';
import { definitionOf } from './definitions.mjs';
import { objectOf } from './objects.mjs';
import { patchOf } from './patches.mjs';
import { rightsRequest } from './rights.mjs';
import { sampledKinds } from './samples.mjs';
import { queryOf } from './selectors.mjs';
import { subresourceRequest, upgradeRequest } from './subresources.mjs';
import { anyString, anyValue } from './values.mjs';

/** They exist before the first request. */
export const namespaces = ['default', 'fuzz-1', 'fuzz-2'];
const names = ['a', 'b', 'c', 'web', 'x.y'];

const definitionKind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };

/** The facts of each served resource that the grammar uses. */
const builtIn = [...resources()]
  .filter(({ stability, kind }) => stability === 'ga' && kind !== 'CustomResourceDefinition')
  .map((resource) => ({ ...resource, schema: kindSchema(resource) }));

const common = builtIn.filter(({ kind }) => sampledKinds.has(kind));

const custom = Array.from({ length: 8 }, (_, number) => ({
  group: 'fuzz.example.com',
  version: 'v1',
  kind: `Fuzz${number}`,
  resource: `fuzzes${number}`,
  namespaced: true,
  schema: undefined,
}));

const documents = [
  '/',
  '/api',
  '/apis',
  '/api/v1',
  '/apis/apps/v1',
  '/apis/fuzz.example.com',
  '/apis/fuzz.example.com/v1',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/apis/apps/v1',
  '/openapi/v3/apis/fuzz.example.com/v1',
  '/version',
  '/readyz?verbose',
  '/livez/ping',
  '/metrics',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  '/api/v1/__proto__',
  '/apis/constructor',
  '/apis/apps/v1/namespaces/default/valueOf',
  '/api/v1/namespaces/default/pods/a/log',
  '/api/v1/namespaces/default/pods/a/exec?command=x',
  '/api/v1/namespaces/default/services/a:http/proxy/x',
  '/api/v1/watch/pods?timeoutSeconds=1',
  '/api/v1//pods',
  '/api/v1/namespaces/%2e%2e/pods',
  '/api/v1/namespaces/default%2Fpods',
  '/api/v1/namespaces/default/pods/%00',
];

const accepts = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json',
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json',
  '*/*',
  'text/html',
  ';;;',
];

function pathOf(random, kind, { name, namespace }, subresource) {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const within = kind.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}${within}/${kind.resource}${object}${subresource === undefined ? '' : `/${subresource}`}`;
}

const subresourceOf = (random, kind) =>
  random.pick([...(kind.subresources ?? []).map(({ name }) => name), 'status', 'scale', 'nope']);

function headersOf(random, mischief) {
  const headers = { accept: random.chance(0.6) ? 'application/json' : random.pick(accepts) };
  if (random.chance(0.1)) headers['accept-encoding'] = 'gzip';
  if (random.chance(mischief)) headers['user-agent'] = random.pick(['kubectl/v1.36.0', 'curl/8', 'x'.repeat(3000)]);
  if (random.chance(mischief / 2)) headers['impersonate-user'] = random.pick(['alice', 'system:node:a', '']);
  if (random.chance(mischief / 4)) headers['impersonate-group'] = 'system:masters';
  return headers;
}

/**
 * One request: `{ method, path, headers, body }`. The same seed makes the same requests. Most are nearly right, so
 * that they pass the decoder; `mischief` in [0, 1] is the share of errors.
 */
export function requestOf(random) {
  const mischief = random.pick([0, 0.02, 0.05, 0.2]);
  if (random.chance(0.04)) return { method: 'GET', path: random.pick(documents), headers: headersOf(random, mischief) };
  if (random.chance(0.05)) return definitionRequest(random, mischief);
  const kind = random.pick({ common, builtIn, custom }[random.weighted({ common: 5, builtIn: 3, custom: 2 })]);
  const namespace = random.chance(mischief) ? wellFormed(anyString(random)) : random.pick(namespaces);
  const name = random.chance(mischief) ? wellFormed(anyString(random)) || 'a' : random.pick(names);
  const identity = { name, namespace: kind.namespaced ? namespace : undefined };
  const place = { name, namespace: random.pick(namespaces) };
  const other = random.weighted({ none: 85, subresource: 6, upgrade: 3, rights: 6 });
  const headers = headersOf(random, mischief);
  if (other === 'subresource') return subresourceRequest(random, place, headers, mischief);
  if (other === 'upgrade') return upgradeRequest(random, place, headers, mischief);
  if (other === 'rights') return rightsRequest(random, place.namespace, headers, mischief);
  return resourceRequest(random, kind, identity, mischief);
}

function definitionRequest(random, mischief) {
  const definition = definitionOf(random, mischief);
  const name = `fuzzes${random.integer(0, 7)}.fuzz.example.com`;
  const root = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const headers = headersOf(random, mischief);
  const { type, body } = bodyOf(random, definition, definitionKind, mischief);
  const method = random.weighted({ POST: 6, PATCH: 2, DELETE: 1.5, GET: 1 });
  if (method === 'POST') return { method, path: root, headers: { ...headers, 'content-type': type }, body };
  if (method !== 'PATCH') return { method, path: `${root}/${name}`, headers };
  const patch = { type: 'application/apply-patch+yaml', value: { ...definition, metadata: { name } } };
  return {
    method,
    path: `${root}/${name}?fieldManager=fuzz&force=true`,
    headers: { ...headers, 'content-type': patch.type },
    body: patchBodyOf(random, patch, mischief).body,
  };
}

function resourceRequest(random, kind, identity, mischief) {
  const headers = headersOf(random, mischief);
  const make = () =>
    kind.schema === undefined
      ? {
          apiVersion: `${kind.group}/${kind.version}`,
          kind: kind.kind,
          metadata: { name: identity.name },
          spec: anyValue(random),
        }
      : objectOf(random, kind, identity, mischief);
  const verb = random.weighted({
    create: 6,
    update: 3,
    patch: 5,
    get: 2,
    list: 4,
    watch: 0.5,
    delete: 2,
    empty: 0.3,
    odd: 0.1,
  });
  const subresource = random.chance(0.12) ? subresourceOf(random, kind) : undefined;
  const all = { namespace: random.chance(0.2) ? undefined : identity.namespace };
  switch (verb) {
    case 'create': {
      const { type, body } = bodyOf(random, make(), kind, mischief);
      const target = subresource === undefined ? all : identity;
      const path = `${pathOf(random, kind, target, subresource)}${queryOf(random)}`;
      return { method: 'POST', path, headers: { ...headers, 'content-type': type }, body };
    }
    case 'update': {
      const { type, body } = bodyOf(random, make(), kind, mischief);
      const path = `${pathOf(random, kind, identity, subresource)}${queryOf(random)}`;
      return { method: 'PUT', path, headers: { ...headers, 'content-type': type }, body };
    }
    case 'patch': {
      const patch = patchOf(random, make);
      const { type, body } = patchBodyOf(random, patch, mischief);
      const usual = type === 'application/apply-patch+yaml' ? ['fieldManager'] : [];
      const path = `${pathOf(random, kind, identity, subresource)}${queryOf(random, usual)}`;
      return { method: 'PATCH', path, headers: { ...headers, 'content-type': headerText(type) }, body };
    }
    case 'list':
      return {
        method: 'GET',
        path: `${pathOf(random, kind, all)}${queryOf(
          random,
          ['labelSelector', 'limit'].filter(() => random.chance(0.3)),
        )}`,
        headers,
      };
    case 'watch':
      return {
        method: 'GET',
        path: `${pathOf(random, kind, all)}?watch=1&timeoutSeconds=1${queryOf(random).replace('?', '&')}`,
        headers,
      };
    case 'get':
      return { method: 'GET', path: `${pathOf(random, kind, identity, subresource)}${queryOf(random)}`, headers };
    case 'empty':
      return {
        method: 'DELETE',
        path: `${pathOf(random, kind, { namespace: identity.namespace })}${queryOf(random)}`,
        headers,
      };
    case 'odd':
      return {
        method: random.pick(['OPTIONS', 'HEAD', 'TRACE', 'PROPFIND']),
        path: pathOf(random, kind, identity),
        headers,
      };
    default:
      return deletion(random, kind, identity, headers, mischief);
  }
}

function deletion(random, kind, identity, headers, mischief) {
  const path = `${pathOf(random, kind, identity)}${queryOf(random)}`;
  if (random.chance(0.6)) return { method: 'DELETE', path, headers };
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: random.pick([0, 1, -1]) };
  if (random.chance(0.4)) options.preconditions = { resourceVersion: '1', uid: anyString(random) };
  if (random.chance(mischief)) options.propagationPolicy = anyValue(random);
  const body = bodyOf(random, options, { group: '', version: 'v1', kind: 'DeleteOptions' }, mischief);
  return { method: 'DELETE', path, headers: { ...headers, 'content-type': body.type }, body: body.body };
}

const wellFormed = (text) => text.replaceAll(/[\ud800-\udfff]/gu, '?');
/** Removes characters that a header cannot hold. */
const headerText = (text) => text.replaceAll(/[^\x20-\x7e]/g, '?');
