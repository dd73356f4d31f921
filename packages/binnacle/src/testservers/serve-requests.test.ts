import assert from 'node:assert/strict';
import { it } from 'node:test';
import { serveRequests } from './serve-requests.js';

it('answers each line with its id, in the order in which calls end', async () => {
  const written: unknown[] = [];
  let finish: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (finish = resolve));
  async function* lines(): AsyncGenerator<string> {
    yield* ['{"id":1,"call":"stop","server":"slow"}', '', '{"id":2,"call":"log","server":"a"}', 'nonsense'];
    yield* ['{"id":3,"call":"fork","server":"none"}', '{"id":4,"call":"fork","server":"odd"}', '{"id":5}'];
  }
  const done = serveRequests(
    lines(),
    async (call) => {
      if (call.call === 'start') throw new Error('not sent');
      if (call.server === 'slow') await slow;
      if (call.server === 'none') throw new Error('there is none');
      // A thrown value may be anything.
      // oxlint-disable-next-line no-throw-literal, only-throw-error
      if (call.server === 'odd') throw 'odd';
      return { server: call.server };
    },
    (line) => written.push(JSON.parse(line)),
  );
  await done;
  await new Promise(setImmediate);
  finish();
  await new Promise(setImmediate);
  const byId = (id: number | null) => written.find((each) => (each as { id: unknown }).id === id);
  assert.deepEqual(written.at(-1), { id: 1, result: { server: 'slow' } });
  assert.deepEqual(byId(2), { id: 2, result: { server: 'a' } });
  assert.deepEqual(byId(null), { id: null, error: 'a request is a JSON object on one line' });
  assert.deepEqual(byId(3), { id: 3, error: 'there is none' });
  assert.deepEqual(byId(4), { id: 4, error: 'odd' });
  assert.match(JSON.stringify(byId(5)), /call: must be one of/);
  assert.equal(written.length, 6);
});
