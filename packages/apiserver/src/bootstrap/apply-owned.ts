import type { JsonObject } from '@binnacle/apimachinery/json';
import { applyInSteps } from '@binnacle/apimachinery/managedfields';
import { formatTime } from '@binnacle/apimachinery/time';
import { type ResourceEndpoint, setManagers } from '../endpoints/index.js';
import { inSlices } from '../slices/index.js';
import { writeOwned } from './write-owned.js';

export interface OwnApply {
  readonly name: string;
  readonly subresource: string;
  readonly manager: string;
  readonly configuration: JsonObject;
}

/** Applies a configuration of the server to an object of a cluster-wide kind, by force. Does nothing to one that is gone. */
export async function applyOwned(
  endpoint: ResourceEndpoint,
  { name, subresource, manager, configuration }: OwnApply,
): Promise<void> {
  await writeOwned(endpoint, { namespace: '', name, subresource }, async (current, view) => {
    const { codec, resetFields } = view;
    const live = view.before(current);
    const applied = await view.converting((convert) => {
      const { groupVersionKind: kind, schema } = codec;
      const now = formatTime(endpoint.clock.now());
      const common = { live, configuration, kind, schema, manager, subresource, force: true, now };
      return inSlices(applyInSteps({ ...common, resetFields, convert }));
    });
    if (applied.document === undefined) return current;
    const { object } = codec.decode(applied.document);
    codec.applyDefaults(object);
    setManagers(object, applied.managedFields);
    return view.accept(object, current);
  });
}
