import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as errors from './index.js';
import { invalid, invalidValue, required, type StatusError } from './index.js';

describe('invalid', () => {
  const MIB = 1024 * 1024;
  const pod = { group: '', kind: 'Pod' };
  const cases: [name: string, errors: number, path: number, reported: number][] = [
    ['reports every error of 20,000 short ones', 20_000, 10, 20_000],
    ['reports 3 MiB of errors below long keys', 50, MIB / 2, 6],
    ['reports the first error, however long', 3, 4 * MIB, 1],
    ['reports none of none', 0, 10, 0],
  ];
  for (const [name, errors, path, reported] of cases) {
    it(name, () => {
      const found = Array.from({ length: errors }, (_, index) => required(String(index).padEnd(path, 'x'), ''));
      const { status } = invalid(pod, 'a', found);
      assert.equal(status.details?.causes?.length, reported);
      assert.equal(status.message?.match(/: Required value/g)?.length ?? 0, reported);
    });
  }

  it('shows the beginning of a text of a megabyte', () => {
    const { message = '' } = invalid(pod, 'a', [invalidValue('spec', 'a"'.repeat(MIB), 'is wrong')]).status;
    assert.match(message, /^Pod "a" is invalid: spec: Invalid value: "a\\"a/);
    assert.match(message.slice(-20), /a\\"\.\.\.": is wrong$/);
    assert.ok(message.length < 500_000, `${message.length} characters`);
  });

  it('formats only the lists that it reports', () => {
    const items = Array.from({ length: 100_000 }, (_, index) => `item-${index}`);
    const found = items.map((_, index) => invalidValue(`spec[${index}]`, items, 'is wrong'));
    assert.equal(invalid(pod, 'a', found).status.details?.causes?.length, 2);
  });

  it('formats only the texts that it reports', () => {
    const text = 'a,'.repeat(MIB);
    const before = process.memoryUsage().heapUsed;
    const found = Array.from({ length: 2000 }, () => invalidValue('spec', text, 'is wrong'));
    assert.ok(process.memoryUsage().heapUsed - before < 100 * MIB);
    assert.equal(invalid(pod, 'a', found).status.details?.causes?.length, 11);
  });
});

describe('the Status of an error', () => {
  const pods = { group: '', resource: 'pods' };
  const deployments = { group: 'apps', resource: 'deployments' };
  const subject = 'deployments.apps "a"';
  const details = { name: 'a', group: 'apps', kind: 'deployments' };
  type Row = readonly [error: StatusError, code: number, reason: string | undefined, message: string, details?: object];
  const cases: readonly Row[] = [
    [errors.notFound(deployments, 'a'), 404, 'NotFound', `${subject} not found`, details],
    [
      errors.notFound(pods, '\u001b"'),
      404,
      'NotFound',
      String.raw`pods "\x1b\"" not found`,
      { name: '\u001b"', kind: 'pods' },
    ],
    [errors.notFound(pods, 'a'), 404, 'NotFound', 'pods "a" not found', { name: 'a', kind: 'pods' }],
    [errors.unknownResource(), 404, 'NotFound', 'the server could not find the requested resource', {}],
    [errors.alreadyExists(deployments, 'a'), 409, 'AlreadyExists', `${subject} already exists`, details],
    [
      errors.generatedNameTaken(deployments, 'a'),
      409,
      'AlreadyExists',
      `${subject} already exists, the server was not able to generate a unique name for the object`,
      { ...details, retryAfterSeconds: 1 },
    ],
    [
      errors.conflict(deployments, 'a', 'changed'),
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${subject}: changed`,
      details,
    ],
    [
      errors.applyConflict('Apply failed', [{ message: 'conflict with "b"', field: '.spec' }]),
      409,
      'Conflict',
      'Apply failed',
      { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "b"', field: '.spec' }] },
    ],
    [errors.badRequest('no'), 400, 'BadRequest', 'no'],
    [errors.forbidden(deployments, 'a', 'no'), 403, 'Forbidden', `${subject} is forbidden: no`, details],
    [
      errors.forbidden(deployments, '', 'no'),
      403,
      'Forbidden',
      'deployments.apps is forbidden: no',
      { group: 'apps', kind: 'deployments' },
    ],
    [errors.forbidden({ group: '', resource: '' }, '', 'no'), 403, 'Forbidden', 'forbidden: no', {}],
    [errors.unauthorized(), 401, 'Unauthorized', 'Unauthorized'],
    [
      errors.methodNotSupported(deployments, 'watch'),
      405,
      'MethodNotAllowed',
      'watch is not supported on resources of kind "deployments.apps"',
      { group: 'apps', kind: 'deployments' },
    ],
    [
      errors.notAcceptable(['a/b', 'c/d']),
      406,
      'NotAcceptable',
      'only the following media types are accepted: a/b, c/d',
    ],
    [
      errors.notAcceptableShape('v1.PodList', true),
      406,
      'NotAcceptable',
      'you requested PartialObjectMetadata, but the requested object is a list (*v1.PodList)',
    ],
    [
      errors.notAcceptableShape('v1.Pod', false),
      406,
      'NotAcceptable',
      'you requested PartialObjectMetadataList, but the requested object is not a list (*v1.Pod)',
    ],
    [
      errors.unsupportedMediaType(['a/b']),
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: a/b',
    ],
    [
      errors.requestEntityTooLarge('limit is 3'),
      413,
      'RequestEntityTooLarge',
      'Request entity is too large: limit is 3',
    ],
    [
      errors.tooLargeResourceVersion(9, 5),
      504,
      'Timeout',
      'Timeout: Too large resource version: 9, current: 5',
      {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    ],
    [errors.timeout('late'), 504, 'Timeout', 'Timeout: late', {}],
    [errors.timeout('late', 2), 504, 'Timeout', 'Timeout: late', { retryAfterSeconds: 2 }],
    [
      errors.serverTimeout(deployments, 'create', 1),
      500,
      'ServerTimeout',
      'The create operation against deployments.apps could not be completed at this time, please try again.',
      { group: 'apps', kind: 'deployments', retryAfterSeconds: 1 },
    ],
    [errors.tooManyRequests('later', 1), 429, 'TooManyRequests', 'later', { retryAfterSeconds: 1 }],
    [errors.serviceUnavailable('down'), 503, 'ServiceUnavailable', 'down', {}],
    [
      errors.internalError(new Error('oops')),
      500,
      'InternalError',
      'Internal error occurred: oops',
      { causes: [{ message: 'oops' }] },
    ],
    [errors.unclassified('oops'), 500, undefined, 'oops'],
  ];
  for (const [error, code, reason, message, expected] of cases) {
    it(`is ${code} ${reason ?? ''}: ${message}`, () => {
      const { status } = error;
      assert.deepEqual(status, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        ...(reason === undefined ? {} : { reason }),
        ...(expected === undefined ? {} : { details: expected }),
        code,
      });
      assert.equal(error.message, message);
    });
  }

  it('keeps the cause of an internal error', () => {
    const cause = new Error('oops');
    assert.equal(errors.internalError(cause).cause, cause);
    assert.equal(errors.internalError('text').status.message, 'Internal error occurred: text');
  });

  it('of an expired list may have a fresh continue token', () => {
    assert.deepEqual(errors.resourceExpired('too old', 'token').status.metadata, { continue: 'token' });
    assert.deepEqual(errors.resourceExpired('too old').status.metadata, {});
  });
});
