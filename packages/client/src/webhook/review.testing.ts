import type { JsonObject } from '@binnacle/apimachinery/json';
import type { Webhook, WebhookAnswer } from './index.js';

/** What `post` sends, and the errors that the webhook has reported. */
export interface Exchange {
  readonly answer: WebhookAnswer;
  readonly reports: readonly string[];
}

/** Sends a body to a webhook, without a server. */
export async function post(
  webhook: Webhook,
  body: JsonObject | string,
  contentType = 'application/json',
): Promise<Exchange> {
  const reports: string[] = [];
  const answer = await webhook.answer({
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    contentType,
    signal: new AbortController().signal,
    report: (error) => reports.push(String(error)),
  });
  return { answer, reports };
}

export function admissionReview(request: JsonObject): JsonObject {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u1',
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      operation: 'CREATE',
      userInfo: { username: 'alice' },
      object: null,
      oldObject: null,
      ...request,
    },
  };
}
