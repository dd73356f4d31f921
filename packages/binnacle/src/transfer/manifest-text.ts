import { type FileHandle, open } from 'node:fs/promises';
import { isBoltHead } from '@binnacle/kv/etcd/snapshot';

/** The largest file. A JavaScript string cannot hold a larger text, and its objects take several times as much memory. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Most manifests are shorter. */
const HEAD_BYTES = 64 * 1024;

/** The text of a manifest; undefined: the file is a snapshot of etcd. Rejects with an Error that names the file, or with the system's. */
export async function manifestText(file: string): Promise<string | undefined> {
  await using handle = await open(file);
  const stats = await handle.stat();
  if (!stats.isFile()) return await textOfPipe(handle, file);
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.min(stats.size, HEAD_BYTES)), 0);
  const head = buffer.subarray(0, bytesRead);
  if (isBoltHead(head)) return undefined;
  checkHead(head, file);
  checkSize(stats.size, file);
  if (bytesRead === stats.size) return head.toString();
  // It continues after the head.
  return Buffer.concat([head, await handle.readFile()]).toString();
}

/** The text of a pipe, such as that of a process substitution, whose beginning can be read only once. */
async function textOfPipe(handle: FileHandle, file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const content: AsyncIterable<Buffer> = handle.createReadStream({ autoClose: false });
  for await (const chunk of content) {
    if (bytes === 0) checkHead(chunk, file);
    bytes += chunk.length;
    checkSize(bytes, file);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function checkHead(head: Buffer, file: string): void {
  const refusal = refusalOf(head);
  if (refusal !== undefined) throw new Error(`${file} ${refusal}`);
}

function checkSize(bytes: number, file: string): void {
  if (bytes > MAX_FILE_BYTES) throw new Error(`${file} is larger than 256 MiB: split it`);
}

/** What to do with a file that is something else. Undefined: it may be a manifest. */
export function refusalOf(head: Buffer): string | undefined {
  if (isBoltHead(head)) return 'is a snapshot of etcd: name the file itself, not a pipe';
  if (head.length >= 2 && head.readUInt16BE(0) === 0x1f8b)
    return 'is an archive: unpack it, such as with tar, and import the folder';
  if (head.includes('binnacle-backup '))
    return 'is a backup of Binnacle: "binnacle store restore FILE" makes a store of it';
  return undefined;
}
