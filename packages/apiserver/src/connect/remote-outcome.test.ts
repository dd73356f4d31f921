import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomeOf, upgradeFailure } from './remote-outcome.js';

const exit = (details: object | undefined) => JSON.stringify({ status: 'Failure', reason: 'NonZeroExitCode', details });
const code = (message: string) => exit({ causes: [{ reason: 'Other' }, { reason: 'ExitCode', message }] });
const PROTOCOL = 'error stream protocol error: ';

/** The message of a failure without an exit code. */
function messageOf(text: string, protocol = 'v5.channel.k8s.io'): string {
  const { message, reason } = outcomeOf(protocol, text) as { readonly message: string; readonly reason: string };
  assert.equal(reason, 'InternalError');
  return message.replace('Internal error occurred: ', '');
}

describe('outcomeOf', () => {
  it('is a success', () => {
    assert.deepEqual(outcomeOf('v4.channel.k8s.io', '{"status":"Success"}'), { metadata: {}, status: 'Success' });
  });

  it('is an exit code', () => {
    assert.deepEqual(outcomeOf('v5.channel.k8s.io', code('3')), {
      metadata: {},
      status: 'Failure',
      message: 'command terminated with non-zero exit code: command terminated with exit code 3',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    });
  });

  for (const [text, message] of [
    ['{"status":"Failure","message":"container not found"}', 'container not found'],
    ['{"status":"Odd"}', `${PROTOCOL}unknown error`],
    ['[]', `${PROTOCOL}invalid Status in "[]"`],
    ['no json', `${PROTOCOL}invalid Status in "no json"`],
    [exit(undefined), `${PROTOCOL}details must be set`],
    [exit({}), `${PROTOCOL}no ExitCode cause given`],
    [code('256'), `${PROTOCOL}invalid exit code value "256"`],
    [code('x'), `${PROTOCOL}invalid exit code value "x"`],
  ] as const) {
    it(`is an error for ${text}`, () => assert.equal(messageOf(text), message));
  }

  it('is a text before version 4', () => {
    assert.equal(messageOf('boom', 'v3.channel.k8s.io'), 'error executing remote command: boom');
  });
});

describe('upgradeFailure', () => {
  for (const [body, message] of [
    ['plain words\n', 'plain words'],
    ['{"message":" of a Status "}', 'of a Status'],
    ['{"error":"of an error"}', 'of an error'],
    ['{}', '{}'],
  ] as const) {
    it(`reads ${body.trim()}`, () => {
      assert.equal(upgradeFailure(body).message, `unable to upgrade connection: ${message}`);
    });
  }
});
