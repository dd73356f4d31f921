const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a part of the path is not a directory',
  EISDIR: 'it is a directory',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'too many open files',
};

/** A directory, device, pipe or socket is in the place of a file. */
export class NotAFileError extends Error {
  override readonly name = 'NotAFileError';
  readonly path: string;

  constructor(path: string) {
    super(`${path} is not a regular file`);
    this.path = path;
  }
}

/** Describes a system error about a file in plain words; undefined for other errors. */
export function describeFileError(error: unknown): string | undefined {
  if (error instanceof NotAFileError) return 'it is not a regular file';
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  const code = String(error.code);
  if (error.syscall === 'mkdir' && code === 'ENOENT') return 'no directory can be created there';
  return Object.hasOwn(reasons, code) ? reasons[code] : code;
}
