import type { Container } from '@binnacle/client/kinds/core/v1';

/** An object that a pod needs for variables or for a volume. */
export interface Source {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
}

/** What a container needs of a source. */
export interface Reference extends Source {
  /** Undefined: all keys. */
  readonly key: string | undefined;
  /** The container starts without it. */
  readonly isOptional: boolean;
}

interface Selector {
  readonly name?: string;
  readonly key?: string;
  readonly optional?: boolean;
}

/** The object of this name; none without a name. */
export const sourceOf = (kind: Source['kind'], name: string | undefined): readonly Source[] =>
  name === undefined ? [] : [{ kind, name }];

/** The references of the variables of a container, in the order in which a kubelet reads them. */
export function variableReferences({ env = [], envFrom = [] }: Container): readonly Reference[] {
  return [
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [
      ...referenceOf('ConfigMap', configMapRef),
      ...referenceOf('Secret', secretRef),
    ]),
    ...env.flatMap(({ valueFrom }) => [
      ...referenceOf('ConfigMap', valueFrom?.configMapKeyRef),
      ...referenceOf('Secret', valueFrom?.secretKeyRef),
    ]),
  ];
}

function referenceOf(kind: Source['kind'], { name, key, optional = false }: Selector = {}): readonly Reference[] {
  return sourceOf(kind, name).map((source) => ({ ...source, key, isOptional: optional }));
}
