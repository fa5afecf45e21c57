import type { ApiDocument, Schema } from '../description/document.ts';
import { isObject } from '../description/schema.ts';
import { hideInJson } from '../secrets/fields.ts';
import { isSecretName, toFieldRules } from '../secrets/names.ts';

/** Whether a property holds a secret, as its name or its format says. */
export function isSecret(name: string, { format }: Schema): boolean {
  return format === 'password' || isSecretName(name);
}

/** A text for a secret; no other text in a request has its beginning, so that it can be hidden. */
export const secretText = 'Pw-{{fresh}}{{run}}';

/** The names of the properties that a document gives the format of passwords. */
export function secretNamesOf({ raw }: ApiDocument): string[] {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const left: unknown[] = [raw];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    for (const [name, one] of Object.entries(node)) {
      if (isObject(one) && one.format === 'password') names.add(name);
      left.push(one);
    }
  }
  return [...names];
}

/** Gives the function that finds the texts of secrets in a JSON text, also in a broken one. */
export function createSecretReader(document: ApiDocument): (text: string) => string[] {
  const rules = toFieldRules({ named: secretNamesOf(document) });
  return (text) => {
    const found: string[] = [];
    const hide = (secret: string) => {
      found.push(secret);
      return secret;
    };
    hideInJson(text, { rules, hide });
    return found;
  };
}
