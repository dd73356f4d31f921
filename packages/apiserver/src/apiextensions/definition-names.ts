import type { GroupVersionKind } from '@binnacle/apimachinery/meta';

/** The name of a kind's type: `com.example.stable.v1.CronTab`. Upstream: kube-openapi `util.ToRESTFriendlyName`. */
export function definitionName({ group, version, kind }: GroupVersionKind): string {
  return `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
}
