import { readRevision } from './kv-messages.js';
import type { Method } from './method.js';
import { MessageReader, MessageWriter } from './wire.js';

export interface LeaseAnswer {
  readonly id: bigint;
}

/** The TTL in seconds. The server chooses the lease's 64-bit id. */
export const leaseGrantMethod: Method<number, LeaseAnswer> = {
  path: '/etcdserverpb.Lease/LeaseGrant',
  // An extra lease without keys expires on its own.
  repeatable: true,
  encode: (seconds) => {
    const writer = new MessageWriter(32);
    writer.integer(1, seconds);
    return writer.finish();
  },
  decode: (message) => {
    const reader = new MessageReader(message);
    let id = 0n;
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 2) id = reader.long();
      else reader.skip();
    }
    return { id };
  },
};

export interface MemberStatus {
  readonly revision: number;
  readonly version: string;
  readonly sizeBytes: number;
}

/** The status of the member that answers, which may be behind the others. */
export const statusMethod: Method<undefined, MemberStatus> = {
  path: '/etcdserverpb.Maintenance/Status',
  repeatable: true,
  encode: () => Buffer.alloc(0),
  decode: (message) => {
    const reader = new MessageReader(message);
    let revision = 0;
    let version = '';
    let sizeBytes = 0;
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) revision = readRevision(reader.message());
      else if (field === 2) version = reader.text();
      else if (field === 3) sizeBytes = reader.integer();
      else reader.skip();
    }
    return { revision, version, sizeBytes };
  },
};

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** Returns a token. */
export const authenticateMethod: Method<Login, string> = {
  path: '/etcdserverpb.Auth/Authenticate',
  repeatable: true,
  encode: ({ user, password }) => {
    const name = Buffer.from(user);
    const secret = Buffer.from(password);
    const writer = new MessageWriter(name.length + secret.length + 32);
    writer.bytes(2, secret);
    writer.bytes(1, name);
    return writer.finish();
  },
  decode: (message) => {
    const reader = new MessageReader(message);
    let token = '';
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 2) token = reader.text();
      else reader.skip();
    }
    return token;
  },
};
