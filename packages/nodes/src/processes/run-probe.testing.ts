import assert from 'node:assert/strict';
import { Agent, request, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { ProbeNetwork } from './run-probe.js';

const unused = (): never => assert.fail('no one calls this');

/** A network that no one may use. */
export const unusedNetwork: ProbeNetwork = { connect: unused, request: unused, checkHealth: unused };

/** Requests that this server answers in memory. */
export function answeringFrom(server: Server): ProbeNetwork['request'] {
  const agent = new (class extends Agent {
    override createConnection(): Duplex {
      const [near, far] = duplexPair();
      far.once('close', () => near.destroy());
      server.emit('connection', far);
      return near;
    }
  })();
  return (address, options) => request(address, { ...options, agent });
}
