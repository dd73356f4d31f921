import type { LabelRequirement, Labels } from './requirement.js';

const noLabels: Labels = Object.freeze({});

/** All of its requirements hold. Immutable, shared freely. */
export class LabelSelector {
  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** False only for {@link nothing}. */
  readonly selectable: boolean;

  constructor(requirements: readonly LabelRequirement[], selectable = true) {
    this.requirements = requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    this.selectable = selectable;
  }

  /** Absent labels are no labels. Allocates nothing. */
  matches(labels: Labels | undefined): boolean {
    if (!this.selectable) return false;
    const present = labels ?? noLabels;
    for (const requirement of this.requirements) if (!requirement.matches(present)) return false;
    return true;
  }

  /** True when it restricts nothing. */
  get isEmpty(): boolean {
    return this.selectable && this.requirements.length === 0;
  }

  /** The one value that `key` must have, when the first requirement on it says so. */
  requiredValue(key: string): string | undefined {
    const requirement = this.requirements.find((candidate) => candidate.key === key);
    if (requirement === undefined || requirement.values.length !== 1) return undefined;
    return ['=', '==', 'in'].includes(requirement.operator) ? requirement.values[0] : undefined;
  }

  /** Canonical text: sorted by key, joined by commas; what `parseLabelSelector` reads back. */
  toString(): string {
    return this.requirements.join(',');
  }
}

/** Selects every object. */
export const everything: LabelSelector = new LabelSelector([]);

/** Selects no object. Its text is empty, as upstream's. */
export const nothing: LabelSelector = new LabelSelector([], false);
