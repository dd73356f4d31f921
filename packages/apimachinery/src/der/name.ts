import { childrenOf, DerError, type Element, identifierOf, SEQUENCE, SET, textOf } from './der.js';

/** One attribute of a distinguished name. */
export interface NameAttribute {
  /** In dotted decimals. */
  readonly type: string;
  readonly value: string;
}

export const COMMON_NAME = '2.5.4.3';
export const ORGANIZATION = '2.5.4.10';

/** The attributes of a distinguished name, in order. Throws {@link DerError}. */
export function nameOf(name: Element | undefined): NameAttribute[] {
  return childrenOf(name, SEQUENCE).flatMap((level) => {
    const attributes = childrenOf(level, SET);
    if (attributes.length === 0) throw new DerError('a level without attributes');
    return attributes.map(attributeOf);
  });
}

function attributeOf(attribute: Element): NameAttribute {
  const [type, value, ...others] = childrenOf(attribute, SEQUENCE);
  if (others.length > 0) throw new DerError('an attribute with two values');
  return { type: identifierOf(type), value: textOf(value) };
}
