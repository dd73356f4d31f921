import type { Clock } from '@binnacle/apimachinery/clock';
import type { ResourceEndpoint } from '../endpoints/index.js';
import { WorkQueue } from '../loops/index.js';
import { CUSTOM_RESOURCE_CLEANUP, setCondition } from '../resources/index.js';
import { deleteInstances, overlapsBuiltIn } from './cleanup.js';
import { writeStatus } from './definition-writer.js';
import type { Definitions } from './definitions.js';
import { type NamesInUse, namesInUse } from './naming.js';
import type { ServedDefinition } from './served-definition.js';
import type { ServedResources } from './served-resources.js';

export interface DefinitionControllerParts {
  readonly definitions: Definitions;
  /** The endpoint of the definitions. */
  readonly endpoint: ResourceEndpoint;
  readonly resources: Pick<ServedResources, 'of' | 'machinery'>;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/** How often to look for objects that delay the deletion of their definition. */
const CLEANUP_RETRY_MS = 1000;

/**
 * Maintains the status of definitions, and deletes the objects of a definition that is being deleted. Upstream: apiextensions
 * `pkg/controller/status`, `establish`, `finalizer`.
 */
export class DefinitionController {
  readonly #parts: DefinitionControllerParts;
  readonly #queue: WorkQueue;

  constructor(parts: DefinitionControllerParts) {
    this.#parts = parts;
    const { report, clock } = parts;
    this.#queue = new WorkQueue({ work: (name) => this.#reconcile(name), report, clock });
  }

  /** Requests a reconcile of the definition with this name. */
  add(name: string): void {
    this.#queue.add(name);
  }

  stop(): void {
    this.#queue.stop();
  }

  async #reconcile(name: string): Promise<void> {
    const definition = this.#parts.definitions.get(name);
    if (definition === undefined) {
      this.#requeueWaiting(name.slice(name.indexOf('.') + 1));
      return;
    }
    if (definition.cleanup) {
      await this.#cleanUp(definition);
      return;
    }
    const { endpoint, clock, resources } = this.#parts;
    const { updateStatus } = resources.machinery;
    const inUse = this.#namesInUse(definition);
    const before = JSON.stringify(definition.acceptedNames);
    await writeStatus(endpoint, name, definition.uid, (current) => updateStatus(current, inUse, clock.now()));
    if (JSON.stringify(this.#parts.definitions.get(name)?.acceptedNames) !== before) {
      this.#requeueWaiting(definition.group, name);
    }
  }

  /** Names of the group have become free, for which other definitions may wait. */
  #requeueWaiting(group: string, except?: string): void {
    for (const { name, namesAccepted } of this.#parts.definitions.inGroup(group)) {
      if (!namesAccepted && name !== except) this.#queue.add(name);
    }
  }

  #namesInUse({ group }: ServedDefinition): NamesInUse {
    return namesInUse(this.#parts.definitions.inGroup(group).map(({ acceptedNames }) => acceptedNames));
  }

  /** Deletes the objects. When none is left, the definition itself can be deleted. */
  async #cleanUp(definition: ServedDefinition): Promise<void> {
    const { endpoint, clock } = this.#parts;
    const { name, uid } = definition;
    const overlaps = overlapsBuiltIn({ group: definition.group, resource: definition.plural });
    const held = definition.established && !overlaps ? await this.#deleteInstances(definition) : 0;
    if (held > 0) {
      await writeStatus(endpoint, name, uid, (current) => {
        const condition = { reason: 'InstanceDeletionInProgress', message: 'CustomResource deletion is in progress' };
        setCondition(current, { type: 'Terminating', status: 'True', ...condition }, clock.now());
      });
      this.#queue.addAfter(name, CLEANUP_RETRY_MS);
      return;
    }
    await writeStatus(endpoint, name, uid, (current) => {
      setCondition(current, { type: 'Terminating', status: 'False', ...cleanedUp(definition, overlaps) }, clock.now());
      const { metadata } = current;
      const finalizers = metadata?.finalizers?.filter((finalizer) => finalizer !== CUSTOM_RESOURCE_CLEANUP) ?? [];
      if (metadata === undefined) return;
      if (finalizers.length > 0) metadata.finalizers = finalizers;
      else delete metadata.finalizers;
    });
  }

  async #deleteInstances(definition: ServedDefinition): Promise<number> {
    const resource = this.#parts.resources.of(definition);
    const endpoint = resource.endpoints.get(resource.storageVersion);
    return endpoint === undefined ? 0 : deleteInstances(endpoint);
  }
}

/** Why the objects of a definition no longer delay its deletion. */
function cleanedUp({ established }: ServedDefinition, overlaps: boolean): { reason: string; message: string } {
  if (overlaps) {
    return { reason: 'OverlappingBuiltInResource', message: 'instances overlap with built-in resources in storage' };
  }
  return established
    ? { reason: 'InstanceDeletionCompleted', message: 'removed all instances' }
    : { reason: 'NeverEstablished', message: 'resource was never established' };
}
