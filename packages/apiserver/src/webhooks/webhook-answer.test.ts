import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyOf, keepsBody, redirectIn } from './webhook-answer.js';

const answer = (status: number, body: string, contentType = '') => ({
  status,
  contentType,
  location: undefined,
  body: Buffer.from(body),
});

describe('bodyOf', () => {
  it('returns the body of any success', () => {
    for (const status of [200, 201, 299]) assert.equal(bodyOf(answer(status, '{}')).toString(), '{}');
  });

  const failures: readonly (readonly [
    name: string,
    given: ReturnType<typeof answer>,
    code: number,
    message: string,
  ])[] = [
    [
      'an empty success',
      answer(204, '', 'text/plain'),
      503,
      '0-length response with status code: 204 and content type: text/plain',
    ],
    [
      'text',
      answer(500, ' why\n', 'text/plain'),
      500,
      'an error on the server ("why") has prevented the request from succeeding',
    ],
    ['text without a type', answer(403, 'why'), 403, 'why'],
    ['other content', answer(403, 'why', 'application/json'), 403, 'unknown'],
    ['a Status', answer(418, '{"status":"Failure","message":"no tea"}', 'application/json'), 418, 'no tea'],
    [
      'a redirect without a target',
      answer(302, ''),
      302,
      'the server responded with the status code 302 but did not return more information',
    ],
  ];
  for (const [name, given, code, message] of failures) {
    it(`throws the reason for ${name}`, () => {
      assert.throws(() => bodyOf(given), { name: 'WebhookCallError', code, message });
    });
  }

  it('shows only the beginning of a long text', () => {
    assert.throws(() => bodyOf(answer(403, 'x'.repeat(3000))), { message: 'x'.repeat(2048) });
  });
});

describe('a redirect', () => {
  it('needs a status of redirects and a location', () => {
    for (const status of [301, 302, 303, 307, 308]) assert.equal(redirectIn(status, '/b'), '/b');
    for (const status of [200, 201, 300, 304, 305, 400]) assert.equal(redirectIn(status, '/b'), undefined);
    assert.equal(redirectIn(302, undefined), undefined);
  });

  it('keeps the body for 307 and 308 only', () => {
    assert.deepEqual([301, 302, 303, 307, 308].map(keepsBody), [false, false, false, true, true]);
  });
});
