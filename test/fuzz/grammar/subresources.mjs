import { bodyOf } from './bodies.mjs';
import { anyString, anyValue } from './values.mjs';

const meta = (name) => ({ metadata: { name } });

const token = (random) => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  spec: {
    audiences: random.pick([undefined, [], ['a'], [''], ['a', 'a']]),
    expirationSeconds: random.pick([undefined, 600, 599, 0, -1, 4_294_967_297, 1.5]),
    boundObjectRef: random.pick([
      undefined,
      { kind: 'Pod', apiVersion: 'v1', name: random.pick(['a', 'web']) },
      { kind: 'Secret', apiVersion: 'v1', name: 'a', uid: anyString(random) },
      { kind: 'Node', apiVersion: 'v1', name: 'a' },
      { kind: anyString(random) },
    ]),
  },
});

const review = (random) => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  spec: { token: random.pick(['a.b.c', 'eyJhbGciOiJub25lIn0.e30.', anyString(random)]), audiences: ['a'] },
});

const access = (random) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: random.pick([
    { resourceAttributes: { verb: 'get', resource: anyString(random), namespace: anyString(random) } },
    { nonResourceAttributes: { path: anyString(random), verb: 'get' } },
    {},
  ]),
});

const scale = (random, name) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  ...meta(name),
  spec: { replicas: random.pick([0, 1, 5, -1, 2_147_483_648, 1.5]) },
});

const pod = (spec) => (random, name) => ({ apiVersion: 'v1', kind: 'Pod', ...meta(name), spec: spec(random) });
const containers = [{ name: 'main', image: 'nginx' }];

/** Subresources and reviews, each with a body that is nearly right. */
const targets = [
  { method: 'POST', path: '/api/v1/namespaces/NS/serviceaccounts/default/token', make: token },
  { method: 'POST', path: '/apis/authentication.k8s.io/v1/tokenreviews', make: review },
  { method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', make: access },
  { method: 'PUT', path: '/apis/apps/v1/namespaces/NS/deployments/NAME/scale', make: scale },
  { method: 'PUT', path: '/apis/fuzz.example.com/v1/namespaces/NS/fuzzes1/NAME/scale', make: scale },
  {
    method: 'POST',
    path: '/api/v1/namespaces/NS/pods/NAME/binding',
    make: (random, name) => ({ apiVersion: 'v1', kind: 'Binding', ...meta(name), target: { name: anyString(random) } }),
  },
  {
    method: 'POST',
    path: '/api/v1/namespaces/NS/pods/NAME/eviction',
    make: (random, name) => ({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      ...meta(name),
      deleteOptions: random.pick([undefined, {}, { gracePeriodSeconds: -1 }, { dryRun: ['All'] }]),
    }),
  },
  {
    method: 'PUT',
    path: '/api/v1/namespaces/NS/pods/NAME/ephemeralcontainers',
    make: pod(() => ({ containers, ephemeralContainers: [{ name: 'debug', image: 'a' }] })),
  },
  {
    method: 'PUT',
    path: '/api/v1/namespaces/NS/pods/NAME/resize',
    make: pod((random) => ({
      containers: [{ ...containers[0], resources: { limits: { cpu: anyString(random) } } }],
    })),
  },
  {
    method: 'PUT',
    path: '/api/v1/namespaces/NS/finalize',
    make: (random) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      ...meta('NS'),
      spec: { finalizers: [anyString(random)] },
    }),
  },
];

/** A request to a subresource, or for a review. */
export function subresourceRequest(random, { namespace, name }, headers, mischief) {
  const { method, path, make } = random.pick(targets);
  const value = random.chance(mischief / 2) ? anyValue(random) : make(random, name);
  const { type, body } = bodyOf(random, value, {}, mischief);
  const query = random.pick(['', '', '?dryRun=All', '?fieldManager=fuzz', '?fieldValidation=Strict']);
  const full = path.replace('NS', namespace).replace('NAME', encodeURIComponent(name)) + query;
  return { method, path: full, headers: { ...headers, 'content-type': type }, body };
}

/** A WebSocket handshake, valid or not, for a watch or a streaming subresource. */
export function upgradeRequest(random, { namespace }, headers, mischief) {
  const path = random.pick([
    `/api/v1/namespaces/${namespace}/configmaps?watch=1&timeoutSeconds=1`,
    '/api/v1/watch/pods?timeoutSeconds=1',
    `/api/v1/namespaces/${namespace}/pods/a/exec?command=x`,
    `/api/v1/namespaces/${namespace}/configmaps`,
    '/version',
  ]);
  const handshake = {
    connection: 'Upgrade',
    upgrade: random.chance(mischief) ? 'h2c' : 'websocket',
    'sec-websocket-version': random.chance(mischief) ? '8' : '13',
    'sec-websocket-key': random.chance(mischief) ? 'x' : 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const protocol = random.pick([undefined, 'base64.binary.k8s.io', 'v5.channel.k8s.io', 'x']);
  if (protocol !== undefined) handshake['sec-websocket-protocol'] = protocol;
  return { method: 'GET', path, headers: { ...headers, ...handshake } };
}
