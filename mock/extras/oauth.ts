import type { Extra } from '../extra.ts';
import { oauthServerOf } from './schemes/oauth-server.ts';

/** The OAuth server of a document that describes one. */
export const oauth: Extra = async ({ served, host, tools, enter }) => {
  const { document, keys } = served;
  const server = oauthServerOf(document);
  if (!server) return {};
  const { createTokens, mountOAuth } = await import('./late.ts');
  const { title } = document;
  const tokens = createTokens(keys);
  return {
    tokens,
    mountInFront(app) {
      mountOAuth(app, {
        ...{ ...tools, title, server, tokens, keys, enter },
        demoKeys: host.demoKeys,
      });
    },
  };
};
