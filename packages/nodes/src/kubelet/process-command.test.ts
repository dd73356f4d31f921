import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { attachToProcess, runProcessCommand } from './process-command.js';
import { inputOf, runInMemory } from './processes.testing.js';
import { podOn } from './simulated-pods.testing.js';

/** The streams of a client that types. */
function client() {
  const typed = new PassThrough();
  const gone = new AbortController();
  const seen = { stdout: '', stderr: '' };
  const streams = {
    stdin: typed,
    stdout: async (bytes: Buffer) => void (seen.stdout += String(bytes)),
    stderr: async (bytes: Buffer) => void (seen.stderr += String(bytes)),
    finish: async () => assert.fail('the caller ends the streams'),
    gone: gone.signal,
  };
  return { typed, gone, seen, streams };
}

const pod = podOn('node-0', 'web');

/** A client that runs a command beside a container. */
async function running(tty: boolean) {
  const { system, found } = await runInMemory();
  const { streams, ...person } = client();
  const command = { pod, container: { name: 'c' }, command: ['a', 'b'], tty };
  const ending = runProcessCommand(command, streams, found);
  ending.catch(() => undefined);
  while (system.programs.length < 2) await settle();
  const [, program] = system.programs;
  assert.ok(program);
  return { ...person, program, ending };
}

describe('a command beside a process', () => {
  it('has its words, its input, both outputs and its code', async () => {
    const { typed, seen, program, ending } = await running(false);
    typed.end('in');
    await settle();
    assert.deepEqual([program.command.slice(1), inputOf(program)], [['a', 'b'], 'in']);
    program.stdout.write('out\n');
    program.stderr.write('err\n');
    program.end(3);
    assert.deepEqual([await ending, seen], [{ code: 3 }, { stdout: 'out\n', stderr: 'err\n' }]);
  });

  it('has one output at a terminal, which echoes lines', async () => {
    const { typed, seen, program, ending } = await running(true);
    typed.write('in\r');
    await settle();
    assert.deepEqual([inputOf(program), seen.stdout], ['in\n', 'in\r\n']);
    program.stdout.write('out\n');
    await settle();
    program.stderr.write('err\n');
    program.end(0);
    assert.deepEqual([await ending, seen], [{ code: 0 }, { stdout: 'in\r\nout\r\nerr\r\n', stderr: '' }]);
  });

  it('ends with ^C at a terminal', async () => {
    const { typed, program, ending } = await running(true);
    typed.write('\u0003');
    assert.deepEqual([await ending, program.signalCode], [{ code: 130 }, 'SIGKILL']);
  });

  it('is killed when the client goes', async () => {
    const { gone, program, ending } = await running(false);
    gone.abort(new Error('the client has gone'));
    await assert.rejects(ending, { message: 'the client has gone' });
    assert.equal(program.signalCode, 'SIGKILL');
  });
});

/** A client that attaches to a container. */
async function attached(container: { readonly stdin?: boolean; readonly stdinOnce?: boolean }) {
  const { clock, program, found } = await runInMemory(container.stdin);
  const { streams, ...person } = client();
  const processes = { has: () => true, find: () => found, addressOf: () => '127.0.0.1' };
  const parts = { pods: { find: () => pod, ofNode: () => [pod] }, clock, signal: new AbortController().signal };
  const given = { pod, container: { name: 'c', ...container } };
  const ending = attachToProcess(given, streams, found, { ...parts, processes });
  await settle();
  return { ...person, program, ending };
}

describe('a client that attaches to a process', () => {
  it('writes to its input, and sees its output', async () => {
    const { typed, seen, program, ending } = await attached({ stdin: true });
    typed.end('in');
    await settle();
    assert.deepEqual([inputOf(program), program.input.writableEnded], ['in', false]);
    program.stdout.write('out\n');
    program.end(0);
    assert.deepEqual([await ending, seen.stdout], [{ code: 0 }, 'out\n']);
  });

  it('ends an input that only one client may have', async () => {
    const { typed, program, ending } = await attached({ stdin: true, stdinOnce: true });
    typed.destroy(new Error('the client has gone'));
    await settle();
    assert.equal(program.input.writableEnded, true);
    program.end(0);
    await ending;
  });

  it('waits for an input that is full, until it closes', async () => {
    const { typed, program, ending } = await attached({ stdin: true, stdinOnce: true });
    typed.write('x'.repeat(100_000));
    await settle();
    typed.end('rest');
    await settle();
    assert.equal(program.input.writableEnded, false);
    program.input.destroy();
    await settle();
    assert.equal(program.input.writableEnded, false);
    program.end(0);
    await ending;
  });

  it('writes nothing to a process without an input', async () => {
    const { typed, seen, program, ending } = await attached({});
    typed.end('in');
    program.stdout.write('out\n');
    program.end(0);
    assert.deepEqual([await ending, inputOf(program), seen.stdout], [{ code: 0 }, '', 'out\n']);
  });
});
