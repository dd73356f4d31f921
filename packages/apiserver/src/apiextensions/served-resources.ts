import type { CustomResourceDefinition } from '@binnacle/api/types/apiextensions-v1';
import type { RuleCompiler } from '@binnacle/apimachinery/structural';
import { finish } from '@binnacle/apimachinery/work';
import { inSlices } from '../slices/index.js';
import type { CustomResource, CustomResourceOptions } from './custom-resource.js';
import { wholeDefinition } from './definitions.js';
import type * as machinery from './machinery.js';
import type { ServedDefinition } from './served-definition.js';
import { type CurrentDefinitions, forbidCreates } from './terminating-definition.js';
import type { VersionSchemas } from './version-backing.js';

export interface ServedResourcesOptions extends Omit<CustomResourceOptions, 'rules'> {
  /** Loads the compiler of schema rules, with the first definition. Absent: rules are not evaluated. */
  readonly loadRules?: () => Promise<RuleCompiler>;
}

/** How long requests in progress may keep reading the objects of a changed definition. */
const RETIREMENT_MS = 1000;

interface Serving {
  readonly identity: string;
  readonly resource: CustomResource;
}

interface Opening {
  readonly identity: string;
  readonly done: Promise<void>;
}

/** The custom resources that clients use. Each is made for one state of its definition, and retires when that changes. */
export class ServedResources {
  readonly #options: ServedResourcesOptions;
  readonly #current: CurrentDefinitions;
  readonly #serving = new Map<string, Serving>();
  /** Definitions whose schemas are being compiled, by name. */
  readonly #opening = new Map<string, Opening>();
  readonly #retiring = new Set<CustomResource>();
  #machinery: typeof machinery | undefined;
  #rules: RuleCompiler | undefined;

  constructor(options: ServedResourcesOptions, current: CurrentDefinitions) {
    this.#options = options;
    this.#current = current;
  }

  /** Loads what serves definitions. Call it before the first definition is known. */
  async prepare(): Promise<void> {
    this.#machinery ??= await import('./machinery.js');
    this.#rules ??= await this.#options.loadRules?.();
  }

  /** Throws before {@link prepare}. */
  get machinery(): typeof machinery {
    if (this.#machinery === undefined) throw new Error('a definition is served before it is known');
    return this.#machinery;
  }

  /**
   * Compiles the schemas of a definition, in slices if they are large. Settles when they are compiled, for this state of the
   * definition. Undefined: {@link of} is fast.
   */
  open(definition: ServedDefinition): Promise<void> | undefined {
    if (this.#servingOf(definition) !== undefined) return undefined;
    const { name, identity } = definition;
    const opening = this.#opening.get(name);
    if (opening?.identity === identity) return opening.done;
    const whole = wholeDefinition(definition);
    const schemas = inSlices(this.machinery.compileVersions(whole));
    if (!(schemas instanceof Promise)) {
      this.#serve(definition, whole, schemas);
      return undefined;
    }
    const done = this.#serveCompiled(definition, whole, schemas);
    this.#opening.set(name, { identity, done });
    return done;
  }

  /** The resource of a definition. Compiles its schemas at once if no one has. */
  of(definition: ServedDefinition): CustomResource {
    const serving = this.#servingOf(definition);
    if (serving !== undefined) return serving;
    const whole = wholeDefinition(definition);
    return this.#serve(definition, whole, finish(this.machinery.compileVersions(whole)));
  }

  /** The resource with the name of a definition, if it is in use. */
  inUse(name: string): CustomResource | undefined {
    return this.#serving.get(name)?.resource;
  }

  /** Retires the resource if the definition is gone or has another identity. */
  changed(name: string, after: ServedDefinition | undefined): void {
    if (after === undefined || this.#serving.get(name)?.identity !== after.identity) this.#retire(name);
  }

  stop(): void {
    for (const { resource } of this.#serving.values()) resource.stop();
    for (const resource of this.#retiring) resource.stop();
  }

  #servingOf({ name, identity }: ServedDefinition): CustomResource | undefined {
    const serving = this.#serving.get(name);
    return serving?.identity === identity ? serving.resource : undefined;
  }

  /** Serves the definition unless it has changed while it was compiled. */
  async #serveCompiled(
    definition: ServedDefinition,
    whole: CustomResourceDefinition,
    schemas: Promise<VersionSchemas>,
  ): Promise<void> {
    const { name, identity } = definition;
    try {
      const compiled = await schemas;
      if (this.#current.known(name)?.identity !== identity || this.#servingOf(definition) !== undefined) return;
      this.#serve(definition, whole, compiled);
    } finally {
      if (this.#opening.get(name)?.identity === identity) this.#opening.delete(name);
    }
  }

  #serve(definition: ServedDefinition, whole: CustomResourceDefinition, schemas: VersionSchemas): CustomResource {
    const { name, identity } = definition;
    this.#retire(name);
    const plugins = [forbidCreates(definition, this.#current), ...this.#options.plugins];
    const options = { ...this.#options, plugins, rules: this.#rules };
    const resource = new this.machinery.CustomResource(whole, schemas, options);
    this.#serving.set(name, { identity, resource });
    return resource;
  }

  /** No new request uses it; requests in progress may finish. */
  #retire(name: string): void {
    const resource = this.#serving.get(name)?.resource;
    if (resource === undefined) return;
    this.#serving.delete(name);
    this.#retiring.add(resource);
    const { clock } = this.#options;
    const retire = (): void => {
      this.#retiring.delete(resource);
      resource.stop();
    };
    clock.setTimer(retire, RETIREMENT_MS).unref();
  }
}
