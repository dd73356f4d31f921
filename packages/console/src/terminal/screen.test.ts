import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Change, Load } from '../model/index.js';
import { screenLines } from './screen.js';

const load: Load = {
  rate: 123.4,
  failures: 0.25,
  median: 0.00123,
  p99: 1.5,
  slowest: [['LIST pods', 0.25]],
  queues: [['deployment', 3]],
  verbs: [],
  resources: [['pods', 100]],
  watches: [
    ['pods', 5],
    ['nodes', 1],
  ],
  watchCount: 6,
  inflight: 3,
  queued: 0,
  memory: 1048576 * 200,
};
const change = (name: string, more: Partial<Change> = {}): Change => ({
  type: 'changed',
  time: Date.parse('2026-01-01T10:05:51Z'),
  kind: 0,
  uid: name,
  name,
  namespace: 'shop',
  version: '1',
  health: 'good',
  text: '2/3 ready',
  by: 'kubectl',
  ...more,
});
const kinds = [
  { group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment', namespaced: true, shortNames: [] },
];
const screen = {
  server: 'https://a',
  version: 'v1.36.0',
  now: Date.parse('2026-01-01T10:06:00Z'),
  objects: 7,
  load,
  problem: '',
  kinds,
};

describe('the screen of top', () => {
  it('shows the load and the newest changes', () => {
    const changes = [change('old', { type: 'added', by: '', namespace: '' }), change('new')];
    assert.deepEqual(screenLines({ ...screen, changes }, { columns: 200, rows: 40 }), [
      'https://a  v1.36.0  10:06:00  7 objects',
      'requests 123/s  median 1.2 ms  99% 1.50 s  errors 0.3/s  in progress 3  waiting 0  memory 200 MiB',
      'slow (99%): LIST pods 250 ms',
      'requests: pods 100/s',
      'watches 6: pods 5, nodes 1',
      'queues of control loops: deployment 3',
      '',
      'CHANGES, newest first',
      '10:05:51 ~ Deployment shop/new  2/3 ready  (kubectl)',
      '10:05:51 + Deployment old  2/3 ready',
    ]);
  });

  it('fits the terminal, whatever objects say', () => {
    const changes = Array.from({ length: 100 }, (_, index) =>
      change(`web-${index}`, { text: '\u001b[2J\r\n'.repeat(50) }),
    );
    const lines = screenLines({ ...screen, changes }, { columns: 40, rows: 20 });
    assert.equal(lines.length, 20);
    for (const line of lines) {
      assert.ok(line.length <= 40);
      assert.doesNotMatch(line, /\p{C}/u);
    }
    assert.match(lines.at(-1) ?? '', /web-88/);
  });

  it('says what it lacks', () => {
    const size = { columns: 80, rows: 10 };
    assert.equal(screenLines({ ...screen, load: undefined, changes: [] }, size)[1], 'measuring ...');
    assert.equal(
      screenLines({ ...screen, load: undefined, problem: 'no metrics: 403', changes: [] }, size)[1],
      'no metrics: 403',
    );
    const idle = { ...load, slowest: [], median: undefined, memory: 0 };
    const lines = screenLines({ ...screen, load: idle, changes: [] }, size);
    assert.match(lines[1] ?? '', /median - .*waiting 0$/);
    assert.equal(lines[2], 'slow (99%): none');
  });
});
