import type { TestTwin } from '../../../support/twin.ts';
import { openSecuredTwin, toSecuredDocument } from '../schemes/secured-document.ts';

const scopes = { read: 'Read.', write: 'Write.' };

/** A document of an API with each flow of OAuth, which has its endpoints on its own server. */
export const oauthDocument = toSecuredDocument(
  {
    any: [{ login: [] }],
    read: [{ login: ['read'] }],
    both: [{ login: ['read', 'write'] }],
    bearer: [{ bearer: [] }],
  },
  {
    openapi: '3.2.0',
    schemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      login: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: '/oauth/token', scopes },
          authorizationCode: {
            authorizationUrl: 'https://shop.example/oauth/authorize',
            tokenUrl: 'https://shop.example/oauth/token',
            scopes,
          },
          password: { tokenUrl: '/oauth/token', scopes },
          implicit: { authorizationUrl: '/oauth/authorize', scopes },
        },
      },
    },
  },
);

/** Describes what the token endpoint answers. */
export type TokenBody = {
  access_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
  refresh_token?: string;
  id_token?: string;
  error?: string;
  error_description?: string;
  [name: string]: unknown;
};

/** A twin of the document, frozen at noon, and calls of its endpoints. */
export async function openOAuthTwin(
  settings: Parameters<typeof openSecuredTwin>[1] = {},
  document = oauthDocument,
) {
  const twin = await openSecuredTwin(document, settings);
  twin.app.clock.freeze(Date.parse('2030-01-01T12:00:00Z'));
  return { twin, ...callsOf(twin, '') };
}

/** Calls of the endpoints of a sandbox; `prefix` is `/sandboxes/NAME` or nothing. */
export function callsOf({ origin }: TestTwin, prefix: string) {
  const root = origin + prefix;
  const post = async (path: string, form: Record<string, string>, headers = {}) => {
    const body = new URLSearchParams(form);
    const response = await fetch(root + path, { method: 'POST', body, headers });
    const { status, headers: sent } = response;
    return { status, headers: sent, body: (await response.json()) as TokenBody };
  };
  return {
    root,
    post,
    token: (form: Record<string, string>, headers = {}) => post('/oauth/token', form, headers),
    get: async (path: string, token: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(`${root}/v2${path}`, { headers });
      const body = await response.json();
      return { status: response.status, headers: response.headers, body };
    },
    /** Returns where the authorization endpoint sends the user, or its refusal. */
    authorize: async (query: Record<string, string>, path = '/oauth/authorize') => {
      const url = `${root}${path}?${new URLSearchParams(query)}`;
      const response = await fetch(url, { redirect: 'manual' });
      const location = response.headers.get('Location');
      return { status: response.status, location, text: await response.text() };
    },
  };
}

export const demo = { client_id: 'demo-free', client_secret: 'demo-free' };
