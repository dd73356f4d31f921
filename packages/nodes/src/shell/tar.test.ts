import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FileTree } from './file-tree.js';
import { pieces } from './shell.testing.js';
import { archiveOf, extract } from './tar.js';

const NOW = Date.UTC(2027, 0, 4);

/** The files of a tree with their text, and its directories with a slash. */
function shown(files: FileTree): Record<string, string> {
  return Object.fromEntries(
    files.below('/').map((path) => {
      const entry = files.get(path);
      return entry?.kind === 'file' ? [path, entry.bytes.toString()] : [`${path}/`, ''];
    }),
  );
}

function treeWith(texts: Readonly<Record<string, string>>): FileTree {
  const files = new FileTree();
  for (const [path, text] of Object.entries(texts)) {
    files.makeDirectory(path.slice(0, Math.max(1, path.lastIndexOf('/'))));
    files.write(path, Buffer.from(text));
  }
  return files;
}

const packed = (files: FileTree, path: string, name: string): Buffer =>
  Buffer.concat([...archiveOf(files, path, name, NOW)]);

async function unpacked(archive: Buffer, directory = '/'): Promise<Record<string, string>> {
  const files = new FileTree();
  if (directory !== '/') files.makeDirectory(directory);
  await extract(pieces(archive), files, directory);
  return shown(files);
}

/** The archive of one file of these bytes, after a change of its header. The format's checksum is not read. */
function changed(change: (header: Buffer) => void): Buffer {
  const archive = packed(treeWith({ '/f': 'abc' }), '/f', 'f');
  change(archive.subarray(0, 512));
  return archive;
}

describe('an archive', () => {
  it('has the header that tar reads', () => {
    const archive = packed(treeWith({ '/f': 'abc' }), '/f', '/f');
    const field = (start: number, length: number) => archive.toString('latin1', start, start + length);
    assert.equal(archive.length, 4 * 512);
    assert.deepEqual(
      [field(0, 2), field(100, 8), field(124, 12), field(136, 12), field(156, 1), field(257, 8)],
      ['f\0', '0000644\0', '00000000003\0', `${(NOW / 1000).toString(8).padStart(11, '0')}\0`, '0', 'ustar\u000000'],
    );
    const blank = Buffer.from(archive.subarray(0, 512)).fill(' ', 148, 156);
    const sum = blank.reduce((total, byte) => total + byte, 0);
    assert.equal(Number.parseInt(field(148, 6), 8), sum);
    assert.deepEqual(archive.subarray(1024), Buffer.alloc(1024));
  });

  it('keeps files, directories and sizes around a block', async () => {
    const texts = { '/d/a': '', '/d/b': 'x'.repeat(511), '/d/c': 'y'.repeat(512), '/d/e/f': 'z'.repeat(513) };
    const expected = { '/d/': '', '/d/e/': '', ...texts };
    assert.deepEqual(await unpacked(packed(treeWith(texts), '/d', 'd')), expected);
  });

  it('may be of the whole tree', async () => {
    const texts = { '/a': 'one', '/b': 'two' };
    const archive = packed(treeWith(texts), '/', '.');
    assert.deepEqual(Object.keys(await unpacked(archive, '/to')).toSorted(), ['/to/', '/to/a', '/to/b']);
  });

  it('splits a long name at a slash', async () => {
    const path = `/${'d'.repeat(80)}/${'f'.repeat(90)}`;
    const archive = packed(treeWith({ [path]: 'text' }), path, path);
    assert.equal(archive.toString('latin1', 345, 345 + 81), `${'d'.repeat(80)}\0`);
    assert.equal((await unpacked(archive))[path], 'text');
  });

  it('refuses a name that does not fit, and a missing path', () => {
    const files = treeWith({ [`/${'f'.repeat(101)}`]: '' });
    assert.throws(() => packed(files, `/${'f'.repeat(101)}`, 'f'.repeat(101)), /File name too long/);
    assert.throws(() => packed(files, '/none', 'none'), /No such file or directory/);
  });
});

describe('extraction', () => {
  const broken: Record<string, [Buffer, RegExp]> = {
    'ends at a header without a size': [changed((header) => header.write('zzz', 124)), /invalid tar header/],
    'ends at a body that is cut': [changed(() => undefined).subarray(0, 514), /short read/],
    'ends at a file above the bound': [changed((header) => header.write('77777777777', 124)), /No space left/],
  };
  for (const [title, [archive, expected]] of Object.entries(broken)) {
    it(title, () => assert.rejects(unpacked(archive), expected));
  }

  it('reads the old type of a file, and leaves out links', async () => {
    assert.deepEqual(await unpacked(changed((header) => header.fill(0, 156, 157))), { '/f': 'abc' });
    assert.deepEqual(await unpacked(changed((header) => header.write('2', 156))), {});
  });

  it('has no prefix in the old format', async () => {
    const old = changed((header) => {
      header.fill(0, 257, 262);
      header.write('prefix', 345);
    });
    assert.deepEqual(await unpacked(old), { '/f': 'abc' });
  });

  it('creates the directories of a file, below its own', async () => {
    const nested = changed((header) => header.write('../a/b', 0));
    assert.deepEqual(await unpacked(nested, '/to'), { '/to/': '', '/to/a/': '', '/to/a/b': 'abc' });
  });

  it('reads the rest of the input', async () => {
    let isDrained = false;
    async function* input(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(1024);
      yield Buffer.from('more');
      isDrained = true;
    }
    await extract(input(), new FileTree(), '/');
    assert.ok(isDrained);
  });
});
