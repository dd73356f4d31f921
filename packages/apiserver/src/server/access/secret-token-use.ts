import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { serverScope } from '../../bootstrap/index.js';
import type { ResourceStore } from '../../registry/index.js';

const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const DAY_MS = 86_400_000;

export interface SecretTokenUseOptions {
  readonly secrets: () => ResourceStore | undefined;
  /** Milliseconds. */
  readonly now: () => number;
  /** Receives the errors of failed writes. */
  readonly report: (error: unknown, what: string) => void;
}

/**
 * Labels a Secret with the day its token was last used. kube-controller-manager deletes Secrets whose tokens are
 * unused. It writes once a day, even if the clocks of several servers disagree about the date. Upstream: kubernetes
 * `pkg/serviceaccount/legacy.go`.
 */
export function secretTokenUse({ secrets, now, report }: SecretTokenUseOptions) {
  return async (secret: Readonly<KubernetesObject>): Promise<void> => {
    const { namespace = '', name = '', uid, labels } = secret.metadata;
    const today = dayOf(now());
    const lastUsed = labels?.[LAST_USED];
    if (lastUsed === today || lastUsed === dayOf(now() + DAY_MS)) return;
    try {
      await secrets()?.update(serverScope(namespace), {
        name,
        strategy: {},
        transform: (current) => {
          if (current === undefined || current.metadata.uid !== uid) throw new Error('it is gone');
          current.metadata.labels = { ...current.metadata.labels, [LAST_USED]: today };
          return current;
        },
      });
    } catch (error) {
      report(error, `the last use of the token in secret ${namespace}/${name}`);
    }
  };
}

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
