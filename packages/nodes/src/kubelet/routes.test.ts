import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rightsFor, routeOf } from './routes.js';

const of = { namespace: 'n', pod: 'p', uid: '' };

describe('the route of a path', () => {
  const routes: Record<string, ReturnType<typeof routeOf>> = {
    '/healthz': { kind: 'healthz' },
    '/pods': { kind: 'pods' },
    '/pods/': { kind: 'pods' },
    '/stats/summary': { kind: 'stats' },
    '/metrics/resource': { kind: 'resourceMetrics' },
    '/containerLogs/n/p/c': { kind: 'logs', ...of, container: 'c' },
    '/containerLogs/n/p%2Dq/c': { kind: 'logs', ...of, pod: 'p-q', container: 'c' },
    '/exec/n/p/c': { kind: 'exec', ...of, container: 'c' },
    '/exec/n/p/u/c': { kind: 'exec', ...of, uid: 'u', container: 'c' },
    '/attach/n/p/c': { kind: 'attach', ...of, container: 'c' },
    '/attach/n/p/u/c': { kind: 'attach', ...of, uid: 'u', container: 'c' },
    '/portForward/n/p': { kind: 'portForward', ...of },
    '/portForward/n/p/u': { kind: 'portForward', ...of, uid: 'u' },
  };
  for (const [path, route] of Object.entries(routes)) {
    it(`is known for ${path}`, () => assert.deepEqual(routeOf(path), route));
  }
  const unknown = [
    '/',
    '/toString',
    '/healthz/',
    '/metrics',
    '/run/n/p/c',
    '/containerLogs/n/p',
    '/containerLogs/n/p/',
    '/containerLogs/n/p/u/c',
    '/containerLogs/n/%E0%A4%A/c',
    '/exec/n/p',
    '/exec//p/c',
    '/exec/n//c',
    '/exec/n/p/u/c/more',
    '/portForward/n',
    '/portForward/n/p/u/c',
  ];
  for (const path of unknown) it(`is unknown for ${path}`, () => assert.equal(routeOf(path), undefined));
});

describe('the rights for a request', () => {
  const user = { name: 'reader', uid: '', groups: [], extra: {} };
  const needed: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['GET', '/stats/summary', 'get', ['stats']],
    ['GET', '/statsical', 'get', ['proxy']],
    ['GET', '/metrics', 'get', ['metrics']],
    ['GET', '/metrics/resource', 'get', ['metrics']],
    ['GET', '/logs/', 'get', ['log']],
    ['GET', '/pods', 'get', ['pods', 'proxy']],
    ['GET', '/healthz', 'get', ['healthz', 'proxy']],
    ['GET', '/containerLogs/n/p/c', 'get', ['proxy']],
    ['POST', '/exec/n/p/c', 'create', ['proxy']],
    ['PUT', '/exec/n/p/c', 'update', ['proxy']],
    ['PATCH', '/exec/n/p/c', 'patch', ['proxy']],
    ['DELETE', '/exec/n/p/c', 'delete', ['proxy']],
    ['OPTIONS', '/exec/n/p/c', '', ['proxy']],
  ];
  for (const [method, path, verb, subresources] of needed) {
    it(`${method} ${path} needs ${verb} of ${subresources.join(' or ')}`, () => {
      const rights = rightsFor({ method, path, node: 'node-0' }, user);
      assert.deepEqual(
        rights.map((right) => [right.verb, right.subresource]),
        subresources.map((subresource) => [verb, subresource]),
      );
    });
  }

  it('are about the node, for the user', () => {
    assert.deepEqual(rightsFor({ method: 'GET', path: '/metrics', node: 'node-0' }, user), [
      {
        user,
        verb: 'get',
        isResourceRequest: true,
        namespace: '',
        group: '',
        version: 'v1',
        resource: 'nodes',
        subresource: 'metrics',
        name: 'node-0',
        path: '/metrics',
      },
    ]);
  });
});
