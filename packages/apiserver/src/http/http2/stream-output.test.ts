import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { Batch } from './batch.js';
import { StreamOutput } from './stream-output.js';

const head = Buffer.from('h');

function text(batch: Batch): string {
  let written = '';
  const socket = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      written += chunk.toString('latin1');
      done();
    },
  });
  batch.writeTo(socket, () => undefined);
  return written;
}

const HEAD = '\0\0\x01\x01\x04\0\0\0\x03h';
const HEAD_AND_END = '\0\0\x01\x01\x05\0\0\0\x03h';
const data = (value: string, flags = 0): string =>
  `\0\0${String.fromCharCode(value.length, 0, flags)}\0\0\0\x03${value}`;

function move(output: StreamOutput, window = 100, maxFrameSize = 10): [string, number] {
  const batch = new Batch();
  const bytes = output.moveTo(batch, { window, maxFrameSize });
  batch.finish();
  return [text(batch), bytes];
}

describe('the output of a stream', () => {
  it('ends with the head of an answer without a body', () => {
    const output = new StreamOutput(3, 100);
    assert.equal(output.canSend(100), false);
    output.addHead(head);
    output.end();
    assert.equal(output.canSend(0), true);
    assert.deepEqual(move(output, 0), [HEAD_AND_END, 0]);
    assert.deepEqual([output.isSent, output.canSend(100)], [true, false]);
  });

  it('sends the body in frames, and says which pieces are written', () => {
    const output = new StreamOutput(3, 100);
    const written: string[] = [];
    output.addHead(head);
    output.add(Buffer.from('abcdefgh'), () => written.push('first'));
    output.add(Buffer.from('ijklm'), () => written.push('second'));
    assert.deepEqual(move(output), [HEAD + data('abcdefghij'), 10]);
    assert.deepEqual([written, output.bytes, output.isSent], [['first'], 3, false]);
    output.end();
    assert.deepEqual(move(output), [data('klm', 1), 3]);
    assert.deepEqual([written, output.bytes, output.isSent], [['first', 'second'], 0, true]);
  });

  it('ends with an empty frame after a body that is sent', () => {
    const output = new StreamOutput(3, 100);
    output.add(Buffer.from('a'), undefined);
    assert.deepEqual(move(output), [data('a'), 1]);
    assert.equal(output.canSend(100), false);
    output.end();
    assert.deepEqual(move(output, 0), [data('', 1), 0]);
  });

  it('sends no more than the windows of the stream and the connection', () => {
    const output = new StreamOutput(3, 4);
    output.addHead(head);
    output.add(Buffer.from('abcdef'), undefined);
    output.end();
    assert.deepEqual(move(output, 3), [HEAD + data('abc'), 3]);
    assert.equal(output.canSend(0), false);
    assert.deepEqual(move(output), [data('d'), 1]);
    assert.equal(output.canSend(100), false);
    assert.deepEqual(move(output), ['', 0]);
    output.widen(-5);
    output.widen(6);
    assert.equal(output.window, 1);
    assert.deepEqual(move(output), [data('e'), 1]);
    output.widen(10);
    assert.deepEqual(move(output), [data('f', 1), 1]);
  });

  it('reports that an empty piece is written', () => {
    const output = new StreamOutput(3, 100);
    let written = 0;
    output.add(Buffer.alloc(0), () => written++);
    assert.equal(output.canSend(0), true);
    assert.deepEqual(move(output), ['', 0]);
    assert.equal(written, 1);
    assert.equal(output.canSend(100), false);
  });

  it('sends a continuation before the head', () => {
    const output = new StreamOutput(3, 100);
    output.addHead(Buffer.from('c'));
    output.addHead(head);
    output.end();
    assert.deepEqual(move(output), ['\0\0\x01\x01\x04\0\0\0\x03c' + HEAD_AND_END, 0]);
  });

  it('drops what waits', () => {
    const output = new StreamOutput(3, 100);
    output.addHead(head);
    output.add(Buffer.from('a'), () => assert.fail('it is not written'));
    output.clear();
    assert.deepEqual([output.bytes, output.canSend(100), move(output)], [0, false, ['', 0]]);
  });
});
