import type { Clock } from '@binnacle/apimachinery/clock';
import { type Convert, managerOf, trackUpdateInSteps } from '@binnacle/apimachinery/managedfields';
import type { KubernetesObject, ManagedFieldsEntry } from '@binnacle/apimachinery/meta';
import { formatTime } from '@binnacle/apimachinery/time';
import { type RequestContext, userAgentOf, type WriteOptions } from '../request/index.js';
import { inSlices, stage } from '../slices/index.js';
import type { View } from './endpoint.js';

/** The parts of a write that decide which fields its manager sets. */
export interface ManagedWrite {
  readonly context: RequestContext;
  readonly endpoint: { readonly clock: Pick<Clock, 'now'> };
  readonly view: Pick<View, 'codec' | 'subresource' | 'resetFields' | 'settableFields'> &
    Partial<Pick<View, 'converting' | 'isStoredForm'>>;
  readonly options: Pick<WriteOptions, 'fieldManager'>;
}

/**
 * Records in metadata.managedFields which manager set which fields. `live` is the object before the write, in the
 * view's version; undefined on a create.
 */
export async function recordManager(
  { context, endpoint, view, options }: ManagedWrite,
  live: Readonly<KubernetesObject> | undefined,
  object: KubernetesObject,
): Promise<void> {
  const now = formatTime(endpoint.clock.now());
  // The manager owns fields that a conversion fills in. Custom resources pass unconverted.
  const isConverted = view.isStoredForm !== true && view.codec.untyped !== true;
  const track = (convert?: Convert) => {
    const converted = isConverted ? convert?.(object, view.codec.apiVersion) : undefined;
    const steps = trackUpdateInSteps({
      live,
      updated: converted?.object ?? object,
      schema: view.codec.schema,
      apiVersion: view.codec.apiVersion,
      manager: managerOf(options.fieldManager, userAgentOf(context.exchange)),
      subresource: view.subresource,
      now,
      resetFields: view.resetFields,
      settableFields: view.settableFields,
      convert,
      budget: context.budget,
    });
    return inSlices(steps);
  };
  setManagers(object, await (view.converting === undefined ? track() : view.converting(track)));
  await stage();
}

export function setManagers(object: KubernetesObject, entries: ManagedFieldsEntry[] | undefined): void {
  if (entries === undefined || entries.length === 0) delete object.metadata.managedFields;
  else object.metadata.managedFields = entries;
}
