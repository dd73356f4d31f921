import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRequest, RequestError } from './request.js';

describe('a request to the test servers', () => {
  it('is a call with its fields', () => {
    const call = { call: 'installWebhooks', server: '1', paths: ['a'], port: 1 };
    assert.deepEqual(readRequest(JSON.stringify({ id: 7, ...call })), { id: 7, call });
    assert.deepEqual(readRequest('{"id":"x","call":"start"}'), { id: 'x', call: { call: 'start' } });
  });

  const wrong: readonly (readonly [line: string, id: number | null, message: RegExp])[] = [
    ['nonsense', null, /a JSON object on one line/],
    ['[]', null, /a JSON object on one line/],
    ['{"call":"start"}', null, /^id: must be a number or a string$/],
    ['{"id":1}', 1, /^call: must be one of start, fork, /],
    ['{"id":1,"call":"toString"}', 1, /^call: must be one of/],
    ['{"id":1,"call":"fork"}', 1, /^server: must be a string$/],
    ['{"id":1,"call":"fork","server":1}', 1, /^server: must be a string$/],
    ['{"id":1,"call":"start","wait":1}', 1, /^start has no field "wait"$/],
    ['{"id":1,"call":"start","flags":[1]}', 1, /^flags: must be a list of strings$/],
    ['{"id":1,"call":"installWebhooks","server":"1","paths":[],"port":65536}', 1, /^port: must be a number from 0/],
    ['{"id":1,"call":"addFault","server":"1","rule":[]}', 1, /^rule: must be an object$/],
  ];
  for (const [line, id, message] of wrong) {
    it(`is not ${line}`, () => {
      assert.throws(
        () => readRequest(line),
        (error) => error instanceof RequestError && error.id === id && message.test(error.message),
      );
    });
  }
});
