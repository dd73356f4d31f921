import { notFound, StatusError } from '@binnacle/apimachinery/status';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainAbsence, objectOf, objectsOf, textOf } from './answers.js';

describe('answers', () => {
  it('have empty fields where the server sends none, or another type', () => {
    assert.deepEqual([textOf('a'), textOf(undefined), textOf(1)], ['a', '', '']);
    assert.deepEqual([objectOf({ a: 1 }), objectOf(undefined), objectOf([])], [{ a: 1 }, {}, {}]);
    assert.deepEqual([objectsOf([{ a: 1 }, 1]), objectsOf(undefined), objectsOf({})], [[{ a: 1 }], [], []]);
  });

  it('404 of a server without the path gets a reason, and other errors stay as they are', () => {
    const absent = new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 404 });
    assert.throws(() => explainAbsence(absent, 'it has none'), { message: 'it has none', cause: absent });
    for (const other of [notFound({ group: '', resource: 'secrets' }, 'a'), new Error('no connection')]) {
      assert.throws(
        () => explainAbsence(other, 'it has none'),
        (error) => error === other,
      );
    }
  });
});
