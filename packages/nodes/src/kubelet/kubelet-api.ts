import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { podUsage, resourceMetrics, statsSummary } from '../usage/index.js';
import { admit, Refusal } from './admit.js';
import { answerText, refuseUpgrade } from './answer.js';
import { answerLogs } from './container-logs.js';
import { ContainerStates } from './container-states.js';
import type { KubeletApiParts } from './kubelet-api-parts.js';
import { type PodSource, podsOfNodes } from './pod-source.js';
import { type Route, routeOf } from './routes.js';
import { serveStreams } from './streams.js';

/** The HTTP API of the kubelets of simulated nodes and process nodes. Upstream: kubelet `pkg/kubelet/server`. */
export class KubeletApi {
  readonly #parts: KubeletApiParts;
  readonly #states: ContainerStates;

  constructor(parts: KubeletApiParts) {
    this.#parts = parts;
    this.#states = new ContainerStates(parts.networkOf);
  }

  /** Answers a request. Does not reject. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const admitted = await this.#admitted(request);
      if (request.method !== 'GET') throw new Refusal(405, 'Method Not Allowed');
      await this.#page(admitted, response);
    } catch (error) {
      const { code, message } = this.#refusalOf(error);
      if (response.headersSent) response.destroy();
      else answerText(response, code, message);
    }
  }

  /** Answers a request to upgrade its connection. Does not reject. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    try {
      const { url, route, pods } = await this.#admitted(request);
      if (route.kind !== 'exec' && route.kind !== 'attach' && route.kind !== 'portForward') {
        throw new Refusal(400, 'the page does not upgrade connections');
      }
      await serveStreams(
        { request, socket, head, route, query: url.searchParams },
        { ...this.#parts, pods, states: this.#states },
      );
    } catch (error) {
      const { code, message } = this.#refusalOf(error);
      refuseUpgrade(socket, code, message);
    }
  }

  async #admitted(request: IncomingMessage): Promise<Admitted> {
    const { url: target = '/' } = request;
    if (!URL.canParse(target, ORIGIN)) throw new Refusal(400, 'Bad Request');
    const url = new URL(target, ORIGIN);
    const nodes = this.#parts.nodesAt(request.socket.localPort ?? 0);
    const node = nodes.length === 1 ? nodes[0] : undefined;
    await admit(request, { path: url.pathname, node: node ?? '' }, this.#parts);
    const route = routeOf(url.pathname);
    if (route === undefined) throw new Refusal(404, '404: Page Not Found');
    return { url, route, node, pods: podsOfNodes(this.#parts.pods, nodes) };
  }

  async #page({ url, route, node, pods }: Admitted, response: ServerResponse): Promise<void> {
    const { clock } = this.#parts;
    const now = clock.now();
    switch (route.kind) {
      case 'healthz':
        return answerText(response, 200, 'ok');
      case 'pods':
        return answerJson(response, { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: this.#podsOf(node) });
      case 'stats':
        return answerJson(response, statsSummary(node ?? '', this.#usageOf(node, now), now));
      case 'resourceMetrics':
        return answerText(response, 200, resourceMetrics(this.#usageOf(node, now), now), METRICS);
      case 'logs':
        return answerLogs({ ...route, query: url.searchParams }, response, { ...this.#parts, pods });
      default:
        throw new Refusal(400, 'Upgrade request required');
    }
  }

  #usageOf(node: string | undefined, now: number) {
    // Nothing measures what processes use.
    const simulated = this.#podsOf(node).filter((pod) => this.#parts.processes?.has(pod) !== true);
    return simulated.map((pod) => podUsage(pod, now));
  }

  #podsOf(node: string | undefined) {
    if (node === undefined)
      throw new Refusal(404, 'several simulated nodes share this port, and pages about a node are not served');
    return this.#parts.pods.ofNode(node);
  }

  #refusalOf(error: unknown): Pick<Refusal, 'code' | 'message'> {
    if (error instanceof Refusal) return error;
    if (!this.#parts.signal.aborted) this.#parts.report(error);
    return { code: 500, message: 'Internal Server Error' };
  }
}

interface Admitted {
  readonly url: URL;
  readonly route: Route;
  /** Undefined where several nodes listen on one port. */
  readonly node: string | undefined;
  /** Those of the nodes that listen on the port. */
  readonly pods: PodSource;
}

const ORIGIN = 'https://kubelet';
const METRICS = 'text/plain; version=0.0.4; charset=utf-8';

function answerJson(response: ServerResponse, value: object): void {
  answerText(response, 200, JSON.stringify(value), 'application/json');
}
