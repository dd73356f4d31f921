export type YamlNode = ScalarNode | ListNode | MapNode | AliasNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  readonly text: string;
  /** The whole tag; empty for none. */
  readonly tag: string;
  /** Whether the text decides the type of the value. */
  readonly isImplicit: boolean;
}

export interface ListNode {
  readonly kind: 'list';
  readonly line: number;
  readonly items: YamlNode[];
}

export interface MapNode {
  readonly kind: 'map';
  readonly line: number;
  readonly keys: YamlNode[];
  /** One for each key. */
  readonly values: YamlNode[];
}

export interface AliasNode {
  readonly kind: 'alias';
  readonly line: number;
  readonly name: string;
  /** May be a collection that contains this alias. */
  readonly target: YamlNode;
}
