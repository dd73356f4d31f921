import { sleep } from '@binnacle/apimachinery/clock';
import { ConfigMap, Pod, Secret, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import type { CreateLoop, LoopContext } from '../loop/index.js';
import { dateOf, INVALID_SINCE, planToken, secretsOf, TOKEN_TYPE, type TokenPlan, trackedFrom } from './plan.js';

const DAY = 24 * 3_600_000;
/** Upstream: `--legacy-service-account-token-clean-up-period`. */
const A_YEAR = 365 * DAY;
/** The server writes it. */
const tracking = { namespace: 'kube-system', name: 'kube-apiserver-legacy-service-account-token-tracking' };

/** Upstream: kubernetes `pkg/controller/serviceaccount` legacy_serviceaccount_token_cleaner. */
export const createLegacyTokenCleanerLoop: CreateLoop = (context) => {
  const { informers, clock, report } = context;
  const caches = [informers.informer(Secret), informers.informer(ServiceAccount), informers.informer(Pod)];
  return {
    run: async (signal) => {
      const synced = await Promise.all(caches.map((cache) => cache.synced(signal))).catch(() => undefined);
      if (synced === undefined) return;
      while (!signal.aborted) {
        await cleanUp(context, signal).catch((error: unknown) => signal.aborted || report(error));
        await sleep(clock, DAY, signal).catch(() => undefined);
      }
    },
  };
};

/** Looks at all tokens. One that cannot be marked or deleted is left to the next pass. */
async function cleanUp(context: LoopContext, signal: AbortSignal): Promise<void> {
  const { informers, client, clock, settings, report } = context;
  const period = settings.legacyTokenCleanUpPeriodMs ?? A_YEAR;
  const now = clock.now();
  const tokens = informers
    .informer(Secret)
    .indexer.list()
    .filter(({ type }) => type === TOKEN_TYPE);
  if (tokens.length === 0) return;
  const { data } = await client.resource(ConfigMap).namespace(tracking.namespace).get(tracking.name, { signal });
  const from = trackedFrom(data?.['since']);
  if (from === undefined) throw new Error(`ConfigMap ${tracking.namespace}/${tracking.name} has no date`);
  if (now < from + period) return;
  const mounted = new Map<string, ReadonlySet<string>>();
  for (const secret of tokens) {
    const { namespace = '', annotations } = secret.metadata;
    const account = informers
      .informer(ServiceAccount)
      .lister.namespace(namespace)
      .get(annotations?.['kubernetes.io/service-account.name'] ?? '');
    const isMounted = (name: string): boolean => {
      const names = mounted.get(namespace) ?? mountedIn(context, namespace);
      mounted.set(namespace, names);
      return names.has(name);
    };
    const plan = planToken({ secret, account, isMounted, period, now });
    await act(plan, secret, context, signal).catch((error: unknown) => signal.aborted || report(error));
  }
}

function mountedIn({ informers }: LoopContext, namespace: string): Set<string> {
  const pods = informers.informer(Pod).lister.namespace(namespace).list();
  return new Set(pods.flatMap((pod) => [...secretsOf(pod)]));
}

async function act(
  plan: TokenPlan,
  { metadata }: Secret,
  { client, clock }: LoopContext,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  const secrets = client.resource(Secret).namespace(namespace);
  try {
    if (plan === 'mark') {
      const body = { metadata: { uid, labels: { [INVALID_SINCE]: dateOf(clock.now()) } } };
      await secrets.patch(name, { type: 'merge', body }, { signal });
    }
    if (plan === 'delete') await secrets.delete(name, { preconditions: { resourceVersion }, signal });
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}
