// Go's type expressions, turned into the notation of types.json:
//
//   string bool int32 int64 double bytes time microTime duration quantity intOrString any   scalars
//   io.k8s.api.core.v1.Container                                                            a struct
//   []T   map[K]T                                                                           K: Go's name of the key type
//   v1.Protocol=string   v1.ResourceList=map[v1.ResourceName]quantity                       a named type, by Go's name
//   v1.Verbs=([]string)                                                                     protobuf wraps it in a message
import { definitionName } from './facts.mjs';

const builtIn = new Map([
  ['string', 'string'],
  ['bool', 'bool'],
  ['int32', 'int32'],
  ['int64', 'int64'],
  ['float64', 'double'],
  ['interface{}', 'interface {}=any'],
]);

/** Structs of Go that are one value in JSON. */
const scalars = new Map([
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Time', 'time'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime', 'microTime'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Duration', 'duration'],
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'quantity'],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', 'intOrString'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1', 'v1.FieldsV1=any'],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', 'runtime.RawExtension=any'],
]);

const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions';
for (const version of ['v1', 'v1beta1']) {
  for (const name of ['JSON', 'JSONSchemaPropsOrBool', 'JSONSchemaPropsOrArray', 'JSONSchemaPropsOrStringArray']) {
    scalars.set(`${apiextensions}.${version}.${name}`, `${version}.${name}=any`);
  }
}

/** The facts do not cover this package. The API uses only its text types. */
const textPackage = 'k8s.io/apimachinery/pkg/types';

/** @typedef {{ goPackage: string, name: string }} GoName */

export class GoTypes {
  /** @param {import('./facts.mjs').Facts} facts */
  constructor(facts) {
    this.facts = facts;
    /** Structs met while resolving, by definition name. @type {Map<string, GoName>} */
    this.structs = new Map();
  }

  /** The notation of a Go type expression without its leading `*`. @param {string} goPackage @param {string} expression @returns {string} */
  resolve(goPackage, expression) {
    if (expression.startsWith('*')) return this.resolve(goPackage, expression.slice(1));
    if (expression === '[]byte') return 'bytes';
    if (expression.startsWith('[]')) return `[]${this.resolve(goPackage, expression.slice(2))}`;
    if (expression.startsWith('map[')) {
      const end = expression.indexOf(']');
      const key = this.resolve(goPackage, expression.slice(4, end)).split('=')[0];
      return `map[${key}]${this.resolve(goPackage, expression.slice(end + 1))}`;
    }
    return builtIn.get(expression) ?? this.#named(this.find(goPackage, expression));
  }

  /** Follows import names and aliases to where a type is declared. @param {string} goPackage @param {string} expression @returns {GoName} */
  find(goPackage, expression) {
    const dot = expression.indexOf('.');
    if (dot >= 0) {
      const imported = this.facts.imports[goPackage]?.[expression.slice(0, dot)];
      if (imported === undefined) throw new Error(`${goPackage}: unknown import in ${expression}`);
      return this.find(imported, expression.slice(dot + 1));
    }
    const alias = this.facts.go.get(goPackage)?.[expression]?.kind;
    if (alias?.startsWith('= ')) return this.find(goPackage, alias.slice(2));
    return { goPackage, name: expression };
  }

  /** The Go fields of a struct, following `type A B`; empty where the source has `struct{}`. @param {GoName} where @returns {{ goPackage: string, fields: import('./facts.mjs').GoField[] }} */
  fieldsOf({ goPackage, name }) {
    const type = this.facts.go.get(goPackage)?.[name];
    if (type === undefined || type.kind === 'struct') return { goPackage, fields: type?.fields ?? [] };
    return this.fieldsOf(this.find(goPackage, type.kind));
  }

  /** @param {GoName} where @returns {string} */
  #named(where) {
    const { goPackage, name } = where;
    const goName = `${goPackage.slice(goPackage.lastIndexOf('/') + 1)}.${name}`;
    if (goPackage === textPackage) return `${goName}=string`;
    const definition = definitionName(goPackage, name);
    const scalar = scalars.get(definition);
    if (scalar !== undefined) return scalar;
    const type = this.facts.go.get(goPackage)?.[name];
    const { definitions, messages } = this.facts;
    if (type === undefined && definitions[definition] === undefined && !messages.has(definition)) {
      throw new Error(`${definition} is used, but the facts do not have it`);
    }
    const underlying = type?.kind ?? 'struct';
    if (underlying !== 'struct') {
      const value = this.resolve(goPackage, underlying);
      if (!value.startsWith('io.')) {
        const wrapped = this.facts.messages.get(definition)?.wraps !== undefined;
        return `${goName}=${wrapped ? `(${value})` : value}`;
      }
    }
    this.structs.set(definition, where);
    return definition;
  }
}
