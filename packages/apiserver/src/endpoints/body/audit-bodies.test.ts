import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RequestContext } from '../../request/index.js';
import { FakeExchange } from '../../testing/index.js';
import { auditPatch } from './audit-bodies.js';

/** What the audit event has of a patch. */
async function told(mediaType: string, body: string, recordsRequest = true): Promise<string | undefined> {
  let json: string | undefined;
  const context = new RequestContext(new FakeExchange({}), '/', new URLSearchParams(), 0);
  context.audit = {
    recordsRequest,
    recordsResponse: false,
    omitsManagedFields: false,
    impersonated: () => undefined,
    requestMetadata: () => undefined,
    requestObject: (text) => {
      json = text;
    },
    responseStatus: () => undefined,
    admitsAnswer: () => true,
    responseObject: () => undefined,
  };
  await auditPatch(context, mediaType, Buffer.from(body));
  return json;
}

describe('auditPatch', () => {
  it('records JSON without whitespace, and YAML as JSON', async () => {
    assert.equal(await told('application/merge-patch+json', '{ "data": { "b": 1 } }\n'), '{"data":{"b":1}}');
    assert.equal(await told('application/json-patch+json', '[ {"op":"remove"} ]'), '[{"op":"remove"}]');
    assert.equal(await told('application/apply-patch+yaml', 'data:\n  b: "1"\n'), '{"data":{"b":"1"}}');
  });

  it('records no patch that cannot be read, and none that no event shows', async () => {
    assert.equal(await told('application/merge-patch+json', '{'), undefined);
    assert.equal(await told('application/apply-patch+yaml', 'a: ['), undefined);
    assert.equal(await told('application/merge-patch+json', '{}', false), undefined);
  });
});
