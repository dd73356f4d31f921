import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../bundle/cli/main.js', import.meta.url));

const run = (...args: string[]) =>
  new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
    const child = execFile(process.execPath, [main, 'simulate', ...args], (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: c, image: web:1 }] }
`;

const SCENARIO = `
runFor: 30s
nodes: 1
settles: true
actions:
  - at: 3s
    applyFiles: [web.yaml]
`;

describe('binnacle simulate', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'simulate-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  after(() => rmSync(folder, { recursive: true }));

  it('writes the same history for the same seed in each process', async () => {
    file('web.yaml', DEPLOYMENT);
    const scenario = file('s.yaml', SCENARIO);
    const histories = [join(folder, 'a'), join(folder, 'b')];
    for (const history of histories) {
      const { code, out, err } = await run(scenario, '--seed=3', `--history=${history}`);
      assert.match(out, /^seed 3: \d+ events in 30s, history [0-9a-f]{16}\n$/);
      assert.deepEqual([code, err], [0, '']);
    }
    const [first = '', second] = histories.map((history) => readFileSync(history, 'utf8'));
    assert.equal(first, second);
    assert.match(first, /^\{"step":1,"at":"2027-01-04T00:00:00/);
    const { out } = await run(scenario, '--seed=3', '--until=20');
    assert.match(out, /^# #1 {2}\+0s .*\n(?:#.*\n)*# seed 3 after event #19:\n---\n/);
  });

  it('reports a broken promise and how to repeat it', async () => {
    const unsettled = SCENARIO.replace('nodes: 1', 'nodes: 0');
    const { code, out } = await run(file('unsettled.yaml', unsettled), '--seeds=2');
    assert.equal(code, 1);
    assert.match(out, /settled: Deployment default\/web wants 2 pods: 2 are present, 2 updated, 0 ready/);
    assert.match(out, /--seed 2 --until \d+\n$/);
  });

  it('says what is wrong with a scenario', async () => {
    const { code, err } = await run(file('wrong.yaml', 'runFor: 1m\nactions: [{ at: 1s, applyFiles: [none.yaml] }]'));
    assert.equal(code, 1);
    assert.match(err, /none\.yaml: no such file/);
    const both = await run(file('both.yaml', 'runFor: 1m\nactions: [{ at: 1s, apply: [], applyFiles: [a.yaml] }]'));
    assert.match(both.err, /applyFiles: must be a list of paths, without apply beside it/);
    const twice = await run(file('twice.yaml', 'runFor: 1m\nrunFor: 2m\n'));
    assert.equal(twice.code, 1);
    assert.match(twice.err, /twice\.yaml: yaml: unmarshal errors:\n {2}line 2: key "runFor" already set in map/);
  });
});
