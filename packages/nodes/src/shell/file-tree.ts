/** A failure with the words of a Unix system, such as `No such file or directory`. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}

export type FileEntry =
  | {
      readonly kind: 'file';
      readonly bytes: Buffer;
      /** Begins with `bytes`, and may have room behind them for what is appended. */
      readonly room: Buffer;
    }
  | { readonly kind: 'directory' };

const MAX_BYTES = 4 << 20;
const MAX_ENTRIES = 4096;
/** Linux' `PATH_MAX`. */
const LONGEST_PATH = 4096;

/** Files in memory. Paths are absolute and normal, as `resolvePath` makes them. */
export class FileTree {
  readonly #entries = new Map<string, FileEntry>([['/', { kind: 'directory' }]]);
  #bytes = 0;

  get(path: string): FileEntry | undefined {
    return this.#entries.get(path);
  }

  read(path: string): Buffer {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new FileProblem('No such file or directory');
    if (entry.kind === 'directory') throw new FileProblem('Is a directory');
    return entry.bytes;
  }

  write(path: string, bytes: Buffer): void {
    const present = this.#entries.get(path);
    if (present?.kind === 'directory') throw new FileProblem('Is a directory');
    if (this.#entries.get(parentOf(path))?.kind !== 'directory') throw new FileProblem('No such file or directory');
    const growth = bytes.length - (present?.bytes.length ?? 0);
    this.#reserve(growth, present === undefined ? 1 : 0);
    this.#bytes += growth;
    this.#entries.set(path, { kind: 'file', bytes, room: bytes });
  }

  /** The room for a file doubles, because a command may append a hundred thousand lines. */
  append(path: string, bytes: Buffer): void {
    const present = this.#entries.get(path);
    if (present?.kind !== 'file') return this.write(path, bytes);
    this.#reserve(bytes.length, 0);
    const start = present.bytes.length;
    const end = start + bytes.length;
    let { room } = present;
    if (end > room.length) {
      room = Buffer.alloc(2 * end);
      present.bytes.copy(room);
    }
    bytes.copy(room, start);
    this.#bytes += bytes.length;
    this.#entries.set(path, { kind: 'file', bytes: room.subarray(0, end), room });
  }

  /** Makes a directory and those above it that are missing. */
  makeDirectory(path: string): void {
    const present = this.#entries.get(path);
    if (present?.kind === 'file') throw new FileProblem('File exists');
    if (present !== undefined) return;
    this.makeDirectory(parentOf(path));
    this.#reserve(0, 1);
    this.#entries.set(path, { kind: 'directory' });
  }

  /** Removes a file, or a directory with all that is in it. */
  remove(path: string): void {
    if (!this.#entries.has(path)) throw new FileProblem('No such file or directory');
    for (const each of [path, ...this.below(path)]) {
      const entry = this.#entries.get(each);
      if (entry?.kind === 'file') this.#bytes -= entry.bytes.length;
      if (each !== '/') this.#entries.delete(each);
    }
  }

  /** All paths in a directory and in those below it, sorted. */
  below(path: string): readonly string[] {
    const prefix = path === '/' ? '/' : `${path}/`;
    return [...this.#entries.keys()].filter((each) => each !== '/' && each.startsWith(prefix)).toSorted();
  }

  /** The names of the entries of a directory, sorted. */
  names(path: string): readonly string[] {
    const start = path === '/' ? 1 : path.length + 1;
    return this.below(path).flatMap((each) => (each.includes('/', start) ? [] : [each.slice(start)]));
  }

  #reserve(bytes: number, entries: number): void {
    if (this.#bytes + bytes > MAX_BYTES || this.#entries.size + entries > MAX_ENTRIES) {
      throw new FileProblem('No space left on device');
    }
  }
}

/** The absolute path without `.`, `..` and double slashes. Throws a {@link FileProblem} if it is too long. */
export function resolvePath(directory: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${directory}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const resolved = `/${parts.join('/')}`;
  if (resolved.length > LONGEST_PATH) throw new FileProblem('File name too long');
  return resolved;
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}
