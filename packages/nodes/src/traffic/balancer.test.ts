import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import type { TcpNetConnectOpts } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { MemoryNetwork } from '../testing/index.js';
import { Balancer } from './balancer.js';
import type { TrafficPlan } from './traffic-plan.js';
import { answerAs, endpoint } from './traffic.testing.js';

const EMPTY: TrafficPlan = { services: [], health: [], nodes: [] };
const place = { host: '127.251.0.7', port: 80 };
const both = [endpoint('a'), endpoint('b')];
const service = { place, name: 'n/s:', endpoints: both, isLocal: false, affinity: undefined };

/** A balancer on a network in memory, whose ports are the numbers from 1000 on. Endpoints say their names, and then what they hear. */
function balancing() {
  const network = new MemoryNetwork();
  const reports: string[] = [];
  const clock = new VirtualClock(Date.UTC(2027, 0, 4));
  const connectTo = ({ host = '' }: TcpNetConnectOpts): Duplex => {
    const [near, far] = duplexPair();
    if (host === 'gone') near.destroy(new Error('refused'));
    else answerAs(host, far);
    return near;
  };
  const { createServer } = network;
  const balancer = new Balancer({ clock, report: (error) => reports.push(String(error)), createServer, connectTo });
  const ask = async (port: number): Promise<string> => {
    const socket = network.connect(port);
    socket.end('hi');
    return text(socket);
  };
  const get = async (port: number, path: string) => {
    const agent = new (class extends Agent {
      override createConnection(): Duplex {
        return network.connect(port);
      }
    })();
    return new Promise<readonly [number | undefined, string]>((resolve, reject) => {
      request({ path, agent }, (answer) => {
        text(answer).then((body) => resolve([answer.statusCode, body]), reject);
      })
        .on('error', reject)
        .end();
    });
  };
  return { balancer, network, reports, ask, get, [Symbol.dispose]: () => balancer.close() };
}

describe('a balancer', () => {
  it('passes connections on to endpoints in turn, as its plan says', async () => {
    using given = balancing();
    await given.balancer.serve({ ...EMPTY, services: [service] });
    assert.deepEqual([await given.ask(1000), await given.ask(1000)], ['a hi', 'b hi']);
    await given.balancer.serve({ ...EMPTY, services: [{ ...service, endpoints: both.slice(1) }] });
    assert.deepEqual([await given.ask(1000), await given.ask(1000)], ['b hi', 'b hi']);
    assert.deepEqual(given.network.ports, [1000]);
    await given.balancer.serve(EMPTY);
    assert.deepEqual([given.network.ports, given.reports], [[], []]);
  });

  it('closes connections that no endpoint takes', async () => {
    using given = balancing();
    await given.balancer.serve({ ...EMPTY, services: [{ ...service, endpoints: [] }] });
    await assert.rejects(given.ask(1000));
    await given.balancer.serve({ ...EMPTY, services: [{ ...service, endpoints: [endpoint('gone')] }] });
    await assert.rejects(given.ask(1000));
  });

  it('keeps open connections when their service is deleted, and ends them when it closes', async () => {
    const given = balancing();
    await given.balancer.serve({ ...EMPTY, services: [service] });
    const [kept, ended] = [given.network.connect(1000), given.network.connect(1000)];
    await given.balancer.serve(EMPTY);
    kept.end('hi');
    assert.equal(await text(kept), 'a hi');
    given.balancer.close();
    await assert.rejects(text(ended));
  });

  it('says which nodes are healthy, for services and separately', async () => {
    using given = balancing();
    const health = [{ place: { host: 'x', port: 1 }, namespace: 'n', name: 's', endpoints: 0 }];
    const nodes = [{ place: { host: 'x', port: 2 }, isEligible: true }];
    await given.balancer.serve({ ...EMPTY, health, nodes });
    assert.deepEqual((await given.get(1000, '/healthz?verbose'))[0], 200);
    assert.deepEqual(await given.get(1000, '/other'), [404, '404 page not found\n']);
    const [code, body] = await given.get(1001, '/any');
    assert.equal(code, 503);
    assert.match(body, /"localEndpoints": 0/);
  });

  it('reports once a port that is taken, and tries again with each plan', async () => {
    using given = balancing();
    given.network.problem = new Error('EADDRINUSE');
    await given.balancer.serve({ ...EMPTY, services: [service] });
    await given.balancer.serve({ ...EMPTY, services: [service] });
    assert.deepEqual(given.reports, ['Error: EADDRINUSE']);
    given.network.problem = undefined;
    await given.balancer.serve({ ...EMPTY, services: [service] });
    assert.equal(await given.ask(1002), 'a hi');
  });
});
