const nested = (open, depth, middle, close) => open.repeat(depth) + middle + close.repeat(depth);
const list = (count, make, separator = ',') => Array.from({ length: count }, (_, index) => make(index)).join(separator);

const deployment = (replicas) => `{"metadata":{"name":"d"},"spec":{"replicas":${replicas}}}`;
const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';

const yaml = 'application/yaml';
const merge = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const strategic = 'application/strategic-merge-patch+json';

/** An array of CBOR items with its length; `announced`: a length larger than the content. */
const cborArray = (count, item, announced = count) => {
  const head = Buffer.from([0x9a, 0, 0, 0, 0]);
  head.writeUInt32BE(announced, 1);
  return Buffer.concat([head, Buffer.alloc(count * item.length, item)]);
};
/** A ConfigMap whose data is the item. */
const cborConfigMap = (item) => Buffer.concat([Buffer.from([0xa1, 0x44]), Buffer.from('data'), item]);
const cbor = 'application/cbor';
const million = 1_000_000;

/** Bodies with upstream's status and reason. `says`: a part of the message. */
export const bodies = [
  { name: 'nothing', path: configMaps, body: '', status: 400, says: '<empty>' },
  {
    name: 'half an object',
    path: configMaps,
    body: '{"metadata":{"name":"a"',
    status: 400,
    says: 'unexpected end of JSON input',
  },
  { name: 'null', path: configMaps, body: 'null', status: 422 },
  { name: 'a list', path: configMaps, body: '[]', status: 400, says: 'cannot unmarshal array' },
  { name: 'zeros', path: configMaps, body: Buffer.alloc(1000), status: 400 },
  { name: '100000 open brackets', path: configMaps, body: '['.repeat(100_000), status: 400, says: 'max depth' },
  { name: '100000 open objects', path: configMaps, body: '{"a":'.repeat(100_000), status: 400, says: 'max depth' },
  {
    name: '100000 objects in each other',
    path: configMaps,
    body: nested('{"data":', 100_000, '1', '}'),
    status: 400,
    says: 'max depth',
  },
  {
    name: 'as deep as is allowed',
    path: revisions,
    body: `{"metadata":{"name":"deep"},"revision":1,"data":${nested('{"a":', 900, '1', '}')}}`,
    status: 201,
  },
  {
    name: 'one byte more than 3 MiB',
    path: configMaps,
    body: 'x'.repeat(3 * 1024 * 1024 + 1),
    status: 413,
    says: 'limit is 3145728',
  },
  {
    name: '3 MiB of one value',
    path: configMaps,
    body: `{"metadata":{"name":"big"},"data":{"a":"${'x'.repeat(3 * 1024 * 1024 - 100)}"}}`,
    status: 422,
    says: 'Too long',
  },
  {
    name: 'a number past all doubles',
    path: deployments,
    body: deployment('1e400'),
    status: 400,
    says: 'cannot unmarshal number 1e400',
  },
  { name: 'an integer of a million digits', path: deployments, body: deployment('9'.repeat(1_000_000)), status: 400 },
  { name: 'a fraction of an integer', path: deployments, body: deployment('1.5'), status: 400 },
  {
    name: 'bytes that are not UTF-8',
    path: configMaps,
    body: Buffer.from('{"metadata":{"name":"utf8"},"data":{"a":"\xff\xfe\xc0"}}', 'latin1'),
    status: 201,
  },
  {
    name: 'names of prototypes',
    path: configMaps,
    body: '{"__proto__":{"metadata":{"name":"q"}},"metadata":{"name":"proto","__proto__":{"uid":"x"},"labels":{"constructor":"c"}},"data":{"__proto__":"1","constructor":"2"}}',
    status: 201,
  },
  { name: 'a prototype for a name', path: configMaps, body: '{"metadata":{"name":"__proto__"}}', status: 422 },
  {
    name: 'another kind',
    path: configMaps,
    body: '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s"}}',
    status: 400,
    says: 'unknown conversion',
  },
  {
    name: 'a list of objects',
    path: configMaps,
    body: '{"kind":"List","apiVersion":"v1","items":[]}',
    status: 400,
    says: 'List in version "v1" cannot be handled as a ConfigMap',
  },
  {
    name: 'a kind of a prototype',
    path: configMaps,
    body: '{"kind":"__proto__","apiVersion":"constructor/v1"}',
    status: 400,
  },
  {
    name: '100000 unknown fields',
    path: configMaps,
    body: `{"metadata":{"name":"unknown"},${list(100_000, (index) => `"f${index}":1`)}}`,
    status: 201,
  },
  {
    name: '100000 times one key',
    path: configMaps,
    body: `{"metadata":{"name":"duplicates"},"data":{${list(100_000, () => '"a":"b"')}}}`,
    status: 201,
  },
  {
    name: '20000 bad labels',
    path: configMaps,
    body: `{"metadata":{"name":"labels","labels":{${list(20_000, (index) => `"f${index}":"-"`)}}}}`,
    status: 422,
  },
  {
    name: 'a body that says it is packed',
    path: configMaps,
    body: 'x',
    headers: { 'content-encoding': 'gzip' },
    status: 400,
  },
  {
    name: 'a body of another type',
    path: configMaps,
    body: 'x',
    headers: { 'content-type': 'text/plain' },
    status: 415,
  },

  {
    name: 'YAML that multiplies itself',
    path: configMaps,
    type: yaml,
    body: `a: &a ["x","x","x","x","x","x","x","x","x"]\n${list(10, (index) => `${'bcdefghijk'[index]}: &${'bcdefghijk'[index]} [${list(9, () => `*${'abcdefghij'[index]}`)}]`, '\n')}`,
    status: 400,
    says: 'excessive aliasing',
  },
  { name: 'YAML that holds itself', path: configMaps, type: yaml, body: 'a: &a [*a]', status: 400 },
  {
    name: 'YAML 50000 deep',
    path: configMaps,
    type: yaml,
    body: `a: ${'['.repeat(50_000)}`,
    status: 400,
    says: 'max depth',
  },
  {
    name: 'YAML of a million keys',
    path: configMaps,
    type: yaml,
    body: 'a:\n'.repeat(1_000_000),
    status: 400,
    says: 'exceeded max of 400000 nodes',
  },
  {
    name: 'YAML with a tag of code',
    path: configMaps,
    type: yaml,
    body: 'metadata: !!js/function "function(){}"',
    status: 400,
  },
  { name: 'YAML without an end', path: configMaps, type: yaml, body: `a: "${'\\x41'.repeat(100_000)}`, status: 400 },

  {
    name: 'a patch 50000 deep',
    method: 'PATCH',
    path: `${configMaps}/target`,
    type: merge,
    body: nested('{"a":', 50_000, '1', '}'),
    status: 400,
    says: 'max depth',
  },
  {
    name: 'a patch of 20000 steps',
    method: 'PATCH',
    path: `${configMaps}/target`,
    type: jsonPatch,
    body: `[${list(20_000, () => '{"op":"add","path":"/data/a","value":"b"}')}]`,
    status: 413,
  },
  {
    name: 'a patch that doubles the object 40 times',
    method: 'PATCH',
    path: `${configMaps}/target`,
    type: jsonPatch,
    body: `[{"op":"add","path":"/data","value":{"a":"x"}},${list(40, (index) => `{"op":"copy","from":"/data","path":"/data/b${index}"}`)}]`,
    status: 422,
  },
  {
    name: 'a patch of a prototype',
    method: 'PATCH',
    path: `${configMaps}/target`,
    type: jsonPatch,
    body: '[{"op":"add","path":"/__proto__/polluted","value":"yes"}]',
    status: 422,
  },
  {
    name: 'a merge into a prototype',
    method: 'PATCH',
    path: `${configMaps}/target`,
    type: strategic,
    body: '{"__proto__":{"polluted":"yes"},"data":{"__proto__":{"polluted":"yes"}}}',
    status: 422,
  },
  {
    name: 'delete options of another kind',
    method: 'DELETE',
    path: `${configMaps}/target`,
    body: '{"kind":"Pod","apiVersion":"v1"}',
    status: 400,
  },
  { name: 'delete options that are a number', method: 'DELETE', path: `${configMaps}/target`, body: '5', status: 400 },
  {
    name: 'three million maps in CBOR',
    path: configMaps,
    type: cbor,
    body: cborArray(3 * million, Buffer.of(0xa0)),
    status: 400,
    says: 'exceeded max number of data items 1572864',
  },
  {
    name: 'a million and a half maps in CBOR where texts belong',
    path: configMaps,
    type: cbor,
    body: cborConfigMap(cborArray(1.5 * million, Buffer.of(0xa0))),
    status: 400,
    says: 'cannot unmarshal array',
  },
  {
    name: 'a million and a half maps in CBOR, and one that is promised',
    path: configMaps,
    type: cbor,
    body: cborArray(1.5 * million, Buffer.of(0xa0), 1.5 * million + 1),
    status: 400,
    says: 'unexpected EOF',
  },
  {
    name: 'a text in CBOR of three million parts',
    path: configMaps,
    type: cbor,
    body: cborConfigMap(Buffer.concat([Buffer.of(0x5f), Buffer.alloc(3 * million, 0x40), Buffer.of(0xff)])),
    status: 400,
  },
  {
    name: 'three million tags in each other',
    path: configMaps,
    type: cbor,
    body: Buffer.alloc(3 * million, 0xd6),
    status: 400,
    says: 'max nested level',
  },
  {
    name: 'two million levels in CBOR',
    path: configMaps,
    type: cbor,
    body: Buffer.alloc(2 * million, 0x81),
    status: 400,
    says: 'max nested level',
  },
  {
    name: 'one name again and again in CBOR',
    path: configMaps,
    type: cbor,
    body: Buffer.concat([Buffer.of(0xbf), Buffer.alloc(2.25 * million, Buffer.from('416101', 'hex')), Buffer.of(0xff)]),
    status: 400,
    says: 'duplicate map key',
  },
  {
    name: 'a prototype in CBOR',
    path: configMaps,
    type: cbor,
    body: Buffer.concat([
      Buffer.of(0xa1, 0x49),
      Buffer.from('__proto__'),
      Buffer.of(0xa1, 0x48),
      Buffer.from('polluted'),
      Buffer.of(0xf5),
    ]),
    status: 422,
  },
  {
    name: 'twenty thousand containers without a name',
    path: '/api/v1/namespaces/default/podtemplates',
    body: `{"metadata":{"name":"many"},"template":{"spec":{"containers":[${list(20_000, () => '{}')}]}}}`,
    status: 422,
    says: 'template.spec.containers[3000].name: Required value',
  },
];

