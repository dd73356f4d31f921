/** A file cannot be read as a snapshot of etcd. The message ends a sentence that begins with the file's name. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}
