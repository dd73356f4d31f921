/** The types that a generated file imports. */
export class Imports {
  /** @param {Iterable<string>} taken names that the file declares */
  constructor(taken) {
    this.taken = new Set(taken);
    /** @type {Map<string, Map<string, string>>} module to name to local name */
    this.modules = new Map();
  }

  /** The local name of an imported type: its own, or prefixed with its module's name if that is taken. @param {string} module @param {string} name */
  add(module, name) {
    let names = this.modules.get(module);
    if (names === undefined) this.modules.set(module, (names = new Map()));
    const known = names.get(name);
    if (known !== undefined) return known;
    const words = module.replace(/\.js$/, '').match(/\w+/g) ?? [];
    const prefix = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const local = this.taken.has(name) ? `${prefix}${name}` : name;
    this.taken.add(local);
    names.set(name, local);
    return local;
  }

  print() {
    return [...this.modules]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([module, names]) => {
        const list = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
        return `import type { ${list.map(([name, local]) => (name === local ? name : `${name} as ${local}`)).join(', ')} } from '${module}';\n`;
      })
      .join('');
  }
}
