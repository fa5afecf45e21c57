import type { ApiDocument } from '../../contracts/description/document.ts';
import { asksForKeysAlone, definedSchemes } from '../../contracts/description/security.ts';
import type { Extra } from '../extra.ts';
import { oauthServerOf } from './schemes/oauth-server.ts';

/** The security schemes that a document describes besides keys as bearer tokens. */
export const schemes: Extra = async ({ served }) => {
  const { document, keys } = served;
  if (!hasOtherSchemes(document)) return {};
  const { createSecurity } = await import('./late-calls.ts');
  return {
    changeCalls(calls, extras) {
      const tokens = extras.find((one) => one.tokens)?.tokens;
      return { ...calls, security: createSecurity({ document, keys, tokens }) };
    },
  };
};

function hasOtherSchemes(document: ApiDocument): boolean {
  const isOther = definedSchemes(document.raw).some(
    (one) => one.type !== 'http' || one.scheme !== 'bearer',
  );
  return isOther || oauthServerOf(document) !== undefined || !asksForKeysAlone(document.operations);
}
