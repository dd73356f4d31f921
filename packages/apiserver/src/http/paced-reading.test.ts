import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { isTurnOver } from '../slices/index.js';
import { PacedReading } from './paced-reading.js';

/** A parser that takes a turn's time for each piece, and tells of all. */
function slowParser(socket: PassThrough, advance: () => void, mayEnd?: () => boolean) {
  const pieces: string[] = [];
  const reading = new PacedReading(
    socket,
    () => {
      socket.on('data', (piece: Buffer) => {
        advance();
        pieces.push(piece.toString());
      });
      socket.on('end', () => pieces.push('end'));
    },
    mayEnd,
  );
  return { pieces, reading };
}

describe('paced reading', () => {
  const text = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join('');

  it('parses all that was sent, in pieces, lets others run in between, and reports the end last', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const socket = new PassThrough({ autoDestroy: false });
    const { pieces } = slowParser(socket, () => {
      time += 6;
    });
    const seenByOthers = new Set<number>();
    socket.end(text);
    while (pieces.at(-1) !== 'end') {
      seenByOthers.add(pieces.length);
      await loop();
    }
    assert.equal(pieces.join(''), `${text}end`);
    assert.ok(pieces.every((piece) => piece.length <= 2048));
    assert.ok(seenByOthers.size >= pieces.length - 2, 'one piece in each turn');
  });

  it('passes a long line on in large pieces, and reports how much has arrived', async () => {
    const socket = new PassThrough();
    let arrived = 0;
    const pieces: number[] = [];
    const attach = () => void socket.on('data', (piece: Buffer) => pieces.push(piece.length));
    const reading = new PacedReading(socket, attach, undefined, (bytes) => (arrived += bytes));
    socket.emit('data', Buffer.from(`${text.slice(0, 1000)}${'x'.repeat(150 * 1024)}\n${text.slice(0, 1000)}`));
    while (pieces.length < 5) await loop();
    assert.deepEqual(pieces, [2048, 65_536, 65_536, 21_481, 1000]);
    assert.equal(arrived, 155_601);
    reading.stop();
  });

  it('parses a piece in a turn that other work has used up', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const socket = new PassThrough();
    const { pieces } = slowParser(socket, () => undefined);
    assert.ok(!isTurnOver());
    time += 6;
    assert.ok(isTurnOver());
    socket.emit('data', Buffer.from(text));
    assert.equal(pieces.length, 1);
  });

  it('parses nothing while it is held, whoever resumes the socket', async () => {
    const socket = new PassThrough();
    const { pieces, reading } = slowParser(socket, () => reading.hold());
    socket.write(text);
    for (let turn = 0; turn < 5; turn++) {
      socket.resume();
      await loop();
    }
    assert.equal(pieces.length, 1);
    reading.release();
    await once(socket, 'resume');
    assert.equal(pieces.length, 2);
  });

  it('reads less than a piece while it is held, and parses it later', async () => {
    const socket = new PassThrough();
    const { pieces, reading } = slowParser(socket, () => undefined);
    reading.hold();
    socket.write('a'.repeat(1000));
    await loop();
    assert.equal(socket.isPaused(), false);
    socket.write('a'.repeat(1500));
    await loop();
    assert.equal(socket.isPaused(), true);
    assert.deepEqual(pieces, []);
    reading.release();
    await once(socket, 'resume');
    assert.equal(pieces.join(''), 'a'.repeat(2500));
    reading.hold();
    socket.write('b');
    await loop();
    reading.release();
    assert.equal(pieces.at(-1), 'b');
  });

  it('keeps the end from the parser until the parser may have it, and reports it once', async () => {
    const socket = new PassThrough({ autoDestroy: false });
    let mayEnd = false;
    const { pieces, reading } = slowParser(
      socket,
      () => undefined,
      () => mayEnd,
    );
    socket.end('all');
    await once(socket, 'end');
    // The turn may have been over when the bytes came.
    while (pieces.length === 0) await loop();
    reading.release();
    assert.deepEqual(pieces, ['all']);
    mayEnd = true;
    reading.release();
    reading.release();
    assert.deepEqual(pieces, ['all', 'end']);
  });

  it('gives back what it has not parsed', async () => {
    const socket = new PassThrough();
    const { pieces, reading } = slowParser(socket, () => reading.hold());
    socket.write(text);
    while (pieces.length === 0) await loop();
    const rest = reading.stop();
    assert.equal(pieces.join('') + rest.toString(), text);
    assert.equal(socket.listenerCount('data') + socket.listenerCount('resume'), 0);
  });
});
