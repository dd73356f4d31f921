import { Client, credentials } from '@grpc/grpc-js';
import { MessageReader, MessageWriter } from './messages/wire.js';

const LARGEST_MESSAGE = 1024 * 1024;
const READ_AND_WRITE = 2n;

/** Requests that the store itself never makes. */
async function send(endpoint: string, path: string, write: (writer: MessageWriter) => void): Promise<Buffer> {
  const client = new Client(endpoint.replace('http://', ''), credentials.createInsecure());
  const decode = (answer: Buffer): Buffer => answer;
  const encode = (): Buffer => {
    const writer = new MessageWriter(LARGEST_MESSAGE);
    write(writer);
    return writer.finish();
  };
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const deadline = Date.now() + 10_000;
      client.makeUnaryRequest(path, encode, decode, undefined, { deadline }, (error, answer) => {
        if (error === null && answer !== undefined) resolve(answer);
        else reject(error ?? new Error('no answer'));
      });
    });
  } finally {
    client.close();
  }
}

/** Deletes all keys in one revision. */
export async function deleteEverything(endpoint: string): Promise<void> {
  const zero = Buffer.from([0]);
  await send(endpoint, '/etcdserverpb.KV/DeleteRange', (writer) => {
    writer.bytes(2, zero);
    writer.bytes(1, zero);
  });
}

/** Writes two keys in one transaction, and so in one revision. */
export async function putTogether(endpoint: string, keys: readonly string[], value: Uint8Array): Promise<void> {
  await send(endpoint, '/etcdserverpb.KV/Txn', (writer) => {
    // A MessageWriter writes from the last byte to the first.
    for (const key of keys.toReversed()) {
      const mark = writer.mark;
      writer.bytes(2, value);
      writer.bytes(1, Buffer.from(key));
      writer.nest(2, mark);
      writer.nest(2, mark);
    }
  });
}

/** Revokes all leases, which deletes their keys. Returns how many there were. */
export async function revokeLeases(endpoint: string): Promise<number> {
  const reader = new MessageReader(await send(endpoint, '/etcdserverpb.Lease/LeaseLeases', () => undefined));
  let revoked = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field !== 2) {
      reader.skip();
      continue;
    }
    const lease = reader.message();
    lease.next();
    const id = lease.long();
    await send(endpoint, '/etcdserverpb.Lease/LeaseRevoke', (writer) => writer.long(1, id));
    revoked += 1;
  }
  return revoked;
}

/** A user who may read and write keys with these prefixes, which end in a slash, and single keys. */
export async function addUser(
  endpoint: string,
  name: string,
  password: string,
  allowed: { readonly prefixes: readonly string[]; readonly keys: readonly string[] },
): Promise<void> {
  const bytes = Buffer.from(name);
  await send(endpoint, '/etcdserverpb.Auth/RoleAdd', (writer) => writer.bytes(1, bytes));
  const ranges = [
    // A prefix range ends at the prefix with its slash replaced by a zero, the next character.
    ...allowed.prefixes.map((prefix) => [prefix, prefix.replace(/\/$/, '0')]),
    ...allowed.keys.map((key) => [key, '']),
  ];
  for (const [key = '', end = ''] of ranges) {
    await send(endpoint, '/etcdserverpb.Auth/RoleGrantPermission', (writer) => {
      const mark = writer.mark;
      writer.bytes(3, Buffer.from(end));
      writer.bytes(2, Buffer.from(key));
      writer.long(1, READ_AND_WRITE);
      writer.nest(2, mark);
      writer.bytes(1, bytes);
    });
  }
  await send(endpoint, '/etcdserverpb.Auth/UserAdd', (writer) => {
    writer.bytes(2, Buffer.from(password));
    writer.bytes(1, bytes);
  });
  await send(endpoint, '/etcdserverpb.Auth/UserGrantRole', (writer) => {
    writer.bytes(2, bytes);
    writer.bytes(1, bytes);
  });
}

/** Creates a user `root` with this password. From then on only users created before are accepted. */
export async function enableAuthentication(endpoint: string, password: string): Promise<void> {
  const root = Buffer.from('root');
  await send(endpoint, '/etcdserverpb.Auth/RoleAdd', (writer) => writer.bytes(1, root));
  await send(endpoint, '/etcdserverpb.Auth/UserAdd', (writer) => {
    writer.bytes(2, Buffer.from(password));
    writer.bytes(1, root);
  });
  await send(endpoint, '/etcdserverpb.Auth/UserGrantRole', (writer) => {
    writer.bytes(2, root);
    writer.bytes(1, root);
  });
  await send(endpoint, '/etcdserverpb.Auth/AuthEnable', () => undefined);
}
