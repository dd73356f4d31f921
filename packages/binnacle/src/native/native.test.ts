import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { nativeFolders } from './folders.js';
import { loadNative } from './load-native.js';
import { unpack } from './unpack.js';

const part = { name: 'a.node', content: Buffer.from('content') };
const userId = process.getuid?.();

describe('native parts', () => {
  let base = '';
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'native-'));
  });
  afterEach(() => rmSync(base, { recursive: true }));

  it('are unpacked once', () => {
    const folder = join(base, 'new', 'folder');
    const path = unpack(part, folder, userId);
    assert.equal(readFileSync(path, 'utf8'), 'content');
    assert.equal(unpack(part, folder, userId), path);
    assert.equal(readdirSync(folder).length, 1);
    assert.notEqual(unpack({ ...part, content: Buffer.from('other') }, folder, userId), path);
  });

  it('replace a file with other content, and a link', () => {
    const path = unpack(part, base, userId);
    chmodSync(path, 0o600);
    writeFileSync(path, 'tampered');
    assert.equal(readFileSync(unpack(part, base, userId), 'utf8'), 'content');
    rmSync(path);
    writeFileSync(join(base, 'target'), 'content');
    symlinkSync(join(base, 'target'), path);
    unpack(part, base, userId);
    writeFileSync(join(base, 'target'), 'changed');
    assert.equal(readFileSync(path, 'utf8'), 'content');
  });

  it('are not unpacked into a link, or into a folder that others may write or that another user owns', () => {
    const open = join(base, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    assert.throws(() => unpack(part, open, 0), /open is not private: it must belong to this user, with mode 700$/);
    assert.throws(() => unpack(part, base, (userId ?? 0) + 1), /is not private/);
    symlinkSync(base, join(base, 'link'));
    assert.throws(() => unpack(part, join(base, 'link'), userId), /link is not a folder$/);
  });

  it('are not unpacked where others can replace the folder', {
    skip: userId !== 0 && 'only root gives files away',
  }, () => {
    const home = join(base, 'home');
    mkdirSync(home);
    chownSync(home, 1000, 1000);
    const cache = join(home, 'cache');
    assert.throws(() => unpack(part, cache, 0), /cache is not private: others can rename what is in .*home$/);
    symlinkSync(home, join(base, 'link'));
    assert.throws(() => unpack(part, join(base, 'link', 'cache'), 0), /is not private/);
    chownSync(home, 0, 0);
    chmodSync(home, 0o777);
    assert.throws(() => unpack(part, cache, 0), /is not private/);
    chmodSync(home, 0o1777);
    assert.equal(dirname(unpack(part, cache, 0)), cache);
  });

  it('load from the first folder that allows it', () => {
    writeFileSync(join(base, 'file'), '');
    const folders = [join(base, 'file', 'none'), join(base, 'forbids'), join(base, 'allows')];
    const load = (path: string): unknown => {
      if (path.includes('forbids')) throw new Error('failed to map segment');
      return path;
    };
    assert.match(String(loadNative(part, { folders, userId, load })), /allows/);
    assert.throws(
      () => loadNative(part, { folders: folders.slice(0, 2), userId, load }),
      /^Error: a.node cannot be loaded \(.*ENOTDIR.*; failed to map segment\); set BINNACLE_NATIVE_DIR to a private/,
    );
  });

  it('are looked for in the folders in this order', () => {
    const places = { cache: '/c', temporary: '/t', userId: 7 };
    const usual = ['/c/binnacle/native', '/t/binnacle-native-7', '/dev/shm/binnacle-native-7'];
    assert.deepEqual(nativeFolders({}, places), usual);
    assert.deepEqual(nativeFolders({}, { ...places, cache: undefined }), usual.slice(1));
    assert.deepEqual(nativeFolders({ BINNACLE_NATIVE_DIR: '', XDG_RUNTIME_DIR: 'relative' }, places), usual);
    assert.deepEqual(nativeFolders({ BINNACLE_NATIVE_DIR: '/own', XDG_RUNTIME_DIR: '/run/7' }, places), [
      '/own',
      '/c/binnacle/native',
      '/run/7/binnacle',
      ...usual.slice(1),
    ]);
  });
});
