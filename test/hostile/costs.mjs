import { definition } from '../custom-resources/definition.mjs';

const pods = '/api/v1/namespaces/default/pods';
const configMaps = '/api/v1/namespaces/default/configmaps';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const accessReviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const rulesReviews = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
const accessReview = (selectors) => ({
  spec: { resourceAttributes: { verb: 'list', resource: 'pods', ...selectors } },
});
const target = `${configMaps}/target`;
const json = 'application/json';
const yaml = 'application/yaml';
const cbor = 'application/cbor';
const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';
const MIB = 1024 * 1024;

const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const text = (count, make, separator = ',') => many(count, make).join(separator);
const list = (count, item) => `[${text(count, item)}]`;
const named = (count, make) => Object.fromEntries(many(count, (index) => [`f${index}`, make(index)]));
const nested = (depth, wrap, inner) => (depth === 0 ? inner : wrap(nested(depth - 1, wrap, inner)));

const request = (method, path, body, type, status) => ({
  method,
  path,
  body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  type,
  status,
});
const post = (path, body, status, type = json) => request('POST', path, body, type, status);
const patch = (path, body, type, status) => request('PATCH', path, body, type, status);
const get = (path, status = 200) => ({ method: 'GET', path, status });

const group = 'cost.example';
let kinds = 0;

function ownKind(schema) {
  const kind = `Cost${kinds++}`;
  const plural = kind.toLowerCase();
  const root = { type: 'object', properties: { spec: schema } };
  const body = definition({ group, plural, kind, versions: [{ schema: { openAPIV3Schema: root } }] });
  const objects = `/apis/${group}/v1/namespaces/default/${plural}`;
  const object = (name, spec) =>
    `{"apiVersion":"${group}/v1","kind":"${kind}","metadata":{"name":"${name}"},"spec":${typeof spec === 'string' ? spec : JSON.stringify(spec)}}`;
  return { define: post(definitions, body, 201), served: get(objects), objects, object };
}

/** Objects of a schema, each with the status of its create, and then further requests. */
function objectsOf(name, schema, specs, further = () => []) {
  const own = ownKind(schema);
  const creates = specs.map(([spec, status], index) => post(own.objects, own.object(`a${index}`, spec), status));
  return { name, before: [own.define], served: own.served, requests: [...creates, ...further(own)] };
}

/** A definition, and the documents that contain it. */
function defined(name, schema, status = 201) {
  const own = ownKind(schema);
  const documents = [own.served, get('/openapi/v2'), get(`/openapi/v3/apis/${group}/v1`)];
  return { name, requests: [{ ...own.define, status }, ...(status === 201 ? documents : [])] };
}

const items = (schema, more = {}) => ({ type: 'array', items: schema, ...more });
const string = { type: 'string' };
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const cborObject = (field, count, item) => {
  const head = Buffer.from([0x9a, 0, 0, 0, 0]);
  head.writeUInt32BE(count, 1);
  const name = Buffer.from([0xa1, 0x40 + field.length, ...Buffer.from(field)]);
  return Buffer.concat([name, head, Buffer.alloc(count * item.length, item)]);
};

const operations = (count, make, first) => `[${first},${text(count, make)}]`;
const addList = (count) => `{"op":"add","path":"/x","value":${list(count, () => '1')}}`;
const configMap = (name, data) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":${data}}`;
const keys = (count, prefix, value = 'v') => `{${text(count, (index) => `"${prefix}${index}":"${value}"`)}}`;
const pod = (spec) => `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":${spec}}`;

const quota = (count, scope) =>
  `{"metadata":{"name":"a"},"spec":{"hard":${keys(count, 'requests.hugepages-', '1')},"scopes":${list(count, () => `"${scope}"`)}}}`;
const spreadConstraint = (index) => `{"maxSkew":1,"topologyKey":"k${index}","whenUnsatisfiable":"DoNotSchedule"}`;
const failurePolicy = (count) =>
  `{"metadata":{"name":"a"},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}},"podFailurePolicy":{"rules":[{"action":"Ignore","onExitCodes":{"operator":"In","values":${list(count, (index) => index + 1)}}}]}}}`;
