import type { RawDocument } from '../schema.ts';

const flows: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
};

/** A security scheme of OpenAPI 3. */
export function toSecurityScheme(scheme: RawDocument): RawDocument {
  const { type, flow, authorizationUrl, tokenUrl, scopes, ...others } = scheme;
  if (type === 'basic') return { ...others, type: 'http', scheme: 'basic' };
  if (type !== 'oauth2') return scheme;
  return {
    ...others,
    type,
    flows: {
      [flows[flow] ?? String(flow)]: {
        ...(authorizationUrl !== undefined && { authorizationUrl }),
        ...(tokenUrl !== undefined && { tokenUrl }),
        scopes: scopes ?? {},
      },
    },
  };
}
