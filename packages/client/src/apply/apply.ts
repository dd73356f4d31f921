import { type Clock, sleep, systemClock } from '@binnacle/apimachinery/clock';
import { getOwn, type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import type { GroupVersionResource } from '@binnacle/apimachinery/meta';
import {
  createThreeWayMergePatch,
  createThreeWayStrategicMergePatch,
  requireMetadataUnchanged,
  requireUnchanged,
  withoutNulls,
} from '@binnacle/apimachinery/patch';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { StatusError } from '@binnacle/apimachinery/status';
import {
  hasLastApplied,
  LAST_APPLIED_ANNOTATION,
  lastApplied,
  metadataOf,
  withLastApplied,
  withMetadata,
} from './last-applied.js';
import type { ApplyPatchType, ApplyTarget, ApplyTransport, WriteQuery } from './transport.js';

export interface ApplyOptions {
  /** The resource that serves the manifest's kind. */
  readonly resource: GroupVersionResource;
  /** The namespace for manifests without one; undefined for cluster-scoped resources. */
  readonly namespace?: string | undefined;
  /** The schema for strategic merge patches; undefined for custom resources, which get JSON merge patches. */
  readonly schema?: StructSchema | undefined;
  /** If false, throws a PatchConflictError when a strategic patch would overwrite another client's change. Default: true. */
  readonly overwrite?: boolean;
  /** Patch only this version of the object. */
  readonly resourceVersion?: string;
  /** Default: `kubectl-client-side-apply`. */
  readonly fieldManager?: string;
  /** Default: Strict. */
  readonly fieldValidation?: WriteQuery['fieldValidation'];
  /** Times the waits between attempts. */
  readonly clock?: Clock;
}

export interface ApplyResult {
  readonly outcome: 'created' | 'configured' | 'unchanged';
  /** The object as the server stores it. */
  readonly object: JsonObject;
  /** The last patch, `{}` if nothing changed; undefined if the object was created. */
  readonly patch: string | undefined;
  /** Warnings in kubectl's words. */
  readonly warnings: readonly string[];
}

const RETRIES = 5;
const BACK_OFF_MILLISECONDS = 1000;

/**
 * Creates the object, or patches it to match the manifest. Throws the server's StatusError, a StatusError or PatchPreconditionError for objects that
 * cannot be patched, a PatchConflictError, and a JsonSyntaxError for an invalid annotation. Upstream: kubectl `pkg/cmd/apply`, without pruning.
 */
export async function applyObject(
  transport: ApplyTransport,
  manifest: JsonObject,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const run = new Run(transport, manifest, options);
  const current = await run.current();
  return current === undefined ? run.create() : run.change(current);
}

class Run {
  readonly #transport: ApplyTransport;
  readonly #options: ApplyOptions;
  readonly #target: ApplyTarget;
  readonly #query: WriteQuery;
  /** The manifest with its last-applied annotation. */
  readonly #modified: JsonObject;

  constructor(transport: ApplyTransport, manifest: JsonObject, options: ApplyOptions) {
    const { name, namespace } = metadataOf(manifest);
    if (typeof name !== 'string' || name === '') throw new TypeError('resource name may not be empty');
    const space = typeof namespace === 'string' && namespace !== '' ? namespace : options.namespace;
    this.#transport = transport;
    this.#options = options;
    this.#target = { resource: options.resource, namespace: space, name };
    this.#query = {
      fieldManager: options.fieldManager ?? 'kubectl-client-side-apply',
      fieldValidation: options.fieldValidation ?? 'Strict',
    };
    this.#modified = withLastApplied(space === undefined ? manifest : withMetadata(manifest, 'namespace', space));
  }

  /** Undefined if the object does not exist. */
  async current(): Promise<JsonObject | undefined> {
    try {
      return await this.#transport.get(this.#target);
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  /** Drops null fields, as a patch would. */
  async create(): Promise<ApplyResult> {
    const body = `${stringifyJson(withoutNulls(this.#modified), { sortKeys: true })}\n`;
    const object = await this.#transport.create(this.#target, body, this.#query);
    return { outcome: 'created', object, patch: undefined, warnings: [] };
  }

  async change(found: JsonObject): Promise<ApplyResult> {
    const { clock = systemClock } = this.#options;
    let current = found;
    for (let retries = 0; ; retries++) {
      const patch = this.#patchFor(current);
      try {
        const object = patch === '{}' ? current : await this.#send(patch);
        const outcome = patch === '{}' ? 'unchanged' : 'configured';
        return { outcome, object, patch, warnings: this.#warnings(found, object) };
      } catch (error) {
        if (retries === RETRIES || !hasReason(error, 'Conflict')) throw error;
      }
      if (retries > 0) await sleep(clock, BACK_OFF_MILLISECONDS);
      current = await this.#transport.get(this.#target);
    }
  }

  #patchFor(current: JsonObject): string {
    const { schema, overwrite, resourceVersion } = this.#options;
    const original = lastApplied(current) ?? {};
    const patch =
      schema === undefined
        ? createThreeWayMergePatch(original, this.#modified, current, SAME_OBJECT)
        : createThreeWayStrategicMergePatch(original, this.#modified, current, schema, {
            overwrite: overwrite ?? true,
          });
    const conditional =
      resourceVersion === undefined || Object.keys(patch).length === 0
        ? patch
        : withMetadata(patch, 'resourceVersion', resourceVersion);
    return stringifyJson(conditional, { sortKeys: true });
  }

  async #send(patch: string): Promise<JsonObject> {
    const type: ApplyPatchType =
      this.#options.schema === undefined ? 'application/merge-patch+json' : 'application/strategic-merge-patch+json';
    return this.#transport.patch(this.#target, type, patch, this.#query);
  }

  #warnings(found: JsonObject, object: JsonObject): string[] {
    const { resource, name } = this.#target;
    const warnings: string[] = [];
    if (!hasLastApplied(found)) {
      warnings.push(
        `resource ${resource.resource}/${name} is missing the ${LAST_APPLIED_ANNOTATION} annotation which is required by kubectl apply. ` +
          'kubectl apply should only be used on resources created declaratively by either kubectl create --save-config ' +
          'or kubectl apply. The missing annotation will be patched automatically.',
      );
    }
    if (getOwn(metadataOf(object), 'deletionTimestamp') !== undefined) {
      warnings.push(`Detected changes to resource ${name} which is currently being deleted.`);
    }
    return warnings;
  }
}

const SAME_OBJECT = [requireUnchanged('apiVersion'), requireUnchanged('kind'), requireMetadataUnchanged('name')];

function hasReason(error: unknown, reason: string): boolean {
  return error instanceof StatusError && error.status.reason === reason;
}
