import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { readLogQuery } from '../logs/index.js';
import { outputPieces } from './output-pieces.js';
import { runInMemory } from './processes.testing.js';

/** A client that reads the output of a process, which has written these lines. */
async function reader(query: string, written: string) {
  const { clock, program, found } = await runInMemory();
  const stopping = new AbortController();
  const options = readLogQuery(new URLSearchParams(query), clock.now());
  assert.ok(!('message' in options));
  program.stdout.write(written);
  await settle();
  const seen = { text: '', isOver: false };
  const read = async (): Promise<void> => {
    const parts = { clock, signal: stopping.signal };
    for await (const bytes of outputPieces(found.run.process.output, options, parts)) seen.text += String(bytes);
    seen.isOver = true;
  };
  const over = read();
  await settle();
  return { program, seen, stopping, over };
}

describe('the output of a process in pieces', () => {
  it('is what has been written', async () => {
    const { seen } = await reader('', 'a\nb\n');
    assert.deepEqual(seen, { text: 'a\nb\n', isOver: true });
  });

  it('continues until the process ends', async () => {
    const { seen, program, over } = await reader('follow=true&tailLines=1', 'a\nb\n');
    assert.deepEqual(seen, { text: 'b\n', isOver: false });
    program.stderr.write('c\n');
    await settle();
    assert.deepEqual(seen, { text: 'b\nc\n', isOver: false });
    program.stdout.write('rest');
    program.end(0);
    await over;
    assert.deepEqual(seen, { text: 'b\nc\nrest', isOver: true });
  });

  it('ends with the bytes that the client asked for', async () => {
    const { seen } = await reader('follow=true&limitBytes=3', 'a\nb\n');
    assert.deepEqual(seen, { text: 'a\nb', isOver: true });
  });

  it('ends early when the signal fires', async () => {
    const { seen, stopping, over } = await reader('follow=true', 'a\n');
    stopping.abort();
    await over;
    assert.deepEqual(seen, { text: 'a\n', isOver: true });
  });
});
