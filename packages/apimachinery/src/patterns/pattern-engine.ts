import type { RE2JS } from 're2js';

/** An instruction of a compiled pattern. */
export interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: Int32Array;
  matchRune(point: number): boolean;
}

export interface CompiledProgram {
  readonly inst: readonly Instruction[];
  readonly start: number;
  /** The number of lookbehinds, which a search in steps does not know. */
  readonly numLb: number;
}

/** The package does not declare the types of a compiled pattern. */
interface Engine {
  readonly prog: CompiledProgram;
  /** The states that searches have met so far. In bytes: what they may take, and what is left of it. */
  lazyDFA: { readonly stateBudget: number; readonly memBudget: number } | null;
}

const engineOf = (pattern: RE2JS): Engine => pattern.re2();

export const programOf = (pattern: RE2JS): CompiledProgram => engineOf(pattern).prog;

/** The bytes of the states that a pattern remembers, to be faster in later searches. */
export function rememberedBytes(pattern: RE2JS): number {
  const states = engineOf(pattern).lazyDFA;
  return states === null ? 0 : states.stateBudget - states.memBudget;
}

export function forgetStates(pattern: RE2JS): void {
  engineOf(pattern).lazyDFA = null;
}
