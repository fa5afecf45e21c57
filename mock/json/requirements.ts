import type { ErrorObject } from 'ajv';

/** What a keyword of a schema asks of a value that does not fit, in words. */
export function describeRequirement({ keyword, params, message }: ErrorObject): string {
  const count = (noun: string, plural = `${noun}s`) =>
    `${params.limit} ${params.limit === 1 ? noun : plural}`;
  switch (keyword) {
    case 'minLength':
      return `must have at least ${count('character')}`;
    case 'maxLength':
      return `must have at most ${count('character')}`;
    case 'minItems':
      return `must have at least ${count('item')}`;
    case 'maxItems':
      return `must have at most ${count('item')}`;
    case 'minProperties':
      return `must have at least ${count('property', 'properties')}`;
    case 'maxProperties':
      return `must have at most ${count('property', 'properties')}`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${params.limit}`;
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`;
    case 'pattern':
      return `must match the pattern ${params.pattern}`;
    case 'contains':
      return 'must have an item that matches the schema of "contains"';
    case 'not':
      return 'must not match the schema of "not"';
    case 'oneOf':
      return 'must match exactly one of the alternatives';
    case 'anyOf':
      return 'must match one of the alternatives';
    case 'if':
      return `must match the schema of "${params.failingKeyword}"`;
    case 'propertyNames':
      return `must not have the property "${params.propertyName}"`;
    case 'unevaluatedProperties':
      return `must not have the property "${params.unevaluatedProperty}"`;
    case 'dependentRequired':
      return `must have "${params.missingProperty}" beside "${params.property}"`;
    case 'false schema':
      return 'must be left out';
    default:
      return message ?? `must match "${keyword}"`;
  }
}