const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const quobyte = (registry) => `{"name":"a","quobyte":{"registry":"${registry}","volume":"a"}}`;
const webhook = (path) =>
  `{"metadata":{"name":"a"},"webhooks":[{"name":"a.b.c","clientConfig":{"service":{"namespace":"a","name":"a","path":"${path}"}},"sideEffects":"None","admissionReviewVersions":["v1"]}]}`;
/** A PKCS #10 request of zeros, with two bytes per element. */
const zeroRequest = (size) => {
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${'A'.repeat(size)}\n-----END CERTIFICATE REQUEST-----\n`;
  const request = Buffer.from(pem).toString('base64');
  return { metadata: { name: 'a' }, spec: { request, signerName: 'a.b/c', usages: ['client auth'] } };
};

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const ruleOf = (index) => ({ apiGroups: [`g${index}`], resources: ['a'], verbs: ['get'] });
const writesRoles = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create'] };
const roleOf = (name, rules) => ({ metadata: { name }, rules });
const bindingOf = (name, role) => ({
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', name: 'bound' }],
});
const asBound = (asked) => ({ ...asked, user: 'bound' });

/** Single requests that would be too expensive without bounds. `before` is not measured. */
export const costs = [
  objectsOf('an enum of 50,000 texts', items({ type: 'string', enum: many(50_000, (index) => `e${index}`) }), [
    [list(100_000, () => '"e49999"'), 201],
    [list(300_000, (index) => `"e${49_999 - (index % 100)}"`), 201],
    [list(300_000, (index) => `"o${index}"`), 413],
  ]),
  objectsOf('an enum of 20,000 objects', items({ ...open, enum: many(20_000, (index) => ({ a: index })) }), [
    [list(50_000, () => '{"a":19999}'), 201],
  ]),
  objectsOf(
    'defaults of 2,000 keys',
    items({
      type: 'object',
      properties: { a: { type: 'object', additionalProperties: string, default: named(2000, () => 'v') } },
    }),
    [
      [list(100_000, () => '{}'), 413],
      [list(20, () => '{}'), 201],
    ],
  ),
  objectsOf(
    '2,000 fields with defaults',
    items({ type: 'object', properties: named(2000, () => ({ type: 'string', default: 'v' })) }),
    [[list(100_000, () => '{}'), 413]],
  ),
  objectsOf(
    'a default of a megabyte',
    items({ type: 'object', properties: { a: { type: 'string', default: 'v'.repeat(MIB) } } }),
    [[list(1000, () => '{}'), 413]],
  ),
  objectsOf('sets', items(string, { 'x-kubernetes-list-type': 'set' }), [
    [list(300_000, (index) => `"${index}"`), 413],
    [list(300_000, (index) => `"${index % 150_000}"`), 413],
    [list(20_000, (index) => `"s${index}"`), 201],
  ]),
  objectsOf(
    'map lists',
    items(
      { type: 'object', required: ['name'], properties: { name: string, v: string } },
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    ),
    [
      [list(60_000, (index) => `{"name":"n${index}","v":"v"}`), 413],
      [list(10_000, (index) => `{"name":"n${index}","v":"v"}`), 201],
    ],
    ({ objects, object }) => [
      patch(
        `${objects}/b?fieldManager=m`,
        object(
          'b',
          list(10_000, (index) => `{"name":"n${index}"}`),
        ),
        apply,
        201,
      ),
      patch(
        `${objects}/b?fieldManager=n`,
        object(
          'b',
          list(10_000, (index) => `{"name":"o${index}"}`),
        ),
        apply,
        200,
      ),
    ],
  ),
  objectsOf('anyOf of 5,000', items({ type: 'integer', anyOf: many(5000, (index) => ({ minimum: index + 1 })) }), [
    [list(100_000, () => '0'), 413],
    [list(100_000, () => '1'), 201],
  ]),
  objectsOf(
    'oneOf in oneOf',
    items({ type: 'string', oneOf: many(500, () => ({ oneOf: many(50, () => ({ pattern: '^(a|b)*c$' })) })) }),
    [[list(100_000, () => '"ababababab"'), 413]],
  ),
  objectsOf('a pattern with many states', { type: 'string', pattern: '(a?){500}b' }, [
    [`"${'a'.repeat(2 * MIB)}"`, 413],
    ['"aab"', 201],
  ]),
  objectsOf('fields that are not there', items({ type: 'object', properties: named(10_000, () => string) }), [
    [list(200_000, () => '{}'), 413],
  ]),
  {
    name: 'JSON patches of a list of a million',
    requests: [
      '{"op":"remove","path":"/x/0"}',
      '{"op":"add","path":"/x/0","value":1}',
      '{"op":"move","from":"/x/0","path":"/x/-"}',
      '{"op":"copy","from":"/x/0","path":"/x/0"}',
    ].map((operation) =>
      patch(
        target,
        operations(9990, () => operation, addList(1_000_000)),
        jsonPatch,
        413,
      ),
    ),
  },
  {
    name: 'JSON patches that copy what they have copied, and go deep',
    requests: [
      patch(
        target,
        operations(9990, (index) => `{"op":"copy","from":"/x","path":"/y${index}"}`, addList(1e6)),
        jsonPatch,
        422,
      ),
      patch(
        target,
        operations(
          2000,
          () => `{"op":"add","path":"/x${'/a'.repeat(600)}","value":1}`,
          `{"op":"add","path":"/x","value":${'{"a":'.repeat(601)}1${'}'.repeat(601)}}`,
        ),
        jsonPatch,
        200,
      ),
    ],
  },
  {
    name: 'many keys, owned by two',
    requests: [
      patch(`${configMaps}/applied?fieldManager=m`, configMap('applied', keys(200_000, 'm', '')), apply, 413),
      patch(`${configMaps}/applied?fieldManager=m`, configMap('applied', keys(30_000, 'm')), apply, 201),
      patch(`${configMaps}/applied?fieldManager=n`, configMap('applied', keys(30_000, 'n')), apply, 200),
      patch(target, `{"data":${keys(30_000, 'k', '')}}`, mergePatch, 200),
    ],
  },
  {
    name: '15,000 conflicts with 6 owners',
    before: many(6, (manager) =>
      patch(`${configMaps}/owned?fieldManager=m${manager}`, configMap('owned', keys(15_000, 'k')), apply),
    ),
    requests: [
      patch(`${configMaps}/owned?fieldManager=o`, configMap('owned', keys(15_000, 'k', 'w')), apply, 409),
      patch(`${configMaps}/owned?fieldManager=o&force=true`, configMap('owned', keys(15_000, 'k', 'w')), apply, 200),
    ],
  },
  {
    name: 'YAML of tags, merge keys, anchors and mistakes',
    requests: [
      `a:\n${text(59_000, () => '- !!str a', '\n')}`,
      `a:\n${text(29_000, (index) => `- &a${index} x\n- *a${index}`, '\n')}`,
      `a: &a {x: 1}\nb:\n  <<: [${text(50_000, () => '*a')}]`,
      `a: "${'x\\n'.repeat(900_000)}"`,
      `${'- '.repeat(400_000)}x`,
      '"a" '.repeat(400_000),
      `- ${'\n'.repeat(2_800_000)}`,
      `- "${'\n'.repeat(2_800_000)}"`,
      `- |\n${text(900_000, () => ' x', '\n')}`,
      text(99_000, () => '- a : 1', '\n'),
      `{"a":${list(900_000, () => 1)},}`,
      `%TAG !a! tag:${'y'.repeat(1_500_000)}\n---\n${'- !a!x 1\n'.repeat(100_000)}`,
      '\r'.repeat(3_000_000),
      '1_'.repeat(1_500_000),
      `? ["${'\u00ad'.repeat(1_400_000)}"]`,
    ].map((body) => post(configMaps, body, undefined, yaml)),
  },
  {
    name: 'three million things in CBOR',
    requests: [
      post(configMaps, cborObject('data', 3_000_000, Buffer.of(0xa0)), 400, cbor),
      post(configMaps, cborObject('data', 1_000_000, Buffer.of(0xa1, 0x40, 0x40)), 400, cbor),
    ],
  },
  {
    name: 'unknown fields, all told',
    requests: ['Strict', 'Warn'].flatMap((validation) => [
      post(
        `${configMaps}?fieldValidation=${validation}&dryRun=All`,
        `{"metadata":{"name":"u"},${text(250_000, (index) => `"f${index}":1`)}}`,
      ),
      post(`${pods}?fieldValidation=${validation}&dryRun=All`, pod(`{"containers":${list(300_000, () => '{"x":0}')}}`)),
    ]),
  },
  objectsOf(
    'unknown fields of a definition',
    items({ type: 'object', properties: { a: string } }),
    [],
    ({ objects, object }) =>
      ['Strict', 'Warn'].map((validation) =>
        post(
          `${objects}?fieldValidation=${validation}`,
          object(
            'a',
            list(300_000, () => '{"x":0}'),
          ),
          validation === 'Strict' ? 400 : 201,
        ),
      ),
  ),
  objectsOf(
    'patches of unknown fields, which their error shows',
    { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
    [[{ apiVersion: 'v1', kind: 'Pod' }, 201]],
    ({ objects }) => {
      const path = `${objects}/a0?fieldValidation=Strict`;
      const metadata = `{${text(250_000, (index) => `"k${index}":1`)}}`;
      return [
        patch(path, `[{"op":"add","path":"/spec/metadata","value":${metadata}}]`, jsonPatch, 422),
        patch(path, `{"spec":${metadata}}`, mergePatch, 422),
      ];
    },
  ),
  objectsOf(
    'patches of numbers with a fraction',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    [['{}', 201]],
    ({ objects }) => {
      const numbers = `[1.0,${text(1_400_000, () => '1')}]`;
      const fractions = list(700_000, () => '1.0');
      return [
        ...[numbers, fractions].map((given) => patch(`${objects}/a0`, `{"spec":{"x":${given}}}`, mergePatch)),
        patch(
          `${objects}/a0`,
          `[{"op":"add","path":"/spec/x","value":${fractions}},{"op":"remove","path":"/spec/x/0"}]`,
          jsonPatch,
        ),
        patch(`${objects}/a0`, `[{"op":"replace","path":"","value":{"spec":${numbers}}}]`, jsonPatch),
      ];
    },
  ),
  {
    name: 'built-in lists that validation compares with themselves',
    requests: [
      post('/api/v1/namespaces/default/resourcequotas?dryRun=All', quota(40_000, 'Terminating'), 422),
      post(
        `${pods}?dryRun=All`,
        pod(`{"containers":[{"name":"a","image":"a"}],"topologySpreadConstraints":${list(15_000, spreadConstraint)}}`),
        201,
      ),
      post('/apis/batch/v1/namespaces/default/jobs?dryRun=All', failurePolicy(300_000), 422),
    ],
  },
  {
    name: 'pods of empty containers',
    requests: [post(`${pods}?dryRun=All`, pod(`{"containers":${list(900_000, () => '{}')}}`), 413)],
  },
  {
    name: 'texts of built-in objects that the error of each part shows',
    requests: [
      post(`${pods}?dryRun=All`, pod(`{"containers":[],"volumes":[${quobyte('a,'.repeat(1_400_000))}]}`), 422),
      post(`${webhooks}?dryRun=All`, webhook('/A'.repeat(1_400_000)), 422),
    ],
  },
  {
    name: 'built-in lists that every error shows',
    requests: [
      post('/api/v1/namespaces/default/resourcequotas?dryRun=All', quota(40_000, 'Odd'), 422),
      post('/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All', zeroRequest(2 * MIB), 422),
    ],
  },
  defined(
    'a definition with 100,000 keys of a list',
    items(
      { type: 'object', properties: { a: string } },
      {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': many(100_000, (index) => `k${index}`),
      },
    ),
    422,
  ),
  {
    name: 'selectors and tokens as long as a path may be',
    requests: [
      get(`${configMaps}?labelSelector=${text(200_000, (index) => `a${index % 10}`)}`),
      get(`${configMaps}?labelSelector=a+in+(${text(130_000, (index) => `a${index}`)})`),
      get(`${configMaps}?fieldSelector=${text(60_000, () => 'metadata.name!=a')}`),
      get(`${configMaps}?fieldSelector=${text(100_000, () => 'a=b')}`, 400),
      get(`${configMaps}?continue=${'A'.repeat(1_000_000)}`, 400),
    ],
  },
  {
    name: 'selectors of access reviews as long as a body may be',
    requests: [
      post(accessReviews, accessReview({ labelSelector: { rawSelector: text(1_400_000, () => 'a') } }), 201),
      post(accessReviews, accessReview({ fieldSelector: { rawSelector: text(930_000, () => 'a=') } }), 201),
    ],
  },
  {
    name: 'quantities and numbers of great size',
    requests: ['1e999999999', '9'.repeat(MIB), `0.${'0'.repeat(MIB)}1`, `1e${'9'.repeat(MIB)}`].map((number) =>
      post(pods, pod(`{"containers":[{"name":"a","image":"a","resources":{"limits":{"cpu":"${number}"}}}]}`)),
    ),
  },
  {
    name: 'roles of 20,000 rules, twenty times bound to one user',
    before: [
      post(`${rbac}/clusterroles`, { metadata: { name: 'wide' }, rules: many(20_000, ruleOf) }, 201),
      post(`${rbac}/clusterroles`, { metadata: { name: 'writer' }, rules: [writesRoles] }, 201),
      ...many(20, (index) => post(`${rbac}/clusterrolebindings`, bindingOf(`wide-${index}`, 'wide'), 201)),
      post(`${rbac}/clusterrolebindings`, bindingOf('writer', 'writer'), 201),
    ],
    requests: [
      asBound(post(rulesReviews, { spec: { namespace: 'default' } }, 201)),
      asBound(post(`${rbac}/namespaces/default/roles`, roleOf('held', many(20, ruleOf)), 201)),
      asBound(post(`${rbac}/namespaces/default/roles`, roleOf('lacked', [{ ...ruleOf(0), verbs: ['list'] }]), 403)),
    ],
  },
  defined('a definition with a pattern of 900 KB', { type: 'string', pattern: 'a?'.repeat(450_000) }, 422),
  defined('a definition with 10,000 patterns', {
    type: 'object',
    properties: named(10_000, (index) => ({ type: 'string', pattern: `^[a-z]{1,60}x${index}$` })),
  }),
  defined('a definition with 40,000 properties', { type: 'object', properties: named(40_000, () => string) }),
  defined('a definition with 5,000 rules', {
    type: 'object',
    properties: named(5000, (index) => ({
      type: 'integer',
      'x-kubernetes-validations': [{ rule: `self > ${index}` }],
    })),
  }),
  defined('a definition with 10,000 rules for fields of 10,000', {
    type: 'object',
    properties: named(10_000, () => string),
    'x-kubernetes-validations': many(10_000, (index) => ({ rule: 'true', fieldPath: `.f${index}` })),
  }),
  defined(
    'a definition with 60,000 wrong alternatives',
    { type: 'object', anyOf: many(60_000, () => ({ properties: { a: { title: 'b' } } })) },
    422,
  ),
  defined('a definition with 40,000 defaults', {
    type: 'object',
    properties: named(40_000, () => ({ ...string, default: 'a' })),
  }),
  defined(
    'a definition 2,000 levels deep',
    nested(2000, (inner) => ({ type: 'object', properties: { a: inner } }), string),
    400,
  ),
  defined(
    'a definition 450 levels deep',
    nested(450, (inner) => ({ type: 'object', properties: { a: inner } }), string),
  ),
];

/** Requests that kube-apiserver answers within a second, so this server must too. */
export const legal = [
  {
    name: 'large objects of built-in kinds',
    requests: [
      post(configMaps, configMap('large', `{"a":"${'x'.repeat(1_000_000)}"}`), 201),
      post(configMaps, configMap('keys', keys(40_000, 'k')), 201),
      post(
        '/api/v1/namespaces/default/secrets',
        `{"metadata":{"name":"large"},"stringData":{"a":"${'x'.repeat(1_000_000)}"}}`,
        201,
      ),
      post(
        '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        `{"metadata":{"name":"large"},"rules":${list(10_000, (index) => `{"apiGroups":["g${index}"],"resources":["r"],"verbs":["get"]}`)}}`,
        201,
      ),
      post(
        '/apis/apps/v1/namespaces/default/controllerrevisions',
        `{"metadata":{"name":"large"},"revision":1,"data":{"a":${list(200_000, () => '{}')}}}`,
        201,
      ),
      post(
        '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
        `{"metadata":{"name":"large"},"addressType":"IPv4","endpoints":${list(1000, (index) => `{"addresses":["10.0.${index >> 8}.${index & 255}"],"conditions":{"ready":true}}`)}}`,
        201,
      ),
      post(
        configMaps,
        `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n${text(20_000, (index) => `  key-${index}: "${'x'.repeat(30)}"`, '\n')}`,
        201,
        yaml,
      ),
    ],
  },
  {
    name: 'patches of 3,000 operations, and of 10,000 on a long list',
    requests: [
      patch(
        target,
        operations(
          3000,
          (index) => `{"op":"add","path":"/data/k${index}","value":"v"}`,
          '{"op":"add","path":"/data","value":{}}',
        ),
        jsonPatch,
        200,
      ),
      patch(
        target,
        operations(9990, () => '{"op":"remove","path":"/x/0"}', addList(20_000)),
        jsonPatch,
        200,
      ),
    ],
  },
  {
    name: 'an apply of 20,000 fields',
    requests: [
      patch(`${configMaps}/fields?fieldManager=m`, configMap('fields', keys(20_000, 'k')), apply, 201),
      patch(`${configMaps}/fields?fieldManager=m`, configMap('fields', keys(20_000, 'l')), apply, 200),
    ],
  },
  objectsOf(
    'custom resources of 10,000 items with keys, patterns and alternatives',
    items(
      {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$', maxLength: 63 },
          port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
          mode: { type: 'string', enum: ['a', 'b', 'c'], default: 'a' },
        },
        oneOf: [{ required: ['name'] }, { required: ['nothing'] }],
      },
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    ),
    [[list(10_000, (index) => `{"name":"n${index}","port":${index}}`), 201]],
  ),
  objectsOf(
    'a custom resource of 1.4 MB of numbers',
    items({ type: 'integer' }, { 'x-kubernetes-list-type': 'atomic' }),
    [[list(500_000, () => '1'), 201]],
  ),
  defined('a definition with 1,000 rules', {
    type: 'object',
    properties: named(1000, (index) => ({
      type: 'integer',
      'x-kubernetes-validations': [{ rule: `self > ${index}` }],
    })),
  }),
];

/** Sent by several clients at once: one turn of the event loop must not hold the work of all. */
export const together = [
  {
    name: 'objects of many keys, items and unknown fields',
    requests: [
      post(`${configMaps}?dryRun=All`, configMap('many', keys(40_000, 'k')), 201),
      post(`${pods}?dryRun=All&fieldValidation=Strict`, pod(`{"containers":${list(100_000, () => '{"x":0}')}}`), 400),
      post(`${configMaps}?dryRun=All`, configMap('wrong', `{${text(40_000, (index) => `"!${index}":"v"`)}}`), 422),
    ],
  },
  {
    name: 'patches and applies',
    requests: [
      patch(`${target}?dryRun=All`, `{"data":${keys(40_000, 'm')}}`, mergePatch, 200),
      patch(`${configMaps}/together?fieldManager=m&dryRun=All`, configMap('together', keys(20_000, 'k')), apply, 201),
    ],
  },
];
