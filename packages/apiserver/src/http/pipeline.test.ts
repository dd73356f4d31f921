import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { PacedReading } from './paced-reading.js';
import { Pipeline } from './pipeline.js';

function pipelineOf(socket: PassThrough): Pipeline {
  const reading = new PacedReading(socket, () => undefined);
  return new Pipeline(socket, reading, { count: 0, maximum: 10 });
}

const response = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

describe('a client that asks for another protocol', () => {
  it('gets it once its answer has been sent, and leaves no listener behind', () => {
    const socket = new PassThrough();
    const listeners = socket.listenerCount('close');
    const pipeline = pipelineOf(socket);
    const added = socket.listenerCount('close') - listeners;
    const answer = response();
    pipeline.enter(answer, () => undefined);
    let taken = 0;
    pipeline.leave(() => taken++);
    assert.equal(taken, 0);
    answer.emit('close');
    assert.equal(taken, 1);
    assert.equal(socket.listenerCount('close'), listeners + added - 1);
    assert.equal(socket.listenerCount('drain'), 0);
  });

  it('is cut off when its answer goes on, or another request waits', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const watching = new PassThrough();
    const pipeline = pipelineOf(watching);
    pipeline.enter(response(), () => undefined);
    pipeline.leave(() => assert.fail('taken'));
    context.mock.timers.tick(4999);
    assert.equal(watching.destroyed, false);
    context.mock.timers.tick(1);
    assert.equal(watching.destroyed, true);

    const impatient = new PassThrough();
    const full = pipelineOf(impatient);
    full.enter(response(), () => undefined);
    full.enter(response(), () => assert.fail('served'));
    full.leave(() => assert.fail('taken'));
    assert.equal(impatient.destroyed, true);
  });
});
