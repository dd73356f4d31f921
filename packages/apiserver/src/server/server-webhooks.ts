import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { AdmissionConfiguration } from '../admissionconfiguration/index.js';
import type { Egress } from '../egress/index.js';
import { ENDPOINT_SLICES, SERVICES, type Stores } from '../registry/index.js';
import { clusterServices, LongAnswers, WebhookClients, type WebhookUsers } from '../webhooks/index.js';

const ANSWER_BYTES = 16 * 1024 * 1024;

export interface ServerWebhooksOptions {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether services are called at their endpoints. Default: true. */
  readonly aggregatorRouting?: boolean | undefined;
  readonly admission?: { readonly admissionConfiguration?: AdmissionConfiguration | undefined };
}

/** The clients of webhooks. Those with the same credentials share connections. */
export interface ServerWebhooks {
  readonly conversion: WebhookClients;
  readonly mutating: WebhookClients;
  readonly validating: WebhookClients;
  /** Closes the connections after the calls in progress. */
  close(): void;
}

export function serverWebhooks(
  { egress, random, clock, aggregatorRouting, admission = {} }: ServerWebhooksOptions,
  stores: Stores,
): ServerWebhooks {
  const { mutatingUsers, validatingUsers } = admission.admissionConfiguration ?? {};
  const options = {
    egress,
    clock,
    resolve: clusterServices({
      services: stores.reader(SERVICES),
      endpointSlices: stores.reader(ENDPOINT_SLICES),
      random,
      toEndpoints: aggregatorRouting,
    }),
    maximumAnswerBytes: ANSWER_BYTES,
    longAnswers: new LongAnswers(),
  };
  const conversion = new WebhookClients(options);
  const clientsOf = (users: WebhookUsers | undefined): WebhookClients =>
    users === undefined ? conversion : new WebhookClients({ ...options, users });
  const [mutating, validating] = [clientsOf(mutatingUsers), clientsOf(validatingUsers)];
  return {
    conversion,
    mutating,
    validating,
    close: () => {
      for (const clients of new Set([conversion, mutating, validating])) clients.close();
    },
  };
}
