import { kindSchema } from '@binnacle/api/table';
import { encodeCbor } from '@binnacle/apimachinery/cbor';
import { encodeProtobuf, wrapEnvelope } from '@binnacle/apimachinery/protobuf';
import { definition } from '../custom-resources/definition.mjs';

/**
 * Large requests, each with the status of kube-apiserver 1.36. `milliseconds` is the time of its slowest answer in
 * the group, on two busy processors. Later requests of a group build on earlier ones. Bodies are made when they are
 * sent, because together they are large.
 */

const namespace = '/api/v1/namespaces/default';
const configMaps = `${namespace}/configmaps`;
const secrets = `${namespace}/secrets`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/large.example/v1/namespaces/default/things';
const BODY_LIMIT = 3 * 1024 * 1024;

const json = 'application/json';
const yaml = 'application/yaml';
const cbor = 'application/cbor';
const protobuf = 'application/vnd.kubernetes.protobuf';
const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const apply = 'application/apply-patch+yaml';

const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const named = (count, make) => Object.fromEntries(many(count, make));

/** `made` returns the object to send. */
const request = (method, path, type, made, status) => ({
  name: `${method} ${type ?? ''} ${path.slice(0, 80)}`,
  method,
  path,
  type,
  body: () => written(type, made()),
  status,
});
const create = (path, type, made, status) => request('POST', path, type, made, status);
const get = (path, status) => ({
  name: `GET ${path.slice(0, 80)}`,
  method: 'GET',
  path,
  body: () => undefined,
  status,
});

function written(type, made) {
  if (typeof made === 'string') return made;
  if (type === cbor) return encodeCbor(made);
  if (type === protobuf) {
    const { apiVersion, kind } = made;
    const schema = kindSchema({ group: '', version: apiVersion, kind });
    return wrapEnvelope(apiVersion, kind, encodeProtobuf(made, schema));
  }
  return JSON.stringify(made);
}

const object = (kind, name, rest) => ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'default' }, ...rest });
const configMap = (name, data) => object('ConfigMap', name, { data });
const thing = (name, spec) => ({ apiVersion: 'large.example/v1', kind: 'Thing', metadata: { name }, spec });

