import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { MemorySystem } from '../testing/index.js';
import { runCommand } from './run-command.js';

const spec = { command: [process.execPath], environment: {}, directory: '/' };

async function* typed(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const each of texts) yield Buffer.from(each);
}

/** Runs a command whose client may refuse its output. */
async function start(stdin?: AsyncIterable<Buffer>, stopping = new AbortController(), refusal?: Error) {
  const system = new MemorySystem();
  const outputs = { stdout: '', stderr: '' };
  const keep = (name: 'stdout' | 'stderr') => async (bytes: Buffer) => {
    if (refusal !== undefined) throw refusal;
    outputs[name] += String(bytes);
  };
  const streams = { stdin, stdout: keep('stdout'), stderr: keep('stderr') };
  const ended = runCommand(spec, streams, { reaper: await system.reaper(), signal: stopping.signal });
  while (system.programs.length === 0) await settle();
  await settle();
  const [program] = system.programs;
  assert.ok(program);
  return { program, outputs, ended };
}

describe('a command', () => {
  it('has an input, both outputs and a code', async () => {
    const { program, outputs, ended } = await start(typed('a', 'b'));
    program.stdout.write(program.input.read());
    program.stderr.write('no');
    program.end(4);
    assert.deepEqual([await ended, outputs], [{ code: 4 }, { stdout: 'ab', stderr: 'no' }]);
    assert.equal(program.input.writableEnded, true);
  });

  it('makes its input wait', async () => {
    const large = 'x'.repeat(100_000);
    const { program, outputs, ended } = await start(typed(large, 'end'));
    assert.equal(program.input.writableEnded, false);
    program.input.pipe(program.stdout, { end: false });
    while (!program.input.readableEnded) await settle();
    program.end(0);
    await ended;
    assert.equal(outputs.stdout, `${large}end`);
  });

  it('may close its input early, and its client may go', async () => {
    const closed = await start(typed('x'.repeat(100_000), 'b', 'c'));
    closed.program.input.destroy(new Error('EPIPE'));
    closed.program.end(1);
    assert.deepEqual(await closed.ended, { code: 1 });
    const gone = await start(
      (async function* () {
        yield Buffer.from('a');
        throw new Error('the client has gone');
      })(),
    );
    assert.equal(gone.program.input.writableEnded, true);
    gone.program.end(0);
    assert.deepEqual(await gone.ended, { code: 0 });
  });

  it('is killed by the signal, before its start or after', async () => {
    const stopping = new AbortController();
    const { ended } = await start(undefined, stopping);
    stopping.abort();
    assert.deepEqual(await ended, { code: 137 });
    assert.deepEqual(await (await start(undefined, stopping)).ended, { code: 137 });
  });

  it('is killed when no one takes its output', async () => {
    const { program, ended } = await start(undefined, undefined, new Error('the client has gone'));
    program.stdout.write('a');
    assert.deepEqual(await ended, { code: 137 });
  });

  it('that cannot start has a problem', async () => {
    const reaper = await new MemorySystem().reaper();
    const keep = (): Promise<void> => Promise.resolve();
    const missing = runCommand(
      { ...spec, command: ['none'] },
      { stdin: undefined, stdout: keep, stderr: keep },
      { reaper, signal: new AbortController().signal },
    );
    assert.deepEqual(await missing, { problem: 'exec: "none": executable file not found in $PATH' });
  });
});
