import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endingStatus } from './ending-status.js';

describe('the Status that ends an exec', () => {
  it('is a success for the exit code 0', () => {
    assert.deepEqual(endingStatus({ code: 0 }), { metadata: {}, status: 'Success' });
  });

  it('names another exit code as its cause', () => {
    assert.deepEqual(endingStatus({ code: 130 }), {
      metadata: {},
      status: 'Failure',
      message: 'command terminated with non-zero exit code: 130',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '130' }] },
    });
  });

  it('is an internal error for a command that did not start', () => {
    assert.deepEqual(endingStatus({ problem: 'exec: "nginx": executable file not found in $PATH' }), {
      metadata: {},
      status: 'Failure',
      message:
        'Internal error occurred: error executing command in container: exec: "nginx": executable file not found in $PATH',
      reason: 'InternalError',
      details: {
        causes: [
          { message: 'error executing command in container: exec: "nginx": executable file not found in $PATH' },
        ],
      },
      code: 500,
    });
  });
});
