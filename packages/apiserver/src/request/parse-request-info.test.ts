import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { array, assert as assertProperty, constantFrom, oneof, property, string } from 'fast-check';
import { parseRequestInfo } from './parse-request-info.js';
import { parseTarget } from './path.js';
import type { RequestInfo } from './request-info.js';

function info(method: string, target: string): RequestInfo {
  const { path, query } = parseTarget(target);
  return parseRequestInfo(method, path, query);
}

/** verb, group, version, namespace, resource, subresource, name */
function brief(method: string, target: string): string {
  const i = info(method, target);
  if (!i.isResourceRequest) return `non-resource ${i.verb} ${i.path}`;
  return [i.verb, i.group, i.version, i.namespace, i.resource, i.subresource, i.name].join('|');
}

const cases: readonly (readonly [method: string, target: string, expected: string])[] = [
  ['GET', '/', 'non-resource get /'],
  ['GET', '/healthz', 'non-resource get /healthz'],
  ['GET', '/api', 'non-resource get /api'],
  ['GET', '/api/v1', 'non-resource get /api/v1'],
  ['GET', '/apis/apps', 'non-resource get /apis/apps'],
  ['OPTIONS', '/apis/apps/v1', 'non-resource options /apis/apps/v1'],
  ['GET', '/api/v1/namespaces', 'list||v1||namespaces||'],
  ['GET', '/api/v1/namespaces/x', 'get||v1|x|namespaces||x'],
  ['HEAD', '/api/v1/namespaces/x', 'get||v1|x|namespaces||x'],
  ['PUT', '/api/v1/namespaces/x/status', 'update||v1|x|namespaces|status|x'],
  ['PUT', '/api/v1/namespaces/x/finalize', 'update||v1|x|namespaces|finalize|x'],
  ['POST', '/api/v1/namespaces/x/pods', 'create||v1|x|pods||'],
  ['GET', '/api/v1/namespaces/x/pods/p/log', 'get||v1|x|pods|log|p'],
  ['GET', '/api/v1/pods', 'list||v1||pods||'],
  ['GET', '/api/v1/pods/', 'list||v1||pods||'],
  ['GET', '/api/v1/pods?watch', 'watch||v1||pods||'],
  ['GET', '/api/v1/pods?watch=1', 'watch||v1||pods||'],
  ['GET', '/api/v1/pods?watch=False', 'list||v1||pods||'],
  ['GET', '/api/v1/pods?watch=0&watch=1', 'list||v1||pods||'],
  ['GET', '/api/v1/watch/namespaces/x/pods', 'watch||v1|x|pods||'],
  ['GET', '/api/v1/watch/namespaces/x/pods/p', 'watch||v1|x|pods||p'],
  ['GET', '/api/v1/proxy/namespaces/x/pods/p/a/b', 'proxy||v1|x|pods||p'],
  ['DELETE', '/apis/apps/v1/namespaces/x/deployments', 'deletecollection|apps|v1|x|deployments||'],
  ['DELETE', '/apis/apps/v1/namespaces/x/deployments/d', 'delete|apps|v1|x|deployments||d'],
  ['PATCH', '/apis/apps/v1/namespaces/x/deployments/d/scale', 'patch|apps|v1|x|deployments|scale|d'],
  ['TRACE', '/api/v1/pods', '||v1||pods||'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dp', 'list||v1||pods||p'],
  ['GET', '/api/v1/pods?watch=1&fieldSelector=metadata.namespace=n,metadata.name==p', 'watch||v1||pods||p'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name!%3Dp', 'list||v1||pods||'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3D..', 'list||v1||pods||'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Da%2Fb', 'list||v1||pods||'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dp&limit=x', 'list||v1||pods||'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name', 'list||v1||pods||'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dp&labelSelector=(', 'list||v1||pods||'],
  // The handler refuses it.
  ['GET', `/api/v1/pods?fieldSelector=metadata.name%3Dp&labelSelector=${'('.repeat(20_000)}`, 'list||v1||pods||p'],
  // Hostile: a decoded slash separates segments; dots and empty segments are ordinary.
  ['GET', '/api/v1/namespaces/x%2Fpods/p', 'get||v1|x|pods||p'],
  ['GET', '/api/v1//pods', 'get||v1||||pods'],
  ['GET', '//api/v1/pods//', 'list||v1||pods||'],
  ['GET', '/api/v1/namespaces//pods', 'list||v1||pods||'],
  ['GET', '/api/v1/namespaces/../pods', 'list||v1|..|pods||'],
  ['GET', '/api/v1/namespaces/x/pods/__proto__/constructor', 'get||v1|x|pods|constructor|__proto__'],
  ['GET', 'https://host:6443/api/v1/pods?watch=1', 'watch||v1||pods||'],
];

describe('parseRequestInfo', () => {
  for (const [method, target, expected] of cases) {
    it(`${method} ${target}`, () => {
      assert.equal(brief(method, target), expected);
    });
  }

  it('keeps the segments after the subresource', () => {
    assert.deepEqual(info('GET', '/api/v1/namespaces/x/services/s/proxy/a//b').parts, [
      'services',
      's',
      'proxy',
      'a',
      '',
      'b',
    ]);
  });

  it('tells what is in a namespace from the namespace itself', () => {
    const within = ['namespaces/x/pods', 'watch/namespaces/x/pods/p', 'namespaces/x/namespaces/y', 'namespaces//pods'];
    const others = ['pods', 'namespaces', 'namespaces/x', 'namespaces/x/status', 'namespaces/x/finalize', 'watch/pods'];
    for (const path of within) assert.equal(info('GET', `/api/v1/${path}`).isWithinNamespace, true, path);
    for (const path of others) assert.equal(info('GET', `/api/v1/${path}`).isWithinNamespace, false, path);
  });

  it('refuses a bare special verb', () => {
    assert.throws(
      () => info('GET', '/api/v1/watch'),
      (error) => error instanceof StatusError && error.code === 500,
    );
  });

  it('answers 400 for broken percent-encoding in the path', () => {
    for (const target of ['/api/%', '/api/%zz', '/api/%c3%28', '/api/%ff']) {
      assert.throws(
        () => info('GET', target),
        (error) => error instanceof StatusError && error.code === 400,
      );
    }
  });

  it('drops query pairs that cannot be decoded', () => {
    assert.equal(brief('GET', '/api/v1/pods?a=%zz&watch=1&x;y'), 'watch||v1||pods||');
    assert.equal(brief('GET', '/api/v1/pods?watch=%zz'), 'list||v1||pods||');
  });

  it('throws only StatusErrors, for any input', () => {
    const piece = oneof(
      constantFrom('api', 'apis', 'v1', 'watch', 'proxy', 'namespaces', '..', '', '%2F', '%', '?', '&', '=', ','),
      string({ unit: 'binary', maxLength: 8 }),
    );
    const target = array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('/')}`);
    assertProperty(
      property(constantFrom('GET', 'POST', 'DELETE', '__proto__'), target, (method, text) => {
        try {
          info(method, text);
        } catch (error) {
          assert.ok(error instanceof StatusError, String(error));
        }
      }),
    );
  });

  it('is linear in the length of the request line', () => {
    const long = 'a'.repeat(200_000);
    const started = process.cpuUsage().user;
    info(
      'GET',
      `/api/v1/${'/'.repeat(200_000)}${long}?fieldSelector=metadata.name=${'\\,'.repeat(200_000)}&limit=${'0'.repeat(200_000)}x`,
    );
    assert.ok(process.cpuUsage().user - started < 2_000_000);
  });
});
