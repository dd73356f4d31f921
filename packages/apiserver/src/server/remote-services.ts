import { LongAnswers, RemoteService, type RemoteServiceConfig, type RetryOptions } from '../webhooks/index.js';
import type { ServerConfig } from './config.js';

/** The largest answer of a configured service: reviews are small. */
const ANSWER_BYTES = 1024 * 1024;

/** Opens the services that the administrator has configured, and closes them with the server. */
export class RemoteServices {
  readonly #config: Pick<ServerConfig, 'clock' | 'random' | 'egress'>;
  readonly #longAnswers = new LongAnswers();
  readonly #open = new Set<RemoteService>();

  constructor(config: Pick<ServerConfig, 'clock' | 'random' | 'egress'>) {
    this.#config = config;
  }

  open(address: RemoteServiceConfig, retry?: RetryOptions): RemoteService {
    const { clock, random, egress } = this.#config;
    const limits = { maximumAnswerBytes: ANSWER_BYTES, longAnswers: this.#longAnswers };
    const service = new RemoteService(address, { clock, random, egress, retry, ...limits });
    this.#open.add(service);
    return service;
  }

  /** Closes the connections of a service after its calls in progress. */
  release(service: RemoteService): void {
    service.close();
    this.#open.delete(service);
  }

  /** Closes the connections of all services after the calls in progress. */
  close(): void {
    for (const service of this.#open) service.close();
    this.#open.clear();
  }
}
