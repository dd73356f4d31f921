import type { Clock } from '@binnacle/apimachinery/clock';
import { WorkQueue } from '../loops/index.js';
import { type DesiredService, registrationStep } from './auto-registration.js';
import { customService } from './own-services.js';
import { type RegisteredService, serviceName } from './registered-service.js';
import type { ServiceWriter } from './service-writer.js';

/** A definition of custom resources, as far as its APIServices depend on it. */
export interface ServingDefinition {
  readonly group: string;
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

export interface CustomDefinitions {
  readonly definitions: readonly ServingDefinition[];
  /** Calls the listener with each definition before and after a change. */
  subscribe(listener: (definitions: readonly ServingDefinition[]) => void): void;
}

export interface RegistrationLoopOptions {
  /** The APIServices of the built-in groups. */
  readonly desired: readonly DesiredService[];
  readonly custom: CustomDefinitions | undefined;
  readonly writer: Pick<ServiceWriter, 'create' | 'correct' | 'delete'>;
  readonly find: (name: string) => RegisteredService | undefined;
  readonly all: () => Iterable<RegisteredService>;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/** Keeps the APIServices of the groups that this server serves itself. */
export class RegistrationLoop {
  readonly #options: RegistrationLoopOptions;
  readonly #queue: WorkQueue;
  readonly #builtIn: ReadonlyMap<string, DesiredService>;
  readonly #synced = new Set<string>();
  #atStart: ReadonlySet<string> = new Set();
  #isStarted = false;

  constructor(options: RegistrationLoopOptions) {
    const { desired, clock, report } = options;
    this.#options = options;
    this.#builtIn = new Map(desired.map((each) => [serviceName(each), each]));
    this.#queue = new WorkQueue({ work: (name) => this.#reconcile(name), report, clock });
  }

  /** Call it once the stored APIServices and definitions are known. */
  start(): void {
    this.#isStarted = true;
    this.#atStart = new Set(Array.from(this.#options.all(), ({ name }) => name));
    const { custom } = this.#options;
    for (const name of [...this.#builtIn.keys(), ...this.#atStart]) this.#queue.add(name);
    if (custom === undefined) return;
    this.#enqueue(custom.definitions);
    custom.subscribe((definitions) => this.#enqueue(definitions));
  }

  /** An APIService has changed or is gone. */
  changed(name: string): void {
    if (this.#isStarted) this.#queue.add(name);
  }

  stop(): void {
    this.#queue.stop();
  }

  #enqueue(definitions: readonly ServingDefinition[]): void {
    for (const { group, versions } of definitions) {
      for (const { name: version } of versions) this.#queue.add(serviceName({ group, version }));
    }
  }

  async #reconcile(name: string): Promise<void> {
    const { writer, find } = this.#options;
    const desired = this.#builtIn.get(name) ?? this.#customOf(name);
    const current = find(name);
    const history = { wasSynced: this.#synced.has(name), existedAtStart: this.#atStart.has(name) };
    const step = registrationStep(desired, current, history);
    if (step === 'create' && desired !== undefined) await writer.create(desired);
    if (step === 'update' && desired !== undefined && current !== undefined) await writer.correct(current, desired);
    if (step === 'delete' && current !== undefined) await writer.delete(current);
    this.#synced.add(name);
  }

  #customOf(name: string): DesiredService | undefined {
    const dot = name.indexOf('.');
    const [version, group] = [name.slice(0, dot), name.slice(dot + 1)];
    const isServed = this.#options.custom?.definitions.some(
      (definition) =>
        definition.group === group && definition.versions.some((each) => each.served && each.name === version),
    );
    return isServed === true ? customService(group, version) : undefined;
  }
}
