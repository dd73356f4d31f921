import assert from 'node:assert/strict';
import { writeSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { RotatingFile, type RotatingFileOptions } from './rotating-file.js';

const large = Buffer.alloc(600 * 1024, 'x');

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rotating-file-'));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function optionsOf(path: string, more: Partial<RotatingFileOptions> = {}): RotatingFileOptions {
  return { path, maximumMegabytes: 1, maximumBackups: 0, maximumAgeDays: 0, compresses: false, ...more };
}

describe('RotatingFile', () => {
  it('appends to a private file, and makes its directory', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'logs', 'audit.log');
      for (const line of ['one\n', 'two\n']) {
        const file = new RotatingFile(optionsOf(path), new VirtualClock());
        await file.write(Buffer.from(line));
        await file.close();
      }
      assert.equal(await readFile(path, 'utf8'), 'one\ntwo\n');
      assert.equal((await stat(path)).mode & 0o777, 0o600);
    });
  });

  it('begins a new line after a disk that is full has taken part of one', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'audit.log');
      let full = 0;
      const file = new RotatingFile(optionsOf(path), new VirtualClock(), async (fd, bytes, at) => {
        if (full === 1) throw new Error('ENOSPC');
        const length = full === 0 ? bytes.length - at : full--;
        return { bytesWritten: writeSync(fd, bytes, at, length) };
      });
      await file.write(Buffer.from('one\n'));
      full = 2;
      await assert.rejects(file.write(Buffer.from('two\n')), /ENOSPC/);
      full = 0;
      await file.write(Buffer.from('three\n'));
      await file.write(Buffer.from('four\n'));
      await file.close();
      assert.equal(await readFile(path, 'utf8'), 'one\ntw\nthree\nfour\n');
    });
  });

  it('renames the file before it is too large, and keeps the given number of backups', async () => {
    await inFolder(async (folder) => {
      const clock = new VirtualClock();
      const file = new RotatingFile(optionsOf(join(folder, 'audit.log'), { maximumBackups: 2 }), clock);
      for (let count = 0; count < 5; count++) {
        await file.write(large);
        await clock.advance(1000);
      }
      await file.close();
      const names = (await readdir(folder)).sort();
      assert.equal(names.length, 3);
      assert.equal(names.at(-1), 'audit.log');
    });
  });

  it('compresses backups', async () => {
    await inFolder(async (folder) => {
      const file = new RotatingFile(optionsOf(join(folder, 'audit.log'), { compresses: true }), new VirtualClock());
      await file.write(large);
      await file.write(large);
      await file.close();
      const backup = (await readdir(folder)).find((name) => name.endsWith('.log.gz')) ?? '';
      assert.deepEqual(gunzipSync(await readFile(join(folder, backup))), large);
    });
  });
});
