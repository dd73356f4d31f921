import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { jsonFormat, Log } from '@binnacle/apimachinery/logging';
import type { WorkerCalls } from './calls.js';
import { WorkerPool, type WorkerProcess } from './worker-pool.js';

/** What the pool gives to workers; fake ones do not read it. */
const given = {} as WorkerCalls['start']['argument'];

/** A worker whose start and end the test decides. */
class FakeWorker implements WorkerProcess {
  readonly pid: number;
  readonly calls: string[] = [];
  readonly ended: Promise<string>;
  /** What `start` does. */
  starting: Promise<undefined>;
  hangs = false;
  #end: (how: string) => void = () => undefined;

  constructor(pid: number, starting: Promise<undefined>) {
    this.pid = pid;
    this.starting = starting;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  call<Name extends keyof WorkerCalls>(name: Name): Promise<WorkerCalls[Name]['answer']> {
    this.calls.push(name);
    if (this.hangs) return new Promise(() => undefined);
    if (name === 'stop') this.end('exit code 0');
    const answer = name === 'metrics' ? Promise.resolve(`of ${this.pid}`) : this.starting;
    return answer;
  }

  kill(): void {
    this.calls.push('kill');
    this.end('signal SIGKILL');
  }

  end(how: string): void {
    this.#end(how);
  }
}

function world(count = 2) {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const workers: FakeWorker[] = [];
  const serving = new Set<unknown>();
  const next = { starting: Promise.resolve(undefined) };
  const pool = new WorkerPool({
    count,
    listener: {
      join: (worker) => void serving.add(worker),
      leave: (worker) => void serving.delete(worker),
    },
    spawn: () => {
      const worker = new FakeWorker(workers.length + 1, next.starting);
      workers.push(worker);
      return worker;
    },
    start: given,
    log: new Log({ clock, format: jsonFormat, verbosity: 0, write: (line) => lines.push(line) }),
    clock,
    random: seededRandom(1),
  });
  return { pool, clock, lines, workers, serving, next };
}

describe('a pool of workers', () => {
  it('starts all, and is healthy while all serve', async () => {
    const { pool, workers, serving } = world();
    assert.throws(() => pool.check(), /worker 1, 2 of 2/);
    await pool.start();
    pool.check();
    assert.deepEqual(
      workers.map(({ calls }) => calls),
      [['start'], ['start']],
    );
    assert.deepEqual(await pool.metrics('/metrics'), [
      { index: 1, text: 'of 1' },
      { index: 2, text: 'of 2' },
    ]);
    assert.deepEqual(serving, new Set(workers));
    await pool.stop();
    assert.equal(serving.size, 0);
  });

  it('fails as the first worker that cannot start, and ends the others', async () => {
    const { pool, workers, next } = world();
    next.starting = Promise.reject(new Error('port 6443 is in use'));
    await assert.rejects(pool.start(), /port 6443 is in use/);
    await pool.kill();
    assert.equal(workers.length, 2);
    assert.ok(workers.every(({ calls }) => calls.includes('kill')));
  });

  it('starts a worker again after a pause that grows, says so, and is unhealthy until then', async () => {
    const { pool, clock, lines, workers } = world();
    await pool.start();
    for (const [index, pause] of [200, 400, 800].entries()) {
      workers.at(index === 0 ? 1 : -1)?.end('signal SIGKILL');
      await settle();
      assert.throws(() => pool.check(), /worker 2 of 2 is being started again/);
      assert.equal(workers.length, 2 + index);
      await clock.advance(pause * 1.2);
      await settle();
      pool.check();
      assert.equal(workers.length, 3 + index);
    }
    assert.equal(lines.length, 3);
    assert.match(lines[0] ?? '', /A worker has ended and is started again.*signal SIGKILL/);
    await pool.stop();
  });

  it('begins with the shortest pause after a worker that lasted', async () => {
    const { pool, clock, workers } = world(1);
    await pool.start();
    workers[0]?.end('exit code 1');
    await clock.advance(240);
    await settle();
    await clock.advance(100_000);
    workers[1]?.end('exit code 1');
    await settle();
    await clock.advance(240);
    await settle();
    assert.equal(workers.length, 3);
    await pool.stop();
  });

  it('ends a worker that has been silent for a minute, and starts another', async () => {
    const { pool, clock, lines, workers } = world();
    await pool.start();
    const [silent] = workers;
    if (silent !== undefined) silent.hangs = true;
    await clock.advance(69_000);
    assert.equal(silent?.calls.includes('kill'), false);
    await clock.advance(1000);
    await settle();
    assert.equal(silent?.calls.includes('kill'), true);
    assert.match(lines.join(), /A worker has ended and is started again.*it has not answered for a minute/);
    await clock.advance(200_000);
    await settle();
    assert.equal(workers.length, 3, 'the other one, and the new one, answer');
    pool.check();
    await pool.stop();
  });

  it('ends no worker that answers slowly', async () => {
    const { pool, clock, workers } = world(1);
    await pool.start();
    const [worker] = workers;
    assert.ok(worker);
    for (let times = 0; times < 5; times += 1) {
      let answer = (): void => undefined;
      worker.starting = new Promise((resolve) => {
        answer = () => resolve(undefined);
      });
      await clock.advance(60_000);
      answer();
      await settle();
      await clock.advance(10_000);
    }
    assert.equal(workers.length, 1);
    assert.equal(worker.calls.includes('kill'), false);
    await pool.stop();
  });

  it('tells every worker each stage of a stop, and settles when all have ended', async () => {
    const { pool, workers } = world();
    await pool.start();
    await pool.catchUp();
    await pool.announceStop();
    await pool.stop();
    for (const { calls } of workers) assert.deepEqual(calls, ['start', 'catchUp', 'announceStop', 'stop']);
    await pool.stop();
    assert.equal(workers.length, 2);
  });

  it('kills a worker that is starting when the server stops, and starts none', async () => {
    const { pool, clock, workers, next } = world(1);
    await pool.start();
    next.starting = new Promise(() => undefined);
    workers[0]?.end('exit code 1');
    await settle();
    await clock.advance(240);
    await settle();
    assert.equal(workers.length, 2);
    await pool.stop();
    assert.deepEqual(new Set(workers[1]?.calls), new Set(['start', 'kill']));
    assert.equal(workers.length, 2);
  });
});
