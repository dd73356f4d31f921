import { formatGroupResource, type GroupResource } from '@binnacle/apimachinery/meta';
import { badRequest } from '@binnacle/apimachinery/status';
import type { FeedGate } from '../cacher/index.js';
import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { Filter, Handler, RequestContext } from '../request/index.js';
import { answerError } from './answer.js';
import { FaultEntry } from './fault-entry.js';
import { faultsHandler } from './endpoint.js';
import { HeldFeed } from './held-feed.js';
import { matchesRequest, matchesResource } from './match.js';
import { OpenWatch } from './open-watch.js';
import { readRule } from './read-rule.js';
import type { Fault, FaultRule } from './rule.js';

/** Limits the rules of a client that adds without removing. Spent rules count too. */
const MAXIMUM_RULES = 1000;

interface Gate {
  readonly resource: GroupResource;
  readonly feed: HeldFeed;
}

/** The active fault rules of one server. Pass it to one server at its start. */
export class Faults {
  readonly #entries = new Map<string, FaultEntry>();
  readonly #watches = new Map<RequestContext, OpenWatch>();
  readonly #gates = new Map<string, Gate>();
  #lastId = 0;

  /** Activates a rule immediately. Throws 400 for an invalid rule. */
  add(rule: FaultRule): Fault {
    const checked = readRule(rule);
    if (this.#entries.size >= MAXIMUM_RULES)
      throw badRequest(`there are ${MAXIMUM_RULES} rules already; remove some first`);
    const entry = new FaultEntry(String(++this.#lastId), checked, (removed) => this.#remove(removed));
    this.#entries.set(entry.id, entry);
    for (const [context, watch] of this.#watches) this.#cut(entry, context, watch);
    this.#updateGates();
    return entry;
  }

  /** All rules that have not been removed, oldest first. */
  list(): readonly Fault[] {
    return [...this.#entries.values()];
  }

  find(id: string): Fault | undefined {
    return this.#entries.get(id);
  }

  /** Removes all rules. */
  clear(): void {
    this.#entries.clear();
    this.#updateGates();
  }

  /** The filter that applies rules to requests. It belongs behind authorization. */
  filter(clock: Clock): Filter {
    return {
      name: 'faults',
      enter: (context) => {
        if (!context.info.isResourceRequest) return undefined;
        const entries = [...this.#entries.values()].filter(({ rule }) => matchesRequest(rule.match ?? {}, context));
        // A refused watch never opens, so it would never be reported closed.
        const open = (): void => (context.info.verb === 'watch' ? this.#openWatch(context) : undefined);
        return entries.length === 0 ? open() : act(entries, context, clock).then(open);
      },
      leave: (context) => {
        this.#watches.delete(context);
      },
    };
  }

  /** The gate between the store's feed and the caches of this resource. */
  feedGate(resource: GroupResource): FeedGate {
    const name = formatGroupResource(resource);
    const known = this.#gates.get(name);
    if (known !== undefined) return known.feed;
    const feed = new HeldFeed(this.#holding(resource).length > 0, (changes) => {
      for (const entry of this.#holding(resource)) entry.count(changes);
    });
    this.#gates.set(name, { resource, feed });
    return feed;
  }

  /** Handles the endpoint of the rules; undefined for any other path. */
  handlerFor(path: string): Handler | undefined {
    return faultsHandler(this, path);
  }

  #remove(entry: FaultEntry): void {
    this.#entries.delete(entry.id);
    this.#updateGates();
  }

  #openWatch(context: RequestContext): void {
    const watch = new OpenWatch();
    this.#watches.set(context, watch);
    context.watchCut = watch;
    for (const entry of this.#entries.values()) this.#cut(entry, context, watch);
  }

  #cut(entry: FaultEntry, context: RequestContext, watch: OpenWatch): void {
    const { match = {}, action } = entry.rule;
    if (action.type !== 'cutWatch' || watch.isScheduled || !matchesRequest(match, context) || !entry.take()) return;
    watch.cut(action.afterEvents ?? 0, action.how ?? 'end');
  }

  #holding(resource: GroupResource): readonly FaultEntry[] {
    return [...this.#entries.values()].filter(
      ({ rule }) => rule.action.type === 'holdCache' && matchesResource(rule.match ?? {}, resource),
    );
  }

  #updateGates(): void {
    for (const { resource, feed } of this.#gates.values()) {
      const held = this.#holding(resource).length > 0;
      if (held !== feed.held) feed.held = held;
    }
  }
}

/** Applies matching rules in order, before the request is executed. */
async function act(entries: readonly FaultEntry[], context: RequestContext, clock: Clock): Promise<void> {
  const { exchange, info } = context;
  for (const entry of entries) {
    const { action } = entry.rule;
    if (action.type === 'cutWatch' || action.type === 'holdCache' || !entry.take()) continue;
    if (action.type === 'answer') throw answerError(action, info);
    if (action.type === 'delay') await sleep(clock, action.milliseconds, exchange.signal);
    else exchange.disconnect();
    exchange.signal.throwIfAborted();
  }
}
