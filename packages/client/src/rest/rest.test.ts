import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf } from '@binnacle/apimachinery/clock';
import { nothing, parseLabelSelector } from '@binnacle/apimachinery/labels';
import { conflict, notFound, StatusError, tooLargeResourceVersion } from '@binnacle/apimachinery/status';
import { VirtualClock } from '../testing/index.js';
import {
  applyRequest,
  createRequest,
  decodeObject,
  decodeWatchEvent,
  deleteCollectionRequest,
  deleteRequest,
  endsInitialEvents,
  getRequest,
  isConflict,
  isExpired,
  isForbidden,
  isNotFound,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  listRequest,
  patchRequest,
  pathOf,
  retryOnConflict,
  updateRequest,
  watchRequest,
} from './index.js';

const pods = { group: '', version: 'v1', resource: 'pods' };
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const web = { resource: deployments, namespace: 'shop', name: 'web' };
const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

describe('requests', () => {
  it('have API paths', () => {
    assert.equal(pathOf({ resource: pods }), '/api/v1/pods');
    assert.equal(pathOf({ ...web, subresource: 'scale' }), '/apis/apps/v1/namespaces/shop/deployments/web/scale');
    assert.equal(pathOf({ resource: pods, name: 'system:a b' }), '/api/v1/pods/system:a%20b');
    for (const name of ['', '.', '..', 'a/b', 'a%2fb']) {
      assert.throws(() => pathOf({ resource: pods, name }), TypeError, name);
    }
    assert.throws(() => pathOf({ resource: pods, subresource: 'status' }), TypeError);
  });

  it('get, list and watch', () => {
    assert.deepEqual(getRequest(web, { resourceVersion: '0' }), {
      method: 'GET',
      path: '/apis/apps/v1/namespaces/shop/deployments/web?resourceVersion=0',
      headers: { accept: 'application/json' },
    });
    const options = {
      labelSelector: parseLabelSelector('b,a in (y,x)'),
      fieldSelector: 'spec.x=1',
      limit: 5,
      continue: '',
    };
    assert.equal(
      listRequest({ resource: pods }, options).path,
      '/api/v1/pods?labelSelector=a+in+%28x%2Cy%29%2Cb&fieldSelector=spec.x%3D1&limit=5',
    );
    assert.throws(() => listRequest({ resource: pods }, { labelSelector: nothing }), TypeError);
    assert.match(
      listRequest({ resource: pods }, { metadataOnly: true }).headers?.['accept']?.toString() ?? '',
      /PartialObjectMetadataList/,
    );
    assert.equal(
      watchRequest({ resource: pods }, { resourceVersion: '7', timeoutSeconds: 9 }).path,
      '/api/v1/pods?watch=true&resourceVersion=7&timeoutSeconds=9',
    );
    assert.equal(
      watchRequest({ resource: pods }, { sendInitialEvents: true }).path,
      '/api/v1/pods?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan',
    );
  });

  it('create, update, patch and apply', () => {
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, count: 2n ** 60n };
    const created = createRequest({ resource: deployments, namespace: 'shop' }, object, {
      dryRun: true,
      fieldManager: 'me',
      fieldValidation: 'Strict',
    });
    assert.equal(created.method, 'POST');
    assert.equal(
      created.path,
      '/apis/apps/v1/namespaces/shop/deployments?fieldManager=me&fieldValidation=Strict&dryRun=All',
    );
    assert.match(String(created.body), /"count":1152921504606846976/);
    assert.equal(updateRequest({ ...web, subresource: 'status' }, object).path, `${pathOf(web)}/status`);
    const types = (['json', 'merge', 'strategic', 'apply'] as const).map(
      (type) => patchRequest(web, { type, body: [] }).headers?.['content-type'],
    );
    assert.deepEqual(types, [
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/apply-patch+yaml',
    ]);
    assert.equal(patchRequest(web, { type: 'merge', body: '{ }' }).body, '{ }');
    assert.equal(
      applyRequest(web, object, { fieldManager: 'me', force: true }).path,
      `${pathOf(web)}?fieldManager=me&force=true`,
    );
  });

  it('delete', () => {
    const request = deleteRequest(web, { dryRun: true, propagationPolicy: 'Foreground', preconditions: { uid: 'u' } });
    assert.equal(request.path, pathOf(web));
    assert.deepEqual(JSON.parse(String(request.body)), {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u' },
      dryRun: ['All'],
    });
    assert.equal(
      deleteCollectionRequest({ resource: pods }, { labelSelector: 'a=b' }).path,
      '/api/v1/pods?labelSelector=a%3Db',
    );
  });
});

