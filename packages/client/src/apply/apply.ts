import { setTimeout as sleep } from 'node:timers/promises';
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
  /** Where the object is when the manifest does not say; undefined for resources without namespaces. */
  readonly namespace?: string | undefined;
  /** How the type is patched strategically; undefined for custom resources, which take JSON merge patches. */
  readonly schema?: StructSchema | undefined;
  /** False: a PatchConflictError where somebody else has changed what a strategic patch would set. Default true. */
  readonly overwrite?: boolean;
  /** Patch this version of the object and no other. */
  readonly resourceVersion?: string;
  /** Default `kubectl-client-side-apply`. */
  readonly fieldManager?: string;
  /** Default Strict. */
  readonly fieldValidation?: WriteQuery['fieldValidation'];
  /** How to pass time between attempts, milliseconds. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

export interface ApplyResult {
  readonly outcome: 'created' | 'configured' | 'unchanged';
  /** As the server has it. */
  readonly object: JsonObject;
  /** The body of the patch that was sent last, or would have been had it not been empty; undefined when the object was created. */
  readonly patch: string | undefined;
  /** Texts for people, in kubectl's words. */
  readonly warnings: readonly string[];
}

const RETRIES = 5;
const BACK_OFF_MILLISECONDS = 1000;

/**
 * Creates the object, or changes it to what the manifest says. Throws the StatusError of a request that was refused, a StatusError
 * or PatchPreconditionError for what cannot be patched, PatchConflictError, and JsonSyntaxError for an annotation that is no
 * JSON. Upstream: kubectl `pkg/cmd/apply`, without pruning.
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
  /** The manifest with its annotation. */
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

  /** Undefined when there is no such object. */
  async current(): Promise<JsonObject | undefined> {
    try {
      return await this.#transport.get(this.#target);
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  /** Without null fields, as a patch would have dropped them. */
  async create(): Promise<ApplyResult> {
    const body = `${stringifyJson(withoutNulls(this.#modified), { sortKeys: true })}\n`;
    const object = await this.#transport.create(this.#target, body, this.#query);
    return { outcome: 'created', object, patch: undefined, warnings: [] };
  }

  async change(found: JsonObject): Promise<ApplyResult> {
    const { wait = (milliseconds: number) => sleep(milliseconds) } = this.#options;
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
      if (retries > 0) await wait(BACK_OFF_MILLISECONDS);
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
    const fenced =
      resourceVersion === undefined || Object.keys(patch).length === 0
        ? patch
        : withMetadata(patch, 'resourceVersion', resourceVersion);
    return stringifyJson(fenced, { sortKeys: true });
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
