import { type AdmissionPlugin, RequestObjects } from '../admission/index.js';
import { isExempt } from './configured-webhook.js';
import { IGNORED, requestTimedOut, type WebhookCalls, type WebhookRequest } from './webhook-call.js';
import type { WebhookSource } from './webhook-source.js';

/** Asks all validating webhooks of a request side by side. The first in their order that refuses gives the answer. */
export function validatingWebhooks(source: WebhookSource, calls: WebhookCalls): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionWebhook',
    handles: () => true,
    async validate(attributes) {
      if (isExempt(attributes)) return;
      const webhooks = await source.webhooks();
      if (webhooks.length === 0) return;
      const requests: WebhookRequest[] = [];
      const objects = new RequestObjects(attributes);
      for (const webhook of webhooks) {
        const seen = await source.match(webhook, attributes, objects);
        if (seen === undefined) continue;
        requests.push({ webhook, attributes, seen, objects: await objects.encoded(seen.kind) });
      }
      if (requests.length === 0) return;
      if (attributes.signal.aborted) throw requestTimedOut();
      const results = await Promise.allSettled(requests.map((request, index) => ask(calls, request, index)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    ordersDeletes: (attributes) => source.maySee(attributes),
  };
}

async function ask(calls: WebhookCalls, request: WebhookRequest, index: number): Promise<void> {
  if ((await calls.call(request, () => undefined)) !== IGNORED) return;
  const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`;
  request.attributes.annotate(key, request.webhook.name);
}
