import { nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import type { Pod, PodTemplateSpec } from '@binnacle/client/kinds/core/v1';
import type { TypedObject } from '@binnacle/client/typed';
import { controllerReference } from '../ownership/index.js';

/** A pod with a generated name that the owner controls. Upstream: `GetPodFromTemplate`. */
export function podFromTemplate(template: PodTemplateSpec | undefined, owner: TypedObject): Pod {
  const { labels, annotations, finalizers } = template?.metadata ?? {};
  const { name = '', namespace } = owner.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: podPrefix(name),
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [controllerReference(owner)],
    },
    ...(template?.spec === undefined ? {} : { spec: template.spec }),
  };
}

/** The owner's name and a dash, unless that is too long to be the beginning of a name. */
export function podPrefix(name: string): string {
  const prefix = `${name}-`;
  return nameIsDnsSubdomain(prefix, true).length === 0 ? prefix : name;
}
