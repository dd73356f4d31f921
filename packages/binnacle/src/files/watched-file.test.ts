import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { WatchedFile } from './watched-file.js';

/** Runs a test with a file, its watcher, and the failures that the watcher reports. */
async function withFile(
  run: (parts: {
    readonly file: WatchedFile<{ readonly text: string }>;
    readonly write: (text: string) => void;
    readonly failures: string[];
    /** The texts in use, and whether each was the first. */
    readonly loaded: string[];
    readonly path: string;
    readonly pass: () => Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'watched-'));
  const path = join(folder, 'file');
  const write = (text: string): void => writeFileSync(path, text);
  write('one');
  const clock = new VirtualClock();
  const failures: string[] = [];
  const loaded: string[] = [];
  using file = await WatchedFile.open({
    path,
    read: (text) => {
      if (text === 'wrong') throw new Error('wrong text');
      return { text };
    },
    clock,
    loaded: (text, isFirst) => loaded.push(`${text} ${isFirst}`),
    failed: (error) => failures.push(String(error)),
  });
  // The read itself needs the file system, and no time of the clock.
  const pass = async (): Promise<void> => {
    await clock.advance(2000);
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  try {
    await run({ file, write, failures, loaded, path, pass });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lets time pass until it is so. */
async function until(pass: () => Promise<void>, isSo: () => boolean): Promise<void> {
  while (!isSo()) await pass();
}

describe('WatchedFile', () => {
  it('has the value of the newest text, and the same one while the text stays', () =>
    withFile(async ({ file, write, loaded, pass }) => {
      const first = file.current;
      await pass();
      assert.equal(file.current, first);
      write('two');
      await until(pass, () => file.current.text === 'two');
      assert.deepEqual(loaded, ['one true', 'two false']);
    }));

  it('keeps its value when the new text is wrong or absent, and reports that once', () =>
    withFile(async ({ file, write, failures, path, pass }) => {
      write('wrong');
      await until(pass, () => failures.length > 0);
      for (let time = 0; time < 3; time++) await pass();
      assert.deepEqual([failures, file.current.text], [['Error: wrong text'], 'one']);
      rmSync(path);
      await until(pass, () => failures.length > 1);
      for (let time = 0; time < 3; time++) await pass();
      assert.equal(failures.length, 2);
      assert.match(failures[1] ?? '', /ENOENT/);
      write('three');
      await until(pass, () => file.current.text === 'three');
    }));

  it('opens only a file that is right', async () => {
    const options = { clock: new VirtualClock(), failed: () => undefined };
    await assert.rejects(WatchedFile.open({ ...options, path: '/absent/file', read: (text) => text }), /ENOENT/);
  });
});
