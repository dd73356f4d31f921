import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { withoutTurns } from '@binnacle/apimachinery/turns';
import { type LogQuery, LogReader } from '../logs/index.js';
import { Output } from './output.js';

const QUERY: LogQuery = {
  follow: false,
  previous: false,
  timestamps: false,
  since: undefined,
  tailLines: undefined,
  limitBytes: undefined,
};

async function outputOf(...chunks: readonly (string | Buffer)[]): Promise<Output> {
  const output = new Output(new VirtualClock(1000));
  const stream = new PassThrough();
  output.collect(stream);
  for (const chunk of chunks) {
    stream.write(chunk);
    await settle();
  }
  stream.end();
  await settle();
  return output;
}

function read(output: Output, query: Partial<LogQuery> = {}): string {
  const reader = new LogReader(output, { ...QUERY, ...query }, 0);
  let text = '';
  for (let piece = reader.read(output, 0); piece !== undefined; piece = reader.read(output, 0))
    text += piece.toString();
  return text;
}

describe('the output of a process', () => {
  // Times of the machine would decide when a chunk is read.
  let turns: Disposable | undefined;
  before(() => (turns = withoutTurns()));
  after(() => turns?.[Symbol.dispose]());

  it('has whole lines, and the rest at the end', async () => {
    const output = await outputOf('a\nb', 'c\n\nd');
    assert.equal(read(output), 'a\nbc\n\nd');
    assert.equal(read(output, { tailLines: 2 }), '\nd');
    assert.equal(read(output, { timestamps: true, limitBytes: 33 }), '1970-01-01T00:00:01.000000000Z a\n');
    assert.equal(output.tail(3), '\n\nd');
  });

  it('keeps characters whole that come in pieces', async () => {
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    assert.equal(read(await outputOf(first, second)), 'é');
  });

  it('cuts long lines without changing the text', async () => {
    const line = 'x'.repeat(40_000);
    const output = await outputOf(`${line}\n`, 'y\n');
    assert.equal(read(output), `${line}\ny\n`);
    assert.equal(read(output, { timestamps: true }).match(/1970/g)?.length, 2);
  });

  it('drops the oldest lines, and keeps the numbers of the others', async () => {
    const output = await outputOf(...Array.from({ length: 300 }, (_, index) => `${index} ${'x'.repeat(10_000)}\n`));
    assert.equal(output.countAt(), 300);
    assert.ok(output.firstKept > 150 && output.firstKept < 250, String(output.firstKept));
    assert.match(read(output), new RegExp(`^${output.firstKept} x+\n`));
    assert.equal(output.line(0).text, '');
    assert.equal(output.firstSince(0), output.firstKept);
  });

  it('keeps no more of short lines than of long ones', async () => {
    const output = await outputOf(...Array.from({ length: 10 }, () => '\n'.repeat(10_000)));
    assert.equal(output.countAt(), 100_000);
    assert.equal(output.countAt() - output.firstKept, (1 << 20) / 64);
  });

  it('wakes those who wait for more, or for the end', async () => {
    const output = new Output(new VirtualClock(0));
    const stream = new PassThrough();
    output.collect(stream);
    const { signal } = new AbortController();
    const more = output.change(signal);
    stream.write('a\n');
    await more;
    const end = output.change(signal);
    output.complete();
    await end;
    await output.change(signal);
    assert.equal(output.isComplete, true);
    await new Output(new VirtualClock(0)).change(AbortSignal.abort());
  });

  it('says when its lines were written', async () => {
    const clock = new VirtualClock(1000);
    const output = new Output(clock);
    const stream = new PassThrough();
    output.collect(stream);
    for (const line of ['a\n', 'b\n']) {
      stream.write(line);
      await clock.advance(500);
    }
    assert.deepEqual(
      [0, 1, 2].map((index) => output.timeOf(index)),
      [1000, 1500, Infinity],
    );
    assert.deepEqual(
      [1000, 1001, 1501].map((time) => output.firstSince(time)),
      [0, 1, 2],
    );
  });

  it('keeps a long line in pieces before its end comes, and the rest of a broken stream', async () => {
    const output = new Output(new VirtualClock(1000));
    const stream = new PassThrough();
    output.collect(stream);
    stream.write('x'.repeat(16_384));
    await settle();
    assert.deepEqual([output.countAt(), output.line(0).isPartial], [1, true]);
    stream.destroy(new Error('EIO'));
    await settle();
    assert.deepEqual([output.countAt(), output.tail(1)], [1, 'x']);
  });
});

it('the outputs of processes that write much leave turns to others', async (context) => {
  await loop();
  let time = 0;
  // Each chunk takes a turn.
  context.mock.method(performance, 'now', () => (time += 6));
  const output = new Output(new VirtualClock(0));
  output.collect(Readable.from(['a\n', 'b\n', 'c\n', 'd\n', 'e\n']));
  const counts = new Set<number>();
  while (output.countAt() < 5) {
    await loop();
    counts.add(output.countAt());
  }
  assert.ok(counts.size > 2, `others see ${[...counts].join(', ')} lines`);
});
