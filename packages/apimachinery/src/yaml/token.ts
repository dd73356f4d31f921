export type TokenType =
  | 'stream-end'
  | 'version-directive'
  | 'tag-directive'
  | 'document-start'
  | 'document-end'
  | 'block-list-start'
  | 'block-map-start'
  | 'block-end'
  | 'block-entry'
  | 'flow-list-start'
  | 'flow-list-end'
  | 'flow-map-start'
  | 'flow-map-end'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface Token {
  readonly type: TokenType;
  /** The line where the token starts, from zero. */
  readonly line: number;
  /** The value of a scalar, the name of an anchor, the suffix or prefix of a tag, a version. */
  readonly text: string;
  /** The handle of a tag or a tag directive. */
  readonly handle: string;
  /** Whether a scalar has neither quotes nor the indicator of a block. */
  readonly isPlain: boolean;
  /** Set while a colon may still follow that makes this token the start of a key. */
  readonly key: PossibleKey | undefined;
}

/** A token that starts a key if a colon follows on its line. */
export interface PossibleKey {
  /** How many tokens came before it. */
  readonly number: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
  /** Without the colon, the block map around it would have an entry without a value. */
  readonly isRequired: boolean;
  isPossible: boolean;
}
