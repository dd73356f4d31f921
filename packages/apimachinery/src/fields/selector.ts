import { escapeFieldValue } from './escape.js';

/** The selectable fields of an object, such as `metadata.name` and `spec.nodeName`. */
export type FieldValues = { readonly [field: string]: string };

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Matches if all of its requirements do. Immutable. */
export class FieldSelector {
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  /** An absent field has the empty value. Allocates nothing. */
  matches(fields: FieldValues): boolean {
    for (const requirement of this.requirements) {
      const value = Object.hasOwn(fields, requirement.field) ? (fields[requirement.field] ?? '') : '';
      if ((value === requirement.value) !== (requirement.operator === '=')) return false;
    }
    return true;
  }

  /** True if it matches everything. */
  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** The only value that `field` may have; undefined if the selector does not fix it. */
  requiredValue(field: string): string | undefined {
    return this.requirements.find((candidate) => candidate.field === field && candidate.operator === '=')?.value;
  }

  /** Canonical text with escaped values. */
  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(',');
  }
}

/** Matches every object. */
export const everyField: FieldSelector = new FieldSelector([]);
