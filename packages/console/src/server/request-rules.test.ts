import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forwardFault, hostFault, originFault } from './request-rules.js';

const AUTHORITY = '127.0.0.1:4000';

describe('the Host of a request', () => {
  const table: readonly [string | undefined, boolean][] = [
    ['127.0.0.1:4000', true],
    ['127.0.0.1', false],
    ['127.0.0.1:4001', false],
    ['localhost:4000', false],
    ['rebound.example.com:4000', false],
    ['127.0.0.1:4000.example.com', false],
    [undefined, false],
  ];
  for (const [host, isAdmitted] of table) {
    it(`${String(host)} is ${isAdmitted ? 'admitted' : 'refused'}`, () =>
      assert.equal(hostFault({ host }, AUTHORITY) === undefined, isAdmitted));
  }
});

describe('the origin of a request', () => {
  const own = `http://${AUTHORITY}`;
  const table: readonly [string, string, Record<string, string>, boolean][] = [
    ['a read of the page', 'GET', { 'sec-fetch-site': 'same-origin' }, true],
    ['a read of an old browser', 'GET', {}, true],
    ['a write of the page', 'PUT', { origin: own, 'sec-fetch-site': 'same-origin' }, true],
    ['a write that names no origin', 'PUT', { 'sec-fetch-site': 'same-origin' }, false],
    ['another origin', 'PUT', { origin: 'http://evil.example.com' }, false],
    ['another port of this host', 'PUT', { origin: 'http://127.0.0.1:4001' }, false],
    ['a page of another port', 'GET', { 'sec-fetch-site': 'same-site' }, false],
    ['a page of another site', 'GET', { 'sec-fetch-site': 'cross-site' }, false],
    ['the address bar', 'GET', { 'sec-fetch-site': 'none' }, false],
    ['an opaque origin', 'GET', { origin: 'null' }, false],
    ['TLS', 'GET', { origin: `https://${AUTHORITY}` }, false],
  ];
  for (const [name, method, headers, isAdmitted] of table) {
    it(`${name} is ${isAdmitted ? 'admitted' : 'refused'}`, () =>
      assert.equal(originFault(method, headers, AUTHORITY) === undefined, isAdmitted));
  }
});

describe('what is forwarded', () => {
  const forwarded: readonly [string, string][] = [
    ['GET', '/version'],
    ['GET', '/metrics'],
    ['GET', '/api/v1/pods?limit=500'],
    ['GET', '/api/v1/nodes/node-1'],
    ['GET', '/api/v1/namespaces/shop'],
    ['GET', '/api/v1/namespaces/shop/pods/web-0'],
    ['GET', '/apis/apps/v1/namespaces/shop/deployments?fieldSelector=metadata.name%3Dweb&resourceVersion=5'],
    ['GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode'],
    ['GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node'],
    ['GET', '/binnacle/v1/history/apis/apps/v1/namespaces/shop/deployments/web?limit=30'],
    ['PUT', '/apis/apps/v1/namespaces/shop/deployments/web?dryRun=All&fieldValidation=Strict'],
    ['PUT', '/api/v1/nodes/node-1'],
    ['GET', '/api/v1/namespaces/shop/pods/web-0/log?container=app&follow=true&tailLines=500&limitBytes=1000'],
    ['GET', '/debug/faults'],
    ['POST', '/debug/faults'],
    ['DELETE', '/debug/faults'],
    ['DELETE', '/debug/faults/12'],
  ];
  const refused: readonly [string, string][] = [
    ['GET', '/'],
    ['GET', '/healthz'],
    ['GET', '/debug/pprof/heap'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/pods?watch=true'],
    ['GET', '/api/v1/pods?watch'],
    ['GET', '/api/v1/watch/pods'],
    ['GET', '/api/v1/proxy/nodes'],
    ['GET', '/api/v1/w%61tch/pods'],
    ['GET', '/apis/apps/v1/w%61tch/deployments'],
    ['GET', '/api/v1/pr%6Fxy/nodes'],
    ['GET', '/binnacle/v1/history/api/v1/w%61tch/pods'],
    ['GET', '/api/v1/namespaces/shop/status'],
    ['GET', '/api/v1/%6eamespaces/shop/st%61tus'],
    ['GET', '/api/v1/namespaces/shop/finalize'],
    ['GET', '/api/v1/namespaces/shop/pods/web-0/exec?command=sh'],
    ['GET', '/api/v1/namespaces/shop/pods/web-0/log?insecureSkipTLSVerifyBackend=true'],
    ['GET', '/api/v1/namespaces/shop/pods/web-0/log/more'],
    ['GET', '/api/v1/namespaces/shop/pods//log'],
    ['GET', '/api/v1/namespaces/shop/pods/%2e%2e/log'],
    ['GET', '/api/v1/nodes/node-1/log'],
    ['GET', '/api/v1/namespaces/shop/pods/web-0?follow=true'],
    ['PUT', '/api/v1/namespaces/shop/pods/web-0/log'],
    ['PUT', '/debug/faults'],
    ['POST', '/debug/faults/1'],
    ['GET', '/debug/faults?x=1'],
    ['DELETE', '/debug/faults/1/2'],
    ['DELETE', '/debug/faults/..'],
    ['GET', '/debug/faultsandmore'],
    ['GET', '/api/v1/namespaces/shop/services/web/proxy/'],
    ['GET', '/api/v1/nodes/node-1/proxy/metrics'],
    ['GET', '/api/v1/namespaces/shop/pods/..%2f..%2fsecrets'],
    ['GET', '/api/v1/namespaces/shop/pods/../../nodes'],
    ['GET', '/api/v1/namespaces/shop/pods/%2e%2e'],
    ['GET', '/api/v1/namespaces/shop/pods/a%2Fexec'],
    ['GET', '/api/v1/namespaces/shop/pods/%'],
    ['GET', '/api/v1//pods'],
    ['GET', '//api/v1/pods'],
    ['GET', 'api/v1/pods'],
    ['GET', '/binnacle/v1/history/../../api/v1/pods'],
    ['GET', '/binnacle/v1/other/api/v1/pods'],
    ['PUT', '/metrics'],
    ['PUT', '/api/v1/namespaces/shop/pods'],
    ['PUT', '/api/v1/namespaces/shop/pods/web-0/status'],
    ['PUT', '/api/v1/namespaces/shop/finalize'],
    ['PUT', '/api/v1/namespaces/shop/pods/web-0?fieldManager=kubectl'],
    ['PUT', '/binnacle/v1/history/api/v1/nodes/node-1'],
    ['POST', '/api/v1/namespaces/shop/pods'],
    ['PATCH', '/api/v1/nodes/node-1'],
    ['DELETE', '/api/v1/nodes/node-1'],
    ['OPTIONS', '/api/v1/nodes'],
  ];
  for (const [method, target] of forwarded) {
    it(`${method} ${target}`, () => assert.equal(forwardFault(method, target), undefined));
  }
  for (const [method, target] of refused) {
    it(`not ${method} ${target}`, () => assert.notEqual(forwardFault(method, target), undefined));
  }
});