describe('responses', () => {
  const request = { method: 'GET', path: '/api/v1/pods?x=y' };
  const refusal = (status: number, body: unknown, headers = {}) => {
    try {
      decodeObject(request, { status, headers }, bytes(body));
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it('are objects with exact integers', () => {
    assert.deepEqual(decodeObject(request, { status: 200, headers: {} }, bytes('{"a":9007199254740993}')), {
      a: 9007199254740993n,
    });
    assert.throws(
      () => decodeObject(request, { status: 200, headers: {} }, bytes('<html>')),
      /not an object in application\/json: <html>/,
    );
  });

  it('are refusals, from the Status or from the code', () => {
    const error = notFound(pods, 'p');
    assert.deepEqual(refusal(404, error.status), error);
    const busy = refusal(429, 'slow down', { 'retry-after': '7' });
    assert.ok(isTooManyRequests(busy));
    assert.equal(busy.status.details?.retryAfterSeconds, 7);
    assert.match(busy.message, /too many requests.*\(GET \/api\/v1\/pods\)$/);
    assert.ok(isForbidden(refusal(403, 'no')));
    assert.match(String(refusal(502, 'bad gateway')), /an error on the server \("bad gateway"\)/);
  });

  it('are events of a watch', () => {
    const event = decodeWatchEvent(bytes({ type: 'ADDED', object: { kind: 'Pod' } }));
    assert.deepEqual(event, { type: 'ADDED', object: { kind: 'Pod' } });
    const gone = { kind: 'Status', status: 'Failure', message: 'too old', reason: 'Expired', code: 410 };
    assert.throws(() => decodeWatchEvent(bytes({ type: 'ERROR', object: gone })), isExpired);
    for (const line of ['', '[]', '{"type":"ADDED"}', '{"type":"OTHER","object":{}}']) {
      assert.throws(() => decodeWatchEvent(bytes(line)), { name: 'UnexpectedResponseError' });
    }
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    assert.ok(endsInitialEvents({ type: 'BOOKMARK', object: { metadata: { annotations } } }));
    assert.ok(!endsInitialEvents({ type: 'ADDED', object: { metadata: { annotations } } }));
    assert.ok(!endsInitialEvents({ type: 'BOOKMARK', object: {} }));
  });
});

describe('predicates', () => {
  const error = (code: number, reason?: string) =>
    new StatusError({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code,
      reason: reason as never,
    });

  it('compare the reason, or the code if the reason is unknown', () => {
    assert.ok(isNotFound(error(404)));
    assert.ok(isNotFound(error(404, 'Unheard')));
    assert.ok(!isNotFound(error(404, 'Forbidden')));
    assert.ok(!isNotFound(new Error('not found')));
    assert.ok(!isNotFound(undefined));
    assert.ok(isExpired(error(410, 'Gone')) && isExpired(error(410, 'Expired')) && isExpired(error(410)));
    assert.ok(isConflict(error(409)) && !isConflict(error(409, 'AlreadyExists')));
    const tooLarge = tooLargeResourceVersion(5n, 3);
    assert.ok(isTooLargeResourceVersion(tooLarge) && isTimeout(tooLarge));
    assert.ok(!isTooLargeResourceVersion(error(504, 'Timeout')));
  });
});

describe('retryOnConflict', () => {
  const lost = conflict(pods, 'p', 'changed');

  it('retries until it succeeds', async () => {
    const clock = new VirtualClock();
    let attempts = 0;
    const result = retryOnConflict(
      async () => {
        attempts++;
        if (attempts < 3) throw lost;
        return 'done';
      },
      { clock, random: randomOf(() => 0) },
    );
    await clock.advance(20);
    assert.equal(await result, 'done');
  });

  it('gives up after five attempts, and at once on another error', async () => {
    const clock = new VirtualClock();
    let attempts = 0;
    const failing = retryOnConflict(
      async () => {
        attempts++;
        throw lost;
      },
      { clock },
    );
    const rejected = assert.rejects(failing, lost);
    await clock.advance(1000);
    await rejected;
    assert.equal(attempts, 5);
    await assert.rejects(
      retryOnConflict(() => Promise.reject(new Error('other')), { clock }),
      /other/,
    );
  });
});
