import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseRequestInfo } from '../request/index.js';
import { testResource } from '../testing/index.js';
import { customHandler, hasPath } from './resource-handler.js';

const infoOf = (request: string) => {
  const [method = '', path = ''] = request.split(' ');
  const { pathname, searchParams } = new URL(path, 'https://a');
  return parseRequestInfo(method, `/apis/g/v1${pathname}`, searchParams);
};

for (const [isNamespaced, request, expected] of [
  [true, 'GET /namespaces/n/things/a', true],
  [true, 'GET /things', true],
  [true, 'GET /things?watch=1', true],
  [true, 'GET /things/a', false],
  [true, 'DELETE /things', false],
  [false, 'GET /things/a', true],
  [false, 'GET /namespaces/n/things', false],
] as const) {
  it(`${request} ${expected ? 'exists' : 'does not exist'} for a ${isNamespaced ? 'namespaced' : 'cluster-scoped'} resource`, () => {
    assert.equal(hasPath({ group: 'g', namespaced: isNamespaced }, infoOf(request)), expected);
  });
}

it('a path with another group does not exist, even if resource and group together are the name of the definition', () => {
  const path = '/namespaces/n/things.sub/a';
  const info = parseRequestInfo('GET', `/apis/example.com/v1${path}`, new URLSearchParams());
  assert.equal(hasPath({ group: 'sub.example.com', namespaced: true }, info), false);
});

for (const [request, code] of [
  ['GET /namespaces/n/things/a/scale', 404],
  ['GET /proxy/namespaces/n/things/a', 405],
  ['PUT /namespaces/n/things', 400],
  ['PATCH /namespaces/n/things', 400],
] as const) {
  it(`${request} is answered ${String(code)}`, async () => {
    await using resource = testResource();
    assert.throws(() => customHandler(resource.endpoint, infoOf(request), false), { code });
  });
}

it('all other requests have a handler', async () => {
  await using resource = testResource();
  for (const request of [
    'GET /things',
    'POST /things',
    'DELETE /things',
    'GET /things/a',
    'PUT /things/a',
    'PATCH /things/a',
  ]) {
    assert.equal(typeof customHandler(resource.endpoint, infoOf(request), false), 'function', request);
  }
});

it('a POST is answered 405 while the definition is being deleted, and all other requests have a handler', async () => {
  await using resource = testResource();
  assert.throws(() => customHandler(resource.endpoint, infoOf('POST /things'), true), {
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'create not allowed while custom resource definition is terminating',
  });
  for (const request of ['GET /things', 'DELETE /things', 'PUT /things/a', 'PATCH /things/a']) {
    assert.equal(typeof customHandler(resource.endpoint, infoOf(request), true), 'function', request);
  }
});
