import type { ApiDocument } from '../../contracts/description/document.ts';
import { keyNamesOf } from '../../contracts/description/key-places.ts';
import { usedSchemes } from '../../contracts/description/security.ts';
import type { SecretNames } from '../redact.ts';

/** The names under which requests carry credentials that a document describes. */
export function secretNamesOf({ operations }: Pick<ApiDocument, 'operations'>): SecretNames {
  const schemes = usedSchemes(operations);
  return {
    ...keyNamesOf(operations),
    schemes: schemes.flatMap((one) => (one.type === 'http' ? [one.scheme] : [])),
    tokens: schemes.some(({ type }) => type === 'oauth2' || type === 'openIdConnect'),
  };
}
