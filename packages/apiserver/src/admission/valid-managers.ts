import { decodeManagers, ManagedFieldsError, PathElementError } from '@binnacle/apimachinery/managedfields';
import type { ManagedFieldsEntry, ObjectMeta } from '@binnacle/apimachinery/meta';
import { inSlices } from '../slices/index.js';

/**
 * Sets managers back to those before admission, and warns, if plugins have made them invalid. Upstream: apiserver
 * `handlers/fieldmanager/admission.go`.
 */
export async function keepValidManagers(
  metadata: ObjectMeta,
  before: ManagedFieldsEntry[] | undefined,
  warn: (text: string) => void,
): Promise<void> {
  const { managedFields: after } = metadata;
  if (after === before) return;
  try {
    await inSlices(decodeManagers(after));
  } catch (error) {
    if (!(error instanceof ManagedFieldsError || error instanceof PathElementError)) throw error;
    if (before === undefined) delete metadata.managedFields;
    else metadata.managedFields = before;
    warn(
      '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating ' +
        `admission controller; please fix your requests: ${error.message}`,
    );
  }
}
