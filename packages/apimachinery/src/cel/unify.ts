import { DYN, isDynamic, parameterOf, sameType, type Type } from './types.js';

/** The bindings of type parameters, by name. An expression has thousands, so an attempt copies none of them. */
export class Substitutions {
  readonly #types = new Map<string, Type>();
  /** The bindings before the changes of the current attempt, in order. */
  #before: (readonly [name: string, type: Type | undefined])[] = [];

  get(name: string): Type | undefined {
    return this.#types.get(name);
  }

  set(name: string, type: Type): void {
    this.#before.push([name, this.#types.get(name)]);
    this.#types.set(name, type);
  }

  /** Keeps the changes that `work` makes if it returns true, and undoes them otherwise. */
  attempt(work: () => boolean): boolean {
    this.#before = [];
    if (work()) return true;
    for (const [name, type] of this.#before.reverse()) {
      if (type === undefined) this.#types.delete(name);
      else this.#types.set(name, type);
    }
    return false;
  }
}

/**
 * Whether values of `from` are assignable to `to`. If they are, `known` has the resulting bindings of type parameters.
 * `dyn` is assignable in both directions. Upstream: cel-go `checker/types.go`.
 */
export function assign(known: Substitutions, to: readonly Type[], from: readonly Type[]): boolean {
  return known.attempt(() => allFit(known, to, from));
}

/** Replaces the type parameters of `type` by their bindings. Free ones stay, or become `dyn`. */
export function substitute(known: Substitutions, type: Type, freeIsDynamic = false): Type {
  if (type.kind === 'parameter') {
    const found = known.get(type.name);
    if (found !== undefined) return substitute(known, found, freeIsDynamic);
    return freeIsDynamic ? DYN : type;
  }
  if (type.parameters.length === 0) return type;
  return { ...type, parameters: type.parameters.map((item) => substitute(known, item, freeIsDynamic)) };
}

/** The less specific of two assignable types. */
export function moreGeneral(left: Type, right: Type): Type {
  return isEqualOrLessSpecific(left, right) ? left : right;
}

function allFit(known: Substitutions, to: readonly Type[], from: readonly Type[]): boolean {
  return to.length === from.length && to.every((type, index) => fits(known, type, from[index] ?? DYN));
}

function fits(known: Substitutions, to: Type, from: Type): boolean {
  if (from.kind === 'parameter') {
    const { valid, wasKnown } = bind(known, from, to);
    if (valid) return true;
    if (wasKnown) return false;
  }
  if (to.kind === 'parameter') return bind(known, to, from).valid;
  if (isDynamic(to) || isDynamic(from)) return true;
  if (to.kind === 'null') return isNullable(from);
  if (from.kind === 'null') return isNullable(to);
  if (to.kind !== from.kind) return false;
  if (to.kind === 'type') return true;
  return to.name === from.name && allFit(known, to.parameters, from.parameters);
}

/** Binds `free` to `type`, if that agrees with its current binding. */
function bind(known: Substitutions, free: Type, type: Type): { valid: boolean; wasKnown: boolean } {
  if (sameType(free, type)) return { valid: true, wasKnown: true };
  const found = known.get(free.name);
  if (found === undefined) {
    const valid = !contains(known, type, free);
    if (valid) known.set(free.name, type);
    return { valid, wasKnown: false };
  }
  if (sameType(found, type)) return { valid: true, wasKnown: true };
  if (!fits(known, type, found)) return { valid: false, wasKnown: true };
  const general = moreGeneral(type, found);
  if (!contains(known, general, free)) known.set(free.name, general);
  return { valid: true, wasKnown: true };
}

/** Whether `free` occurs in `type`, so that binding it would be infinite. */
function contains(known: Substitutions, type: Type, free: Type): boolean {
  if (sameType(type, free)) return true;
  if (type.kind === 'parameter') {
    const found = known.get(type.name);
    return found !== undefined && contains(known, found, free);
  }
  return type.parameters.some((item) => contains(known, item, free));
}

function isNullable({ kind }: Type): boolean {
  return kind === 'null' || kind === 'opaque' || kind === 'object' || kind === 'duration' || kind === 'timestamp';
}

function isEqualOrLessSpecific(left: Type, right: Type): boolean {
  if (left.kind === 'dyn' || left.kind === 'parameter') return true;
  if (right.kind === 'dyn' || right.kind === 'parameter' || left.kind !== right.kind) return false;
  if (left.kind === 'type') return true;
  return (
    left.name === right.name &&
    left.parameters.length === right.parameters.length &&
    left.parameters.every((item, index) => isEqualOrLessSpecific(item, parameterOf(right, index)))
  );
}
