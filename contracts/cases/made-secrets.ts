import { randomInt, randomUUID } from 'node:crypto';
import { toJson } from '../../common/json.ts';
import { isSecretName } from '../../common/secrets/names.ts';
import type { Schema } from '../../openapi/index.ts';

/**
 * Whether a property holds a secret, as its name or its format says, or as no answer shows its free
 * text.
 */
export function isSecret(name: string, schema: Schema): boolean {
  const { format, writeOnly, type, enum: values, const: constant } = schema;
  const isFree = [type].flat().includes('string') && values === undefined && constant === undefined;
  return format === 'password' || (writeOnly === true && isFree) || isSecretName(name);
}

/** Whether a property may have any text that reads show, so that an item can be recognized by it. */
export function takesAnyText(name: string, schema: Schema): boolean {
  const { type, enum: values, format, pattern, contentMediaType, maxLength } = schema;
  const isBound = values ?? format ?? pattern ?? contentMediaType ?? maxLength ?? schema.const;
  return type === 'string' && isBound === undefined && !isSecret(name, schema);
}

/** How the names of placeholders for secrets begin; the form of the secret follows. */
export const secretPrefix = 'secret.';

/** Whether a value is or holds a placeholder for a secret. */
export function holdsSecret(value: unknown): boolean {
  return (toJson(value) ?? '').includes(`{{${secretPrefix}`);
}

const [small, digits] = ['abcdefghijklmnopqrstuvwxyz', '0123456789'];
const alphabets = [small + digits, `abcdef${digits}`, small, small.toUpperCase(), digits];

/** Beginnings of secrets, the first with all that a deployment may ask a password to have. */
const beginnings = ['Pw1-', '', 'a', 'A'];

/** The forms of secrets of a length: how they begin, the alphabet of the rest, and the length. */
export function formsOfSecrets(length: number): string[] {
  return beginnings
    .filter((start) => 2 * start.length <= length)
    .flatMap((start) => alphabets.map((_, index) => `${start}.${index}.${length}`));
}

/** A new secret of a form at random. */
export function makeSecret(form: string): string {
  if (form === 'uuid') return randomUUID();
  const [start = '', index, length] = form.split('.');
  const alphabet = alphabets[Number(index)] ?? '';
  const draw = () => alphabet[randomInt(alphabet.length)];
  return start + Array.from({ length: Number(length) - start.length }, draw).join('');
}
