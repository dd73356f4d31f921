import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { eventually } from '@binnacle/client/testing';

/** A program that was just started listens soon. */
const SOON = { timeout: 20_000 };

/** Forwards connections to a port of this machine, as a proxy of a node does for a Service. */
export class Forwarder {
  #portOf;
  #servers = [];
  #sockets = new Set();

  /** `portOf` is asked at each connection. */
  constructor(portOf) {
    this.#portOf = portOf;
  }

  async listen(host, port) {
    const server = createServer((socket) => void this.#forward(socket)).listen(port, host);
    this.#servers.push(server);
    await once(server, 'listening');
  }

  async close() {
    const closed = this.#servers.map((server) => once(server, 'close'));
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }

  async #forward(client) {
    this.#keep(client);
    try {
      const target = await eventually(() => this.#connected(), SOON);
      client.pipe(target).pipe(client);
      client.once('close', () => target.destroy());
      target.once('close', () => client.destroy());
    } catch {
      client.destroy();
    }
  }

  async #connected() {
    const socket = connect(this.#portOf(), '127.0.0.1');
    this.#keep(socket);
    await once(socket, 'connect');
    return socket;
  }

  #keep(socket) {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
