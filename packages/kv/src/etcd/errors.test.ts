import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { status } from '@grpc/grpc-js';
import { KVError } from '../interface/index.js';
import { isConnectionFault, isLeaseNotFound, kvErrorOf, requiresLogin, wasNotSent } from './errors.js';
import { serviceError } from './fake-member.testing.js';

describe('an error of etcd', () => {
  const cases: readonly (readonly [details: string, code: status, kvCode: string, message: string])[] = [
    [
      'etcdserver: mvcc: required revision has been compacted',
      status.OUT_OF_RANGE,
      'compacted',
      'etcd: required revision has been compacted',
    ],
    [
      'etcdserver: mvcc: required revision is a future revision',
      status.OUT_OF_RANGE,
      'future',
      'etcd: required revision is a future revision',
    ],
    ['etcdserver: mvcc: database space exceeded', status.RESOURCE_EXHAUSTED, 'full', 'etcd: database space exceeded'],
    ['etcdserver: request is too large', status.INVALID_ARGUMENT, 'too-large', 'etcdserver: request is too large'],
    [
      'grpc: received message larger than max (2 vs. 1)',
      status.RESOURCE_EXHAUSTED,
      'too-large',
      'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2 vs. 1)',
    ],
    ['snapshot is corrupt', status.DATA_LOSS, 'corrupt', 'etcd: snapshot is corrupt'],
    ['Deadline exceeded', status.DEADLINE_EXCEEDED, 'unavailable', 'etcd did not answer in time'],
    ['etcdserver: leader changed', status.UNAVAILABLE, 'unavailable', 'etcd: leader changed'],
    ['etcdserver: permission denied', status.PERMISSION_DENIED, 'unavailable', 'etcd: permission denied'],
  ];
  for (const [details, code, kvCode, message] of cases) {
    it(`is ${kvCode} for ${JSON.stringify(details)}`, () => {
      const cause = serviceError(details, code);
      const error = kvErrorOf(cause);
      assert.ok(error instanceof KVError);
      assert.deepEqual([error.code, error.message, error.cause], [kvCode, message, cause]);
    });
  }

  it('is unavailable for an answer that is too large', () => {
    const details = 'Received message larger than max (4294967295 vs 536870912)';
    const error = kvErrorOf(serviceError(details, status.RESOURCE_EXHAUSTED));
    assert.ok(error instanceof KVError);
    assert.deepEqual([error.code, error.message], ['unavailable', `etcd: ${details}`]);
  });

  it('shows its message when gRPC gives no details', () => {
    const cause = Object.assign(serviceError('', status.INTERNAL), { details: undefined, message: 'compressed' });
    const error = kvErrorOf(cause);
    assert.ok(error instanceof KVError);
    assert.deepEqual([error.code, error.message], ['unavailable', 'etcd: compressed']);
  });

  it('stays the same when it is of another kind', () => {
    const own = new KVError('closed', 'closed');
    assert.equal(kvErrorOf(own), own);
    assert.equal(kvErrorOf('text'), 'text');
  });
});

describe('the consequences of an error', () => {
  const cases: readonly (readonly [
    details: string,
    code: status,
    { readonly login?: true; readonly notSent?: true; readonly fault?: true },
  ])[] = [
    ['etcdserver: invalid auth token', status.UNAUTHENTICATED, { login: true }],
    ['etcdserver: revision of auth store is old', status.INVALID_ARGUMENT, { login: true }],
    ['etcdserver: user name is empty', status.INVALID_ARGUMENT, { login: true }],
    ['etcdserver: permission denied', status.PERMISSION_DENIED, {}],
    ['No connection established. Last error: refused', status.UNAVAILABLE, { notSent: true, fault: true }],
    ['No connection established', status.UNKNOWN, {}],
    ['Connection dropped', status.UNAVAILABLE, { fault: true }],
    ['Deadline exceeded', status.DEADLINE_EXCEEDED, { fault: true }],
  ];
  for (const [details, code, { login = false, notSent = false, fault = false }] of cases) {
    it(`are decided by its code and details: ${details}`, () => {
      const error = serviceError(details, code);
      assert.deepEqual([requiresLogin(error), wasNotSent(error), isConnectionFault(error)], [login, notSent, fault]);
    });
  }

  it('include a new lease for one that etcd does not know', () => {
    assert.equal(isLeaseNotFound(serviceError('etcdserver: requested lease not found', status.NOT_FOUND)), true);
    assert.equal(isLeaseNotFound(serviceError('etcdserver: not found', status.NOT_FOUND)), false);
    assert.equal(isLeaseNotFound(new Error('requested lease not found')), false);
  });
});
