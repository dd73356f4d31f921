import { createServer as createHttpServer, type Server } from 'node:http';
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '@binnacle/apimachinery/clock';
import { EndpointChoice } from './endpoint-choice.js';
import { nodeHealthAnswer, sendHealth, serviceHealthAnswer } from './health-answers.js';
import { type CreateServer, LocalPorts } from './local-ports.js';
import { type NodeHealth, placeName, type ServiceHealth, type ServicePort, type TrafficPlan } from './traffic-plan.js';

export interface BalancerParts {
  readonly clock: Clock;
  /** Called when a port cannot be listened on. */
  readonly report: (error: unknown) => void;
  /** Default: servers of this machine. */
  readonly createServer?: CreateServer;
  /** Connects to endpoints. Default: over the network of this machine. */
  readonly connectTo?: (options: TcpNetConnectOpts) => Duplex;
}

/** Answers on the ports of a plan: passes connections on to endpoints, and says which nodes are healthy. */
export class Balancer {
  readonly #parts: BalancerParts;
  readonly #ports: LocalPorts;
  readonly #http: Server;
  /** The name of the port at which a connection of the HTTP server arrived. */
  readonly #asked = new WeakMap<Duplex, string>();
  readonly #choices = new Map<string, EndpointChoice>();
  #services = new Map<string, ServicePort>();
  #health = new Map<string, ServiceHealth>();
  #nodes = new Map<string, NodeHealth>();

  constructor(parts: BalancerParts) {
    this.#parts = parts;
    const { createServer, report } = parts;
    this.#ports = new LocalPorts({ createServer, report, onConnection: (name, socket) => this.#accept(name, socket) });
    this.#http = createHttpServer({ keepAlive: false }, (request, response) => {
      const name = this.#asked.get(request.socket) ?? '';
      const [service, node] = [this.#health.get(name), this.#nodes.get(name)];
      const [path = ''] = (request.url ?? '').split('?');
      const answer = service === undefined ? undefined : serviceHealthAnswer(service);
      sendHealth(request, response, answer ?? (node && nodeHealthAnswer(path, node, parts.clock.now())));
    });
    // Node.js starts to check the times of requests when a server listens.
    this.#http.emit('listening');
  }

  /** Follows a plan. Connections to endpoints that are gone continue. Resolves when each port listens or has failed. */
  async serve({ services, health, nodes }: TrafficPlan): Promise<void> {
    this.#nodes = byPlace(nodes);
    this.#health = byPlace(health);
    this.#services = byPlace(services);
    const names = new Set(services.map(({ name }) => name));
    for (const name of this.#choices.keys()) if (!names.has(name)) this.#choices.delete(name);
    const all = [...nodes, ...health, ...services];
    await this.#ports.listen(new Map(all.map(({ place }) => [placeName(place), place])));
  }

  /** Ends all connections. */
  close(): void {
    this.#ports.close();
    this.#http.close();
  }

  #accept(name: string, socket: Socket): void {
    const port = this.#services.get(name);
    if (port !== undefined) return this.#pass(socket, port);
    this.#asked.set(socket, name);
    this.#http.emit('connection', socket);
  }

  #pass(client: Socket, port: ServicePort): void {
    const { clock, connectTo = connect } = this.#parts;
    const choice = this.#choices.get(port.name) ?? new EndpointChoice();
    this.#choices.set(port.name, choice);
    const endpoint = choice.next(port, client.remoteAddress ?? '', clock.monotonic());
    if (endpoint === undefined) {
      client.destroy();
      return;
    }
    const { host, port: number } = endpoint;
    const backend = connectTo({ host, port: number, allowHalfOpen: true, noDelay: true });
    backend.on('error', () => client.destroy());
    client.once('close', () => backend.destroy());
    client.pipe(backend).pipe(client);
  }
}

const byPlace = <T extends { readonly place: { readonly host: string; readonly port: number } }>(
  ports: readonly T[],
): Map<string, T> => new Map(ports.map((port) => [placeName(port.place), port]));
