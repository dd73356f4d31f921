import { stringifyJson } from '@binnacle/apimachinery/json';
import { internalError, quoteGo } from '@binnacle/apimachinery/status';
import { WorkBudget } from '@binnacle/apimachinery/work';
import { type AdmissionPlugin, InvocationRounds, replaceObject, RequestObjects } from '../admission/index.js';
import { WebhookCallError } from '../webhooks/index.js';
import { isExempt } from './configured-webhook.js';
import { patched, readPatch } from './patch-answer.js';
import { JSON_PATCH, type Verdict } from './review-answer.js';
import { FailedCall, IGNORED, type WebhookCalls, type WebhookRequest } from './webhook-call.js';
import type { WebhookSource } from './webhook-source.js';

const ANNOTATION = 'webhook.admission.k8s.io';

/**
 * Calls all mutating webhooks of a request one after the other, each with the changes of those before. Upstream:
 * apiserver `plugin/webhook/mutating`.
 */
export function mutatingWebhooks(source: WebhookSource, calls: WebhookCalls): AdmissionPlugin {
  const plugin: AdmissionPlugin = {
    name: 'MutatingAdmissionWebhook',
    handles: () => true,
    async admit(attributes) {
      if (isExempt(attributes)) return;
      const webhooks = await source.webhooks();
      if (webhooks.length === 0) return;
      const rounds = attributes.reinvocation.stateOf(plugin, () => new InvocationRounds());
      rounds.begin(attributes);
      const objects = new RequestObjects(attributes);
      for (const [index, webhook] of webhooks.entries()) {
        const seen = await source.match(webhook, attributes, objects);
        if (seen === undefined || !rounds.includes(webhook.id, attributes)) continue;
        const request = { webhook, attributes, seen, objects: await objects.encoded(seen.kind) };
        const place = `round_${attributes.reinvocation.isSecondRound ? '1' : '0'}_index_${index}`;
        let changed: boolean | typeof IGNORED = false;
        try {
          changed = await calls.call(request, (verdict) => changedBy(verdict, request, objects, place));
        } finally {
          // The audit event records a failed call too.
          const annotation = { configuration: webhook.configuration, webhook: webhook.name, mutated: changed === true };
          attributes.annotate(`mutation.${ANNOTATION}/${place}`, stringifyJson(annotation));
        }
        if (changed === IGNORED) attributes.annotate(`failed-open.mutation.${ANNOTATION}/${place}`, webhook.name);
        rounds.called(webhook.id, { changed: changed === true, again: webhook.isReinvoked }, attributes);
      }
      rounds.end(attributes);
    },
    ordersDeletes: (attributes) => source.maySee(attributes),
  };
  return plugin;
}

/** Applies the patch of a webhook to the object of the request, and returns whether that has changed it. */
async function changedBy(
  verdict: Verdict,
  request: WebhookRequest,
  objects: RequestObjects,
  place: string,
): Promise<boolean> {
  const { webhook, attributes } = request;
  const { configuration, name } = webhook;
  const patch = await operationsOf(verdict, webhook.name);
  const mutated = patch.length > 0 && (await applyPatch(patch, verdict.patchType, request, objects));
  if (patch.length > 0) {
    const shown = stringifyJson({ configuration, webhook: name, patch: [...patch], patchType: JSON_PATCH });
    attributes.annotate(`patch.${ANNOTATION}/${place}`, shown, 'Request');
  }
  return mutated;
}

async function operationsOf({ patch }: Verdict, webhook: string) {
  if (patch.length === 0) return [];
  try {
    return await readPatch(patch);
  } catch (error) {
    throw error instanceof WebhookCallError ? new FailedCall(webhook, error.message) : error;
  }
}

async function applyPatch(
  patch: Awaited<ReturnType<typeof readPatch>>,
  type: string,
  { webhook, attributes, seen, objects: { object: before } }: WebhookRequest,
  objects: RequestObjects,
): Promise<boolean> {
  const { object, versions } = attributes;
  if (object === undefined || before === undefined) {
    const what = 'attempted to modify the object, which is not supported for this operation';
    throw internalError(`admission webhook ${quoteGo(webhook.name)} ${what}`);
  }
  if (type !== JSON_PATCH) throw new FailedCall(webhook.name, `unsupported patch type ${quoteGo(type)}`);
  const document = await patched((await objects.document(seen.kind)) ?? {}, patch, new WorkBudget());
  replaceObject(object, await versions.decode(document, seen.kind, object));
  objects.changed();
  const { object: after } = await objects.encoded(seen.kind);
  return after === undefined || Buffer.compare(after, before) !== 0;
}
