import { dropDuplicateOwners } from '../admission/index.js';
import { negotiateRepresentation } from '../answers/index.js';
import type { RequestContext } from '../http/index.js';
import { parseUpdateOptions } from '../request/index.js';
import { deepCopy } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { pause } from '../slices/index.js';
import { readObject } from './body.js';
import type { KindLookup } from './wrong-kind.js';
import type { ResourceEndpoint, View } from './endpoint.js';
import { respondObject } from './representation.js';
import { acceptUpdate, admissionRun, checkName, creatingAdmission, writeScope } from './write-support.js';

/** PUT of one object: whole replacement. */
export async function updateObject(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  view: View,
  kindExists: KindLookup,
): Promise<void> {
  const representation = negotiateRepresentation(context, view.codec);
  const options = parseUpdateOptions(context.query);
  const sent = await readObject(context, view.codec, options.fieldValidation, kindExists);
  checkName(context, sent);
  dropDuplicateOwners(sent.metadata, (text) => context.warn(text), 'before admission');
  const { uid } = sent.metadata;
  const result = await endpoint.store.update(
    writeScope(context, options.dryRun),
    {
      name: context.info.name,
      ...(uid === undefined || uid === '' ? {} : { preconditions: { uid } }),
      ...(view.strategy === undefined ? {} : { strategy: view.strategy }),
      transform: async (current) => {
        const replacement = deepCopy(asJson(sent)) as unknown as KubernetesObject;
        await pause();
        return acceptUpdate(context, endpoint, view, options, replacement, current);
      },
    },
    creatingAdmission(context, admissionRun(context, endpoint, view, options.dryRun)),
  );
  await respondObject(context, endpoint, view, representation, result.created ? 201 : 200, result.stored);
}
