import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ValueCondenser } from './condenser.js';
import { openEnvironment } from './environment.js';
import { writeNumber } from './format/layout.js';
import { openEmbeddedKV } from './open.js';

const VERSIONS = 12;

/** The revisions that a condenser reaches with one call after another, of a key whose values have this size. */
async function reached(size: number): Promise<number[]> {
  const directory = await mkdtemp(join(tmpdir(), 'condenser-'));
  try {
    const kv = await openEmbeddedKV({ directory });
    let expectedRevision = 0;
    for (let version = 0; version < VERSIONS; version += 1) {
      const operation = { type: 'put', value: Buffer.alloc(size, `version ${version} `) } as const;
      const { revision } = await kv.txn({ key: '/key', expectedRevision, operation });
      expectedRevision = revision;
    }
    await kv.close();
    const environment = await openEnvironment(directory, undefined);
    const read = (revision: number): Buffer | undefined => {
      const key = Buffer.alloc(8);
      writeNumber(key, revision, 0);
      return environment.log.getBinary(key);
    };
    const condenser = new ValueCondenser({ environment, read, commit: (run) => environment.commit(run) });
    const revisions: number[] = [];
    while (condenser.condensedRevision < expectedRevision) {
      await condenser.condense(expectedRevision);
      revisions.push(condenser.condensedRevision);
    }
    await environment.close();
    return revisions;
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('a condenser', () => {
  it('works on all events of a call, if their values are small', async () => {
    assert.deepEqual(await reached(1000), [VERSIONS + 1]);
  });

  it('leaves the rest to later calls, if they are large', async () => {
    assert.deepEqual(await reached(200_000), [4, 6, 8, 10, 12, VERSIONS + 1]);
  });
});
