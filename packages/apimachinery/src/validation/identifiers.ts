import { DNS_SUBDOMAIN_MAXIMUM } from './dns-names.js';
import { EMPTY_MESSAGE, maximumCharactersMessage, patternMessage } from './messages.js';
import { utf8Length } from './text.js';

// Formats of keys and identifiers inside objects. Upstream: apimachinery `pkg/util/validation`.

const configMapKeyPattern = '[-._a-zA-Z0-9]+';
const configMapKeyExpression = /^[-._a-zA-Z0-9]+$/;
const cIdentifierPattern = '[A-Za-z_][A-Za-z0-9_]*';
const cIdentifierExpression = /^[A-Za-z_][A-Za-z0-9_]*$/;
const httpHeaderPattern = '[-A-Za-z0-9]+';
const httpHeaderExpression = /^[-A-Za-z0-9]+$/;
const percentPattern = '[0-9]+%';
const percentExpression = /^[0-9]+%$/;
const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonExpression = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const environmentNameExpression = /^[ -<>-~]*$/;

/** A key of a ConfigMap's or Secret's data. */
export function validateConfigMapKey(value: string): string[] {
  const messages = utf8Length(value) > DNS_SUBDOMAIN_MAXIMUM ? [maximumCharactersMessage(DNS_SUBDOMAIN_MAXIMUM)] : [];
  if (!configMapKeyExpression.test(value)) {
    messages.push(
      patternMessage(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        configMapKeyPattern,
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    );
  }
  messages.push(...parentDirectoryMessages(value));
  return messages;
}

function parentDirectoryMessages(value: string): string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** Any printable ASCII except `=`. */
export function validateEnvironmentVariableName(value: string): string[] {
  if (value === '') return [`environment variable name ${EMPTY_MESSAGE}`];
  if (environmentNameExpression.test(value)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export function validateCIdentifier(value: string): string[] {
  if (cIdentifierExpression.test(value)) return [];
  return [
    patternMessage(
      "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
      cIdentifierPattern,
      'my_name',
      'MY_NAME',
      'MyName',
    ),
  ];
}

export function validateHttpHeaderName(value: string): string[] {
  if (httpHeaderExpression.test(value)) return [];
  return [
    patternMessage(
      "a valid HTTP header must consist of alphanumeric characters or '-'",
      httpHeaderPattern,
      'X-Header-Name',
    ),
  ];
}

/** `25%`. */
export function validatePercent(value: string): string[] {
  if (percentExpression.test(value)) return [];
  return [
    patternMessage(
      "a valid percent string must be a numeric string followed by an ending '%'",
      percentPattern,
      '1%',
      '93%',
    ),
  ];
}

export function validateConditionReason(value: string): string[] {
  if (reasonExpression.test(value)) return [];
  return [
    patternMessage(
      "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
      reasonPattern,
      'my_name',
      'MY_NAME',
      'MyName',
      'ReasonA,ReasonB',
      'ReasonA:ReasonB',
    ),
  ];
}