const MEGABYTE = 1_000_000;
const megabyte = (letter) => ({ a: letter.repeat(MEGABYTE) });
const lines = (name, count) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${many(count, (index) => `  key-${index}: "${'x'.repeat(100)}"`).join('\n')}\n`;

/** 1.4 MB, near etcd's limit on a request. */
const longText = (letter) => ({ text: letter.repeat(1_400_000) });
const longList = (letter) => ({ list: many(35_000, (index) => ({ name: `n${index}`, value: letter.repeat(10) })) });

const padded = (head, bytes) => `${head}"pad":"${'x'.repeat(bytes - head.length - '"pad":""}'.length)}"}`;

const bigDefinition = (plural, kind, bytes) =>
  definition({
    group: 'large.example',
    plural,
    kind,
    versions: [
      {
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: named(1000, (index) => [
              `field${index}`,
              { type: 'string', description: 'x'.repeat(Math.floor(bytes / 1000)) },
            ]),
          },
        },
      },
    ],
  });

const applied = (manager, path, made, status) =>
  request('PATCH', `${path}?fieldManager=${manager}`, apply, made, status);

const sizes = [
  {
    name: 'a ConfigMap of 1 MB in every way',
    milliseconds: 1918,
    requests: [
      create(configMaps, json, () => configMap('json', megabyte('a')), 201),
      create(configMaps, yaml, () => lines('yaml', 9000), 201),
      create(configMaps, cbor, () => configMap('cbor', megabyte('c')), 201),
      create(configMaps, protobuf, () => configMap('protobuf', megabyte('d')), 201),
      request('PUT', `${configMaps}/json`, json, () => configMap('json', megabyte('e')), 200),
      request('PUT', `${configMaps}/json`, yaml, () => lines('json', 9000), 200),
      request('PUT', `${configMaps}/json`, cbor, () => configMap('json', megabyte('f')), 200),
      request('PUT', `${configMaps}/json`, protobuf, () => configMap('json', megabyte('g')), 200),
      request(
        'PATCH',
        `${configMaps}/json`,
        jsonPatch,
        () => [{ op: 'replace', path: '/data', value: megabyte('h') }],
        200,
      ),
      request('PATCH', `${configMaps}/json`, mergePatch, () => ({ data: megabyte('i') }), 200),
      request('PATCH', `${configMaps}/json`, strategicPatch, () => ({ data: megabyte('j') }), 200),
      applied('one', `${configMaps}/applied`, () => configMap('applied', megabyte('k')), 201),
      applied('one', `${configMaps}/applied`, () => configMap('applied', megabyte('l')), 200),
      applied('one', `${configMaps}/applied`, () => lines('applied', 5000), 200),
      create(
        configMaps,
        json,
        () =>
          configMap(
            'keys',
            named(40_000, (index) => [`k${index}`, 'v']),
          ),
        201,
      ),
      create(configMaps, json, () => configMap('much', { a: 'x'.repeat(1_500_000) }), 422),
    ],
  },
  {
    name: 'a Secret of 1 MB',
    milliseconds: 341,
    requests: [
      create(secrets, json, () => object('Secret', 'json', { stringData: megabyte('a') }), 201),
      create(
        secrets,
        json,
        () => object('Secret', 'data', { data: { a: Buffer.alloc(1_000_000).toString('base64') } }),
        201,
      ),
      create(secrets, cbor, () => object('Secret', 'cbor', { stringData: megabyte('b') }), 201),
      create(secrets, protobuf, () => object('Secret', 'protobuf', { stringData: megabyte('c') }), 201),
      request('PATCH', `${secrets}/json`, strategicPatch, () => ({ stringData: megabyte('d') }), 200),
      request('PATCH', `${secrets}/json`, mergePatch, () => ({ stringData: megabyte('e') }), 200),
      applied('one', `${secrets}/applied`, () => object('Secret', 'applied', { stringData: megabyte('f') }), 201),
    ],
  },
  {
    name: 'a custom object of 1.4 MB in every way',
    milliseconds: 2209,
    before: [create(definitions, json, () => definition({ group: 'large.example' }), 201)],
    served: things,
    requests: [
      create(things, json, () => thing('json', longText('a')), 201),
      create(things, json, () => thing('list', longList('a')), 201),
      create(things, yaml, () => thing('yaml', longText('b')), 201),
      create(things, cbor, () => thing('cbor', longList('c')), 201),
      request(
        'PATCH',
        `${things}/json`,
        jsonPatch,
        () => [{ op: 'replace', path: '/spec', value: longText('e') }],
        200,
      ),
      request('PATCH', `${things}/json`, mergePatch, () => ({ spec: longText('f') }), 200),
      request(
        'PATCH',
        `${things}/list`,
        jsonPatch,
        () => [{ op: 'replace', path: '/spec', value: longList('e') }],
        200,
      ),
      request('PATCH', `${things}/list`, mergePatch, () => ({ spec: longList('f') }), 200),
      applied('one', `${things}/applied`, () => thing('applied', longText('g')), 201),
      applied('one', `${things}/applied`, () => thing('applied', longText('h')), 200),
      applied('two', `${things}/applied-list`, () => thing('applied-list', longList('h')), 201),
      applied('two', `${things}/applied-list`, () => thing('applied-list', longList('i')), 200),
    ],
  },
  {
    name: 'bodies at the limit of 3 MiB',
    milliseconds: 639,
    requests: [
      create(configMaps, json, () => padded('{"metadata":{"name":"limit"},', BODY_LIMIT), 201),
      create(configMaps, json, () => padded('{"metadata":{"name":"limit"},', BODY_LIMIT + 1), 413),
      create(configMaps, yaml, () => padded('{"metadata":{"name":"limit-yaml"},', BODY_LIMIT), 201),
      request('PUT', `${configMaps}/limit`, json, () => padded('{"metadata":{"name":"limit"},', BODY_LIMIT), 200),
      request('PATCH', `${configMaps}/limit`, mergePatch, () => padded('{', BODY_LIMIT), 200),
      request('PATCH', `${configMaps}/limit`, strategicPatch, () => padded('{', BODY_LIMIT), 200),
      applied(
        'one',
        `${configMaps}/limit-apply`,
        () => padded('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"limit-apply"},', BODY_LIMIT),
        500,
      ),
      request(
        'DELETE',
        `${configMaps}/limit`,
        json,
        () => padded('{"kind":"DeleteOptions","apiVersion":"v1",', BODY_LIMIT),
        200,
      ),
    ],
  },
  {
    name: 'definitions of 1.3 MB',
    milliseconds: 429,
    requests: [
      create(definitions, json, () => bigDefinition('bigs', 'Big', 1_300_000), 201),
      applied('one', `${definitions}/applieds.large.example`, () => bigDefinition('applieds', 'Applied', 700_000), 201),
    ],
  },
];

const counts = [
  {
    name: 'patches of 3,000 operations',
    milliseconds: 702,
    before: [create(configMaps, json, () => configMap('target', { a: 'b' }), 201)],
    requests: [
      request(
        'PATCH',
        `${configMaps}/target`,
        jsonPatch,
        () => many(3000, (index) => ({ op: 'add', path: `/data/k${index}`, value: 'v' })),
        200,
      ),
      request(
        'PATCH',
        `${configMaps}/target`,
        jsonPatch,
        () => many(3000, (index) => ({ op: 'test', path: `/data/k${index}`, value: 'v' })),
        200,
      ),
      request(
        'PATCH',
        `${configMaps}/target`,
        jsonPatch,
        () => many(3000, (index) => ({ op: 'move', from: `/data/k${index}`, path: `/data/m${index}` })),
        200,
      ),
      request(
        'PATCH',
        `${configMaps}/target`,
        jsonPatch,
        () => many(3000, (index) => ({ op: 'remove', path: `/data/m${index}` })),
        200,
      ),
    ],
  },
  {
    name: 'pods of 500 containers and of 5,000 variables',
    milliseconds: 5322,
    requests: [
      create(
        `${namespace}/podtemplates`,
        json,
        () =>
          object('PodTemplate', 'containers', {
            template: { spec: { containers: many(500, (index) => ({ name: `c${index}`, image: 'a' })) } },
          }),
        201,
      ),
      create(
        `${namespace}/podtemplates`,
        json,
        () =>
          object('PodTemplate', 'variables', {
            template: {
              spec: {
                containers: [
                  { name: 'a', image: 'a', env: many(5000, (index) => ({ name: `V${index}`, value: `${index}` })) },
                ],
              },
            },
          }),
        201,
      ),
      request(
        'PATCH',
        `${namespace}/podtemplates/variables`,
        strategicPatch,
        () => ({
          template: {
            spec: {
              containers: [{ name: 'a', env: many(5000, (index) => ({ name: `V${index}`, value: `w${index}` })) }],
            },
          },
        }),
        200,
      ),
      applied(
        'one',
        `${namespace}/podtemplates/variables`,
        () =>
          object('PodTemplate', 'variables', {
            template: {
              spec: {
                containers: [{ name: 'a', env: many(2000, (index) => ({ name: `N${index}`, value: `w${index}` })) }],
              },
            },
          }),
        200,
      ),
      applied(
        'one',
        `${namespace}/podtemplates/applied`,
        () =>
          object('PodTemplate', 'applied', {
            template: {
              spec: {
                containers: many(500, (index) => ({
                  name: `c${index}`,
                  image: 'a',
                  env: many(10, (each) => ({ name: `V${each}`, value: 'v' })),
                })),
              },
            },
          }),
        201,
      ),
    ],
  },
  {
    name: '50 managers of one object',
    milliseconds: 1830,
    requests: many(50, (manager) =>
      applied(
        `m${manager}`,
        `${configMaps}/managed`,
        () =>
          configMap(
            'managed',
            named(200, (index) => [`m${manager}-${index}`, 'v']),
          ),
        manager === 0 ? 201 : 200,
      ),
    ),
  },
  {
    name: 'long selectors',
    milliseconds: 53,
    requests: [
      get(
        `${configMaps}?labelSelector=${encodeURIComponent(`a in (${many(1000, (index) => `v${index}`).join(',')})`)}`,
        200,
      ),
      get(
        `${configMaps}?labelSelector=${encodeURIComponent(many(1000, (index) => `k${index}!=v`).join(','))}&limit=1`,
        200,
      ),
      get(
        `${configMaps}?fieldSelector=${encodeURIComponent(many(1000, (index) => `metadata.name!=v${index}`).join(','))}&limit=1`,
        200,
      ),
      create(
        '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
        json,
        () => ({
          metadata: { name: 'a' },
          spec: {
            podSelector: {
              matchExpressions: [{ key: 'a', operator: 'In', values: many(1000, (index) => `v${index}`) }],
            },
          },
        }),
        201,
      ),
    ],
  },
  {
    name: 'many owners, labels and finalizers',
    milliseconds: 654,
    requests: [
      create(
        configMaps,
        json,
        () => ({
          metadata: {
            name: 'owned',
            ownerReferences: many(5000, (index) => ({
              apiVersion: 'v1',
              kind: 'ConfigMap',
              name: `o${index}`,
              uid: `uid-${index}`,
            })),
          },
        }),
        201,
      ),
      create(
        configMaps,
        json,
        () => ({
          metadata: {
            name: 'labelled',
            labels: named(5000, (index) => [`l${index}`, 'v']),
            annotations: named(5000, (index) => [`a${index}`, 'v']),
          },
        }),
        201,
      ),
      create(
        configMaps,
        json,
        () => ({ metadata: { name: 'held', finalizers: many(2000, (index) => `example.com/f${index}`) } }),
        201,
      ),
    ],
  },
  {
    name: 'roles of 5,000 rules',
    milliseconds: 131,
    requests: [
      create(
        '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        json,
        () => ({
          metadata: { name: 'large' },
          rules: many(5000, (index) => ({ apiGroups: [`g${index}`], resources: ['r'], verbs: ['get'] })),
        }),
        201,
      ),
      create(
        '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
        json,
        () => ({
          metadata: { name: 'large' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'large' },
          subjects: many(5000, (index) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: `u${index}` })),
        }),
        201,
      ),
      create(
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        json,
        () => ({ spec: { user: 'u4999', resourceAttributes: { group: 'g4999', resource: 'r', verb: 'get' } } }),
        201,
      ),
      create(
        '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        json,
        () => ({ spec: { namespace: 'default' } }),
        201,
      ),
    ],
  },
  {
    name: 'endpoints, ports and paths',
    milliseconds: 161,
    requests: [
      create(
        '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
        json,
        () => ({
          metadata: { name: 'large' },
          addressType: 'IPv4',
          endpoints: many(1000, (index) => ({ addresses: [`10.1.${index >> 8}.${index & 255}`] })),
        }),
        201,
      ),
      create(
        '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
        json,
        () => ({
          metadata: { name: 'larger' },
          addressType: 'IPv4',
          endpoints: many(1001, (index) => ({ addresses: [`10.1.${index >> 8}.${index & 255}`] })),
        }),
        422,
      ),
      create(
        `${namespace}/endpoints`,
        json,
        () => ({
          metadata: { name: 'large' },
          subsets: many(100, (index) => ({
            addresses: many(50, (each) => ({ ip: `10.2.${index}.${each + 1}` })),
            ports: [{ port: index + 1 }],
          })),
        }),
        201,
      ),
      create(
        `${namespace}/services`,
        json,
        () => ({
          metadata: { name: 'ports' },
          spec: { ports: many(1000, (index) => ({ name: `p${index}`, port: index + 1 })) },
        }),
        201,
      ),
      create(
        '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
        json,
        () => ({
          metadata: { name: 'large' },
          spec: {
            rules: many(500, (index) => ({
              host: `h${index}.example.com`,
              http: {
                paths: many(5, (each) => ({
                  path: `/p${each}`,
                  pathType: 'Prefix',
                  backend: { service: { name: 's', port: { number: 80 } } },
                })),
              },
            })),
          },
        }),
        201,
      ),
      create(
        '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
        json,
        () => ({
          metadata: { name: 'large' },
          spec: {
            podSelector: {},
            ingress: many(500, (index) => ({
              from: many(10, (each) => ({ ipBlock: { cidr: `10.${index & 255}.${each}.0/24` } })),
            })),
          },
        }),
        201,
      ),
    ],
  },
  {
    name: 'a namespace with 500 quotas',
    milliseconds: 12,
    before: [
      create('/api/v1/namespaces', json, () => ({ metadata: { name: 'quotas' } }), 201),
      create('/api/v1/namespaces/quotas/serviceaccounts', json, () => ({ metadata: { name: 'default' } }), undefined),
    ],
    requests: [
      ...many(500, (index) =>
        create(
          '/api/v1/namespaces/quotas/resourcequotas',
          json,
          () => ({ metadata: { name: `q${index}` }, spec: { hard: { 'count/configmaps': '1000' } } }),
          201,
        ),
      ),
      create('/api/v1/namespaces/quotas/secrets', json, () => ({ metadata: { name: 'a' } }), 201),
    ],
  },
];

const ruled = (plural, kind, spec) =>
  definition({
    group: 'large.example',
    plural,
    kind,
    versions: [{ schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
  });
const ruledObject = (kind, spec) => ({ apiVersion: 'large.example/v1', kind, metadata: { name: 'a' }, spec });
const objectsOf = (plural) => `/apis/large.example/v1/namespaces/default/${plural}`;
const names = (maxItems, rule) => ({
  type: 'array',
  maxItems,
  items: { type: 'string', maxLength: 20 },
  'x-kubernetes-validations': [{ rule }],
});
const pairs = 'self.all(x, self.exists_one(y, x == y))';

const rules = [
  {
    name: 'CEL rules near the limits of their cost',
    milliseconds: 225,
    before: [
      create(definitions, json, () => ruled('pairs', 'Pair', names(300, pairs)), 201),
      create(
        definitions,
        json,
        () =>
          ruled('maps', 'Map', {
            type: 'object',
            maxProperties: 1000,
            additionalProperties: { type: 'string', maxLength: 100 },
            'x-kubernetes-validations': [{ rule: 'self.all(k, self[k].matches("^[a-z]+$"))' }],
          }),
        201,
      ),
      create(
        definitions,
        json,
        () =>
          ruled('singles', 'Single', {
            type: 'array',
            maxItems: 2000,
            items: {
              type: 'string',
              maxLength: 20,
              'x-kubernetes-validations': [{ rule: 'self.startsWith("n")' }, { rule: 'self.size() < 20' }],
            },
          }),
        201,
      ),
    ],
    served: objectsOf('singles'),
    requests: [
      create(definitions, json, () => ruled('overs', 'Over', names(100_000, pairs)), 422),
      create(
        objectsOf('pairs'),
        json,
        () =>
          ruledObject(
            'Pair',
            many(300, (index) => `n${index}`),
          ),
        201,
      ),
      create(
        objectsOf('maps'),
        json,
        () =>
          ruledObject(
            'Map',
            named(1000, (index) => [`k${index}`, 'a'.repeat(100)]),
          ),
        201,
      ),
      create(
        objectsOf('singles'),
        json,
        () =>
          ruledObject(
            'Single',
            many(2000, (index) => `n${index}`),
          ),
        201,
      ),
      request(
        'PATCH',
        `${objectsOf('singles')}/a`,
        mergePatch,
        () => ({ spec: many(2000, (index) => `n-${index}`) }),
        200,
      ),
    ],
  },
];

export const largeRequests = [...sizes, ...counts, ...rules];
