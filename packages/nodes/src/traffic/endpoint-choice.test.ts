import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EndpointChoice } from './endpoint-choice.js';
import { endpoint } from './traffic.testing.js';

const [a, b] = [endpoint('127.250.0.2'), endpoint('127.250.1.3')];
const port = { endpoints: [a, b], isLocal: false, affinity: undefined };

it('endpoints take turns', () => {
  const choice = new EndpointChoice();
  assert.deepEqual(
    [0, 1, 2].map((now) => choice.next(port, '127.0.0.1', now)),
    [a, b, a],
  );
  assert.equal(choice.next({ ...port, endpoints: [] }, '127.0.0.1', 3), undefined);
});

it('a client with affinity keeps its endpoint, while it is there and in time', () => {
  const choice = new EndpointChoice();
  const sticky = { ...port, affinity: 10 };
  assert.deepEqual(
    [0, 9, 18].map((now) => choice.next(sticky, 'x', now)),
    [a, a, a],
  );
  assert.deepEqual(choice.next(sticky, 'y', 18), b);
  assert.deepEqual(choice.next({ ...sticky, endpoints: [b] }, 'x', 19), b);
  assert.deepEqual(choice.next(sticky, 'x', 100), b);
});

it('the client with the oldest connection is forgotten when there are too many', () => {
  const choice = new EndpointChoice();
  const sticky = { ...port, affinity: 1e9 };
  assert.equal(choice.next(sticky, 'first', 0), a);
  assert.equal(choice.next(sticky, 'second', 0), b);
  for (let client = 0; client < 10_000; client++) choice.next(sticky, String(client), 1);
  assert.equal(choice.next(sticky, 'second', 2), a);
});

it('with the local policy, clients on a node reach endpoints on it alone', () => {
  const local = { ...port, isLocal: true };
  const reached = (client: string) => [0, 1].map((now) => new EndpointChoice().next(local, client, now));
  assert.deepEqual(reached('127.250.1.9'), [b, b]);
  assert.deepEqual(reached('127.250.2.9'), [undefined, undefined]);
  const choice = new EndpointChoice();
  assert.deepEqual(
    [0, 1].map((now) => choice.next(local, '127.0.0.1', now)),
    [a, b],
  );
});