const continueToken = (start) => Buffer.from(`{"v":"meta.k8s.io/v1","rv":1,"start":"${start}"}`).toString('base64url');

/** Request targets, read with GET unless they say otherwise. */
export const targets = [
  { path: `${configMaps}/a%2Fb`, status: 404 },
  { path: `${configMaps}/%2e%2e`, status: 400, says: `may not be '..'` },
  { path: `${configMaps}/a%25b`, status: 400, says: `may not contain '%'` },
  { path: `${configMaps}/a%00b`, status: 404 },
  { path: `${configMaps}/%zz`, status: 400 },
  { path: `${configMaps}/%ff`, status: 400 },
  { path: `${configMaps}/__proto__`, status: 404, says: 'configmaps "__proto__" not found' },
  { path: `${configMaps}/${'a'.repeat(5000)}`, status: 404 },
  { path: `${configMaps}/${'a'.repeat(5000)}`, method: 'DELETE', status: 404 },
  { path: '/api/v1/namespaces/default/__proto__', status: 404 },
  { path: '/api/v1/namespaces/default/constructor/x', status: 404 },
  { path: '/apis/__proto__/v1/x', status: 404 },
  { path: '/api/v1/namespaces/__proto__/configmaps', status: 200 },
  { path: '/../../etc/passwd', status: 404 },
  { path: '//api//v1//configmaps', status: 404 },
  { path: `/${'a/'.repeat(20_000)}`, status: 404 },
  { path: `${configMaps}?labelSelector=${list(15_000, (index) => `a${index}`)}`, status: 200 },
  { path: `${configMaps}?labelSelector=a+in+(${list(15_000, (index) => `a${index}`)})`, status: 200 },
  { path: `${configMaps}?labelSelector=${'('.repeat(100_000)}`, status: 400 },
  { path: `${configMaps}?labelSelector=__proto__%3Dx`, status: 400 },
  { path: `${configMaps}?labelSelector=constructor`, status: 200 },
  { path: `${configMaps}?fieldSelector=${'metadata.name%3Da,'.repeat(5000)}metadata.name%3Da`, status: 200 },
  { path: `${configMaps}?fieldSelector=__proto__%3Dx`, status: 400 },
  { path: `${configMaps}?fieldSelector=${'%5C'.repeat(50_000)}`, status: 400 },
  { path: `${configMaps}?continue=${continueToken('../secrets/')}`, status: 400, says: 'continue key is not valid' },
  { path: `${configMaps}?continue=${continueToken('\\ud800')}`, status: 400 },
  { path: `${configMaps}?continue=${'A'.repeat(100_000)}`, status: 400 },
  { path: `${configMaps}?resourceVersion=-1`, status: 400 },
  { path: `${configMaps}?resourceVersion=${'9'.repeat(1000)}`, status: 400 },
  { path: `${configMaps}?resourceVersion=00&resourceVersionMatch=Exact`, status: 200 },
  { path: `${configMaps}?limit=99999999999999999999`, status: 400 },
  { path: `${configMaps}?limit=-5`, status: 200 },
  { path: `${configMaps}?watch=maybe&timeoutSeconds=1`, status: 200 },
  { path: `${configMaps}?timeout=never`, status: 400 },
  { path: configMaps, headers: { accept: 'application/json;as=Table;'.repeat(3000) }, status: 406 },
  { path: configMaps, headers: { accept: `${'a/b,'.repeat(20_000)}*/*` }, status: 406 },
  { path: configMaps, headers: { authorization: `Bearer ${'x'.repeat(100_000)}` }, status: 401 },
  { path: configMaps, headers: { authorization: 'Bearer __proto__' }, status: 401 },
];
