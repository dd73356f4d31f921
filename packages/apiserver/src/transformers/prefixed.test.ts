import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import {
  identity,
  Prefixed,
  type PrefixedTransformer,
  type ReadValue,
  type Transformer,
  TransformError,
} from './index.js';

const context = { key: '/registry/secrets/a', resource: 'secrets' };

/** Reads values that end with its name, later if it `waits`. */
function named(name: string, waits = false): Transformer {
  const read = (stored: Uint8Array): ReadValue => {
    const text = Buffer.from(stored).toString();
    if (!text.endsWith(name)) throw new TransformError(`${name} cannot read it`, { status: 'NotFound' });
    return { value: Buffer.from(text.slice(0, -name.length)), isStale: false };
  };
  return {
    read: (stored) => (waits ? Promise.resolve().then(() => read(stored)) : read(stored)),
    write: (value) => Buffer.concat([value, Buffer.from(name)]),
  };
}

function prefixed(...choices: [PrefixedTransformer, ...PrefixedTransformer[]]) {
  const observed: string[] = [];
  const transformer = new Prefixed({
    choices,
    unmatched: 'no matching prefix found',
    clock: new VirtualClock(),
    observer: {
      transformed: (resource, type, prefix, status) => observed.push(`${resource} ${type} ${prefix} ${status}`),
    },
  });
  const read = async (text: string): Promise<[string, boolean]> => {
    const { value, isStale } = await transformer.read(Buffer.from(text), context);
    return [Buffer.from(value).toString(), isStale];
  };
  return { transformer, read, observed };
}

describe('Prefixed', () => {
  it('writes with the first transformer, and marks values of the others as stale', async () => {
    const { transformer, read, observed } = prefixed(
      { prefix: 'one:', transformer: named('1') },
      { prefix: 'two:', transformer: named('2') },
      { prefix: '', transformer: identity },
    );
    assert.equal(Buffer.from(transformer.write(Buffer.from('x'), context)).toString(), 'one:x1');
    assert.deepEqual(await read('one:x1'), ['x', false]);
    assert.deepEqual(await read('two:x2'), ['x', true]);
    assert.deepEqual(await read('plain'), ['plain', true]);
    assert.deepEqual(observed, [
      'secrets to_storage one: OK',
      'secrets from_storage one: OK',
      'secrets from_storage two: OK',
      'secrets from_storage identity OK',
    ]);
  });

  for (const waits of [false, true]) {
    it(`tries each transformer with the prefix, ${waits ? 'later' : 'at once'}`, async () => {
      const { read, observed } = prefixed(
        { prefix: '', transformer: identity },
        { prefix: 'k8s:enc:a:', transformer: named('1', waits) },
        { prefix: 'k8s:enc:a:', transformer: named('2') },
      );
      assert.deepEqual(await read('plain'), ['plain', false]);
      assert.deepEqual(await read('k8s:enc:a:x2'), ['x', true]);
      await assert.rejects(read('k8s:enc:a:x3'), {
        message: '[1 cannot read it, 2 cannot read it]',
        status: 'NotFound',
      });
      await assert.rejects(read('k8s:enc:b:x'), new TransformError('no matching prefix found'));
      assert.deepEqual(observed, [
        'secrets from_storage identity OK',
        'secrets from_storage k8s:enc:a: NotFound',
        'secrets from_storage k8s:enc:a: OK',
        'secrets from_storage k8s:enc:a: NotFound',
        'secrets from_storage k8s:enc:a: NotFound',
        'secrets from_storage unknown unknown-non-grpc',
      ]);
    });
  }

  it('keeps a single error, also a repeated one', async () => {
    const failing: Transformer = {
      ...identity,
      read: () => {
        throw new TransformError('down', { isTransient: true });
      },
    };
    const { read } = prefixed({ prefix: 'a:', transformer: failing }, { prefix: 'a:', transformer: failing });
    await assert.rejects(
      read('a:x'),
      (error) => error instanceof TransformError && error.isTransient && error.message === 'down',
    );
  });

  it('counts writes that fail', () => {
    const failing: Transformer = {
      ...identity,
      write: () => {
        throw new TransformError('expired');
      },
    };
    const { transformer, observed } = prefixed({ prefix: 'a:', transformer: failing });
    assert.throws(() => transformer.write(new Uint8Array(), context), new TransformError('expired'));
    assert.deepEqual(observed, ['secrets to_storage a: unknown-non-grpc']);
  });
});
