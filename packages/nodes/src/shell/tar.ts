import { type FileTree, FileProblem, resolvePath } from './file-tree.js';

const BLOCK = 512;
const FILE = '0';
const DIRECTORY = '5';
/** Where a header has the first part of a long name. */
const PREFIX = { start: 345, length: 155 };
const NAME_LENGTH = 100;

/** The blocks of an archive with a file or a directory and all that is in it. `name` is the path as the client wrote it. */
export function* archiveOf(files: FileTree, path: string, name: string, now: number): Generator<Buffer> {
  const relative = name.replace(/^\/+/, '');
  for (const each of [path, ...files.below(path)]) {
    const entry = files.get(each);
    if (entry === undefined) throw new FileProblem('No such file or directory');
    const entryName = `${relative}${each.slice(path === '/' ? 0 : path.length)}`;
    const bytes = entry.kind === 'file' ? entry.bytes : Buffer.alloc(0);
    yield header(
      entry.kind === 'file' ? entryName : `${entryName}/`,
      entry.kind === 'file' ? FILE : DIRECTORY,
      bytes.length,
      now,
    );
    if (bytes.length > 0) yield Buffer.concat([bytes, Buffer.alloc(padding(bytes.length))]);
  }
  yield Buffer.alloc(2 * BLOCK);
}

function header(name: string, type: string, size: number, now: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const bytes = Buffer.from(name);
  // A long name is split at a slash.
  const split = bytes.length <= NAME_LENGTH ? -1 : bytes.indexOf('/', bytes.length - NAME_LENGTH - 1);
  if (bytes.length > NAME_LENGTH && (split < 0 || split > PREFIX.length)) throw new FileProblem('File name too long');
  bytes.copy(block, 0, split + 1);
  if (split >= 0) bytes.copy(block, PREFIX.start, 0, split);
  const octal = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  octal(type === FILE ? 0o644 : 0o755, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.floor(now / 1000), 136, 12);
  block.write(`        ${type}`, 148, 'latin1');
  block.write('ustar\u000000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1');
  return block;
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** Writes the files of an archive below a directory. Links and devices are left out. */
export async function extract(archive: AsyncIterable<Buffer>, files: FileTree, directory: string): Promise<void> {
  const input = new BlockReader(archive);
  for (;;) {
    const block = await input.read(BLOCK);
    if (block === undefined || block.every((byte) => byte === 0)) break;
    const { name, type, size } = entryOf(block);
    const body = await input.read(size);
    await input.read(padding(size));
    if (body === undefined) throw new FileProblem('short read');
    const path = resolvePath(directory, resolvePath('/', name).slice(1));
    if (type === DIRECTORY) files.makeDirectory(path);
    else if (type === FILE || type === '\u0000') {
      files.makeDirectory(path.slice(0, Math.max(1, path.lastIndexOf('/'))));
      files.write(path, body);
    }
  }
  await input.drain();
}

const MAX_SIZE = 4 << 20;

function entryOf(block: Buffer): { readonly name: string; readonly type: string; readonly size: number } {
  const text = (at: number, length: number): string => block.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  const size = Number.parseInt(text(124, 12).trim() || '0', 8);
  if (!(size >= 0)) throw new FileProblem('invalid tar header');
  if (size > MAX_SIZE) throw new FileProblem('No space left on device');
  const prefix = block.toString('latin1', 257, 262) === 'ustar' ? text(PREFIX.start, PREFIX.length) : '';
  const name = prefix === '' ? text(0, NAME_LENGTH) : `${prefix}/${text(0, NAME_LENGTH)}`;
  return { name, type: block.toString('latin1', 156, 157), size };
}

class BlockReader {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer[] = [];
  #length = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Undefined: the input ends before. */
  async read(length: number): Promise<Buffer | undefined> {
    while (this.#length < length) {
      const next = await this.#source.next();
      if (next.done === true) return undefined;
      this.#held.push(next.value);
      this.#length += next.value.length;
    }
    const all = this.#held.length === 1 ? (this.#held[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#held);
    this.#held = [all.subarray(length)];
    this.#length -= length;
    return all.subarray(0, length);
  }

  /** Reads to the end, so that the writer is not left waiting. */
  async drain(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }
}
