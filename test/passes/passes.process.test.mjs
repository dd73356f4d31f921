/**
 * How often a request passes over the bytes or the members of its object. V8 counts the calls of the functions that do so, in the code that all
 * servers run. A further pass is a cost for each request: this test fails, and the table in docs/performance.md is no longer true.
 */
import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { after, before, describe, it } from 'node:test';

/**
 * A function that runs once for each pass, its file, and what V8 counts for a pass: a generator twice, when it is created and when it runs. It runs in
 * one go for a small object.
 */
const PASSES = {
  parse: ['JsonReader', 'apimachinery/dist/json/reader.js', 1],
  decode: ['DecodeContext', 'apimachinery/dist/serializer/decode-context.js', 1],
  copy: ['deepCopyInSteps', 'apimachinery/dist/json/copy.js', 2],
  encode: ['writeJsonBytes', 'apimachinery/dist/json/writer.js', 1],
};

const configMaps = '/api/v1/namespaces/default/configmaps';
const known = `${configMaps}/known`;
const configMap = (name, count) => JSON.stringify({ metadata: { name, labels: { app: 'web' } }, data: { count } });
const intent = (count) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'known' }, data: { applied: count } });

const WRITE = { parse: 1, decode: 1, copy: 1, encode: 1 };
const NONE = { parse: 0, decode: 0, copy: 0, encode: 0 };

const EXPECTED = {
  create: { ...WRITE, copy: 0 },
  get: NONE,
  list: NONE,
  // It replaces the current object, and another attempt reads the request again.
  update: { ...WRITE, copy: 0 },
  'merge patch': WRITE,
  'strategic merge patch': WRITE,
  'JSON patch': WRITE,
  apply: WRITE,
  delete: { ...NONE, copy: 1 },
};

const REQUESTS = [
  ['create', 'POST', configMaps, () => configMap('new', '0')],
  ['get', 'GET', known],
  ['list', 'GET', configMaps],
  ['update', 'PUT', known, (count) => configMap('known', count)],
  ['merge patch', 'PATCH', known, (count) => `{"data":{"count":"${count}"}}`, 'application/merge-patch+json'],
  [
    'strategic merge patch',
    'PATCH',
    known,
    (count) => `{"data":{"count":"${count}"}}`,
    'application/strategic-merge-patch+json',
  ],
  [
    'JSON patch',
    'PATCH',
    known,
    (count) => `[{"op":"add","path":"/data/count","value":"${count}"}]`,
    'application/json-patch+json',
  ],
  ['apply', 'PATCH', `${known}?fieldManager=test`, intent, 'application/apply-patch+yaml'],
  ['delete', 'DELETE', known],
];

describe('the passes over an object', () => {
  const session = new Session();
  let resource;
  let answer;
  let generation = 0;

  const post = (method, parameters) => {
    let answered;
    session.post(method, parameters, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answered = result;
    });
    return answered;
  };
  const send = async ([name, method, url, body, type = 'application/json']) => {
    generation += 1;
    // Each write gives its manager a new time, as it does in a server.
    await resource.clock.advance(1000);
    const headers = { 'content-type': type };
    const answered = await answer(resource.endpoint, { method, url, headers, body: body?.(String(generation)) });
    assert.ok(answered.status < 300, `${name}: ${answered.status} ${answered.body}`);
  };
  const passesOf = async (request) => {
    post('Profiler.takePreciseCoverage');
    await send(request);
    const { result } = post('Profiler.takePreciseCoverage');
    const timesOf = ([name, file, counted]) =>
      result
        .filter(({ url }) => url.endsWith(`/packages/${file}`))
        .flatMap(({ functions }) => functions)
        .filter(({ functionName }) => functionName === name)
        .reduce((sum, { ranges }) => sum + ranges[0].count, 0) / counted;
    return Object.fromEntries(Object.entries(PASSES).map(([pass, place]) => [pass, timesOf(place)]));
  };

  before(async () => {
    session.connect();
    post('Profiler.enable');
    post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const testing = await import('../../packages/apiserver/dist/testing/index.js');
    answer = testing.answer;
    resource = testing.testResource();
    await resource.cacher.ready();
    await send(['create', 'POST', configMaps, () => configMap('known', '0')]);
    // The first request of each kind prepares what later ones share.
    for (const request of REQUESTS.filter(([name]) => !/create|delete/.test(name))) await send(request);
  });
  after(async () => {
    await resource[Symbol.asyncDispose]();
    session.disconnect();
  });

  for (const request of REQUESTS) {
    it(request[0], async () => {
      assert.deepEqual(await passesOf(request), EXPECTED[request[0]]);
    });
  }
});
