import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuditContext } from '../request/index.js';
import { auditAnswer } from './audit-answer.js';

/** What the audit event has of a body. */
async function told(
  body: string | readonly string[],
  { omitsManagedFields = false, memory = Number.POSITIVE_INFINITY } = {},
): Promise<string | undefined> {
  let json: string | undefined = 'nothing';
  const audit: AuditContext = {
    recordsRequest: true,
    recordsResponse: true,
    omitsManagedFields,
    impersonated: () => undefined,
    requestMetadata: () => undefined,
    requestObject: () => undefined,
    responseStatus: () => undefined,
    admitsAnswer: (bytes) => (memory -= bytes) >= 0,
    responseObject: (text) => {
      json = text;
    },
  };
  await auditAnswer(audit, () =>
    typeof body === 'string'
      ? Buffer.from(body)
      : { length: undefined, pieces: () => body.map((piece) => Buffer.from(piece)) },
  );
  return json;
}

describe('auditAnswer', () => {
  it('records the JSON of an answer without its newline, whole or in pieces', async () => {
    assert.equal(await told('{"a":1}\n'), '{"a":1}');
    assert.equal(await told(['{"a"', ':1}', '\n']), '{"a":1}');
  });

  it('leaves managed fields out of objects, lists and tables', async () => {
    const text = '{"kind":"Pod","metadata":{"name":"a","managedFields":[{"manager":"m"}]},"size":9007199254740993}';
    const plain = '{"kind":"Pod","metadata":{"name":"a"},"size":9007199254740993}';
    assert.equal(await told(text, { omitsManagedFields: true }), plain);
    assert.equal(
      await told(`{"kind":"PodList","items":[${text}]}`, { omitsManagedFields: true }),
      `{"kind":"PodList","items":[${plain}]}`,
    );
    assert.equal(
      await told(`{"kind":"Table","rows":[{"cells":[],"object":${text}}]}`, { omitsManagedFields: true }),
      `{"kind":"Table","rows":[{"cells":[],"object":${plain}}]}`,
    );
    assert.equal(await told(text), text);
  });

  it('does not record an answer of more than 10 MiB', async () => {
    const mebibyte = 'x'.repeat(1024 * 1024);
    assert.equal(await told(mebibyte.repeat(11)), undefined);
    assert.equal(await told(Array.from({ length: 11 }, () => mebibyte)), undefined);
  });

  it('does not record an answer for which no memory is left', async () => {
    assert.equal(await told('{"a":1}', { memory: 6 }), undefined);
    assert.equal(await told(['{"a"', ':1}'], { memory: 6 }), undefined);
    assert.equal(await told(['{"a"', ':1}'], { memory: 7 }), '{"a":1}');
  });
});
