import { escapeFieldValue } from './escape.js';

/** The fields of an object that selectors can ask for, such as `metadata.name` and `spec.nodeName`. */
export type FieldValues = { readonly [field: string]: string };

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** All of its requirements hold. Immutable, shared freely. */
export class FieldSelector {
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  /** A field that is absent has the empty value. Allocates nothing. */
  matches(fields: FieldValues): boolean {
    for (const requirement of this.requirements) {
      const value = Object.hasOwn(fields, requirement.field) ? (fields[requirement.field] ?? '') : '';
      if ((value === requirement.value) !== (requirement.operator === '=')) return false;
    }
    return true;
  }

  /** True when it restricts nothing. */
  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** The one value that `field` must have, where the selector says so. */
  requiredValue(field: string): string | undefined {
    return this.requirements.find((candidate) => candidate.field === field && candidate.operator === '=')?.value;
  }

  /** Canonical text, values escaped. */
  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(',');
  }
}

/** Selects every object. */
export const everyField: FieldSelector = new FieldSelector([]);
