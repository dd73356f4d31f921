import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const leave = new URL('./leave.js', import.meta.url).href;
const shutdown = new URL('./shutdown.js', import.meta.url).href;
const clock = import.meta.resolve('@binnacle/apimachinery/clock');
const options = { timeout: 600_000 };

/** A program with one thread that opens a pipe, and hangs until someone writes to it. */
const hanging = (pipe: string, then: string): string => `
  import { open } from 'node:fs';
  import { systemClock } from ${JSON.stringify(clock)};
  import { killAtExit, threadsEnd } from ${JSON.stringify(leave)};
  import { untilStopped } from ${JSON.stringify(shutdown)};
  open(${JSON.stringify(pipe)}, 'r', () => undefined);
  ${then}`;

describe('the end of a process with a thread that hangs', () => {
  let directory = '';
  const pipe = (): string => join(directory, 'pipe');
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'leave-'));
    execFileSync('mkfifo', [pipe()]);
  });
  after(() => rmSync(directory, { recursive: true }));
  const run = (then: string) => {
    const args = ['--input-type=module', '--eval', hanging(pipe(), then)];
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  };

  it('waits for the thread, and exits with its code', options, async () => {
    const program = run(`console.log('waiting'); process.exit((await threadsEnd(systemClock, 30_000)) ? 3 : 4);`);
    await once(program.stdout, 'data');
    writeFileSync(pipe(), 'x');
    assert.deepEqual(await once(program, 'exit'), [3, null]);
  });

  it('is a signal if the thread does not end in time', options, async () => {
    const program = run(`if (!(await threadsEnd(systemClock, 50))) killAtExit(); process.exit(0);`);
    assert.deepEqual(await once(program, 'exit'), [null, 'SIGKILL']);
  });

  it('is immediate at the second signal', options, async () => {
    const program = run(`
      // Two signals within a moment count as one, so this clock runs fast.
      systemClock.monotonic = ((now) => () => (now += 2000))(0);
      void untilStopped().then(() => console.log('stopping'));
      console.log('waiting');
      setInterval(() => undefined, 1000);`);
    await once(program.stdout, 'data');
    program.kill('SIGINT');
    await once(program.stdout, 'data');
    program.kill('SIGTERM');
    assert.deepEqual(await once(program, 'exit'), [null, 'SIGTERM']);
  });
});
