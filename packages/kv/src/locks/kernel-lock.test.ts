import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KVError } from '../interface/index.js';
import { loadKernelLocks, tryLock } from './kernel-lock.js';

describe('the lock of the kernel', () => {
  const absent = () => Promise.reject(new Error("Cannot find package 'fs-native-extensions'\nRequire stack:"));

  it('is there on this platform', async () => {
    assert.equal(typeof (await loadKernelLocks())?.tryLock, 'function');
  });

  for (const platform of ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64']) {
    it(`is never done without on ${platform}`, () =>
      assert.rejects(loadKernelLocks(absent, platform), (error) => {
        assert.ok(error instanceof KVError);
        assert.equal(error.code, 'unavailable');
        assert.match(
          error.message,
          /cannot be locked, because .* \(Cannot find package 'fs-native-extensions'\); install/,
        );
        return true;
      }));
  }

  it('is done without on a platform that has no build', async () => {
    assert.equal(await loadKernelLocks(absent, 'linux-arm'), undefined);
  });

  it('names a file that cannot be locked, and what to do', () => {
    const locks = {
      tryLock: () => {
        throw new Error('Unknown system error -37');
      },
      waitForLock: () => Promise.resolve(),
      unlock: () => undefined,
    };
    assert.throws(() => tryLock(locks, 3, '/mnt/store/data.mdb'), {
      code: 'unavailable',
      message:
        '/mnt/store/data.mdb cannot be locked (Unknown system error -37); its file system may have no locks: ' +
        'use a directory on a local disk',
    });
  });
});
