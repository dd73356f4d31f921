import type { LabelRequirement, Labels } from './requirement.js';

const noLabels: Labels = Object.freeze({});

/** Matches if all of its requirements do. Immutable. */
export class LabelSelector {
  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** False only for {@link nothing}. */
  readonly selectable: boolean;

  constructor(requirements: readonly LabelRequirement[], selectable = true) {
    this.requirements = requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    this.selectable = selectable;
  }

  /** Absent labels count as empty. Allocates nothing. */
  matches(labels: Labels | undefined): boolean {
    if (!this.selectable) return false;
    const present = labels ?? noLabels;
    for (const requirement of this.requirements) if (!requirement.matches(present)) return false;
    return true;
  }

  /** True if it matches everything. */
  get isEmpty(): boolean {
    return this.selectable && this.requirements.length === 0;
  }

  /** The value that `key` must have; undefined if its first requirement does not fix one. */
  requiredValue(key: string): string | undefined {
    const requirement = this.requirements.find((candidate) => candidate.key === key);
    if (requirement === undefined || requirement.values.length !== 1) return undefined;
    return ['=', '==', 'in'].includes(requirement.operator) ? requirement.values[0] : undefined;
  }

  /** Canonical text: sorted by key, joined by commas. `parseLabelSelector` parses it. */
  toString(): string {
    return this.requirements.join(',');
  }
}

/** Matches every object. */
export const everything: LabelSelector = new LabelSelector([]);

/** Matches no object. Its text is empty, as upstream's. */
export const nothing: LabelSelector = new LabelSelector([], false);
