import { after, before, describe } from 'node:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { durableKVSuite, kvSuite } from '../testing/index.js';
import { openEmbeddedKV } from './index.js';

describe('embedded store', () => {
  let root = '';
  let stores = 0;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'kv-embedded-'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  kvSuite('embedded', ({ now }) => {
    stores += 1;
    return openEmbeddedKV({ directory: join(root, String(stores)), now });
  });
  durableKVSuite('embedded', ({ name, now }) => openEmbeddedKV({ directory: join(root, name), now }));
});
