import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import { limitInterimAnswers } from './interim-answers.js';

const INTERIM = 'HTTP/1.1 103 Early Hints\r\n\r\n';

/** A request that is answered with these bytes. */
function answered(text: string) {
  const [near, far] = duplexPair();
  far.write(text);
  return limitInterimAnswers(request({ createConnection: () => near })).end();
}

describe('limitInterimAnswers', () => {
  it('waits for the answer behind a thousand informational ones', async () => {
    const sent = answered(`${INTERIM.repeat(1000)}HTTP/1.1 204 No Content\r\n\r\n`);
    const [message] = (await once(sent, 'response')) as [IncomingMessage];
    assert.equal(message.statusCode, 204);
    sent.destroy();
  });

  it('ends the request at one more', async () => {
    const sent = answered(INTERIM.repeat(1001));
    const [error] = (await once(sent, 'error')) as [Error];
    assert.equal(error.message, 'too many 1xx informational responses');
  });
});
